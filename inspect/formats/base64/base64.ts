/** Files that stand in a text as Base64: data addresses, elements of XML documents, attachments of calendars and cards. */

import { ascii, view } from '../../bytes.ts'
import { createFinder } from '../../literals.ts'
import type { Format } from '../../visit.ts'
import { unbase64 } from '../mail/encodings.ts'
import { createReadings } from '../readings.ts'
import { unescaped } from './unescaped.ts'

const findMark = createFinder(
  ['base64', 'binary-data', 'binarydata', 'bindata', 'encoding=b'].map((mark) => ({ bytes: ascii(mark), id: 0 })),
)

// No part of it goes past what begins the next match, so a million of them are read once.
const MARK =
  /;\s*base64\s*,|<(?:[^\s<>:]+:)?(?:binary-data|binaryData|binData)(?:\s[^<>]*)?>|;\s*encoding\s*=\s*"?b(?:ase64)?\b/gi
const ELEMENT_BODY = /[^<]*/y
/** Digits, white space, and what stands for either: `%2B`, `&#43;`, `\n`. */
const BODY = /[\w+/=\s%&#;\\-]*/y

export const base64: Format = {
  applies: ({ bytes }) => {
    for (const _ of findMark(bytes)) return true
    return false
  },
  analyse(item, visit) {
    const take = createReadings(item, visit)
    for (const { start, end } of bodiesOf(view(item.bytes).toString('latin1'))) {
      if (!take(end - start)) return
      for (const bytes of unbase64(unescaped(item.bytes.subarray(start, end))))
        if (bytes.length > 0) visit.member(item, '(in Base64)', bytes)
    }
  },
}

interface Body {
  start: number
  end: number
}

/** Where Base64 begins and ends. None goes past the mark of the next one. */
function* bodiesOf(text: string): Generator<Body> {
  const startOf = startFinder(text)
  let last: { mark: string; start: number } | null = null
  for (const { index, 0: mark } of text.matchAll(MARK)) {
    if (last !== null && last.start < index) yield bodyOf(text, last.mark, last.start, index)
    last = { mark, start: startOf(mark, index + mark.length) }
  }
  if (last !== null && last.start < text.length) yield bodyOf(text, last.mark, last.start, text.length)
}

function bodyOf(text: string, mark: string, start: number, limit: number): Body {
  const body = mark.startsWith('<') ? ELEMENT_BODY : BODY
  body.lastIndex = start
  return { start, end: Math.min(limit, start + (body.exec(text)?.[0].length ?? 0)) }
}

/** Behind the mark; in a calendar, behind the colon that ends what stands before the value. Places only grow. */
function startFinder(text: string): (mark: string, from: number) => number {
  let colon = -1
  return (mark, from) => {
    if (!/^;\s*encoding/i.test(mark)) return from
    if (colon < from) colon = text.indexOf(':', from)
    if (colon === -1) colon = text.length
    return colon + 1
  }
}
