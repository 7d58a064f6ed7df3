/** What a script for a shell does. */

import { charge } from '#inspect/core/work.ts'
import { findCommand } from '#inspect/judge/commands.ts'
import { isInstallerOnly } from '#inspect/judge/installers.ts'
import { expandBatch } from './batch.ts'
import { findCoded } from './coded.ts'
import { findDownload } from './downloads.ts'
import { type Effects, NO_EFFECTS } from './effects.ts'
import { doesHarm } from './harm.ts'
import type { Language } from './language.ts'
import { classifyStart } from './starts.ts'

/** Text of a shell script that nobody can read. Parts of the date name files. */
const ENCODES =
  /[%!](?!date:|time:)\w+:~|(?:\w[\^`]\w.{0,99}){2}|[a-z0-9+/]{160}|^.{2000}|base64|-join\b|\[char|['"] ?-f ?['"]|\bcertutil\b|\beval\b|\bxxd\b|(?:\\x[\da-f]{2}){4}/im

/** Letters and switches that hide a command. */
const HIDDEN =
  /-join\s{0,4}\(?\$\w+\[\s{0,4}-1\.\.|['"]\[\s{0,4}-1\s{0,4}\.\.\s{0,4}-?\d{1,6}\s{0,4}\]\s{0,4}-join|\[\s{0,4}-?\d{1,3}(?:\s{0,4},\s{0,4}-?\d{1,3}){1,9}\s{0,4}\]\s{0,4}-join|\[char\][^\r\n]{0,40}\|\s{0,4}(?:iex|invoke-expression)\b|-e(?:nc?|ncodedcommand)?\s+[\w+/=]{24}|(?:\[char\]\s{0,4}\(?\s{0,4}(?:0x[\da-f]{2}|\d{2,3})\s{0,4}\)?\s{0,4}[+,]\s{0,4}){3}|amsiutils|set-mppreference|virtualalloc/i
const STARTS = /(?:iex|invoke-expression|start-process|invoke-item|&\s*["'$]|start\s+["%\w])/i
/** Data that becomes code. Administrators decode passwords and answers of servers so. */
const DECODES = /frombase64string|-bxor|\[convert\]::tobyte|\[char\[?\]?\]/i
const RUNS_DATA =
  /\b(?:iex|invoke-expression)\b|scriptblock\]::create|\.invokescript\(|assembly\]::(?:load)?\(|(?<![\w$)\]])[&.]\s{0,2}\(|\]::\(|writeallbytes\b(?:(?!writeallbytes\b)[\s\S]){0,2000}(?:start-process|invoke-item|&\s*["'$])/i
/** A window that nobody sees, for more than a script of the computer. */
const WINDOW = /-w(?:in[a-z]*)?['",\s]+(?:hidden|1\b)/i
const INTERPRETER = /\b(?:powershell|pwsh|cmd|mshta|wscript|cscript|rundll32)\b/i
const OWN_SCRIPT = /-f(?:ile)?['",\s]+(?:`["'`]*)?[a-z]:\\(?!users\\|programdata\\|windows\\temp\\|temp\\)/i
/** Each search ends at the next such word, so that very many take linear time. */
const FETCHES =
  /downloadstring|downloadfile|downloaddata|\biwr\b|\birm\b|invoke-webrequest|invoke-restmethod|start-bitstransfer|bitsadmin|certutil(?:(?!certutil)[^\r\n])*urlcache|\bcurl\b(?:(?!\bcurl\b)[^\r\n])*https?:|\bwget\b(?:(?!\bwget\b)[^\r\n])*https?:/i

/** Memory that is written and run as code, whatever fetched it. */
const INJECTS =
  /virtualalloc(?:(?!virtualalloc)[\s\S]){0,20000}(?:createthread|getdelegateforfunctionpointer|queueuserapc|enumwindows)/i
/** Runs the answer of a server; turns coded text into a program and starts it. */
const DROPS = [
  /\bfor\s+\/f[^\r\n]{0,200}\(\s{0,4}['"`](?=[^\r\n]{0,400}(?:\bfinger\b|https?:|\birm\b|\biwr\b))[^\r\n]{0,600}\bdo\s+(?:@?call\s+|cmd\s+\/c\s+|\(\s*)?"?%%?~?[a-z]\b/i,
  /certutil(?:\.exe)?["\s][^\r\n]{0,200}-decode(?:hex)?\s+\S+\s+"?([^\s"]+\.(?:exe|dll|scr|com|js|vbs|hta|ps1|bat|msi))\b[\s\S]{0,2000}\1/i,
]

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
  const found = powerShellEffects(expanded)
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
  const plain = powerShellEffects(source)
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
const COMMENT = /^\s*(?:rem\b|::|#)/i

const FORMAT =
  /\(?\s{0,4}(['"])((?:[^'"{}\r\n]{0,40}\{\d{1,2}\}){1,40}[^'"{}\r\n]{0,40})\1\s{0,4}-f\s{0,4}((?:\s{0,4},?\s{0,4}\(?(?:'[^'\r\n]{0,200}'|"[^"\r\n]{0,200}")\)?){1,40})\s{0,4}\)?/gi

/** PowerShell puts texts together by `'{1}{0}' -f 'b','a'`. */
function formatted(source: string): string {
  return source.replace(FORMAT, (_, quote: string, pattern: string, list: string) => {
    const values = [...list.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '')
    return quote + pattern.replace(/\{(\d+)\}/g, (__, index: string) => values[Number(index)] ?? '') + quote
  })
}

function powerShellEffects(source: string): Effects {
  const text = formatted(source.replace(/(?<=\S)[\^`](?=\S)/g, '')).replace(/(['"])\s{0,8}\+\s{0,8}\1/g, '')
  charge(source.length * CHARACTER_WORK)
  const fetches = FETCHES.test(text) && /https?:|\$\w/i.test(text) && !isInstallerOnly(text)
  const runsData = RUNS_DATA.test(text)
  return {
    ...NO_EFFECTS,
    starts: [...threatsIn(source, runsData), ...codedIn(text)],
    fetches,
    saves: fetches,
    runsText: fetches && /\b(?:iex|invoke-expression)\b/i.test(text),
    isHidden:
      ((HIDDEN.test(text) || hidesWindow(text)) && (fetches || STARTS.test(text))) ||
      (DECODES.test(text) && runsData) ||
      DROPS.some((each) => each.test(text)),
    doesHarm: INJECTS.test(text) || doesHarm(text),
    isUnclear: ENCODES.test(source) || HIDDEN.test(text),
    download: findDownload(text),
  }
}

/** Lines with a command that hides something, or runs the page of another computer. */
function threatsIn(source: string, runsData: boolean): string[] {
  return source.split(/\r?\n|\r/).filter((line) => {
    charge(LINE_WORK)
    const command = COMMENT.test(line) ? null : findCommand(line)
    if (command === null) return false
    const isEncoded = command.isEncoded && (runsData || !/frombase64string/i.test(line))
    const isProxy = command.isRemote && command.kind === 'proxy'
    return isEncoded || command.isObfuscated || (isProxy && classifyStart(line, line.toLowerCase()) === 'threat')
  })
}

function codedIn(text: string): string[] {
  const coded = findCoded(text)
  return coded === null ? [] : [coded]
}

function hidesWindow(text: string): boolean {
  return text.split(/\r?\n|\r/).some((line) => WINDOW.test(line) && INTERPRETER.test(line) && !OWN_SCRIPT.test(line))
}

const CHARACTER_WORK = 20
const LINE_WORK = 1_000
