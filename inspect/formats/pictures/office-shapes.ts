/** QR codes that shapes of documents and slides draw: DrawingML, VML and drawings of OpenDocument. */

import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import type { Shape } from '#inspect/judge/pictures/areas.ts'
import { CONTOURS_MAX, rectangle, searchShapes } from '#inspect/judge/pictures/canvas.ts'
import { shadeOf } from '#inspect/judge/pictures/colours.ts'
import { contoursOf } from '#inspect/judge/pictures/paths.ts'
import { reportPicture } from '#inspect/judge/pictures/report.ts'

const SHAPES = mark([
  ':spPr>',
  '<v:rect ',
  '<v:shape ',
  '<draw:rect ',
  '<draw:path ',
  '<draw:custom-shape ',
  '<draw:polygon ',
])
/** Longer parts are read up to here. */
const SOURCE_MAX = 4_000_000
const CHARACTER_WORK = 3
const TOKEN_WORK = 250

export const officeShapes: Format = {
  among: { marks: [SHAPES] },
  applies: (item) => item.sniffed.kind === 'text' && item.has(SHAPES),
  analyse(item, context) {
    const source = view(item.bytes.subarray(0, SOURCE_MAX)).toString('latin1')
    const found = searchShapes([...drawnIn(source), ...placedIn(source)], context)
    if (typeof found !== 'string' && found.length > 0) reportPicture(item, found, context)
  },
}

const TOKEN =
  /<(?:\w{1,5}:)?(posOffset)>(-?\d{1,10})|<(wp:extent|a:ext|a:off|a:pt)\s[^<>]{0,20}?[cx]{1,2}="(-?\d{1,10})"\s{1,3}[cy]{1,2}="(-?\d{1,10})"|<(a:moveTo)>|<(?:a:)(srgbClr|schemeClr|prstClr)\s{1,3}val="(\w{1,20})"|<(\/?(?:wp:anchor|\w{1,5}:spPr))[\s>]/g
const DARK_OF_THEME = /^(?:dk|tx|accent)\d/

interface Drawn {
  /** Of the anchor, from left to right and from top to bottom. */
  offsets: number[]
  x: number
  y: number
  width: number
  height: number
  shade: number | null
  points: number[][]
}

/** Shapes of DrawingML: places, sizes and the first colour of each. */
function* drawnIn(source: string): Generator<Shape> {
  if (!source.includes(':spPr>')) return
  charge(source.length * CHARACTER_WORK)
  const now: Drawn = { offsets: [], x: 0, y: 0, width: 0, height: 0, shade: null, points: [] }
  let count = 0
  for (const found of source.matchAll(TOKEN)) {
    charge(TOKEN_WORK)
    const edge = found[9]
    if (edge === undefined) note(now, found)
    else if (edge === 'wp:anchor') now.offsets = []
    else if (edge.endsWith(':spPr')) {
      if (edge.startsWith('/')) yield shapeOf(now)
      Object.assign(now, { x: 0, y: 0, width: 0, height: 0, shade: null, points: [] })
      if (++count > 2 * CONTOURS_MAX) return
    }
  }
}

function note(now: Drawn, [, offset, value, size, one, other, start, kind, colour = '']: RegExpExecArray): void {
  if (offset !== undefined) now.offsets.push(Number(value))
  else if (size !== undefined) measure(now, size, Number(one), Number(other))
  else if (start !== undefined) now.points.push([])
  else now.shade ??= shadeOfColour(kind, colour)
}

function shadeOfColour(kind: string | undefined, colour: string): number | null {
  if (kind === 'schemeClr') return DARK_OF_THEME.test(colour) ? 0 : 255
  return shadeOf(kind === 'srgbClr' ? `#${colour}` : colour)
}

function measure(now: Drawn, size: string, one: number, other: number): void {
  if (size === 'a:off') Object.assign(now, { x: one, y: other })
  else if (size === 'a:pt') now.points.at(-1)?.push(one, other)
  else Object.assign(now, { width: one, height: other })
}

function shapeOf({ offsets: [left = 0, top = 0], x, y, width, height, shade, points }: Drawn): Shape {
  const contours = points.filter((contour) => contour.length > 5)
  return {
    contours: contours.length > 0 ? contours : [rectangle(left + x, top + y, width, height)],
    shade: shade ?? 255,
  }
}

const PLACED =
  /<(v:rect|v:shape|v:oval|draw:rect|draw:path|draw:custom-shape|draw:circle|draw:polygon)\s([^<>]{1,200000})>/g
const FILLED = /<style:style\s[^<>]{0,200}?style:name="([^"<>]{1,60})"|draw:fill-color="(#[0-9a-f]{6})"/gi
const UNITS: Readonly<Record<string, number>> = { cm: 28.35, mm: 2.835, in: 72, pt: 1, px: 0.75 }
const LENGTH = /^(-?\d{1,9}(?:\.\d{0,9})?)(cm|mm|in|pt|px)?/

function lengthOf(text: string | undefined): number {
  const [, number, unit = 'pt'] = LENGTH.exec(text?.trim() ?? '') ?? []
  return Number(number ?? 0) * (UNITS[unit] ?? 1)
}

/** Shapes with a place of their own, in VML and OpenDocument. */
function* placedIn(source: string): Generator<Shape> {
  if (!/<(?:v:|draw:)(?:rect|shape|path|custom-shape|polygon)\s/.test(source)) return
  charge(source.length * CHARACTER_WORK)
  const fills = fillsIn(source)
  for (const [, name = '', attributes = ''] of source.matchAll(PLACED).take(CONTOURS_MAX)) {
    charge(TOKEN_WORK * 4 + attributes.length * CHARACTER_WORK)
    yield name.startsWith('v:') ? vmlShape(attributes) : openShape(attributes, fills)
  }
}

function writtenIn(attributes: string, key: string): string | undefined {
  const at = attributes.indexOf(`${key}="`)
  return at === -1 ? undefined : attributes.slice(at + key.length + 2).split('"', 1)[0]
}

function vmlShape(attributes: string): Shape {
  const style = new Map(
    (writtenIn(attributes, 'style') ?? '').split(';', 40).map((each) => each.split(':', 2) as [string, string]),
  )
  const [x, y] = [style.get('margin-left') ?? style.get('left'), style.get('margin-top') ?? style.get('top')]
  const box = [x, y, style.get('width'), style.get('height')].map(lengthOf)
  return { contours: [boxOf(box)], shade: brightness(writtenIn(attributes, 'fillcolor') ?? 'white') }
}

function openShape(attributes: string, fills: ReadonlyMap<string, string>): Shape {
  const box = ['svg:x', 'svg:y', 'svg:width', 'svg:height'].map((key) => lengthOf(writtenIn(attributes, key)))
  const path = writtenIn(attributes, 'svg:d')
  const colour = fills.get(writtenIn(attributes, 'draw:style-name') ?? '') ?? 'black'
  return { contours: path === undefined ? [boxOf(box)] : [...contoursOf(path)], shade: brightness(colour) }
}

const boxOf = ([x = 0, y = 0, width = 0, height = 0]: readonly number[]) => rectangle(x, y, width, height)
const brightness = (colour: string): number => shadeOf(colour.split(' ', 1)[0] ?? '') ?? 255

/** Colours of the styles of OpenDocument. */
function fillsIn(source: string): Map<string, string> {
  const fills = new Map<string, string>()
  let name = ''
  for (const [, style, colour] of source.matchAll(FILLED)) {
    charge(TOKEN_WORK)
    if (style !== undefined) name = style
    else if (fills.size < CONTOURS_MAX) fills.set(name, colour ?? '')
  }
  return fills
}
