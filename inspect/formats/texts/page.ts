/** Text of pages and drawings with what hides it: styles, comments, descriptions. */

import type { Format } from '#inspect/core/format.ts'
import type { Reason } from '#inspect/core/texts.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { mayAddress, mayHideText } from '#inspect/judge/hidden/addressed.ts'
import { createTextJudge } from '#inspect/judge/hidden/hidden.ts'
import { createElements } from '#inspect/judge/pages/elements.ts'
import { readHtml } from '#inspect/judge/pages/html-events.ts'
import { isFile } from './readings.ts'

type Judge = ReturnType<typeof createTextJudge>

const TYPES = new Set(['text/html', 'image/svg+xml'])
export const PAGE_BYTES_MAX = 8_000_000

export const pageTexts: Format = {
  applies: (item) => item.sniffed.kind === 'text' && TYPES.has(item.sniffed.type) && isFile(item),
  analyse(item, context) {
    if (context.texts === null && !mayAddress(item) && !mayHideText(item)) return
    if (item.bytes.length > PAGE_BYTES_MAX) context.texts?.addUnread(item)
    else {
      const source = decodeText(item.bytes, encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
      const judge = createTextJudge(item, context, { isRated: false })
      readPage(source, judge, { isDrawing: item.sniffed.type === 'image/svg+xml', reasons: [] })
      judge.finish()
    }
  },
}

/** Elements that are lines of their own. */
const LINES = new Set(
  'p div br tr li ul ol h1 h2 h3 h4 h5 h6 table section article header footer blockquote pre hr td th text tspan dt dd'.split(
    ' ',
  ),
)
const DESCRIBED = new Set(['description', 'keywords', 'og:description', 'og:title', 'twitter:description', 'author'])
/** Attributes with texts that programs read, and characters of those that are read. */
const OTHERS = /^(?:data-|aria-(?!label$)|summary$|value$|label$|content$|xlink:title$|abbr$)/
const VALUE_MIN = 20

interface Page {
  isDrawing: boolean
  /** Why nobody sees any of it. */
  reasons: readonly Reason[]
  /** Of other files. */
  styles?: readonly string[]
}

export function readPage(source: string, judge: Judge, { isDrawing, reasons: all, styles = [] }: Page): void {
  // Styles of other files may set any colour, and a drawing may have shapes behind its text.
  const knowsColours = !isDrawing && !/<link\s[^<>]{0,500}stylesheet/i.test(source)
  const elements = createElements({ isDrawing, knowsColours })
  for (const style of styles) elements.style(style)

  readHtml(source, {
    open(name, attributes, isEmpty) {
      if (LINES.has(name)) judge.add('\n', [])
      addDescriptions(name, attributes, judge)
      elements.open(name, attributes, isEmpty)
    },
    close(name) {
      elements.close(name)
      if (LINES.has(name)) judge.add('\n', [])
    },
    text(text) {
      const shown = text.replace(/[ \t\r\n]+/g, ' ')
      if (shown === '') return
      const hiding = shown === ' ' ? [] : [...all, ...elements.hiding().map(({ reason }) => reason)]
      judge.add(shown, hiding)
      if (hiding.length > 0 || shown === ' ') return
      if (elements.isPale()) judge.doubt(shown, 'colour', null, true)
      else if (elements.isFar()) judge.doubt(shown, 'off-page', null, true)
    },
    comment(text) {
      // Office reads these as markup.
      const said = text.replace(TAG, ' ').trim()
      if (/^\[if\s/.test(text)) judge.doubt(said.replace(CONDITION, ''), 'markup')
      else if (said !== '') judge.add(`${said}\n`, ['comment'])
    },
    style(text) {
      elements.style(text)
      for (const [, written = ''] of text.matchAll(WRITTEN)) judge.doubt(written, 'markup')
    },
    data: (text) => judge.doubt(text, 'metadata'),
  })
}

const TAG = /<[^<>]{0,500}>/g
const CONDITION = /^\[if[^\]]{0,200}\]>/
/** Text that a style adds. */
const WRITTEN = /content\s{0,9}:\s{0,9}"([^"]{10,2000})"/g
function addDescriptions(name: string, attributes: ReadonlyMap<string, string>, judge: Judge): void {
  for (const key of ['alt', 'title', 'aria-label', 'longdesc', 'placeholder']) {
    const text = attributes.get(key)
    if (text) judge.add(`${text}\n`, ['alt'])
  }
  const about = name === 'meta' ? (attributes.get('name') ?? attributes.get('property') ?? '').toLowerCase() : ''
  const content = attributes.get('content')
  if (content && DESCRIBED.has(about)) judge.add(`${content}\n`, ['metadata'])
  else if (content) judge.doubt(content, 'metadata')
  for (const [key, value] of attributes)
    if (OTHERS.test(key) && value.length >= VALUE_MIN) judge.doubt(value, 'metadata')
  if (name === 'input' && attributes.get('type')?.toLowerCase() === 'hidden')
    judge.add(`${attributes.get('value') ?? ''}\n`, ['markup'])
}
