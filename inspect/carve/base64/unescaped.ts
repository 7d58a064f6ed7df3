/** Decodes escapes of URLs, HTML and scripts in Base64: `%2B`, `&#43;`, `\\n`. */

import { hexDigit } from '#inspect/codecs/transfer-encodings.ts'

const PERCENT = 0x25
const AMPERSAND = 0x26
const BACKSLASH = 0x5c
const LINE_ENDS = new Set([...'nrt'].map((letter) => letter.charCodeAt(0)))
const NUMBER_SIGN = 0x23
const LETTER_X = 0x78
const SEMICOLON = 0x3b

/** Decodes `%2B` in a URL. Other percent signs are data. */
export function percentDecoded(body: Uint8Array): Uint8Array {
  const out = Buffer.allocUnsafe(body.length)
  let length = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] as number
    const code = byte === PERCENT ? hexDigit(body[at + 1]) * 16 + hexDigit(body[at + 2]) : -1
    if (code >= 0) at += 2
    out[length++] = code >= 0 ? code : byte
  }
  return out.subarray(0, length)
}

export function unescaped(body: Uint8Array): Uint8Array {
  if (![PERCENT, AMPERSAND, BACKSLASH].some((byte) => body.includes(byte))) return body
  const out = Buffer.allocUnsafe(body.length)
  let length = 0
  for (let at = 0; at < body.length; ) {
    const [code, used] = read(body, at)
    if (code !== null) out[length++] = code
    at += used
  }
  return out.subarray(0, length)
}

/** The byte, or null if it is ignored, and the length of its notation. */
function read(body: Uint8Array, at: number): [code: number | null, used: number] {
  const byte = body[at] as number
  if (byte === BACKSLASH) return LINE_ENDS.has(body[at + 1] ?? 0) ? [null, 2] : [null, 1]
  if (byte === PERCENT) {
    const code = hexDigit(body[at + 1]) * 16 + hexDigit(body[at + 2])
    return code >= 0 ? [code, 3] : [null, 1]
  }
  return byte === AMPERSAND ? reference(body, at) : [byte, 1]
}

/** `&#43;`, `&#x2b;`. Named references are dropped, because their letters would count as digits. */
function reference(body: Uint8Array, at: number): [code: number | null, used: number] {
  if (body[at + 1] !== NUMBER_SIGN) return [null, nameLength(body, at + 1) + 1]
  const hex = ((body[at + 2] ?? 0) | 0x20) === LETTER_X
  const base = hex ? 16 : 10
  let end = at + (hex ? 3 : 2)
  let code = 0
  for (let digit = hexDigit(body[end]); digit >= 0 && digit < base; digit = hexDigit(body[++end]))
    code = (code * base + digit) & 0xffff
  return [code & 0xff, end - at + Number(body[end] === SEMICOLON)]
}

function nameLength(body: Uint8Array, from: number): number {
  let at = from
  while (((body[at] ?? 0) | 0x20) >= 0x61 && ((body[at] ?? 0) | 0x20) <= 0x7a) at += 1
  return body[at] === SEMICOLON ? at + 1 - from : 0
}
