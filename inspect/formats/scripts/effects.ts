/** What a script for Windows Script Host or a shell does. */

import { charge } from '#inspect/core/work.ts'
import { readBasic } from '#inspect/judge/basic/basic.ts'
import { obfuscationOf } from '#inspect/judge/basic/obfuscation.ts'
import { findCommand } from '#inspect/judge/commands.ts'
import { GAP, readScript, textsIn } from '#inspect/judge/javascript/javascript.ts'
import { expandBatch } from './batch.ts'
import type { Language } from './language.ts'
import { classifyStart } from './starts.ts'

export interface Effects {
  /** The commands that it starts; empty texts where they are unknown. Not those that administrators and builds use. */
  starts: readonly string[]
  /** Programs of the computer that it starts, as far as can be told. */
  localStarts: readonly string[]
  /** Fetches data from a server. */
  fetches: boolean
  saves: boolean
  /** Runs text that it builds or fetches. */
  runsText: boolean
  isHidden: boolean
  /** A limit of the evaluation was reached, and the script uses objects of the system. */
  isCut: boolean
  /** Hides something, or could not be followed to its end. */
  isUnclear: boolean
}

export function effectsOf(language: Language, text: string): Effects {
  if (language === 'javascript') return javaScriptEffects(text)
  if (language === 'vbscript') return basicEffects(text)
  return language === 'batch' ? batchEffects(text) : shellEffects(text)
}

/** In an unclear script, a command that is not known may be any. */
function sortStarts(starts: readonly string[], source: string, isUnclear: boolean) {
  const lower = source.toLowerCase()
  const kindOf = (command: string) =>
    isUnknown(command) && !isUnclear ? 'local' : classifyStart(command.replaceAll(GAP, 'x'), lower)
  return {
    starts: starts.filter((command) => kindOf(command) === 'threat'),
    localStarts: starts.filter((command) => kindOf(command) === 'local'),
  }
}

function isUnknown(command: string): boolean {
  return command.replaceAll(GAP, '').replace(/["'\s]/g, '') === ''
}

const STARTERS =
  /(?:wscript\.shell|shell\.application|wbemscripting|winmgmts|win32_process)[^.]*\)?\.(?:run|exec|shellexecute|open|create|execmethod_?)$/i
const FETCHERS = /(?:xmlhttp|winhttp|internetexplorer|xmldom)[^.]*\)?\.(?:open|send|navigate2?|load)$/i
const SAVERS = /(?:adodb\.stream|filesystemobject)[^.]*\)?\.(?:savetofile|createtextfile|opentextfile|copyfile)$/i

const CREATORS = /(?:ActiveXObject|CreateObject|GetObject)$/i

/** Old pages create objects for requests and XML. An unknown class may be any. */
function createsHost([name]: readonly string[]): boolean {
  return name === undefined || /shell|filesystem|stream|winmgmts|schedule|script/i.test(name)
}

/** `WScript.CreateObject`, `new ActiveXObject` and `GetObject` name the result by its class. */
function javaScriptEffects(source: string): Effects {
  const { calls, evaluated, names, isComplete, isExhausted } = readScript(source)
  const isHost =
    names.has('WScript') || calls.some(({ name, args }) => CREATORS.test(name) && createsHost(textsIn(args)))
  const commands = calls.filter(({ name }) => STARTERS.test(name)).map(({ args }) => textsIn(args).join(' '))
  const isUnclear = !isComplete || DECODES.test(source)
  const { starts, localStarts } = sortStarts(commands, source, isUnclear)
  return {
    starts,
    localStarts,
    fetches: calls.some(({ name }) => FETCHERS.test(name)),
    saves: calls.some(({ name }) => SAVERS.test(name)),
    runsText: isHost && evaluated.some(({ isBuilt }) => isBuilt),
    isHidden: false,
    isUnclear,
    isCut: isExhausted && isHost,
  }
}

const DECODES =
  /fromCharCode|unescape|charCodeAt|\.reverse\(|parseInt\(|\\x[0-9a-f]{2}|\beval\b|new\s+Function|\bconstructor\b|_0x/i

/** Runs of text that is in the script as it is, such as a menu of commands, hide nothing. */
function basicEffects(source: string): Effects {
  const { effects, isIncomplete } = readBasic([{ name: '', text: source }], { isScript: true })
  const textsOf = (wanted: string) => effects.filter(({ kind }) => kind === wanted).map(({ text }) => text)
  const commands = textsOf('start')
  const isUnclear = isIncomplete || obfuscationOf(source.toLowerCase()) > 0 || HIDES.test(source)
  const { starts, localStarts } = sortStarts(commands, source, isUnclear)
  return {
    starts,
    localStarts,
    fetches: textsOf('fetch').length > 0 || commands.some((command) => findCommand(command)?.isRemote),
    saves: textsOf('save').length > 0,
    runsText: textsOf('code').some((text) => !source.includes(text)),
    isHidden: textsOf('registry').some((text) => RUN_KEY.test(text)),
    isUnclear,
    isCut: isIncomplete,
  }
}

const HIDES = /strreverse|\bexecute(?:global)?\b|chrw?\s*\(\s*[a-z]|\beval\s*\(|bin\.base64|\bxor\b/i
/** Values that Windows runs at every sign-in. */
const RUN_KEY = /currentversion\\(?:run|runonce|policies\\explorer\\run)\\|winlogon\\|image file execution options\\/i

const HIDDEN =
  /-w(?:in[a-z]*)?\s+(?:hidden|1\b)|-e(?:nc?|ncodedcommand)?\s+[\w+/=]{24}|frombase64string|-bxor|\[char\]\s*\d|reflection\.assembly|amsiutils|set-mppreference|virtualalloc|shellcode/i
const FETCHES_AND_RUNS = /(?:iex|invoke-expression|start-process|invoke-item|&\s*["'$]|start\s+["%\w])/i
const FETCHES =
  /downloadstring|downloadfile|downloaddata|\biwr\b|\birm\b|invoke-webrequest|invoke-restmethod|start-bitstransfer|bitsadmin|certutil\S*\s[^\r\n]*urlcache|\bcurl\b[^\r\n]*https?:|\bwget\b[^\r\n]*https?:/i

function batchEffects(source: string): Effects {
  const expanded = expandBatch(source)
  const found = shellEffects(expanded)
  // A command whose program is not in the file was put together from pieces.
  const raw = source.toLowerCase()
  const built = expanded.split('\n').filter((line) => {
    const command = COMMENT.test(line) ? null : findCommand(line)
    return command !== null && !raw.includes(command.program) && !PATHS.test(line)
  })
  return { ...found, starts: [...new Set([...shellEffects(source).starts, ...found.starts, ...built])] }
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

function shellEffects(source: string): Effects {
  const text = formatted(source.replace(/(?<=\S)[\^`](?=\S)/g, '')).replace(/(['"])\s{0,8}\+\s{0,8}\1/g, '')
  const starts: string[] = []
  charge(source.length * CHARACTER_WORK)
  for (const line of source.split(/\r?\n|\r/)) {
    charge(LINE_WORK)
    const command = COMMENT.test(line) ? null : findCommand(line)
    if (
      command !== null &&
      (command.isEncoded || command.isObfuscated || (command.isRemote && command.kind === 'proxy'))
    )
      starts.push(line.trim())
  }
  const fetches = FETCHES.test(text) && /https?:|\$\w/i.test(text)
  return {
    starts,
    localStarts: [],
    fetches,
    saves: fetches,
    runsText: fetches && /\b(?:iex|invoke-expression)\b/i.test(text),
    isHidden: HIDDEN.test(text) && (fetches || FETCHES_AND_RUNS.test(text)),
    isCut: false,
    isUnclear: true,
  }
}

const CHARACTER_WORK = 20
const LINE_WORK = 1_000
