/** Shortcuts to documents and folders, which people pack and send. */

import { findCommand } from '#inspect/commands/find.ts'
import { anyCase, pattern } from '#inspect/core/pattern.ts'
import { kindOfExtension } from '#inspect/judge/extensions.ts'
import { classifyTarget, isIpAddress, reachOf } from '#inspect/targets/targets.ts'
import { BATCH_FILES, OPENED, PATH_FILES, SETTINGS } from '#inspect/windows/extensions.ts'
import { INSTALLED, SYSTEM, SYSTEM_FOLDERS, WRITABLE, WRITABLE_VARIABLES } from '#inspect/windows/folders.ts'
import {
  BROWSERS,
  CONSOLES,
  EDITORS,
  OPENERS,
  SCRIPT_HOSTS,
  SHELLS,
  SHOWING_ARGUMENTS,
  SYSTEM_VIEWERS,
} from '#inspect/windows/programs.ts'

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
const VIEWER = anyCase`^(?:${SYSTEM}\\|${INSTALLED})(?:[^\\/]+\\)*${EDITORS}\.exe$`
const VIEWER_NAME = anyCase`^[^\\/]*\b${EDITORS}\.exe$`
/** Names of programs and scripts, and addresses, in the list of shell items. */
const DANGEROUS_ITEM = anyCase`\.${OPENED}(?![a-z])|://`
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

const PRODUCT = String.raw`${INSTALLED}(?:[\w .()+-]+\\)*`
const PROGRAM = anyCase`^${PRODUCT}([\w .+-]+)\.exe$`
/** Programs and consoles of Windows that only show something, with the arguments that they take. */
const SYSTEM_VIEWER = anyCase`^${SYSTEM}\\${SYSTEM_FOLDERS}?(?:(?:${SYSTEM_VIEWERS}|${SHELLS})\.exe|${CONSOLES}\.msc)$`
const SHOWING = SHOWING_ARGUMENTS.map(
  ([program, given]) => [anyCase`\\${[program]}\.exe$`, new RegExp(given, 'i')] as const,
)
const SYSTEM_PROGRAM = anyCase`^${SYSTEM}\\(?:system32\\)?\w+\.exe$`
/** A program or script in a folder of its own. An attacker cannot rely on it, and did not write it. */
const OWN_FOLDER = anyCase`^c:\\(?!windows\\|${WRITABLE}\\)(?:[\w .()-]+\\)+[\w .()-]+\.${PATH_FILES}$`
const BROWSER = anyCase`^${BROWSERS}$`
/** They run what they are given, or open any address. */
const OPENER = anyCase`^${OPENERS}$`
const BROWSER_ARGUMENTS =
  /^(?:--?(?:profile-directory|app-id|new-window|incognito|inprivate|private-window)(?:=(?:"[\w ]+"|\w+))?\s*)*$/i
const PLAIN_ARGUMENTS = /^[\w .,:=%"()\\/-]*$/
const LOADING = anyCase`\\\\|//|\.\.|${WRITABLE_VARIABLES}|downloads`
/** A web application, or the start page of a named server. */
const WEB_ARGUMENTS =
  /^(?:--(?:app=|new-window |kiosk ))?"?https:\/\/[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+(?:\/[\w-]+){0,3}\/?"?(?:\s+--profile-directory=(?:"[\w ]+"|\w+))?$/i
/** A program of an installed product that Java runs. */
const JAVA_ARGUMENTS = new RegExp(`^(?:-X\\w+ )*-jar "?${PRODUCT}[\\w .+-]+\\.jar"?$`, 'i')
/** Settings and data of a program, on this computer or inside the company. */
const SETTINGS_ARGUMENT = new RegExp(
  pattern`(?<=[=:\s]|^)"?(?:[a-z]:|\\\\[\w-]+)\\(?:[\w .$()-]+\\)*[\w .()-]+\.${SETTINGS}"?(?=\s|$)`,
  'gi',
)
/** A name with two dots or more. */
const SERVER_ARGUMENT = /(?<=[=:\s])[\w-]+(?:\.[\w-]+){2,}(?=\s|$)/g
/** A console that an installed product prepares by a script of its own. */
const CONSOLE = new RegExp(
  `^(?:/k|(?:-(?:noexit|nologo|noprofile|(?:ep|executionpolicy) (?:bypass|unrestricted|remotesigned))\\s+)*-(?:c|command|file))\\s+["'&. ]*${PRODUCT}[\\w .+-]+\\.(?:${BATCH_FILES.join('|')}|ps1)["']*(?:[; ]+[\\w :.-]*)*["' ]*$`,
  'i',
)
/** A program of another folder, which a console only starts there. */
const STARTED = /^\/c start "" \/d "c:\\(?!windows\\|users\\)[\w.-][^"<>|&%]{0,200}" ([\w-]+\.exe(?: [/-][\w:=.-]+)*)$/i
/** An attacker cannot rely on a file in a folder of another program. `LOADING` excludes those that everyone can write to. */
const PREPARED_CONSOLE = anyCase`^/k\s+"?c:\\(?!windows\\|users\\)(?:[\w.-]+\\)+[\w.-]+\.${BATCH_FILES}"?$`
/** A script in such a folder, with what it is given. */
const OWN_SCRIPT = anyCase`^(?:-(?:noexit|nologo|nop|noprofile|noninteractive|(?:ep|ex|exec|executionpolicy) (?:bypass|unrestricted|remotesigned))\s+)*-f(?:ile)?\s+(?:"c:\\(?!windows\\|${WRITABLE}\\)(?:[\w .-]+\\)+[\w .-]+\.ps1"|c:\\(?!windows\\|${WRITABLE}\\)(?:[\w.-]+\\)+[\w.-]+\.ps1)(?:\s+[\w:=-]+){0,8}$`
const SHELL = anyCase`(?:^|\\)${SHELLS}\.exe$|^%comspec%$`
const HIDES = /\b(?:iex|invoke|download\w*|start-\w+|hidden|enc\w*|base64|http)\b/i

/** On a file server that only computers of the company find by its name, in no share of a whole disk. */
const SERVED = String.raw`\\\\[\w-]+\\(?!(?:[a-z]|admin)\$\\)(?:[\w .$()-]+\\)+[\w .()-]+`
const SERVED_PROGRAM = anyCase`^${SERVED}\.(?:exe|${BATCH_FILES})$`
const SERVED_CONSOLE = anyCase`^/[ck]\s+(?:start\s+(?:"[\w .-]{0,40}"\s+)?(?:/(?:min|max|wait|b)\s+){0,3}|call\s+)?"?(${SERVED}\.${BATCH_FILES})"?(?:\s+(?:%\w+%|/?[\w.:-]+)){0,6}$`
/** A script with what it is given, in a window that the reader sees. */
const SERVED_SCRIPT = anyCase`^(?:-(?:noexit|nologo|nop|noprofile|noni|noninteractive|sta|(?:ep|ex|exec|executionpolicy) (?:bypass|unrestricted|remotesigned|allsigned))\s+){0,8}-f(?:ile)?\s+(?:"(${SERVED}\.ps1)"|(\\\\[\w-]+\\(?!(?:[a-z]|admin)\$\\)(?:[\w.$-]+\\)+[\w.-]+\.ps1))(?:\s+(?:-?[\w.:=-]+|"[\w .:=-]{0,60}")){0,12}$`
/** The same of the script host. */
const SERVED_HOST = anyCase`^(?://(?:nologo|b|t:\d{1,4})\s+){0,3}"?(${SERVED}\.vbs)"?(?:\s+(?:/?[\w.:=-]+|"[\w .:=-]{0,60}")){0,12}$`
const SCRIPT_HOST = anyCase`(?:^|\\)${SCRIPT_HOSTS}(?:\.exe)?$`

/** The program or script of a file server that a shortcut starts. */
function servedBy({ target }: Shortcut, text: string): string | undefined {
  if (SCRIPT_HOST.test(target)) return SERVED_HOST.exec(text)?.[1]
  if (!SHELL.test(target)) return SERVED_PROGRAM.test(target) ? target : undefined
  const [, quoted, bare] = SERVED_SCRIPT.exec(text) ?? []
  return quoted ?? bare ?? SERVED_CONSOLE.exec(text)?.[1]
}

/** A program or script of the company, as administrators put it on desktops. */
export function startsServed(shortcut: Shortcut, name: string): boolean {
  const { target, icon, isPlain } = shortcut
  const text = shortcut.arguments.trim()
  const served = servedBy(shortcut, text)
  if (!isPlain || served === undefined || isDisguised(name)) return false
  if (served === target && (!PLAIN_ARGUMENTS.test(text) || LOADING.test(text) || HIDES.test(text))) return false
  return [served, icon].every((path) => {
    const { host, isRemote } = classifyTarget(path)
    return !isRemote || (!isIpAddress(host) && reachOf(host) === 'company')
  })
}

/** Named as a document. */
const isDisguised = (name: string): boolean => kindOfExtension(extensionOf(name.replace(/\.lnk$/i, ''))) !== null

/** A program in the folders for installed ones or of Windows, or a console with one of their scripts. */
export function startsInstalled(shortcut: Shortcut, name: string): boolean {
  const { targets, target, icon, isPlain } = shortcut
  const isHidden = shortcut.isMinimized || isDisguised(name)
  if (!isPlain || target === '' || isHidden || classifyTarget(icon).isRemote) return false
  const text = shortcut.arguments.trim()
  const programs = targets.map((path) => PROGRAM.exec(path)?.[1] ?? path.replace(/^.*\\|\.exe$/gi, ''))
  const isOne = new Set(programs.map((each) => each.toLowerCase())).size === 1
  if (isOne && (startsSystem(target, text, name) || (text === '' && targets.every(isInOwnFolder)))) return true
  const isInstalled = isOne && targets.some((path) => PROGRAM.test(path))
  return SHELL.test(target) ? isPreparedConsole(text) : isInstalled && isPlainUse(programs[0] ?? '', text)
}

function isPreparedConsole(text: string): boolean {
  if (LOADING.test(text) || HIDES.test(text)) return false
  const started = STARTED.exec(text)?.[1]
  if (started !== undefined) return findCommand(started) === null
  return [CONSOLE, PREPARED_CONSOLE, OWN_SCRIPT].some((each) => each.test(text))
}

function isPlainUse(program: string, given: string): boolean {
  if (isKnownUse(program, given)) return true
  const text = given.replace(SETTINGS_ARGUMENT, '')
  if (LOADING.test(text) || HIDES.test(text)) return false
  if (OPENER.test(program) || /\.\w{2,4}(?:["\s]|$)/.test(text.replace(SERVER_ARGUMENT, ''))) return false
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
  if (SYSTEM_VIEWER.test(target)) return text === ''
  const isSystem = SYSTEM_PROGRAM.test(target)
  return isSystem && SHOWING.some(([program, given]) => program.test(target) && given.test(text))
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
