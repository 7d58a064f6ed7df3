/** Word documents of Word 97 to 2003 under RC4: reads their streams decrypted if a given password opens them ([MS-DOC] 2.2.6). */

import type { Compound, OleEntry } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import { charge } from '#inspect/core/work.ts'
import type { Decrypt } from './default-password.ts'
import { unlockRc4 } from './workbook-ciphers.ts'

/** RC4 uses a new key for every block. */
const BLOCK_BYTES = 512
/** The beginning of the document is not encrypted, but uses key stream. */
const PLAIN_BYTES = 68
const FLAGS_AT = 10
const ENCRYPTED = 0x0100
const SECOND_TABLE = 0x0200
/** XOR, which is not supported. */
const OBFUSCATED = 0x8000
/** Work for each byte that is decrypted. */
const BYTE_WORK = 10

/** The compound file itself, unless it has exactly one encrypted document and a password opens it. */
export function withWordDecrypted(compound: Compound, passwords: readonly string[]): Compound {
  if (passwords.length === 0) return compound
  const [document, another] = compound.entries.filter((entry) => isEncryptedDocument(entry, compound))
  if (document === undefined || another !== undefined) return compound
  const flags = view(compound.read(document).bytes).readUInt16LE(FLAGS_AT)
  const inSame = (name: string): OleEntry[] =>
    compound.entries.filter((entry) => entry.parent === document.parent && entry.name.toLowerCase() === name)
  const [table, ...otherTables] = inSame(flags & SECOND_TABLE ? '1table' : '0table')
  if (table === undefined || otherTables.length > 0 || flags & OBFUSCATED) return compound
  const info = view(compound.read(table).bytes)
  for (const password of passwords) {
    const decrypt = unlockRc4(info, password, BLOCK_BYTES)
    if (decrypt !== null) return reading(compound, decrypt, document, new Set([document, table, ...inSame('data')]))
  }
  return compound
}

function isEncryptedDocument(entry: OleEntry, compound: Compound): boolean {
  if (entry.storage || entry.name.toLowerCase() !== 'worddocument' || entry.size <= PLAIN_BYTES) return false
  const { bytes } = compound.read(entry)
  return bytes.length > PLAIN_BYTES && (view(bytes).readUInt16LE(FLAGS_AT) & ENCRYPTED) !== 0
}

function reading(compound: Compound, decrypt: Decrypt, document: OleEntry, locked: ReadonlySet<OleEntry>): Compound {
  const known = new Map<OleEntry, ReturnType<Compound['read']>>()
  return {
    ...compound,
    read(entry) {
      const found = known.get(entry)
      if (found !== undefined) return found
      const stored = compound.read(entry)
      if (!locked.has(entry)) return stored
      charge(stored.bytes.length * BYTE_WORK)
      const bytes = decrypt(view(stored.bytes))
      if (entry === document) {
        view(stored.bytes).copy(bytes, 0, 0, PLAIN_BYTES)
        bytes.writeUInt16LE(bytes.readUInt16LE(FLAGS_AT) & ~ENCRYPTED, FLAGS_AT)
      }
      const plain = { ...stored, bytes }
      known.set(entry, plain)
      return plain
    },
  }
}
