/** Effects of a script for Windows Script Host. */

import { findCommand } from '#inspect/commands/find.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { words } from '#inspect/core/words.ts'
import { charge } from '#inspect/core/work.ts'
import { type BasicEffect, readBasic } from '#inspect/programs/basic/basic.ts'
import { isForeignFile, runsForeignText } from '#inspect/programs/basic/code-text.ts'
import { obfuscationOf } from '#inspect/programs/basic/obfuscation.ts'
import { startsWithPartFrom, withoutOrigins } from '#inspect/programs/basic/values.ts'
import { className } from '#inspect/programs/class-names.ts'
import { GAP, isCut, readScript, type Script, type Seen, textsIn } from '#inspect/programs/javascript/javascript.ts'
import type { Program } from '#inspect/programs/javascript/parser.ts'
import { classifyTarget, reachOf } from '#inspect/targets/targets.ts'
import { SHELL_CLASSES, WRITE_CLASSES } from '#inspect/windows/classes.ts'
import { START_UP } from '#inspect/windows/folders.ts'
import { RUN_KEYS } from '#inspect/windows/registry.ts'
import { assess } from '../command/assess.ts'
import { isDangerousName } from '../extensions.ts'
import { staysInside } from '../macros/starts.ts'
import { opensPage, runsHandler } from '../macros/web-address.ts'
import type { Effects } from './effects.ts'
import { corruptsMemory } from './harm.ts'

/** In an unclear script, a command that is not known may be any. */
function sortStarts(starts: readonly string[], source: string, isUnclear: boolean) {
  const lower = source.toLowerCase()
  const gradeOf = (command: string) =>
    isUnknown(command) && !isUnclear ? 'script' : assess(command.replaceAll(GAP, 'x'), { by: 'script', source: lower })
  return {
    starts: starts.filter((command) => gradeOf(command) === 'hostile'),
    localStarts: starts.filter((command) => gradeOf(command) === 'script'),
  }
}

function isUnknown(command: string): boolean {
  return command.replaceAll(GAP, '').replace(/["'\s]/g, '') === ''
}

const STARTERS = anyCase`\.(?:run|exec|shellexecute|open|create|execmethod_?)$(?<=(?:${SHELL_CLASSES}|wbemscripting|winmgmts|win32_process)[^()]*\)?\.\w+)`
const FETCHERS = /\.(?:open|send|navigate2?|load)$(?<=(?:xmlhttp|winhttp|internetexplorer|xmldom)[^()]*\)?\.\w+)/i
/** Only browsers have it. */
const BROWSER = /\bXMLHttpRequest\b/
const SAVERS = anyCase`\.(?:savetofile|createtextfile|opentextfile|copyfile)$(?<=(?:${WRITE_CLASSES}|filesystemobject)[^()]*\)?\.\w+)`

/** Objects are named by what created them. */
const NUMBERED_OBJECT = /(?<=(?:Object|ActiveXObject)\(")[^"]{36,44}(?="\))/gi
const namedObject = (name: string): string => className(name)

const CREATORS = /(?:ActiveXObject|CreateObject|GetObject)$/i

/** Old pages create objects for requests and XML. An unknown class may be any. */
function createsHost([name]: readonly string[]): boolean {
  return name === undefined || /^new:|shell|filesystem|stream|winmgmts|schedule|script/i.test(name)
}

/** For every script, however short. */
const SCRIPT_WORK = 200_000

interface ScriptFile {
  program?: Program
  isFile?: boolean
  isRefused?: boolean
}

/**
 * `WScript.CreateObject`, `new ActiveXObject` and `GetObject` name the result by its class. `known`: as a page runs it.
 * `file`: if it is one.
 */
export function javaScriptEffects(source: string, known?: Script, file: ScriptFile = {}): Effects {
  charge(SCRIPT_WORK)
  const { evaluated, names, isComplete, ...script } = known ?? readAlone(source, file)
  const calls = script.calls.map((call) => ({ ...call, name: call.name.replace(NUMBERED_OBJECT, namedObject) }))
  const isHost =
    names.has('WScript') ||
    calls.some(({ name, args, isNew }) => (CREATORS.test(name) ? createsHost(textsIn(args)) : isNew && name === GAP))
  // One of more classes than are kept apart.
  const isShell = calls.some(({ name, args }) => CREATORS.test(name) && textsIn(args).some(isShellClass))
  const isStart = (name: string): boolean => STARTERS.test(name) || (isShell && UNNAMED_STARTER.test(name))
  const commands = calls.filter(({ name }) => isStart(name)).map(({ args }) => textsIn(args).join(' '))
  const isUnclear = isUnclearScript(source, { evaluated, isComplete }, calls)
  // The script host has no events: what nothing calls does not run.
  const runsUnknown = calls.some(
    ({ name, args, isReached }) => isReached && RUNNERS.test(name) && args.at(-1)?.kind === 'unknown',
  )
  const { starts, localStarts } = sortStarts(commands, source, isUnclear)
  const requests = calls.filter(({ name }) => FETCHERS.test(name) && !BROWSER.test(name))
  return {
    starts,
    localStarts,
    fetches: requests.length > 0,
    saves: calls.some(({ name }) => SAVERS.test(name)),
    runsText: isHost && evaluated.some(({ isBuilt }) => isBuilt),
    runsUnknown: runsUnknown && mayComeFrom(requests),
    isHidden: isScheduled(script.assignments) || calls.some(runsDecoded) || staysBy(calls) || calls.some(bindsCode),
    doesHarm: false,
    // Without the objects of Windows, a script that was read to its end can do nothing.
    isUnclear: isUnclear && (isHost || !isComplete || runsUnknown),
    isCut:
      isUnseen(source, script) ||
      ((isHost || DECODES_NAMES.test(source)) && calls.some((call) => mayHide(call) && !onlyTidies(call, source))) ||
      (known === undefined && runsUnseen(calls)) ||
      (runsUnknown && requests.some(({ args }) => args.some(isCut))),
    objects: [
      ...calls.filter(({ name }) => CREATORS.test(name)).flatMap(({ args }) => textsIn(args).slice(0, 1)),
      ...(isComplete ? [] : createdIn(source)),
    ].map((name) => className(name).toLowerCase()),
    loads: null,
    download: null,
  }
}

/** Code that stands in the script as it is was followed like all of it. */
function isUnclearScript(
  source: string,
  { evaluated, isComplete }: Pick<Script, 'evaluated' | 'isComplete'>,
  calls: Script['calls'],
): boolean {
  const isOpen = evaluated.length > 0 && evaluated.every(({ isBuilt }) => !isBuilt) && !runsUnseenText(calls)
  if (!isComplete || DECODES.test(isOpen ? source.replace(MAKES_FUNCTION, '') : source)) return true
  return !isOpen && !onlyIncludes(calls, source.match(EVALUATES)?.length ?? 0)
}

/** An address with a server, or one whose begin is not known. No page is there to which another one could be relative. */
const SERVER = new RegExp(`^\\s*(?:(?:https?|ftp|file):|[\\\\/]{2}|${GAP})`, 'i')

const mayComeFrom = (requests: Script['calls']): boolean => requests.length === 0 || requests.some(reachesServer)

/** What the script itself does not set has no value there. What was cut is an obstacle. */
function reachesServer({ args }: Script['calls'][number]): boolean {
  return args.some((value) =>
    value.kind === 'unknown' && value.text === null
      ? (value.name === '' || HOST.test(value.name)) && !value.isCut
      : !isCut(value) && textsIn([value]).some((text) => SERVER.test(text)),
  )
}

function readAlone(source: string, file: ScriptFile): Script {
  const isLong = isLibrary(source)
  const matters = (seen: Seen): boolean => !(seen.isOver && isLong) && mayMatter(source, seen)
  return readScript(source, new Map(), matters, { host: 'windows', isLibrary: isLong, isTelling, ...file })
}

/** Every name that is asked for below: of objects and what they are made of, of what runs text, and those that are not known. */
const TELLING = new RegExp(
  `${GAP}|(?:ActiveX|Create|Get|System)Object|WScript|eval|Function|execScript|constructor|fromCharCode|unescape|atob|http|internetexplorer|xmldom|shell|wbem|winmgmts|win32|stream|Actions|(?:this|window|self|globalThis)\\.$`,
  'i',
)
const isTelling = (name: string): boolean => TELLING.test(name)

/** A text, a comment, or the creation of an object outside of both. */
const CREATION =
  /(?<!\\)"(?:[^"\\\r\n]|\\.)*"|(?<!\\)'(?:[^'\\\r\n]|\\.)*'|\/\/[^\r\n]*|\bActiveXObject\s{0,9}\(\s{0,9}["']([\w.]{1,60})/g

/** For each character, and for each text, comment or creation. */
const CREATION_WORK = 8
const MATCH_WORK = 200

/** For scripts that could not be read to their end. */
function createdIn(source: string): string[] {
  charge(source.length * CREATION_WORK)
  const names: string[] = []
  for (const [, name] of source.matchAll(CREATION)) {
    charge(MATCH_WORK)
    if (name !== undefined) names.push(name)
  }
  return names
}

const RUNNERS =
  /^(?:eval|Function|execScript|(?:Array|String|Object|Number|Boolean|RegExp|Date|Function|eval|atob)(?:\.prototype)?\.constructor)$/
/** Objects of Windows, and what is called by a name that is not known. */
const HOST = new RegExp(
  `(?:ActiveXObject|CreateObject|GetObject)\\b|^WScript\\b|^(?:(?:String|Array|Object|Function|Number|RegExp|Date|eval)\\.)?${GAP}`,
  'i',
)
/** Objects by the class that created them. */
const CREATED = /(?:ActiveXObject|CreateObject|GetObject)\("([^"]+)"\)/i

/** Objects of Windows by their names. Browsers and Node.js have none of them. */
const HOST_NAMES = ['WScript', 'ActiveXObject', 'GetObject', 'CreateObject']
/** Members of everything that the script can reach, by a name that is not known. */
const UNNAMED = /(?:^|\.)(?:this|window|self|globalThis)\.$/

/** Characters of a script whose objects are followed, whatever it names. */
export const SCRIPT_MAX = 40_000
/** A name of an object of Windows, or a piece of one, also by escaped letters. */
const NAMED =
  /["']Active(?:X|["'\\])|eXObject|["']WScr|WScript|\bGetObject\b|\bCreateObject\b|(?:\\u00[4-7][\da-fA-F]){2}/
/** Old browsers send requests by such an object, and have pages of another one. */
const BROWSER_OBJECT =
  /ActiveXObject(?:\(["'](?:htmlfile|(?:Msxml2|Microsoft)\.(?:XML|DOM)[\w.]{3,16})["']|(?!\s{0,9}\())/gi

/** Names that obfuscators give. */
const OBFUSCATED = /\b_0x[\da-f]{4}/

/** What decoders hide is not seen where all calls of one are joined. */
function isUnseen(source: string, { isStopped, isJoined }: Pick<Script, 'isStopped' | 'isJoined'>): boolean {
  return isStopped || (isJoined && OBFUSCATED.test(source))
}

/** For each character. */
const NAMED_WORK = 5

/** A long script that names no object of Windows but those of old browsers. */
function isLibrary(source: string): boolean {
  if (source.length <= SCRIPT_MAX) return false
  charge(source.length * NAMED_WORK)
  return !OBFUSCATED.test(source) && !NAMED.test(source.replaceAll(BROWSER_OBJECT, ''))
}

/** Pieces of the names, as scripts join them. */
const NAME_PIECE = /["']Active(?:X|["'\\])|XObject|["']WScr|WScript/
/** Everything that a script can reach, by names that it may decode. */
const REACHES_ALL = /\b(?:this|window|self|globalThis|global)\s{0,9}[[,)]|\beval\b|\bFunction\s{0,9}\(|\bconstructor\b/
const DECODES_NAMES = /fromCharCode|unescape|\batob\b|\.reverse\(|charAt\(|\\x[0-9a-f]{2}|_0x|split\(["']{2}\)/i

/** By these, a script gets at objects of Windows: the object of all variables, and code from text. */
const REACHES = /\bthis\b(?!\s{0,9}\.)|\beval\b|\bFunction\b|\bexecScript\b|constructor|\bwith\s{0,9}\(|\\u00[4-7]/

/** Without its objects, a script reaches nothing of Windows. */
function mayMatter(source: string, { calls, names, isFollowed, isOver }: Seen): boolean {
  if (isOver && !NAME_PIECE.test(source) && !HOST_NAMES.some((name) => names.has(name))) return false
  return (
    (!isFollowed && REACHES.test(source)) ||
    NAME_PIECE.test(source) ||
    (REACHES_ALL.test(source) && DECODES_NAMES.test(source)) ||
    HOST_NAMES.some((name) => names.has(name)) ||
    calls.some(({ name, isNew, args }) => {
      if (RUNNERS.test(name)) return args.some(isCut)
      return CREATORS.test(name) || name.includes(GAP) || (isNew && UNNAMED.test(name))
    })
  )
}

/** What a reader sees, and the lines of a log, which no program runs. */
const SHOWS =
  /^WScript\.(?:Echo|Sleep|Quit|StdOut\.Write(?:Line)?|StdErr\.Write(?:Line)?)$|\.(?:Open|Create)TextFile\("[^"]{1,260}\.(?:log|txt|csv)"\)\.Write(?:Line)?$/i

/** Questions about files, and folders that are made for them. */
const ASKS =
  /FileSystemObject"\)\.(?:(?:File|Folder|Drive)Exists|Get(?:File|Folder|Drive|FileName|BaseName|ExtensionName|ParentFolderName|AbsolutePathName)|BuildPath|CreateFolder)$/i
const MOVES = /FileSystemObject"\)\.(?:Copy|Move|Delete)(?:File|Folder)$/i

/** Moves files to folders that a recursion puts together, in a script whose texts are all there to be read. */
function onlyTidies({ name }: Script['calls'][number], source: string): boolean {
  return MOVES.test(name) && !DECODES.test(source) && !STARTS_LATER.test(source)
}

const STARTS_LATER = anyCase`start-?up|autostart|${START_UP}|specialfolders|scriptfullname`

/** Whether an object of Windows gets a value that was not seen whole. */
function mayHide({ name, args, isReached }: ReturnType<typeof readScript>['calls'][number]): boolean {
  if (SHOWS.test(name) || ASKS.test(name)) return false
  const [, created] = CREATED.exec(name) ?? []
  if (created !== undefined && !createsHost([created])) return false
  return (HOST.test(name) || (isReached && RUNNERS.test(name))) && args.some(isCut)
}

const HIDERS = /^(?:String\.fromCharCode|unescape|atob)$/

/** Decodes a text, and runs one of which it is not known where it comes from. */
function runsUnseen(calls: ReturnType<typeof readScript>['calls']): boolean {
  const reached = calls.filter(({ isReached }) => isReached)
  return (
    reached.some(({ name }) => HIDERS.test(name)) &&
    reached.some(({ name, args }) => {
      const text = args.at(-1)
      return RUNNERS.test(name) && text?.kind === 'unknown' && text.name === '' && text.text === null
    })
  )
}

const isShellClass = (name: string): boolean => SHELL_CLASSES.includes(className(name).toLowerCase())
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
  /fromCharCode|unescape|charCodeAt|\.reverse\(|parseInt\(|\\x[0-9a-f]{2}|new\s+Function|\bconstructor\b|_0x/i
const MAKES_FUNCTION = /\bnew\s+Function\b/g
const EVALUATES = /\beval\b/gi

const runsUnseenText = (calls: Script['calls']): boolean =>
  calls.some(({ name, args }) => RUNNERS.test(name) && args.at(-1)?.kind === 'unknown')

const OPENED = /FileSystemObject"\)\.OpenTextFile$/i
const FILE_TEXT = /FileSystemObject"\)\.OpenTextFile\((?:"[^"]*")?\)\.ReadAll\(\)$/i

/** Runs nothing but the texts of scripts beside it, each where `eval` is named: `eval(include("library.js"))`. */
function onlyIncludes(calls: ReturnType<typeof readScript>['calls'], evaluations: number): boolean {
  if (evaluations === 0) return true
  const run = calls.filter(({ name }) => name === 'eval').map(({ args: [text] }) => text)
  const opened = calls.filter(({ name }) => OPENED.test(name)).map(({ args }) => textsIn(args.slice(0, 1)).join(''))
  return (
    run.length >= evaluations &&
    run.every((text) => text?.kind === 'unknown' && FILE_TEXT.test(text.name)) &&
    opened.every((path) => /\.js$/i.test(path) && !isForeignFile(path)) &&
    !calls.some(({ name }) => FETCHERS.test(name))
  )
}

/** Runs of text that is in the script as it is, such as a menu of commands, hide nothing. */
export function basicEffects(source: string): Effects {
  const { effects, isCut, mayExecute } = readBasic([{ name: '', text: source }], { isScript: true })
  const textsOf = (wanted: string) => effects.filter(({ kind }) => kind === wanted).map(({ text }) => text)
  const lower = source.toLowerCase()
  const isUnclear = isCut || mayExecute || obfuscationOf(lower) > 0 || HIDES.test(source)
  const brings = effects.some(({ kind }) => kind === 'fetch' || kind === 'save')
  // A program that the reader names, or a document for its program.
  const isOpen = (command: string): boolean => !isUnclear && !brings && isUnknown(withoutOrigins(command))
  const given = textsOf('start').filter((command) => !opensPage(command, lower))
  const commands = given.filter((command) => !isOpen(command))
  const { starts, localStarts } = sortStarts(commands.map(withoutOrigins), source, isUnclear)
  return {
    // Which program it is, is computed character by character.
    starts: [...starts, ...commands.filter((each) => runsHandler(each) || startsWithPartFrom('coded', each))],
    localStarts,
    fetches: textsOf('fetch').length > 0 || starts.some((command) => findCommand(command)?.isRemote),
    saves: textsOf('save').length > 0,
    runsText: textsOf('code').some((text) => runsForeignText(text, source, textsOf('fetch').length > 0)),
    // Another script of the same job may have fetched it.
    runsUnknown: given.some(isOpen),
    isHidden:
      textsOf('registry').some((text) => RUN_KEY.test(text)) ||
      schedules(effects) ||
      effects.some(startsLater) ||
      textsOf('code').some(isForeignMoniker),
    doesHarm: corruptsMemory(source),
    isUnclear,
    isCut: isCut || mayExecute,
    objects: textsOf('object').map((name) => className(name).toLowerCase()),
    loads: null,
    download: null,
  }
}

const MONIKER = /^\s{0,9}script(?:let)?:/i

/** A component that the script engine loads from a server and runs. */
function isForeignMoniker(text: string): boolean {
  const { isRemote, host } = classifyTarget(text.replace(MONIKER, ''))
  return MONIKER.test(text) && isRemote && reachOf(host) !== 'company'
}

function bindsCode({ name, args: [moniker] }: Script['calls'][number]): boolean {
  return /(?:^|\.)GetObject$/.test(name) && moniker !== undefined && textsIn([moniker]).some(isForeignMoniker)
}

const START_FOLDER = anyCase`${START_UP}`
const WRITERS = new Set(['createtextfile', 'opentextfile', 'savetofile'])

/** A script or program that it writes where Windows starts it, or itself. Administrators put links there. */
function startsLater({ kind, name, text, copiesItself }: BasicEffect): boolean {
  return (
    kind === 'save' &&
    START_FOLDER.test(text) &&
    (copiesItself === true || (WRITERS.has(name) && isDangerousName(text)))
  )
}

/** The same in JavaScript, where the name of the folder is a result, and a value that Windows runs at every sign-in. */
function staysBy(calls: Script['calls']): boolean {
  const isStartFolder = calls.some(
    ({ name, args }) =>
      /\.SpecialFolders$/i.test(name) && textsIn(args).some((text) => /^(?:allusers)?startup$/i.test(text)),
  )
  return calls.some(({ name, args }) => {
    const [first = '', second = ''] = args.map((each) => textsIn([each]).join(''))
    if (/\.RegWrite$/i.test(name)) return RUN_KEY.test(first)
    const isCopy = /\.CopyFile$/i.test(name)
    const file = isCopy ? second : SAVERS.test(name) ? first : ''
    const isThere = START_FOLDER.test(file) || (isStartFolder && file.startsWith(GAP))
    return isThere && (isCopy ? isItself(args[0]) : isDangerousName(file))
  })
}

const isItself = (value: Script['calls'][number]['args'][number] | undefined): boolean =>
  value?.kind === 'unknown' && value.name === 'WScript.ScriptFullName'

/** What runs later, by the scheduler or by an event, with its arguments behind it. */
const LATER = words('path= commandlinetemplate= registertask arguments=')

/** A task that fetches something, or hides it. */
function schedules(effects: readonly BasicEffect[]): boolean {
  const tasks = effects.filter(({ kind, name }) => kind === 'persist' && LATER.includes(name))
  // Shortcuts have arguments as well.
  if (tasks.every(({ name }) => name === 'arguments=')) return false
  const line = LATER.flatMap((each) => tasks.filter(({ name }) => name === each).map(({ text }) => text)).join(' ')
  charge(line.length * CREATION_WORK)
  const known = withoutOrigins(line).replaceAll(GAP, 'x')
  const command = findCommand(known)
  return command !== null && ((command.isRemote && !staysInside(known)) || command.isEncoded)
}

/** Whether a script decodes texts, which it may run or give to a script in another language. */
export function decodes(language: 'javascript' | 'vbscript', source: string): boolean {
  charge(source.length * CREATION_WORK)
  return language === 'javascript'
    ? DECODES.test(source)
    : HIDES.test(source) || obfuscationOf(source.toLowerCase()) > 0
}

const HIDES = /strreverse|\bexecute(?:global)?\b|chrw?\s*\(\s*[a-z]|\beval\s*\(|bin\.base64|\bxor\b/i
/** Values that Windows runs at every sign-in. */
const RUN_KEY = anyCase`currentversion\\${RUN_KEYS}\\`
