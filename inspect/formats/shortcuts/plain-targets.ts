/** Shortcuts to documents and folders, which people pack and send. */

import { kindOfExtension } from '#inspect/judge/extensions.ts'
import { classifyTarget, isPublicHost } from '#inspect/judge/targets.ts'

export interface Shortcut {
  /** The one that Explorer opens. */
  target: string
  /** Every path that the file names as its target. */
  targets: readonly string[]
  arguments: string
  icon: string
  isFolder: boolean
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

/** The argument of an editor: nothing, or one path without switches. */
function isDocument(text: string): boolean {
  const path = text.trim().replace(/^"([^"]*)"$/, '$1')
  return path === '' || (!/["|&<>^;]|(?:^|\s)[/-]\w/.test(path) && isDocumentPath(path, false))
}

function isDocumentPath(path: string, isFolder: boolean): boolean {
  const { kind, host } = classifyTarget(path)
  if (kind === 'share' && (isPublicHost(host) || /@|davwwwroot/i.test(path))) return false
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
