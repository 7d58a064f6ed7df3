/** Brightness of the points of a picture, row by row. */

import { charge } from '#inspect/core/work.ts'

export interface Raster {
  width: number
  height: number
  /** 0 is black. */
  data: Uint8Array
}

/** A picture that is larger is made smaller before codes are searched for. */
export const SIDE_MAX = 1_800
const POINT_WORK = 3

/** Each point is the mean of a square of points. */
export function reduced(raster: Raster): Raster {
  const factor = Math.ceil(Math.max(raster.width, raster.height) / SIDE_MAX)
  if (factor < 2) return raster
  charge(raster.data.length * POINT_WORK)
  const [width, height] = [Math.floor(raster.width / factor), Math.floor(raster.height / factor)]
  const data = new Uint8Array(width * height)
  // Row by row, because the next row is far away in memory.
  const sums = new Uint32Array(width)
  for (let y = 0; y < height; y++) {
    sums.fill(0)
    for (let i = 0; i < factor; i++) addRow(raster.data, (y * factor + i) * raster.width, factor, sums)
    for (let x = 0; x < width; x++) data[y * width + x] = (sums[x] as number) / (factor * factor)
  }
  return { width, height, data }
}

function addRow(from: Uint8Array, start: number, factor: number, sums: Uint32Array): void {
  let at = start
  for (let x = 0; x < sums.length; x++) {
    let sum = 0
    for (let i = 0; i < factor; i++) sum += from[at++] as number
    sums[x] = (sums[x] as number) + sum
  }
}

/** Ranges of brightness that are spread, because the decoder needs more contrast than a reader. */
const RANGE_MIN = 16
const RANGE_MAX = 128

export function contrasted(raster: Raster): Raster {
  const { width, height, data } = raster
  charge(data.length)
  let [least, most] = [255, 0]
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number
    if (value < least) least = value
    if (value > most) most = value
  }
  const range = most - least
  if (range < RANGE_MIN || range > RANGE_MAX) return raster
  charge(data.length * POINT_WORK)
  return { width, height, data: data.map((value) => ((value - least) * 255) / range) }
}

/** Each point as a square of points, with a white or black margin around them. */
export function enlarged(raster: Raster, factor: number, margin: number, colour = 255): Raster {
  const width = raster.width * factor + 2 * margin
  const height = raster.height * factor + 2 * margin
  charge(width * height * POINT_WORK)
  const data = new Uint8Array(width * height).fill(colour)
  for (let y = 0; y < raster.height * factor; y++) {
    const row = Math.floor(y / factor) * raster.width
    const start = (y + margin) * width + margin
    for (let x = 0; x < raster.width * factor; x++)
      data[start + x] = raster.data[row + Math.floor(x / factor)] as number
  }
  return { width, height, data }
}

/** As seen from behind. */
export function mirrored({ width, height, data }: Raster): Raster {
  charge(data.length)
  const turned = data.slice()
  for (let y = 0; y < height; y++) turned.subarray(y * width, (y + 1) * width).reverse()
  return { width, height, data: turned }
}
