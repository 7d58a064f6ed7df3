/** Judges script files by what they do, not by their names: software archives are full of harmless ones. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { SCRIPTS } from '#inspect/catalogue/scripts.ts'
import { WEB } from '#inspect/catalogue/web.ts'
import { decodeScripts } from '#inspect/codecs/script-encoder.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { anyCase, pattern } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { isPackedOrMailed } from '#inspect/judge/containers.ts'
import { EVERYDAY } from '#inspect/judge/files.ts'
import { isPaperName } from '#inspect/judge/papers.ts'
import { type Effects, mergeEffects, NO_EFFECTS } from '#inspect/judge/scripts/effects.ts'
import { basicEffects, javaScriptEffects } from '#inspect/judge/scripts/host-scripts.ts'
import { isRead, type Language, languageOf, languagesOf, namedLanguage } from '#inspect/judge/scripts/language.ts'
import { showsOnly } from '#inspect/judge/scripts/plain-scripts.ts'
import { mayAct } from '#inspect/judge/scripts/python.ts'
import { shellScriptEffects } from '#inspect/judge/scripts/shells.ts'
import type { Script } from '#inspect/programs/javascript/javascript.ts'
import { knownPageScript } from '#inspect/programs/javascript/page-scripts.ts'
import { parseOld } from '#inspect/programs/javascript/parser.ts'
import { readStatements } from '#inspect/programs/shells/powershell/splitting.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { BROWSER_CLASSES, CLASS_IDS, FETCH_CLASSES, SHELL_CLASSES, STREAM_CLASS } from '#inspect/windows/classes.ts'
import { PAGES, SCRIPT_LANGUAGES } from '#inspect/windows/extensions.ts'
import { FETCHING_METHODS } from '#inspect/windows/powershell.ts'
import { DOWNLOADERS, PROXIES, RUNNERS } from '#inspect/windows/programs.ts'
import { runsDecodedElsewhere } from './shared-names.ts'
import { readTags, SCRIPT_TAG } from './tags.ts'

/** Without one of these, a script starts and fetches nothing. */
const WORDS = [
  'ActiveXObject',
  'CreateObject',
  'GetObject',
  'WScript',
  'Invoke-',
  'cmd.exe',
  'cmd /',
  ...FETCHING_METHODS,
  ...[...RUNNERS, ...DOWNLOADERS, ...PROXIES].filter(
    (name) => name.length > 4 && name !== 'command' && name !== 'wscript',
  ),
  'pwsh',
  'curl ',
  'wget ',
  'wmic ',
  'FromBase64',
  'StrReverse',
  'ExecuteGlobal',
  'Execute(',
  'eval(',
  'p^o',
  'c^m',
  '#@~^',
  '-bxor',
  'b64decode',
  'exec(',
  'os.system',
  'os.dup2',
  'pty.spawn',
  'subprocess',
  'os.environ)',
  'os.environ.items',
  'os.environ.copy',
  'pynput',
  'keyboard.on_',
  'api.telegram.org/bot',
  'InboxRule',
  'Telegram Desktop',
  'VirtualAlloc',
  'Fernet(',
  'pyperclip',
  'win32clipboard',
  'SetValueEx',
  'telebot',
  'CryptUnprotectData',
  'ld.so.preload',
  'socat ',
  // Keys of accounts, which some scripts send away.
  'huggingface/token',
  '.ssh/id_',
  '.aws/credentials',
  '.git-credentials',
  '.kube/config',
  'mkfifo',
  'id_rsa',
  'wallet.dat',
  'Login Data',
  'leveldb',
  'logins.json',
  'key4.db',
  'storbinary',
  'login.keychain',
  'stratum+',
  'hidden answer',
  'base64 -',
  // Pieces of the first two, as scripts join them.
  ...Object.keys(CLASS_IDS).map((id) => `clsid:${id.slice(0, 8)}`),
  ...SHELL_CLASSES,
  '<job',
  '<scriptlet',
  '<hta:',
  '/dev/tcp/',
  'shadowcopy',
  'amsiUtils',
  'msiInitFailed',
  'Class_Terminate',
  // Scripts that put their commands together from variables, and texts from their pieces or letters.
  '@echo off',
  '}" -f',
  "}' -f",
  '}"-f',
  "}'-f",
  ']-join',
  '] -join',
  '"Active',
  "'Active",
  '"WScr',
  "'WScr",
  'XObject',
  'fromCharCode',
]
/** Commands that are as short as syllables. */
const SHORT_WORDS = ['iex', 'iwr ', 'irm ']
const TELLING = mark(WORDS, { ignoresCase: true })
const TELLING_SHORT = mark(SHORT_WORDS, {
  ignoresCase: true,
  fits: (bytes, at) => !isWordByte(bytes[at - 1]) && !isWordByte(bytes[at + 3]),
})
const WORD = new RegExp(
  `${WORDS.map((word) => word.replace(/[\^().+$|{}[\]]/g, '\\$&')).join('|')}|\\b(?:iex\\b|iwr |irm )`,
  'i',
)
const ENCODED_START = '#@~^'
const ENCODED_BYTES = ascii(ENCODED_START)
const NAMED_SCRIPTS = SCRIPT_LANGUAGES.flatMap(([language, names]) => (language === 'javascript' ? ['jse'] : names))
/** Scripts that can spell any word in pieces, and libraries for pages, which are inspected without a word if they are sent alone. */
const SHELL_NAME = anyCase`\.${NAMED_SCRIPTS}[.\s]*$`
const PYTHON_NAME = /\.pyw?[.\s]*$/i
const SENT_NAME = /\.js[.\s]*$/i
const SCRIPT_NAME = new RegExp(`${SHELL_NAME.source}|${SENT_NAME.source}`, 'i')
/** Begins with a tag, so that the lines below it may look like any language. */
const TAGGED = /^(?:\xef\xbb\xbf)?\s*<[a-z?!]/i
/** The source of a macro, which is judged with the other modules of its project. */
const MACRO = / \(source\)$/
const TEXT_WORK = 3

export const script: Format = {
  among: { marks: [TELLING, TELLING_SHORT], names: SCRIPT_NAME },
  applies: (item) => {
    // An encoded script has control characters, so that it does not pass for text; a host runs tags in any file.
    const name = item.path.at(-1) ?? ''
    const isScript = isReadAsText(item) || startsWith(item.bytes, ENCODED_BYTES) || item.has(SCRIPT_TAG)
    const isTelling = item.has(TELLING) || item.has(TELLING_SHORT) || isNamedScript(item)
    return isScript && isTelling && !MACRO.test(name)
  },
  analyse(item, context) {
    const text = view(item.bytes)
      .toString('latin1')
      .replace(/^\xef\xbb\xbf/, '')
    // Software archives are full of Python.
    const isTold = item.has(TELLING) || item.has(TELLING_SHORT)
    if (PYTHON_NAME.test(item.name ?? '') && !isTold && !mayAct(text)) return
    charge(text.length * TEXT_WORK)
    const isText = isReadAsText(item) || text.startsWith(ENCODED_START)
    const isTagged = item.has(SCRIPT_TAG) && TAGGED.test(text)
    const [language = null, other] = isText && !isTagged ? languagesOf(item.name, text) : []
    const isEncoded = text.includes(ENCODED_START)
    // Prose. Most texts with such a word are, and the pattern of all words takes longest.
    if (language === null && !isEncoded && !item.has(SCRIPT_TAG)) return
    if (!isNamedScript(item) && !WORD.test(text)) return
    if (isEncoded) inspectEncoded(item, text, context)
    if (language === null) judgeTags(item, text, context)
    else judgeText(item, language, other, text, context)
  },
}

/** Hosts read a file by its name, whatever else its bytes look like. */
function isReadAsText({ sniffed, name }: Item): boolean {
  return sniffed.kind === 'text' || SCRIPT_NAME.test(name ?? '')
}

function judgeText(item: Item, language: Language, other: Language | undefined, text: string, context: Context): void {
  // Words about the clipboard in a script are no page that asks to paste a command.
  if (language !== 'javascript' && languageOf(text) === language) context.overrule(item, [WEB.commandCopy.id])
  if (isNote(item) && isShort(text)) judgeCommand(item, language, text, context)
  else judgeScript(item, language, text, context)
  // Under the name of another language, a script does nothing until it is renamed.
  const isOther = other !== undefined && !(language === 'javascript' && parseOld(text) === null)
  if (isOther && definitionOf(effectsOf(item, other, text), other, item)?.severity === 'malicious')
    judgeScript(item, other, text, context)
}

/** A script that comes alone, in an archive or attached to a mail, is inspected whatever words it has. */
function isNamedScript({ name, parent, alone }: Item): boolean {
  const isSent = parent?.sniffed.type === 'message/rfc822' || alone
  return name !== null && (SHELL_NAME.test(name) || (isSent && SENT_NAME.test(name)))
}

function isWordByte(byte: number | undefined): boolean {
  return byte !== undefined && /\w/.test(String.fromCharCode(byte))
}

function inspectEncoded(item: Item, text: string, context: Context): void {
  for (const decoded of decodeScripts(text)) {
    const isPlain = text.startsWith(ENCODED_START) && !isPaper(item) && showsOnly(item.name, decoded)
    context.addFinding(item, { ...(isPlain ? SCRIPTS.encodedPlain : SCRIPTS.encoded), detail: null })
    if (!context.countEntry(item) || !context.chargeBytes(item, decoded.length, 'stream')) return
    context.inspectMember(item, '(decoded script)', Buffer.from(decoded, 'latin1'))
  }
}

/** Names of the objects of Windows, also in pieces. */
const CREATES = /ActiveX|["']Active|XObject|WScr/i
/** In long scripts, the first one is a word of many others. */
const NAMES = /\bActiveXObject\b|\bWScript\b|["'`](?:ActiveX|WScr)["'`]/

/** A browser runs no other than JavaScript. */
function judgeTags(item: Item, text: string, context: Context): void {
  const tags = item.has(SCRIPT_TAG) ? readTags(item, text) : null
  if (tags === null) return
  const { byLanguage, isHost, remote } = tags
  if (remote !== undefined) context.addFinding(item, { ...SCRIPTS.download, detail: describeTarget(remote) })
  const run = [...byLanguage].filter(([language, source]) => isHost || language === 'vbscript' || CREATES.test(source))
  const [language] = run.map(([each]) => each)
  if (language === undefined) return
  // A browser runs all scripts of a page, which were read before.
  const known = isHost ? undefined : knownPageScript(item)
  const parts = run.map(([each, source]) => ({ language: each, source, effects: effectsOf(item, each, source, known) }))
  const merged = mergeEffects(parts.map(({ effects }) => effects))
  const effects = isHost && runsDecodedElsewhere(parts) ? { ...merged, isHidden: true } : merged
  const isPage = !isHost && language === 'javascript'
  if (isPage && onlyBrowses(effects)) return
  judgeEffects(
    item,
    language,
    effects,
    { isHost, shell: isPage ? SCRIPTS.shellObject : SCRIPTS.hostedProgram },
    context,
  )
}

/** Objects by which old browsers send requests and play films. Those of the script host are others. */
const BROWSER_CLASS = pattern`^(?:${BROWSER_CLASSES})`

function onlyBrowses({ objects, starts, localStarts, isHidden, doesHarm }: Effects): boolean {
  const isQuiet = starts.length + localStarts.length === 0 && !isHidden && !doesHarm
  return isQuiet && objects.length > 0 && objects.every((name) => BROWSER_CLASS.test(name))
}

/** Scripts of a document that were read, because archives have copies of scripts, and judgements ask more than once. */
const read = new WeakMap<Item, Map<string, Effects>>()
const COMPARED_WORK = 2

function effectsOf(item: Item, language: Language, text: string, known?: Script): Effects {
  if (known !== undefined) return javaScriptEffects(text, known)
  const root = rootOf(item)
  const effects = read.get(root) ?? new Map<string, Effects>()
  read.set(root, effects)
  charge(text.length * COMPARED_WORK)
  const key = `${language}\0${text}`
  const found = effects.get(key)
  if (found !== undefined) return found
  keep(text.length)
  const made = readEffects(item, language, text)
  effects.set(key, made)
  return made
}

const JOB = anyCase`\.${PAGES}$`
/** Characters of a script that is sent alone and followed in any case. */
export const SENT_MAX = 60_000

function rootOf(item: Item): Item {
  let root = item
  while (root.parent !== null) root = root.parent
  return root
}

function readEffects({ alone, name }: Item, language: Language, text: string): Effects {
  if (language === 'vbscript') return basicEffects(text)
  if (language !== 'javascript') return shellScriptEffects(language, text)
  // Other scripts of the same job may define what this one reads.
  const isFile = !JOB.test(name ?? '')
  const isShort = text.length <= SENT_MAX
  if (alone && (isShort ? CREATES : NAMES).test(text)) return javaScriptEffects(text, undefined, { isFile })
  // The script host takes syntax of later years for an error, so that nothing of such a script runs there.
  const program = parseOld(text)
  if (program !== null) return javaScriptEffects(text, undefined, { isFile, program })
  return alone && isShort ? javaScriptEffects(text, undefined, { isRefused: true }) : NO_EFFECTS
}

function judgeScript(item: Item, language: Language, text: string, context: Context): void {
  const shell = language === 'javascript' ? SCRIPTS.shellObject : null
  judgeEffects(item, language, effectsOf(item, language, text), { isHost: true, shell }, context)
}

const SHELL_CLASS = pattern`^${SHELL_CLASSES}\b`
const FETCH_CLASS = pattern`^(?:${FETCH_CLASSES})`
const WRITE_CLASS = pattern`^${[STREAM_CLASS]}\b`

interface Place {
  /** No page for a browser, where scripts have no use for the objects of the script host. */
  isHost: boolean
  /** For the object that starts programs. */
  shell: Definition | null
}

function judgeEffects(item: Item, language: Language, effects: Effects, place: Place, context: Context): void {
  const definition = definitionOf(effects, language, item) ?? SCRIPTS.host
  context.record(
    item,
    EVERYDAY,
    definition.severity !== 'malicious' && !effects.isUnclear && !effects.isCut && !isPaper(item),
  )
  if (effects.isCut) context.addObstacle(item, 'too_complex', 'It is too long to be judged.')
  const [command = ''] = [...effects.starts, ...effects.localStarts, effects.download?.url ?? '']
  context.addFinding(item, { ...definition, detail: command === '' ? null : describeTarget(command) })
  const creates = (name: RegExp): boolean => effects.objects.some((each) => name.test(each))
  // In an archive, scripts of administrators and builds are judged by the programs that they start.
  const isOrdinary = place.isHost && definition.severity !== 'malicious' && !effects.isUnclear && isPackedOrMailed(item)
  if (place.shell !== null && creates(SHELL_CLASS) && !isOrdinary)
    context.addFinding(item, { ...place.shell, detail: null })
  if (language === 'vbscript' && [SHELL_CLASS, FETCH_CLASS, WRITE_CLASS].filter(creates).length > 1)
    context.addFinding(item, { ...SCRIPTS.downloader, detail: null })
}

function isShellLanguage(language: Language): boolean {
  return language !== 'javascript' && language !== 'vbscript'
}

function definitionOf(effects: Effects, language: Language, item: Item): Definition | null {
  const { starts, localStarts, fetches, download } = effects
  const isShell = isShellLanguage(language)
  const isThreat = effects.isHidden || effects.doesHarm || starts.length > 0
  if (download !== null && isDropper(download, item)) return SCRIPTS.download
  // Scripts that build software fetch and run installers; among other files, only disguise makes them a threat.
  if (fetches && runs(effects))
    return isShell && !isThreat && isOrdinaryLoad(effects, item) ? SCRIPTS.fetch : SCRIPTS.download
  if (isThreat || (effects.runsText && !isShell)) return SCRIPTS.program
  if (localStarts.length > 0) return SCRIPTS.start
  return isFetch(effects, isShell) ? SCRIPTS.fetch : null
}

/** Alone, a script has no installation to be a step of. */
function isDropper({ isTelling, isStager }: NonNullable<Effects['download']>, item: Item): boolean {
  return isTelling || isLure(item) || (isStager && item.alone)
}

function isFetch({ fetches, saves, download }: Effects, isShell: boolean): boolean {
  return download?.isOpen || (fetches && saves && !isShell)
}

function isOrdinaryLoad({ loads }: Effects, { alone }: Item): boolean {
  return loads === 'step' || (loads !== 'hostile' && !alone)
}

function runs({ starts, localStarts, runsText, runsUnknown }: Effects): boolean {
  return starts.length > 0 || localStarts.length > 0 || runsText || runsUnknown
}

/** A script that poses as a paper, with nothing else in its archive. */
function isLure(item: Item): boolean {
  return item.alone && isPaper(item)
}

const isPaper = ({ name }: Item): boolean => isPaperName(name ?? '')

/** Scripts in languages that are judged by themselves. */
const OTHER_NAME = /\.(?:applescript|scpt|jxa)$/i
/** Without a name, a text of a few lines is a note rather than a script for a shell. */
const NOTE_LINES_MAX = 5

function isNote({ name, parent }: Item): boolean {
  return (
    namedLanguage(name) === null && !OTHER_NAME.test(name ?? '') && (parent === null || name === null || isRead(name))
  )
}

function isShort(text: string): boolean {
  return text.trim().split(/\r?\n/, NOTE_LINES_MAX + 1).length <= NOTE_LINES_MAX
}

/** Statements of scripts, which no note of a command has. */
const STATEMENTS =
  /^#!|^(?:import|from)\s|^[^\S\r\n]*@?echo\s+off\b|^[^\S\r\n]*@?set\s+"?\w{1,60}=|^[^\S\r\n]*\$\w{1,60}\s*=|^[^\S\r\n]*[&.]\s*\(|^[^\S\r\n]*\[\w{1,60}[\].]/im

function judgeCommand(item: Item, language: Language, text: string, context: Context): void {
  const effects = effectsOf(item, language, text)
  const isShell = isShellLanguage(language)
  const isTelling = effects.download?.isTelling || effects.loads === 'hostile'
  if (!isShell || isTelling || STATEMENTS.test(text)) {
    judgeScript(item, language, text, context)
    return
  }
  // Notes say how a tool is installed from its server.
  const command = findCommand(language === 'powershell' ? readStatements(text).code : text)
  if (command?.isWindows && (command.isEncoded || command.isObfuscated || command.isRemote))
    context.addFinding(item, { ...SCRIPTS.command, detail: describeTarget(text) })
}
