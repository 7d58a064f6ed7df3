/** Decodes the filters of PDF streams, except those of pictures. */

import { base85, hex, type Text } from '#inspect/codecs/text-codecs.ts'
import { hasZlibHeader } from '#inspect/core/inflate.ts'
import { lzw, runLength } from './binary-codecs.ts'
import { flate, type Step as Recovered, type RecoveryBudget } from './flate.ts'
import { type Prediction, unpredict } from './predictor.ts'

/**
 * `undecodable`: a filter that no reader knows, so that they skip it or give up. `ambiguous`: readers decode it in
 * different ways, all of which are known.
 */
export type Fault = NonNullable<Recovered['fault']> | 'undecodable' | 'ambiguous'

interface Step {
  bytes: Uint8Array
  fault: Fault | null
  others?: readonly Uint8Array[]
}

type Decoded =
  | {
      bytes: Uint8Array
      decoded: boolean
      fault: Fault | null
      /** The filter that other readers use if the only one is ambiguous. */
      others?: Step['others']
      /** The remaining filters are those of a picture. */
      picture?: boolean
      /** Bytes that all filters produced together. */
      unpacked: number
    }
  | 'too_large'

const PICTURES = new Set(['DCTDecode', 'DCT', 'JPXDecode', 'JBIG2Decode', 'CCITTFaxDecode', 'CCF'])

export const FILTERS_MAX = 8

export interface Filter {
  name: string
  /** null: ambiguous. */
  prediction: Prediction | null
  earlyChange: number
  /** The cipher that a Crypt filter names. */
  cipher: string
}

/** Whether the stream has its own cipher, independent of the file. */
export function hasOwnCipher(filters: readonly Filter[]): boolean {
  return filters.some(({ name, cipher }) => name === 'Crypt' && cipher !== '/Identity')
}

/** `tail`: the data up to the end of the file, because compressed data may be longer than the declared length. */
export function decode(
  data: Uint8Array,
  tail: Uint8Array | null,
  filters: readonly Filter[],
  remaining: number,
  recovery: RecoveryBudget,
): Decoded {
  const result = decodeAll(data, tail, filters, remaining, recovery)
  if (result === 'too_large' || result.fault !== 'ambiguous' || filters.length === 1) return result
  // Other filters were applied to one of the readings only.
  return { ...result, fault: 'too_complex', others: [] }
}

function decodeAll(
  data: Uint8Array,
  tail: Uint8Array | null,
  filters: readonly Filter[],
  remaining: number,
  recovery: RecoveryBudget,
): Decoded {
  let bytes = data
  let decoded = false
  let fault: Fault | null = null
  let others: Step['others']
  let unpacked = 0
  if (filters.length > FILTERS_MAX) return { bytes, decoded, fault: 'too_complex', unpacked }
  if (filters.length === 0 && hasZlibHeader(data)) return decodeUndeclared(data, tail, remaining, recovery)
  for (const [i, filter] of filters.entries()) {
    if (PICTURES.has(filter.name)) return { bytes, decoded, fault, picture: true, unpacked }
    const next = decodeOne(bytes, i === 0 ? tail : null, filter, remaining, recovery)
    if (next === 'too_large') return next
    if (next === null) return { bytes, decoded, fault: 'too_complex', unpacked }
    bytes = next.bytes
    others = next.others
    unpacked += bytes.length
    if (unpacked > remaining) return 'too_large'
    decoded ||= bytes.length > 0
    // Readers pass partial data to the next filter.
    fault = worse(fault, next.fault)
  }
  return { bytes, decoded, fault, others, unpacked }
}

const SEVERITY: readonly (Fault | null)[] = [null, 'damaged', 'undecodable', 'ambiguous', 'too_complex']

function worse(a: Fault | null, b: Fault | null): Fault | null {
  return SEVERITY.indexOf(a) > SEVERITY.indexOf(b) ? a : b
}

/** Inflates data with a zlib header but without a filter. */
function decodeUndeclared(
  bytes: Uint8Array,
  tail: Uint8Array | null,
  remaining: number,
  recovery: RecoveryBudget,
): Decoded {
  const inflated = flate(bytes, tail, remaining, recovery)
  if (inflated === 'too_large') return inflated
  const failed = inflated.fault !== null
  const unpacked = inflated.bytes.length
  const fault = inflated.fault === 'too_complex' ? inflated.fault : null
  return { bytes: failed ? bytes : inflated.bytes, decoded: !failed, fault, unpacked }
}

function decodeOne(
  bytes: Uint8Array,
  tail: Uint8Array | null,
  filter: Filter,
  remaining: number,
  recovery: RecoveryBudget,
): Step | 'too_large' | null {
  const { name } = filter
  if (name === 'FlateDecode' || name === 'Fl') return predictedStep(flate(bytes, tail, remaining, recovery), filter)
  if (name === 'LZWDecode' || name === 'LZW')
    return Number.isNaN(filter.earlyChange)
      ? null
      : predictedStep(step(lzw(bytes, filter.earlyChange, remaining)), filter)
  if (name === 'ASCIIHexDecode' || name === 'AHx') return textStep(hex(bytes, remaining))
  if (name === 'ASCII85Decode' || name === 'A85') return textStep(base85(bytes, remaining))
  if (name === 'RunLengthDecode' || name === 'RL') return step(runLength(bytes, remaining))
  // The identity cipher; see `hasOwnCipher` for others. Readers skip filters that they do not know, or give up.
  return name === 'Crypt' ? step(bytes) : { bytes, fault: 'undecodable' }
}

function step(output: Uint8Array | 'too_large'): Step | 'too_large' {
  return output === 'too_large' ? output : { bytes: output, fault: null }
}

function textStep(text: Text): Step | 'too_large' {
  return text === 'too_large' ? text : { ...text, fault: text.ambiguous ? 'ambiguous' : null }
}

function predictedStep(output: Step | 'too_large', { prediction }: Filter): Step | 'too_large' | null {
  if (output === 'too_large') return output
  const bytes = prediction === null ? null : unpredict(output.bytes, prediction)
  return bytes === null ? null : { ...output, bytes }
}
