/** Text of pages and drawings with what hides it: styles, comments, descriptions. */

import type { Format } from '#inspect/core/format.ts'
import { ownOf } from '#inspect/core/own.ts'
import type { Reason } from '#inspect/core/texts.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { mayAddress } from '#inspect/judge/hidden/addressed.ts'
import { createTextJudge } from '#inspect/judge/hidden/hidden.ts'
import { createDrawing } from './drawing.ts'
import { readHtml } from './html-events.ts'
import { isFile } from './readings.ts'
import { createRules, declarationsOf, isPale, type Look, lookOf, whyHidden } from './styles.ts'

type Judge = ReturnType<typeof createTextJudge>

const TYPES = new Set(['text/html', 'image/svg+xml'])
export const PAGE_BYTES_MAX = 8_000_000

export const pageTexts: Format = {
  applies: (item) => item.sniffed.kind === 'text' && TYPES.has(item.sniffed.type) && isFile(item),
  analyse(item, context) {
    if (context.texts === null && !mayAddress(item)) return
    if (item.bytes.length > PAGE_BYTES_MAX) context.texts?.addUnread(item)
    else {
      const source = decodeText(item.bytes, encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
      const judge = createTextJudge(item, context, { isRated: false })
      readPage(source, judge, { isDrawing: item.sniffed.type === 'image/svg+xml', reasons: [] })
      judge.finish()
    }
  },
}

/** Elements that are lines of their own, and those that readers never see. */
const LINES = new Set(
  'p div br tr li ul ol h1 h2 h3 h4 h5 h6 table section article header footer blockquote pre hr td th text tspan dt dd'.split(
    ' ',
  ),
)
const UNSEEN: Readonly<Record<string, Reason>> = {
  template: 'markup',
  head: 'metadata',
  metadata: 'metadata',
  desc: 'alt',
  defs: 'markup',
  noscript: 'markup',
  noembed: 'markup',
  datalist: 'markup',
}
const DESCRIBED = new Set(['description', 'keywords', 'og:description', 'og:title', 'twitter:description', 'author'])
/** Attributes with texts that programs read, and characters of those that are read. */
const OTHERS = /^(?:data-|aria-(?!label$)|summary$|value$|label$|content$|xlink:title$|abbr$)/
const VALUE_MIN = 20
const DEPTH_MAX = 500

interface Page {
  isDrawing: boolean
  /** Why nobody sees any of it. */
  reasons: readonly Reason[]
}

export function readPage(source: string, judge: Judge, { isDrawing, reasons: all }: Page): void {
  const rules = createRules()
  const open: { name: string; outer: number; isFar: boolean }[] = []
  const drawing = createDrawing()
  /** Of those that have a look of their own. */
  const looks: Look[] = []
  // Styles of other files may set any colour, and a drawing may have shapes behind its text.
  const knowsColours = !isDrawing && !/<link\s[^<>]{0,500}stylesheet/i.test(source)
  const reasons = (): Reason[] => [...all, ...whyHidden(looks, knowsColours)]

  readHtml(source, {
    open(name, attributes, isEmpty) {
      if (LINES.has(name)) judge.add('\n', [])
      addDescriptions(name, attributes, judge)
      if (isDrawing) drawing.add(name, attributes)
      if (isEmpty || open.length >= DEPTH_MAX) return
      const isFar = isDrawing && (open.at(-1)?.isFar === true || drawing.isOutside(name, attributes))
      open.push({ name, outer: looks.length, isFar })
      const look = ownLook(name, attributes, isDrawing, rules)
      if (look !== PLAIN) looks.push(look)
    },
    close(name) {
      const at = open.findLastIndex((each) => each.name === name)
      if (at !== -1) looks.length = open[at]?.outer ?? 0
      if (at !== -1) open.length = at
      rules.leave(open.length)
      if (LINES.has(name)) judge.add('\n', [])
    },
    text(text) {
      const shown = text.replace(/[ \t\r\n]+/g, ' ')
      if (shown === '') return
      const hiding = shown === ' ' ? [] : reasons()
      judge.add(shown, hiding)
      if (hiding.length > 0 || shown === ' ') return
      if (isPale(looks) || (isDrawing && drawing.isFilled(looks))) judge.doubt(shown, 'colour', null, true)
      else if (open.at(-1)?.isFar) judge.doubt(shown, 'off-page', null, true)
    },
    comment(text) {
      // Office reads these as markup.
      if (!/^\[if\s/.test(text) && text.trim() !== '') judge.add(`${text.replace(TAG, ' ')}\n`, ['comment'])
    },
    style(text) {
      rules.add(text)
      for (const [, written = ''] of text.matchAll(WRITTEN)) judge.doubt(written, 'markup')
    },
    data: (text) => judge.doubt(text, 'metadata'),
  })
}

const TAG = /<[^<>]{0,500}>/g
/** Text that a style adds. */
const WRITTEN = /content\s{0,9}:\s{0,9}"([^"]{10,2000})"/g
const PLAIN: Look = {}
const NO_DECLARATIONS: ReadonlyMap<string, string> = new Map()

function ownLook(
  name: string,
  attributes: ReadonlyMap<string, string>,
  isDrawing: boolean,
  rules: ReturnType<typeof createRules>,
): Look {
  const styles = rules.enter(name, attributes)
  const colours = new Map<string, string>()
  const behind = attributes.get('bgcolor') ?? attributes.get('background')
  if (behind !== undefined) colours.set('background', behind)
  const fill = isDrawing ? attributes.get('fill') : undefined
  if (fill !== undefined) colours.set('color', fill)
  const declared = attributes.has('style') ? [declarationsOf(attributes.get('style') ?? '')] : []
  // Attributes of pages that are no declarations.
  const read = isDrawing
    ? [...styles, attributes, ...declared, colours].map(asText)
    : [...styles, fontColour(name, attributes), colours, ...declared]
  return withReasons(lookOf(read, rules.blankFonts), name, attributes, isDrawing)
}

/** Text of drawings is filled. */
const asText = (declarations: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  declarations.has('fill') ? new Map([...declarations, ['color', declarations.get('fill') ?? '']]) : declarations

function withReasons(look: Look, name: string, attributes: ReadonlyMap<string, string>, isDrawing: boolean): Look {
  const unseen = name === 'title' && isDrawing ? 'alt' : ownOf(UNSEEN, name)
  const isHidden = attributes.has('hidden') && attributes.get('hidden') !== 'until-found'
  const more: Reason[] = [...(unseen === undefined ? [] : [unseen]), ...(isHidden ? (['markup'] as const) : [])]
  if (more.length === 0) return Object.keys(look).length === 0 ? PLAIN : look
  return { ...look, reasons: [...more, ...(look.reasons ?? [])] }
}

function fontColour(name: string, attributes: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const colour = name === 'font' ? attributes.get('color') : name === 'body' ? attributes.get('text') : undefined
  return colour === undefined ? NO_DECLARATIONS : new Map([['color', colour]])
}

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
