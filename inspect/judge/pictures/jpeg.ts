/** Reads JPEG pictures as brightness: only the first component is computed, and in fewer points if there are many. */

import { charge, spent } from '#inspect/core/work.ts'
import { type Bits, createBits, type Huffman, readTables } from './jpeg-bits.ts'
import { type Component, createBlocks, type Frame, type Scan } from './jpeg-blocks.ts'
import { BLOCK, transformOf } from './jpeg-transform.ts'
import { type Raster, SIDE_MAX } from './raster.ts'

/** Work for each block of each scan, for each byte, and for each point that is computed. */
const BLOCK_WORK = 250
const BYTE_WORK = 60
const POINT_WORK = 25
const SEGMENT_WORK = 200
const MARK_WORK = 20

export const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff

interface Segment {
  type: number
  content: Uint8Array
  end: number
}

/** The caller says where the next one begins. */
function* segmentsOf(bytes: Uint8Array): Generator<Segment, void, number | undefined> {
  let at = 2
  while (at + 4 <= bytes.length) {
    charge(SEGMENT_WORK)
    if (bytes[at] !== 0xff) return
    const type = bytes[at + 1] as number
    if (type === 0xff) at += 1
    else if (type === 0xd9) return
    else {
      const end = at + 2 + (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number))
      at = (yield { type, content: bytes.subarray(at + 4, end), end }) ?? end
    }
  }
}

/** Baseline, extended and progressive with Huffman codes of eight bits. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2])
const OTHER_FRAMES = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf])

/** null: damaged, or of a kind that is not read. */
function jpegFrame(bytes: Uint8Array): Frame | null {
  for (const { type, content } of segmentsOf(bytes)) {
    if (FRAMES.has(type)) return frameOf(type, content)
    if (OTHER_FRAMES.has(type) || type === SCAN) return null
  }
  return null
}

/** null: damaged, or of a kind that is not read. */
export function jpegHead(bytes: Uint8Array) {
  const frame = jpegFrame(bytes)
  if (frame === null) return null
  const { width, height, components } = frame
  const [first = { h: 1, v: 1 }] = components
  const share = components.reduce((sum, { h, v }) => sum + h * v, 0) / (first.h * first.v)
  const blocks = Math.ceil(width / BLOCK) * Math.ceil(height / BLOCK) * share
  const points = (width * height * pointsOf(frame) ** 2) / BLOCK ** 2
  const work = blocks * BLOCK_WORK + bytes.length * BYTE_WORK + points * POINT_WORK
  return { width, height, unpackedBytes: blocks * BLOCK ** 2, work }
}

function frameOf(type: number, content: Uint8Array): Frame | null {
  const [precision = 0, h1 = 0, h2 = 0, w1 = 0, w2 = 0, count = 0] = content
  const components = Array.from({ length: count }, (_, i): Component => {
    const [id = 0, sampling = 0, quantization = 0] = content.subarray(6 + i * 3, 9 + i * 3)
    return { id, h: sampling >> 4, v: sampling & 15, quantization }
  })
  const isKnown = components.every(({ h, v }) => h > 0 && h < 5 && v > 0 && v < 5)
  if (precision !== 8 || !isKnown || count === 0 || count > 4) return null
  return { width: (w1 << 8) | w2, height: (h1 << 8) | h2, isProgressive: type === 0xc2, components }
}

/** Four components are colours of printers: a code is in all of them, or in black only. */
export const isPrinted = (bytes: Uint8Array): boolean => isJpeg(bytes) && jpegFrame(bytes)?.components.length === 4
export const BLACK = 3

/**
 * The caller has checked the size. null: damaged, or more scans than `workMax` allows. What precedes a damage is returned.
 * `component`: the one that is read.
 */
export function readJpeg(bytes: Uint8Array, workMax: number, component = 0): Raster | null {
  const given = jpegFrame(bytes)
  const first = given?.components[component]
  if (given === null || first === undefined) return null
  const frame = { ...given, components: [first, ...given.components.filter((each) => each !== first)] }
  const blocks = createBlocks(frame)
  const tables: Tables = { codes: [], quantizations: [], restart: 0 }
  const before = spent()
  const segments = segmentsOf(bytes)
  for (let next = segments.next(); next.done !== true; ) {
    const { type, content, end } = next.value
    readTable(type, content, tables)
    if (type === SCAN && spent() - before + blocks.count * BLOCK_WORK > workMax) return null
    const scan = type === SCAN ? scanOf(frame, content, tables) : null
    if (scan !== null) readScan(blocks, scan, createBits(bytes, end))
    next = segments.next(type === SCAN ? scanEnd(bytes, end) : end)
  }
  return rasterOf(frame, blocks, tables.quantizations)
}

interface Tables {
  codes: Huffman[]
  quantizations: Uint16Array[]
  restart: number
}

const SCAN = 0xda

function readTable(type: number, content: Uint8Array, tables: Tables): void {
  if (type === 0xc4) readTables(content, tables.codes)
  if (type === 0xdb) readQuantizations(content, tables.quantizations)
  if (type === 0xdd) tables.restart = ((content[0] ?? 0) << 8) | (content[1] ?? 0)
}

function readScan(blocks: ReturnType<typeof createBlocks>, scan: Scan, bits: Bits): void {
  // The other components are only read where they are between the blocks of the first.
  if (!scan.components.some(({ index }) => index === 0)) return
  charge(blocks.count * BLOCK_WORK)
  blocks.read(scan, bits)
  charge(bits.length() * BYTE_WORK)
}

function scanOf(frame: Frame, content: Uint8Array, { codes, restart }: Tables): Scan | null {
  const [count = 0] = content
  const components = Array.from({ length: count }, (_, i) => {
    const [id = 0, table = 0] = content.subarray(1 + i * 2, 3 + i * 2)
    return {
      index: frame.components.findIndex((each) => each.id === id),
      dc: codes[table >> 4],
      ac: codes[16 + (table & 15)],
    }
  })
  const [start = 0, end = 0, approximation = 0] = content.subarray(1 + count * 2)
  if (components.length === 0 || components.some(({ index }) => index === -1) || start > end || end > 63) return null
  return { components, start, end, high: approximation >> 4, low: approximation & 15, restart }
}

/** Where the next segment begins. */
function scanEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    charge(MARK_WORK)
    const next = bytes[at + 1] ?? 0xd9
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

function readQuantizations(content: Uint8Array, quantizations: Uint16Array[]): void {
  for (let at = 0; at < content.length; ) {
    const head = content[at++] ?? 0
    const isWide = head >> 4 !== 0
    const values = Uint16Array.from({ length: 64 }, (_, i) =>
      isWide ? ((content[at + 2 * i] ?? 0) << 8) | (content[at + 2 * i + 1] ?? 0) : (content[at + i] ?? 0),
    )
    quantizations[head & 15] = values
    at += isWide ? 128 : 64
  }
}

/** Points of a block, in each direction: fewer of a picture that would be made smaller afterwards. */
function pointsOf({ width, height }: Frame): number {
  const side = Math.max(width, height)
  return [8, 4, 2, 1].find((points) => (side * points) / BLOCK <= SIDE_MAX) ?? 1
}

function rasterOf(
  frame: Frame,
  blocks: ReturnType<typeof createBlocks>,
  quantizations: readonly Uint16Array[],
): Raster {
  const points = pointsOf(frame)
  const quantization = quantizations[frame.components[0]?.quantization ?? 0] ?? new Uint16Array(64).fill(1)
  const width = Math.ceil((blocks.width * points) / BLOCK)
  const height = Math.ceil((blocks.height * points) / BLOCK)
  charge(width * height * POINT_WORK)
  const data = new Uint8Array(width * height)
  const transform = transformOf(quantization, points)
  const block = new Float64Array(points * points)
  for (let row = 0; row * points < height; row++)
    for (let column = 0; column * points < width; column++) {
      transform(blocks.coefficients, blocks.at(column, row), block)
      const [rows, columns] = [Math.min(points, height - row * points), Math.min(points, width - column * points)]
      for (let y = 0; y < rows; y++) {
        const [from, to] = [y * points, (row * points + y) * width + column * points]
        for (let x = 0; x < columns; x++) data[to + x] = clamped(block[from + x] as number)
      }
    }
  return { width, height, data }
}

const clamped = (value: number): number => (value < 0 ? 0 : Math.min(255, value))
