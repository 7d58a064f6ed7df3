/** Finds which of tens of thousands of byte strings occur in a stream, ignoring ASCII case, in one pass. */

import { LITERAL_BYTES_MIN } from './pattern-literals.ts'

/** A literal, and the numbers of the patterns that need it. */
interface Entry {
  bytes: Uint8Array
  patterns: number[]
  /** Where in the literal its anchor begins. */
  offset: number
  anchor: number
}

export interface LiteralIndex {
  /** Numbers of the patterns of which a literal occurs. */
  find(bytes: Uint8Array): Set<number>
}

const ANCHOR = LITERAL_BYTES_MIN
/** ORed in to ignore ASCII case. It also merges other bytes, which the full comparison tells apart. */
const FOLD_WORD = 0x2020_2020
const TABLE_BITS = 18

const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte))

/** One list of literals per pattern, as Latin-1 text; null for patterns that cannot be found by literals. */
export function createLiteralIndex(patterns: readonly (readonly string[] | null)[]): LiteralIndex {
  const entries = entriesOf(patterns)
  const table = new Uint8Array(1 << TABLE_BITS)
  const chains = new Map<number, Entry[]>()
  for (const entry of entries) {
    const { offset, anchor } = anchorOf(entry.bytes, chains)
    Object.assign(entry, { offset, anchor })
    table[slotOf(anchor)] = 1
    const chain = chains.get(anchor)
    if (chain) chain.push(entry)
    else chains.set(anchor, [entry])
  }
  return {
    find(bytes) {
      const found = new Set<Entry>()
      let word = 0
      for (let at = 0; at < bytes.length; at++) {
        word = (word >>> 8) | ((bytes[at] as number) << 24)
        if (table[slotOf(word)] === 0) continue
        const chain = chains.get(word | FOLD_WORD)
        if (chain !== undefined) addMatches(chain, bytes, at - (ANCHOR - 1), found)
      }
      return new Set([...found].flatMap((entry) => entry.patterns))
    },
  }
}

function addMatches(chain: readonly Entry[], bytes: Uint8Array, at: number, found: Set<Entry>): void {
  for (const entry of chain) if (!found.has(entry) && matchesAt(bytes, at - entry.offset, entry.bytes)) found.add(entry)
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
function anchorOf(
  literal: Uint8Array,
  chains: ReadonlyMap<number, readonly Entry[]>,
): { offset: number; anchor: number } {
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
    cost += chains.get(anchor)?.length ?? 0
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

/** Words that differ only in case share a slot. */
function slotOf(word: number): number {
  return Math.imul(word | FOLD_WORD, 0x9e37_79b1) >>> (32 - TABLE_BITS)
}

function matchesAt(bytes: Uint8Array, start: number, literal: Uint8Array): boolean {
  if (start < 0 || start + literal.length > bytes.length) return false
  for (let i = 0; i < literal.length; i++) if (FOLDED[bytes[start + i] as number] !== literal[i]) return false
  return true
}
