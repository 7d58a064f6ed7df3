/** QR codes that the boxes of a page are filled with: rows and grids of empty elements, those with a place of their own, shadows and gradients. */

import type { Context } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import type { Shape } from '#inspect/judge/pictures/areas.ts'
import { CONTOURS_MAX, rectangle, searchShapes } from '#inspect/judge/pictures/canvas.ts'
import type { Found } from '#inspect/judge/pictures/codes.ts'
import { isLight, shadeOf } from '#inspect/judge/pictures/colours.ts'
import { searchRows } from '#inspect/judge/pictures/grids.ts'

/** Two empty elements next to each other, and declarations that draw several boxes. */
export const BOXES = mark(
  [
    '></div><div',
    '></i><i',
    '></b><b',
    '></s><s',
    '></u><u',
    '></p><p',
    '></a><a',
    '></em><em',
    '></td><td',
    '></li><li',
  ]
    .flatMap((pair) => [pair, pair.replace('><', '>\n<')])
    .concat(['></span><span', 'box-shadow', 'linear-gradient(']),
  { ignoresCase: true },
)

const TAG = /<(\/?)([a-z][a-z0-9]{0,15})((?:\s[^<>]{0,2000})?)>/gi
const TAG_WORK = 300
const BOX_WORK = 1_500
const BOXES_MAX = 40_000
const DEPTH_MAX = 60
const SIDE_MIN = 21
const SIDE_MAX = 200
const VOID = /^(?:img|br|hr|input|meta|link|col|source|wbr)$/i

type Declarations = ReadonlyMap<string, string>

/** A box in a row: whether it is dark, and how wide. */
interface Box {
  isDark: boolean
  width: number
}

interface Element {
  name: string
  start: number
  attributes: string
  boxes: Box[]
  rows: Box[][]
  isEmpty: boolean
}

interface Page {
  rules: ReadonlyMap<string, Declarations>
  shapes: Shape[]
  count: number
}

export function searchBoxes(source: string, context: Context): Found {
  const isFound = (found: Found): boolean => typeof found === 'string' || found.length > 0
  const drawn = searchShapes(shadowsIn(source), context)
  if (isFound(drawn)) return drawn
  const page: Page = { rules: rulesIn(source), shapes: [], count: 0 }
  for (const rows of gridsIn(source, page)) {
    const found = searchRows(rows, context)
    if (isFound(found)) return found
  }
  return searchShapes(page.shapes, context)
}

/** Rows of boxes that are as many as the sides of a code. */
function* gridsIn(source: string, page: Page): Generator<boolean[][]> {
  const open: Element[] = [elementOf('', 0, '')]
  for (const { index, 0: tag, 1: slash, 2: written = '', 3: attributes = '' } of source.matchAll(TAG)) {
    charge(TAG_WORK)
    const name = written.toLowerCase()
    const around = open.at(-1) as Element
    if (name === 'br') endRow(around)
    else if (slash === '') {
      around.isEmpty = false
      if (!VOID.test(name) && !attributes.endsWith('/') && open.length < DEPTH_MAX)
        open.push(elementOf(name, index + tag.length, attributes))
    } else if (around.name === name && open.length > 1) {
      open.pop()
      yield* endOf(around, open.at(-1) as Element, source.slice(around.start, Math.min(index, around.start + 20)), page)
    }
    if (page.count > BOXES_MAX) return
  }
}

const elementOf = (name: string, start: number, attributes: string): Element => ({
  name,
  start,
  attributes,
  boxes: [],
  rows: [],
  isEmpty: true,
})

function endRow(element: Element): void {
  if (element.boxes.length >= SIDE_MIN / 2) element.rows.push(element.boxes)
  element.boxes = []
}

function* endOf(element: Element, around: Element, text: string, page: Page): Generator<boolean[][]> {
  if (element.isEmpty && /^(?:\s|&nbsp;)*$/.test(text)) return addBox(element, around, page)
  const { boxes } = element
  const side = Math.sqrt(boxes.length)
  if (side >= SIDE_MIN && side <= SIDE_MAX && Number.isInteger(side))
    yield Array.from({ length: side }, (_, y) => boxes.slice(y * side, (y + 1) * side).map(({ isDark }) => isDark))
  endRow(element)
  if (element.rows.length >= SIDE_MIN && element.rows.length <= SIDE_MAX) yield squaresOf(element.rows)
  else if (element.rows.length === 1 && around.rows.length <= SIDE_MAX) around.rows.push(...element.rows)
  else if (element.rows.length > 1 && element.rows.length < SIDE_MIN)
    around.rows.push(...element.rows.slice(0, SIDE_MIN))
}

/** A box of several squares is as wide as they are. */
function squaresOf(rows: readonly (readonly Box[])[]): boolean[][] {
  const widths = rows.flatMap((row) => row.map(({ width }) => width)).filter((width) => width > 0)
  const unit = widths.reduce((least, width) => Math.min(least, width), Number.POSITIVE_INFINITY)
  return rows.map((row) =>
    row
      .flatMap(({ isDark, width }) => {
        const count = Number.isFinite(unit) && width > 0 ? Math.min(SIDE_MAX, Math.round(width / unit)) : 1
        return new Array<boolean>(count).fill(isDark)
      })
      .slice(0, SIDE_MAX),
  )
}

function addBox({ name, attributes }: Element, around: Element, page: Page): void {
  charge(BOX_WORK)
  page.count += 1
  const look = lookOf(name, attributes, page.rules)
  const colour = look.get('background-color') ?? look.get('background') ?? look.get('bgcolor')
  const isDark = colour !== undefined && !isLight(firstColour(colour))
  const [x, y] = [lengthOf(look.get('left')), lengthOf(look.get('top'))]
  const [width, height] = [lengthOf(look.get('width')), lengthOf(look.get('height'))]
  if (/absolute|fixed/.test(look.get('position') ?? '') || look.has('left') || look.has('top')) {
    if (colour !== undefined && page.shapes.length < CONTOURS_MAX)
      page.shapes.push({
        contours: [rectangle(x, y, width || 1, height || 1)],
        shade: shadeOf(firstColour(colour)) ?? 255,
      })
  } else if (around.boxes.length <= SIDE_MAX ** 2)
    around.boxes.push({ isDark, width: Number(look.get('colspan') ?? 0) || width })
}

const firstColour = (value: string): string => /^(?:rgb|hsl)a?\([^)]{1,60}\)|^[#\w]{1,30}/.exec(value)?.[0] ?? value

const lengthOf = (value: string | undefined): number => Number.parseFloat(value ?? '') || 0

const STYLE = /\bstyle\s?=\s?(?:"([^"]{0,2000})"|'([^']{0,2000})')/i
const CLASS = /\bclass\s?=\s?["']?([\w\s-]{1,200})/i
const OTHER = /\b(bgcolor|width|height|colspan)\s?=\s?["']?([#\w.]{1,30})/gi
/** Of the others there may be thousands. */
const DECLARATION = /(?<![\w-])(background(?:-color)?|position|left|top|width|height)\s{0,3}:\s{0,3}([^;{}]{1,200})/gi

const declarationsIn = (text: string): [string, string][] =>
  [...text.matchAll(DECLARATION)].map(([, name = '', value = '']) => [name.toLowerCase(), value.trim()])

function lookOf(name: string, attributes: string, rules: Page['rules']): Declarations {
  const classes = (CLASS.exec(attributes)?.[1] ?? '').split(/\s+/, 4)
  const [, one, other] = STYLE.exec(attributes) ?? []
  return new Map([
    ...(rules.get(name) ?? []),
    ...[...attributes.matchAll(OTHER)].map(([, key = '', value = '']) => [key.toLowerCase(), value] as const),
    ...classes.flatMap((each) => [...(rules.get(`.${each}`) ?? [])]),
    ...declarationsIn(one ?? other ?? ''),
  ])
}

const LAST = /([.a-z][\w-]{0,60})$/i
const RULES_MAX = 200
const RULE_WORK = 20_000
const [SELECTORS_LENGTH, BODY_LENGTH] = [200, 1_000]

/** By the last class or element of the selector. */
function rulesIn(source: string): Page['rules'] {
  const rules = new Map<string, Declarations>()
  let from = source.indexOf('<style')
  for (let count = 0; from !== -1 && count < RULES_MAX; count++) {
    const open = source.indexOf('{', from)
    const close = open === -1 ? -1 : source.indexOf('}', open)
    if (close === -1) break
    charge(RULE_WORK)
    const selectors = source.slice(Math.max(from, open - SELECTORS_LENGTH), open).split(/[<>;]/)
    const declared = declarationsIn(source.slice(open + 1, Math.min(close, open + 1 + BODY_LENGTH)))
    for (const selector of (selectors.at(-1) ?? '').split(',', 10)) {
      const last = LAST.exec(selector.trim())?.[1] ?? ''
      rules.set(last, new Map([...(rules.get(last) ?? []), ...declared]))
    }
    from = close + 1
  }
  return rules
}

/** `4px 8px #000` or `#000 4px 8px`, and `linear-gradient(#000,#000) 4px 8px/4px 4px`. */
const SHADOW =
  /(?:^|[:,])\s{0,9}(?:([#a-z][\w#]{2,20})\s{1,3})?(-?[\d.]{1,9})(?:px|em|rem|pt|vw)?\s{1,3}(-?[\d.]{1,9})(?:px|em|rem|pt|vw)?(?=[\s,;"'}])/gi
const GRADIENT =
  /linear-gradient\(\s{0,3}([#\w]{3,20})[^()]{0,60}\)\s{0,3}(-?[\d.]{1,9})(?:px|em)?\s{1,3}(-?[\d.]{1,9})(?:px|em)?\s{0,3}\/\s{0,3}[\d.]{1,9}/gi
const SHADOWS_WORK = 8
const SHADOW_WORK = 500

function shadowsIn(source: string): Shape[] {
  const at = source.search(/box-shadow\s{0,3}:|linear-gradient\(/i)
  if (at === -1) return []
  const drawn = source.slice(at)
  charge(drawn.length * SHADOWS_WORK)
  const pattern = /^linear/i.test(drawn) ? GRADIENT : SHADOW
  const squares = [...drawn.matchAll(pattern).take(CONTOURS_MAX)].map(([, colour = '', x, y]) => {
    charge(SHADOW_WORK)
    return { x: Number(x), y: Number(y), shade: shadeOf(/^[#a-z]/i.test(colour) ? colour : 'black') ?? 255 }
  })
  const across = [...new Set(squares.map(({ x }) => x))].sort((a, b) => a - b)
  const unit = across.reduce((least, x, i) => (i === 0 ? least : Math.min(least, x - (across[i - 1] ?? 0))), Infinity)
  if (!Number.isFinite(unit)) return []
  return squares.map(({ x, y, shade }) => ({ contours: [rectangle(x, y, unit, unit)], shade }))
}
