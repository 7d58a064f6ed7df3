/** Detects password protection and rights management of Office documents in compound files. */

import type { Compound } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import { PASSWORD_PROTECTED } from './default-password.ts'
import { hasFilePass, isWorkbook } from './workbook.ts'

/** The detail of the obstacle, by the names of the streams, or null. */
export function encryptionOf({ entries }: Compound): string | null {
  const has = (name: string): boolean => entries.some((entry) => !entry.storage && entry.name.toLowerCase() === name)
  if (has('\tdrmcontent')) return 'The document is protected by rights management.'
  if (has('encryptedsummary')) return PASSWORD_PROTECTED
  return null
}

/** For one stream, because embedded documents have streams with the same names. */
export function streamEncryptionOf(name: string, source: Uint8Array): string | null {
  const bytes = view(source)
  const lower = name.toLowerCase()
  if (lower === 'worddocument' && isEncryptedWord(bytes)) return 'The Word document is password-protected.'
  if (isWorkbook(name) && hasFilePass(bytes)) return 'The workbook is password-protected.'
  if (lower === 'current user' && isEncryptedPresentation(bytes)) return 'The presentation is password-protected.'
  return null
}

function isEncryptedWord(word: Buffer): boolean {
  return word.length >= 12 && (word.readUInt16LE(10) & 0x0100) !== 0
}

/** The headerToken of the CurrentUserAtom. */
function isEncryptedPresentation(user: Buffer): boolean {
  return user.length >= 16 && user.readUInt32LE(12) === 0xf3d1c4df
}
