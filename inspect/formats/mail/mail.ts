/** Decodes the parts of mails and web archives: Base64 and quoted-printable, whatever carries them. */

import { view } from '../../bytes.ts'
import { safeName } from '../../names.ts'
import type { Format, Item, Visit } from '../../visit.ts'

const ENCODING = /^content-transfer-encoding:[ \t]*(base64|quoted-printable)\b/gim
const HEAD_MAX = 16_384

// Not only what looks like a mail: some readers forgive anything before the first header.
export const mail: Format = {
  applies: ({ sniffed }) => sniffed.kind === 'text',
  analyse(item, visit) {
    const text = view(item.bytes).toString('latin1')
    for (const match of text.matchAll(ENCODING)) {
      if (!visit.enter(item)) return
      if (!part(item, text, match.index, (match[1] ?? '').toLowerCase(), visit)) return
    }
  },
}

/** Looks at one part; false when the budget is spent. */
function part(item: Item, text: string, at: number, encoding: string, visit: Visit): boolean {
  const gap = /\r?\n[ \t]*\r?\n/.exec(text.slice(at, at + HEAD_MAX))
  if (gap === null) return true
  const start = at + gap.index + gap[0].length
  const boundary = text.indexOf('\n--', start - 1)
  const end = boundary === -1 ? text.length : boundary
  // Asked before decoding: ten thousand headers in front of one large body would all decode it.
  if (end - start > visit.room()) {
    visit.hinder(item, 'too_complex', `It holds more than the ${visit.room()} bytes that are left.`)
    return false
  }
  visit.spend(Math.max(0, end - start), 'stream')
  const body = text.slice(start, end)
  const bytes = encoding === 'base64' ? unbase64(body) : unquote(Buffer.from(body, 'latin1'))
  if (bytes.length > 0) visit.member(item, partName(text, at, at + gap.index), bytes)
  return true
}

/** Node stops at the first padding. Mail programs go on behind it, so that is where something would be hidden. */
function unbase64(body: string): Buffer {
  return Buffer.concat(body.split(/=+/).map((piece) => Buffer.from(piece, 'base64')))
}

/** Quoted-printable, in place: a byte as `=41`, and a line that goes on as `=` at its end. */
function unquote(bytes: Buffer): Buffer {
  let out = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    const skipped = byte === 0x3d ? lineEndLength(bytes, at + 1) : 0
    at += skipped
    if (skipped > 0) continue
    const code = byte === 0x3d ? hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2]) : -1
    if (code >= 0) at += 2
    bytes[out++] = code >= 0 ? code : byte
  }
  return bytes.subarray(0, out)
}

function lineEndLength(bytes: Buffer, at: number): number {
  if (bytes[at] === 0x0a) return 1
  return bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? 2 : 0
}

/** The value of a digit, or so far below zero that no sum with it is a byte. */
function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1000
}

/** The headers of a part surround the one that says how it is encoded. */
function partName(text: string, at: number, headEnd: number): string {
  const before = text.slice(Math.max(0, at - HEAD_MAX), at)
  const headStart = Math.max(before.lastIndexOf('\n\n'), before.lastIndexOf('\n\r\n'), before.lastIndexOf('\n--'), 0)
  const head = before.slice(headStart) + text.slice(at, Math.min(headEnd, at + HEAD_MAX))
  const name = /\b(?:file)?name\*?\s*=\s*(?:"([^"\r\n]*)"|([^\s;]+))/i.exec(head)
  return safeName(name?.[1] ?? name?.[2] ?? '(part)')
}
