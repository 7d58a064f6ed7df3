/** The state of a PDF page while it is drawn: where text, rectangles and pictures are, and in which colours. */

import { ownOf } from '#inspect/core/own.ts'
import type { Reason } from '#inspect/core/texts.ts'
import { charge } from '#inspect/core/work.ts'
import type { Colour } from '#inspect/judge/hidden/colours.ts'
import type { PdfFont } from './fonts.ts'
import {
  areApart,
  type Box,
  boxOf,
  common,
  IDENTITY,
  isEmpty,
  type Matrix,
  placed,
  pointOf,
  scaleOf,
  times,
} from './geometry.ts'
import type { Operand } from './operators.ts'

/** A text that is shown. */
export interface Shown {
  text: string
  /** How its text begins where it is apart from the text before. */
  gap: string
  box: Box
  colour: Colour | null
  reasons: Reason[]
  /** Not drawn, as text over a scanned page. */
  isUndrawn: boolean
  /** White, on what may be white. */
  isDoubtful?: boolean
  /** The font may draw another text. */
  isRemapped: boolean
  /** Drawn things before it. */
  order: number
}

/** An area that is filled. `colour`: null if it is unknown. */
export interface Filled {
  box: Box
  colour: Colour | null
  isPicture: boolean
  /** Nothing behind it is seen. */
  isOpaque: boolean
  order: number
}

export interface GraphicsState {
  ctm: Matrix
  colour: Colour | null
  /** Of the colour space in use: how many numbers a colour has; 0 if it is unknown. */
  parts: number
  clip: Box
  alpha: number
  isPlain: boolean
  font: PdfFont | null
  size: number
  mode: number
  leading: number
  rise: number
  stretch: number
}

/** For each text that is shown. */
const SHOW_WORK = 800
/** For each piece of it. */
const PIECE_WORK = 60
/** Glyphs are about so wide, of their size. */
const GLYPH_WIDTH = 0.5
/** Points. */
const SIZE_MIN = 1.5
const ALPHA_MIN = 0.05
/** Thousandths of the size that are a space between words. */
const GAP = 200
/** Thousandths that are no space, but another place. */
const JUMP = 5_000

function startState(page: Box): GraphicsState {
  return {
    ctm: IDENTITY,
    colour: [0, 0, 0],
    parts: 1,
    clip: page,
    alpha: 1,
    isPlain: true,
    font: null,
    size: 1,
    mode: 0,
    leading: 0,
    rise: 0,
    stretch: 1,
  }
}

const numbersOf = (operands: readonly Operand[]): number[] => operands.filter((each) => typeof each === 'number')
const matrixOf = (operands: readonly Operand[]): Matrix => {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbersOf(operands)
  return [a, b, c, d, e, f]
}

const byte = (part: number): number => Math.max(0, Math.min(255, Math.round(part * 255)))

/** Of one, three or four numbers. */
export function deviceColour(numbers: readonly number[]): Colour | null {
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  if (numbers.length === 1) return [byte(a), byte(a), byte(a)]
  if (numbers.length === 3) return [byte(a), byte(b), byte(c)]
  return numbers.length === 4 ? [byte((1 - a) * (1 - d)), byte((1 - b) * (1 - d)), byte((1 - c) * (1 - d))] : null
}

interface Word {
  pieces: Buffer[]
  /** By how much of the size they are moved in all. */
  width: number
  /** Thousandths of the size to what follows. */
  jump: number
}

/** Letters of a word are moved a little, each by one number. */
function* wordsOf(list: readonly (number | Buffer)[]): Generator<Word> {
  let word: Word = { pieces: [], width: 0, jump: 0 }
  let isMoved = false
  for (const each of list) {
    charge(PIECE_WORK)
    if (typeof each !== 'number') {
      word.pieces.push(each)
      isMoved &&= each.length === 0
    } else if (Math.abs(each) <= GAP && !isMoved) {
      word.width -= each / 1_000
      isMoved = true
    } else {
      yield { ...word, jump: each }
      word = { pieces: [], width: 0, jump: 0 }
    }
  }
  yield word
}

/** What a page shows. `page`: the area that readers see. */
export function createCanvas(page: Box) {
  const shown: Shown[] = []
  const filled: Filled[] = []
  let state = startState(page)
  let [textMatrix, lineMatrix]: [Matrix, Matrix] = [IDENTITY, IDENTITY]
  let points: [number, number][] = []
  let rectangles: Box[] = []
  let isClipping = false
  let gap = ''
  /** Where the line began: widths of glyphs are estimates, which add up. */
  let anchor: Matrix = IDENTITY

  function fill(): void {
    if (points.length > 0) addPath()
    for (const box of rectangles) addFilled(common(box, state.clip), state.colour, false)
    endPath()
  }

  /** A path that is a rectangle counts as one, of others the colour is unknown. */
  function addPath(): void {
    const box = boxOf(points)
    const isCorner = (point: [number, number]): boolean =>
      (near(point[0], box.left) || near(point[0], box.right)) && (near(point[1], box.bottom) || near(point[1], box.top))
    if (points.length >= 4 && points.every(isCorner)) rectangles.push(box)
    else addFilled(common(box, state.clip), null, false)
  }

  function addFilled(box: Box, colour: Colour | null, isPicture: boolean, isSolid = !isPicture): void {
    if (isEmpty(box) || state.alpha < ALPHA_MIN) return
    const isOpaque = state.alpha > 0.95 && state.isPlain && isSolid
    filled.push({ box, colour: isOpaque ? colour : null, isPicture, isOpaque, order: shown.length + filled.length })
  }

  function endPath(): void {
    if (isClipping) {
      const area = [...rectangles, ...(points.length > 0 ? [boxOf(points)] : [])]
      const all = boxOf(
        area.flatMap((box): [number, number][] => [
          [box.left, box.bottom],
          [box.right, box.top],
        ]),
      )
      if (area.length > 0) state = { ...state, clip: common(state.clip, all) }
    }
    isClipping = false
    points = []
    rectangles = []
  }

  function moveLine(x: number, y: number): void {
    lineMatrix = times([1, 0, 0, 1, x, y], lineMatrix)
    textMatrix = lineMatrix
    anchor = lineMatrix
    gap = Math.abs(y) > 0.01 ? '\n' : ' '
  }

  const isOutside = (box: Box): boolean => areApart(box, grown(state.clip))

  /** `pieces`: what is shown without a space between. */
  function show(pieces: readonly Buffer[]): void {
    charge(SHOW_WORK)
    const { font, size, ctm, stretch, rise } = state
    const read = pieces.map((bytes) => font?.decode(bytes) ?? { text: '', glyphs: bytes.length })
    const text = read.map((piece) => piece.text).join('')
    const placing: Matrix = [size * stretch, 0, 0, size, 0, rise]
    const matrix = times(placing, times(textMatrix, ctm))
    const width = read.reduce((sum, { glyphs }) => sum + glyphs, 0) * GLYPH_WIDTH
    const box = placed(matrix, 0, -0.2, width, 1)
    const reasons: Reason[] = []
    if (scaleOf(matrix) * (font?.scale ?? 1) < SIZE_MIN) reasons.push('size')
    if (state.alpha < ALPHA_MIN) reasons.push('transparent')
    const start = (): Box => placed(times(placing, times(anchor, ctm)), 0, -0.2, width * 0.4, 1)
    if (isOutside(box) && isOutside(start())) reasons.push('off-page')
    const isUndrawn = state.mode === 3 || state.mode === 7
    const order = shown.length + filled.length
    const isRemapped = font?.isRemapped ?? false
    if (text !== '') {
      shown.push({ text: gap + text, gap, box, colour: state.colour, reasons, isUndrawn, isRemapped, order })
      gap = ''
    }
    move(width)
  }

  /** By so much of the size. */
  function move(width: number): Matrix {
    const step: Matrix = [1, 0, 0, 1, width * state.size * state.stretch, 0]
    textMatrix = times(step, textMatrix)
    return step
  }

  function showAll(list: readonly (number | Buffer)[]): void {
    for (const { pieces, width, jump } of wordsOf(list)) {
      if (pieces.length > 0) show(pieces)
      move(width)
      skip(jump)
    }
  }

  function skip(thousandths: number): void {
    if (-thousandths > GAP && gap === '') gap = ' '
    const step = move(-thousandths / 1_000)
    if (Math.abs(thousandths) > JUMP) anchor = times(step, anchor)
  }

  const text: Readonly<Record<string, (operands: readonly Operand[]) => void>> = {
    BT() {
      textMatrix = IDENTITY
      lineMatrix = IDENTITY
      anchor = IDENTITY
      gap = '\n'
    },
    Td: (operands) => moveLine(...pair(operands)),
    TD(operands) {
      const [x, y] = pair(operands)
      state = { ...state, leading: -y }
      moveLine(x, y)
    },
    Tm(operands) {
      const before = lineMatrix[5]
      lineMatrix = matrixOf(operands)
      textMatrix = lineMatrix
      anchor = lineMatrix
      gap = Math.abs(lineMatrix[5] - before) > 0.01 ? '\n' : ' '
    },
    'T*': () => moveLine(0, -state.leading),
    Tj: ([bytes]) => Buffer.isBuffer(bytes) && show([bytes]),
    TJ: ([list]) => Array.isArray(list) && showAll(list),
    "'"([bytes]) {
      moveLine(0, -state.leading)
      if (Buffer.isBuffer(bytes)) show([bytes])
    },
    '"'(operands) {
      moveLine(0, -state.leading)
      const bytes = operands.at(-1)
      if (Buffer.isBuffer(bytes)) show([bytes])
    },
    Tr: ([mode]) => set({ mode: Number(mode) }),
    TL: ([leading]) => set({ leading: Number(leading) }),
    Ts: ([rise]) => set({ rise: Number(rise) }),
    Tz: ([stretch]) => set({ stretch: Number(stretch) / 100 || 1 }),
  }

  function set(change: Partial<GraphicsState>): void {
    state = { ...state, ...change }
  }

  const point = (operands: readonly Operand[]): void => {
    const numbers = numbersOf(operands)
    for (let index = 0; index + 1 < numbers.length; index += 2)
      if (points.length < POINTS_MAX) points.push(pointOf(state.ctm, numbers[index] ?? 0, numbers[index + 1] ?? 0))
  }
  const curve = (operands: readonly Operand[]): void => {
    point(operands)
    const [x, y] = points.at(-1) ?? [0, 0]
    // No corner of anything.
    points.push([x + 1, y + 1])
  }
  function paint(operands: readonly Operand[], parts: number): void {
    state = { ...state, colour: deviceColour(numbersOf(operands).slice(0, parts)), parts }
  }
  const paths: Readonly<Record<string, (operands: readonly Operand[]) => void>> = {
    re(operands) {
      const [x = 0, y = 0, width = 0, height = 0] = numbersOf(operands)
      if (rectangles.length < POINTS_MAX) rectangles.push(placed(state.ctm, x, y, width, height))
    },
    m: point,
    l: point,
    c: curve,
    v: curve,
    y: curve,
    f: fill,
    F: fill,
    'f*': fill,
    B: fill,
    'B*': fill,
    b: fill,
    'b*': fill,
    S: endPath,
    s: endPath,
    n: endPath,
    W() {
      isClipping = true
    },
    'W*'() {
      isClipping = true
    },
    sh: () => addFilled(state.clip, null, true),
    EI: () => addFilled(common(placed(state.ctm, 0, 0, 1, 1), state.clip), null, true),
    cm(operands) {
      state = { ...state, ctm: times(matrixOf(operands), state.ctm) }
    },
    g: (operands) => paint(operands, 1),
    rg: (operands) => paint(operands, 3),
    k: (operands) => paint(operands, 4),
  }

  return {
    shown,
    filled,
    get: () => state,
    set,
    restore(before: GraphicsState): void {
      state = before
    },
    picture: (isSolid: boolean) => addFilled(common(placed(state.ctm, 0, 0, 1, 1), state.clip), null, true, isSolid),
    apply(operator: string, operands: readonly Operand[]): void {
      ownOf(text, operator)?.(operands)
      ownOf(paths, operator)?.(operands)
    },
  }
}

const POINTS_MAX = 2_000
const pair = (operands: readonly Operand[]): [number, number] => {
  const [x = 0, y = 0] = numbersOf(operands)
  return [x, y]
}
const near = (one: number, other: number): boolean => Math.abs(one - other) < 0.5
const grown = ({ left, bottom, right, top }: Box): Box => ({
  left: left - 2,
  bottom: bottom - 2,
  right: right + 2,
  top: top + 2,
})
