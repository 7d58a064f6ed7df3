/** Scripts in two languages of one file share their functions and variables: one decodes what the other runs. */

import { charge, keep } from '#inspect/core/work.ts'
import type { Effects } from '#inspect/judge/scripts/effects.ts'
import { decodes } from '#inspect/judge/scripts/host-scripts.ts'
import type { Language } from '#inspect/judge/scripts/language.ts'

interface Part {
  language: Language
  source: string
  effects: Effects
}

/** Names that a script gives to functions and variables. */
const DECLARED = {
  javascript: /\bfunction\s{1,9}([a-z_$][\w$]{0,60})|(?<![\w$.])([a-z_$][\w$]{0,60})\s{0,9}=(?!=)/gi,
  vbscript: /\b(?:function|sub)\s{1,9}([a-z]\w{0,60})|(?<![\w.])([a-z]\w{0,60})\s{0,9}=/gi,
} as const
const NAME = /[a-z_$][\w$]{0,60}/gi
const CHARACTER_WORK = 10
const NAME_WORK = 200

/** Whether one runs a text that is not known, and names what another one decodes. */
export function runsDecodedElsewhere(parts: readonly Part[]): boolean {
  return parts.some(
    (runner) =>
      runsUnknown(runner.effects) &&
      parts.some((other) => other !== runner && decodesFor(other, () => namesIn(runner.source))),
  )
}

function runsUnknown({ runsUnknown: runs, starts, localStarts }: Effects): boolean {
  return runs || [...starts, ...localStarts].some((command) => !/\w/.test(command))
}

function decodesFor({ language, source }: Part, namesOfOther: () => ReadonlySet<string>): boolean {
  if ((language !== 'javascript' && language !== 'vbscript') || !decodes(language, source)) return false
  const names = namesOfOther()
  charge(source.length * CHARACTER_WORK)
  for (const [, procedure, variable] of source.matchAll(DECLARED[language])) {
    charge(NAME_WORK)
    if (names.has((procedure ?? variable ?? '').toLowerCase())) return true
  }
  return false
}

function namesIn(source: string): Set<string> {
  charge(source.length * CHARACTER_WORK)
  const names = new Set<string>()
  for (const [name] of source.matchAll(NAME)) {
    charge(NAME_WORK)
    const lower = name.toLowerCase()
    if (names.has(lower)) continue
    keep(NAME_WORK)
    names.add(lower)
  }
  return names
}
