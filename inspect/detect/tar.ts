/** Headers of tar archives, which may have no signature. */

import { view } from '#inspect/core/bytes.ts'

export const BLOCK = 512

/** Whether the bytes begin with a header with a valid checksum. */
export function isTar(bytes: Uint8Array): boolean {
  return isHeader(bytes, 0)
}

export function isHeader(bytes: Uint8Array, at: number): boolean {
  if (at + BLOCK > bytes.length) return false
  const header = view(bytes.subarray(at, at + BLOCK))
  return hasChecksum(header) && readSizes(header).length > 0
}

/** The size as every reader reads it: usually one, none if it is invalid, several if readers disagree. */
export function readSizes(header: Buffer): number[] {
  return readNumbers(header.subarray(124, 136))
}

/** Bytes with which `readNumbers` finds a number: a digit, a space, a sign, or the highest bit. */
const BEGINS_NUMBER = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || /[\0\s0-7+_-]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

/** Some programs sum signed bytes; readers accept both sums. */
export function hasChecksum(header: Buffer): boolean {
  // Most files end here, before the field is read as text.
  if (BEGINS_NUMBER[header[148] ?? 0] === 0) return false
  const written = readNumbers(header.subarray(148, 156))
  if (written.length === 0) return false
  let sum = 8 * 0x20
  let high = 0
  for (let i = 0; i < BLOCK; i++) {
    const byte = i < 148 || i >= 156 ? (header[i] ?? 0) : 0
    sum += byte
    if (byte >= 0x80) high += 1
  }
  return written.includes(sum) || written.includes(sum - 256 * high)
}

function readNumbers(field: Buffer): number[] {
  const [first = 0] = field
  if (first & 0x80) return readBinary(first, field.subarray(1))
  const text = field.toString('latin1')
  // Some readers skip a NUL at the start, for others the field ends there.
  const numbers = text.startsWith('\0') ? [0, ...readText(text.slice(1))] : readText(text)
  return [...new Set(numbers)]
}

/** The highest bit marks binary numbers. Readers disagree whether the other bits of the first byte count. */
function readBinary(first: number, rest: Buffer): number[] {
  const low = rest.reduce((value, byte) => value * 256 + byte, 0)
  return first === 0x80 ? [low] : [low, Number.POSITIVE_INFINITY]
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function readText(text: string): number[] {
  const numbers: number[] = []
  const isOctal = /^\s*[0-7]*(?:[\0\s]|$)/.test(text)
  // Python accepts a sign, a prefix and underscores.
  const python = /^\s*([+-]?)(?:0o)?([0-7_]+)\s*(?:\0|$)/i.exec(text)
  if (python !== null) numbers.push(signed(python[1], Number.parseInt(`0${python[2]?.replaceAll('_', '')}`, 8)))
  // Old versions of GNU tar wrote large numbers in base 64 after a sign.
  const base64 = /^\s*([+-])([A-Za-z0-9+/]+)/.exec(text)
  if (base64 !== null)
    numbers.push(
      signed(
        base64[1],
        [...(base64[2] ?? '')].reduce((sum, digit) => sum * 64 + BASE64.indexOf(digit), 0),
      ),
    )
  // Lenient readers stop at the first other character.
  if (isOctal || numbers.length > 0) numbers.push(Number.parseInt(text, 8) || 0)
  return numbers
}

/** No reader continues after a negative size in a useful way, so it counts as beyond the end. */
function signed(sign: string | undefined, value: number): number {
  return sign === '-' ? Number.POSITIVE_INFINITY : value
}
