/** Text of OpenDocument files with what hides it: marks, colours, sizes, hidden sheets and slides. */

import { attributeOf, readXml } from '#inspect/codecs/xml-events.ts'
import { view } from '#inspect/core/bytes.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import type { Reason } from '#inspect/core/texts.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { mayAddressIn } from '#inspect/judge/hidden/addressed.ts'
import { type Colour, colourOf, isLikeColour, WHITE } from '#inspect/judge/hidden/colours.ts'
import { createTextJudge } from '#inspect/judge/hidden/hidden.ts'
import { readSimplePart } from './simple-part.ts'
import { readAttributes, readValues } from './values.ts'

const PART = factType<{ name: string; bytes: Uint8Array; hasSigns: boolean; addresses: boolean }>('OpenDocument part')
const NAME = /^(?:content|styles|meta)\.xml$/

/** Without one of these, a part hides nothing. */
const SIGNS =
  /text:display="|text:hidden-|table:display="false"|visibility="(?:collapse|hidden)"|fo:color="#[ef].[ef].[ef]|fo:background-color="#|fo:font-size="[012](?:\.\d{1,3})?pt|office:annotation|<svg:desc>|<dc:description>|svg:x="-\d\d|text:deletion/i
const SIGN_WORK = 3

/** Points that nobody can read. */
const POINTS_MAX = 2
const PART_BYTES_MAX = 16_000_000
const STYLES_MAX = 20_000
const STYLE_BYTES = 200
/** Centimetres beyond every page. */
const FAR = 100

interface Look {
  isHidden?: boolean
  colour?: Colour
  behind?: Colour | 'unknown' | null
  isSmall?: boolean
  isCollapsed?: boolean
  parent?: string
}

export const openDocumentTexts: Format = {
  among: { members: true, binary: true },
  applies: (item) =>
    item.sniffed.kind === 'odf' || (item.parent?.sniffed.kind === 'odf' && NAME.test(item.path.at(-1) ?? '')),
  analyse(item, context) {
    if (item.sniffed.kind === 'odf') return
    keep(STYLE_BYTES)
    charge(item.bytes.length * SIGN_WORK)
    const addresses = mayAddressIn(item)
    const hasSigns = addresses || SIGNS.test(view(item.bytes).toString('latin1'))
    context.record(item, PART, { name: item.path.at(-1) ?? '', bytes: item.bytes, hasSigns, addresses })
  },
  conclude(item, facts, context) {
    if (item.sniffed.kind === 'odf') readDocument(item, facts, context)
  },
}

function readDocument(item: Item, facts: Facts, context: Context): void {
  const parts = facts
    .of(PART)
    .filter(({ path }) => path.length === item.path.length + 1)
    .map(({ value }) => value)
  if (context.texts === null && !parts.some(({ hasSigns }) => hasSigns)) return
  const sourceOf = (name: string): string => {
    const bytes = parts.find((part) => part.name === name)?.bytes ?? new Uint8Array()
    if (bytes.length > PART_BYTES_MAX) context.texts?.addUnread(item)
    return bytes.length > PART_BYTES_MAX ? '' : decodeText(bytes, encodingOf(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
  }
  const judge = createTextJudge(item, context)
  const content = sourceOf('content.xml')
  const looks = new Map<string, Look>()
  for (const source of [sourceOf('styles.xml'), content]) readStyles(source, looks)
  readContent(content, looks, judge, pageSizeOf(sourceOf('styles.xml')))
  readSimplePart(sourceOf('meta.xml'), ['metadata'], 'meta.xml', judge)
  if (parts.some((part) => part.name === 'styles.xml' && part.addresses))
    readValues(sourceOf('styles.xml'), 'styles.xml', judge)
  if (parts.some((part) => part.name === 'content.xml' && part.addresses)) readAttributes(content, judge)
  judge.finish()
}

function readStyles(source: string, looks: Map<string, Look>): void {
  let look: Look | null = null
  readXml(source, {
    open(name, attributes) {
      if (name === 'style' && looks.size < STYLES_MAX) {
        keep(STYLE_BYTES)
        look = {}
        const parent = attributeOf(attributes, 'parent-style-name')
        if (parent !== null) look.parent = parent
        looks.set(attributeOf(attributes, 'name') ?? '', look)
      } else if (look !== null && name.endsWith('-properties')) addProperties(look, attributes)
    },
    close(name) {
      if (name === 'style') look = null
    },
    text() {},
  })
}

function addProperties(look: Look, attributes: string): void {
  const value = (name: string): string => attributeOf(attributes, name) ?? ''
  if (value('display') === 'none') look.isHidden = true
  if (/^0(?:\.0{1,9})?(?:cm|in|mm|pt)$/.test(value('row-height') || value('column-width'))) look.isCollapsed = true
  if ([value('opacity'), value('text-scale')].some((share) => /^[0-4](?:\.\d{1,9})?%$/.test(share)))
    look.isHidden = true
  if (value('display') === 'false' || value('visibility') === 'hidden') look.isCollapsed = true
  const colour = colourOf(value('color'))
  if (colour !== null) look.colour = colour
  if (value('font-size').endsWith('pt')) look.isSmall = Number.parseFloat(value('font-size')) <= POINTS_MAX
  const behind = behindOf(value('background-color'), value('fill'), value('fill-color'))
  if (behind !== undefined) look.behind = behind
}

/** undefined: it is not said. */
function behindOf(background: string, fill: string, colour: string): Look['behind'] | undefined {
  if (fill !== '' && fill !== 'none') return fill === 'solid' ? (colourOf(colour) ?? 'unknown') : 'unknown'
  if (background === '') return undefined
  return background === 'transparent' ? null : (colourOf(background) ?? 'unknown')
}

const PARENTS_MAX = 20

function lookOf(name: string | null, looks: ReadonlyMap<string, Look>): Look {
  let [look, next]: [Look, string | undefined] = [{}, name ?? undefined]
  for (let depth = 0; next !== undefined && depth < PARENTS_MAX; depth++) {
    const style: Look | undefined = looks.get(next)
    look = { ...style, ...look }
    next = style?.parent
  }
  return look
}

/** Elements that have a style of their own, and those whose text is no part of the document. */
const STYLED = new Set([
  'p',
  'h',
  'span',
  'a',
  'table',
  'table-row',
  'table-cell',
  'table-column',
  'frame',
  'custom-shape',
  'page',
  'section',
  'rect',
])
const REASONS = new Map<string, Reason>(
  Object.entries({
    annotation: 'comment',
    'tracked-changes': 'comment',
    desc: 'alt',
    title: 'alt',
    notes: 'comment',
    'hidden-text': 'vanish',
    'hidden-paragraph': 'vanish',
    'event-listeners': 'metadata',
    'help-message': 'comment',
    'error-message': 'comment',
    script: 'comment',
  } as const),
)
const ENDS = new Map(Object.entries({ p: '\n', h: '\n', 'table-cell': '\t', 'table-row': '\n' }))
const BREAKS = new Map(Object.entries({ tab: '\t', 'line-break': '\n', s: ' ' }))

function reasonOf(name: string, attributes: string, look: Look, size: ReturnType<typeof pageSizeOf>): Reason | null {
  const known = REASONS.get(name)
  if (known !== undefined) return known
  const value = (key: string): string => attributeOf(attributes, key) ?? ''
  if (look.isCollapsed && (name === 'page' || name === 'table'))
    return name === 'page' ? 'hidden-slide' : 'hidden-sheet'
  if (value('visibility') === 'collapse' || (look.isCollapsed && name === 'table-row')) return 'hidden-sheet'
  const isConditional = name === 'section' && /^(?:none|condition)$/.test(value('display'))
  if (isConditional || value('is-hidden') === 'true') return 'vanish'
  return isFar([value('x'), value('width')], size.width) || isFar([value('y'), value('height')], size.height)
    ? 'off-page'
    : null
}

/** Before the beginning of a page, or behind its end. */
function isFar(written: readonly string[], whole: number): boolean {
  const [from = Number.NaN, length = Number.NaN] = written.map(centimetres)
  return from >= whole || from + length <= 0 || from <= -FAR / 2
}

const UNITS: Readonly<Record<string, number>> = { cm: 1, mm: 0.1, in: 2.54, pt: 2.54 / 72 }

function centimetres(text: string): number {
  const [, number, unit = ''] = /^(-?\d{1,6}(?:\.\d{1,9})?)(cm|mm|in|pt)$/.exec(text) ?? []
  return Number(number) * (UNITS[unit] ?? Number.NaN)
}

const WIDTH = /fo:page-width="([\w.]{1,20})"/
const HEIGHT = /fo:page-height="([\w.]{1,20})"/

/** Of slides. Text of others flows, and what is beside it is rarely far away. */
function pageSizeOf(styles: string): { width: number; height: number } {
  const [width, height] = [WIDTH, HEIGHT].map((pattern) => centimetres(pattern.exec(styles)?.[1] ?? ''))
  return { width: Math.max(width || 28, 28), height: Math.max(height || 21, 30) }
}

interface Open {
  name: string
  look: Look
  reason: Reason | null
}

/** Elements around a text of ordinary documents, and for each of more. */
const DEPTH_USUAL = 100
const DEPTH_WORK = 30

function readContent(
  source: string,
  looks: ReadonlyMap<string, Look>,
  judge: ReturnType<typeof createTextJudge>,
  size: ReturnType<typeof pageSizeOf>,
): void {
  const open: Open[] = []
  const columns = createColumns()
  let isBody = false
  let place: string | null = null

  const whyHidden = (): Reason[] => {
    if (open.length > DEPTH_USUAL) charge(open.length * DEPTH_WORK)
    const found: Reason[] = open.flatMap(({ reason }) => reason ?? [])
    const { isHidden, isSmall, colour } = Object.assign({}, ...open.map(({ look }) => look)) as Look
    const behind = open.findLast(({ look }) => (look.behind ?? null) !== null)?.look.behind ?? WHITE
    const isLike = colour !== undefined && behind !== 'unknown' && isLikeColour(colour, behind)
    const checks: readonly [Reason, boolean | undefined][] = [
      ['vanish', isHidden],
      ['size', isSmall],
      ['colour', isLike],
    ]
    return [...found, ...checks.filter(([, is]) => is).map(([reason]) => reason)]
  }

  /** A text of its own, or the paragraph that it is in. */
  function addHidden(name: string, attributes: string): void {
    const paragraph =
      name === 'hidden-paragraph' ? open.findLast((each) => each.name === 'p' || each.name === 'h') : undefined
    if (paragraph !== undefined && attributeOf(attributes, 'is-hidden') !== 'false') paragraph.reason = 'vanish'
    judge.add(attributeOf(attributes, 'string-value') ?? '', ['vanish'], place)
  }

  readXml(source, {
    open(name, attributes) {
      if (name === 'body') isBody = true
      if (!isBody) return
      const look = STYLED.has(name) ? lookOf(attributeOf(attributes, 'style-name'), looks) : {}
      open.push({
        name,
        look,
        reason: columns.reasonOf(name, attributes, look) ?? reasonOf(name, attributes, look, size),
      })
      if (name === 'page' || name === 'table') place = attributeOf(attributes, 'name')
      if (REASONS.get(name) === 'vanish') addHidden(name, attributes)
      judge.add(BREAKS.get(name) ?? '', whyHidden(), place)
    },
    close(name) {
      if (name === 'body') isBody = false
      if (isBody) judge.add(ENDS.get(name) ?? '', whyHidden(), place)
      while (open.length > 0 && open.pop()?.name !== name);
    },
    text(text) {
      if (isBody) judge.add(text.trim() === '' ? ' ' : text, text.trim() === '' ? [] : whyHidden(), place)
    },
  })
}

const COLUMNS_MAX = 2_000

/** Columns that are not shown, by their number. */
function createColumns() {
  let hidden: boolean[] = []
  let at = 0
  return {
    reasonOf(name: string, attributes: string, look: Look): Reason | null {
      const times = Math.min(COLUMNS_MAX, Number(attributeOf(attributes, 'number-columns-repeated') ?? 1))
      if (name === 'table') hidden = []
      if (name === 'table-row') at = 0
      if (name === 'table-column' && hidden.length < COLUMNS_MAX) {
        const isHidden = attributeOf(attributes, 'visibility') === 'collapse' || look.isCollapsed === true
        hidden.push(...new Array<boolean>(times).fill(isHidden))
      }
      if (name !== 'table-cell' && name !== 'covered-table-cell') return null
      at += times
      return hidden[at - times] ? 'hidden-sheet' : null
    },
  }
}
