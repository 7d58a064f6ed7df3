/** Judges script files by what they do, not by their names: software archives are full of harmless ones. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { SCRIPTS } from '#inspect/catalogue/scripts.ts'
import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { className } from '#inspect/judge/class-names.ts'
import { findCommand } from '#inspect/judge/commands.ts'
import { isPlainlyPacked } from '#inspect/judge/containers.ts'
import { classifyTarget, describeTarget } from '#inspect/judge/targets.ts'
import { type Effects, effectsOf } from './effects.ts'
import { decodeScripts } from './encoder.ts'
import { type Language, languageOf } from './language.ts'

/** Without one of these, a script starts and fetches nothing. */
const WORDS = [
  ...['ActiveXObject', 'CreateObject', 'GetObject', 'WScript', 'powershell', 'pwsh', 'DownloadString', 'DownloadFile'],
  ...['Invoke-', 'bitsadmin', 'certutil', 'mshta', 'rundll32', 'regsvr32', 'cmd.exe', 'cmd /', 'curl '],
  ...['FromBase64', 'msiexec', 'StrReverse', 'ExecuteGlobal', 'Execute(', 'eval(', 'p^o', 'c^m', '#@~^', '-bxor'],
  // Pieces of the first two, as scripts join them.
  ...['clsid:72C24DD5', 'clsid:F935DC22', 'clsid:13709620', 'WScript.Shell', 'Shell.Application'],
  ...['<job', '<scriptlet', '<hta:'],
  ...['"Active', "'Active", '"WScr', "'WScr", 'XObject', 'fromCharCode'],
]
/** Commands that are as short as syllables. */
const SHORT_WORDS = ['iex', 'iwr ', 'irm ']
const TELLING = mark(WORDS, { ignoresCase: true })
const TELLING_SHORT = mark(SHORT_WORDS, {
  ignoresCase: true,
  fits: (bytes, at) => !isWordByte(bytes[at - 1]) && !isWordByte(bytes[at + 3]),
})
const WORD = new RegExp(
  `${WORDS.map((word) => word.replace(/[\^(.$|]/g, '\\$&')).join('|')}|\\b(?:iex\\b|iwr |irm )`,
  'i',
)
const SCRIPT_TAG = mark(['<script', ':script'], { ignoresCase: true })
const ENCODED_START = '#@~^'
const ENCODED_BYTES = ascii(ENCODED_START)
/** Scripts that can spell any word in pieces. */
const SHELL_NAME = /\.(?:ps1|psm1|bat|cmd|vbs|vbe|jse)$/i
/** The source of a macro, which is judged with the other modules of its project. */
const MACRO = / \(source\)$/
const TEXT_WORK = 20

export const script: Format = {
  applies: (item) => {
    // An encoded script has control characters, so that it does not pass for text.
    const isScript = item.sniffed.kind === 'text' || startsWith(item.bytes, ENCODED_BYTES)
    const name = item.path.at(-1) ?? ''
    const isTelling = item.has(TELLING) || item.has(TELLING_SHORT) || SHELL_NAME.test(name)
    return isScript && isTelling && !MACRO.test(name)
  },
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    charge(text.length * TEXT_WORK)
    if (!WORD.test(text) && !SHELL_NAME.test(nameOf(item) ?? '')) return
    if (text.includes(ENCODED_START)) inspectEncoded(item, text, context)
    const language = languageOf(nameOf(item), text)
    if (language === null) judgeTags(item, text, context)
    else if (nameOf(item) === null && isShort(text)) judgeCommand(item, language, text, context)
    else judgeScript(item, language, text, context)
  },
}

function isWordByte(byte: number | undefined): boolean {
  return byte !== undefined && /\w/.test(String.fromCharCode(byte))
}

/** Of the file in its container; null for the document itself. Names in parentheses are readings of the same file. */
function nameOf({ path }: Item): string | null {
  return path.findLast((name) => !name.startsWith('(')) ?? null
}

function inspectEncoded(item: Item, text: string, context: Context): void {
  for (const decoded of decodeScripts(text)) {
    context.addFinding(item, { ...SCRIPTS.encoded, detail: null })
    if (!context.countEntry(item) || !context.chargeBytes(item, decoded.length, 'stream')) return
    context.inspectMember(item, '(decoded script)', Buffer.from(decoded, 'latin1'))
  }
}

const TAG = /<(?:\w{1,20}:)?script\b([^>]{0,1000})>([\s\S]*?)(?:<\/(?:\w{1,20}:)?script|$)/gi
const HOST =
  /<(?:hta:application|job|package|scriptlet|component|registration)[\s/>]|urn:schemas-microsoft-com:xslt|application\/hta/i
/** Objects that the scripts of a page or job find by their names. */
const OBJECT = /<object\b([^>]{0,1000})>/gi
const OBJECT_NAME = /\bid\s{0,4}=\s{0,4}["']?([a-z_]\w{0,60})/i
const OBJECT_CLASS = /\b(?:classid|progid)\s{0,4}=\s{0,4}["']?([\w.:{}-]{1,60})/i
const TAG_WORK = 1_000
const SOURCE = /<script\b[^>]{0,500}?\ssrc\s{0,4}=\s{0,4}["']?([^"'\s>]{1,1000})/gi

/** Outside browsers, a script from another computer runs with all rights. */
function remoteSource(text: string): string | undefined {
  return [...text.matchAll(SOURCE)].map(([, target = '']) => target).find((target) => classifyTarget(target).isRemote)
}

/** Scripts in HTML applications, script components and old pages. A browser runs no other than JavaScript. */
function judgeTags(item: Item, text: string, context: Context): void {
  if (!item.has(SCRIPT_TAG)) return
  const isHost = HOST.test(text)
  const byLanguage = new Map<Language, string>()
  for (const [, attributes = '', content = ''] of text.matchAll(TAG)) {
    charge(TAG_WORK)
    const language: Language = /vbs/i.test(attributes) ? 'vbscript' : 'javascript'
    byLanguage.set(language, `${byLanguage.get(language) ?? ''}\n${content.replace(/<!\[CDATA\[|\]\]>/g, '')}`)
  }
  if (byLanguage.size > 0) declareObjects(text, byLanguage)
  const remote = isHost ? remoteSource(text) : undefined
  if (remote !== undefined) context.addFinding(item, { ...SCRIPTS.download, detail: describeTarget(remote) })
  const run = [...byLanguage].filter(
    ([language, source]) => isHost || language === 'vbscript' || /ActiveXObject/i.test(source),
  )
  const [language] = run.map(([each]) => each)
  if (language !== undefined)
    judgeEffects(item, language, mergeEffects(run.map(([each, source]) => effectsOf(each, source))), isHost, context)
}

function declareObjects(text: string, byLanguage: Map<Language, string>): void {
  for (const [, attributes = ''] of text.matchAll(OBJECT)) {
    charge(TAG_WORK)
    const name = OBJECT_NAME.exec(attributes)?.[1]
    const type = className(OBJECT_CLASS.exec(attributes)?.[1] ?? '')
    if (name === undefined || !/^[\w.]+$/.test(type)) continue
    for (const [language, source] of byLanguage) byLanguage.set(language, DECLARATIONS[language]?.(name, type) + source)
  }
}

const DECLARATIONS: Partial<Record<Language, (name: string, type: string) => string>> = {
  javascript: (name, type) => `var ${name} = new ActiveXObject("${type}");\n`,
  vbscript: (name, type) => `Set ${name} = CreateObject("${type}")\n`,
}

/** Scripts of one file share their variables: one fetches what the other starts. */
function mergeEffects(all: readonly Effects[]): Effects {
  return {
    starts: all.flatMap(({ starts }) => starts),
    localStarts: all.flatMap(({ localStarts }) => localStarts),
    fetches: all.some(({ fetches }) => fetches),
    saves: all.some(({ saves }) => saves),
    runsText: all.some(({ runsText }) => runsText),
    runsUnknown: all.some(({ runsUnknown }) => runsUnknown),
    isHidden: all.some(({ isHidden }) => isHidden),
    isUnclear: all.some(({ isUnclear }) => isUnclear),
    isCut: all.some(({ isCut }) => isCut),
  }
}

function judgeScript(item: Item, language: Language, text: string, context: Context): void {
  judgeEffects(item, language, effectsOf(language, text), true, context)
}

/** `isHost`: no page for a browser, where scripts have no use for the objects of the script host. */
function judgeEffects(item: Item, language: Language, effects: Effects, isHost: boolean, context: Context): void {
  const definition = definitionOf(effects, language, item) ?? SCRIPTS.host
  if (effects.isCut) context.addObstacle(item, 'too_complex', 'It is too long to be judged.')
  const [command = ''] = [...effects.starts, ...effects.localStarts]
  context.addFinding(item, { ...definition, detail: command === '' ? null : describeTarget(command) })
  if (isHost && definition.severity !== 'malicious' && !effects.isUnclear && isPlainlyPacked(item))
    context.overrule(item, OBJECT_RULES)
}

/** Rules that know a script only by the objects that it creates. */
const OBJECT_RULES = ['Docvet.Script.HostedProgram', 'Docvet.Script.ShellObject']

function definitionOf(effects: Effects, language: Language, item: Item): Definition | null {
  const { starts, localStarts, fetches, saves, isHidden } = effects
  const isShell = language === 'powershell' || language === 'batch'
  const runsText = effects.runsText && !isShell
  if (fetches && (starts.length > 0 || localStarts.length > 0 || effects.runsText || effects.runsUnknown)) {
    // Scripts that build software fetch and run installers; among other files, only disguise makes them a threat.
    const isExpected = isShell && !item.alone && !isHidden && starts.length === 0
    return isExpected ? SCRIPTS.fetch : SCRIPTS.download
  }
  if (starts.length > 0 || isHidden || runsText) return SCRIPTS.program
  if (localStarts.length > 0) return SCRIPTS.start
  return fetches && saves && !isShell ? SCRIPTS.fetch : null
}

/** Without a name, a text of a few lines is a note rather than a script for a shell. */
const NOTE_LINES_MAX = 5

function isShort(text: string): boolean {
  return text.trim().split(/\r?\n/, NOTE_LINES_MAX + 1).length <= NOTE_LINES_MAX
}

/** No note says this of its own commands. */
const DECRYPTS = /-bxor/i

function judgeCommand(item: Item, language: Language, text: string, context: Context): void {
  if (language === 'javascript' || language === 'vbscript') {
    judgeScript(item, language, text, context)
    return
  }
  const command = findCommand(text)
  if (DECRYPTS.test(text) && effectsOf(language, text).isHidden)
    context.addFinding(item, { ...SCRIPTS.program, detail: describeTarget(text) })
  else if (command?.isWindows && (command.isEncoded || command.isObfuscated || command.isRemote))
    context.addFinding(item, { ...SCRIPTS.command, detail: describeTarget(text) })
}
