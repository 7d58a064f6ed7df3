/** Whether an Office document in a compound file needs a password: Word, Excel, PowerPoint, and rights management. */

import type { Compound } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import { hasFilePass } from './workbook.ts'

/** How it is encrypted by the names of its streams, in words, or null. */
export function encryptionOf({ entries }: Compound): string | null {
  const has = (name: string): boolean => entries.some((entry) => !entry.storage && entry.name.toLowerCase() === name)
  if (has('\tdrmcontent')) return 'The document is protected by rights management.'
  if (has('encryptedsummary')) return 'The document is password-protected.'
  return null
}

/** How one stream is encrypted, in words, or null. Documents in documents have streams of the same names. */
export function streamEncryptionOf(name: string, source: Uint8Array): string | null {
  const bytes = view(source)
  const lower = name.toLowerCase()
  if (lower === 'worddocument' && isEncryptedWord(bytes)) return 'The Word document is password-protected.'
  if (isBook(name) && hasFilePass(bytes)) return 'The workbook is password-protected.'
  if (lower === 'current user' && isEncryptedPresentation(bytes)) return 'The presentation is password-protected.'
  return null
}

/** Whether a stream of this name is a workbook of Excel 5 to 2003. */
export function isBook(name: string): boolean {
  return /^(?:work)?book$/i.test(name)
}

function isEncryptedWord(word: Buffer): boolean {
  return word.length >= 12 && (word.readUInt16LE(10) & 0x0100) !== 0
}

/** The token of an encrypted presentation, in the atom that names its newest edit. */
function isEncryptedPresentation(user: Buffer): boolean {
  return user.length >= 16 && user.readUInt32LE(12) === 0xf3d1c4df
}
