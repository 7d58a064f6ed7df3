/** Undoes the filters of PDF streams that hide content: Flate, hexadecimal, Base85. Pictures stay as they are. */

import { view } from '../../bytes.ts'
import { type Inflated, inflate } from '../../inflate.ts'

export type Decoded = { bytes: Uint8Array; decoded: boolean } | 'too_large'

const FILTERS_MAX = 8

/** `tail` goes on past the end of the stream: compressed data knows its own end better than the file does. */
export function decode(data: Uint8Array, tail: Uint8Array | null, filters: readonly string[], room: number): Decoded {
  let bytes = data
  let decoded = false
  // Without a usable list, the data may still say what it is.
  const names = filters.length === 0 && hasZlibHeader(data) ? ['FlateDecode'] : filters.slice(0, FILTERS_MAX)
  for (const [i, name] of names.entries()) {
    const next = decodeOne(bytes, i === 0 ? tail : null, name, room)
    if (next === 'too_large') return next
    if (next === null) break
    bytes = next
    decoded = true
  }
  return { bytes, decoded }
}

function decodeOne(
  bytes: Uint8Array,
  tail: Uint8Array | null,
  filter: string,
  room: number,
): Uint8Array | 'too_large' | null {
  if (filter === 'FlateDecode' || filter === 'Fl') return flate(bytes, tail, room)
  if (filter === 'ASCIIHexDecode' || filter === 'AHx') return hex(bytes)
  if (filter === 'ASCII85Decode' || filter === 'A85') return base85(bytes)
  return null
}

function hasZlibHeader(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x8f) === 0x08 && ((method << 8) | flags) % 31 === 0
}

function flate(bytes: Uint8Array, tail: Uint8Array | null, room: number): Uint8Array | 'too_large' | null {
  const expected = Math.min(bytes.length * 6, 4_194_304)
  const inflated = inflateAny(bytes, room, expected)
  if (inflated.outcome === 'corrupt') return null
  if (inflated.outcome === 'too_large') return 'too_large'
  if (inflated.outcome === 'whole' || tail === null) return inflated.bytes
  // Cut off, perhaps by the word `endstream` inside the data: then it goes on behind it.
  const further = inflateAny(tail, room, expected)
  if (further.outcome === 'too_large') return 'too_large'
  return further.outcome === 'whole' ? further.bytes : inflated.bytes
}

function inflateAny(packed: Uint8Array, room: number, expected: number): Inflated {
  return inflate(packed.subarray(hasZlibHeader(packed) ? 2 : 0), room, expected)
}

function hex(bytes: Uint8Array): Buffer {
  const digits = view(bytes)
    .toString('latin1')
    .replace(/>[\s\S]*$/, '')
    .replace(/[^0-9a-f]/gi, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

function base85(bytes: Uint8Array): Buffer {
  const out: number[] = []
  let group: number[] = []
  for (const byte of bytes) {
    if (byte === 0x7e) break
    if (byte === 0x7a && group.length === 0) out.push(0, 0, 0, 0)
    if (byte < 0x21 || byte > 0x75) continue
    group.push(byte - 0x21)
    if (group.length < 5) continue
    out.push(...quad(group))
    group = []
  }
  if (group.length > 1) out.push(...quad([...group, 84, 84, 84, 84].slice(0, 5)).slice(0, group.length - 1))
  return Buffer.from(out)
}

function quad(digits: readonly number[]): number[] {
  const value = digits.reduce((sum, digit) => sum * 85 + digit, 0) >>> 0
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]
}
