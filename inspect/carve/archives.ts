/** Finds archives that are not unpacked, after other data or without a signature. */

import { ascii, view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { unsupportedArchive } from '#inspect/core/obstacles.ts'
import { CONTENT_UNKNOWN, isLzma, LZMA_HEADER_BYTES } from '#inspect/detect/lzma.ts'
import { SIGNATURES, type Signature } from './archive-signatures.ts'

const LZMA: Signature = {
  type: 'application/x-lzma',
  bytes: ascii('\x5d\0\0'),
  fits: (bytes, at) =>
    isLzma(bytes.subarray(at)) && (isOpenEnded(bytes, at) || isDense(bytes, at + LZMA_HEADER_BYTES + 1)),
}

export const carvedArchive: Format = {
  applies: ({ bytes }) => typeOf(bytes) !== null,
  analyse(item, context) {
    context.addObstacle(item, 'too_complex', unsupportedArchive(typeOf(item.bytes)))
  },
}

function typeOf(bytes: Uint8Array): string | null {
  if (isLzma(bytes)) return 'application/x-lzma'
  return [LZMA, ...SIGNATURES].find((signature) => occurs(bytes, signature))?.type ?? null
}

function occurs(source: Uint8Array, { bytes: wanted, fits }: Signature): boolean {
  const bytes = view(source)
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + 1)) if (fits(bytes, at)) return true
  return false
}

function isOpenEnded(bytes: Buffer, at: number): boolean {
  return bytes.readBigUInt64LE(at + 5) === CONTENT_UNKNOWN
}

const DENSE_BYTES = 32
const ZEROS_MAX = 2

/** Packed data has hardly any zeros, unlike tables of numbers. */
function isDense(bytes: Buffer, at: number): boolean {
  const next = bytes.subarray(at, at + DENSE_BYTES)
  return next.length > 0 && next.filter((byte) => byte === 0).length <= ZEROS_MAX
}
