import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { readPng } from './png.ts'

const WIDTH = 13
const HEIGHT = 11
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const WHOLE = [[0, 0, 1, 1]]
const PASSES = [
  ...[
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
  ],
  ...[
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ],
]
const PALETTE = Buffer.from(Array.from({ length: 768 }, (_, i) => (i * 37) & 255))
const ALPHAS = Buffer.from([0, 100, 200])

const sample = (x: number, y: number, channel: number, most: number) => (x * 29 + y * 53 + channel * 71 + x * y) & most

/** The bytes of a row whose points are at these columns. */
function rowOf(columns: number[], y: number, depth: number, channels: number): Buffer {
  const most = 2 ** depth - 1
  const values = columns.flatMap((x) => Array.from({ length: channels }, (_, channel) => sample(x, y, channel, most)))
  const bits = values.map((value) => value.toString(2).padStart(depth, '0')).join('')
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))
}

function paeth(left: number, up: number, corner: number): number {
  const distance = (value: number) => Math.abs(left + up - corner - value)
  return [left, up, corner].reduce((best, each) => (distance(each) < distance(best) ? each : best))
}

function filtered(row: Buffer, above: Buffer | undefined, step: number, filter: number): Buffer {
  const predictions = [
    () => 0,
    (left: number) => left,
    (_: number, up: number) => up,
    (left: number, up: number) => (left + up) >> 1,
    paeth,
  ]
  const predict = predictions[filter] ?? paeth
  const bytes = row.map((byte, i) => byte - predict(row[i - step] ?? 0, above?.[i] ?? 0, above?.[i - step] ?? 0))
  return Buffer.from([filter, ...bytes])
}

function pngOf(depth: number, colour: number, filter: number, isInterlaced: boolean): Buffer {
  const channels = SAMPLES[colour] ?? 1
  const chunk = (type: string, data: Buffer) => {
    const ends = [Buffer.alloc(4), Buffer.alloc(4)] as const
    ends[0].writeUInt32BE(data.length)
    ends[1].writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])))
    return Buffer.concat([ends[0], Buffer.from(type), data, ends[1]])
  }
  const rows = (isInterlaced ? PASSES : WHOLE).flatMap(([left = 0, top = 0, across = 1, down = 1]) => {
    const columns = Array.from({ length: WIDTH }, (_, x) => x).filter((x) => x >= left && (x - left) % across === 0)
    const lines = Array.from({ length: HEIGHT }, (_, y) => y).filter((y) => y >= top && (y - top) % down === 0)
    const bytes = lines.map((y) => rowOf(columns, y, depth, channels))
    return bytes.map((row, i) => filtered(row, bytes[i - 1], Math.max(1, (depth * channels) >> 3), filter))
  })
  const head = Buffer.from([0, 0, 0, WIDTH, 0, 0, 0, HEIGHT, depth, colour, 0, 0, isInterlaced ? 1 : 0])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    ...(colour === 3 ? [chunk('PLTE', PALETTE), chunk('tRNS', ALPHAS)] : []),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const overWhite = (shade: number, alpha: number) => Math.floor(255 - ((255 - shade) * alpha) / 255)
const luma = ([red = 0, green = 0, blue = 0]: Iterable<number> & number[]) => (2 * red + 5 * green + blue) >> 3

function shadeAt(x: number, y: number, depth: number, colour: number): number {
  const channels = SAMPLES[colour] ?? 1
  const values = Array.from({ length: channels }, (_, channel) => sample(x, y, channel, 2 ** depth - 1))
  if (colour === 3) {
    const [index = 0] = values
    return overWhite(luma([...PALETTE.subarray(index * 3, index * 3 + 3)]), ALPHAS[index] ?? 255)
  }
  const bytes = values.map((value) => (depth === 16 ? value >> 8 : Math.floor((value * 255) / (2 ** depth - 1))))
  const shade = channels < 3 ? (bytes[0] ?? 0) : luma(bytes)
  return channels % 2 === 0 ? overWhite(shade, bytes.at(-1) ?? 255) : shade
}

const KINDS = [
  ...[
    [1, 0],
    [2, 0],
    [4, 0],
    [8, 0],
    [16, 0],
    [8, 2],
    [16, 2],
  ],
  ...[
    [1, 3],
    [4, 3],
    [8, 3],
    [8, 4],
    [16, 4],
    [8, 6],
    [16, 6],
  ],
]

for (const [depth = 8, colour = 0] of KINDS)
  test(`reads ${depth} bits of colour type ${colour} behind every filter, interlaced or not`, () => {
    const expected = Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
      shadeAt(i % WIDTH, Math.floor(i / WIDTH), depth, colour),
    )
    for (const filter of [0, 1, 2, 3, 4])
      for (const isInterlaced of [false, true])
        assert.deepEqual([...(readPng(pngOf(depth, colour, filter, isInterlaced))?.data ?? [])], expected)
  })
