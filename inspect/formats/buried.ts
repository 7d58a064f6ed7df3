/** Archives that are not unpacked and stand behind other bytes, or that have no signature of their own. */

import { ascii, view } from '../bytes.ts'
import type { Format } from '../visit.ts'
import { notUnpacked } from './foreign.ts'
import { SIGNATURES, type Signature } from './signatures.ts'

const LZMA: Signature = {
  type: 'application/x-lzma',
  bytes: ascii('\x5d\0\0'),
  fits: (bytes, at) =>
    isLzma(bytes.subarray(at)) && (isOpenEnded(bytes, at) || isDense(bytes, at + LZMA_HEADER_BYTES + 1)),
}

export const buriedArchive: Format = {
  applies: ({ bytes }) => typeOf(bytes) !== null,
  analyse(item, visit) {
    visit.hinder(item, 'too_complex', notUnpacked(typeOf(item.bytes)))
  },
}

function typeOf(bytes: Uint8Array): string | null {
  if (isLzma(bytes)) return 'application/x-lzma'
  return [LZMA, ...SIGNATURES].find((signature) => stands(bytes, signature))?.type ?? null
}

function stands(source: Uint8Array, { bytes: wanted, fits }: Signature): boolean {
  const bytes = view(source)
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) if (fits(bytes, at)) return true
  return false
}

const LZMA_HEADER_BYTES = 13
/** Three bits of context: what every program writes. */
const USUAL_PROPERTIES = 0x5d
const PROPERTIES_MAX = 224
const CONTENT_UNKNOWN = 0xffff_ffff_ffff_ffffn
/** 7-Zip draws the line there as well. */
const CONTENT_MAX = 1n << 56n

/** LZMA before it had a signature: properties, size of the dictionary, size of the content, and a zero. */
export function isLzma(source: Uint8Array): boolean {
  const bytes = view(source)
  if (bytes.length <= LZMA_HEADER_BYTES || bytes[LZMA_HEADER_BYTES] !== 0) return false
  if (!isDictionarySize(bytes.readUInt32LE(1))) return false
  const properties = bytes[0] ?? 0
  const content = bytes.readBigUInt64LE(5)
  // Tables of numbers look alike. So either the size is left open, as programs do, or the properties are the usual ones.
  if (content === CONTENT_UNKNOWN) return properties <= PROPERTIES_MAX
  return properties === USUAL_PROPERTIES && content > 0n && content < CONTENT_MAX
}

function isOpenEnded(bytes: Buffer, at: number): boolean {
  return bytes.readBigUInt64LE(at + 5) === CONTENT_UNKNOWN
}

const DENSE_BYTES = 32
const ZEROS_MAX = 2

/** Where tables of numbers have zeros, packed data has hardly any. */
function isDense(bytes: Buffer, at: number): boolean {
  const next = bytes.subarray(at, at + DENSE_BYTES)
  return next.length > 0 && next.filter((byte) => byte === 0).length <= ZEROS_MAX
}

/** A power of two, or one and a half of it: who guesses the format accepts no other. */
function isDictionarySize(size: number): boolean {
  if (size === 0) return false
  if (size === 0xffff_ffff) return true
  const odd = size / ((size & -size) >>> 0)
  return odd === 1 || odd === 3
}
