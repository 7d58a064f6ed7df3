/** Searches for many byte strings in one pass, ignoring ASCII case, by comparing only some of the bytes. */

import { charge } from './work.ts'

export interface Literal {
  bytes: Uint8Array
  /** Several literals may share an id. */
  id: number
}

/** Returns the ids of the literals that the bytes contain. */
type Finder = (bytes: Uint8Array) => Set<number>

/** Bytes are compared as aligned 32-bit words. */
const WORD = 4
/** Shortest literal allowed: at any alignment, at least three of its bytes share a word. */
export const LITERAL_BYTES_MIN = 5
/** ORed in to ignore ASCII case. It also merges other bytes, which a full comparison tells apart later. */
const FOLD = 0x20
const FOLD_WORD = 0x2020_2020
const STRIDE_MAX = 32
const TABLE_BITS = 17
/** Work for each word that may belong to a literal. */
const CANDIDATE_WORK = 60
const CHARGED_TOGETHER = 4096

/** A word that indicates a literal, and its offset in the literal. */
interface Anchor {
  literal: Uint8Array
  offset: number
  id: number
}

/** Every literal must have LITERAL_BYTES_MIN bytes. */
export function createFinder(literals: readonly Literal[]): Finder {
  const folded = literals.map(({ bytes, id }) => ({ literal: bytes.map(foldLetter), id }))
  const shortest = Math.min(...folded.map(({ literal }) => literal.length))
  if (shortest < LITERAL_BYTES_MIN) throw new RangeError(`A literal of ${shortest} bytes is too short`)
  // Wide enough to skip bytes, narrow enough that the shortest literal contains a whole sampled word.
  const stride = Math.max(WORD, Math.min(STRIDE_MAX, Math.floor((shortest - WORD + 1) / WORD) * WORD))
  const table = new Uint8Array(1 << TABLE_BITS)
  const anchors = new Map<number, Anchor[]>()
  for (const { literal, id } of folded) {
    for (const { word, offset } of wordsOf(literal, stride)) {
      table[slotOf(word)] = 1
      const others = anchors.get(word)
      if (others) others.push({ literal, offset, id })
      else anchors.set(word, [{ literal, offset, id }])
    }
  }
  // At the start and end of the input, a word around a short literal may exceed the input.
  const short = folded.filter(({ literal }) => literal.length < stride + WORD - 1)

  const step = stride / WORD

  return function find(bytes) {
    const found = new Set(short.filter(({ literal }) => matchesAtEdge(bytes, literal)).map(({ id }) => id))
    const skipped = -bytes.byteOffset & (WORD - 1)
    if (bytes.length < skipped + WORD) return found
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + skipped, (bytes.length - skipped) >> 2)
    const countCandidate = chargedCounter()
    for (
      let at = nextCandidate(words, 0, step, table);
      at < words.length;
      at = nextCandidate(words, at + step, step, table)
    ) {
      countCandidate()
      for (const { literal, offset, id } of anchors.get((words[at] as number) | FOLD_WORD) ?? [])
        if (!found.has(id) && matchesAt(bytes, skipped + at * WORD - offset, literal)) found.add(id)
    }
    return found
  }
}

/** Charges for candidates, many at a time. */
function chargedCounter(): () => void {
  let count = 0
  return () => {
    if (++count % CHARGED_TOGETHER === 0) charge(CHARGED_TOGETHER * CANDIDATE_WORK)
  }
}

/** Index of the next candidate word; the length or more if there is none. */
function nextCandidate(words: Int32Array, from: number, step: number, table: Uint8Array): number {
  const last = words.length - 3 * step
  let at = from
  // Four words per branch: twice as fast as one.
  for (; at < last; at += 4 * step) {
    const first = (table[slotOf(words[at] as number)] as number) | (table[slotOf(words[at + step] as number)] as number)
    const second =
      (table[slotOf(words[at + 2 * step] as number)] as number) |
      (table[slotOf(words[at + 3 * step] as number)] as number)
    if ((first | second) !== 0) break
  }
  while (at < words.length && table[slotOf(words[at] as number)] === 0) at += step
  return at
}

/** Words that differ only in case share a slot. */
function slotOf(word: number): number {
  return Math.imul(word | FOLD_WORD, 0x9e37_79b1) >>> (32 - TABLE_BITS)
}

/** One word for each alignment of the literal to the sampled offsets. */
function* wordsOf(literal: Uint8Array, stride: number): Generator<{ word: number; offset: number }> {
  const start = rarestStart(literal, stride + WORD - 1)
  for (let i = 0; i < stride; i++) {
    const inside = start + i
    // Where no whole word fits, use one that extends past the literal, for every value of the extra bytes.
    const beyond = inside + WORD - literal.length
    const offset = beyond <= stride - i ? inside : inside - stride
    for (const word of wordsAt(literal, offset)) yield { word, offset }
  }
}

/** The offset where the literal is least like ordinary text, to avoid false candidates. */
function rarestStart(literal: Uint8Array, length: number): number {
  const odd = Array.from(literal, (byte) => ((byte >= 0x61 && byte <= 0x7a) || byte === 0x20 ? 0 : byte === 0 ? 1 : 2))
  const sum = (start: number, bytes: number): number =>
    odd.slice(start, start + bytes).reduce<number>((total, one) => total + one, 0)
  const score = (start: number): number => {
    const words = Array.from({ length: Math.max(1, length - WORD + 1) }, (_, i) => sum(start + i, WORD))
    return Math.min(...words) * literal.length * 2 + sum(start, length)
  }
  let best = 0
  for (let start = 1; start + length <= literal.length; start++) if (score(start) > score(best)) best = start
  return best
}

/** All words possible at this offset of the literal; exactly one if the word is inside it. */
function wordsAt(literal: Uint8Array, offset: number): number[] {
  let words: number[][] = [[]]
  for (let i = offset; i < offset + WORD; i++) {
    const known = literal[i]
    const here = known === undefined ? FOLDED_BYTES : [known]
    words = words.flatMap((word) => here.map((byte) => [...word, byte]))
  }
  return words.map((word) => wordOf(Uint8Array.from(word)))
}

const FOLDED_BYTES = [...new Set(Array.from({ length: 256 }, (_, byte) => byte | FOLD))]

function wordOf(bytes: Uint8Array): number {
  return (new Int32Array(Uint8Array.from(bytes).buffer)[0] ?? 0) | FOLD_WORD
}

function foldLetter(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + FOLD : byte
}

function matchesAtEdge(bytes: Uint8Array, literal: Uint8Array): boolean {
  return matchesAt(bytes, 0, literal) || matchesAt(bytes, bytes.length - literal.length, literal)
}

function matchesAt(bytes: Uint8Array, start: number, literal: Uint8Array): boolean {
  if (start < 0 || start + literal.length > bytes.length) return false
  for (let i = 0; i < literal.length; i++) if (foldLetter(bytes[start + i] as number) !== literal[i]) return false
  return true
}
