/** Signatures of archives that are not unpacked, with checks that exclude chance matches. */

import { ascii } from '#inspect/core/bytes.ts'
import { charge } from '#inspect/core/work.ts'
import { encodingOf } from '#inspect/detect/text.ts'

export interface Signature {
  type: string
  bytes: Uint8Array
  /** Checks the bytes around the signature. */
  fits(bytes: Buffer, at: number): boolean
}

const byte = (bytes: Buffer, at: number): number => bytes[at] ?? 0xff

/** Formats whose programs search for the signature, or that self-extracting scripts contain. */
export const SIGNATURES: readonly Signature[] = [
  {
    type: 'application/vnd.rar',
    bytes: ascii('Rar!\x1a\x07'),
    fits: (bytes, at) => isOldRar(bytes, at) || isNewRar(bytes, at),
  },
  {
    type: 'application/x-xz',
    bytes: ascii('\xfd7zXZ\0\0'),
    fits: (bytes, at) => XZ_CHECKS.has(byte(bytes, at + 7)),
  },
  {
    type: 'application/x-bzip2',
    bytes: ascii('1AY&SY'),
    fits: (bytes, at) => at >= 4 && BZIP2.test(bytes.toString('latin1', at - 4, at)) && !isSentence(bytes, at),
  },
  {
    type: 'application/x-lzip',
    bytes: ascii('LZIP\x01'),
    fits: (bytes, at) => isBetween(byte(bytes, at + 5) & 0x1f, LZIP_DICTIONARY_BITS),
  },
  {
    type: 'application/x-lz4',
    bytes: ascii('\x04\x22\x4d\x18'),
    // The version and the block size, each in a byte whose other bits are zero.
    fits: (bytes, at) =>
      (byte(bytes, at + 4) & 0xc2) === 0x40 &&
      (byte(bytes, at + 5) & 0x8f) === 0 &&
      isBetween(byte(bytes, at + 5) >> 4, LZ4_BLOCKS),
  },
]

/** Blocks of archives, from the signature itself to the last one. */
const RAR_BLOCKS = [0x72, 0x7b] as const
const RAR_BLOCK_MIN = 7
/** The archive, a file, a service, the encryption and the end. */
const NEW_RAR_BLOCKS = [1, 5] as const

/** The header of a block has its checksum, type, flags and size. Programs that tell types apart have the signature alone. */
function isOldRar(bytes: Buffer, at: number): boolean {
  if (bytes[at + 6] !== 0 || at + 14 > bytes.length) return false
  return isBetween(byte(bytes, at + 9), RAR_BLOCKS) && bytes.readUInt16LE(at + 12) >= RAR_BLOCK_MIN
}

/** The checksum, the size in up to three bytes, and the type. */
function isNewRar(bytes: Buffer, at: number): boolean {
  if (bytes[at + 6] !== 1 || bytes[at + 7] !== 0) return false
  const size = [12, 13, 14].find((place) => byte(bytes, at + place) < 0x80)
  return size !== undefined && isBetween(byte(bytes, at + size + 1), NEW_RAR_BLOCKS)
}

/** None, CRC-32, CRC-64 and SHA-256. */
const XZ_CHECKS = new Set([0, 1, 4, 10])
/** Work to detect a text. */
const SENTENCE_WORK = 5_000
const BZIP2 = /^BZh[1-9]$/
const LZIP_DICTIONARY_BITS = [12, 29] as const
const LZ4_BLOCKS = [4, 7] as const

function isBetween(value: number, [least, most]: readonly [number, number]): boolean {
  return value >= least && value <= most
}

/** A text that mentions the format continues as text. */
function isSentence(bytes: Buffer, at: number): boolean {
  charge(SENTENCE_WORK)
  return encodingOf(bytes.subarray(at, at + 512)) === 'utf-8'
}
