/** Colours of text and of what is behind it. */

import { ownOf } from '#inspect/core/own.ts'

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number]

export const WHITE: Colour = [255, 255, 255]

/** Differences of a part that nobody sees. */
const DIFFERENCE_MAX = 20

export function isLikeColour(one: Colour, other: Colour): boolean {
  return one.every((part, index) => Math.abs(part - (other[index] ?? 0)) <= DIFFERENCE_MAX)
}

const NAMES: Readonly<Record<string, string>> = {
  white: 'ffffff',
  black: '000000',
  yellow: 'ffff00',
  red: 'ff0000',
  green: '008000',
  blue: '0000ff',
  cyan: '00ffff',
  magenta: 'ff00ff',
  lightgray: 'd3d3d3',
  lightgrey: 'd3d3d3',
  gray: '808080',
  grey: '808080',
  snow: 'fffafa',
  floralwhite: 'fffaf0',
  mintcream: 'f5fffa',
  azure: 'f0ffff',
  aliceblue: 'f0f8ff',
  seashell: 'fff5ee',
  navy: '000080',
  silver: 'c0c0c0',
  maroon: '800000',
  teal: '008080',
  purple: '800080',
  orange: 'ffa500',
  ivory: 'fffff0',
  whitesmoke: 'f5f5f5',
  ghostwhite: 'f8f8ff',
  darkgray: 'a9a9a9',
  darkblue: '00008b',
  darkcyan: '008b8b',
  darkgreen: '006400',
  darkmagenta: '8b008b',
  darkred: '8b0000',
  darkyellow: '808000',
}

const HEX = /^#?([0-9a-f]{3}|[0-9a-f]{6})(?:[0-9a-f]{2})?$/i
/** Only what is nearly white or black. */
const HSL = /^hsla?\(\s{0,5}[\d.]{1,9}(?:deg)?[\s,]{1,5}[\d.]{1,9}%[\s,]{1,5}(\d{1,3})%/i
const RGB = /^rgba?\(\s{0,5}(\d{1,3})(%?)[\s,]{1,5}(\d{1,3})%?[\s,]{1,5}(\d{1,3})/i
/** White by its lightness. */
const LIGHT = /^ok(?:lch|lab)\(\s{0,5}(?:1(?:\.0{1,3})?|0?\.9[89]\d{0,3})\s|^(?:ok)?(?:lch|lab)\(\s{0,5}(?:9[89]|100)%/i

/** null: none, or an unknown one. */
export function colourOf(text: string): Colour | null {
  const name = ownOf(NAMES, text.toLowerCase())
  const hex = HEX.exec(name ?? text)?.[1]
  if (hex !== undefined) {
    const wide = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
    const [red = 0, green = 0, blue = 0] = Buffer.from(wide, 'hex')
    return [red, green, blue]
  }
  const light = HSL.exec(text)?.[1]
  if (light !== undefined && (Number(light) >= 95 || Number(light) <= 5))
    return Number(light) >= 95 ? [255, 255, 255] : [0, 0, 0]
  if (LIGHT.test(text)) return WHITE
  const parts = RGB.exec(text)
  const unit = parts?.[2] === '%' ? 2.55 : 1
  return parts === null ? null : [Number(parts[1]) * unit, Number(parts[3]) * unit, Number(parts[4]) * unit]
}
