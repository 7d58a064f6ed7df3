/** What an SVG drawing fills and strokes. */

import { charge } from '#inspect/core/work.ts'
import type { Contour, Shape } from '#inspect/judge/pictures/areas.ts'
import { CONTOURS_MAX, rectangle } from '#inspect/judge/pictures/canvas.ts'
import { shadeOf } from '#inspect/judge/pictures/colours.ts'
import { contoursOf, ellipse, IDENTITY, type Matrix, placed, strokesOf, times } from '#inspect/judge/pictures/paths.ts'

const TAG =
  /<(\/?)(?:[a-z]{1,20}:)?(svg|g|a|defs|symbol|rect|path|use|polygon|polyline|circle|ellipse|line)(?=[\s/>])([^<>]{0,200000})>/gi
const ATTRIBUTE = /(?:^|\s)([a-z][\w:-]{0,30})\s{0,3}=\s{0,3}(?:"([^"]{0,200000})"|'([^']{0,200000})')/gi
const CONTAINERS = /^(?:svg|g|a|defs|symbol)$/
const TAG_WORK = 400
const CHARACTER_WORK = 4
const DEPTH_MAX = 50
/** Shapes that others use, and rules of styles. */
const NAMED_MAX = 500

type Attributes = ReadonlyMap<string, string>

/** What shapes inherit. */
interface State {
  matrix: Matrix
  fill: string
  stroke: string
  strokeWidth: number
  /** Of a symbol, or of definitions: drawn only where it is used. */
  name: string | null
}

interface Drawing {
  shapes: Shape[]
  count: number
  styles: ReadonlyMap<string, Attributes>
  /** By name: what is drawn where it is used. */
  named: Map<string, Shape[]>
}

export function svgShapes(source: string): Shape[] {
  const drawing: Drawing = { shapes: [], count: 0, styles: stylesIn(source), named: new Map() }
  const open: State[] = [{ matrix: IDENTITY, fill: 'black', stroke: 'none', strokeWidth: 1, name: null }]
  for (const [, slash, tag = '', text = ''] of source.matchAll(TAG)) {
    charge(TAG_WORK + text.length * CHARACTER_WORK)
    const name = tag.toLowerCase()
    const outer = open.at(-1) as State
    if (slash === '/') {
      if (CONTAINERS.test(name) && open.length > 1) open.pop()
      continue
    }
    const attributes = attributesOf(text, drawing.styles)
    const state = inherited(outer, attributes, name)
    if (!CONTAINERS.test(name)) draw(name, attributes, state, drawing)
    else if (!text.endsWith('/') && open.length < DEPTH_MAX) open.push(state)
    if (drawing.count > CONTOURS_MAX) break
  }
  return drawing.shapes
}

function attributesOf(text: string, styles: Drawing['styles']): Attributes {
  const own = new Map(
    [...text.matchAll(ATTRIBUTE)].map(([, name = '', one, other]) => [name.toLowerCase(), one ?? other ?? '']),
  )
  const classes = (own.get('class') ?? '').split(/\s+/, 5).flatMap((name) => [...(styles.get(name) ?? [])])
  return new Map([...own, ...classes, ...declarations(own.get('style') ?? '')])
}

const declarations = (text: string): [string, string][] =>
  [...text.matchAll(/([\w-]{1,30})\s{0,3}:\s{0,3}([^;]{1,200})/g)].map(([, name = '', value = '']) => [
    name.toLowerCase(),
    value.trim(),
  ])

/** By the name of the class. */
function stylesIn(source: string): Map<string, Attributes> {
  const rules = source.matchAll(/\.([\w-]{1,60})\s{0,9}\{([^{}]{0,500})\}/g)
  const sheet = source.includes('<style') ? [...rules.take(NAMED_MAX)] : []
  return new Map(sheet.map(([, name = '', body = '']) => [name, new Map(declarations(body))]))
}

function inherited(outer: State, attributes: Attributes, name: string): State {
  const isApart = name === 'defs' || name === 'symbol'
  const id = attributes.get('id') ?? ''
  const named = outer.name ?? (isApart ? id : null)
  return {
    matrix: times(matrixOf(attributes.get('transform') ?? ''), isApart ? IDENTITY : outer.matrix),
    fill: attributes.get('fill') ?? outer.fill,
    stroke: attributes.get('stroke') ?? outer.stroke,
    strokeWidth: Number.parseFloat(attributes.get('stroke-width') ?? '') || outer.strokeWidth,
    // Each part of definitions has its own name.
    name: named !== null && id !== '' ? id : named,
  }
}

const TRANSFORM = /(matrix|translate|scale|rotate)\s{0,3}\(([^()]{1,200})\)/g

function matrixOf(text: string): Matrix {
  if (text === '') return IDENTITY
  return [...text.matchAll(TRANSFORM)].reduce((sum: Matrix, [, kind = '', list = '']) => {
    const [a = 0, b, c = 0, d = 1, e = 0, f = 0] = list
      .trim()
      .split(/[\s,]+/, 6)
      .map(Number)
    if (kind === 'translate') return times([1, 0, 0, 1, a, b ?? 0], sum)
    if (kind === 'scale') return times([a, 0, 0, b ?? a, 0, 0], sum)
    if (kind === 'matrix') return times([a, b ?? 0, c, d, e, f], sum)
    const [sin, cos] = [Math.sin((a * Math.PI) / 180), Math.cos((a * Math.PI) / 180)]
    const [x, y] = [b ?? 0, c]
    return times([cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y], sum)
  }, IDENTITY)
}

function draw(name: string, attributes: Attributes, state: State, drawing: Drawing): void {
  const number = (key: string, fallback = 0): number => Number.parseFloat(attributes.get(key) ?? '') || fallback
  if (name === 'use') {
    const used = drawing.named.get((attributes.get('href') ?? attributes.get('xlink:href') ?? '').slice(1)) ?? []
    const matrix = times([1, 0, 0, 1, number('x'), number('y')], state.matrix)
    const shade = attributes.has('fill') ? shadeOf(state.fill) : null
    for (const shape of used)
      add({ contours: shape.contours.map((each) => placed(each, matrix)), shade: shade ?? shape.shade }, null, drawing)
    return
  }
  const outlines = outlinesOf(name, attributes, number)
  const place = (contours: readonly Contour[]): Contour[] => contours.map((each) => placed(each, state.matrix))
  const filled = name === 'line' ? null : shadeOf(state.fill)
  if (filled !== null) add({ contours: place(outlines), shade: filled }, state.name, drawing)
  const stroked = shadeOf(state.stroke)
  if (stroked !== null)
    for (const contour of outlines)
      add({ contours: place(strokesOf(contour, state.strokeWidth)), shade: stroked }, state.name, drawing)
}

function add(shape: Shape, name: string | null, drawing: Drawing): void {
  drawing.count += shape.contours.length
  if (shape.contours.length === 0) return
  if (name === null) drawing.shapes.push(shape)
  else if (drawing.named.size < NAMED_MAX) drawing.named.set(name, [...(drawing.named.get(name) ?? []), shape])
}

const POINT = /-?\d{1,9}(?:\.\d{0,20})?/g

function outlinesOf(
  name: string,
  attributes: Attributes,
  number: (key: string, fallback?: number) => number,
): Contour[] {
  if (name === 'rect') return [rectangle(number('x'), number('y'), number('width', 1), number('height', 1))]
  if (name === 'circle') return [ellipse(number('cx'), number('cy'), number('r', 1), number('r', 1))]
  if (name === 'ellipse') return [ellipse(number('cx'), number('cy'), number('rx', 1), number('ry', 1))]
  if (name === 'line') return [[number('x1'), number('y1'), number('x2'), number('y2')]]
  if (name === 'path') return [...contoursOf(attributes.get('d') ?? '')]
  const points = [...(attributes.get('points') ?? '').matchAll(POINT)].map(Number)
  return points.length > 3 ? [points.slice(0, points.length - (points.length % 2))] : []
}
