/** Undoes the filters of PDF streams that hide content: Flate, LZW, run lengths, hexadecimal, Base85. Pictures stay as they are. */

import { type Inflated, inflate } from '../../inflate.ts'
import { salvage } from '../../salvage.ts'
import { base85, hex, lzw, runLength } from './codecs.ts'
import { type Prediction, unpredict } from './predictor.ts'

/** Bytes that are saved of a broken stream. One with more is too complex. */
export const SALVAGE_MAX = 8_388_608

/** Bytes saved of all broken streams of a document: it is slow. Past them, a broken stream is too complex. */
export const SALVAGE_TOTAL_MAX = 16_777_216

/** How many bytes may still be saved. */
export interface Salvage {
  left: number
}

/** `fault`: why not all of it could be undone. `picture`: what is left is for an image decoder. */
export type Decoded =
  | { bytes: Uint8Array; decoded: boolean; fault: 'too_complex' | 'damaged' | null; picture?: boolean }
  | 'too_large'

const PICTURES = new Set(['DCTDecode', 'DCT', 'JPXDecode', 'JBIG2Decode', 'CCITTFaxDecode', 'CCF'])

/** Filters of one stream. A stream with more is too complex. */
export const FILTERS_MAX = 8

/** One filter of a stream. `prediction` null: it cannot be found out. */
export interface Filter {
  name: string
  prediction: Prediction | null
  earlyChange: number
  /** The cipher that a Crypt filter names. */
  cipher: string
}

/** A stream under a cipher of its own, when the file as a whole has another or none. */
export function hasOwnCipher(filters: readonly Filter[]): boolean {
  return filters.some(({ name, cipher }) => name === 'Crypt' && cipher !== '/Identity')
}

/** `tail` goes on past the end of the stream: compressed data knows its own end better than the file does. */
export function decode(
  data: Uint8Array,
  tail: Uint8Array | null,
  filters: readonly Filter[],
  room: number,
  salvage: Salvage,
): Decoded {
  let bytes = data
  let decoded = false
  if (filters.length > FILTERS_MAX) return { bytes, decoded, fault: 'too_complex' }
  if (filters.length === 0 && hasZlibHeader(data)) return undeclared(data, tail, room)
  for (const [i, filter] of filters.entries()) {
    if (PICTURES.has(filter.name)) return { bytes, decoded, fault: null, picture: true }
    const next = decodeOne(bytes, i === 0 ? tail : null, filter, room, salvage)
    if (next === 'too_large') return next
    if (next === null) return { bytes, decoded, fault: 'too_complex' }
    bytes = next.bytes
    decoded ||= bytes.length > 0
    if (next.fault !== null) return { bytes, decoded, fault: next.fault }
  }
  return { bytes, decoded, fault: null }
}

/** Without a filter, the data may still say what it is. */
function undeclared(bytes: Uint8Array, tail: Uint8Array | null, room: number): Decoded {
  const inflated = flate(bytes, tail, room, null)
  if (inflated === 'too_large') return inflated
  const broken = inflated.fault !== null
  return { bytes: broken ? bytes : inflated.bytes, decoded: !broken, fault: null }
}

interface Step {
  bytes: Uint8Array
  fault: 'too_complex' | 'damaged' | null
}

function decodeOne(
  bytes: Uint8Array,
  tail: Uint8Array | null,
  filter: Filter,
  room: number,
  salvage: Salvage,
): Step | 'too_large' | null {
  const { name } = filter
  if (name === 'FlateDecode' || name === 'Fl') return predictedStep(flate(bytes, tail, room, salvage), filter)
  if (name === 'LZWDecode' || name === 'LZW')
    return Number.isNaN(filter.earlyChange) ? null : predictedStep(step(lzw(bytes, filter.earlyChange, room)), filter)
  if (name === 'ASCIIHexDecode' || name === 'AHx') return step(hex(bytes, room))
  if (name === 'ASCII85Decode' || name === 'A85') return step(base85(bytes, room))
  if (name === 'RunLengthDecode' || name === 'RL') return step(runLength(bytes, room))
  // It says that there is no cipher here; for any other, see `hasOwnCipher`.
  return name === 'Crypt' ? step(bytes) : null
}

function step(output: Uint8Array | 'too_large'): Step | 'too_large' {
  return output === 'too_large' ? output : { bytes: output, fault: null }
}

function predictedStep(done: Step | 'too_large', { prediction }: Filter): Step | 'too_large' | null {
  if (done === 'too_large') return done
  const bytes = prediction === null ? null : unpredict(done.bytes, prediction)
  return bytes === null ? null : { ...done, bytes }
}

function hasZlibHeader(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x8f) === 0x08 && ((method << 8) | flags) % 31 === 0
}

/** Without `salvage` nothing is saved of broken data. */
function flate(bytes: Uint8Array, tail: Uint8Array | null, room: number, salvage: Salvage | null): Step | 'too_large' {
  const expected = Math.min(bytes.length * 6, 4_194_304)
  const inflated = inflateAny(bytes, room, expected)
  if (inflated.outcome === 'too_large') return 'too_large'
  if (inflated.outcome === 'corrupt')
    return salvage === null ? { bytes, fault: 'damaged' } : salvaged(body(bytes), room, salvage)
  if (inflated.outcome === 'whole' || tail === null) return { bytes: inflated.bytes, fault: null }
  // Cut off, perhaps by the word `endstream` inside the data: then it goes on behind it.
  const further = inflateAny(tail, room, expected)
  if (further.outcome === 'too_large') return 'too_large'
  return { bytes: further.outcome === 'whole' ? further.bytes : inflated.bytes, fault: null }
}

/** What comes before the fault. If that is more than we save, something is left that readers show. */
function salvaged(packed: Uint8Array, room: number, total: Salvage): Step {
  const bytesMax = Math.min(room, SALVAGE_MAX + 1, total.left + 1)
  const bytes = salvage(packed, bytesMax)
  total.left = Math.max(0, total.left - bytes.length)
  return { bytes, fault: bytes.length < bytesMax ? 'damaged' : 'too_complex' }
}

function body(packed: Uint8Array): Uint8Array {
  return packed.subarray(hasZlibHeader(packed) ? 2 : 0)
}

function inflateAny(packed: Uint8Array, room: number, expected: number): Inflated {
  return inflate(body(packed), room, expected)
}
