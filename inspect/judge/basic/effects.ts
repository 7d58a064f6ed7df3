/** What a recorded call does, by its name, its object and its arguments. */

import type { RecordedCall } from './state.ts'
import { GAP, isArray, isObject, toText, type Value } from './values.ts'

/**
 * `start`: starts a program or opens a file by its type. `code`: runs a script. `fetch`: reads an address. `save`: writes a
 * file. `registry`: writes a value. `rewrite`: changes macros. `replicate`: copies macros into another project. `memory`:
 * works on memory of a process. `persist`: installs a task. `object`: creates an object.
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

export interface Effect {
  kind: EffectKind
  /** The command, address, path or class. Parts that are unknown are `\ufffd`; empty if nothing is known. */
  text: string
  /** The function or method, in lower case. */
  name: string
}

type Describe = (call: RecordedCall) => Omit<Effect, 'name'> | null

const textOf = (value: Value): string => (value === undefined ? GAP : toText(value))
/** Arguments of a command line, without those that are left out. */
const joined = (...values: Value[]): string => values.map(textOf).join(' ').trim()

const argument =
  (kind: EffectKind, at = 0): Describe =>
  ({ args }) => ({ kind, text: args.length > at ? textOf(args[at]) : '' })

/** Methods with common names only count on the objects that start programs, or where the argument is a command. */
const SHELL_OBJECT = /wscript\.shell|shell\.application|wshshell|win32_process|scriptcontrol/
/** The name of the class, or its beginning, is not in the program. */
const UNKNOWN_CLASS = new RegExp(`^${GAP}`)
const PROGRAM =
  /\.(?:exe|com|bat|cmd|vbs|vbe|js|jse|wsf|hta|ps1|scr|cpl|msi|lnk|pif)\b|^(?:cmd|powershell|mshta|rundll32|regsvr32)\b/i

const onShell =
  (describe: Describe): Describe =>
  (call) => {
    if (call.on === 'application') return null
    if (UNKNOWN_CLASS.test(call.on) && call.args.length > 0) return describe(call)
    return SHELL_OBJECT.test(call.on) || PROGRAM.test(textOf(call.args[0])) ? describe(call) : null
  }

const isWeb = (text: string): boolean => /^\s*(?:https?|ftp):|^\\\\/i.test(text)

/** `XMLHTTP.Open "GET", url`, `Workbooks.Open path`, `Shell.Application.Open path`, `Open path For Output`. */
const open: Describe = ({ on, args }) => {
  if (on === '') return /output|binary|append/.test(textOf(args[1])) ? { kind: 'save', text: textOf(args[0]) } : null
  if (/xmlhttp|winhttp|^\?$/.test(on) && args.length > 1) return { kind: 'fetch', text: textOf(args[1]) }
  if (on === 'shell.application') return { kind: 'start', text: textOf(args[0]) }
  return isWeb(textOf(args[0])) ? { kind: 'fetch', text: textOf(args[0]) } : null
}

/** A text that only starts a command of Excel 4 if it names one that can. */
const excel4: Describe = ({ args: [text] }) =>
  text === undefined || /\b(?:exec|call|register)\s*\(/i.test(toText(text))
    ? { kind: 'start', text: /\bexec\s*\(\s*"([^"]*)"/i.exec(textOf(text))?.[1] ?? textOf(text) }
    : null

const followed: Describe = ({ args }) => {
  const target = textOf(args[0])
  if (isWeb(target) && !PROGRAM.test(target.split('?')[0] ?? '')) return { kind: 'fetch', text: target }
  return PROGRAM.test(target) ? { kind: 'start', text: target } : null
}

const created: Describe = ({ args: [name] }) =>
  isObject(name) || name === undefined
    ? { kind: 'object', text: GAP }
    : { kind: 'object', text: toText(name).toLowerCase() }

/** Monikers that load a script or name a server. */
const bound: Describe = ({ args }) => {
  const moniker = textOf(args[0])
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
    const isCopy = isObject(code) && /codemodule.*\.lines\b/.test(code.class)
    return { kind: isCopy ? 'replicate' : 'rewrite', text: textOf(code) }
  }

/** The program of a scheduled task. */
const scheduled: Describe = ({ on, args }) =>
  /\.actions\.create\b/.test(on) ? { kind: 'persist', text: textOf(args[0]) } : null

/** `Execute code` of a script, or the service of LibreOffice that opens files. */
const executed: Describe = ({ on, args }) => {
  if (on === '') return { kind: 'code', text: textOf(args[0]) }
  return /systemshellexecute/.test(on) ? { kind: 'start', text: joined(args[0], args[1]) } : null
}

const MEMORY =
  /^(?:virtualalloc(?:ex|2)?|virtualprotect(?:ex)?|heapcreate|heapalloc|rtlmovememory|rtlcopymemory|writeprocessmemory|createthread|createremotethread(?:ex)?|queueuserapc|setthreadcontext|ntallocatevirtualmemory|ntwritevirtualmemory|ntcreatethreadex|ntmapviewofsection|zwwritevirtualmemory|zwallocatevirtualmemory|callwindowproc[aw]?|dispcallfunc|settimer|enum\w+|graystring[aw]?|createtimerqueuetimer|certenumsystemstore|uuidfromstring[aw]?|amsiscanbuffer|loadlibrary(?:ex)?[aw]?|getprocaddress)$/

const EFFECTS: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ['shell', argument('start')],
  ['run', onShell(argument('start'))],
  ['exec', onShell(argument('start'))],
  ['create', onShell(argument('start'))],
  [
    'execmethod',
    ({ on, args }) => (/winmgmts|wbem/.test(on) ? { kind: 'start', text: joined(...args.slice(2)) } : null),
  ],
  [
    'shellexecute',
    ({ on, args }) => ({
      kind: 'start',
      text: /shell32/.test(on) ? joined(args[2], args[3]) : joined(args[0], args[1]),
    }),
  ],
  ['shellexecutea', ({ args }) => ({ kind: 'start', text: joined(args[2], args[3]) })],
  ['shellexecutew', ({ args }) => ({ kind: 'start', text: joined(args[2], args[3]) })],
  ['executeshellcommand', ({ args }) => ({ kind: 'start', text: joined(args[0], args[2]) })],
  ['winexec', argument('start')],
  ['createprocessa', ({ args }) => ({ kind: 'start', text: joined(args[0], args[1]) })],
  ['createprocessw', ({ args }) => ({ kind: 'start', text: joined(args[0], args[1]) })],
  ...['popen', 'system', 'execv', 'execl', 'execve'].map((name) => [name, argument('start')] as const),
  ['macscript', appleScript],
  ['controlpanelitem', argument('start')],
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
  ['executeglobal', argument('code')],
  ['transformnode', ({ args }) => ({ kind: 'code', text: textOf(args[0]) })],
  ['open', open],
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
  ['copyfile', argument('save', 1)],
  ['movefile', argument('save', 1)],
  ['filecopy', argument('save', 1)],
  ['name', argument('save', 1)],
  ['saveas', argument('save')],
  ['saveas2', argument('save')],
  ['savecopyas', argument('save')],
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
  ['organizercopy', argument('rewrite')],
  ['path=', scheduled],
  ['arguments=', scheduled],
  ['registertaskdefinition', argument('persist')],
  ['registertask', argument('persist', 1)],
  ['createobject', created],
  ['getobject', bound],
])

export function isTelling(name: string): boolean {
  return EFFECTS.has(name) || MEMORY.test(name)
}

/** null: nothing of interest. */
export function effectOf(call: RecordedCall): Effect | null {
  const described = EFFECTS.get(call.name)?.(call)
  if (described !== undefined) return described && { ...described, name: call.name }
  const isBytes = call.args.some(isArray)
  // Methods of objects may have the same names, such as LoadLibrary of LibreOffice.
  return call.isImported && MEMORY.test(call.name)
    ? { kind: 'memory', text: isBytes ? 'bytes' : '', name: call.name }
    : null
}
