/** The coefficients of the first component of a JPEG picture, from one scan or several. */

import { type Bits, type Huffman, NO_TABLE, PLACES } from './jpeg-bits.ts'

export interface Component {
  id: number
  h: number
  v: number
  quantization: number
}

export interface Frame {
  width: number
  height: number
  isProgressive: boolean
  components: readonly Component[]
}

export interface Scan {
  /** `index`: in the frame. */
  components: readonly { index: number; dc: Huffman | undefined; ac: Huffman | undefined }[]
  /** The first and the last coefficient, and the bits of each: `high` were read before, `low` come later. */
  start: number
  end: number
  high: number
  low: number
  /** Units between two marks; 0: none. */
  restart: number
}

interface State {
  predictions: number[]
  /** Blocks that have no further coefficients. */
  skipped: number
}

/** `at`: where the block begins. */
type Reader = (blocks: Int16Array, at: number, state: State, bits: Bits, index: number) => void

export function createBlocks({ width: columns, height: lines, isProgressive, components }: Frame) {
  const [first = { h: 1, v: 1 }] = components
  const hMax = Math.max(...components.map(({ h }) => h))
  const vMax = Math.max(...components.map(({ v }) => v))
  const unitsAcross = Math.ceil(columns / (8 * hMax))
  const unitsDown = Math.ceil(lines / (8 * vMax))
  const stride = unitsAcross * first.h
  const width = Math.ceil((columns * first.h) / hMax)
  const height = Math.ceil((lines * first.v) / vMax)
  const coefficients = new Int16Array(stride * unitsDown * first.v * 64)
  /** For blocks of the other components. */
  const scratch = new Int16Array(64)
  const at = (column: number, row: number): number => (row * stride + column) * 64

  function readAlone(reader: Reader, state: State, bits: Bits, restart: number): void {
    const [across, down] = [Math.ceil(width / 8), Math.ceil(height / 8)]
    for (let i = 0; i < across * down && !bits.isPastEnd(); i++) {
      if (restart > 0 && i > 0 && i % restart === 0 && !reset(state, bits)) return
      reader(coefficients, at(i % across, Math.floor(i / across)), state, bits, 0)
    }
  }

  function readTogether(
    readers: readonly (readonly [number, Reader])[],
    state: State,
    bits: Bits,
    restart: number,
  ): void {
    for (let unit = 0; unit < unitsAcross * unitsDown && !bits.isPastEnd(); unit++) {
      if (restart > 0 && unit > 0 && unit % restart === 0 && !reset(state, bits)) return
      for (const [index, reader] of readers) readUnit(index, reader, unit, state, bits)
    }
  }

  function readUnit(index: number, reader: Reader, unit: number, state: State, bits: Bits): void {
    const { h, v } = components[index] ?? { h: 0, v: 0 }
    for (let i = 0; i < h * v; i++) {
      const [column, row] = [(unit % unitsAcross) * h + (i % h), Math.floor(unit / unitsAcross) * v + Math.floor(i / h)]
      if (index === 0) reader(coefficients, at(column, row), state, bits, index)
      else reader(scratch, 0, state, bits, index)
    }
  }

  return {
    width,
    height,
    coefficients,
    at,
    count: unitsAcross * unitsDown * components.reduce((sum, { h, v }) => sum + h * v, 0),
    read(scan: Scan, bits: Bits): void {
      const state: State = { predictions: [], skipped: 0 }
      const readers = scan.components.map(({ index, dc, ac }) => {
        const tables = { dc: dc ?? NO_TABLE, ac: ac ?? NO_TABLE }
        return [index, isProgressive ? progressive(scan, tables) : baseline(tables)] as const
      })
      const [only] = readers
      if (readers.length === 1 && only !== undefined) readAlone(only[1], state, bits, scan.restart)
      else readTogether(readers, state, bits, scan.restart)
    },
  }
}

function reset(state: State, bits: Bits): boolean {
  state.predictions = []
  state.skipped = 0
  return bits.restart()
}

interface Tables {
  dc: Huffman
  ac: Huffman
}

function difference(state: State, bits: Bits, index: number, dc: Huffman): number {
  const value = (state.predictions[index] ?? 0) + bits.signed(bits.symbol(dc) & 15)
  state.predictions[index] = value
  return value
}

const baseline =
  ({ dc, ac }: Tables): Reader =>
  (blocks, at, state, bits, index) => {
    blocks[at] = difference(state, bits, index, dc)
    for (let k = 1; k < 64; k++) {
      const symbol = bits.symbol(ac)
      const size = symbol & 15
      if (size === 0 && symbol !== 0xf0) return
      k += symbol >> 4
      if (size > 0 && k < 64) blocks[at + (PLACES[k] as number)] = bits.signed(size)
    }
  }

function progressive({ start, end, high, low }: Scan, { dc, ac }: Tables): Reader {
  if (start === 0 && high === 0)
    return (blocks, at, state, bits, index) => {
      blocks[at] = difference(state, bits, index, dc) << low
    }
  if (start === 0)
    return (blocks, at, _, bits) => {
      blocks[at] = (blocks[at] as number) | (bits.take(1) << low)
    }
  return high === 0 ? firstBits(start, end, low, ac) : furtherBits(start, end, low, ac)
}

const firstBits =
  (start: number, end: number, low: number, ac: Huffman): Reader =>
  (blocks, at, state, bits) => {
    if (state.skipped > 0) {
      state.skipped -= 1
      return
    }
    for (let k = start; k <= end; k++) {
      const symbol = bits.symbol(ac)
      const [run, size] = [symbol >> 4, symbol & 15]
      if (size === 0 && run < 15) {
        state.skipped = (1 << run) - 1 + bits.take(run)
        return
      }
      k += run
      if (size > 0 && k < 64) blocks[at + (PLACES[k] as number)] = bits.signed(size) * (1 << low)
    }
  }

const furtherBits =
  (start: number, end: number, low: number, ac: Huffman): Reader =>
  (blocks, at, state, bits) => {
    const correction = { end, bit: 1 << low }
    let k = start
    while (state.skipped === 0 && k <= end && !bits.isPastEnd()) {
      const symbol = bits.symbol(ac)
      const run = symbol >> 4
      if (symbol < 0xf0 && (symbol & 15) === 0) state.skipped = (1 << run) + bits.take(run)
      else k = addNew(blocks, at, k, symbol, correction, bits)
    }
    if (state.skipped === 0) return
    correct(blocks, at, k, 64, correction, bits)
    state.skipped -= 1
  }

interface Correction {
  end: number
  bit: number
}

/** A coefficient that was 0 before, behind a run of others. Returns the place after it. */
function addNew(
  blocks: Int16Array,
  at: number,
  from: number,
  symbol: number,
  correction: Correction,
  bits: Bits,
): number {
  const isNew = (symbol & 15) > 0
  const isNegative = isNew && bits.take(1) === 0
  const k = correct(blocks, at, from, symbol >> 4, correction, bits)
  const { end, bit } = correction
  if (isNew && k <= end) blocks[at + (PLACES[k] as number)] = isNegative ? -bit : bit
  return k + 1
}

/** Adds a bit to what is known, and passes as many places that are 0. Returns the place after them. */
function correct(
  blocks: Int16Array,
  at: number,
  from: number,
  zeros: number,
  { end, bit }: Correction,
  bits: Bits,
): number {
  let left = zeros
  for (let k = from; k <= end; k++) {
    const place = at + (PLACES[k] as number)
    const value = blocks[place] as number
    if (value !== 0) blocks[place] = corrected(value, bit, bits)
    else if (left-- === 0) return k
  }
  return end + 1
}

function corrected(value: number, bit: number, bits: Bits): number {
  if (bits.take(1) === 0 || (Math.abs(value) & bit) !== 0) return value
  return value > 0 ? value + bit : value - bit
}
