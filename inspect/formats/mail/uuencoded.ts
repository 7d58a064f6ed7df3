/** Decodes uuencoded files in texts without a MIME header. Mail programs show them as attachments. */

import { decodeBase64Variants, uudecode, xxdecode } from '#inspect/codecs/transfer-encodings.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { safeName } from '#inspect/core/names.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { charge } from '#inspect/core/work.ts'

// Programs accept tabs, more spaces and file modes of any length. Outlook needs no mode after two spaces.
const BEGIN =
  /begin(?<=(?:^|[\r\n])[ \t\f>\xef\xbb\xbf]*begin)(-base64)?(?:-encoded)?(?:[ \t]+(?:0[oO])?[0-7]+(?:[ \t]+(?![ \t])([^\r\n]*))?| {2}([^\r\n]*))(?:\r\n|\r|\n)/g
const NAME_MAX = 255
const LINE_FEED = 0x0a
const RETURN = 0x0d
const BASE64_END = /[\r\n]====[ \t]*(?=[\r\n]|$)/

const BEGIN_MARK = mark(['begin'], { fits: beginsLine })
const BEFORE = new Set([...' \t\f>\xef\xbb\xbf'].map((char) => char.charCodeAt(0)))
const AFTER = /^(?:-base64)?(?:-encoded)?(?:[ \t]+(?:0[oO])?(?:[0-7]|$)| {2})/
const AFTER_BYTES = 64

/** Whether it is at the start of a line, before a file mode. Elsewhere it is an ordinary word. */
function beginsLine(bytes: Buffer, at: number): boolean {
  let start = at
  while (start > 0 && BEFORE.has(bytes[start - 1] as number)) start -= 1
  const before = bytes[start - 1] ?? LINE_FEED
  if (before !== LINE_FEED && before !== RETURN) return false
  const end = at + 'begin'.length
  return AFTER.test(bytes.toString('latin1', end, end + AFTER_BYTES))
}

/** Work for each character. */
const DECODE_WORK = 15

interface Encoded {
  start: number
  end: number
  name: string
  base64: boolean
}

export const uuencoded: Format = {
  among: { marks: [BEGIN_MARK] },
  applies: (item) => item.has(BEGIN_MARK),
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    const take = createPieceBudget(item, context)
    for (const { start, end, name, base64 } of filesOf(text)) {
      charge((end - start) * DECODE_WORK)
      if (!take(end - start)) return
      const body = item.bytes.subarray(start, end)
      const files = base64 ? decodeBase64Variants(untilEnd(body)) : [uudecode(body, true), ...xxdecode(body)]
      for (const file of files) if (file.length > 0) context.inspectMember(item, safeName(name), file)
    }
  },
}

function untilEnd(body: Uint8Array): Uint8Array {
  const end = BASE64_END.exec(view(body).toString('latin1'))
  return end === null ? body : body.subarray(0, end.index)
}

/** Each extends to the next one; data after its end does no harm. */
function* filesOf(text: string): Generator<Encoded> {
  let last: Omit<Encoded, 'end'> | null = null
  for (const { index, 0: line, 1: base64, 2: name, 3: bare } of text.matchAll(BEGIN)) {
    if (last !== null) yield { ...last, end: index }
    last = { start: index + line.length, name: (name ?? bare ?? '').slice(0, NAME_MAX), base64: base64 !== undefined }
  }
  if (last !== null) yield { ...last, end: text.length }
}
