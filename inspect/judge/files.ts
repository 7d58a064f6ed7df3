/** Tells from the name and the bytes of an attached file what opening it would do. */

import { factType } from '#inspect/core/facts.ts'
import type { Severity } from '#inspect/core/findings.ts'
import type { Item } from '#inspect/core/format.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { roleOf } from '#inspect/detect/magic.ts'
import { binaryType, HEAD_BYTES, sniff } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { findProgram } from '#inspect/detect/windows-program.ts'
import { type FileKind, IMITATED, PAGES } from '#inspect/windows/extensions.ts'
import { kindOfExtension } from './extensions.ts'

/** Of a script, shortcut or registry file: whether it was understood to its end, and does only what people do on purpose. */
export const EVERYDAY = factType<boolean>('everyday file')

export interface JudgedFile {
  kind: FileKind
  /** Of a file attached on its own. In an archive of software, programs and scripts are ordinary. */
  severity: Severity
  /** Opening it runs code: the severity is malicious. */
  isDangerous: boolean
  /** How the name hides the true extension. */
  disguise: 'doubleExtension' | 'reversed' | null
}

const RANK: Record<Severity, number> = { notice: 0, suspicious: 1, malicious: 2 }

/** `name` must be the original one, with its control characters. */
export function judgeFile(name: string, bytes: Uint8Array): JudgedFile {
  const named = kindOfExtension(extensionOf(name))
  const content = judgeContent(bytes)
  const { kind, severity } = combine(named, content)
  const isDangerous = severity === 'malicious'
  return { kind, severity, isDangerous, disguise: severity === 'notice' ? null : disguiseOf(name) }
}

interface Judged {
  kind: FileKind
  severity: Severity
}

function combine(named: Judged | null, content: Judged | null): Judged {
  if (named === null) return content ?? { kind: 'data', severity: 'notice' }
  if (content === null) return named
  // Windows starts a program by its name: other content under such a name is an error message, or an attempt that failed.
  if (content.severity === 'notice' && named.kind === 'program' && content.kind !== 'text')
    return { kind: content.kind, severity: 'suspicious' }
  return RANK[content.severity] > RANK[named.severity] ? content : named
}

/** Windows ignores dots and spaces at the end of a name, and everything after a colon is a stream of the file. */
function extensionOf(name: string): string {
  const base = (name.split(/[\\/]/).at(-1) ?? '').replace(/(?<=.)::?\$?\w*$/, '').replace(INVISIBLE, '')
  return (/\.([^.\s]+)[.\s]*$/.exec(base)?.[1] ?? '').toLowerCase()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: names may contain any character.
const INVISIBLE = /[\u0000-\u001f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const REVERSING = /[\u202a-\u202e\u2066-\u2069]/
/** Of a document, before the last extension: at the end, or before white space and anything. */
const DOCUMENT_EXTENSION = anyCase`\.${IMITATED}(?:[\s_.]*$|\s)`
const LAST_EXTENSION = /\.[^.\s]+[.\s]*$/

/** A program, script or shortcut whose name is shown backwards, so that it seems to end otherwise. */
export function isReversedProgram(name: string): boolean {
  return /[\u202d\u202e]/.test(name) && kindOfExtension(extensionOf(name))?.severity === 'malicious'
}

function disguiseOf(name: string): JudgedFile['disguise'] {
  if (REVERSING.test(name)) return 'reversed'
  const last = LAST_EXTENSION.exec(name)
  const isDouble = last !== null && DOCUMENT_EXTENSION.test(name.slice(0, last.index))
  return isDouble || /\s{8}\.[^.\s]+$/.test(name) ? 'doubleExtension' : null
}

const DISK_IMAGE = /iso9660|udf-image|vhdx?$|vmdk|vdi|qcow|diskimage|wim|iso-compressed|raw-disk|parallels/

function judgeContent(bytes: Uint8Array): Judged | null {
  if (bytes.length === 0) return { kind: 'data', severity: 'notice' }
  const type = binaryType(bytes)
  if (type !== null) return judgeBinary(type, bytes)
  const { kind } = sniff(bytes.subarray(0, HEAD_BYTES), bytes)
  if (kind === 'zip') return { kind: 'archive', severity: 'notice' }
  if (kind !== null && kind !== 'text') return { kind: 'document', severity: 'notice' }
  const encoding = kind === 'text' ? encodingOf(bytes.subarray(0, HEAD_BYTES)) : null
  return encoding === null ? null : judgeText(decodeText(bytes.subarray(0, HEAD_BYTES), encoding))
}

function judgeBinary(type: string, bytes: Uint8Array): Judged | null {
  if (type === 'application/x-ms-shortcut') return { kind: 'shortcut', severity: 'malicious' }
  if (type === 'application/vnd.ms-htmlhelp') return { kind: 'script', severity: 'suspicious' }
  // `MZ` alone may be chance.
  if (type === 'application/x-dosexec')
    return findProgram(bytes) === 0 ? { kind: 'program', severity: 'malicious' } : null
  const role = roleOf(type)
  if (role === 'executable') return { kind: 'program', severity: 'malicious' }
  if (DISK_IMAGE.test(type)) return { kind: 'diskImage', severity: 'suspicious' }
  if (role === 'archive') return { kind: 'archive', severity: 'notice' }
  return { kind: type.startsWith('image/') ? 'picture' : 'data', severity: 'notice' }
}

/** Texts that programs other than editors open. Whether they do harm depends on what follows. */
const TEXTS: readonly (readonly [pattern: RegExp, kind: FileKind, severity: Severity])[] = [
  [/^#@~\^[\w+/]{6}==/, 'script', 'malicious'],
  [/<hta:application[\s/>]/i, 'script', 'malicious'],
  [/^\s*\[(?:InternetShortcut|Desktop Entry)\]/i, 'link', 'suspicious'],
  [/^\s*\[Shell\]\s*\r?\nCommand=/i, 'shortcut', 'malicious'],
  [/^\s*(?:<\?xml[^>]*>\s*)?<(?:libraryDescription|searchConnectorDescription)[\s>]/i, 'link', 'suspicious'],
  [/^\s*(?:<\?xml[^>]*>\s*)?<(?:PCSettings|MMC_ConsoleFile|jnlp)[\s>]/i, 'shortcut', 'malicious'],
  [/^\s*(?:<\?xml[^>]*>\s*)?<(?:\?xml[^>]*>|scriptlet|package|job)[\s>][\s\S]*<script[\s>]/i, 'script', 'suspicious'],
  [/^\s*(?:Windows Registry Editor Version|REGEDIT4)/i, 'script', 'malicious'],
  [/^WEB\r?\n1\r?\n/i, 'link', 'suspicious'],
  [/^(?:screen mode id:i|full address:s):/im, 'link', 'suspicious'],
  [/^\s*@echo off\b/i, 'script', 'suspicious'],
  [/^#!\s*\//, 'script', 'suspicious'],
  [/^\s*(?:<!doctype html|<html|<svg)[\s>]/i, 'page', 'notice'],
]

function judgeText(text: string): Judged {
  const found = TEXTS.find(([pattern]) => pattern.test(text.replace(/^\uFEFF/, '')))
  return found === undefined ? { kind: 'text', severity: 'notice' } : { kind: found[1], severity: found[2] }
}

/** Names under which a browser or script host opens a text as a page. */
const PAGE_NAME = anyCase`\.${PAGES}[.\s]*$`

/**
 * A text whose beginning and name are not those of a page. Under another name, a page still runs no script that has no
 * end: in a text about scripts, everything after the first mention of the tag would be one.
 */
export function isNoPage({ sniffed, name }: Pick<Item, 'sniffed' | 'name'>): boolean {
  return sniffed.type === 'text/plain' && name !== null && !PAGE_NAME.test(name)
}
