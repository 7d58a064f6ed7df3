/** Effects of a recorded call, by its name, its object and its arguments. */

import { findCommand } from '#inspect/commands/find.ts'
import { anyCase, pattern } from '#inspect/core/pattern.ts'
import { words } from '#inspect/core/words.ts'
import { classifyTarget } from '#inspect/targets/targets.ts'
import { SHELL_CLASSES } from '#inspect/windows/classes.ts'
import { RUNNABLE } from '#inspect/windows/extensions.ts'
import { WRITABLE, WRITABLE_VARIABLE } from '#inspect/windows/folders.ts'
import { OF_SYSTEM, OF_SYSTEM_FAMILIES } from '#inspect/windows/libraries.ts'
import { RUNNERS, SILENT_INSTALLATION } from '#inspect/windows/programs.ts'
import type { RecordedCall } from './state.ts'
import { GAP, hasPartFrom, isArray, isChoice, isObject, optionsOf, toText, type Value, withoutGaps } from './values.ts'

/**
 * `start`: starts a program or opens a file by its type. `code`: runs a script. `fetch`: reads an address. `save`: writes a
 * file. `registry`: writes a value. `rewrite`: changes macros. `replicate`: copies macros into another project. `memory`:
 * works on memory of a process. `persist`: installs a task. `object`: creates an object. `document`: opens a document at an
 * address. `template`: attaches a template. `export`: writes a module to a file. `send`: sends data to an address. `attach`:
 * attaches a file to a mail. `mail`: sends a mail. `delete`: deletes files. `read`: reads a file. `library`: calls a library of
 * its own. `folder`: changes the folder, from which such libraries are loaded. `drive`: gives a share a letter.
 */
type EffectKind =
  | 'start'
  | 'code'
  | 'fetch'
  | 'save'
  | 'registry'
  | 'rewrite'
  | 'replicate'
  | 'memory'
  | 'persist'
  | 'object'
  | 'document'
  | 'template'
  | 'export'
  | 'send'
  | 'attach'
  | 'mail'
  | 'delete'
  | 'read'
  | 'library'
  | 'folder'
  | 'drive'

export interface Effect {
  kind: EffectKind
  /** The command, address, path or class. Parts that are unknown are `\ufffd`; empty if nothing is known. */
  text: string
  /** The function or method, in lower case. */
  name: string
  /** Writes a copy of the document that contains the macro. */
  copiesItself?: boolean
  /** Starts a program without a window, or by an object that is not named. */
  isConcealed?: boolean
}

type Describe = (call: RecordedCall) => Omit<Effect, 'name'> | null

const textOf = (value: Value): string => (value === undefined ? GAP : toText(value))
/** Arguments of a command line, without those that are left out. */
const joined = (...values: Value[]): string => values.map(textOf).join(' ').trim()

const argument =
  (kind: EffectKind, at = 0): Describe =>
  ({ args }) => ({ kind, text: args.length > at ? textOf(args[at]) : '' })

/** Methods with common names only count on the objects that start programs, or where the argument is a command. */
const SHELL_OBJECT = pattern`${SHELL_CLASSES}|wshshell|win32_process|scriptcontrol`
/** The class itself, or an object that is found by an unknown name. Its members are other objects. */
const UNKNOWN_CLASS = new RegExp(`^(?:${GAP}|getobject:${GAP}[^.(]*$)`)
const PROGRAM = anyCase`\.${RUNNABLE}\b|^${RUNNERS}\b`

const onShell =
  (describe: Describe): Describe =>
  (call) => {
    if (call.on === 'application') return null
    if (UNKNOWN_CLASS.test(call.on) && call.args.length > 0) return describe(call)
    return SHELL_OBJECT.test(call.on) || PROGRAM.test(textOf(call.args[0])) ? describe(call) : null
  }

/** A program whose window is in this argument. */
const started =
  (describe: (args: readonly Value[]) => string, windowAt: number): Describe =>
  ({ on, args }) => ({
    kind: 'start',
    text: describe(args),
    // Of several values, those that are known are judged for themselves.
    isConcealed: (args[windowAt] === HIDDEN_WINDOW || UNKNOWN_CLASS.test(on)) && !args.some(isChoice),
  })

const HIDDEN_WINDOW = 0
const first = (args: readonly Value[]): string => (args.length > 0 ? textOf(args[0]) : '')

const isWeb = (text: string): boolean => /^\s*(?:https?|ftp):|^\\\\/i.test(text)

/** `XMLHTTP.Open "GET", url`, `Workbooks.Open path`, `Shell.Application.Open path`, `Open path For Output`. */
const open: Describe = ({ on, args }) => {
  if (on === '')
    return /input/.test(textOf(args[1]))
      ? { kind: 'read', text: textOf(args[0]) }
      : /output|binary|append/.test(textOf(args[1]))
        ? { kind: 'save', text: textOf(args[0]) }
        : null
  if (/xmlhttp|winhttp|^\?$/.test(on) && args.length > 1) return { kind: 'fetch', text: textOf(args[1]) }
  if (on === 'shell.application') return { kind: 'start', text: textOf(args[0]) }
  return isWeb(textOf(args[0])) ? { kind: 'document', text: textOf(args[0]) } : null
}

/** A file that is read from an address without any further call. */
const read: Describe = ({ args }) => (isWeb(textOf(args[0])) ? { kind: 'fetch', text: textOf(args[0]) } : null)

/** A text that only starts a command of Excel 4 if it names one that can. */
const excel4: Describe = ({ args: [text] }) =>
  text === undefined || withoutGaps(toText(text)) === '...' || /\b(?:exec|call|register)\s*\(/i.test(toText(text))
    ? { kind: 'start', text: /\bexec\s*\(\s*"([^"]*)"/i.exec(textOf(text))?.[1] ?? textOf(text) }
    : null

/** Formulas that start a program if the cell is on a macro sheet. */
const STARTING_FORMULA = /^\s*=\s*(?:exec|call|register)\s*\(/i
const MACRO_SHEET = /excel4(?:intl)?macrosheets\b/
const FORMULA_NAMES = words('formula= formulalocal= formular1c1= formular1c1local= formula2= value= value2=')

/** A formula for a macro sheet of Excel 4. */
const formula: Describe = (call) => {
  const found = MACRO_SHEET.test(call.on) ? excel4(call) : ({ kind: 'start', text: textOf(call.args.at(-1)) } as const)
  return found && { ...found, isConcealed: true }
}

const followed: Describe = ({ args }) => {
  const target = textOf(args[0])
  const { kind, severity } = classifyTarget(target)
  if (kind === 'handler' && severity !== 'notice') return { kind: 'start', text: target }
  // Names of hosts may end like programs.
  const path = isWeb(target) ? target.replace(/^\s*(?:\w+:\/\/|\\\\)[^\\/]*|[?#].*/g, '') : target
  if (isWeb(target) && !PROGRAM.test(path)) return { kind: 'fetch', text: target }
  return PROGRAM.test(target) ? { kind: 'start', text: target } : null
}

const created: Describe = ({ args: [name] }) =>
  isObject(name) || name === undefined
    ? { kind: 'object', text: GAP }
    : { kind: 'object', text: toText(name).toLowerCase() }

/** Monikers that load a script or name a server. */
const bound: Describe = ({ args }) => {
  // `GetObject(, "Excel.Application")` names a class.
  const moniker = textOf(args[0] === undefined && args.length > 1 ? args[1] : args[0])
  if (/^(?:script|scriptlet|soap|mk|java):/i.test(moniker)) return { kind: 'code', text: moniker }
  return { kind: 'object', text: moniker.toLowerCase() }
}

/** Scripts that show a dialog have unknown folders and prompts in them. */
const appleScript: Describe = ({ args }) => {
  const script = textOf(args[0])
  return /do shell script/i.test(script) || script.startsWith(GAP) ? { kind: 'start', text: script } : null
}

/** Lines of another module that are written unchanged. */
const rewritten =
  (at: number): Describe =>
  ({ args }) => {
    const code = args[at]
    const text = textOf(code)
    return { kind: hasPartFrom('macro', text) ? 'replicate' : 'rewrite', text }
  }

const ORGANIZER_MODULES = 3

/** Word also copies styles and texts with it. */
const organized: Describe = ({ args }) => {
  const item = args.at(-1)
  if (item === ORGANIZER_MODULES) return { kind: 'replicate', text: textOf(args[2]) }
  return typeof item === 'number' ? null : { kind: 'rewrite', text: textOf(args[0]) }
}

/** A copy of a file; of the document itself if it is the source. */
const copied: Describe = ({ args }) => ({
  kind: 'save',
  text: textOf(args[1]),
  copiesItself: hasPartFrom('self', textOf(args[0])),
})

const OWN_DOCUMENT = /^(?:application\.)?(?:this|active)(?:document|workbook|presentation)$/

const saved: Describe = ({ on, args }) => ({ kind: 'save', text: textOf(args[0]), copiesItself: OWN_DOCUMENT.test(on) })

const MAIL_ITEM = /createitem|mailitem|\.reply|\.forward|sendmail|^cdo\.message|^\?$/

/** A request of a web object, or a mail of Outlook. */
const sent: Describe = ({ on, args }) => {
  if (/xmlhttp|winhttp/.test(on)) return args.length === 0 ? null : { kind: 'send', text: joined(...args) }
  return MAIL_ITEM.test(on) ? { kind: 'mail', text: '' } : null
}

/** A file of a mail, a library that Excel or Word loads, or a template. */
const added: Describe = ({ on, args }) => {
  const text = textOf(args[0])
  if (/attachments$/.test(on)) return { kind: 'attach', text }
  if (/addins$/.test(on) && /\.[xw]ll\b/i.test(text)) return { kind: 'start', text }
  return /(?:documents|workbooks|addins)$/.test(on) && isWeb(text) ? { kind: 'template', text } : null
}

/** Keys that type a command. Special keys have names in braces. */
const typed: Describe = ({ args }) => {
  const keys = textOf(args[0])
    .replace(/\{([^{}])\}/g, '$1')
    .replace(/\{[^{}]{1,20}\}|~|^[+^%]+/g, '')
    .trim()
  return findCommand(keys) !== null || PROGRAM.test(keys) ? { kind: 'start', text: keys } : null
}

/** A page with a script, in an object that runs it. */
const page: Describe = ({ args }) =>
  /<script\b/i.test(textOf(args[0])) ? { kind: 'code', text: textOf(args[0]) } : null
const PAGE_OBJECT = /^(?:new:)?htmlfile\b/

const LOOSE_LIBRARY = anyCase`^(?:\\\\|${WRITABLE_VARIABLE}|[a-z]:\\${WRITABLE}\\)`

/** A library at a place where programs are not installed, or one that is searched for. */
const loaded: Describe = ({ args }) => {
  const path = textOf(args[0])
  if (LOOSE_LIBRARY.test(path)) return { kind: 'start', text: path }
  return /^[\w. -]+$/.test(path) && !SYSTEM_LIBRARY.test(path.toLowerCase()) ? { kind: 'library', text: path } : null
}

const SYSTEM_LIBRARY = pattern`^(?:${OF_SYSTEM}|${OF_SYSTEM_FAMILIES})(?:\.\w+)?$`

/** A library of another computer, or of a folder where anyone may write. */
const imported = ({ on }: RecordedCall): Effect | null => {
  if (LOOSE_LIBRARY.test(on)) return { kind: 'start', text: on, name: 'declare' }
  return SYSTEM_LIBRARY.test(on) || on.includes('\\') ? null : { kind: 'library', text: on, name: 'declare' }
}

/** `Namespace(folder).ParseName(file)`, in which no argument contains a closing bracket. */
function itemPath(on: string): string | null {
  const shell = on.indexOf('shell.application')
  const folder = shell === -1 ? -1 : on.indexOf('namespace(', shell)
  const folderEnd = folder === -1 ? -1 : on.indexOf(')', folder)
  const last = on.lastIndexOf(')', on.length - 2)
  if (folderEnd === -1 || folderEnd > last || !on.endsWith(')')) return null
  const item = /(?:parsename|item)\(([\s\S]*)/.exec(on.slice(last + 1, -1))?.[1]
  return item === undefined ? null : `${on.slice(folder + 'namespace('.length, folderEnd)}\\${item}`
}

/** `Namespace(folder).ParseName(file).InvokeVerb`. */
const invoked: Describe = ({ on, args }) => {
  const verb = args.length === 0 ? 'open' : textOf(args[0])
  const path = itemPath(on)
  if (path === null || !/^(?:&?open|runas|\ufffd.*)?$/i.test(verb)) return null
  return { kind: 'start', text: path }
}

/** The program of a scheduled task or of a shortcut. */
const scheduled: Describe = ({ on, args }) =>
  /\.actions\.create\b|createshortcut\(/.test(on) ? { kind: 'persist', text: textOf(args[0]) } : null

/** A style sheet with a script, or one from a place where nobody looks. */
const styled: Describe = ({ args }) => {
  const xml = textOf(args[0])
  return /<\w{1,20}:script\b/i.test(xml) || hasPartFrom('hidden', xml) ? { kind: 'code', text: xml } : null
}

/** Code from a file keeps its path. */
const codeOf = ([code]: readonly Value[]): string =>
  isObject(code) && code.class.startsWith('file:') ? toText(code) + code.class : textOf(code)

const run: Describe = ({ args }) => ({ kind: 'code', text: args.length > 0 ? codeOf(args) : '' })

/** `Execute code` of a script, or the service of LibreOffice that opens files. */
const executed: Describe = ({ on, args }) => {
  if (on === '') return { kind: 'code', text: codeOf(args) }
  return /systemshellexecute/.test(on) ? { kind: 'start', text: joined(args[0], args[1]) } : null
}

/** Objects of .NET that are read from bytes run code of their own. */
const deserialized: Describe = ({ on }) => (/formatter/.test(on) ? { kind: 'code', text: GAP } : null)

const MEMORY =
  /^(?:virtualalloc(?:ex|2)?|virtualprotect(?:ex)?|heapcreate|heapalloc|rtlmovememory|rtlcopymemory|writeprocessmemory|createthread|createremotethread(?:ex)?|queueuserapc|setthreadcontext|ntallocatevirtualmemory|ntwritevirtualmemory|ntcreatethreadex|ntmapviewofsection|zwwritevirtualmemory|zwallocatevirtualmemory|callwindowproc[aw]?|dispcallfunc|settimer|enum\w+|graystring[aw]?|createtimerqueuetimer|certenumsystemstore|uuidfromstring[aw]?|amsiscanbuffer|loadlibrary(?:ex)?[aw]?|getprocaddress)$/

const executedByShell = started((args) => joined(args[0], args[1]), 4)
const executedByWindows = started((args) => joined(args[2], args[3]), 5)

const EFFECTS: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ['shell', started(first, 1)],
  ['run', onShell(started(first, 1))],
  ['exec', onShell(started(first, 1))],
  // The service of Windows starts it, and not Office.
  ['create', onShell(({ args }) => ({ kind: 'start', text: first(args), isConcealed: !args.some(isChoice) }))],
  [
    'execmethod',
    ({ on, args }) => (/winmgmts|wbem/.test(on) ? { kind: 'start', text: joined(...args.slice(2)) } : null),
  ],
  [
    'execmethod_',
    ({ on, args }) => (/winmgmts|wbem/.test(on) ? { kind: 'start', text: joined(...args.slice(1)) } : null),
  ],
  ['commandline=', ({ on, args }) => (/winmgmts|wbem/.test(on) ? { kind: 'start', text: joined(...args) } : null)],
  ['shellexecute', (call) => (call.on.includes('shell32') ? executedByWindows : executedByShell)(call)],
  ['shellexecutea', executedByWindows],
  ['shellexecutew', executedByWindows],
  ['executeshellcommand', ({ args }) => ({ kind: 'start', text: joined(args[0], args[2]), isConcealed: true })],
  ['winexec', started(first, 1)],
  ['createprocessa', ({ args }) => ({ kind: 'start', text: joined(args[0], args[1]) })],
  ['createprocessw', ({ args }) => ({ kind: 'start', text: joined(args[0], args[1]) })],
  ...['popen', 'system', 'execv', 'execl', 'execve'].map((name) => [name, argument('start')] as const),
  ['macscript', appleScript],
  ['controlpanelitem', argument('start')],
  ['installproduct', ({ args }) => ({ kind: 'start', text: `${SILENT_INSTALLATION} ${textOf(args[0])}` })],
  ['registerxll', argument('start')],
  [
    'ddeinitiate',
    ({ args }) => (PROGRAM.test(textOf(args[0])) ? { kind: 'start', text: joined(args[0], args[1]) } : null),
  ],
  ['ddeexecute', argument('start', 1)],
  ['executeexcel4macro', excel4],
  ['followhyperlink', followed],
  ['navigate', followed],
  ['navigate2', followed],
  ['addcode', argument('code')],
  ['executestatement', argument('code')],
  ['execscript', argument('code')],
  ['eval', ({ on, args }) => (on === '' || /script/.test(on) ? { kind: 'code', text: textOf(args[0]) } : null)],
  ['execute', executed],
  ['executeglobal', run],
  ['deserialize_2', deserialized],
  ['deserialize', deserialized],
  ['transformnode', argument('code')],
  ['loadxml', styled],
  [
    'load',
    ({ on, args }) =>
      /xmldom|domdocument/.test(on) && isWeb(textOf(args[0])) ? { kind: 'fetch', text: textOf(args[0]) } : null,
  ],
  ['open', open],
  ['addpicture', read],
  ['addoleobject', read],
  ['dir', read],
  ['insertfile', ({ args }) => (isWeb(textOf(args[0])) ? { kind: 'document', text: textOf(args[0]) } : null)],
  ['sendkeys', typed],
  ['write', page],
  ['writeln', page],
  ['attachedtemplate=', argument('template')],
  ['send', sent],
  ['sendmail', argument('mail')],
  ['add', added],
  ['loadfromfile', argument('read')],
  ['kill', argument('delete')],
  ['deletefile', argument('delete')],
  ['deletefolder', argument('delete')],
  ...['loadlibrary', 'loadlibrarya', 'loadlibraryw', 'loadlibraryexa', 'loadlibraryexw'].map(
    (name) => [name, loaded] as const,
  ),
  ...[
    'urldownloadtofilea',
    'urldownloadtofilew',
    'urldownloadtofile',
    'urldownloadtocachefilea',
    'urldownloadtocachefilew',
  ].map((name) => [name, (({ args }) => ({ kind: 'fetch', text: joined(args[1], args[2]) })) as Describe] as const),
  ['internetopenurla', argument('fetch', 1)],
  ['internetopenurlw', argument('fetch', 1)],
  ['savetofile', argument('save')],
  ['createtextfile', argument('save')],
  ['opentextfile', ({ args }) => (args.length > 1 && args[1] !== 1 ? { kind: 'save', text: textOf(args[0]) } : null)],
  ['copyfile', copied],
  ['movefile', copied],
  ['filecopy', copied],
  ['name', argument('save', 1)],
  ['saveas', saved],
  ['saveas2', saved],
  ['savecopyas', saved],
  ['createshortcut', argument('save')],
  ['copyhere', ({ args }) => ({ kind: 'save', text: isObject(args[0]) ? args[0].class : textOf(args[0]) })],
  ['regwrite', ({ args }) => ({ kind: 'registry', text: joined(args[0], args[1]) })],
  ['setstringvalue', ({ args }) => ({ kind: 'registry', text: joined(...args.slice(1)) })],
  ['setdwordvalue', ({ args }) => ({ kind: 'registry', text: joined(...args.slice(1)) })],
  ['regsetvalueexa', ({ args }) => ({ kind: 'registry', text: joined(...args.slice(1)) })],
  ['regcreatekeyexa', argument('registry', 1)],
  ['privateprofilestring=', ({ args }) => ({ kind: 'registry', text: joined(...args) })],
  ['addfromstring', rewritten(0)],
  ['insertlines', rewritten(1)],
  ['addfromfile', argument('rewrite')],
  ['import', ({ on, args }) => (/vbcomponents/.test(on) ? { kind: 'rewrite', text: textOf(args[0]) } : null)],
  ['export', ({ on, args }) => (/vbcomponents/.test(on) ? { kind: 'export', text: textOf(args[0]) } : null)],
  ['organizercopy', organized],
  ['macrocopy', ({ on, args }) => (on === 'wordbasic' ? { kind: 'replicate', text: textOf(args[1]) } : null)],
  ['path=', scheduled],
  ['targetpath=', scheduled],
  ['commandlinetemplate=', argument('persist')],
  ['scripttext=', argument('persist')],
  ['arguments=', scheduled],
  ['registertaskdefinition', argument('persist')],
  ['registertask', argument('persist', 1)],
  ['invokeverb', invoked],
  ['chdir', argument('folder')],
  ['mapnetworkdrive', ({ args }) => ({ kind: 'drive', text: joined(args[0], args[1]) })],
  ['createobject', created],
  ['getobject', bound],
])

export function isTelling(name: string, on = '', args: readonly Value[] = []): boolean {
  // Macros write many texts to files and cells.
  if (name === 'write' || name === 'writeln') return PAGE_OBJECT.test(on)
  if (FORMULA_NAMES.includes(name)) return MACRO_SHEET.test(on) || startsByFormula(args.at(-1))
  return EFFECTS.has(name) || MEMORY.test(name)
}

const startsByFormula = (value: Value): boolean =>
  optionsOf(value).some((option) => typeof option === 'string' && STARTING_FORMULA.test(option))

/** Whether anything may happen by this function, method or property. Functions of libraries are declared. */
export const mayTell = (name: string): boolean => EFFECTS.has(name) || EFFECTS.has(`${name}=`)

/** null: nothing of interest. */
export function effectOf(call: RecordedCall): Effect | null {
  const described = (FORMULA_NAMES.includes(call.name) ? formula : EFFECTS.get(call.name))?.(call)
  if (described !== undefined) return described && { ...described, name: call.name }
  const library = call.isImported ? imported(call) : null
  if (library !== null) return library
  // Methods of objects may have the same names, such as LoadLibrary of LibreOffice.
  return call.isImported && MEMORY.test(call.name)
    ? { kind: 'memory', text: call.args.some(isArray) ? 'bytes' : joined(...call.args), name: call.name }
    : null
}
