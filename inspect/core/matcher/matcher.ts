/** Searches bytes once for everything that rules and formats look for. */

import { view } from '../bytes.ts'
import { charge } from '../work.ts'
import { BITMAP_AT, BITMAP_BITS, CHUNK_AT, CHUNK_BYTES, createKernel, TABLE_BYTES } from './instance.ts'
import { chooseWindows, FOLD_WORD, type Nibbles, type Window } from './windows.ts'

/** A byte string to search for. */
export interface Literal {
  bytes: Uint8Array
  /** Several literals may share an id. */
  id: number
  /** Whether upper and lower case differ. By default ASCII case is ignored. */
  exact?: boolean
  /** Checks the bytes around it. It counts as found without this check where too many checks failed. */
  fits?: (bytes: Buffer, at: number) => boolean
}

/** Returns the ids of the literals that the bytes contain. */
type Matcher = (bytes: Uint8Array) => Set<number>

/** The kernel compares three bytes at once. */
export const LITERAL_BYTES_MIN = 3
/** Failed checks of the same id after which the bytes are left to the format: it charges for its work. */
export const FAILED_CHECKS_MAX = 4_096
/** Work for each position that the kernel reports, for each literal compared there, and for each check. */
const POSITION_WORK = 20
const COMPARISON_WORK = 60
const CHECK_WORK = 60

const HASH_FACTOR = 0x9e37_79b1

/** Throws a RangeError if a literal is shorter than LITERAL_BYTES_MIN. */
export function createMatcher(literals: readonly Literal[]): Matcher {
  const { compare, searchChunk, clear } = createScan(literals)
  return function findAll(bytes) {
    const search = compare(view(bytes))
    try {
      for (let from = 0; from < bytes.length; from += CHUNK_BYTES) searchChunk(bytes, from, search.at)
    } finally {
      clear(bytes.length)
    }
    return search.found
  }
}

/** Places where a literal begins, each once and in order. `id` and `fits` have no effect. */
export function createPlaces(literals: readonly Literal[]): (bytes: Uint8Array) => Generator<number> {
  const { compareTo, searchChunk, clear } = createScan(literals)
  const longest = Math.max(...literals.map(({ bytes }) => bytes.length))
  return function* placesIn(bytes) {
    let places: number[] = []
    const at = compareTo(view(bytes), (_, start) => places.push(start))
    try {
      for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
        searchChunk(bytes, from, at)
        // A literal that begins before the last of these may have its window in the next chunk.
        const end = from + CHUNK_BYTES < bytes.length ? from + CHUNK_BYTES - longest : bytes.length
        const found = inOrder(places)
        places = found.filter((start) => start > end)
        yield* found.filter((start) => start <= end)
      }
    } finally {
      clear(bytes.length)
    }
  }
}

function inOrder(places: readonly number[]): readonly number[] {
  return places.length < 2 ? places : [...new Set(places)].sort((a, b) => a - b)
}

function createScan(literals: readonly Literal[]) {
  const { windows, buckets, ...comparison } = createComparison(literals)
  const tables = new Uint8Array(CHUNK_AT)
  writeTables(tables, buckets)
  writeBitmap(tables, windows)
  const kernel = createKernel(tables)
  return {
    ...comparison,
    searchChunk(bytes: Uint8Array, from: number, at: (position: number) => void): void {
      const { load, find, positions } = kernel()
      load(bytes, from)
      const count = find(Math.min(CHUNK_BYTES, bytes.length - from))
      charge(count * POSITION_WORK)
      for (let i = 0; i < count; i++) at(from + (positions[i] as number))
    },
    /** Overwrites the copy of the bytes. */
    clear: (length: number) => kernel().clear(length),
  }
}

/** For each of the three bytes: the sets of buckets for its low and its high nibble, in two halves. */
function writeTables(memory: Uint8Array, buckets: readonly Nibbles[]): void {
  for (const [number, nibbles] of buckets.entries())
    for (const [place, bits] of nibbles.entries())
      for (let nibble = 0; nibble < 32; nibble++) {
        const table = place * 4 + (nibble >> 4) * 2 + (number >> 3)
        const at = table * TABLE_BYTES + (nibble & 15)
        memory[at] = (memory[at] as number) | (((bits >>> nibble) & 1) << (number & 7))
      }
}

function writeBitmap(memory: Uint8Array, windows: readonly Window[]): void {
  for (const { key, length } of windows) {
    const anyLast = length === LITERAL_BYTES_MIN
    for (let last = 0; last < (anyLast ? 256 : 1); last++) {
      const word = (anyLast ? key | (last << 24) : key) | FOLD_WORD
      const bit = Math.imul(word, HASH_FACTOR) >>> (32 - BITMAP_BITS)
      const at = BITMAP_AT + (bit >> 3)
      memory[at] = (memory[at] as number) | (1 << (bit & 7))
    }
  }
}

interface Search {
  found: Set<number>
  at(position: number): void
}

const SLOT_BITS = 12
const THREE_BYTES = 0xff_ffff

/** Compares whole literals where the kernel found their windows. */
function createComparison(literals: readonly Literal[]) {
  const shortest = Math.min(...literals.map(({ bytes }) => bytes.length))
  if (shortest < LITERAL_BYTES_MIN) throw new RangeError(`A literal of ${shortest} bytes is too short`)
  const patterns = literals.map(({ bytes, exact = false }) => ({ bytes: exact ? bytes : bytes.map(foldLetter), exact }))
  const { windows, buckets } = chooseWindows(patterns)
  const groups = new Map([...new Set(literals.map(({ id }) => id))].map((id, group) => [id, group]))
  // Chains of literals by the first three bytes of their windows: numbers from one on, zero ends a chain.
  const first = new Uint16Array(1 << SLOT_BITS)
  const entries = literals.map(({ id, fits }, i) => {
    const { key, length, offset } = windows[i] ?? NO_WINDOW
    const slot = slotOf(key)
    const next = first[slot] as number
    first[slot] = i + 1
    const mask = length === LITERAL_BYTES_MIN ? THREE_BYTES : -1
    const { bytes, exact } = patterns[i] ?? NO_PATTERN
    return { key, mask, next, bytes, exact, offset, fits, id, group: groups.get(id) ?? 0 }
  })
  type Entry = (typeof entries)[number]
  const isFound = new Uint8Array(groups.size)
  const failures = new Uint16Array(groups.size)

  /** `take` gets every literal that is not found already. */
  function compareTo(bytes: Buffer, take: (entry: Entry, start: number) => void): Search['at'] {
    isFound.fill(0)
    return (position) => {
      const word = wordAt(bytes, position) | FOLD_WORD
      for (let number = first[slotOf(word)] as number; number > 0; ) {
        const entry = entries[number - 1] as Entry
        number = entry.next
        if ((word & entry.mask) !== entry.key || isFound[entry.group] === 1) continue
        charge(COMPARISON_WORK)
        const start = position - entry.offset
        if (matchesAt(bytes, start, entry.bytes, entry.exact)) take(entry, start)
      }
    }
  }

  function compare(bytes: Buffer): Search {
    const found = new Set<number>()
    failures.fill(0)
    const isHere = ({ fits, group }: Entry, start: number): boolean => {
      if (fits === undefined) return true
      charge(CHECK_WORK)
      if (fits(bytes, start)) return true
      failures[group] = (failures[group] as number) + 1
      return failures[group] > FAILED_CHECKS_MAX
    }
    const at = compareTo(bytes, (entry, start) => {
      if (!isHere(entry, start)) return
      isFound[entry.group] = 1
      found.add(entry.id)
    })
    return { found, at }
  }
  return { compare, compareTo, windows, buckets }
}

const NO_WINDOW: Omit<Window, 'nibbles'> = { offset: 0, key: 0, length: 0 }
const NO_PATTERN = { bytes: new Uint8Array(), exact: true }

function slotOf(word: number): number {
  return Math.imul(word & THREE_BYTES, HASH_FACTOR) >>> (32 - SLOT_BITS)
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
}

function matchesAt(bytes: Uint8Array, start: number, literal: Uint8Array, exact: boolean): boolean {
  if (start < 0 || start + literal.length > bytes.length) return false
  for (let i = 0; i < literal.length; i++) {
    const byte = bytes[start + i] as number
    if ((exact ? byte : foldLetter(byte)) !== literal[i]) return false
  }
  return true
}

function foldLetter(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}
