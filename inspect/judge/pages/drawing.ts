/** Where the text of a drawing may not be seen: outside of it, and in the colour of a shape. */

import { type Colour, colourOf, isLikeColour } from '../hidden/colours.ts'
import type { Look } from './styles.ts'

type Attributes = ReadonlyMap<string, string>

const SHAPES = /^(?:rect|path|circle|ellipse|polygon)$/
const COLOURS_MAX = 30

export function createDrawing() {
  let [width, height] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let isSized = false
  const fills: Colour[] = []
  const numberOf = (attributes: Attributes, name: string): number => Number.parseFloat(attributes.get(name) ?? '')

  function size(attributes: Attributes): void {
    isSized = true
    const [, , wide, high] = (attributes.get('viewbox') ?? '')
      .trim()
      .split(/[\s,]+/, 4)
      .map(Number)
    width = wide || numberOf(attributes, 'width') || width
    height = high || numberOf(attributes, 'height') || height
  }

  return {
    add(name: string, attributes: Attributes): void {
      if (name === 'svg' && !isSized) size(attributes)
      if (!SHAPES.test(name) || fills.length >= COLOURS_MAX) return
      const style = /(?:^|;)\s{0,5}fill\s{0,5}:\s{0,5}([^;]{1,60})/.exec(attributes.get('style') ?? '')?.[1]
      const colour = colourOf((style ?? attributes.get('fill') ?? 'black').trim())
      if (colour !== null) fills.push(colour)
    },
    isOutside(name: string, attributes: Attributes): boolean {
      if (name !== 'text' && name !== 'tspan' && name !== 'g' && name !== 'foreignobject') return false
      const [, moveX, moveY] =
        /translate\(\s{0,5}(-?[\d.]{1,12})[\s,]{0,5}(-?[\d.]{1,12})?/.exec(attributes.get('transform') ?? '') ?? []
      const x = (numberOf(attributes, 'x') || 0) + Number(moveX ?? 0)
      const y = (numberOf(attributes, 'y') || 0) + Number(moveY ?? 0)
      return x < -width / 10 || y < -height / 10 || x > width || y > height * 1.1 || x < -500 || y < -500
    },
    /** In the colour of a shape before it. */
    isFilled(looks: readonly Look[]): boolean {
      const colour = looks.findLast((look) => look.colour !== undefined)?.colour ?? null
      return colour !== null && fills.some((fill) => isLikeColour(fill, colour))
    },
  }
}
