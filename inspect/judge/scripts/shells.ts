/** Effects of a script for a shell. */

import { findCommand } from '#inspect/commands/find.ts'
import { expandBatch, withoutConditions } from '#inspect/programs/shells/batch.ts'
import { parsePosix } from '#inspect/programs/shells/posix/posix.ts'
import { resolve } from '#inspect/programs/shells/resolve.ts'
import { POWERSHELLS, SCRIPT_HOSTS } from '#inspect/windows/programs.ts'
import { findCoded } from './coded.ts'
import { findDownload } from './downloads.ts'
import { type Effects, mergeEffects, NO_EFFECTS } from './effects.ts'
import { doesHarm } from './harm.ts'
import type { Language } from './language.ts'
import { COMMENT, ENCODES, lineEffects, NESTED_MAX, powerShellEffects } from './powershell.ts'
import { pythonEffects } from './python.ts'
import { testedTexts } from './test-code.ts'

export function shellScriptEffects(language: Language, text: string): Effects {
  if (language === 'batch') return batchEffects(text)
  if (language === 'powershell') return powerShellEffects(testedTexts(text) ?? text)
  if (language === 'python') return pythonEffects(text)
  return unixEffects(text, 0)
}

function unixEffects(source: string, nested: number): Effects {
  const plain = writtenEffects(source)
  if (nested >= NESTED_MAX) return plain
  const { copies, codes } = resolve(source, parsePosix, quoted)
  return mergeEffects([plain, ...copies.map(writtenEffects), ...codes.map((code) => unixEffects(code, nested + 1))])
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function writtenEffects(text: string): Effects {
  return {
    ...NO_EFFECTS,
    starts: codedIn(text),
    download: findDownload(text),
    doesHarm: doesHarm(text),
    isHidden: RUNS_CHANGED.test(text),
    isUnclear: ENCODES.test(text),
  }
}

/** Runs a text that it turns round or translates. */
const RUNS_CHANGED =
  /\b(?:eval|(?:ba|z|da|k)?sh\s{1,4}-c)\s{1,4}["']?\$\(\s{0,4}(?:echo|printf)\b[^()\r\n|]{0,400}\|\s{0,4}(?:rev|tr)\b/

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
  const unconditional = withoutConditions(expanded)
  return {
    ...found,
    isUnclear: plain.isUnclear || found.isUnclear,
    download: found.download ?? (unconditional === expanded ? null : findDownload(unconditional)),
    starts: [...new Set([...plain.starts, ...found.starts, ...built])],
  }
}

/** Programs that are judged as one. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  wscript: SCRIPT_HOSTS,
  powershell: POWERSHELLS,
}
/** `%ComSpec%` names the interpreter. */
const PATHS = /system32\\cmd\.exe/i

function codedIn(text: string): string[] {
  const coded = findCoded(text)
  return coded === null ? [] : [coded]
}
