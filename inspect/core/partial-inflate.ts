/** Inflates corrupt deflate data up to the fault. zlib returns nothing then, but readers show that part. */

import { charge } from './work.ts'

/** Work for each symbol, and for each block with its own codes. */
const SYMBOL_WORK = 60
const BLOCK_WORK = 10_000

const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
]
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]
const CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const CODE_BITS_MAX = 15
/** Large enough for most corrupt data. Reused, because a document may have fifty thousand corrupt streams. */
const SCRATCH = new Uint8Array(65_536)

/** A canonical Huffman code: the number of codes of each length, and their symbols in order. */
interface Code {
  counts: Uint16Array
  symbols: Uint16Array
}

/** Internal: the data is corrupt here, or `bytesMax` is reached. */
class Corrupt extends Error {}

/** Returns at most `bytesMax` bytes. */
export function inflatePartial(packed: Uint8Array, bytesMax: number): Uint8Array {
  let out = SCRATCH
  let size = 0
  let at = 0
  let held = 0
  let count = 0

  function bits(wanted: number): number {
    while (count < wanted) {
      if (at >= packed.length) throw new Corrupt()
      held |= (packed[at++] as number) << count
      count += 8
    }
    const value = held & ((1 << wanted) - 1)
    held >>>= wanted
    count -= wanted
    return value
  }

  function put(byte: number): void {
    if (size >= bytesMax) throw new Corrupt()
    if (size === out.length) {
      const larger = new Uint8Array(out.length * 2)
      larger.set(out)
      out = larger
    }
    out[size++] = byte
  }

  function symbol({ counts, symbols }: Code): number {
    charge(SYMBOL_WORK)
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length <= CODE_BITS_MAX; length++) {
      code |= bits(1)
      const some = counts[length] as number
      if (code - first < some) return symbols[index + code - first] as number
      index += some
      first = (first + some) << 1
      code <<= 1
    }
    throw new Corrupt()
  }

  function stored(): void {
    held = 0
    count = 0
    const length = bits(16)
    charge(length * 10)
    if ((bits(16) ^ 0xffff) !== length) throw new Corrupt()
    for (let i = 0; i < length; i++) put(bits(8))
  }

  function compressed(literals: Code, distances: Code): void {
    for (let value = symbol(literals); value !== 256; value = symbol(literals)) {
      if (value < 256) {
        put(value)
        continue
      }
      const length = read(LENGTH_BASE, LENGTH_BITS, value - 257)
      const distance = read(DISTANCE_BASE, DISTANCE_BITS, symbol(distances))
      if (distance > size) throw new Corrupt()
      charge(length * 5)
      for (let i = 0; i < length; i++) put(out[size - distance] as number)
    }
  }

  function read(bases: readonly number[], extra: readonly number[], index: number): number {
    const base = bases[index]
    if (base === undefined) throw new Corrupt()
    return base + bits(extra[index] as number)
  }

  /** Repetitions of a code length: 16 repeats the previous one, 17 and 18 are runs of zeros. */
  function timesOf(value: number): number {
    if (value < 16) return 1
    if (value === 18) return 11 + bits(7)
    return 3 + bits(value === 16 ? 2 : 3)
  }

  function repeated(value: number, before: number | undefined): number {
    if (value < 16) return value
    if (value > 16) return 0
    if (before === undefined) throw new Corrupt()
    return before
  }

  function dynamic(): void {
    charge(BLOCK_WORK)
    const literals = bits(5) + 257
    const distances = bits(5) + 1
    const lengths = new Uint8Array(19)
    const codes = bits(4) + 4
    for (let i = 0; i < codes; i++) lengths[CODE_ORDER[i] as number] = bits(3)
    const code = codeOf(lengths)
    const all = new Uint8Array(literals + distances)
    for (let i = 0; i < all.length; ) {
      const value = symbol(code)
      const times = timesOf(value)
      if (i + times > all.length) throw new Corrupt()
      all.fill(repeated(value, all[i - 1]), i, i + times)
      i += times
    }
    compressed(codeOf(all.subarray(0, literals)), codeOf(all.subarray(literals)))
  }

  try {
    for (let last = false; !last; ) {
      last = bits(1) === 1
      const type = bits(2)
      if (type === 0) stored()
      else if (type === 1) compressed(FIXED_LITERALS, FIXED_DISTANCES)
      else if (type === 2) dynamic()
      else break
    }
  } catch (error) {
    if (!(error instanceof Corrupt)) throw error
  }
  return out === SCRATCH ? out.slice(0, size) : out.subarray(0, size)
}

function codeOf(lengths: Uint8Array): Code {
  const counts = new Uint16Array(CODE_BITS_MAX + 1)
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] as number) + 1
  const offsets = new Uint16Array(CODE_BITS_MAX + 2)
  for (let i = 1; i <= CODE_BITS_MAX; i++) offsets[i + 1] = (offsets[i] as number) + (counts[i] as number)
  const symbols = new Uint16Array(lengths.length)
  for (const [value, length] of lengths.entries())
    if (length > 0) {
      symbols[offsets[length] as number] = value
      offsets[length] = (offsets[length] as number) + 1
    }
  return { counts, symbols }
}

const FIXED_LITERALS = codeOf(Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)))
const FIXED_DISTANCES = codeOf(new Uint8Array(30).fill(5))
