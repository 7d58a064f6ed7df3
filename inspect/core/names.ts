/** Names found inside documents, made safe to show. They are data and never used as file paths. */

import { NAME_MAX } from './limits.ts'

// C0 and C1 controls, and the characters that change the direction of text or cannot be seen.
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

/** Archives seldom say how a name is encoded: UTF-8 when it is, else each byte a character. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  }
}

/** The member name of an object in RTF, which has none of its own. */
export const RTF_OBJECT = '(object)'
