/** Judges what is in a PDF besides its objects: data before and after it, and documents of other types. */

import { PDF } from '#inspect/catalogue/pdf.ts'
import type { Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { pdfHeaderAt } from '#inspect/detect/sniff.ts'
import type { Findings } from './findings.ts'

/** Bytes after the end of ordinary files. */
const AFTER_MAX = 500

const PAGE = mark(['<html', '<script', '<body', '<iframe', '<!doctype'], { ignoresCase: true })
const MAIL = mark(['mime-version:'], { ignoresCase: true })
const PAGE_START = /<(?:html|script|body|iframe|!doctype\s+html)\b/gi
const MAIL_START = /mime-version:/gi
const MAIL_HEADER = /content-type:\s*(?:multipart\/(?:related|mixed|alternative)|text\/html|application\/)/i
const ACTIVE_PAGE = /<script\b|<iframe\b|<object\b|<embed\b|javascript:|\bon(?:load|error|click|mouseover)\s*=|<hta:/i
/** Office data in a web archive, plain or in Base64, and scripts. */
const ACTIVE_MAIL = /application\/x-mso|ActiveMime|QWN0aXZlTWlt|editdata\.mso|<script\b|vbscript:|<o:OLEObject/i
const PLACE_WORK = 5_000

/** Start and end of the data of a stream. */
export type Range = readonly [start: number, end: number]

export function judgeSurroundings(item: Item, text: string, streams: readonly Range[], findings: Findings): void {
  const header = pdfHeaderAt(item.bytes)
  const end = text.lastIndexOf('%%EOF')
  if (header > 0 && /[^\0\s\xef\xbb\xbf]/.test(text.slice(0, header))) findings.add(PDF.dataBefore, `${header} bytes`)
  else if (header > AFTER_MAX) findings.add(PDF.dataBefore, `${header} bytes`)
  if (end !== -1 && text.length - end - 5 > AFTER_MAX) findings.add(PDF.dataAfter, `${text.length - end - 5} bytes`)
  const isOutside = (at: number): boolean =>
    isBetweenObjects(text, at) && !streams.some(([from, to]) => at >= from && at < to)
  if (item.has(PAGE)) judgeSecond(text, PAGE_START, isOutside, ACTIVE_PAGE, findings)
  charge(text.length)
  if (item.has(MAIL) && MAIL_HEADER.test(text)) judgeSecond(text, MAIL_START, isOutside, ACTIVE_MAIL, findings)
}

/** Not in an object, where texts may mention anything. */
function isBetweenObjects(text: string, at: number): boolean {
  const object = Math.max(text.lastIndexOf(' obj', at), text.lastIndexOf('trailer', at))
  charge((at - object) * 2)
  const before = text.slice(object + 1, at)
  return object === -1 || before.includes('endobj') || before.includes('%%EOF')
}

function judgeSecond(
  text: string,
  start: RegExp,
  isStart: (at: number) => boolean,
  active: RegExp,
  findings: Findings,
): void {
  charge(text.length * 4)
  for (const { index } of text.matchAll(start)) {
    charge(PLACE_WORK)
    if (!isStart(index)) continue
    charge((text.length - index) * 4)
    // Web servers append pages with scripts by mistake, and no browser reads them.
    const isIgnored = start === PAGE_START && index > text.lastIndexOf('%%EOF') && text.includes('%%EOF')
    const isActive = !isIgnored && active.test(text.slice(index))
    findings.add(isActive ? PDF.hiddenDocument : PDF.secondDocument)
    return
  }
}

const MARKUP = mark(
  [
    '<img',
    '<script',
    '<iframe',
    '<svg',
    '<embed',
    '<object',
    '\\074',
    '\\74',
    '3c696d67',
    '3c736372',
    '3c737667',
    '3c696672',
  ],
  { ignoresCase: true },
)
const PLAIN_MARKUP = /<(?:img|script|iframe|svg|embed|object)\b|\\0?74|3c(?:696d67|736372|737667|696672)/i
/** Keys of texts of annotations and fields that readers show. */
const SHOWN_KEY = /\/(?:T|Contents|Subj|TU|TM|NM|RC|DS)[\0\s]*(?=[(<])/g
const CODE =
  /<script\b|<(?:img|iframe|svg|embed|object|body|video|input)\b(?:(?!<(?:img|iframe|svg|embed|object|body|video|input)\b)[^>])*?\s(?:src|data|on[a-z]{3,20})\s*=/i
const KEY_SEARCH_WORK = 2
const KEY_WORK = 1_000

/** Texts of annotations with code. `read` decodes the value after a key. */
export function hasMarkup(item: Item, texts: readonly string[], read: (text: string, at: number) => string[]): boolean {
  for (const [i, text] of texts.entries()) {
    if (i === 0 ? !item.has(MARKUP) : !PLAIN_MARKUP.test(text)) continue
    charge(text.length * KEY_SEARCH_WORK)
    for (const { index, 0: key } of text.matchAll(SHOWN_KEY)) {
      charge(KEY_WORK)
      if (read(text, index + key.length).some((shown) => isCode(shown))) return true
    }
  }
  return false
}

function isCode(text: string): boolean {
  charge(text.length * SHOWN_WORK)
  return CODE.test(text)
}

const SHOWN_WORK = 20
