/** Reads the data of the old Equation Editor (MTEF), to tell equations from attacks on that program. */

import { view } from '#inspect/core/bytes.ts'
import { charge } from '#inspect/core/work.ts'

/**
 * `equation`: an equation as the program writes it. `overflow`: a name or a matrix that is larger than the memory that the
 * program reserves for it. `odd`: anything else.
 */
export type EquationKind = 'equation' | 'overflow' | 'odd'

const HEADER_BYTES = 28
const HEADER_VERSION = 0x20000
/** MTEF version, platform, product, version and subversion. */
const MTEF_HEADER_BYTES = 5
/** The program copies the name of a font to 36 bytes. */
export const FONT_NAME_MAX = 35
/** Rows and columns: the program keeps 8 bytes for the lines of each. */
export const MATRIX_MAX = 31

const RECORD_WORK = 200

/** `data`: the stream `Equation Native`, or native data without its size. */
export function equationKind(data: Uint8Array): EquationKind {
  const bytes = view(data)
  if (bytes.length < HEADER_BYTES + MTEF_HEADER_BYTES || bytes.readUInt16LE(0) !== HEADER_BYTES) return 'odd'
  const isKnown = bytes.readUInt32LE(2) === HEADER_VERSION
  const version = bytes[HEADER_BYTES] ?? 0
  // MathType writes versions 4 and 5, which the Equation Editor does not read.
  if (version === 4 || version === 5) return isKnown ? 'equation' : 'odd'
  const records = bytes.subarray(0, HEADER_BYTES + bytes.readUInt32LE(8))
  const old = version === 1 || version === 2 ? recordsKind(records, OLD_LENGTHS) : 'odd'
  // The program may read records of any version as its own, unless they are complete as they are.
  const kind = old === 'odd' ? recordsKind(records, LENGTHS) : old
  return kind === 'equation' && (!isKnown || version < 1 || version > 5) ? 'odd' : kind
}

const NUDGED = 8
const END = 0
const CHARACTER = 2
const MATRIX = 5
const FONT = 8

/** Lists need not be followed: every list ends with a record of its own. */
function recordsKind(bytes: Buffer, lengths: readonly Length[]): EquationKind {
  let at = HEADER_BYTES + MTEF_HEADER_BYTES
  let depth = 0
  while (at < bytes.length) {
    charge(RECORD_WORK)
    const tag = bytes[at] as number
    const type = tag & 15
    const options = tag >> 4
    at += 1
    if (type <= 6 && options & NUDGED) at = afterNudge(bytes, at)
    if (overflows(bytes, at, type)) return 'overflow'
    const length = lengths[type]?.(bytes, at, options)
    if (length === undefined) return 'odd'
    if (type === END) depth -= 1
    if (depth < 0) return 'equation'
    if (opensList(type, options)) depth += 1
    at += length
  }
  return at === bytes.length ? 'equation' : 'odd'
}

/** Two bytes, or six where the offsets are large. */
function afterNudge(bytes: Buffer, at: number): number {
  return bytes[at] === 128 && bytes[at + 1] === 128 ? at + 6 : at + 2
}

function overflows(bytes: Buffer, at: number, type: number): boolean {
  if (type === MATRIX) return Math.max(bytes[at + 3] ?? 0, bytes[at + 4] ?? 0) > MATRIX_MAX
  return type === FONT && fontNameBytes(bytes, at) > FONT_NAME_MAX
}

/** The name follows the typeface and the style. */
function fontNameBytes(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(0, at + 2)
  return (end === -1 ? bytes.length + 1 : end) - at - 2
}

/** A line that is not empty, a template, a pile, a matrix, and a character with embellishments. */
function opensList(type: number, options: number): boolean {
  if (type === 1) return (options & 1) === 0
  if (type === 2) return (options & 2) !== 0
  return type >= 3 && type <= 5
}

type Length = (bytes: Buffer, at: number, options: number) => number

const none: Length = () => 0
const matrix: Length = (bytes, at) => 5 + partitionBytes(bytes[at + 3]) + partitionBytes(bytes[at + 4])
const size: Length = (bytes, at) => (bytes[at] === 101 ? 3 : bytes[at] === 100 ? 4 : 2)

/** By type, without the tag, the nudge and lists. */
const LENGTHS: readonly Length[] = [
  none,
  (_bytes, _at, options) => (options & 4 ? 1 : 0),
  () => 3,
  () => 3,
  () => 2,
  matrix,
  () => 1,
  (bytes, at) => 1 + (bytes[at] ?? 0) * 3,
  (bytes, at) => fontNameBytes(bytes, at) + 3,
  size,
  none,
  none,
  none,
  none,
  none,
]

/** Before version 3, the code of a character has one byte. */
const OLD_LENGTHS = LENGTHS.with(CHARACTER, () => 2)

/** Two bits for each line of the matrix. */
function partitionBytes(count = 0): number {
  return Math.ceil((2 * (count + 1)) / 8)
}
