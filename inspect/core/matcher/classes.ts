/** Tells which classes of bytes occur, sixteen bytes at a time. */

import { CHUNK_BYTES, CLASS_TABLES_AT, createKernel, TABLE_BYTES } from './instance.ts'

interface Survey {
  /** A bit for each class that occurs, in the order of the classes. */
  seen: number
  /** Every byte is in one of the classes. */
  isComplete: boolean
  /**
   * Starts of the chunks where runs of 47 bytes in a class may be. So many include two whole blocks at any alignment; the
   * second of them is in the chunk, so that a run may begin up to 31 bytes before it.
   */
  longRunChunks: readonly number[]
}

const BLOCK_BYTES = 16
const BITS = 8
const INCOMPLETE = 0x100
const LONG = 0x200

const kernel = createKernel()

/** Each pattern matches the characters of one class. Throws a RangeError if they are too many for one pass. */
export function createSurvey(patterns: readonly RegExp[]): (bytes: Uint8Array) => Survey {
  const rows = patterns.flatMap(rowsOf)
  if (rows.length > BITS) throw new RangeError('Too many classes')
  const tables = new Uint8Array(2 * TABLE_BYTES)
  for (const [bit, { highs, lows }] of rows.entries())
    for (let nibble = 0; nibble < TABLE_BYTES; nibble++) {
      if ((lows >> nibble) & 1) tables[nibble] = (tables[nibble] as number) | (1 << bit)
      if ((highs >> nibble) & 1) tables[TABLE_BYTES + nibble] = (tables[TABLE_BYTES + nibble] as number) | (1 << bit)
    }
  const classesOf = (byte: number): number =>
    (tables[byte & 15] as number) & (tables[TABLE_BYTES + (byte >> 4)] as number)

  return (bytes) => {
    const whole = bytes.length - (bytes.length % BLOCK_BYTES)
    kernel.memory.set(tables, CLASS_TABLES_AT)
    let state = 0
    const longRunChunks: number[] = []
    for (let from = 0; from < whole; from += CHUNK_BYTES) {
      kernel.load(bytes, from)
      state = kernel.classify(Math.min(CHUNK_BYTES, whole - from), state & ~LONG)
      if ((state & LONG) !== 0) longRunChunks.push(from)
    }
    kernel.clear(bytes.length)
    for (const byte of bytes.subarray(whole)) state |= classesOf(byte) === 0 ? INCOMPLETE : classesOf(byte)
    return {
      seen: rows.reduce(
        (seen, row, bit) => ((state >> bit) & 1 ? seen | (1 << patterns.indexOf(row.pattern)) : seen),
        0,
      ),
      isComplete: (state & INCOMPLETE) === 0,
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
