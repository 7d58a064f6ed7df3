/** Resolves the variables of batch files, from whose pieces obfuscated ones put their commands together. */

import { charge, keep } from '#inspect/core/work.ts'

/** The longest line that Windows runs. */
const LINE_MAX = 8_191
const LINE_WORK = 2_000
const CHARACTER_WORK = 30

/** Variables of every Windows, which obfuscated scripts take letters from. */
const WINDOWS: Readonly<Record<string, string>> = {
  comspec: 'C:\\WINDOWS\\system32\\cmd.exe',
  systemroot: 'C:\\WINDOWS',
  windir: 'C:\\WINDOWS',
  systemdrive: 'C:',
  public: 'C:\\Users\\Public',
  programfiles: 'C:\\Program Files',
  commonprogramfiles: 'C:\\Program Files\\Common Files',
  programdata: 'C:\\ProgramData',
  allusersprofile: 'C:\\ProgramData',
  os: 'Windows_NT',
  pathext: '.COM;.EXE;.BAT;.CMD;.VBS;.VBE;.JS;.JSE;.WSF;.WSH;.MSC',
  psmodulepath: 'C:\\Program Files\\WindowsPowerShell\\Modules;C:\\WINDOWS\\system32\\WindowsPowerShell\\v1.0\\Modules',
}

const VARIABLE = /%([^%:=\s][^%:=]{0,60}?)(?::([^%]{1,200}))?%|!([^!:=\s][^!:=]{0,60}?)(?::([^!]{1,200}))?!/g
const SET = /^[\s@(]*set\s+(?!\/)"?([^="]{1,60})=([^\r\n]*)$/i
/** Up to an `&` outside quotes. */
const STATEMENT = /(?:[^&"]|"[^"]*(?:"|$))+/g
const LOOP = /^[\s@]*for\s+%%(\w)\s+in\s+\(([^)]{0,4000})\)\s+do\s+(\S.*)$/i

/** The lines as they are run, without carets. Unknown variables stay as they are. */
export function expandBatch(source: string): string {
  const variables = new Map(Object.entries(WINDOWS))
  const lines: string[] = []
  const run = (line: string): void => {
    charge(LINE_WORK + line.length * CHARACTER_WORK)
    const loop = LOOP.exec(line)
    if (loop !== null) {
      const [, name = '', list = '', body = ''] = loop
      for (const value of list.split(/[\s,;]+/).filter((each) => each !== '')) run(body.replaceAll(`%%${name}`, value))
      return
    }
    const expanded = expand(line, variables).slice(0, LINE_MAX)
    keep(expanded.length)
    lines.push(expanded)
    for (const statement of expanded.match(STATEMENT) ?? []) assign(statement, variables)
  }
  for (const line of source.replace(/\^\r?\n/g, '').split(/\r?\n|\r/)) run(withoutCarets(line))
  return lines.join('\n')
}

/** A caret escapes the next character, except in quotes. */
function withoutCarets(line: string): string {
  return line.replace(/"[^"]*"|\^(.?)/g, (text, next?: string) => (text.startsWith('"') ? text : (next ?? '')))
}

function assign(statement: string, variables: Map<string, string>): void {
  const [, name, value] = SET.exec(statement) ?? []
  if (name === undefined || value === undefined) return
  keep(name.length + value.length)
  const plain = value.replace(/"\s*$/, '').replace(/(?<!\s)\s+\)$/, '')
  variables.set(name.trim().toLowerCase(), plain.replaceAll('%%', '%'))
}

function expand(line: string, variables: ReadonlyMap<string, string>): string {
  // A variable with delayed expansion may name another one in its offset.
  const once = (text: string): string =>
    text.replace(VARIABLE, (whole, name?: string, change?: string, late?: string, lateChange?: string) => {
      const value = variables.get((name ?? late ?? '').toLowerCase())
      return value === undefined ? whole : changed(value, change ?? lateChange)
    })
  return once(once(line))
}

/** `~2,3` is a part of the value; `a=b` replaces all `a`. */
function changed(value: string, change: string | undefined): string {
  if (change === undefined) return value
  const [, from, count] = /^~(-?\d{1,5})?(?:,(-?\d{1,5}))?$/.exec(change) ?? []
  if (change.startsWith('~')) return partOf(value, Number(from ?? 0), count === undefined ? null : Number(count))
  const [, old, replacement = ''] = /^\*?([^=]+)=(.*)$/.exec(change) ?? []
  if (old === undefined) return value
  const pattern = new RegExp(old.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi')
  return value.replace(pattern, () => replacement).slice(0, LINE_MAX)
}

function partOf(value: string, from: number, count: number | null): string {
  const start = from < 0 ? Math.max(0, value.length + from) : from
  if (count === null) return value.slice(start)
  return count < 0 ? value.slice(start, Math.max(start, value.length + count)) : value.slice(start, start + count)
}
