/** Whether an Office document in a compound file needs a password: Word, Excel, PowerPoint, and rights management. */

import { view } from '../../bytes.ts'
import type { Compound } from './compound.ts'

const FILE_PASS = 0x002f
const BEGINNING_OF_FILE = new Set([0x0009, 0x0209, 0x0409, 0x0809])

/** How it is encrypted by the names of its streams, in words, or null. */
export function encryptionOf({ entries }: Compound): string | null {
  const has = (name: string): boolean => entries.some((entry) => !entry.storage && entry.name.toLowerCase() === name)
  if (has('\tdrmcontent')) return 'The document is protected by rights management.'
  if (has('encryptedsummary')) return 'The document is protected by a password.'
  return null
}

/** How one stream is encrypted, in words, or null. Documents in documents have streams of the same names. */
export function streamEncryptionOf(name: string, source: Uint8Array): string | null {
  const bytes = view(source)
  const lower = name.toLowerCase()
  if (lower === 'worddocument' && isEncryptedWord(bytes)) return 'The Word document is protected by a password.'
  if ((lower === 'workbook' || lower === 'book') && hasFilePass(bytes))
    return 'The workbook is protected by a password.'
  if (lower === 'current user' && isEncryptedPresentation(bytes)) return 'The presentation is protected by a password.'
  return null
}

function isEncryptedWord(word: Buffer): boolean {
  return word.length >= 12 && (word.readUInt16LE(10) & 0x0100) !== 0
}

/** The token of an encrypted presentation, in the atom that names its newest edit. */
function isEncryptedPresentation(user: Buffer): boolean {
  return user.length >= 16 && user.readUInt32LE(12) === 0xf3d1c4df
}

/** The record should stand among the first ones, because all after it are encrypted. Their headers never are. */
function hasFilePass(book: Buffer): boolean {
  if (book.length < 4 || !BEGINNING_OF_FILE.has(book.readUInt16LE(0))) return false
  for (let at = 0; at + 4 <= book.length; at += 4 + book.readUInt16LE(at + 2))
    if (book.readUInt16LE(at) === FILE_PASS) return true
  return false
}
