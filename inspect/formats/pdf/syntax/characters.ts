/** Character classes of PDF syntax. */

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
