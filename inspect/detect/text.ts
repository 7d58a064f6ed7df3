/** Detects text, its encoding and its media type. */

import { isAscii, isUtf8 as isValidUtf8 } from 'node:buffer'
import { ascii, startsWith, view } from '#inspect/core/bytes.ts'

// Text has tabs, line ends, backspaces (overstrike), form feeds, the DOS end of file and the escape of ISO 2022.
// biome-ignore lint/suspicious/noControlCharactersInRegex: text contains none of them.
export const NO_TEXT = /[\0-\x07\x0e-\x19\x1c-\x1f]/

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | '8-bit'

/** The text encoding, or null for binary data. `head` may end inside a character. */
export function encodingOf(head: Uint8Array): Encoding | null {
  if (head.length === 0) return null
  if (head[0] === 0xff && head[1] === 0xfe && !(head[2] === 0 && head[3] === 0)) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const wide = encodingWithoutBom(head)
  if (wide !== null) return wide
  if (NO_TEXT.test(view(head).toString('latin1'))) return null
  return isAscii(head) || isUtf8(head) ? 'utf-8' : '8-bit'
}

/** Signatures of binary formats are here. */
const SIGNATURE_BYTES = 8
/** Characters for each control character: of a text, of one that is not UTF-8, for each zero, and for a separator. */
export const NOISE = { share: 16, share8Bit: 100, zeroShare: 256, separatorShare: 4 }

/**
 * The encoding of a text with a few control characters, as terminals, printers, old mail programs and exports of tables
 * write them; null for binary data. Zeros may fill up the end.
 */
export function noisyEncodingOf(head: Uint8Array): Encoding | null {
  const length = head.findLastIndex((byte) => byte !== 0) + 1
  const text = view(head).toString('latin1', 0, length)
  if (length < Math.max(SIGNATURE_BYTES, head.length / 2) || NO_TEXT.test(text.slice(0, SIGNATURE_BYTES))) return null
  const noise = text.match(NO_TEXT_ALL) ?? []
  const zeros = noise.filter((char) => char === '\0').length
  const isUnicode = isUtf8(head)
  const isSeparated = isUnicode && zeros === 0 && new Set(noise).size === 1
  const share = isSeparated ? NOISE.separatorShare : isUnicode ? NOISE.share : NOISE.share8Bit
  if (noise.length * share > length || zeros * NOISE.zeroShare > length) return null
  return isUnicode ? 'utf-8' : '8-bit'
}

const NO_TEXT_ALL = new RegExp(NO_TEXT, 'g')

const XML_LE = ascii('<\0?\0')
const XML_BE = ascii('\0<\0?')

/** Detects UTF-16 without a BOM by an XML declaration, or by zeros in nearly every second byte. */
function encodingWithoutBom(head: Uint8Array): Encoding | null {
  if (startsWith(head, XML_LE)) return 'utf-16le'
  if (startsWith(head, XML_BE)) return 'utf-16be'
  let even = 0
  let odd = 0
  for (let i = head.indexOf(0); i !== -1; i = nextZero(head, i + 1)) {
    if (i & 1) odd++
    else even++
    if (even > 0 && odd > 0) return null
  }
  const half = head.length / 2
  if (half < 8 || Math.max(even, odd) < half * 0.9) return null
  const encoding = even > odd ? 'utf-16be' : 'utf-16le'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text contains none of them.
  return /[\u0000-\u0007\u000e-\u0019]/.test(new TextDecoder(encoding).decode(head)) ? null : encoding
}

/** A loop: they are close to each other, or the search ends soon. */
function nextZero(bytes: Uint8Array, from: number): number {
  for (let i = from; i < bytes.length; i++) if (bytes[i] === 0) return i
  return -1
}

/** A character at the end may be truncated. Runs for every member and stream: exceptions would take most of the time. */
function isUtf8(head: Uint8Array): boolean {
  if (isValidUtf8(head)) return true
  const last = head.findLastIndex((byte) => (byte & 0xc0) !== 0x80)
  return head.length - last < UTF8_BYTES_MAX && isValidUtf8(head.subarray(0, last)) && isStart(head.subarray(last))
}

const UTF8_BYTES_MAX = 4

/** Of a character. */
function isStart(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

export function decodeText(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === '8-bit') return view(bytes).toString('latin1')
  return DECODERS[encoding].decode(bytes)
}

const DECODERS = {
  'utf-8': new TextDecoder('utf-8'),
  'utf-16le': new TextDecoder('utf-16le'),
  'utf-16be': new TextDecoder('utf-16be'),
}

const MAIL_HEADER =
  /^(?:Received|Return-Path|Delivered-To|MIME-Version|Message-ID|From|To|Cc|Subject|Date|Reply-To|Content-Type|X-[\w-]+|DKIM-Signature|ARC-[\w-]+):/i
const HEADER_LINE = /^[!-9;-~]+:|^[ \t]/

function looksLikeMail(text: string): boolean {
  const message = text.replace(/^From [^\n]*\n/, '')
  // Most texts end here, before they are split.
  if (!HEADER_LINE.test(message)) return false
  const lines = message.split(/\r?\n/, 40)
  const end = lines.indexOf('')
  const headers = end === -1 ? lines.slice(0, -1) : lines.slice(0, end)
  if (headers.length < 2 || !headers.every((line) => HEADER_LINE.test(line))) return false
  // The first header may be any, such as `In-Reply-To`.
  return MAIL_HEADER.test(headers[0] ?? '') || headers.filter((line) => MAIL_HEADER.test(line)).length >= 2
}

// A comment ends at its first `-->`: if it could end later too, many comments would take exponential time.
const COMMENT = String.raw`<!--(?:(?!-->)[\s\S])*-->\s*`
const DECLARATION = String.raw`<\?xml[^>]*>\s*`
const SVG_DOCTYPE = String.raw`<!DOCTYPE svg[^>[]*(?:\[(?:(?!\]\s*>)[\s\S])*\]\s*)?>\s*`
const SVG = new RegExp(String.raw`^(?:${DECLARATION})?(?:${COMMENT}|${SVG_DOCTYPE})*<(?:\w+:)?svg[\s>]`, 'i')
const HTML = new RegExp(String.raw`^(?:${COMMENT}|${DECLARATION})*<(?:!doctype\s+html|html|head|body|script)[\s>]`, 'i')

/** A word that begins no markup, JSON or mail. In UTF-8 as well, because it is ASCII. */
const WORD = /^(?!From |[<{[])[!-9;-~]+[^!-~]/
const WORD_WITHIN = 128

/** The media type of a text. */
export function textType(head: Uint8Array, encoding: Encoding): string {
  // Most texts end here, before they are decoded.
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be'
  if (!isWide && WORD.test(view(head).toString('latin1', 0, WORD_WITHIN))) return 'text/plain'
  const text = decodeText(head.subarray(0, 4096), encoding).replace(/^\uFEFF/, '')
  const start = text.trimStart()
  if (SVG.test(start)) return 'image/svg+xml'
  if (HTML.test(start)) return 'text/html'
  if (start.startsWith('<?xml')) return 'application/xml'
  if (looksLikeMail(text)) return 'message/rfc822'
  if (/^(?:\{\s*(?:"|\}|$)|\[\s*(?:["{[\]]|-?\d[\d.e+-]{0,40}\s{0,9}(?:[,\]]|$)|true|false|null|$))/.test(start))
    return 'application/json'
  return 'text/plain'
}
