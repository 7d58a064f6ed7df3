/** Detects password protection and rights management of Office documents in compound files. */

import type { Compound } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import { PASSWORD_PROTECTED } from './default-password.ts'
import { PROPERTIES } from './properties.ts'
import { isEncryptedPresentation, lockedSlidesOf } from './slides.ts'
import { hasFilePass, isWorkbook } from './workbook.ts'

const LOCKED = { reason: 'locked', detail: PASSWORD_PROTECTED } as const
const MANAGED = { reason: 'encrypted', detail: 'The document is protected by rights management.' } as const

/** The obstacle, by the streams, or null. */
export function encryptionOf(compound: Compound): typeof LOCKED | typeof MANAGED | null {
  const has = (name: string): boolean =>
    compound.entries.some((entry) => !entry.storage && entry.name.toLowerCase() === name)
  if (has('\tdrmcontent')) return MANAGED
  if (has(PROPERTIES.slides)) return LOCKED
  if (has(PROPERTIES.office) && has('worddocument')) return LOCKED
  return lockedSlidesOf(compound).length > 0 ? LOCKED : null
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
