/** Whether an Office document in a compound file needs a password: Word, Excel, PowerPoint and encrypted packages. */

import { view } from '../../bytes.ts'
import type { Compound, OleEntry } from './compound.ts'

const FILE_PASS = 0x002f
const BEGINNING_OF_FILE = new Set([0x0009, 0x0209, 0x0409, 0x0809])
const RECORDS_MAX = 64

/** How it is encrypted, in words, or null. */
export function encryptionOf(compound: Compound): string | null {
  const named = (name: string): OleEntry | undefined =>
    compound.entries.find((entry) => !entry.storage && entry.name.toLowerCase() === name)
  const read = (entry: OleEntry | undefined): Buffer | null =>
    entry === undefined ? null : view(compound.read(entry).bytes)

  if (named('encryptedpackage') !== undefined) return 'The document is protected by a password.'
  if (named('\tdrmcontent') !== undefined) return 'The document is protected by rights management.'
  if (named('encryptedsummary') !== undefined) return 'The document is protected by a password.'
  const word = read(named('worddocument'))
  if (word !== null && isEncryptedWord(word)) return 'The Word document is protected by a password.'
  for (const name of ['workbook', 'book']) {
    const book = read(named(name))
    if (book !== null && hasFilePass(book)) return 'The workbook is protected by a password.'
  }
  const user = read(named('current user'))
  // The token of an encrypted presentation, in the atom that names its newest edit.
  if (user !== null && user.length >= 16 && user.readUInt32LE(12) === 0xf3d1c4df)
    return 'The presentation is protected by a password.'
  return null
}

function isEncryptedWord(word: Buffer): boolean {
  return word.length >= 12 && (word.readUInt16LE(10) & 0x0100) !== 0
}

/** The record stands among the first ones, because all after it are encrypted. */
function hasFilePass(book: Buffer): boolean {
  let at = 0
  for (let i = 0; i < RECORDS_MAX && at + 4 <= book.length; i++) {
    const type = book.readUInt16LE(at)
    if (i === 0 && !BEGINNING_OF_FILE.has(type)) return false
    if (type === FILE_PASS) return true
    at += 4 + book.readUInt16LE(at + 2)
  }
  return false
}
