/** Reads PNG pictures as brightness. */

import { view } from '#inspect/core/bytes.ts'
import { inflate, ZLIB_HEADER_BYTES } from '#inspect/core/inflate.ts'
import { charge } from '#inspect/core/work.ts'
import type { Raster } from './raster.ts'

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const HEADER_END = 33
const CHUNK_HEAD = 8
const CHUNK_WORK = 100
/** Work for each point and for each byte of a row. */
const POINT_WORK = 8
const BYTE_WORK = 6
const INFLATE_WORK = 3

/** Samples of each point by colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const INDEXED = 3

interface Header {
  width: number
  height: number
  depth: number
  colour: number
  isInterlaced: boolean
}

export const isPng = (bytes: Uint8Array): boolean => view(bytes.subarray(0, SIGNATURE.length)).equals(SIGNATURE)

/** null: damaged. */
function pngHeader(bytes: Uint8Array): Header | null {
  if (bytes.length < HEADER_END) return null
  const head = view(bytes)
  const [depth = 0, colour = 0, , , interlace = 0] = bytes.subarray(24, 29)
  const isKnown = CHANNELS[colour] !== undefined && [1, 2, 4, 8, 16].includes(depth) && interlace < 2
  if (!isKnown) return null
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20), depth, colour, isInterlaced: interlace === 1 }
}

/** null: damaged. */
export function pngHead(bytes: Uint8Array) {
  const header = pngHeader(bytes)
  if (header === null) return null
  const { width, height, depth, colour } = header
  const unpackedBytes = Math.ceil((width * depth * (CHANNELS[colour] ?? 1)) / 8) * height
  return {
    width,
    height,
    unpackedBytes,
    work: width * height * POINT_WORK + unpackedBytes * (BYTE_WORK + INFLATE_WORK),
  }
}

/** Places of the first point, and steps to the next ones. */
const WHOLE = [[0, 0, 1, 1]] as const
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** The caller has checked the size. null: damaged. */
export function readPng(bytes: Uint8Array): Raster | null {
  const header = pngHeader(bytes)
  if (header === null) return null
  const { width, height, depth, colour, isInterlaced } = header
  const { packed, palette, alphas } = chunksOf(bytes)
  const bits = depth * (CHANNELS[colour] ?? 1)
  const passes = (isInterlaced ? PASSES : WHOLE).map(([x, y, dx, dy]) => {
    const [columns, rows] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)]
    return { x, y, dx, dy, columns, rows: columns > 0 ? rows : 0, rowBytes: Math.ceil((columns * bits) / 8) }
  })
  const size = passes.reduce((sum, { rows, rowBytes }) => sum + Math.max(0, rows) * (rowBytes + 1), 0)
  charge(width * height * POINT_WORK + size * BYTE_WORK)
  const inflated = inflate(packed.subarray(ZLIB_HEADER_BYTES), size + 1, size)
  if (inflated.outcome === 'too_large' || inflated.outcome === 'corrupt') return null
  const data = new Uint8Array(width * height).fill(255)
  const readShades = shadeReader(depth, colour, palette, alphas)
  const shades = new Uint8Array(width)
  const step = Math.max(1, bits >> 3)
  let at = 0
  for (const { x, y, dx, dy, columns, rows, rowBytes } of passes) {
    // In front of a row are the zeros that stand for a point left of it.
    let [line, above] = [new Uint8Array(step + rowBytes), new Uint8Array(step + rowBytes)]
    for (let row = 0; row < rows && at + rowBytes < inflated.bytes.length; row++) {
      line.set(inflated.bytes.subarray(at + 1, at + 1 + rowBytes), step)
      unfilter(inflated.bytes[at] ?? 0, line, above, step)
      readShades(line, step, columns, shades)
      place(shades, columns, data, (y + row * dy) * width + x, dx)
      ;[line, above] = [above, line]
      at += rowBytes + 1
    }
  }
  return { width, height, data }
}

function place(shades: Uint8Array, columns: number, data: Uint8Array, start: number, step: number): void {
  if (step === 1) data.set(shades.subarray(0, columns), start)
  else for (let column = 0; column < columns; column++) data[start + column * step] = shades[column] as number
}

function chunksOf(bytes: Uint8Array) {
  const buffer = view(bytes)
  const data: Uint8Array[] = []
  let palette: Uint8Array = new Uint8Array()
  let alphas: Uint8Array = new Uint8Array()
  for (let at = SIGNATURE.length; at + CHUNK_HEAD <= bytes.length; ) {
    charge(CHUNK_WORK)
    const end = at + CHUNK_HEAD + buffer.readUInt32BE(at)
    const type = buffer.toString('latin1', at + 4, at + CHUNK_HEAD)
    const content = bytes.subarray(at + CHUNK_HEAD, end)
    if (type === 'IDAT') data.push(content)
    if (type === 'PLTE') palette = content
    if (type === 'tRNS') alphas = content
    if (type === 'IEND') break
    at = end + 4
  }
  return { packed: Buffer.concat(data), palette, alphas }
}

/** A loop for each filter: all bytes of a picture pass through them. */
function unfilter(filter: number, line: Uint8Array, above: Uint8Array, step: number): void {
  const end = line.length
  if (filter === 0) return
  if (filter === 1) for (let i = step; i < end; i++) line[i] = (line[i] as number) + (line[i - step] as number)
  else if (filter === 2) for (let i = step; i < end; i++) line[i] = (line[i] as number) + (above[i] as number)
  else if (filter === 3)
    for (let i = step; i < end; i++)
      line[i] = (line[i] as number) + (((line[i - step] as number) + (above[i] as number)) >> 1)
  else
    for (let i = step; i < end; i++)
      line[i] = (line[i] as number) + nearest(line[i - step] as number, above[i] as number, above[i - step] as number)
}

function nearest(left: number, up: number, corner: number): number {
  const [a, b] = [Math.abs(up - corner), Math.abs(left - corner)]
  const c = Math.abs(left + up - 2 * corner)
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

/** Reads the brightness of a row that begins at `start`. */
type ShadeReader = (line: Uint8Array, start: number, columns: number, shades: Uint8Array) => void

/** What is transparent lies on white. */
function shadeReader(depth: number, colour: number, palette: Uint8Array, alphas: Uint8Array): ShadeReader {
  const channels = CHANNELS[colour] ?? 1
  const most = 2 ** Math.min(depth, 8) - 1
  const known = Uint8Array.from({ length: 256 }, (_, i) => {
    if (colour !== INDEXED) return Math.min(255, (i * 255) / most)
    return overWhite(luma(palette, i * 3), alphas[i] ?? 255)
  })
  if (depth < 8)
    return (line, start, columns, shades) => {
      const row = line.subarray(start)
      for (let x = 0; x < columns; x++) shades[x] = known[sampleOf(row, x, depth)] as number
    }
  const bytes = depth >> 3
  return channels < 3 ? greyReader(known, channels, bytes) : colourReader(channels, bytes)
}

function greyReader(known: Uint8Array, channels: number, bytes: number): ShadeReader {
  return (line, start, columns, shades) => {
    for (let x = 0, at = start; x < columns; x++, at += channels * bytes) {
      const shade = known[line[at] as number] as number
      shades[x] = channels === 2 ? overWhite(shade, line[at + bytes] as number) : shade
    }
  }
}

function colourReader(channels: number, bytes: number): ShadeReader {
  const step = channels * bytes
  const alpha = channels === 4 ? 3 * bytes : -1
  return (line, start, columns, shades) => {
    for (let x = 0, at = start; x < columns; x++, at += step) {
      const red = line[at] as number
      const green = line[at + bytes] as number
      const blue = line[at + 2 * bytes] as number
      const shade = (2 * red + 5 * green + blue) >> 3
      shades[x] = alpha === -1 ? shade : overWhite(shade, line[at + alpha] as number)
    }
  }
}

const luma = (colours: Uint8Array, at: number): number =>
  (2 * (colours[at] ?? 0) + 5 * (colours[at + 1] ?? 0) + (colours[at + 2] ?? 0)) >> 3

const overWhite = (shade: number, alpha: number): number =>
  alpha === 255 ? shade : 255 - ((255 - shade) * alpha) / 255

/** Of a row whose points are parts of bytes. */
export function sampleOf(line: Uint8Array, at: number, depth: number): number {
  const bit = at * depth
  return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
}
