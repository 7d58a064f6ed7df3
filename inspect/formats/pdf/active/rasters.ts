/** Brightness of the points of PDF pictures, and of the colours in their tables. */

import { charge } from '#inspect/core/work.ts'
import { sampleOf } from '#inspect/judge/pictures/png.ts'
import type { Raster } from '#inspect/judge/pictures/raster.ts'

/** For each point of a picture. */
export const POINT_WORK = 10

/** Brightness of each number; missing ones are black. */
export function shadesOf(table: Uint8Array, channels: number): Uint8Array {
  const shades = new Uint8Array(256)
  for (let at = 0; (at + 1) * channels <= table.length && at < shades.length; at++)
    shades[at] = channels < 3 ? (table[at * channels] ?? 0) : colourAt(table, at * channels, 1, channels)
  return shades
}

/** How many samples each point has follows from the length of the data. `shades`: of its numbers, or null. */
export function rasterOf(
  width: number,
  height: number,
  bits: number,
  bytes: Uint8Array,
  shades: Uint8Array | null,
): Raster | null {
  const channels = Math.min(4, Math.floor((bytes.length * 8) / (height * width * bits)))
  if (channels < 1) return null
  charge(width * height * POINT_WORK)
  const rowBytes = Math.ceil((width * channels * bits) / 8)
  const data = new Uint8Array(width * height).fill(255)
  const most = 2 ** Math.min(8, bits) - 1
  for (let y = 0; y < height; y++) {
    const line = bytes.subarray(y * rowBytes, (y + 1) * rowBytes)
    if (bits >= 8) {
      readLine(line, data.subarray(y * width, (y + 1) * width), channels, bits / 8, shades)
      continue
    }
    const sample = (at: number): number => sampleOf(line, at, bits)
    for (let x = 0; x < width; x++) data[y * width + x] = shadeOf(sample, x * channels, channels, most, shades)
  }
  return { width, height, data }
}

/** The same as `shadeOf` for samples of whole bytes, as nearly all pictures have. `step`: bytes of one. */
function readLine(line: Uint8Array, into: Uint8Array, channels: number, step: number, shades: Uint8Array | null): void {
  for (let x = 0; x < into.length; x++) {
    const at = x * channels * step
    const first = line[at] ?? 255
    if (channels >= 3) into[x] = colourAt(line, at, step, channels)
    else into[x] = shades === null || channels > 1 ? first : (shades[first] ?? 0)
  }
}

function colourAt(line: Uint8Array, at: number, step: number, channels: number): number {
  const shade = brightness(line[at] ?? 255, line[at + step] ?? 255, line[at + 2 * step] ?? 255)
  return channels === 4 ? 255 - Math.min(255, shade + (line[at + 3 * step] ?? 255)) : shade
}

const brightness = (red: number, green: number, blue: number): number => (2 * red + 5 * green + blue) >> 3

function shadeOf(
  sample: (at: number) => number,
  at: number,
  channels: number,
  most: number,
  shades: Uint8Array | null,
): number {
  if (shades !== null && channels === 1) return shades[sample(at)] ?? 0
  if (channels < 3) return (sample(at) * 255) / most
  const shade = brightness(sample(at), sample(at + 1), sample(at + 2))
  return channels === 3 ? (shade * 255) / most : 255 - Math.min(255, ((shade + sample(at + 3)) * 255) / most)
}
