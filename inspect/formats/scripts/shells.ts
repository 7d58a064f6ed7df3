/** What a script for a shell does. */

import { charge } from '#inspect/core/work.ts'
import { findCommand } from '#inspect/judge/commands.ts'
import { expandBatch } from './batch.ts'
import { findCoded } from './coded.ts'
import { findDownload } from './downloads.ts'
import { type Effects, NO_EFFECTS } from './effects.ts'
import { doesHarm } from './harm.ts'
import type { Language } from './language.ts'
import { COMMENT, ENCODES, lineEffects, powerShellEffects } from './powershell.ts'

export function shellScriptEffects(language: Language, text: string): Effects {
  if (language === 'batch') return batchEffects(text)
  if (language === 'powershell') return powerShellEffects(text)
  return {
    ...NO_EFFECTS,
    starts: codedIn(text),
    isHidden: language === 'python' && runsDecoded(text),
    download: findDownload(text),
    doesHarm: doesHarm(text),
    isUnclear: ENCODES.test(text),
  }
}

/** Python code that is decoded or fetched, and run, also by the name of a variable. */
const PYTHON_SOURCE =
  /\b(?:b(?:64|85|32)decode|unhexlify|fromhex|decompress|marshal\.loads|codecs\.decode|urlopen|requests\.get|decrypt)\s{0,4}\(/
const PYTHON_RUNS = /\b(?:exec|eval)\s{0,4}\(\s{0,4}(?:compile\s{0,4}\(\s{0,4})?(\w{1,60})?/

function runsDecoded(text: string): boolean {
  charge(text.length * CHARACTER_WORK)
  const decoded = new Set<string>()
  return text.split(/[\r\n;]+/).some((line) => {
    charge(LINE_WORK)
    const run = PYTHON_RUNS.exec(line)
    const isSource = PYTHON_SOURCE.test(line)
    const name = isSource ? /^\s{0,200}(\w{1,60})\s{0,4}=/.exec(line)?.[1] : undefined
    if (name !== undefined) decoded.add(name)
    return run !== null && (isSource || decoded.has(run[1] ?? ''))
  })
}

function batchEffects(source: string): Effects {
  const expanded = expandBatch(source)
  const found = lineEffects(expanded)
  // A command whose program is not in the file was put together from pieces.
  const raw = source.toLowerCase()
  const built = expanded.split('\n').filter((line) => {
    const command = COMMENT.test(line) ? null : findCommand(line)
    return (
      command !== null &&
      !(ALIASES[command.program] ?? [command.program]).some((name) => raw.includes(name)) &&
      !PATHS.test(line)
    )
  })
  const plain = lineEffects(source)
  return {
    ...found,
    isUnclear: plain.isUnclear || found.isUnclear,
    starts: [...new Set([...plain.starts, ...found.starts, ...built])],
  }
}

/** Programs that are judged as one. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  wscript: ['wscript', 'cscript'],
  powershell: ['powershell', 'pwsh'],
}
/** `%ComSpec%` names the interpreter. */
const PATHS = /system32\\cmd\.exe/i

function codedIn(text: string): string[] {
  const coded = findCoded(text)
  return coded === null ? [] : [coded]
}

const CHARACTER_WORK = 20
const LINE_WORK = 1_000
