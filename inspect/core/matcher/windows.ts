/** Chooses the four bytes by which each literal is found, and groups them for the kernel. */

import { forgetShares, sharesOf } from './shares.ts'

interface Pattern {
  /** In lower case if case is ignored. */
  bytes: Uint8Array
  /** Whether upper and lower case differ. */
  exact: boolean
}

/** Four bytes of a literal. */
export interface Window {
  /** Where it begins in the literal. */
  offset: number
  /** Little-endian, folded. The last byte of a literal of three bytes is any, and zero here. */
  key: number
  length: number
  /** Of the first three bytes, upper case included where the literal ignores it. */
  nibbles: Nibbles
}

/** For each byte, a bit for every low nibble and, 16 bits higher, for every high nibble. */
export type Nibbles = readonly [number, number, number]

/** Windows that the kernel checks together: it accepts every combination of their nibbles. */
interface Bucket {
  windows: Set<Window>
  nibbles: Nibbles
  /** How often the kernel accepts a position by chance. */
  chance: number
}

const NO_NIBBLES: Nibbles = [0, 0, 0]
const WINDOW_BYTES = 4
const BUCKETS = 16
/** ORed in to ignore ASCII case. It also merges other bytes, which the full comparison tells apart. */
export const FOLD_WORD = 0x2020_2020
const FOLD = 0x20
/** The rarest windows of a literal, of which one is chosen. */
const CANDIDATES_MAX = 12
/** Rounds in which every literal may move to another window or bucket. More of them gain little. */
const REFINEMENTS = 2

/** A window for each pattern, and the nibbles of each bucket, so that few other bytes pass. */
export function chooseWindows(patterns: readonly Pattern[]): { windows: Window[]; buckets: Nibbles[] } {
  const buckets = Array.from(
    { length: BUCKETS },
    (): Bucket => ({ windows: new Set(), nibbles: NO_NIBBLES, chance: 0 }),
  )
  const literals = patterns.map((pattern) => ({ candidates: candidatesOf(pattern), place: NO_PLACE }))
  // Those with the least choice first.
  const inOrder = literals.toSorted((a, b) => a.candidates.length - b.candidates.length)
  for (const literal of inOrder) literal.place = place(literal.candidates, buckets)
  for (let i = 0; i < REFINEMENTS; i++)
    for (const literal of inOrder) {
      remove(literal.place)
      literal.place = place(literal.candidates, buckets)
    }
  forgetShares()
  return { windows: literals.map(({ place: { window } }) => window), buckets: buckets.map(({ nibbles }) => nibbles) }
}

interface Place {
  window: Window
  bucket: Bucket
}

const NO_PLACE: Place = {
  window: { offset: 0, key: 0, length: 0, nibbles: NO_NIBBLES },
  bucket: { windows: new Set(), nibbles: NO_NIBBLES, chance: 0 },
}

/** Adds one of the windows to the bucket that it makes least worse. Three of four find one that accepts it already. */
function place(candidates: readonly Window[], buckets: readonly Bucket[]): Place {
  for (const window of candidates)
    for (const bucket of buckets)
      if (accepts(bucket.nibbles, window.nibbles)) {
        bucket.windows.add(window)
        return { window, bucket }
      }
  let best = NO_PLACE
  let growth = Number.POSITIVE_INFINITY
  for (const window of candidates)
    for (const bucket of buckets) {
      const grown = chanceOf(bucket.nibbles, window.nibbles) - bucket.chance
      if (grown >= growth) continue
      best = { window, bucket }
      growth = grown
    }
  const { bucket, window } = best
  bucket.windows.add(window)
  bucket.nibbles = both(bucket.nibbles, window.nibbles)
  bucket.chance += growth
  return best
}

function remove({ window, bucket }: Place): void {
  bucket.windows.delete(window)
  let [first, second, third] = NO_NIBBLES
  for (const { nibbles } of bucket.windows) {
    first |= nibbles[0]
    second |= nibbles[1]
    third |= nibbles[2]
  }
  bucket.nibbles = [first, second, third]
  bucket.chance = chanceOf(bucket.nibbles, NO_NIBBLES)
}

function candidatesOf(pattern: Pattern): Window[] {
  const length = Math.min(WINDOW_BYTES, pattern.bytes.length)
  const windows = Array.from({ length: pattern.bytes.length - length + 1 }, (_, offset) => {
    const bytes = pattern.bytes.subarray(offset, offset + length)
    const nibbles = nibblesOf(bytes, pattern.exact)
    return {
      window: { offset, length, key: keyOf(bytes), nibbles },
      chance: chanceOf(nibbles, nibbles),
      repetition: repetitionOf(bytes),
    }
  })
  const least = Math.min(...windows.map(({ repetition }) => repetition))
  return windows
    .filter(({ repetition }) => repetition === least)
    .sort((a, b) => a.chance - b.chance)
    .slice(0, CANDIDATES_MAX)
    .map(({ window }) => window)
}

/** Texts of one repeated byte or pair occur in many documents, and attackers can produce them easily. */
function repetitionOf(bytes: Uint8Array): number {
  if (bytes.every((byte) => byte === bytes[0])) return 2
  return bytes.every((byte, i) => byte === bytes[i % 2]) ? 1 : 0
}

function keyOf(bytes: Uint8Array): number {
  return bytes.reduce((key, byte, i) => key | ((byte | FOLD) << (8 * i)), 0)
}

function nibblesOf([first = 0, second = 0, third = 0]: Uint8Array, exact: boolean): Nibbles {
  const of = (byte: number): number => nibblesIn(byte) | (!exact && isLetter(byte) ? nibblesIn(byte - FOLD) : 0)
  return [of(first), of(second), of(third)]
}

function nibblesIn(byte: number): number {
  return (1 << (byte & 15)) | (1 << (16 + (byte >> 4)))
}

function isLetter(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a
}

function accepts(bucket: Nibbles, window: Nibbles): boolean {
  return ((window[0] & ~bucket[0]) | (window[1] & ~bucket[1]) | (window[2] & ~bucket[2])) === 0
}

function both(one: Nibbles, other: Nibbles): Nibbles {
  return [one[0] | other[0], one[1] | other[1], one[2] | other[2]]
}

/** Of a bucket with another window. */
function chanceOf(bucket: Nibbles, window: Nibbles): number {
  const firsts = sharesOf(bucket[0] | window[0])
  const seconds = sharesOf(bucket[1] | window[1])
  const thirds = sharesOf(bucket[2] | window[2])
  let chance = 0
  for (let i = 0; i < firsts.length; i++)
    chance += (firsts[i] as number) * (seconds[i] as number) * (thirds[i] as number)
  return chance
}
