/** The bits of a JPEG picture, and the Huffman codes in them. */

/** The place of each coefficient in its block, in the order of the file. */
export const PLACES = Uint8Array.from([
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
])

/** Bits of the codes that are looked up. Longer ones are compared. */
const SHORT = 9

export interface Huffman {
  /** Length and value of each short code, at all places that begin with it; 0: a longer one. */
  short: Uint16Array
  /** The last code of each length, or -1. */
  last: Int32Array
  /** What is added to a code of each length for the place of its value. */
  offset: Int32Array
  values: Uint8Array
}

export const NO_TABLE: Huffman = tableOf(new Uint8Array(16), new Uint8Array())

/** Tables of DC are 0 to 3, those of AC 16 to 19. */
export function readTables(content: Uint8Array, tables: Huffman[]): void {
  for (let at = 0; at + 17 <= content.length; ) {
    const kind = content[at] as number
    const counts = content.subarray(at + 1, at + 17)
    const total = counts.reduce((sum, count) => sum + count, 0)
    tables[kind & 0x13] = tableOf(counts, content.subarray(at + 17, at + 17 + total))
    at += 17 + total
  }
}

function tableOf(counts: Uint8Array, values: Uint8Array): Huffman {
  const last = new Int32Array(17).fill(-1)
  const offset = new Int32Array(17)
  const short = new Uint16Array(1 << SHORT)
  let [code, place] = [0, 0]
  for (const [i, count] of counts.entries()) {
    offset[i + 1] = place - code
    for (let k = 0; k < count && i < SHORT; k++) {
      const start = (code + k) << (SHORT - i - 1)
      short.fill(((i + 1) << 8) | (values[place + k] ?? 0), start, start + (1 << (SHORT - i - 1)))
    }
    if (count > 0) last[i + 1] = code + count - 1
    code = (code + count) << 1
    place += count
  }
  return { short, last, offset, values }
}

export interface Bits {
  /** Up to 16 bits. */
  take(count: number): number
  symbol(table: Huffman): number
  /** A number whose first bit is its sign. */
  signed(count: number): number
  /** At the mark between two intervals. false: there is none. */
  restart(): boolean
  /** The data has ended, and all further bits are 0. */
  isPastEnd(): boolean
  /** Bytes that were read. */
  length(): number
}

/** Bits that are missing before a picture counts as cut off. */
const MISSING_MAX = 256

export function createBits(data: Uint8Array, start: number): Bits {
  let [at, buffer, count, missing] = [start, 0, 0, 0]

  function fill(): void {
    while (count <= 16) {
      let byte = data[at] ?? 0xff
      if (byte !== 0xff) at += 1
      else if (data[at + 1] === 0) at += 2
      else {
        byte = 0
        missing += 8
      }
      buffer = ((buffer << 8) | byte) & 0xffffff
      count += 8
    }
  }

  function take(wanted: number): number {
    if (wanted === 0) return 0
    if (count < wanted) fill()
    count -= wanted
    return (buffer >>> count) & ((1 << wanted) - 1)
  }

  return {
    take,
    symbol({ short, last, offset, values }) {
      if (count < 16) fill()
      const known = short[(buffer >>> (count - SHORT)) & ((1 << SHORT) - 1)] as number
      if (known !== 0) {
        count -= known >> 8
        return known & 0xff
      }
      let code = 0
      for (let length = SHORT + 1; length <= 16; length++) {
        code = (buffer >>> (count - length)) & ((1 << length) - 1)
        if (code <= (last[length] as number)) {
          count -= length
          return values[code + (offset[length] as number)] ?? 0
        }
      }
      missing = MISSING_MAX + 1
      return 0
    },
    signed(wanted) {
      const value = take(wanted)
      return wanted === 0 || value >= 1 << (wanted - 1) ? value : value - (1 << wanted) + 1
    },
    restart() {
      ;[buffer, count, missing] = [0, 0, 0]
      const isMark = data[at] === 0xff && ((data[at + 1] ?? 0) & 0xf8) === 0xd0
      if (isMark) at += 2
      return isMark
    },
    isPastEnd: () => missing > MISSING_MAX,
    length: () => at - start,
  }
}
