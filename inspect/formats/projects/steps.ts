/** Scripts in the steps of a build, which are blocks of lines in YAML. */

import { pattern } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { POWERSHELLS, UNIX_SHELLS } from '#inspect/windows/programs.ts'

/** A key whose value is a script, and where the value begins. */
const KEY = pattern`^([ \t]{0,200}(?:-[ \t]{1,20})?)(?:run|script|${[...UNIX_SHELLS, ...POWERSHELLS]}|inlineScript|before_script|after_script|entrypoint)[ \t]{0,9}:[ \t]{0,20}(.{0,4000})$`
/** The value is all lines that are further in. */
const BLOCK = /^(?:[|>][-+\d]{0,3}\s{0,20})?(?:#.{0,200})?$/
const TEXT_WORK = 5
const LINE_WORK = 200

const depthOf = (line: string): number => line.length - line.trimStart().length

/** Lines further in than the key. The items of a list may be as far in as it. */
const isInside = (line: string, depth: number): boolean =>
  line.trim() === '' || depthOf(line) > depth || (depthOf(line) === depth && /^\s*- /.test(line))

export function* stepsIn(text: string): Generator<string> {
  charge(text.length * TEXT_WORK)
  let lines: string[] | null = null
  let depth = 0
  for (const line of text.split(/\r?\n/)) {
    charge(LINE_WORK)
    if (lines !== null && isInside(line, depth)) {
      lines.push(line.trim().replace(/^- (?=\S)/, ''))
      continue
    }
    if (lines !== null) yield lines.join('\n')
    lines = null
    const [, before, value = ''] = KEY.exec(line) ?? []
    if (before === undefined) continue
    depth = before.length
    if (BLOCK.test(value)) lines = []
    else yield value.replace(/^["'](.*)["']$/, '$1')
  }
  if (lines !== null) yield lines.join('\n')
}
