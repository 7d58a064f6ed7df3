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
  const brightness = brightnessOf(depth, colour, palette, alphas)
  let at = 0
  for (const { x, y, dx, dy, columns, rows, rowBytes } of passes) {
    const step = Math.max(1, bits >> 3)
    let above = new Uint8Array(rowBytes)
    for (let row = 0; row < rows && at + rowBytes < inflated.bytes.length; row++) {
      const line = Uint8Array.prototype.slice.call(inflated.bytes, at + 1, at + 1 + rowBytes)
      unfilter(inflated.bytes[at] ?? 0, line, above, step)
      for (let column = 0; column < columns; column++)
        data[(y + row * dy) * width + x + column * dx] = brightness(line, column)
      above = line
      at += rowBytes + 1
    }
  }
  return { width, height, data }
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

function unfilter(filter: number, line: Uint8Array, above: Uint8Array, step: number): void {
  if (filter === 0) return
  for (let i = 0; i < line.length; i++) {
    const [left, up, corner] = [line[i - step] ?? 0, above[i] as number, above[i - step] ?? 0]
    line[i] = (line[i] as number) + predicted(filter, left, up, corner)
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const estimate = left + up - corner
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}

/** What is transparent lies on white. */
function brightnessOf(depth: number, colour: number, palette: Uint8Array, alphas: Uint8Array) {
  const channels = CHANNELS[colour] ?? 1
  const most = 2 ** Math.min(depth, 8) - 1
  const shades = Uint8Array.from({ length: 256 }, (_, i) => {
    if (colour !== INDEXED) return Math.min(255, (i * 255) / most)
    return overWhite(luma(palette, i * 3), alphas[i] ?? 255)
  })
  if (depth < 8) return (line: Uint8Array, at: number): number => shades[sampleOf(line, at, depth)] as number
  const bytes = depth >> 3
  return (line: Uint8Array, at: number): number => {
    const start = at * channels * bytes
    if (channels < 3) {
      const shade = shades[line[start] as number] as number
      return channels === 2 ? overWhite(shade, line[start + bytes] as number) : shade
    }
    const shade =
      (2 * (line[start] as number) + 5 * (line[start + bytes] as number) + (line[start + 2 * bytes] as number)) >> 3
    return channels === 4 ? overWhite(shade, line[start + 3 * bytes] as number) : shade
  }
}

const luma = (colours: Uint8Array, at: number): number =>
  (2 * (colours[at] ?? 0) + 5 * (colours[at + 1] ?? 0) + (colours[at + 2] ?? 0)) >> 3

const overWhite = (shade: number, alpha: number): number => 255 - ((255 - shade) * alpha) / 255

/** Of a row whose points are parts of bytes. */
export function sampleOf(line: Uint8Array, at: number, depth: number): number {
  const bit = at * depth
  return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1)
}
