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
      part(item, text, match.index, (match[1] ?? '').toLowerCase(), visit)
    }
  },
}

function part(item: Item, text: string, at: number, encoding: string, visit: Visit): void {
  const gap = /\r?\n[ \t]*\r?\n/.exec(text.slice(at, at + HEAD_MAX))
  if (gap === null) return
  const start = at + gap.index + gap[0].length
  const boundary = text.indexOf('\n--', start)
  const end = boundary === -1 ? text.length : boundary
  // Asked before decoding: ten thousand headers in front of one large body would all decode it.
  if (end - start > visit.room()) {
    visit.hinder(item, 'too_complex', `It holds more than the ${visit.room()} bytes that are left.`)
    return
  }
  visit.spend(end - start, 'stream')
  const body = text.slice(start, end)
  const bytes = encoding === 'base64' ? Buffer.from(body, 'base64') : unquote(body)
  if (bytes.length > 0) visit.member(item, partName(text, at, at + gap.index), bytes)
}

function unquote(text: string): Buffer {
  const plain = text
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  return Buffer.from(plain, 'latin1')
}

/** The headers of a part surround the one that says how it is encoded. */
function partName(text: string, at: number, headEnd: number): string {
  const before = text.slice(Math.max(0, at - HEAD_MAX), at)
  const headStart = Math.max(before.lastIndexOf('\n\n'), before.lastIndexOf('\n\r\n'), before.lastIndexOf('\n--'), 0)
  const head = before.slice(headStart) + text.slice(at, Math.min(headEnd, at + HEAD_MAX))
  const name = /\b(?:file)?name\*?\s*=\s*(?:"([^"\r\n]*)"|([^\s;]+))/i.exec(head)
  return safeName(name?.[1] ?? name?.[2] ?? '(part)')
}
