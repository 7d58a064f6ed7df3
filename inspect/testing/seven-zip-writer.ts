/** Writes 7z archives of one file for tests from packed data. */

import { crc32 } from 'node:zlib'

interface SevenZipPlan {
  /** Packed data. */
  packed: Uint8Array
  /** Unpacked content; null if unknown. */
  content: Uint8Array | null
  /** In packing order; empty for stored content. */
  coders?: readonly Coder[]
}

interface Coder {
  id: readonly number[]
  properties: readonly number[]
}

const COPY: Coder = { id: [0x00], properties: [] }
/** With a dictionary of 4 KiB. */
export const LZMA2: Coder = { id: [0x21], properties: [0x00] }
/** 2^19 rounds, no salt, 8-byte IV, as 7-Zip writes. */
export const AES: Coder = { id: [0x06, 0xf1, 0x07, 0x01], properties: [0x53, 0x07, 1, 2, 3, 4, 5, 6, 7, 8] }

export function writeSevenZip({ packed, content, coders = [COPY] }: SevenZipPlan): Buffer {
  const header = Buffer.from([0x01, 0x04, ...packInfo(packed.length), ...folderInfo(coders, packed, content), 0x00])
  const names = Buffer.from('a.txt\0', 'utf16le')
  const files = Buffer.concat([Buffer.from([0x05, 1, 0x11, names.length + 1, 0]), names, Buffer.from([0, 0])])
  const next = Buffer.concat([header, files])
  const start = Buffer.alloc(20)
  start.writeBigUInt64LE(BigInt(packed.length), 0)
  start.writeBigUInt64LE(BigInt(next.length), 8)
  start.writeUInt32LE(crc32(next), 16)
  const signature = Buffer.from('377abcaf271c000400000000', 'hex')
  signature.writeUInt32LE(crc32(start), 8)
  return Buffer.concat([signature, start, packed, next])
}

/** Supports values below 2^14. */
function number(value: number): number[] {
  return value < 0x80 ? [value] : [0x80 | (value >> 8), value & 0xff]
}

function packInfo(bytes: number): number[] {
  return [0x06, 0, 1, 0x09, ...number(bytes), 0x00]
}

function folderInfo(coders: readonly Coder[], packed: Uint8Array, content: Uint8Array | null): number[] {
  const listed = coders.flatMap(({ id, properties }) => {
    const attributes = properties.length === 0 ? [] : [properties.length, ...properties]
    return [id.length | (properties.length === 0 ? 0 : 0x20), ...id, ...attributes]
  })
  // The input of each coder is the output of the next one.
  const bonds = coders.slice(1).flatMap((_, i) => [i, i + 1])
  const sizes = coders.flatMap((_, i) => number(i === 0 ? (content?.length ?? packed.length) : packed.length))
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32LE(content === null ? 0x1234_5678 : crc32(content))
  // The checksum is with the streams, as 7-Zip writes it; clamd finds it nowhere else.
  return [0x07, 0x0b, 1, 0, coders.length, ...listed, ...bonds, 0x0c, ...sizes, 0x00, 0x08, 0x0a, 1, ...checksum, 0x00]
}
