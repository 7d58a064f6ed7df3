/** Decodes PEM and OpenPGP armor in texts: Base64 between `-----BEGIN` and `-----END`. */

import { decodeBase64Variants } from '#inspect/codecs/transfer-encodings.ts'
import { ascii, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { charge } from '#inspect/core/work.ts'
import { isOpenPgpMessage } from './openpgp.ts'

const BEGIN = /-----BEGIN ([^\r\n]{0,80}?)-----[^\r\n]*/gi
const END = /-----END /i
const LINE_END = /\r\n|\r|\n/
/** Quoted in a reply, or indented. */
const BEFORE_LINE = /^[>\s]+/
const DIGITS = /^[A-Za-z0-9+/]+={0,2}$/
const CHECKSUM = /^=[A-Za-z0-9+/]{4}$/
/** A clear-signed text may have it before any line. */
const DASH = /^- /gm
const MESSAGE = /^PGP MESSAGE/i
const CLEAR_SIGNED = /^PGP SIGNED MESSAGE/i
/** A shorter message is a mention in a text. */
const MESSAGE_BYTES_MIN = 15
/** Work for each byte of the text, for each block, and for each of its bytes. */
const TEXT_WORK = 10
const BLOCK_WORK = 2_000
const BLOCK_BYTE_WORK = 100

export const armored: Format = {
  among: { keywords: ['armor'] },
  applies: (item) => item.mentions('armor'),
  analyse(item, context) {
    charge(item.bytes.length * TEXT_WORK)
    const text = view(item.bytes).toString('latin1')
    const take = createPieceBudget(item, context)
    for (const { label, body } of blocksOf(text)) {
      if (!take(body.length)) return
      charge(BLOCK_WORK + body.length * BLOCK_BYTE_WORK)
      if (CLEAR_SIGNED.test(label)) inspectClearSigned(item, body, context)
      inspectBlock(item, label, body, context)
    }
  },
}

function inspectBlock(item: Item, label: string, body: string, context: Context): void {
  const files = readingsOf(body).flatMap((digits) => decodeBase64Variants(ascii(digits)))
  for (const file of files) if (file.length > 0) context.inspectMember(item, '(armored)', file)
  const isMessage = MESSAGE.test(label) && files.some(({ length }) => length >= MESSAGE_BYTES_MIN)
  if (isMessage && !files.some(isOpenPgpMessage)) context.addObstacle(item, 'encrypted', 'The mail is encrypted.')
}

function inspectClearSigned(item: Item, body: string, context: Context): void {
  const text = body.replace(DASH, '')
  if (text !== body) context.inspectMember(item, '(signed)', ascii(text))
}

/** Each extends to the next one if it has no end. */
function* blocksOf(text: string): Generator<{ label: string; body: string }> {
  let last: { label: string; start: number } | null = null
  const blockOf = ({ label, start }: { label: string; start: number }, limit: number) => {
    const body = text.slice(start, limit)
    const end = END.exec(body)?.index
    return { label, body: body.slice(0, end) }
  }
  for (const { index, 0: line, 1: label = '' } of text.matchAll(BEGIN)) {
    if (last !== null) yield blockOf(last, index)
    last = { label, start: index + line.length }
  }
  if (last !== null) yield blockOf(last, text.length)
}

/** All lines of digits, and all lines after the headers. */
function readingsOf(body: string): string[] {
  const lines = body.split(LINE_END).map((line) => line.replace(BEFORE_LINE, '').trimEnd())
  const headersEnd = lines.indexOf('', 1)
  const afterHeaders = lines.slice(headersEnd === -1 ? lines.length : headersEnd)
  const readings = [lines.filter((line) => DIGITS.test(line)), afterHeaders.filter((line) => !CHECKSUM.test(line))]
  return [...new Set(readings.map((reading) => reading.join('\n').trim()))]
}
