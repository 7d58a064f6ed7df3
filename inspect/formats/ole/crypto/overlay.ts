/** A compound file in which encrypted streams read as decrypted ones. */

import type { Compound, OleEntry } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import { charge } from '#inspect/core/work.ts'
import type { BlockCipher } from './ciphers.ts'
import { decryptProperties } from './properties.ts'

/** Work for each byte that is decrypted. */
const BYTE_WORK = 10

/** The content of an entry, from its stored bytes. */
export type Readers = Map<OleEntry, (stored: Buffer) => Buffer>

/** The streams in the same storage with this name, which is in lower case. */
export function siblings({ entries }: Compound, { parent }: OleEntry, name: string): OleEntry[] {
  return entries.filter((entry) => !entry.storage && entry.parent === parent && entry.name.toLowerCase() === name)
}

export function overlay(compound: Compound, readers: Readers): Compound {
  const known = new Map<OleEntry, ReturnType<Compound['read']>>()
  return {
    ...compound,
    read(entry) {
      const found = known.get(entry)
      if (found !== undefined) return found
      const stored = compound.read(entry)
      const read = readers.get(entry)
      if (read === undefined) return stored
      charge(stored.bytes.length * BYTE_WORK)
      const plain = { ...stored, bytes: read(view(stored.bytes)) }
      known.set(entry, plain)
      return plain
    },
  }
}

/** Replaces the stream of encrypted properties by those in it. It stays if it cannot be decrypted. */
export function withProperties(compound: Compound, entry: OleEntry | undefined, cipher: BlockCipher): Compound {
  const streams = entry && decryptProperties(view(compound.read(entry).bytes), cipher)
  if (entry === undefined || !streams) return compound
  const added = new Map(streams.map((stream) => [{ ...entry, name: stream.name, size: stream.size }, stream]))
  return {
    entries: [...compound.entries.filter((other) => other !== entry), ...added.keys()],
    read(other) {
      const stream = added.get(other)
      return stream === undefined ? compound.read(other) : { bytes: stream.read(), broken: false }
    },
  }
}
