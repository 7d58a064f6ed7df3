/** Draws a PDF page as far as its text needs it, with the forms in it, and tells which text readers do not see. */

import { view } from '#inspect/core/bytes.ts'
import type { Reason } from '#inspect/core/texts.ts'
import { charge } from '#inspect/core/work.ts'
import { type Colour, isLikeColour, WHITE } from '#inspect/judge/hidden/colours.ts'
import { type PdfFont, readFont } from './fonts.ts'
import { type Box, coverage, covered, times } from './geometry.ts'
import { createCanvas, deviceColour, type Filled, type GraphicsState, type Shown } from './graphics.ts'
import { type Operand, readOperators } from './operators.ts'
import type { Resources } from './resources.ts'

/** Operators of all pages of a document. Past them nothing more is looked at. */
export const OPERATORS_MAX = 2_000_000
/** Texts of a page, of which each is an object in memory. */
export const TEXTS_MAX = 100_000
/** Forms within each other. */
const FORMS_DEPTH_MAX = 12
const SAVED_MAX = 200
const OPERATOR_WORK = 150
/** Areas that are compared with each text. */
const AREAS_MAX = 2_000
const AREA_WORK = 15
const JOIN_WORK = 200
const TEXT_WORK = 60

interface Left {
  operators: number
}

export function drawPage(contents: readonly Uint8Array[], page: Box, resources: Resources, left: Left): Shown[] {
  const canvas = createCanvas(page)
  /** Layers within each other; true: not shown. */
  let layers: boolean[] = []
  let own = resources
  let depth = 0
  let saved: GraphicsState[] = []

  const operators = new Map<string, (operands: readonly Operand[]) => void>([
    ['q', () => saved.length < SAVED_MAX && saved.push(canvas.get())],
    ['Q', () => canvas.restore(saved.pop() ?? canvas.get())],
    ['Do', ([name]) => drawObject(nameOf(name))],
    ['Tf', ([name, size]) => canvas.set({ font: fontOf(nameOf(name)), size: Number(size) })],
    ['gs', ([name]) => canvas.set(own.stateOf(nameOf(name)))],
    ['cs', ([name]) => canvas.set({ parts: own.partsOf(nameOf(name)), colour: [0, 0, 0] })],
    ['sc', setColour],
    ['scn', setColour],
    ['BDC', ([tag, name]) => layers.push(tag === '/OC' && own.isLayerOff(nameOf(name)))],
    ['BMC', () => layers.push(false)],
    ['EMC', () => layers.pop()],
  ])

  function draw(content: string): void {
    const isRead = readOperators(content, (operator, operands) => {
      if (--left.operators < 0 || canvas.shown.length > TEXTS_MAX) return false
      charge(OPERATOR_WORK)
      const before = canvas.shown.length
      const known = operators.get(operator)
      if (known === undefined) canvas.apply(operator, operands)
      else known(operands)
      if (layers.includes(true)) for (const shown of canvas.shown.slice(before)) shown.reasons.push('layer')
      return true
    })
    if (!isRead) left.operators = -1
  }

  function fontOf(name: string): PdfFont | null {
    const font = own.fontOf(name)
    if (font === null) return null
    const id = `${font.at} ${font.text.length}`
    const known = own.fonts.get(id) ?? readFont(font, own.document, own.streamOf)
    own.fonts.set(id, known)
    return known
  }

  function setColour(operands: readonly Operand[]): void {
    const numbers = operands.filter((each) => typeof each === 'number')
    const isKnown = canvas.get().parts === numbers.length && operands.length === numbers.length
    canvas.set({ colour: isKnown ? deviceColour(numbers) : null })
  }

  function drawObject(name: string): void {
    const object = own.objectOf(name)
    if (object === null) return
    const before = { state: canvas.get(), layers, own, saved }
    layers = [...layers, object.isLayerOff]
    if (object.form === null) {
      if (!layers.includes(true)) canvas.picture(object.isSolid)
    } else if (depth < FORMS_DEPTH_MAX) {
      canvas.set({ ctm: times(object.matrix, before.state.ctm) })
      own = object.resources ?? own
      saved = []
      depth += 1
      draw(view(object.form).toString('latin1'))
      depth -= 1
    }
    layers = before.layers
    own = before.own
    saved = before.saved
    canvas.restore(before.state)
  }

  // A page may be cut into streams anywhere.
  draw(contents.map((bytes) => view(bytes).toString('latin1')).join('\n'))
  judge(canvas.shown, canvas.filled, page)
  return canvas.shown
}

const nameOf = (operand: Operand | undefined): string => (typeof operand === 'string' ? operand.slice(1) : '')

/** Of a text, that a picture is behind: the text of a scanned page. */
const OVER_PICTURE = 0.8
const COVERED = 0.9
const BEHIND = 0.5
const TOUCHED = 0.05

/** Of a page, that pictures cover: more is a scanned page, whose text may be behind them. */
const SCANNED = 0.5

function judge(shown: readonly Shown[], filled: readonly Filled[], page: Box): void {
  const drawn = filled.slice(0, AREAS_MAX)
  const pictures = drawn.filter(({ isPicture }) => isPicture).map(({ box }) => box)
  const isScanned = coverage(page, pictures) > SCANNED
  const areasAt = inBands(
    isScanned ? drawn.map((area) => (area.isPicture ? { ...area, isOpaque: false } : area)) : drawn,
    page,
  )
  for (const each of shown) {
    if (each.isUndrawn) {
      charge(pictures.length * AREA_WORK)
      if (coverage(each.box, pictures) < OVER_PICTURE) each.reasons.push('render-mode')
      continue
    }
    const areas = areasAt(each.box)
    charge(TEXT_WORK + areas.length * AREA_WORK)
    each.reasons.push(...colourReasons(each, areas))
    const isPale = each.colour !== null && isLikeColour(each.colour, WHITE)
    each.isDoubtful = isPale && colourBehind(each, areas) === null
  }
}

/** Areas are looked up by the heights of a page that they reach over, because a page has many texts and many areas. */
const BANDS = 64
const BANDS_OF_TEXT_MAX = 4

/** Gives the areas that may touch a box, in their order. */
function inBands(areas: readonly Filled[], page: Box): (box: Box) => readonly Filled[] {
  const height = (page.top - page.bottom) / BANDS
  const bandOf = (up: number): number => Math.max(0, Math.min(BANDS - 1, Math.floor((up - page.bottom) / height)))
  const bands = Array.from({ length: BANDS }, (): Filled[] => [])
  for (const area of areas) {
    const [from, to] = [bandOf(area.box.bottom), bandOf(area.box.top)]
    charge((to - from + 1) * AREA_WORK)
    for (let band = from; band <= to; band++) bands[band]?.push(area)
  }
  const joined = new Map<number, readonly Filled[]>()
  return ({ bottom, top }) => {
    const [from, to] = [bandOf(bottom), bandOf(top)]
    if (!(to - from < BANDS_OF_TEXT_MAX)) return areas
    const known = joined.get(from * BANDS + to) ?? join(bands.slice(from, to + 1))
    joined.set(from * BANDS + to, known)
    return known
  }
}

function join(bands: readonly (readonly Filled[])[]): readonly Filled[] {
  const all = bands.flat()
  charge(all.length * JOIN_WORK)
  return [...new Set(all)].sort((a, b) => a.order - b.order)
}

/** `areas`: in the order in which they were drawn. */
function colourReasons(text: Shown, areas: readonly Filled[]): Reason[] {
  if (areas.some((area) => area.order >= text.order && covers(area, text.box))) return ['covered']
  if (text.colour === null) return []
  const back = colourBehind(text, areas)
  return back !== null && isLikeColour(text.colour, back) ? ['colour'] : []
}

/** null: unknown. */
function colourBehind({ box, order }: Shown, areas: readonly Filled[]): Colour | null {
  let back: Colour | null = WHITE
  for (let i = areas.length - 1; i >= 0; i--) {
    const area = areas[i]
    if (area === undefined || area.order >= order) continue
    const part = covered(box, area.box)
    if (part > BEHIND) return area.colour
    if (part > TOUCHED && area.colour === null) back = null
  }
  return back
}

const covers = (area: Filled, box: Box): boolean =>
  area.isOpaque && (area.isPicture || area.colour !== null) && covered(box, area.box) >= COVERED
