/** How bright a colour is. */

import { colourOf } from '../hidden/colours.ts'

const NOT_DRAWN = /^(?:none|transparent)$|^(?:rgb|hsl)a\([^()]{1,60},\s{0,3}0(?:\.0{1,9})?\s{0,3}\)$/i

/** 0 is black, 255 is white; an unknown colour is dark. null: nothing is drawn. */
export function shadeOf(text: string): number | null {
  const value = text.trim()
  if (NOT_DRAWN.test(value)) return null
  const [red, green, blue] = colourOf(value) ?? [0, 0, 0]
  return (2 * red + 5 * green + blue) >> 3
}

/** Half as bright as white, or not drawn. */
export const isLight = (text: string): boolean => (shadeOf(text) ?? 255) > 127
