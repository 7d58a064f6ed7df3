/** Tells which classes of bytes occur, sixteen bytes at a time. */

import { CHUNK_BYTES, CLASS_TABLES_AT, createKernel, TABLE_BYTES } from './instance.ts'

export interface Survey {
  /** A bit for each class that occurs, in the order of the classes. */
  seen: number
  /** Every byte is in the first class. */
  isComplete: boolean
  /**
   * Starts of the chunks where runs of 47 bytes in the first class may be. So many include a whole pair of blocks, or the
   * second block of one pair and the first of the next. The first of a pair is in the chunk, so that a run may begin up to
   * 31 bytes before it.
   */
  longRunChunks: readonly number[]
}

const BLOCK_BYTES = 16
const PAIR_BYTES = 2 * BLOCK_BYTES
const BITS = 8
const INCOMPLETE = 0x100
const LONG = 0x200

/** Each survey writes its tables first. */
const openKernel = createKernel(new Uint8Array())

/** Each pattern matches the characters of one class. Throws a RangeError if they are too many for one pass. */
export function createSurvey(patterns: readonly RegExp[]): (bytes: Uint8Array) => Survey {
  const rows = patterns.flatMap(rowsOf)
  if (rows.length > BITS) throw new RangeError('Too many classes')
  const tables = new Uint8Array(3 * TABLE_BYTES)
  for (const [bit, { highs, lows }] of rows.entries())
    for (let nibble = 0; nibble < TABLE_BYTES; nibble++) {
      if ((lows >> nibble) & 1) tables[nibble] = (tables[nibble] as number) | (1 << bit)
      if ((highs >> nibble) & 1) tables[TABLE_BYTES + nibble] = (tables[TABLE_BYTES + nibble] as number) | (1 << bit)
    }
  const first = (1 << rows.filter(({ pattern }) => pattern === patterns[0]).length) - 1
  tables.fill(first, 2 * TABLE_BYTES)
  const classesOf = (byte: number): number =>
    (tables[byte & 15] as number) & (tables[TABLE_BYTES + (byte >> 4)] as number)
  const classify = (bytes: Uint8Array): number => {
    let state = 0
    for (const byte of bytes) state |= classesOf(byte) | ((classesOf(byte) & first) === 0 ? INCOMPLETE : 0)
    const isLong =
      bytes.length >= BLOCK_BYTES && bytes.subarray(0, BLOCK_BYTES).every((byte) => classesOf(byte) & first)
    return isLong ? state | LONG : state
  }

  return (bytes) => {
    const whole = bytes.length - (bytes.length % PAIR_BYTES)
    const kernel = openKernel()
    kernel.memory.set(tables, CLASS_TABLES_AT)
    let all = 0
    const longRunChunks: number[] = []
    const add = (from: number, state: number): void => {
      all |= state
      if ((state & LONG) !== 0 && longRunChunks.at(-1) !== from) longRunChunks.push(from)
    }
    for (let from = 0; from < whole; from += CHUNK_BYTES) {
      kernel.load(bytes, from)
      add(from, kernel.classify(Math.min(CHUNK_BYTES, whole - from)))
    }
    kernel.clear(bytes.length)
    add(whole - (whole % CHUNK_BYTES), classify(bytes.subarray(whole)))
    return {
      seen: rows.reduce((seen, row, bit) => ((all >> bit) & 1 ? seen | (1 << patterns.indexOf(row.pattern)) : seen), 0),
      isComplete: (all & INCOMPLETE) === 0,
      longRunChunks,
    }
  }
}

interface Row {
  pattern: RegExp
  /** Bits of nibbles: every combination of them is in the class. */
  highs: number
  lows: number
}

function rowsOf(pattern: RegExp): Row[] {
  const rows = new Map<number, Row>()
  for (let high = 0; high < TABLE_BYTES; high++) {
    let lows = 0
    for (let low = 0; low < TABLE_BYTES; low++) if (pattern.test(String.fromCharCode(high * 16 + low))) lows |= 1 << low
    if (lows === 0) continue
    const row = rows.get(lows) ?? { pattern, highs: 0, lows }
    row.highs |= 1 << high
    rows.set(lows, row)
  }
  return [...rows.values()]
}
