/** Text of slides (OOXML) with what hides it: marks, colours, sizes and places. */

import { attributeOf, readXml } from '#inspect/codecs/xml-events.ts'
import type { Reason } from '#inspect/core/texts.ts'
import { charge } from '#inspect/core/work.ts'
import { type Colour, colourOf, isLikeColour, WHITE } from '#inspect/judge/hidden/colours.ts'
import type { createTextJudge } from '#inspect/judge/hidden/hidden.ts'

type Judge = ReturnType<typeof createTextJudge>

/** Hundredths of a point that nobody can read. */
const HUNDREDTHS_MAX = 200
const OPAQUE_MIN = 5_000
/** For each text that a shape may be in front of. */
const COVER_WORK = 30

interface SlideSize {
  width: number
  height: number
}

const SIZE: SlideSize = { width: 12_192_000, height: 6_858_000 }

export function slideSizeOf(presentation: string): SlideSize {
  const found = /<p:sldSz\s([^<>]{0,300})>/.exec(presentation)?.[1] ?? ''
  const [width, height] = ['cx', 'cy'].map((name) => Number(attributeOf(found, name)))
  return width && height ? { width, height } : SIZE
}

interface Shape {
  isHidden: boolean
  /** null: what is behind the shape is behind its text. */
  fill: Colour | 'unknown' | null
  isFilled: boolean
  isFar: boolean
  /** Left, top, right and bottom; what is behind a later one is not seen. */
  box: [number, number, number, number]
}

interface Run {
  colour: Colour | null
  isSmall: boolean
  isTransparent: boolean
  /** Its letters have lines around them. */
  isOutlined: boolean
}

const newShape = (): Shape => ({ isHidden: false, fill: null, isFilled: false, isFar: false, box: [0, 0, 0, 0] })
const newRun = (): Run => ({ colour: null, isSmall: false, isTransparent: false, isOutlined: false })

/** The colours of the theme that are white unless somebody changed them. */
const LIGHT = new Set(['bg1', 'lt1'])

interface SlidePart {
  source: string
  size: SlideSize
  reasons: readonly Reason[]
  place: string | null
  /** What is behind all shapes of the slide. */
  behind: Colour | 'unknown'
}

const FILLS = new Set(['noFill', 'solidFill', 'gradFill', 'blipFill', 'pattFill', 'grpFill'])
const SHAPES = new Set(['sp', 'cxnSp', 'graphicFrame', 'pic'])

export function readSlide({ source, size, reasons, place, behind }: SlidePart, judge: Judge): void {
  let shape = newShape()
  let run = newRun()
  /** The elements that are open: a fill is one of the shape or of the text. */
  const open: string[] = []
  let isText = false
  const texts: { text: string; box: Shape['box']; isCovered: boolean }[] = []
  const isIn = (name: string): boolean => open.includes(name)

  const whyHidden = (): Reason[] => {
    const found: Reason[] = [...reasons]
    if (shape.isHidden) found.push('vanish')
    if (shape.isFar) found.push('off-page')
    if (run.isSmall) found.push('size')
    if (run.isTransparent) found.push('transparent')
    const back = shape.fill ?? behind
    if (run.colour !== null && back !== 'unknown' && isLikeColour(run.colour, back)) found.push('colour')
    return found
  }
  /** White, on what may be white. */
  const mayBeHidden = (): boolean =>
    run.colour !== null && (shape.fill ?? behind) === 'unknown' && isLikeColour(run.colour, WHITE)

  function describe(attributes: string): void {
    shape.isHidden ||= /^(?:1|true)$/.test(attributeOf(attributes, 'hidden') ?? '')
    for (const key of ['descr', 'title'])
      judge.add(`${attributeOf(attributes, key) ?? ''}\n`.trimStart(), ['alt'], place)
  }

  /** Pictures and filled shapes are in front of what came before them. */
  function cover(): void {
    const [left, top, right, bottom] = shape.box
    if (right <= left || bottom <= top) return
    charge(texts.length * COVER_WORK)
    for (const each of texts) {
      const { text, box } = each
      if (each.isCovered || box[0] < left || box[1] < top || box[2] > right || box[3] > bottom) continue
      if (box[2] <= box[0]) continue
      each.isCovered = true
      judge.doubt(text, 'covered', place)
    }
  }

  function paint(colour: Colour | null): void {
    if (isIn('ln')) return
    if (isIn('rPr')) run.colour = colour
    else if (isIn('spPr') && isIn('solidFill')) shape.fill = colour ?? 'unknown'
  }

  const isPlace = (): boolean => open.at(-2) === 'xfrm' && !isIn('grpSpPr')

  function put(attributes: string): void {
    if (!isPlace()) return
    offset = [Number(attributeOf(attributes, 'x')), Number(attributeOf(attributes, 'y'))]
    shape.isFar = offset[0] >= size.width || offset[1] >= size.height
  }

  function extend(attributes: string): void {
    if (!isPlace()) return
    const [width, height] = [Number(attributeOf(attributes, 'cx')), Number(attributeOf(attributes, 'cy'))]
    shape.isFar ||= offset[0] + width <= 0 || offset[1] + height <= 0
    shape.box.splice(0, 4, offset[0], offset[1], offset[0] + width, offset[1] + height)
  }
  let offset: [number, number] = [0, 0]

  let isPicture = false
  const startShape = (): void => {
    shape = newShape()
  }
  const opened = new Map<string, (attributes: string) => void>([
    ...[...SHAPES].map((name) => [name, startShape] as const),
    ['cNvPr', describe],
    [
      'r',
      () => {
        run = newRun()
      },
    ],
    [
      'fld',
      () => {
        run = newRun()
      },
    ],
    [
      'rPr',
      (attributes) => {
        run.isSmall = Number(attributeOf(attributes, 'sz') ?? 1_800) <= HUNDREDTHS_MAX
      },
    ],
    [
      't',
      () => {
        isText = true
      },
    ],
    ['br', () => judge.add('\n', reasons, place)],
    [
      'ln',
      () => {
        run.isOutlined ||= isIn('rPr')
      },
    ],
    ['srgbClr', (attributes) => paint(colourOf(attributeOf(attributes, 'val') ?? ''))],
    ['schemeClr', (attributes) => paint(LIGHT.has(attributeOf(attributes, 'val') ?? '') ? WHITE : null)],
    [
      'alpha',
      (attributes) => {
        run.isTransparent ||= isIn('rPr') && Number(attributeOf(attributes, 'val')) < OPAQUE_MIN
      },
    ],
    ['off', (attributes) => put(attributes)],
    ['ext', (attributes) => extend(attributes)],
  ])

  readXml(source, {
    open(name, attributes) {
      open.push(name)
      if (SHAPES.has(name)) isPicture = name === 'pic'
      const isOfShape = isIn('spPr') && !isIn('ln') && !isIn('rPr')
      if (FILLS.has(name) && isOfShape) {
        if (!shape.isFilled && name !== 'noFill') shape.fill = 'unknown'
        shape.isFilled = true
      } else if (name === 'noFill' && open.at(-2) === 'rPr') run.isTransparent ||= !run.isOutlined
      else opened.get(name)?.(attributes)
    },
    close(name) {
      while (open.length > 0 && open.pop() !== name);
      if (name === 't') isText = false
      if (name === 'spPr' && (isPicture || shape.isFilled)) cover()
      judge.add(ENDS.get(name) ?? '', reasons, place)
    },
    text(text) {
      if (!isText) return
      judge.add(text, whyHidden(), place)
      if (mayBeHidden()) judge.doubt(text, 'colour', place, true)
      texts.push({ text, box: shape.box, isCovered: false })
    },
  })
}

const ENDS = new Map([
  ['p', '\n'],
  ['tc', '\t'],
])

/** Whether it is left out of the show. */
export const isHiddenSlide = (source: string): boolean =>
  /<p:sld(?=\s)[^<>]{0,2000}\sshow\s?=\s?["'](?:0|false)["']/.test(source)

/** A picture or another filled shape may be behind any text. */
const FILLED = /<p:pic[\s>]|<a:(?:blip|gradFill|pattFill)[\s>]/
const SHAPE_FILL = /<p:spPr[^<>]{0,100}>(?:(?!<\/p:spPr>)[\s\S]){0,4000}?<a:solidFill>/
const BACK = /<p:bg>(?:(?!<\/p:bg>)[\s\S]){0,2000}/
const COLOUR = /<a:(?:srgbClr|schemeClr)\s[^<>]{0,20}val="(\w{1,20})"/

/** What is behind the text of a slide, its layout or its master. null: nothing of its own. */
export function backOf(source: string): Colour | 'unknown' | null {
  if (FILLED.test(source)) return 'unknown'
  const back = BACK.exec(source)?.[0]
  if (SHAPE_FILL.test(back === undefined ? source : source.replace(back, ''))) return 'unknown'
  if (back === undefined) return null
  const value = COLOUR.exec(back)?.[1] ?? ''
  return LIGHT.has(value) ? WHITE : (colourOf(value) ?? 'unknown')
}
