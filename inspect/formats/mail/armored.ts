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
/** Set in the first byte of every packet. */
const PACKET = 0x80
/** Work for each byte of the text, for each block, and for each of its bytes. */
const TEXT_WORK = 2
const BLOCK_WORK = 2_000
const BLOCK_BYTE_WORK = 12

export const armored: Format = {
  among: { keywords: ['armor'] },
  applies: (item) => item.mentions('armor'),
  analyse(item, context) {
    charge(item.bytes.length * TEXT_WORK)
    const text = view(item.bytes).toString('latin1')
    const take = createPieceBudget(item, context)
    for (const block of blocksOf(text)) {
      if (!take(block.body.length)) return
      charge(BLOCK_WORK + block.body.length * BLOCK_BYTE_WORK)
      if (CLEAR_SIGNED.test(block.label)) inspectClearSigned(item, block.body, context)
      inspectBlock(item, block, context)
    }
  },
}

function inspectBlock(item: Item, block: Block, context: Context): void {
  const files = readingsOf(block.body).flatMap((digits) => decodeBase64Variants(ascii(digits)))
  for (const file of files) if (file.length > 0) context.inspectMember(item, '(armored)', file)
  // A message that is readable to its end is judged there.
  if (isMessage(block) && !files.some(isOpenPgpMessage))
    context.addObstacle(item, 'encrypted', 'The mail is encrypted.')
}

/** Sources and manuals quote the first line, or leave out what is between the first and the last. */
function isMessage({ label, body, isClosed }: Block): boolean {
  if (!isClosed || !MESSAGE.test(label)) return false
  const lines = contentOf(body)
  if (!lines.every((line) => DIGITS.test(line) || CHECKSUM.test(line))) return false
  const [message = Buffer.alloc(0)] = decodeBase64Variants(ascii(lines.filter((line) => DIGITS.test(line)).join('\n')))
  return message.length >= MESSAGE_BYTES_MIN && ((message[0] ?? 0) & PACKET) !== 0
}

function inspectClearSigned(item: Item, body: string, context: Context): void {
  const text = body.replace(DASH, '')
  if (text !== body) context.inspectMember(item, '(signed)', ascii(text))
}

interface Block {
  label: string
  body: string
  isClosed: boolean
}

/** Each extends to the next one if it has no end. */
function* blocksOf(text: string): Generator<Block> {
  let last: { label: string; start: number } | null = null
  const blockOf = ({ label, start }: { label: string; start: number }, limit: number) => {
    const body = text.slice(start, limit)
    const end = END.exec(body)?.index
    return { label, body: body.slice(0, end), isClosed: end !== undefined }
  }
  for (const { index, 0: line, 1: label = '' } of text.matchAll(BEGIN)) {
    if (last !== null) yield blockOf(last, index)
    last = { label, start: index + line.length }
  }
  if (last !== null) yield blockOf(last, text.length)
}

/** All lines of digits, and all lines after the headers. */
function readingsOf(body: string): string[] {
  const lines = linesOf(body)
  const headersEnd = lines.indexOf('', 1)
  const afterHeaders = lines.slice(headersEnd === -1 ? lines.length : headersEnd)
  const readings = [lines.filter((line) => DIGITS.test(line)), afterHeaders.filter((line) => !CHECKSUM.test(line))]
  return [...new Set(readings.map((reading) => reading.join('\n').trim()))]
}

function linesOf(body: string): string[] {
  return body.split(LINE_END).map((line) => line.replace(BEFORE_LINE, '').trimEnd())
}

const HEADER = /^[A-Za-z][\w-]{0,40}:/

/** The lines after the headers, with or without the empty line that ends them. */
function contentOf(body: string): string[] {
  const lines = linesOf(body).filter((line) => line !== '')
  const start = lines.findIndex((line) => !HEADER.test(line))
  return start === -1 ? [] : lines.slice(start)
}
