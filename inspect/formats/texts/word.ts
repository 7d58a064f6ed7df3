/** Text of Word documents (OOXML) with what hides it: marks, colours, sizes and places. */

import { attributeOf, readXml } from '#inspect/codecs/xml-events.ts'
import type { Reason } from '#inspect/core/texts.ts'
import { type Colour, colourOf, isLikeColour, WHITE } from '#inspect/judge/hidden/colours.ts'
import type { createTextJudge } from '#inspect/judge/hidden/hidden.ts'

type Judge = ReturnType<typeof createTextJudge>

/** What is set for a run of text. `unknown`: a picture or a pattern. */
interface Look {
  isHidden?: boolean
  colour?: Colour | 'auto'
  behind?: Colour | 'unknown'
  halfPoints?: number
  isTransparent?: boolean
  /** In the colour of the page by the theme, which may be changed. */
  isPale?: boolean
}

export interface WordStyles {
  looks: ReadonlyMap<string, Look>
  /** Of text without a style. */
  base: Look
}

/** Per cent of the width of letters that nobody can read. */
const WIDTH_MIN = 5
/** Half points that nobody can read. */
export const HALF_POINTS_MAX = 4
const STYLES_MAX = 5_000
/** Styles on which others are based. */
const PARENTS_MAX = 20

const isOn = (attributes: string): boolean => !/^(?:0|false|off|none)$/i.test(attributeOf(attributes, 'val') ?? '1')

function setColour(look: Look, attributes: string): void {
  const value = attributeOf(attributes, 'val')
  if (value === null) return
  const isBack = /^(?:background1|light1)$/.test(attributeOf(attributes, 'themeColor') ?? '')
  look.colour = value === 'auto' ? 'auto' : (colourOf(value) ?? 'auto')
  look.isPale = isBack && look.colour === 'auto'
}

/** Changes a look by an element of its properties. */
function applied(look: Look, name: string, attributes: string): void {
  if (name === 'vanish' || name === 'specVanish') look.isHidden = isOn(attributes)
  else if (name === 'sz') look.halfPoints = Number(attributeOf(attributes, 'val'))
  else if (name === 'w' && Number(attributeOf(attributes, 'val') ?? 100) < WIDTH_MIN) look.halfPoints = 1
  else if (name === 'color') setColour(look, attributes)
  else if (name === 'highlight') look.behind = colourOf(attributeOf(attributes, 'val') ?? '') ?? 'unknown'
  else if (name === 'shd') {
    const fill = shadingOf(attributes)
    if (fill !== null) look.behind = fill
  }
}

/** null: none of its own. */
function shadingOf(attributes: string): Colour | 'unknown' | null {
  const pattern = attributeOf(attributes, 'val') ?? 'clear'
  const fill = attributeOf(attributes, 'fill') ?? 'auto'
  if (!/^(?:clear|nil)$/.test(pattern)) return 'unknown'
  return fill === 'auto' ? null : (colourOf(fill) ?? 'unknown')
}

/** `styles.xml`. */
export function readWordStyles(source: string): WordStyles {
  const own = new Map<string, { look: Look; parent: string | null }>()
  const base: Look = {}
  let now: Look | null = null
  let id = ''
  const opened = new Map<string, (attributes: string) => void>([
    [
      'rPrDefault',
      () => {
        now = base
      },
    ],
    // Formats of rows and columns of a table.
    [
      'tblStylePr',
      () => {
        now = null
      },
    ],
    [
      'style',
      (attributes) => {
        id = attributeOf(attributes, 'styleId') ?? ''
        now = {}
        if (own.size < STYLES_MAX) own.set(id, { look: now, parent: null })
      },
    ],
    [
      'basedOn',
      (attributes) => {
        const style = own.get(id)
        if (style !== undefined) style.parent = attributeOf(attributes, 'val')
      },
    ],
  ])
  readXml(source, {
    open(name, attributes) {
      const known = opened.get(name)
      if (known !== undefined) known(attributes)
      else if (now !== null) applied(now, name, attributes)
    },
    close(name) {
      if (name === 'rPrDefault' || name === 'style') now = null
    },
    text() {},
  })
  const looks = new Map<string, Look>()
  for (const [key] of own) {
    let look: Look = {}
    let parent: string | null = key
    for (let depth = 0; parent !== null && depth < PARENTS_MAX; depth++) {
      const style: { look: Look; parent: string | null } | undefined = own.get(parent)
      look = { ...style?.look, ...look }
      parent = style?.parent ?? null
    }
    looks.set(key, look)
  }
  return { looks, base }
}

export const hidesText = (look: Look): boolean =>
  look.isHidden === true ||
  (look.halfPoints !== undefined && look.halfPoints <= HALF_POINTS_MAX) ||
  (look.colour !== undefined && look.colour !== 'auto' && isLikeColour(look.colour, WHITE))

const FAR_LEFT = -3_000_000
const FAR_RIGHT = 25_000_000
const BREAKS = new Map([
  ['tab', '\t'],
  ['br', '\n'],
  ['cr', '\n'],
  ['noBreakHyphen', '-'],
])
const ENDS = new Map([
  ['p', '\n'],
  ['tc', '\t'],
])
/** Elements whose text is an instruction or another version of what was shown before. */
const SKIPPED = new Set(['instrText', 'delInstrText', 'Fallback'])

interface WordPart {
  source: string
  styles: WordStyles
  /** Why nobody sees any of it. */
  reasons: readonly Reason[]
  place: string | null
  /** What is behind the text of the page, and behind shapes that are not filled. */
  page: Colour | 'unknown'
  floating: Colour | 'unknown'
}

interface Area {
  name: string
  behind: Behind
  isFar: boolean
  isFilled: boolean
}

/** The state while a part is read. */
interface Reading {
  paragraph: Look
  run: Look
  isInRun: boolean
  /** Tables, cells and shapes around the text. */
  areas: Area[]
  isText: boolean
  isOffset: boolean
  deleted: number
  skipped: number
  isRowHidden: boolean
}

function whyHidden(part: WordPart, { paragraph, run, areas, deleted, isRowHidden }: Reading): Reason[] {
  const look: Look = { ...part.styles.base, ...paragraph, ...run }
  const { colour, halfPoints } = look
  const behind = look.behind ?? areas.findLast((area) => area.behind !== null)?.behind ?? part.page
  const isLike = colour !== undefined && colour !== 'auto' && behind !== 'unknown' && isLikeColour(colour, behind)
  const checks: readonly [Reason, boolean | undefined][] = [
    ['vanish', look.isHidden === true || isRowHidden],
    ['transparent', look.isTransparent],
    ['size', halfPoints !== undefined && halfPoints <= HALF_POINTS_MAX],
    ['colour', isLike],
    ['off-page', areas.some((area) => area.isFar)],
    ['comment', deleted > 0],
  ]
  return [...part.reasons, ...checks.filter(([, is]) => is).map(([reason]) => reason)]
}

/** White, on what may be white. */
function mayBeWhite({ styles, page }: WordPart, { paragraph, run, areas }: Reading): boolean {
  const { colour, behind, isPale }: Look = { ...styles.base, ...paragraph, ...run }
  if (isPale) return true
  const back = behind ?? areas.findLast((area) => area.behind !== null)?.behind ?? page
  return back === 'unknown' && colour !== undefined && colour !== 'auto' && isLikeColour(colour, WHITE)
}

type Opened = (now: Reading, attributes: string, part: WordPart, judge: Judge) => void

const lookOf = (attributes: string, { styles }: WordPart): Look =>
  styles.looks.get(attributeOf(attributes, 'val') ?? '') ?? {}

const OPENED = new Map<string, Opened>([
  [
    'p',
    (now) => {
      now.paragraph = {}
    },
  ],
  [
    'pStyle',
    (now, attributes, part) => {
      now.paragraph = { ...lookOf(attributes, part), ...now.paragraph }
    },
  ],
  [
    'r',
    (now) => {
      Object.assign(now, { isInRun: true, run: {} })
    },
  ],
  [
    'rStyle',
    (now, attributes, part) => {
      if (now.isInRun) now.run = { ...lookOf(attributes, part), ...now.run }
    },
  ],
  [
    'posOffset',
    (now) => {
      now.isOffset = true
    },
  ],
  [
    'del',
    (now) => {
      now.deleted += 1
    },
  ],
  [
    't',
    (now) => {
      now.isText = true
    },
  ],
  [
    'delText',
    (now) => {
      now.isText = true
    },
  ],
  [
    'tr',
    (now) => {
      now.isRowHidden = false
    },
  ],
  [
    'hidden',
    (now) => {
      now.isRowHidden = true
    },
  ],
  [
    'spacing',
    (now, attributes) => {
      const isExact = attributeOf(attributes, 'lineRule') === 'exact'
      if (isExact && Number(attributeOf(attributes, 'line')) <= LINE_MAX) now.paragraph.halfPoints = 1
    },
  ],
  ['docPr', describe],
  ['cNvPr', describe],
  [
    'tblStyle',
    (now) => {
      Object.assign(now.areas.at(-1) ?? {}, { behind: 'unknown' })
    },
  ],
  [
    'fill',
    (now, attributes) => {
      const area = now.areas.at(-1)
      if (area !== undefined && SHAPES.has(area.name) && NOT_PLAIN.test(attributes)) area.behind = 'unknown'
    },
  ],
  [
    'alpha',
    (now, attributes) => {
      if (now.isInRun && Number(attributeOf(attributes, 'val')) >= TRANSPARENT_MIN) now.run.isTransparent = true
    },
  ],
  [
    'shd',
    (now, attributes) => {
      const area = now.areas.at(-1)
      if (!now.isInRun && area?.name === 'tc') area.behind = shadingOf(attributes) ?? area.behind
      else applied(now.isInRun ? now.run : now.paragraph, 'shd', attributes)
    },
  ],
])

/** Twentieths of a point of a line that nobody can read. */
const LINE_MAX = 40
const TRANSPARENT_MIN = 95_000

function describe(_: Reading, attributes: string, { place }: WordPart, judge: Judge): void {
  for (const key of ['descr', 'title']) judge.add(`${attributeOf(attributes, key) ?? ''}\n`.trimStart(), ['alt'], place)
}

const CLOSED = new Map<string, (now: Reading) => void>([
  [
    'tr',
    (now) => {
      now.isRowHidden = false
    },
  ],
  [
    't',
    (now) => {
      now.isText = false
    },
  ],
  [
    'delText',
    (now) => {
      now.isText = false
    },
  ],
  [
    'r',
    (now) => {
      Object.assign(now, { isInRun: false, run: {} })
    },
  ],
  [
    'del',
    (now) => {
      now.deleted = Math.max(0, now.deleted - 1)
    },
  ],
  [
    'posOffset',
    (now) => {
      now.isOffset = false
    },
  ],
])

function open(name: string, attributes: string, now: Reading, part: WordPart, judge: Judge): void {
  const area = now.areas.at(-1)
  const known = OPENED.get(name)
  const sign = BREAKS.get(name)
  if (AREAS.has(name)) now.areas.push(areaOf(name, attributes, part))
  else if (FILLS.has(name) && !now.isInRun && area?.name === 'wsp') fill(area, name, attributes, part)
  else if (known !== undefined) known(now, attributes, part, judge)
  else if (sign !== undefined && now.isInRun) judge.add(sign, part.reasons, part.place)
  else if (now.isInRun) applied(now.run, name, attributes)
}

/** A part with paragraphs. */
export function readWordPart(part: WordPart, judge: Judge): void {
  const now: Reading = {
    paragraph: {},
    run: {},
    isInRun: false,
    areas: [],
    isText: false,
    isOffset: false,
    deleted: 0,
    skipped: 0,
    isRowHidden: false,
  }
  readXml(part.source, {
    open(name, attributes) {
      if (SKIPPED.has(name)) now.skipped += 1
      if (now.skipped === 0) open(name, attributes, now, part, judge)
    },
    close(name) {
      if (SKIPPED.has(name)) now.skipped = Math.max(0, now.skipped - 1)
      if (now.skipped > 0) return
      CLOSED.get(name)?.(now)
      if (now.areas.at(-1)?.name === name) now.areas.pop()
      judge.add(ENDS.get(name) ?? '', part.reasons, part.place)
    },
    text(text) {
      if (now.skipped > 0) return
      const area = now.isOffset ? now.areas.findLast((each) => each.name === 'anchor') : undefined
      if (area !== undefined) area.isFar ||= Number(text) < FAR_LEFT || Number(text) > FAR_RIGHT
      if (!now.isText) return
      judge.add(text, whyHidden(part, now), part.place)
      if (mayBeWhite(part, now)) judge.doubt(text, 'colour', part.place, true)
    },
  })
}

type Behind = Colour | 'unknown' | null

/** Tables, cells and shapes around text. */
const AREAS = new Set(['tbl', 'tc', 'wsp', 'shape', 'rect', 'anchor'])
/** The first of them in a shape is what it is filled with. */
const FILLS = new Set(['noFill', 'srgbClr', 'schemeClr', 'blipFill', 'gradFill', 'pattFill', 'ln'])

const SHAPES = new Set(['shape', 'rect'])
/** Shapes that are filled with more than one colour, or transparent. */
const NOT_PLAIN = /\s(?:opacity|type)="(?!solid|1"|100%)/

/** What is behind its text, as far as its own element says. */
function areaOf(name: string, attributes: string, { floating }: WordPart): Area {
  const isShape = SHAPES.has(name)
  const isEmpty = isShape && /^f/.test(attributeOf(attributes, 'filled') ?? '')
  const colour = isShape ? colourOf((attributeOf(attributes, 'fillcolor') ?? '').replace(/\s.*/, '')) : null
  const filled = isEmpty ? floating : (colour ?? 'unknown')
  return { name, behind: isShape || name === 'wsp' ? filled : null, isFar: FAR_STYLE.test(attributes), isFilled: false }
}

function fill(area: Area, name: string, attributes: string, { floating }: WordPart): void {
  if (area.isFilled) return
  area.isFilled = true
  if (name === 'noFill') area.behind = floating
  else if (name === 'srgbClr') area.behind = colourOf(attributeOf(attributes, 'val') ?? '') ?? 'unknown'
}

const FAR_STYLE = /(?:margin-left|margin-top|left|top):-(?:\d{4,}pt|\d{2,}in|\d{5,}px)/i

/** Shapes and pictures behind the text of a page, and those that may be behind others. */
const BEHIND_TEXT = /\sbehindDoc="1"|z-index:-/
const FILLED = /\sfillcolor="(?!white)|<a:(?:solidFill|gradFill|blipFill|blip)[\s>]|<pic:pic[\s>]|<v:imagedata\s/
const BACKGROUND = /<(?:\w{1,10}:)?background\s([^<>]{0,500})>/

/** What is behind the text of a part. `main`: the part with the colour of the page. */
export function backgroundsOf(source: string, main: string): Pick<WordPart, 'page' | 'floating'> {
  const found = BACKGROUND.exec(main)
  const colour = found === null ? WHITE : (colourOf(attributeOf(found[1] ?? '', 'color') ?? '') ?? 'unknown')
  const page = BEHIND_TEXT.test(source) || BEHIND_TEXT.test(main) ? 'unknown' : colour
  return { page, floating: FILLED.test(source) ? 'unknown' : page }
}
