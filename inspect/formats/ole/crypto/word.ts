/** Word documents of Word 97 to 2003: reads their streams decrypted if a given password opens them ([MS-DOC] 2.2.6). */

import type { Compound, OleEntry } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import { type BlockCipher, decryptBlocks, unlockRc4, unlockWordXor } from './ciphers.ts'
import type { Decrypt } from './default-password.ts'
import { overlay, type Readers, siblings, withProperties } from './overlay.ts'
import { PROPERTIES } from './properties.ts'

/** RC4 uses a new key for every block. */
const BLOCK_BYTES = 512
/** The beginning of the document is not encrypted, but uses key stream. */
const PLAIN_BYTES = 68
const FLAGS_AT = 10
const ENCRYPTED = 0x0100
const SECOND_TABLE = 0x0200
/** By XOR. */
const OBFUSCATED = 0x8000
const VERIFIER_AT = 14

/** The compound file itself, unless it has exactly one encrypted document and a password opens it. */
export function withWordDecrypted(compound: Compound, passwords: readonly string[]): Compound {
  if (passwords.length === 0) return compound
  const [document, another] = compound.entries.filter((entry) => isEncryptedDocument(entry, compound))
  if (document === undefined || another !== undefined) return compound
  const header = view(compound.read(document).bytes)
  const flags = header.readUInt16LE(FLAGS_AT)
  const [table, otherTable] = siblings(compound, document, flags & SECOND_TABLE ? '1table' : '0table')
  if (table === undefined || otherTable !== undefined) return compound
  const locked = [table, ...siblings(compound, document, 'data')]
  if (flags & OBFUSCATED) {
    const decrypt = firstOf(passwords, (password) => unlockWordXor(header.readUInt32LE(VERIFIER_AT), password))
    return decrypt === null ? compound : decrypted(compound, document, locked, decrypt)
  }
  const info = view(compound.read(table).bytes)
  const cipher = firstOf<BlockCipher>(passwords, (password) => unlockRc4(info, password))
  if (cipher === null) return compound
  const decrypt: Decrypt = (stream) => decryptBlocks(cipher, stream, BLOCK_BYTES)
  const [properties] = siblings(compound, document, PROPERTIES.office)
  return withProperties(decrypted(compound, document, locked, decrypt), properties, cipher)
}

function firstOf<T>(passwords: readonly string[], unlock: (password: string) => T | null): T | null {
  for (const password of passwords) {
    const found = unlock(password)
    if (found !== null) return found
  }
  return null
}

function isEncryptedDocument(entry: OleEntry, compound: Compound): boolean {
  if (entry.storage || entry.name.toLowerCase() !== 'worddocument' || entry.size <= PLAIN_BYTES) return false
  const { bytes } = compound.read(entry)
  return bytes.length > PLAIN_BYTES && (view(bytes).readUInt16LE(FLAGS_AT) & ENCRYPTED) !== 0
}

function decrypted(compound: Compound, document: OleEntry, others: readonly OleEntry[], decrypt: Decrypt): Compound {
  const readers: Readers = new Map(others.map((entry) => [entry, decrypt]))
  readers.set(document, (stored) => {
    const bytes = decrypt(stored)
    stored.copy(bytes, 0, 0, PLAIN_BYTES)
    bytes.writeUInt16LE(bytes.readUInt16LE(FLAGS_AT) & ~ENCRYPTED, FLAGS_AT)
    return bytes
  })
  return overlay(compound, readers)
}
