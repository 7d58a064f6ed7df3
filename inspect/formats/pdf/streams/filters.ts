/** Undoes the filters of PDF streams that hide content: Flate, LZW, run lengths, hexadecimal, Base85. Pictures stay as they are. */

import { lzw, runLength } from './codecs.ts'
import { flate, hasZlibHeader, type Salvage, type Step } from './flate.ts'
import { type Prediction, unpredict } from './predictor.ts'
import { base85, hex, type Written } from './text-codecs.ts'

/** `fault`: why not all of it could be undone. `picture`: what is left is for an image decoder. */
export type Decoded =
  | {
      bytes: Uint8Array
      decoded: boolean
      fault: Step['fault']
      picture?: boolean
      /** Bytes that all filters made, one after the other. */
      unpacked: number
    }
  | 'too_large'

const PICTURES = new Set(['DCTDecode', 'DCT', 'JPXDecode', 'JBIG2Decode', 'CCITTFaxDecode', 'CCF'])

/** Filters of one stream. A stream with more is too complex. */
const FILTERS_MAX = 8

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
  remaining: number,
  salvage: Salvage,
): Decoded {
  let bytes = data
  let decoded = false
  let fault: Step['fault'] = null
  let unpacked = 0
  if (filters.length > FILTERS_MAX) return { bytes, decoded, fault: 'too_complex', unpacked }
  if (filters.length === 0 && hasZlibHeader(data)) return undeclared(data, tail, remaining, salvage)
  for (const [i, filter] of filters.entries()) {
    if (PICTURES.has(filter.name)) return { bytes, decoded, fault, picture: true, unpacked }
    const next = decodeOne(bytes, i === 0 ? tail : null, filter, remaining, salvage)
    if (next === 'too_large') return next
    if (next === null) return { bytes, decoded, fault: 'too_complex', unpacked }
    bytes = next.bytes
    unpacked += bytes.length
    if (unpacked > remaining) return 'too_large'
    decoded ||= bytes.length > 0
    // Readers go on with what they have.
    fault = worse(fault, next.fault)
  }
  return { bytes, decoded, fault, unpacked }
}

function worse(a: Step['fault'], b: Step['fault']): Step['fault'] {
  return a === 'too_complex' ? a : (b ?? a)
}

/** Without a filter, the data may still say what it is. */
function undeclared(bytes: Uint8Array, tail: Uint8Array | null, remaining: number, salvage: Salvage): Decoded {
  const inflated = flate(bytes, tail, remaining, salvage)
  if (inflated === 'too_large') return inflated
  const broken = inflated.fault !== null
  const unpacked = inflated.bytes.length
  const fault = inflated.fault === 'too_complex' ? inflated.fault : null
  return { bytes: broken ? bytes : inflated.bytes, decoded: !broken, fault, unpacked }
}

function decodeOne(
  bytes: Uint8Array,
  tail: Uint8Array | null,
  filter: Filter,
  remaining: number,
  salvage: Salvage,
): Step | 'too_large' | null {
  const { name } = filter
  if (name === 'FlateDecode' || name === 'Fl') return predictedStep(flate(bytes, tail, remaining, salvage), filter)
  if (name === 'LZWDecode' || name === 'LZW')
    return Number.isNaN(filter.earlyChange)
      ? null
      : predictedStep(step(lzw(bytes, filter.earlyChange, remaining)), filter)
  if (name === 'ASCIIHexDecode' || name === 'AHx') return writtenStep(hex(bytes, remaining))
  if (name === 'ASCII85Decode' || name === 'A85') return writtenStep(base85(bytes, remaining))
  if (name === 'RunLengthDecode' || name === 'RL') return step(runLength(bytes, remaining))
  // It says that there is no cipher here; for any other, see `hasOwnCipher`.
  return name === 'Crypt' ? step(bytes) : null
}

function step(output: Uint8Array | 'too_large'): Step | 'too_large' {
  return output === 'too_large' ? output : { bytes: output, fault: null }
}

function writtenStep(written: Written): Step | 'too_large' {
  return written === 'too_large' ? written : { bytes: written.bytes, fault: written.unclear ? 'too_complex' : null }
}

function predictedStep(done: Step | 'too_large', { prediction }: Filter): Step | 'too_large' | null {
  if (done === 'too_large') return done
  const bytes = prediction === null ? null : unpredict(done.bytes, prediction)
  return bytes === null ? null : { ...done, bytes }
}
