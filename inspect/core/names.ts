/** Makes member names safe to display. They are never used as file paths. */

import { NAME_MAX } from './limits.ts'

// C0 and C1 controls, bidirectional overrides and invisible characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

export function safeName(name: string): string {
  const shown = name
    .slice(0, NAME_MAX * 4)
    .replace(UNSAFE, '')
    .toWellFormed()
  return shown.length > NAME_MAX ? `${shown.slice(0, NAME_MAX - 1).toWellFormed()}…` : shown || '(no name)'
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** UTF-8 if valid, otherwise Latin-1: archives rarely declare the encoding of names. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  }
}

/** Name of a member that is the same file, read in another way. */
export const READING = /^\(.*\)$/

/** Of those, the same text in another encoding. */
export const AS_UTF8 = '(as UTF-8)'

/** Member name of an RTF object. The OLE analyser recognises such objects by it. */
export const RTF_OBJECT = '(object)'

/** The stream of an OLE 1 object or package. */
export const NATIVE_STREAM = /ole10native$/i

/** End of the name of a member with the source of a macro. */
export const MACRO_SOURCE = ' (source)'
