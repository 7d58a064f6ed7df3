/** Shortcuts to documents and folders, which people pack and send. */

import { kindOfExtension } from '#inspect/judge/extensions.ts'
import { classifyTarget, reachOf } from '#inspect/judge/targets.ts'

export interface Shortcut {
  /** The one that Explorer opens. */
  target: string
  /** Every path that the file names as its target. */
  targets: readonly string[]
  arguments: string
  icon: string
  isFolder: boolean
  /** Its window is shown as an icon only, which hides a console. */
  isMinimized: boolean
  /** The list of shell items, as text. */
  items: string
  /** Read to its end, with nothing after it and no block that replaces the target otherwise. */
  isPlain: boolean
}

const MEDIA = /^(?:mp[34g]|m4[av]|mpe?g|mov|avi|wmv|wma|wav|webm|mkv|ogg|flac|dwg|dxf|psd|ai|indd|mpp|vsdx?|bak|dat)$/
/** Programs that show or edit the file they are given, where Windows and Office install them. */
const VIEWER =
  /^(?:%(?:systemroot|windir|programfiles(?:\(x86\))?)%|[a-z]:\\(?:windows|program files(?: \(x86\))?))\\(?:[^\\/]+\\)*(?:notepad|wordpad|write|mspaint|winword|excel|powerpnt|acrord32|acrobat|explorer)\.exe$/i
const VIEWER_NAME =
  /^[^\\/]*\b(?:notepad|wordpad|write|mspaint|winword|excel|powerpnt|acrord32|acrobat|explorer)\.exe$/i
/** Names of programs and scripts, and addresses, in the list of shell items. */
const DANGEROUS_ITEM =
  /\.(?:exe|com(?![a-z])|scr|pif|bat|cmd|vb[es]|jse?(?!on)|ws[fh]|hta|ps1|dll|cpl|ms[cip]|lnk|url|jar|chm)|:\/\//i
/** Folders of the control panel, whose items are programs. */
const CONTROL_PANELS = ['2020ec21ea3a6910a2dd08002b30309d', '6806ee260aa0d7449371beb064c98683'].map((digits) =>
  Buffer.from(digits, 'hex').toString('latin1'),
)

/** A document, picture or folder on this computer or inside the company, or one that an editor opens. */
export function opensDocument(shortcut: Shortcut, name: string): boolean {
  const { targets, items, icon, isPlain } = shortcut
  if (!isPlain || targets.length === 0 || classifyTarget(icon).isRemote) return false
  if (CONTROL_PANELS.some((folder) => items.includes(folder))) return false
  const program = targets.find((path) => VIEWER.test(path))
  if (program !== undefined)
    return targets.every((path) => VIEWER_NAME.test(path.split(/[\\/]/).at(-1) ?? '')) && isDocument(shortcut.arguments)
  const isTrusted = shortcut.arguments.trim() === '' && targets.every((path) => isDocumentPath(path, shortcut.isFolder))
  return isTrusted && !DANGEROUS_ITEM.test(items.replaceAll('\0', '')) && isNamedAlike(name, targets[0] ?? '')
}

const INSTALLED = String.raw`(?:%(?:programfiles(?:\(x86\))?|programw6432)%|[a-z]:\\program files(?: \(x86\))?)\\(?:[\w .()+-]+\\)*`
const PROGRAM = new RegExp(`^${INSTALLED}([\\w .+-]+)\\.exe$`, 'i')
/** Programs that run what they are given, and those that open any address. */
const INTERPRETER =
  /^(?:node|pythonw?\d*|javaw?|perl|ruby|php|bash|sh|git-bash|git-cmd|autohotkey\w*|autoit\w*|tclsh|wish|ssh|curl|wscript|cscript|mshta|powershell\w*|pwsh|cmd|wab|hh|msbuild|electron|msdeploy|vncviewer)$/i
/** Programs and consoles of Windows that only show something, with the arguments that they take. */
const SYSTEM =
  /^(?:%(?:systemroot|windir)%|c:\\windows)\\(?:system32\\)?(?:(?:mspaint|notepad|write|taskmgr|snippingtool|charmap|osk|magnify|cleanmgr|dfrgui|eventvwr|perfmon|regedit|msinfo32|winver|stikynot|cmd|windowspowershell\\v1\.0\\powershell)\.exe|(?:devmgmt|services|compmgmt|diskmgmt|eventvwr|gpedit|secpol|lusrmgr|taskschd|printmanagement|dsa|gpmc|dhcpmgmt|dnsmgmt)\.msc)$/i
const SYSTEM_WITH_ARGUMENTS: readonly (readonly [program: RegExp, given: RegExp])[] = [
  [/\\mstsc\.exe$/i, /^(?:\/(?:v:[\w.-]+(?::\d+)?|f|admin|w:\d+|h:\d+|span|multimon)\s*)*$/i],
  [/\\mmc\.exe$/i, /^"?(?:(?:%windir%|%systemroot%|c:\\windows)\\system32\\)?\w+\.msc"?(?: \/[\w=.:-]+)*$/i],
  [/\\control\.exe$/i, /^(?:\/name microsoft\.\w+|printers|userpasswords2?)?$/i],
  [
    /\\explorer\.exe$/i,
    /^"?(?:[a-z]:\\[\w .()\\-]*|shell:(?:downloads|personal|desktop|recyclebinfolder|startup))"?$/i,
  ],
  [/\\(?:shutdown|rundll32)\.exe$/i, /^(?:[/-][srlh](?: [/-][tf](?: \d+)?)*|user32\.dll,LockWorkStation)$/i],
]
/** A program or script in a folder of its own. An attacker cannot rely on it, and did not write it. */
const OWN_FOLDER =
  /^c:\\(?!windows\\|users\\|programdata\\|temp\\|tmp\\|perflogs\\)(?:[\w .()-]+\\)+[\w .()-]+\.(?:exe|bat|cmd)$/i
const BROWSER = /^(?:iexplore|chrome|msedge|firefox|brave|opera)$/i
const BROWSER_ARGUMENTS =
  /^(?:--?(?:profile-directory|app-id|new-window|incognito|inprivate|private-window)(?:=(?:"[\w ]+"|\w+))?\s*)*$/i
const PLAIN_ARGUMENTS = /^[\w .,:=%"()\\/-]*$/
const LOADING = /\\\\|\/\/|\.\.|temp|appdata|programdata|public|downloads/i
/** A web application, or the start page of a named server. */
const WEB_ARGUMENTS =
  /^(?:--(?:app=|new-window |kiosk ))?"?https:\/\/[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+(?:\/[\w-]+){0,3}\/?"?(?:\s+--profile-directory=(?:"[\w ]+"|\w+))?$/i
/** A program of an installed product that Java runs. */
const JAVA_ARGUMENTS = new RegExp(`^(?:-X\\w+ )*-jar "?${INSTALLED}[\\w .+-]+\\.jar"?$`, 'i')
/** Settings and data of a program, on this computer or inside the company. */
const SETTINGS_ARGUMENT =
  /(?<=[=:\s]|^)"?(?:[a-z]:|\\\\[\w-]+)\\(?:[\w .$()-]+\\)*[\w .()-]+\.(?:ini|cfg|conf|config|properties|xml|json|sap|txt|csv|xlsx?|docx?|pdf|mdb|accdb)"?(?=\s|$)/gi
/** A name with two dots or more. */
const SERVER_ARGUMENT = /(?<=[=:\s])[\w-]+(?:\.[\w-]+){2,}(?=\s|$)/g
/** A console that an installed product prepares by a script of its own. */
const CONSOLE = new RegExp(
  `^(?:/k|(?:-(?:noexit|nologo|noprofile|(?:ep|executionpolicy) (?:bypass|unrestricted|remotesigned))\\s+)*-(?:c|command|file))\\s+["'&. ]*${INSTALLED}[\\w .+-]+\\.(?:bat|cmd|ps1)["']*(?:[; ]+[\\w :.-]*)*["' ]*$`,
  'i',
)
/** An attacker cannot rely on a file in a folder of another program. `LOADING` excludes those that everyone can write to. */
const PREPARED_CONSOLE = /^\/k\s+"?c:\\(?!windows\\|users\\)(?:[\w.-]+\\)+[\w.-]+\.(?:bat|cmd)"?$/i
const SHELL = /(?:^|\\)(?:cmd|powershell|pwsh)\.exe$|^%comspec%$/i
const HIDES = /\b(?:iex|invoke|download\w*|start-\w+|hidden|enc\w*|base64|http)\b/i

/** A program in the folders for installed ones or of Windows, or a console with one of their scripts. */
export function startsInstalled(shortcut: Shortcut, name: string): boolean {
  const { targets, target, icon, isPlain } = shortcut
  const isDisguised = kindOfExtension(extensionOf(name.replace(/\.lnk$/i, ''))) !== null || shortcut.isMinimized
  if (!isPlain || target === '' || isDisguised || classifyTarget(icon).isRemote) return false
  const text = shortcut.arguments.trim()
  const programs = targets.map((path) => PROGRAM.exec(path)?.[1] ?? path.replace(/^.*\\|\.exe$/gi, ''))
  const isOne = new Set(programs.map((each) => each.toLowerCase())).size === 1
  if (isOne && (startsSystem(target, text, name) || (text === '' && targets.every(isInOwnFolder)))) return true
  const isInstalled = isOne && targets.some((path) => PROGRAM.test(path))
  return SHELL.test(target) ? isPreparedConsole(text) : isInstalled && isPlainUse(programs[0] ?? '', text)
}

function isPreparedConsole(text: string): boolean {
  return !LOADING.test(text) && !HIDES.test(text) && (CONSOLE.test(text) || PREPARED_CONSOLE.test(text))
}

function isPlainUse(program: string, given: string): boolean {
  if (isKnownUse(program, given)) return true
  const text = given.replace(SETTINGS_ARGUMENT, '')
  if (LOADING.test(text) || HIDES.test(text)) return false
  if (INTERPRETER.test(program) || /\.\w{2,4}(?:["\s]|$)/.test(text.replace(SERVER_ARGUMENT, ''))) return false
  return (BROWSER.test(program) ? BROWSER_ARGUMENTS : PLAIN_ARGUMENTS).test(text)
}

/** An installed browser with a page, or Java with an installed product. */
function isKnownUse(program: string, text: string): boolean {
  if (BROWSER.test(program)) return WEB_ARGUMENTS.test(text)
  return /^javaw?$/i.test(program) && JAVA_ARGUMENTS.test(text)
}

function isInOwnFolder(path: string): boolean {
  return OWN_FOLDER.test(path.replace(/^(?:\.\.\\)+/, 'c:\\')) || !/[\\/]/.test(path)
}

/** Papers are a pretext for any program. */
const PAPER = /invoice|document|scan|order|payment|report|\bcv\b|resume|contract|rechnung|bestellung|facture|factura/i

function startsSystem(target: string, text: string, name: string): boolean {
  if (PAPER.test(name)) return false
  if (SYSTEM.test(target)) return text === ''
  const isSystem = /^(?:%(?:systemroot|windir)%|c:\\windows)\\(?:system32\\)?\w+\.exe$/i.test(target)
  return isSystem && SYSTEM_WITH_ARGUMENTS.some(([program, given]) => program.test(target) && given.test(text))
}

/** Switches of Office for a new window and for reading only. */
const OFFICE_SWITCHES = /^(?:\/[enrxtw] +)+(?=")/i

/** The argument of an editor: nothing, or one path without other switches. */
function isDocument(text: string): boolean {
  const path = text
    .trim()
    .replace(OFFICE_SWITCHES, '')
    .replace(/^"([^"]*)"$/, '$1')
  return path === '' || (!/["|&<>^;]|(?:^|\s)[/-]\w/.test(path) && isDocumentPath(path, false))
}

function isDocumentPath(path: string, isFolder: boolean): boolean {
  const { kind, host } = classifyTarget(path)
  if (kind === 'share' && (reachOf(host) === 'internet' || /@|davwwwroot/i.test(path))) return false
  if (kind !== 'share' && kind !== 'file' && kind !== 'relative') return false
  if (isFolder) return true
  const extension = extensionOf(path)
  if (extension === '') return kind === 'share'
  return MEDIA.test(extension) || kindOfExtension(extension)?.severity === 'notice'
}

function extensionOf(path: string): string {
  return (/\.([^.\\/\s]+)[.\s]*$/.exec(path)?.[1] ?? '').toLowerCase()
}

/** Windows names shortcuts after their targets. `invoice.pdf.lnk` to anything else is a disguise. */
function isNamedAlike(name: string, target: string): boolean {
  const shown = extensionOf(name.replace(/\.lnk$/i, ''))
  return kindOfExtension(shown) === null || shown === extensionOf(target)
}
