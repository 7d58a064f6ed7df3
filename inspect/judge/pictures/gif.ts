/** Reads the first picture of a GIF as brightness. */

import { view } from '#inspect/core/bytes.ts'
import { charge } from '#inspect/core/work.ts'
import type { Raster } from './raster.ts'

const HEADER_END = 13
const DESCRIPTOR = 0x2c
const EXTENSION = 0x21
const BLOCK_WORK = 50
/** Work for each point: it is unpacked and written. */
const POINT_WORK = 40
const CODES_MAX = 4_096

export const isGif = (bytes: Uint8Array): boolean => /^GIF8[79]a$/.test(view(bytes.subarray(0, 6)).toString('latin1'))

interface Picture {
  width: number
  height: number
  isInterlaced: boolean
  palette: Uint8Array
  /** Where its data begins: the size of its codes, then blocks. */
  data: number
}

const paletteBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1))

/** null: damaged. */
function firstPicture(bytes: Uint8Array): Picture | null {
  let at = HEADER_END + paletteBytes(bytes[10] ?? 0)
  let palette = bytes.subarray(HEADER_END, at)
  while (bytes[at] === EXTENSION) at = blocksEnd(bytes, at + 2)
  if (bytes[at] !== DESCRIPTOR || at + 10 > bytes.length) return null
  const [width, height] = [view(bytes).readUInt16LE(at + 5), view(bytes).readUInt16LE(at + 7)]
  const flags = bytes[at + 9] ?? 0
  const own = paletteBytes(flags)
  if (own > 0) palette = bytes.subarray(at + 10, at + 10 + own)
  return { width, height, isInterlaced: (flags & 0x40) !== 0, palette, data: at + 10 + own }
}

/** After blocks, the last of which is empty. */
function blocksEnd(bytes: Uint8Array, from: number): number {
  let at = from
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    charge(BLOCK_WORK)
    at += length + 1
  }
  return at + 1
}

/** null: damaged. */
export function gifHead(bytes: Uint8Array) {
  const picture = firstPicture(bytes)
  if (picture === null) return null
  const { width, height } = picture
  return { width, height, unpackedBytes: width * height, work: width * height * POINT_WORK }
}

/** Rows are written in four passes. */
const PASSES = [
  [0, 8],
  [4, 8],
  [2, 4],
  [1, 2],
] as const

/** The caller has checked the size. null: damaged. What precedes a damage is returned. */
export function readGif(bytes: Uint8Array): Raster | null {
  const picture = firstPicture(bytes)
  if (picture === null) return null
  const { width, height, isInterlaced, palette, data: from } = picture
  charge(width * height * POINT_WORK)
  const blocks: Uint8Array[] = []
  for (let at = from + 1; (bytes[at] ?? 0) > 0; at += (bytes[at] ?? 0) + 1) {
    charge(BLOCK_WORK)
    blocks.push(bytes.subarray(at + 1, at + 1 + (bytes[at] ?? 0)))
  }
  const points = unpacked(Buffer.concat(blocks), Math.min(8, Math.max(2, bytes[from] ?? 8)), width * height)
  const data = new Uint8Array(width * height).fill(255)
  const rows = isInterlaced
    ? PASSES.flatMap(([first, step]) =>
        Array.from({ length: Math.ceil((height - first) / step) }, (_, i) => first + i * step),
      )
    : Array.from({ length: height }, (_, y) => y)
  const shades = Uint8Array.from({ length: 256 }, (_, i) => shadeOf(palette, i * 3))
  for (const [line, y] of rows.entries())
    for (let x = 0; x < width && line * width + x < points.length; x++)
      data[y * width + x] = shades[points[line * width + x] ?? 0] ?? 255
  return { width, height, data }
}

const shadeOf = (palette: Uint8Array, at: number): number =>
  (2 * (palette[at] ?? 0) + 5 * (palette[at + 1] ?? 0) + (palette[at + 2] ?? 0)) >> 3

/** LZW as of GIF: codes from the lowest bit on. Each word is the one before it and a byte. */
function unpacked(packed: Uint8Array, size: number, length: number): Uint8Array {
  const out = new Uint8Array(length)
  const clear = 1 << size
  const words = createWords(clear)
  let [width, at] = [size + 1, 0]
  for (let bit = 0; bit + width <= packed.length * 8 && at < length; ) {
    const code = codeAt(packed, bit, width)
    bit += width
    if (code === clear) {
      words.clear()
      width = size + 1
      continue
    }
    const count = words.write(code, out, at)
    if (count === 0) break
    at += count
    if (words.count() === 1 << width && width < 12) width += 1
  }
  return out.subarray(0, Math.min(at, length))
}

/** `first`: the code that clears, which is followed by that of the end. */
function createWords(first: number) {
  const [before, last, lengths] = [new Int16Array(CODES_MAX), new Uint8Array(CODES_MAX), new Uint16Array(CODES_MAX)]
  for (let i = 0; i < first; i++) [last[i], lengths[i]] = [i, 1]
  let [next, previous] = [first + 2, -1]

  /** Returns its first byte. */
  function copy(code: number, out: Uint8Array, at: number): number {
    let each = code
    for (let i = (lengths[code] as number) - 1; i > 0; i--) {
      if (at + i < out.length) out[at + i] = last[each] as number
      each = before[each] as number
    }
    out[at] = last[each] as number
    return last[each] as number
  }

  function define(byte: number): void {
    ;[before[next], last[next], lengths[next]] = [previous, byte, (lengths[previous] as number) + 1]
    next += 1
  }

  return {
    count: () => next,
    clear(): void {
      ;[next, previous] = [first + 2, -1]
    },
    /** How many bytes; 0: no code, or the end. */
    write(code: number, out: Uint8Array, at: number): number {
      // The code that is defined next is the last word with its first byte.
      const isNew = code === next && previous !== -1
      if (code === first + 1 || (code >= next && !isNew)) return 0
      const known = isNew ? previous : code
      const byte = copy(known, out, at)
      const end = at + (lengths[known] as number)
      if (isNew && end < out.length) out[end] = byte
      if (previous !== -1 && next < CODES_MAX) define(byte)
      previous = code
      return end - at + (isNew ? 1 : 0)
    },
  }
}

function codeAt(bytes: Uint8Array, bit: number, width: number): number {
  const at = bit >> 3
  const three = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16)
  return (three >> (bit & 7)) & ((1 << width) - 1)
}
