/** LZW and run-length decoding for PDF streams. */

import { charge } from '#inspect/core/work.ts'

/** Work for each code, besides its bytes. */
const CODE_WORK = 200

type Output = Uint8Array | 'too_large'

/** A buffer that grows up to a limit. */
function createSink(remaining: number, hint: number) {
  let buffer = Buffer.allocUnsafe(Math.max(64, Math.min(remaining, hint)))
  let length = 0

  function makeRoom(count: number): boolean {
    if (length + count > remaining) return false
    if (length + count <= buffer.length) return true
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + count))
    buffer.copy(larger, 0, 0, length)
    buffer = larger
    return true
  }

  return {
    push(bytes: Uint8Array): boolean {
      if (!makeRoom(bytes.length)) return false
      buffer.set(bytes, length)
      length += bytes.length
      return true
    },
    /** One byte so often. */
    repeat(byte: number, count: number): boolean {
      if (!makeRoom(count)) return false
      buffer.fill(byte, length, length + count)
      length += count
      return true
    },
    bytes: (): Uint8Array => buffer.subarray(0, length),
  }
}

const CLEAR = 256
const END = 257
const CODES_MAX = 4096

/** `early`: 1 if the code width grows one code early, as most writers do. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over every code with shared state.
export function lzw(packed: Uint8Array, early: number, remaining: number): Output {
  const sink = createSink(remaining, packed.length * 4)
  const words: Uint8Array[] = Array.from({ length: 258 }, (_, byte) => Uint8Array.of(byte & 0xff))
  let next = 258
  let previous: Uint8Array | null = null
  let width = 9
  for (let bit = 0; bit + width <= packed.length * 8; ) {
    const code = codeAt(packed, bit, width)
    bit += width
    // Data after the end may be decoded by other readers, so it is appended.
    if (code === END) bit = Math.ceil(bit / 8) * 8
    if (code === CLEAR || code === END) {
      next = 258
      width = 9
      previous = null
      continue
    }
    const known: Uint8Array | undefined = code < next ? words[code] : undefined
    const word: Uint8Array | null = known ?? (previous === null ? null : joined(previous, previous[0] ?? 0))
    if (word === null || code > next) break
    charge(CODE_WORK + word.length * 2)
    if (!sink.push(word)) return 'too_large'
    if (previous !== null && next < CODES_MAX) words[next++] = joined(previous, word[0] ?? 0)
    previous = word
    width = Math.min(12, 32 - Math.clz32(next + early))
  }
  return sink.bytes()
}

function codeAt(bytes: Uint8Array, bit: number, width: number): number {
  const at = bit >> 3
  const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
  return (three >> (24 - (bit & 7) - width)) & ((1 << width) - 1)
}

function joined(word: Uint8Array, byte: number): Uint8Array {
  const longer = new Uint8Array(word.length + 1)
  longer.set(word)
  longer[word.length] = byte
  return longer
}

export function runLength(packed: Uint8Array, remaining: number): Output {
  const sink = createSink(remaining, packed.length * 2)
  for (let at = 0; at < packed.length; ) {
    const length = packed[at] ?? 0
    if (length === 128) break
    charge(CODE_WORK)
    const fits =
      length < 128
        ? sink.push(packed.subarray(at + 1, at + 2 + length))
        : sink.repeat(packed[at + 1] ?? 0, 257 - length)
    if (!fits) return 'too_large'
    at += length < 128 ? length + 2 : 2
  }
  return sink.bytes()
}
