/** Reads bitmaps of Windows (BMP, and DIB as RTF has it) as brightness. */

import { view } from '#inspect/core/bytes.ts'
import { charge } from '#inspect/core/work.ts'
import { sampleOf } from './png.ts'
import type { Raster } from './raster.ts'

const FILE_HEADER = 14
const INFO_HEADER = 40
const POINT_WORK = 10

const isInfo = (bytes: Uint8Array): boolean =>
  bytes.length > INFO_HEADER && /^[\x28\x6c\x7c]\0\0\0$/.test(view(bytes.subarray(0, 4)).toString('latin1'))

export const isBitmap = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x42 && bytes[1] === 0x4d && isInfo(bytes.subarray(FILE_HEADER))

interface Info {
  width: number
  height: number
  isTopDown: boolean
  bits: number
  palette: Uint8Array
  points: Uint8Array
}

/** null: packed, damaged, or with other colours. */
function infoOf(bytes: Uint8Array): Info | null {
  const info = isBitmap(bytes) ? view(bytes.subarray(FILE_HEADER)) : view(bytes)
  if (!isInfo(info)) return null
  const [bits, packing] = [info.readUInt16LE(14), info.readUInt32LE(16)]
  const [width, lines] = [info.readInt32LE(4), info.readInt32LE(8)]
  if (packing !== 0 || ![1, 4, 8, 24, 32].includes(bits) || width < 1) return null
  const start = info.readUInt32LE(0)
  const colours = bits > 8 ? 0 : Math.min(256, info.readUInt32LE(32) || 2 ** bits)
  return {
    width,
    height: Math.abs(lines),
    isTopDown: lines < 0,
    bits,
    palette: info.subarray(start, start + colours * 4),
    points: info.subarray(start + colours * 4),
  }
}

/** null: not read. */
export function bitmapHead(bytes: Uint8Array) {
  const info = infoOf(bytes)
  if (info === null) return null
  const { width, height, points } = info
  return { width, height, unpackedBytes: points.length, work: width * height * POINT_WORK }
}

/** The caller has checked the size. null: not read. */
export function readBitmap(bytes: Uint8Array): Raster | null {
  const info = infoOf(bytes)
  if (info === null) return null
  const { width, height, isTopDown, bits, palette, points } = info
  charge(width * height * POINT_WORK)
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  const data = new Uint8Array(width * height).fill(255)
  for (let y = 0; y < height; y++) {
    const row = isTopDown ? y : height - 1 - y
    const line = points.subarray(row * rowBytes, (row + 1) * rowBytes)
    for (let x = 0; x < width && (x * bits) >> 3 < line.length; x++)
      data[y * width + x] = bits > 8 ? shadeOf(line, (x * bits) >> 3) : shadeOf(palette, sampleOf(line, x, bits) * 4)
  }
  return { width, height, data }
}

/** Blue, green and red. */
const shadeOf = (colours: Uint8Array, at: number): number =>
  ((colours[at] ?? 0) + 5 * (colours[at + 1] ?? 0) + 2 * (colours[at + 2] ?? 0)) >> 3
