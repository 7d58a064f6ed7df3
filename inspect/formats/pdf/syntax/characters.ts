/** Character classes of PDF syntax. */

export const [BACKSLASH, OPENING, CLOSING] = [0x5c, 0x28, 0x29]

export function isWhiteSpace(code: number): boolean {
  return code === 0 || code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

export function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Digits, `+`, `-` and `.`. */
export function isNumeric(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e
}

/** NaN: it is none. */
export function hexDigit(code: number): number {
  if (isDigit(code)) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}
