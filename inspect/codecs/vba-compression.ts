/** Decompresses the containers in which VBA projects store source text ([MS-OVBA] 2.4.1). */

import { charge } from '#inspect/core/work.ts'

const SIGNATURE = 0x01
const CHUNK_BYTES = 4096
/** Bits 12 to 14 of every chunk header. */
const CHUNK_SIGNATURE = 0b011
/** Work for each byte of output. */
const BYTE_WORK = 6

interface Decompressed {
  bytes: Buffer
  /** Data after an invalid chunk was not read. */
  broken: boolean
  /** It has more than `bytesMax`. */
  isCut?: boolean
}

/** Whether a container may begin here: its signature and the header of its first chunk. */
export function isContainer(packed: Uint8Array, at: number): boolean {
  return packed[at] === SIGNATURE && (((packed[at + 2] ?? 0) >> 4) & 7) === CHUNK_SIGNATURE
}

/** null: no container begins here. */
export function decompress(packed: Uint8Array, at: number, bytesMax: number): Decompressed | null {
  if (!isContainer(packed, at)) return null
  const chunks: Buffer[] = []
  let total = 0
  let next = at + 1
  while (next + 2 <= packed.length) {
    const header = (packed[next] ?? 0) | ((packed[next + 1] ?? 0) << 8)
    if (((header >> 12) & 7) !== CHUNK_SIGNATURE) break
    const end = next + (header & 0xfff) + 3
    const chunk = header >> 15 === 0 ? rawChunk(packed, next + 2) : decompressChunk(packed, next + 2, end)
    total += chunk.bytes.length
    chunks.push(chunk.bytes)
    if (total > bytesMax) return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), broken: true, isCut: true }
    if (chunk.broken) return { bytes: Buffer.concat(chunks), broken: true }
    next = header >> 15 === 0 ? next + 2 + CHUNK_BYTES : end
  }
  return { bytes: Buffer.concat(chunks), broken: false }
}

function rawChunk(packed: Uint8Array, at: number): Decompressed {
  charge(CHUNK_BYTES)
  return { bytes: Buffer.from(packed.subarray(at, at + CHUNK_BYTES)), broken: false }
}

/** Flag bytes, each followed by eight literals or references to earlier bytes of the chunk. */
function decompressChunk(packed: Uint8Array, start: number, declaredEnd: number): Decompressed {
  charge(CHUNK_BYTES * BYTE_WORK)
  const data = packed.subarray(start, declaredEnd)
  const out = Buffer.alloc(CHUNK_BYTES)
  let length = 0
  for (let at = 0; at < data.length; ) {
    const flags = data[at++] ?? 0
    for (let bit = 0; bit < 8 && at < data.length && length < CHUNK_BYTES; bit++) {
      const isCopy = ((flags >> bit) & 1) === 1
      const end = isCopy ? copyEarlier(out, length, data, at) : writeLiteral(out, length, data, at)
      if (end === null) return { bytes: out.subarray(0, length), broken: true }
      length = end
      at += isCopy ? 2 : 1
    }
  }
  return { bytes: out.subarray(0, length), broken: false }
}

function writeLiteral(out: Buffer, length: number, data: Uint8Array, at: number): number {
  out[length] = data[at] ?? 0
  return length + 1
}

/** The new length. null: the reference points before the chunk. */
function copyEarlier(out: Buffer, length: number, data: Uint8Array, at: number): number | null {
  const token = (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8)
  const bits = Math.max(4, 32 - Math.clz32(Math.max(0, length - 1)))
  const from = length - (token >> (16 - bits)) - 1
  if (from < 0) return null
  const end = Math.min(CHUNK_BYTES, length + (token & (0xffff >> bits)) + 3)
  for (let i = 0; length + i < end; i++) out[length + i] = out[from + i] ?? 0
  return end
}
