/** Says quickly that no rule can match. A scan by the rule engine costs milliseconds however small the document is. */

import { type Condition, readPlainRules } from './plain-rules.ts'
import type { RuleSource } from './sources.ts'

export interface Gate {
  /** Whether a rule may match in these streams together. Never false where the rule engine would find one. */
  mayMatch(streams: readonly Uint8Array[]): boolean
  /** Whether a rule may match by several patterns in this stream that stand any distance apart. */
  mayMatchApart(stream: Uint8Array): boolean
}

/**
 * Streams are looked at in pairs of bytes, two pairs at a time. Every literal of this length has two pairs beside each
 * other in it, wherever in a stream it begins.
 */
const LITERAL_BYTES_MIN = 5
/** Ors out the difference between small and capital letters, and some other differences, which does no harm here. */
const FOLD_PAIR = 0x2020
const TABLE_BITS = 15

/** Two pairs of bytes in a literal, by which it is noticed. */
interface Anchor {
  literal: Uint8Array
  offset: number
  pattern: number
}

/** Null when a rule asks for more than the presence of literals; then only the rule engine can tell. */
export function createGate(sources: readonly RuleSource[]): Gate | null {
  const rules = readPlainRules(sources)
  if (rules === null || rules.literals.some(({ bytes }) => bytes.length < LITERAL_BYTES_MIN)) return null
  const table = new Uint8Array(1 << TABLE_BITS)
  const anchors = new Map<number, Anchor[]>()
  for (const { bytes, pattern } of rules.literals) {
    const start = oddestStart(bytes)
    for (const offset of [start, start + 1]) {
      const value = anchorValue(bytes, offset)
      table[slotOf(value)] = 1
      anchors.set(value, [...(anchors.get(value) ?? []), { literal: bytes.map(fold), offset, pattern }])
    }
  }

  function look(bytes: Uint8Array, seen: Set<number>): void {
    // Pairs must be aligned in memory.
    const skipped = bytes.byteOffset & 1
    if (bytes.length < LITERAL_BYTES_MIN) return
    const pairs = new Uint16Array(bytes.buffer, bytes.byteOffset + skipped, (bytes.length - skipped) >> 1)
    let last = 0
    for (let at = 0; at < pairs.length; at++) {
      const pair = (pairs[at] as number) | FOLD_PAIR
      const value = (last << 16) | pair
      last = pair
      if (table[slotOf(value)] === 1) compare(bytes, skipped + 2 * (at - 1), anchors.get(value) ?? [], seen)
    }
  }

  return {
    mayMatch(streams) {
      const seen = new Set<number>()
      for (const bytes of streams) look(bytes, seen)
      return seen.size > 0 && holds(rules.conditions, seen)
    },
    mayMatchApart(stream) {
      const seen = new Set<number>()
      look(stream, seen)
      return rules.conditions.some((condition) => holdsTogether(condition, seen))
    },
  }
}

function slotOf(value: number): number {
  return Math.imul(value, 0x9e37_79b1) >>> (32 - TABLE_BITS)
}

function anchorValue(bytes: Uint8Array, offset: number): number {
  const [first = 0, second = 0] = new Uint16Array(Uint8Array.from(bytes.subarray(offset, offset + 4)).buffer)
  return ((first | FOLD_PAIR) << 16) | (second | FOLD_PAIR)
}

function fold(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}

/** Where a literal is least like ordinary text, so that little is compared in vain. */
function oddestStart(bytes: Uint8Array): number {
  const odd = [...bytes].map((byte) =>
    /[a-z]/i.test(String.fromCharCode(byte)) ? 0 : byte === 0x20 || byte === 0 ? 1 : 2,
  )
  const score = (start: number): number =>
    odd.slice(start, start + LITERAL_BYTES_MIN).reduce<number>((sum, one) => sum + one, 0)
  let best = 0
  for (let start = 1; start + LITERAL_BYTES_MIN <= bytes.length; start++) if (score(start) > score(best)) best = start
  return best
}

function compare(bytes: Uint8Array, at: number, candidates: readonly Anchor[], seen: Set<number>): void {
  for (const { literal, offset, pattern } of candidates)
    if (!seen.has(pattern) && standsAt(bytes, at - offset, literal)) seen.add(pattern)
}

function standsAt(bytes: Uint8Array, start: number, literal: Uint8Array): boolean {
  if (start < 0 || start + literal.length > bytes.length) return false
  for (let i = 0; i < literal.length; i++) if (fold(bytes[start + i] as number) !== literal[i]) return false
  return true
}

/** Without those that are enough by themselves: each of them is found wherever it stands. */
function holdsTogether(condition: Condition, seen: ReadonlySet<number>): boolean {
  const parts = new Set([...seen].filter((pattern) => !condition((one) => one === pattern)))
  return condition((pattern) => parts.has(pattern))
}

function holds(conditions: readonly Condition[], seen: ReadonlySet<number>): boolean {
  const isSeen = (pattern: number): boolean => seen.has(pattern)
  return conditions.some((condition) => condition(isSeen))
}
