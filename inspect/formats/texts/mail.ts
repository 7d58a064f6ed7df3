/** Text of mails: the parts that a mail program shows, and the other versions of them. */

import { UNNAMED } from '#inspect/codecs/mime-parts.ts'
import { decodeBase64Variants, unquote } from '#inspect/codecs/transfer-encodings.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { mayAddress, mayHideText } from '#inspect/judge/hidden/addressed.ts'
import { createTextJudge } from '#inspect/judge/hidden/hidden.ts'
import { readPage } from './page.ts'
import { isFile } from './readings.ts'

const CHARACTER_WORK = 4
/** Letters of other scripts in quoted-printable, and words in headers that no program shows. */
const CODED = mark(
  [
    '=D0=',
    '=D1=',
    '=D7=',
    '=D8=',
    '=E3=',
    '=E4=',
    '=E5=',
    '=E6=',
    '=E7=',
    '=E8=',
    '=E9=',
    '=EC=',
    '?utf-8?b?',
    '?utf-8?q?',
  ],
  {
    ignoresCase: true,
    fits: (bytes, at) => ESCAPED.test(bytes.toString('latin1', Math.max(0, at - HEADER_MAX), at + 12)),
  },
)
const HEADER_MAX = 200
const ESCAPED = /(?:=[89A-F][0-9A-F]){4}|\n(?:x-[\w-]{1,60}|comments|keywords):[^\n]{0,150}$/i
const DEPTH_MAX = 10
const PARTS_MAX = 500
const MAIL_BYTES_MAX = 16_000_000

interface MailPart {
  type: string
  charset: string
  encoding: string
  name: string | null
  body: string
  /** Another version of what is shown. */
  isOther: boolean
}

export const mailTexts: Format = {
  applies: (item) => item.sniffed.type === 'message/rfc822' && isFile(item),
  analyse(item, context) {
    const mayHold = context.texts !== null || mayAddress(item) || mayHideText(item) || item.has(CODED)
    if (!mayHold && !item.mentions('mail')) return
    if (item.bytes.length > MAIL_BYTES_MAX) {
      context.texts?.addUnread(item)
      return
    }
    const source = view(item.bytes).toString('latin1')
    charge(source.length * CHARACTER_WORK)
    const parts: MailPart[] = []
    collect(source, 0, false, parts)
    const isEncoded = parts.some(({ type, encoding }) => type.startsWith('text/') && encoding === 'base64')
    if (!mayHold && !isEncoded) return
    readParts(item, source, parts, context)
  },
}

/** Texts of a message that are shown, with its sender and subject. */
export function messageOf(source: string): { from: string; subject: string; texts: string[] } {
  const parts: MailPart[] = []
  collect(source, 0, false, parts)
  const head = source.slice(0, GAP.exec(source.slice(0, HEADERS_MAX))?.index ?? 0)
  const shown = parts.filter(({ type, name }) => /^text\/(?:plain|html)$/.test(type) && name === null)
  return {
    from: decodedWords(headerOf(head, 'from')),
    subject: decodedWords(headerOf(head, 'subject')),
    texts: shown.map(textOf),
  }
}

function readHeaders(source: string, judge: ReturnType<typeof createTextJudge>): void {
  const end = GAP.exec(source.slice(0, HEADERS_MAX))?.index ?? 0
  for (const [, value = ''] of source.slice(0, end).matchAll(OTHER_HEADER)) judge.doubt(decodedWords(value), 'metadata')
}

function readParts(item: Item, source: string, parts: readonly MailPart[], context: Context): void {
  const judge = createTextJudge(item, context, { isRated: false })
  const subject = headerOf(source.slice(0, HEADERS_MAX), 'subject')
  if (subject !== '') judge.add(`${decodedWords(subject)}\n`)
  readHeaders(source, judge)
  for (const part of parts) {
    const isMember = /^(?:base64|quoted-printable)$/.test(part.encoding) && part.name !== null
    if (!part.type.startsWith('text/') || isMember) continue
    const text = textOf(part)
    if (part.type === 'text/html') readPage(text, judge, { isDrawing: false, reasons: part.isOther ? ['markup'] : [] })
    else judge.add(`${text.replace(/\r\n?/g, '\n')}\n`, part.isOther ? ['markup'] : [])
  }
  judge.finish()
}

const HEADERS_MAX = 65_536
const GAP = /\r?\n[ \t]{0,100}\r?\n|\r\r/

/** Headers that no program shows. */
const OTHER_HEADER = /^(?:x-[\w-]{1,60}|comments|keywords|thread-topic)[ \t]{0,9}:((?:[^\r\n]|\r?\n[ \t]){20,2000})/gim

const HEADERS = {
  from: /^from[ \t]{0,9}:((?:[^\r\n]|\r?\n[ \t]){0,1000})/im,
  subject: /^subject[ \t]{0,9}:((?:[^\r\n]|\r?\n[ \t]){0,2000})/im,
  type: /^content-type[ \t]{0,9}:((?:[^\r\n]|\r?\n[ \t]){0,2000})/im,
  disposition: /^content-disposition[ \t]{0,9}:((?:[^\r\n]|\r?\n[ \t]){0,2000})/im,
  encoding: /^content-transfer-encoding[ \t]{0,9}:((?:[^\r\n]|\r?\n[ \t]){0,200})/im,
}
const PARAMETERS = {
  boundary: /\bboundary\s?=\s?(?:"([^"]{1,300})"|([^\s;"]{1,300}))/i,
  charset: /\bcharset\s?=\s?(?:"([^"]{1,60})"|([^\s;"]{1,60}))/i,
  name: /\b(?:file)?name\*?\s?=\s?(?:"([^"]{1,300})"|([^\s;"]{1,300}))/i,
}

const headerOf = (head: string, name: keyof typeof HEADERS): string =>
  (HEADERS[name].exec(head)?.[1] ?? '').replace(/\r?\n[ \t]+/g, ' ').trim()

const parameterOf = (value: string, name: keyof typeof PARAMETERS): string | null => {
  const found = PARAMETERS[name].exec(value)
  return found?.[1] ?? found?.[2] ?? null
}

function collect(source: string, depth: number, isOther: boolean, parts: MailPart[]): void {
  if (parts.length >= PARTS_MAX) return
  const gap = GAP.exec(source.slice(0, HEADERS_MAX))
  const head = gap === null ? source.slice(0, HEADERS_MAX) : source.slice(0, gap.index)
  const body = gap === null ? '' : source.slice(gap.index + gap[0].length)
  const declared = headerOf(head, 'type')
  const type = /^[\w.+-]{1,50}\/[\w.+-]{1,80}/.exec(declared)?.[0]?.toLowerCase() ?? 'text/plain'
  const boundary = parameterOf(declared, 'boundary')
  if (type.startsWith('multipart/') && boundary !== null && depth < DEPTH_MAX) {
    const inner = split(body, boundary)
    parts.push(...outside(body, boundary))
    const isAlternative = type === 'multipart/alternative'
    for (const [index, part] of inner.entries())
      collect(part, depth + 1, isOther || (isAlternative && index < inner.length - 1), parts)
    return
  }
  const disposition = headerOf(head, 'disposition')
  const name = parameterOf(declared, 'name') ?? parameterOf(disposition, 'name')
  const isAttached = /^attachment/i.test(disposition)
  parts.push({
    type,
    body,
    isOther,
    charset: parameterOf(declared, 'charset') ?? 'utf-8',
    encoding: headerOf(head, 'encoding').toLowerCase(),
    name: name ?? (isAttached ? UNNAMED : null),
  })
}

/** No mail program shows what is before the first boundary and after the last one. */
const UNSEEN = { type: 'text/plain', charset: 'utf-8', encoding: '', name: null, isOther: true }

function outside(body: string, boundary: string): MailPart[] {
  const [start, end] = [body.indexOf(`--${boundary}`), body.lastIndexOf(`--${boundary}--`)]
  const after = end === -1 ? '' : body.slice(end + boundary.length + 4)
  return [body.slice(0, Math.max(0, start)), after]
    .filter((text) => text.trim() !== '')
    .map((text) => ({ ...UNSEEN, body: text }))
}

/** The parts between lines of a boundary. */
function split(body: string, boundary: string): string[] {
  const parts: string[] = []
  let from = -1
  for (let at = body.indexOf(`--${boundary}`); at !== -1; at = body.indexOf(`--${boundary}`, at + 2)) {
    if (at > 0 && body[at - 1] !== '\n' && body[at - 1] !== '\r') continue
    if (from !== -1 && parts.length < PARTS_MAX) parts.push(body.slice(from, at))
    const line = body.indexOf('\n', at)
    from = line === -1 ? body.length : line + 1
    if (body.startsWith('--', at + boundary.length + 2)) return parts
  }
  if (from !== -1) parts.push(body.slice(from))
  return parts
}

function textOf({ body, encoding, charset }: MailPart): string {
  const bytes = Buffer.from(body, 'latin1')
  const decoded =
    encoding === 'base64'
      ? (decodeBase64Variants(bytes)[0] ?? bytes)
      : encoding === 'quoted-printable'
        ? unquote(bytes)
        : bytes
  return decodedAs(decoded, charset)
}

function decodedAs(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return view(bytes).toString('latin1')
  }
}

const WORD = /=\?([\w-]{1,40})\?([bq])\?([^?\s]{0,400})\?=/gi

function decodedWords(text: string): string {
  return text.replace(WORD, (_, charset: string, kind: string, body: string) => {
    const bytes = Buffer.from(body.replace(/_/g, kind.toLowerCase() === 'q' ? ' ' : '_'), 'latin1')
    return decodedAs(kind.toLowerCase() === 'b' ? Buffer.from(body, 'base64') : unquote(bytes), charset)
  })
}
