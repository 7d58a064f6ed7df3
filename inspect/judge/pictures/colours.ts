/** Whether a colour is dark or light. */

const COLOUR =
  /#([0-9a-f]{3}|[0-9a-f]{6})\b|\b(black|white|none|transparent)\b|rgb\(\s?(\d{1,3})\s?,\s?(\d{1,3})\s?,\s?(\d{1,3})\s?\)/i

/** Half as bright as white, or not drawn. */
export function isLight(text: string): boolean {
  const [, hex, name, ...parts] = COLOUR.exec(text) ?? []
  if (name !== undefined) return name.toLowerCase() !== 'black'
  const wide = hex?.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex
  const numbers = wide === undefined ? parts.map(Number) : [...Buffer.from(wide, 'hex')]
  const [red = 0, green = 0, blue = 0] = numbers
  return (2 * red + 5 * green + blue) / 8 > 127
}
