/** Finds which of tens of thousands of byte strings occur in a stream, ignoring ASCII case, in one pass. */

import { charge } from '#inspect/core/work.ts'
import { LITERAL_BYTES_MIN } from './pattern-literals.ts'

/** A literal, and the numbers of the patterns that need it. */
interface Entry {
  bytes: Uint8Array
  patterns: number[]
  /** Where in the literal its anchor begins. */
  offset: number
  anchor: number
}

interface LiteralIndex {
  /** Numbers of the patterns of which a literal occurs. */
  find(bytes: Uint8Array): Set<number>
}

const ANCHOR = LITERAL_BYTES_MIN
/** ORed in to ignore ASCII case. It also merges other bytes, which the full comparison tells apart. */
const FOLD_WORD = 0x2020_2020
/** A bitmap that fits the cache of a core, in which few bits are set. */
const FILTER_BITS = 20
const TABLE_BITS = 16

/** Work for each byte, for each place whose word is in the filter, and for each literal with this hash or anchor. */
const BYTE_WORK = 5
const PLACE_WORK = 30
const CHAIN_WORK = 5
const COMPARE_WORK = 40

const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte))

/** One list of literals per pattern, as Latin-1 text; null for patterns that cannot be found by literals. */
export function createLiteralIndex(patterns: readonly (readonly string[] | null)[]): LiteralIndex {
  const entries = entriesOf(patterns)
  const filter = new Int32Array(1 << (FILTER_BITS - 5))
  // Chains of entries by the hash of their anchor: numbers of the first and the next entry, counted from one.
  const first = new Int32Array(1 << TABLE_BITS)
  const next = new Int32Array(entries.length + 1)
  const counts = new Map<number, number>()
  for (const [index, entry] of entries.entries()) {
    Object.assign(entry, anchorOf(entry.bytes, counts))
    counts.set(entry.anchor, (counts.get(entry.anchor) ?? 0) + 1)
    const hash = hashOf(entry.anchor)
    const bit = hash >>> (32 - FILTER_BITS)
    filter[bit >>> 5] = (filter[bit >>> 5] as number) | (1 << (bit & 31))
    next[index + 1] = first[hash >>> (32 - TABLE_BITS)] as number
    first[hash >>> (32 - TABLE_BITS)] = index + 1
  }
  const anchors = Int32Array.from([0, ...entries.map(({ anchor }) => anchor)])

  function addMatches(word: number, bytes: Uint8Array, at: number, found: Set<Entry>): void {
    const anchor = word | FOLD_WORD
    let work = PLACE_WORK
    for (
      let number = first[hashOf(word) >>> (32 - TABLE_BITS)] as number;
      number > 0;
      number = next[number] as number
    ) {
      work += CHAIN_WORK
      if (anchors[number] !== anchor) continue
      work += COMPARE_WORK
      const entry = entries[number - 1] as Entry
      if (matchesAt(bytes, at - entry.offset, entry.bytes)) found.add(entry)
    }
    charge(work)
  }

  const isSet = (word: number): number => {
    const bit = hashOf(word) >>> (32 - FILTER_BITS)
    // The shift takes the lowest five bits of its right side.
    return ((filter[bit >>> 5] as number) >>> bit) & 1
  }

  /** Reads the words that begin at these offsets byte by byte. */
  function findAt(from: number, to: number, bytes: Uint8Array, found: Set<Entry>): void {
    for (let at = Math.max(0, from); at < to; at++) {
      const word =
        (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
      if (isSet(word)) addMatches(word, bytes, at, found)
    }
  }

  return {
    find(bytes) {
      charge(bytes.length * BYTE_WORK)
      const found = new Set<Entry>()
      const skipped = Math.min(bytes.length, -bytes.byteOffset & (ANCHOR - 1))
      const words = new Int32Array(bytes.buffer, bytes.byteOffset + skipped, (bytes.length - skipped) >> 2)
      findAt(0, skipped, bytes, found)
      let at = skipped
      let low = words[0] ?? 0
      // Four offsets per branch: half the time of one.
      for (let index = 1; index < words.length; index++, at += ANCHOR) {
        const high = words[index] as number
        const second = (low >>> 8) | (high << 24)
        const third = (low >>> 16) | (high << 16)
        const fourth = (low >>> 24) | (high << 8)
        if ((isSet(low) | isSet(second) | isSet(third) | isSet(fourth)) !== 0) findAt(at, at + ANCHOR, bytes, found)
        low = high
      }
      findAt(at, bytes.length - ANCHOR + 1, bytes, found)
      return new Set([...found].flatMap((entry) => entry.patterns))
    },
  }
}

function entriesOf(patterns: readonly (readonly string[] | null)[]): Entry[] {
  const entries = new Map<string, Entry>()
  for (const [pattern, literals] of patterns.entries())
    for (const literal of literals ?? []) {
      const bytes = Uint8Array.from(Buffer.from(literal, 'latin1'), (byte) => FOLDED[byte] as number)
      const key = Buffer.from(bytes).toString('latin1')
      const known = entries.get(key)
      if (known) known.patterns.push(pattern)
      else entries.set(key, { bytes, patterns: [pattern], offset: 0, anchor: 0 })
    }
  return [...entries.values()]
}

/** The four bytes that are rarest in documents and shared by the fewest other literals. */
function anchorOf(literal: Uint8Array, counts: ReadonlyMap<number, number>): { offset: number; anchor: number } {
  let best = { offset: 0, anchor: 0 }
  let lowest = Number.POSITIVE_INFINITY
  for (let offset = 0; offset + ANCHOR <= literal.length; offset++) {
    let anchor = 0
    let cost = 0
    for (let i = 0; i < ANCHOR; i++) {
      const byte = literal[offset + i] as number
      anchor |= byte << (8 * i)
      cost += costOf(byte)
    }
    anchor |= FOLD_WORD
    cost += counts.get(anchor) ?? 0
    if (cost < lowest) {
      lowest = cost
      best = { offset, anchor }
    }
  }
  return best
}

function costOf(byte: number): number {
  if (byte === 0 || byte === 0x20 || byte === 0xff) return 4
  if (byte >= 0x61 && byte <= 0x7a) return 'jkqvwxyz'.includes(String.fromCharCode(byte)) ? 2 : 3
  return byte > 0x20 && byte < 0x7f ? 2 : 1
}

/** The same for words that differ only in case. */
function hashOf(word: number): number {
  return Math.imul(word | FOLD_WORD, 0x9e37_79b1)
}

function matchesAt(bytes: Uint8Array, start: number, literal: Uint8Array): boolean {
  if (start < 0 || start + literal.length > bytes.length) return false
  for (let i = 0; i < literal.length; i++) if (FOLDED[bytes[start + i] as number] !== literal[i]) return false
  return true
}
