/** What a script for Windows Script Host or a shell does. */

import { charge } from '#inspect/core/work.ts'
import { readBasic } from '#inspect/judge/basic/basic.ts'
import { obfuscationOf } from '#inspect/judge/basic/obfuscation.ts'
import { className } from '#inspect/judge/class-names.ts'
import { findCommand } from '#inspect/judge/commands.ts'
import { GAP, readScript, textsIn } from '#inspect/judge/javascript/javascript.ts'
import { expandBatch } from './batch.ts'
import { type Download, findDownload } from './downloads.ts'
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
  /** Runs text that could not be determined, as that of a server. */
  runsUnknown: boolean
  isHidden: boolean
  /** A limit of the evaluation was reached, and the script uses objects of the system. */
  isCut: boolean
  /** Hides something, or could not be followed to its end. */
  isUnclear: boolean
  /** Classes of the objects that it creates, in lower case. */
  objects: readonly string[]
  /** A file that a shell downloads and runs. */
  download: Download | null
}

export function effectsOf(language: Language, text: string): Effects {
  if (language === 'javascript') return javaScriptEffects(text)
  if (language === 'vbscript') return basicEffects(text)
  if (language === 'batch') return batchEffects(text)
  if (language === 'powershell') return shellEffects(text)
  return { ...NO_EFFECTS, download: findDownload(text), isHidden: doesHarm(text), isUnclear: ENCODES.test(text) }
}

/** Text of a shell script that nobody can read. Parts of the date name files. */
const ENCODES =
  /[%!](?!date:|time:)\w+:~|(?:\w[\^`]\w.{0,99}){2}|[a-z0-9+/]{160}|^.{2000}|base64|-join\b|\[char|['"] ?-f ?['"]|\bcertutil\b|\beval\b|\bxxd\b|(?:\\x[\da-f]{2}){4}/im

const NO_EFFECTS: Effects = {
  starts: [],
  localStarts: [],
  fetches: false,
  saves: false,
  runsText: false,
  runsUnknown: false,
  isHidden: false,
  isCut: false,
  isUnclear: true,
  objects: [],
  download: null,
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
  /(?:wscript\.shell|shell\.application|wbemscripting|winmgmts|win32_process)[^()]*\)?\.(?:run|exec|shellexecute|open|create|execmethod_?)$/i
const FETCHERS = /(?:xmlhttp|winhttp|internetexplorer|xmldom)[^()]*\)?\.(?:open|send|navigate2?|load)$/i
const SAVERS = /(?:adodb\.stream|filesystemobject)[^()]*\)?\.(?:savetofile|createtextfile|opentextfile|copyfile)$/i

/** Objects are named by what created them. */
const NUMBERED_OBJECT = /(?<=(?:Object|ActiveXObject)\(")[^"]{36,44}(?="\))/gi
const namedObject = (name: string): string => className(name)

const CREATORS = /(?:ActiveXObject|CreateObject|GetObject)$/i

/** Old pages create objects for requests and XML. An unknown class may be any. */
function createsHost([name]: readonly string[]): boolean {
  return name === undefined || /^new:|shell|filesystem|stream|winmgmts|schedule|script/i.test(name)
}

/** `WScript.CreateObject`, `new ActiveXObject` and `GetObject` name the result by its class. */
function javaScriptEffects(source: string): Effects {
  const { evaluated, names, isComplete, isExhausted, ...script } = readScript(source)
  const calls = script.calls.map((call) => ({ ...call, name: call.name.replace(NUMBERED_OBJECT, namedObject) }))
  const isHost =
    names.has('WScript') || calls.some(({ name, args }) => CREATORS.test(name) && createsHost(textsIn(args)))
  const commands = calls.filter(({ name }) => STARTERS.test(name)).map(({ args }) => textsIn(args).join(' '))
  const isUnclear = !isComplete || DECODES.test(source)
  const runsUnknown = calls.some(({ name, args }) => RUNNERS.test(name) && args.at(-1)?.kind === 'unknown')
  const { starts, localStarts } = sortStarts(commands, source, isUnclear)
  return {
    starts,
    localStarts,
    fetches: calls.some(({ name }) => FETCHERS.test(name)),
    saves: calls.some(({ name }) => SAVERS.test(name)),
    runsText: isHost && evaluated.some(({ isBuilt }) => isBuilt),
    runsUnknown,
    isHidden: isScheduled(script.assignments) || calls.some(runsDecoded),
    // Without the objects of Windows, a script that was read to its end can do nothing.
    isUnclear: isUnclear && (isHost || !isComplete || runsUnknown),
    isCut: isExhausted && isHost,
    objects: [
      ...calls.filter(({ name }) => CREATORS.test(name)).flatMap(({ args }) => textsIn(args).slice(0, 1)),
      ...(isComplete ? [] : createdIn(source)),
    ].map((name) => className(name).toLowerCase()),
    download: null,
  }
}

/** A text, a comment, or the creation of an object outside of both. */
const CREATION =
  /"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|\/\/[^\r\n]*|\bActiveXObject\s{0,9}\(\s{0,9}["']([\w.]{1,60})/g

/** For scripts that could not be read to their end. */
function createdIn(source: string): string[] {
  charge(source.length * CHARACTER_WORK)
  return [...source.matchAll(CREATION)].flatMap(([, name]) => (name === undefined ? [] : [name]))
}

const RUNNERS = /^(?:eval|Function|execScript)$/

const UNNAMED_STARTER = /(?:ActiveXObject|CreateObject|GetObject)\(\)\.(?:run|exec|shellexecute)$/i

/** Class and command are the results of functions elsewhere, such as one in another language of the same job. */
function runsDecoded({ name, args, isReached }: ReturnType<typeof readScript>['calls'][number]): boolean {
  const [command] = args
  return isReached && UNNAMED_STARTER.test(name) && command?.kind === 'unknown' && /\w\(/.test(command.name ?? '')
}

/** The program of a task, which the scheduler starts later. */
function isScheduled(assignments: ReturnType<typeof readScript>['assignments']): boolean {
  const action = assignments.filter(({ name }) => /\.Actions\.Create\(/i.test(name))
  return findCommand(textsIn(action.map(({ value }) => value)).join(' ')) !== null
}

const DECODES =
  /fromCharCode|unescape|charCodeAt|\.reverse\(|parseInt\(|\\x[0-9a-f]{2}|\beval\b|new\s+Function|\bconstructor\b|_0x/i

/** Published overflows of the engine free an object while it is destroyed, and prepare machine code. */
const CORRUPTS = [/\bSub\s+Class_Terminate\b/i, /%u[\da-f]{4}%u[\da-f]{4}/i]

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
    runsUnknown: false,
    isHidden: textsOf('registry').some((text) => RUN_KEY.test(text)) || CORRUPTS.every((each) => each.test(source)),
    isUnclear,
    isCut: isIncomplete,
    objects: textsOf('object').map((name) => className(name).toLowerCase()),
    download: null,
  }
}

const HIDES = /strreverse|\bexecute(?:global)?\b|chrw?\s*\(\s*[a-z]|\beval\s*\(|bin\.base64|\bxor\b/i
/** Values that Windows runs at every sign-in. */
const RUN_KEY = /currentversion\\(?:run|runonce|policies\\explorer\\run)\\|winlogon\\|image file execution options\\/i

const HIDDEN =
  /-join\s{0,4}\(?\$\w+\[\s{0,4}-1\.\.|\[\s{0,4}-?\d{1,3}(?:\s{0,4},\s{0,4}-?\d{1,3}){1,9}\s{0,4}\]\s{0,4}-join|\[char\][^\r\n]{0,40}\|\s{0,4}(?:iex|invoke-expression)\b|-w(?:in[a-z]*)?\s+(?:hidden|1\b)|-e(?:nc?|ncodedcommand)?\s+[\w+/=]{24}|frombase64string|-bxor|(?:\[char\]\s{0,4}\(?\s{0,4}(?:0x[\da-f]{2}|\d{2,3})\s{0,4}\)?\s{0,4}[+,]\s{0,4}){3}|reflection\.assembly|amsiutils|set-mppreference|virtualalloc|shellcode/i
const FETCHES_AND_RUNS = /(?:iex|invoke-expression|start-process|invoke-item|&\s*["'$]|start\s+["%\w])/i
const FETCHES =
  /downloadstring|downloadfile|downloaddata|\biwr\b|\birm\b|invoke-webrequest|invoke-restmethod|start-bitstransfer|bitsadmin|certutil\S*\s[^\r\n]*urlcache|\bcurl\b[^\r\n]*https?:|\bwget\b[^\r\n]*https?:/i

/** Memory that is written and run as code, whatever fetched it. */
const INJECTS = /virtualalloc[\s\S]{0,20000}(?:createthread|getdelegateforfunctionpointer|queueuserapc|enumwindows)/i
/** Runs the answer of a server; turns coded text into a program and starts it. */
const DROPS = [
  /\bfor\s+\/f[^\r\n]{0,200}\(\s{0,4}['"`](?=[^\r\n]{0,400}(?:\bfinger\b|https?:|\birm\b|\biwr\b))[^\r\n]{0,600}\bdo\s+(?:@?call\s+|cmd\s+\/c\s+|\(\s*)?"?%%?~?[a-z]\b/i,
  /certutil(?:\.exe)?["\s][^\r\n]{0,200}-decode(?:hex)?\s+\S+\s+"?([^\s"]+\.(?:exe|dll|scr|com|js|vbs|hta|ps1|bat|msi))\b[\s\S]{0,2000}\1/i,
]

/** Switches off the scanner of scripts, or gives a shell to another computer. */
const HARMS = [
  /\bamsi(?:utils|initfailed|scanbuffer)\b/i,
  /\b(?:ba|z|da|k)?sh\s+-i\b[^\r\n]{0,20}\/dev\/(?:tcp|udp)\/|\/dev\/(?:tcp|udp)\/[^\s]{1,80}\s{1,4}0[<>]&1/,
]
/** What ransomware does before it encrypts. An administrator does one of them. */
const DESTROYS = [
  /\bvssadmin(?:\.exe)?\s+delete\s+shadows\b|\bshadowcopy\s+delete\b|win32_shadowcopy[^\r\n]{0,80}delete/i,
  /\bbcdedit(?:\.exe)?\s[^\r\n]{0,80}\b(?:recoveryenabled\s+no|ignoreallfailures)\b/i,
  /\bwbadmin(?:\.exe)?\s+delete\s/i,
  /\bwevtutil(?:\.exe)?\s+cl\b/i,
]
const DESTROYS_MIN = 2

function doesHarm(text: string): boolean {
  charge(text.length * CHARACTER_WORK)
  return HARMS.some((each) => each.test(text)) || DESTROYS.filter((each) => each.test(text)).length >= DESTROYS_MIN
}

function batchEffects(source: string): Effects {
  const expanded = expandBatch(source)
  const found = shellEffects(expanded)
  // A command whose program is not in the file was put together from pieces.
  const raw = source.toLowerCase()
  const built = expanded.split('\n').filter((line) => {
    const command = COMMENT.test(line) ? null : findCommand(line)
    return command !== null && !raw.includes(command.program) && !PATHS.test(line)
  })
  const plain = shellEffects(source)
  return {
    ...found,
    isUnclear: plain.isUnclear || found.isUnclear,
    starts: [...new Set([...plain.starts, ...found.starts, ...built])],
  }
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
    if (command === null) continue
    const isForeign =
      command.isRemote && command.kind === 'proxy' && classifyStart(line, line.toLowerCase()) === 'threat'
    if (command.isEncoded || command.isObfuscated || isForeign) starts.push(line.trim())
  }
  const fetches = FETCHES.test(text) && /https?:|\$\w/i.test(text)
  return {
    ...NO_EFFECTS,
    starts,
    fetches,
    saves: fetches,
    runsText: fetches && /\b(?:iex|invoke-expression)\b/i.test(text),
    isHidden:
      (HIDDEN.test(text) && (fetches || FETCHES_AND_RUNS.test(text))) ||
      INJECTS.test(text) ||
      doesHarm(text) ||
      DROPS.some((each) => each.test(text)),
    isUnclear: ENCODES.test(source) || HIDDEN.test(text),
    download: findDownload(text),
  }
}

const CHARACTER_WORK = 20
const LINE_WORK = 1_000
