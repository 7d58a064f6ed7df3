/** Decodes the start of LZMA data, to tell it from other data with a similar header. */

import { charge } from '#inspect/core/work.ts'

/** Literals that decide for LZMA. No chance data reaches them before an impossible distance. */
const LITERALS_MIN = 512
/** Data with fewer has fewer distinct bytes than a harmful file. Random data seldom has as many. */
const LITERALS_HARMFUL_MIN = 32
/** Literals of data without an impossible distance: it ends properly, or is truncated. */
const LITERALS_WHOLE_MIN = 8
/** Output without a decision. Past it, the data counts as LZMA unless only zeros follow or no program writes its header. */
const OUTPUT_MAX = 1_048_576

/** Symbols decoded for all candidates of a document. Chance data has a few candidates of some symbols each. */
export const SYMBOLS_MAX = 4_194_304
/** Charged for each candidate. */
const SYMBOLS_MIN = 128

/** Exhausted below zero. Then every candidate counts as LZMA. */
export interface ProbeBudget {
  symbolsLeft: number
}

/** Work for each candidate, and for each symbol. */
const PROBE_WORK = 3_000
const SYMBOL_WORK = 100

const HEADER_BYTES = 13
const CODE_BYTES = 5
const STATES = 12
const PROBABILITY = 1024
/** Offsets of the probability tables. */
const IS_MATCH = 0
const IS_REP = IS_MATCH + STATES * 16
const IS_REP_G0 = IS_REP + STATES
const IS_REP_G1 = IS_REP_G0 + STATES
const IS_REP_G2 = IS_REP_G1 + STATES
const IS_REP0_LONG = IS_REP_G2 + STATES
const SLOTS = IS_REP0_LONG + STATES * 16
const SPECIAL = SLOTS + 4 * 64
const ALIGN = SPECIAL + 128
const LENGTHS = ALIGN + 16
const LENGTH_TABLE = 2 + 16 * 8 * 2 + 256
const REP_LENGTHS = LENGTHS + LENGTH_TABLE
const LITERALS = REP_LENGTHS + LENGTH_TABLE
const LITERAL_TABLE = 0x300
/** Work to set a probability, and probabilities that take as long as a symbol. */
const TABLE_WORK = 0.5
const TABLE_PER_SYMBOL = 64

/** Internal: the input ends. */
class Exhausted extends Error {}

/** Grows for unusual properties. */
let scratch = new Uint16Array(LITERALS + (LITERAL_TABLE << 3))

function probabilitiesFor(literalTables: number): Uint16Array {
  const size = LITERALS + LITERAL_TABLE * literalTables
  charge(size * TABLE_WORK)
  if (scratch.length < size) scratch = new Uint16Array(size)
  return scratch.fill(PROBABILITY, 0, size)
}

/** Chance data may still begin with content: all that a program unpacks before the impossible distance. */
type ProbeResult = { isLzma: boolean; content: Uint8Array | null }

const LZMA: ProbeResult = { isLzma: true, content: null }
const CHANCE: ProbeResult = { isLzma: false, content: null }
const lzmaIf = (condition: boolean): ProbeResult => (condition ? LZMA : CHANCE)

export interface LzmaHeader {
  /** lc. */
  literalContextBits: number
  /** lp. */
  literalPositionBits: number
  /** pb. */
  positionBits: number
  /** Infinity: unknown. */
  contentBytes: number
  /** As programs write it by default. Chance data has other headers, so that they need more evidence. */
  isUsual: boolean
  /** As programs may write it, though with other settings. Runs of 0xFF have other headers. */
  isWritten: boolean
}

/** `bytes`: from the header. */
export function probeLzma(bytes: Buffer, header: LzmaHeader, budget: ProbeBudget): ProbeResult {
  // The first symbol of valid data is a literal.
  if ((bytes[HEADER_BYTES + 1] ?? 0xff) >= 0x80) return CHANCE
  charge(PROBE_WORK)
  const output = new Output()
  const { isUsual } = header
  const decoder = createDecoder(bytes, header, output)
  budget.symbolsLeft -= Math.max(SYMBOLS_MIN, decoder.tableSize / TABLE_PER_SYMBOL)
  try {
    return decode(decoder, output, header, budget) ?? unsettled(output, isUsual)
  } catch (error) {
    if (!(error instanceof Exhausted)) throw error
    return unsettled(output, isUsual)
  }
}

/** null: the size is reached, but not the end of the data. */
function decode(decoder: Decoder, output: Output, header: LzmaHeader, budget: ProbeBudget): ProbeResult | null {
  const { contentBytes, isWritten } = header
  while (output.length < contentBytes) {
    charge(SYMBOL_WORK)
    if (budget.symbolsLeft-- < 0 || output.literals >= LITERALS_MIN) return LZMA
    if (output.length >= OUTPUT_MAX) return isWritten ? longOf(output, decoder.rest()) : faultOf(output)
    if (!decoder.decodeSymbol()) return decoder.isAtEnd() ? wholeOf(output) : faultOf(output)
  }
  return decoder.isFinished() ? wholeOf(output) : null
}

type Decoder = ReturnType<typeof createDecoder>

function createDecoder(bytes: Buffer, header: LzmaHeader, output: Output) {
  const { literalContextBits, literalPositionBits } = header
  const literalPositionMask = (1 << literalPositionBits) - 1
  const positionMask = (1 << header.positionBits) - 1
  const literalTables = 1 << (literalContextBits + literalPositionBits)
  const probabilities = probabilitiesFor(literalTables)
  let at = HEADER_BYTES + CODE_BYTES
  let range = 0xffff_ffff
  let code = bytes.length < at ? 0 : bytes.readUInt32BE(HEADER_BYTES + 1)
  let state = 0
  let reps = [0, 0, 0, 0]

  function normalize(): void {
    if (range >= 0x1_00_00_00) return
    if (at >= bytes.length) throw new Exhausted()
    range = (range << 8) >>> 0
    code = ((code << 8) | (bytes[at++] as number)) >>> 0
  }

  function bit(index: number): 0 | 1 {
    normalize()
    const probability = probabilities[index] as number
    const bound = (range >>> 11) * probability
    if (code < bound) {
      range = bound
      probabilities[index] = probability + ((2048 - probability) >> 5)
      return 0
    }
    range -= bound
    code -= bound
    probabilities[index] = probability - (probability >> 5)
    return 1
  }

  function tree(base: number, width: number): number {
    let value = 1
    for (let i = 0; i < width; i++) value = (value << 1) | bit(base + value)
    return value - (1 << width)
  }

  function reverseTree(base: number, width: number): number {
    let value = 0
    for (let i = 0, node = 1; i < width; i++) {
      const one = bit(base + node)
      node = (node << 1) | one
      value |= one << i
    }
    return value
  }

  function directBits(width: number): number {
    let value = 0
    for (let i = 0; i < width; i++) {
      normalize()
      range >>>= 1
      const one = code >= range ? 1 : 0
      if (one === 1) code -= range
      value = value * 2 + one
    }
    return value
  }

  function literal(): number {
    const position = (output.length & literalPositionMask) << literalContextBits
    const base = LITERALS + LITERAL_TABLE * (position + (output.back(0) >> (8 - literalContextBits)))
    let value = 1
    if (state >= 7) {
      let matched = output.back(reps[0] as number)
      while (value < 0x100) {
        const expected = (matched >> 7) & 1
        matched <<= 1
        const one = bit(base + ((1 + expected) << 8) + value)
        value = (value << 1) | one
        if (one !== expected) break
      }
    }
    while (value < 0x100) value = (value << 1) | bit(base + value)
    return value & 0xff
  }

  function length(base: number, position: number): number {
    if (bit(base) === 0) return 2 + tree(base + 2 + position * 8, 3)
    if (bit(base + 1) === 0) return 10 + tree(base + 2 + 128 + position * 8, 3)
    return 18 + tree(base + 2 + 256, 8)
  }

  function distance(lengthState: number): number {
    const slot = tree(SLOTS + lengthState * 64, 6)
    if (slot < 4) return slot
    const width = (slot >> 1) - 1
    const start = (2 | (slot & 1)) * 2 ** width
    if (slot < 14) return start + reverseTree(SPECIAL + start - slot - 1, width)
    return start + directBits(width - 4) * 16 + reverseTree(ALIGN, 4)
  }

  /** Moves one of the last four distances to the front. */
  function choose(index: number): void {
    const [chosen = 0] = reps.splice(index, 1)
    reps.unshift(chosen)
  }

  /** The length of a repeated match. */
  function repeated(position: number): number {
    const isOlder = bit(IS_REP_G0 + state) === 1
    if (!isOlder && bit(IS_REP0_LONG + state * 16 + position) === 0) {
      state = state < 7 ? 9 : 11
      return 1
    }
    if (isOlder) choose(bit(IS_REP_G1 + state) === 0 ? 1 : 2 + bit(IS_REP_G2 + state))
    const count = length(REP_LENGTHS, position)
    state = state < 7 ? 8 : 11
    return count
  }

  function matched(position: number): number {
    const count = length(LENGTHS, position)
    reps = [distance(Math.min(count - 2, 3)), ...reps.slice(0, 3)]
    state = state < 7 ? 7 : 10
    return count
  }

  function decodeSymbol(): boolean {
    const position = output.length & positionMask
    if (bit(IS_MATCH + state * 16 + position) === 0) {
      output.addLiteral(literal())
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6
      return true
    }
    const count = bit(IS_REP + state) === 1 ? repeated(position) : matched(position)
    return output.copy(reps[0] as number, count)
  }

  /** The end marker alone is chance: a run of 0xFF decodes to it. Nothing is left after the last bytes of real data. */
  const isAtEnd = (): boolean => {
    if (reps[0] !== END_MARKER) return false
    normalize()
    return code === 0
  }

  return {
    tableSize: LITERALS + LITERAL_TABLE * literalTables,
    /** false: the distance is impossible, or the end marker. */
    decodeSymbol,
    isAtEnd,
    /** Whether the data ends here, which chance data does only once in billions. */
    isFinished(): boolean {
      normalize()
      return code === 0 || (!decodeSymbol() && isAtEnd())
    },
    rest: (): Buffer => bytes.subarray(at),
  }
}

const END_MARKER = 0xffff_ffff

function wholeOf({ literals }: Output): ProbeResult {
  return lzmaIf(literals >= LITERALS_WHOLE_MIN)
}

function unsettled(output: Output, isUsual: boolean): ProbeResult {
  return isUsual ? wholeOf(output) : faultOf(output)
}

function longOf({ literals }: Output, rest: Uint8Array): ProbeResult {
  return lzmaIf(literals > 0 || rest.some((byte) => byte !== 0))
}

function faultOf(output: Output): ProbeResult {
  return { isLzma: false, content: output.literals < LITERALS_HARMFUL_MIN ? null : output.content() }
}

class Output {
  private bytes = new Uint8Array(512)
  length = 0
  /** Literals other than zero: tables of numbers decode to zeros. */
  literals = 0

  content(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  /** 0 is the last byte. */
  back(distance: number): number {
    return this.bytes[this.length - 1 - distance] ?? 0
  }

  addLiteral(byte: number): void {
    if (byte !== 0) this.literals += 1
    this.add(byte)
  }

  /** false: the distance is impossible. */
  copy(distance: number, count: number): boolean {
    if (distance >= this.length) return false
    for (let i = 0; i < count; i++) this.add(this.back(distance))
    return true
  }

  private add(byte: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(this.bytes.length * 4)
      larger.set(this.bytes)
      this.bytes = larger
    }
    this.bytes[this.length++] = byte
  }
}
