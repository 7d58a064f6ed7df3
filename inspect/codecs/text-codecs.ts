/** Hexadecimal and Base85 decoding. */

import { view } from '#inspect/core/bytes.ts'

/**
 * `ambiguous`: it contains invalid characters or data after the end, about which readers disagree. `others`: what known
 * readers make of it then.
 */
export type Text = { bytes: Uint8Array; ambiguous: boolean; others: readonly Uint8Array[] } | 'too_large'

/** Allowed after the end: padding of a cipher, and the keyword if the stream length is too long. */
const PADDING = '[\\0-\\x20]*(?:endstream|$)'
const AFTER_HEX = new RegExp(`^${PADDING}`)
const AFTER_BASE85 = /^[\0-\x20]*(?:>[\0-\x20]*)?(?:endstream|$)/

export function hex(bytes: Uint8Array, remaining: number): Text {
  const end = endOf(bytes, 0x3e, 0)
  if (end / 2 > remaining) return 'too_large'
  const text = view(bytes).toString('latin1', 0, end)
  const digits = text.replace(/[^0-9a-f]+/gi, '')
  const ambiguous = /[^0-9a-f\0\t\n\f\r ]/i.test(text) || hasMore(bytes, end + 1, AFTER_HEX)
  const decoded = Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
  return { bytes: decoded, ambiguous, others: ambiguous ? otherHex(bytes, text) : [] }
}

/** Poppler takes an invalid character for a zero. pdfminer collects pairs of digits, also after the end. */
function otherHex(bytes: Uint8Array, text: string): Uint8Array[] {
  const zeros = text.replace(/[\0\t\n\f\r ]+/g, '').replace(/[^0-9a-f]/gi, '0')
  const pairs = view(bytes)
    .toString('latin1')
    .replace(/([0-9a-f]{2})|[\s\S]/gi, '$1')
  return [zeros, pairs].map((digits) => Buffer.from(digits, 'hex'))
}

function endOf(bytes: Uint8Array, endMarker: number, from: number): number {
  const end = bytes.indexOf(endMarker, from)
  return end === -1 ? bytes.length : end
}

function hasMore(bytes: Uint8Array, from: number, padding: RegExp): boolean {
  return from < bytes.length && !padding.test(view(bytes).toString('latin1', from))
}

/** Skips the prefix `<~`, which PDF does not use but some writers keep. */
function base85Start(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length && (bytes[at] as number) <= 0x20) at += 1
  return bytes[at] === 0x3c && bytes[at + 1] === 0x7e ? at + 2 : at
}

const FOUR_ZEROS = 0x7a

const isSpace = (byte: number): boolean =>
  byte === 0x20 || (byte <= 0x0d && byte !== 0x0b && (byte >= 0x09 || byte === 0))
const isDigit = (byte: number): boolean => byte >= 0x21 && byte <= 0x75

export function base85(bytes: Uint8Array, remaining: number): Text {
  const start = base85Start(bytes)
  const end = endOf(bytes, 0x7e, start)
  const used = bytes.subarray(start, end)
  const rest = bytes.subarray(end + 1)
  if (sizeOf85(used) > remaining) return 'too_large'
  const strict = decode85(used, isDigit)
  if (!strict.invalid && !hasMore(rest, 0, AFTER_BASE85)) return { bytes: strict.bytes, ambiguous: false, others: [] }
  if (sizeOf85(rest) > remaining) return 'too_large'
  // Poppler and PDF.js compute with invalid characters as if they were digits.
  const others = [decode85(used, (byte) => !isSpace(byte)), decode85(rest, isDigit)].map((each) => each.bytes)
  return { bytes: strict.bytes, ambiguous: true, others }
}

/** At most so many bytes. */
function sizeOf85(used: Uint8Array): number {
  let zeros = 0
  for (const byte of used) if (byte === FOUR_ZEROS) zeros += 1
  return zeros * 4 + Math.ceil(((used.length - zeros) * 4) / 5)
}

function decode85(used: Uint8Array, isValid: (byte: number) => boolean): { bytes: Uint8Array; invalid: boolean } {
  const out = Buffer.alloc(sizeOf85(used) + 4)
  let invalid = false
  let length = 0
  let digits = 0
  let value = 0
  for (const byte of used) {
    if (byte === FOUR_ZEROS && digits === 0) length += 4
    else if (!isValid(byte)) invalid ||= !isSpace(byte)
    else {
      value = value * 85 + byte - 0x21
      digits += 1
    }
    if (digits < 5) continue
    length = out.writeUInt32BE(value >>> 0, length)
    digits = 0
    value = 0
  }
  if (digits < 2) return { bytes: out.subarray(0, length), invalid }
  for (let i = digits; i < 5; i++) value = value * 85 + 84
  out.writeUInt32BE(value >>> 0, length)
  return { bytes: out.subarray(0, length + digits - 1), invalid }
}
