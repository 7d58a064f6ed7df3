/** Decodes Base64, quoted-printable and uuencode as tolerantly as mail programs do. */

import { charge } from '#inspect/core/work.ts'

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const NO_DIGIT = 0xff
const PADDING = 0x3d
const HYPHEN = 0x2d
const UNDERSCORE = 0x5f
const BASE64_VALUES = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = BASE64.indexOf(String.fromCharCode(code))
  return value === -1 ? NO_DIGIT : value
})

/**
 * Decodes Base64 in every way that mail programs do. All continue after padding. Padding in the wrong place starts a new
 * group for some programs and is ignored by others.
 */
export function decodeBase64Variants(body: Uint8Array): Uint8Array[] {
  const plain = withoutPaddingAtEnd(body)
  if (isPlain(plain)) return [Buffer.from(plain.toString('latin1'), 'base64')]
  const forgiving = decodeBase64(body, false)
  return forgiving.strayPadding ? [forgiving.bytes, decodeBase64(body, true).bytes] : [forgiving.bytes]
}

function withoutPaddingAtEnd(body: Uint8Array): Buffer {
  let end = body.length
  while (end > 0 && BASE64_VALUES[body[end - 1] as number] === NO_DIGIT) end -= 1
  return Buffer.from(body.buffer, body.byteOffset, end)
}

/** Node's decoder is many times faster. It stops at padding and takes `-` and `_` for digits. */
function isPlain(body: Buffer): boolean {
  return !body.includes(PADDING) && !body.includes(HYPHEN) && !body.includes(UNDERSCORE)
}

function decodeBase64(body: Uint8Array, alwaysNewGroup: boolean): { bytes: Uint8Array; strayPadding: boolean } {
  const out = Buffer.allocUnsafe(Math.ceil((body.length * 3) / 4))
  let length = 0
  let group = 0
  let digits = 0
  let padding = 0
  let strayPadding = false
  for (const code of body) {
    const value = BASE64_VALUES[code] ?? NO_DIGIT
    if (value !== NO_DIGIT) {
      strayPadding ||= padding > 0
      padding = 0
      group = ((group << 6) | value) & 0xffffff
      digits = (digits + 1) & 3
      if (digits !== 1) out[length++] = (group >> ((8 - 2 * digits) & 7)) & 0xff
      continue
    }
    if (code !== PADDING) continue
    padding += 1
    const ends = alwaysNewGroup || (digits > 1 && digits + padding >= 4)
    digits = ends ? 0 : digits
    padding = ends ? 0 : padding
  }
  return { bytes: out.subarray(0, length), strayPadding }
}

/** Decodes quoted-printable. */
export function unquote(body: Uint8Array): Uint8Array {
  const out = Buffer.allocUnsafe(body.length)
  let length = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0
    const skipped = byte === 0x3d ? softBreakLength(body, at + 1) : 0
    at += skipped
    if (skipped > 0) continue
    const code = byte === 0x3d ? hexDigit(body[at + 1]) * 16 + hexDigit(body[at + 2]) : -1
    if (code >= 0) at += 2
    out[length++] = code >= 0 ? code : byte
  }
  return out.subarray(0, length)
}

/** Ignores white space that mail servers insert before the line end. */
function softBreakLength(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at += 1
  if (bytes[at] === 0x0a) return at + 1 - from
  if (bytes[at] !== 0x0d) return 0
  return (bytes[at + 1] === 0x0a ? at + 2 : at + 1) - from
}

/** The value of a hexadecimal digit, or so negative that no sum with it is a byte. */
export function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1000
}

const LINE_FEED = 0x0a
const RETURN = 0x0d

const XXENCODE = '+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** For each byte. */
const XXENCODE_WORK = 150
const XXENCODE_LINE = /(?:^|[\r\n])[A-Z\d_+-]*[a-z][\w+-]{3,}(?=[\r\n]|$)/

/** Decodes uuencode with other digits. None without lower-case letters, which uuencode does not have. */
export function xxdecode(body: Uint8Array): Uint8Array[] {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  if (!XXENCODE_LINE.test(text)) return []
  charge(body.length * XXENCODE_WORK)
  const lines = text.split(/\r\n|\r|\n/)
  const end = lines.indexOf('end')
  const translated = lines
    .slice(0, end === -1 ? lines.length : end)
    .map((line) => line.replace(/[\w+-]/g, (char) => String.fromCharCode(0x20 + Math.max(0, XXENCODE.indexOf(char)))))
  return [uudecode(Buffer.from(translated.join('\n'), 'latin1'), true)]
}

/** Decodes the lines between `begin` and `end`, each with its length first. `isInside`: after the line `begin`. */
export function uudecode(body: Uint8Array, isInside = false): Uint8Array {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const out = Buffer.allocUnsafe(body.length)
  let length = 0
  let inside = isInside
  for (let at = 0; at < text.length; ) {
    let end = at
    while (end < text.length && text[end] !== LINE_FEED && text[end] !== RETURN) end += 1
    const start = text.toString('latin1', at, Math.min(end, at + 6))
    if (/^begin[ \t]/.test(start)) inside = true
    else if (/^end\s*$/.test(start)) inside = false
    else if (inside) length += uudecodeLine(text.subarray(at, end), out, length)
    at = end + 1
  }
  return out.subarray(0, length)
}

/** Returns the number of decoded bytes. Missing characters at the end count as spaces. */
function uudecodeLine(line: Uint8Array, out: Uint8Array, from: number): number {
  const digit = (at: number): number => ((line[at] ?? 0x20) - 0x20) & 0x3f
  // Never more than the line has: a false length must not produce bytes.
  const count = Math.min(digit(0), Math.max(0, line.length - 1))
  for (let i = 0; i < count; i++) {
    const at = 1 + Math.floor(i / 3) * 4 + (i % 3)
    out[from + i] = ((digit(at) << ((i % 3) * 2 + 2)) | (digit(at + 1) >> (4 - (i % 3) * 2))) & 0xff
  }
  return count
}
