/** The hexadecimal digits of an object in RTF, up to the end of its group. Control words and all other characters are no digits. */

export interface ObjectData {
  all: Uint8Array
  /** Without the groups inside it: some readers pass over a group that they do not know. */
  outer: Uint8Array
  end: number
}

const BACKSLASH = 0x5c
const QUOTE = 0x27

export function readObject(bytes: Uint8Array, start: number): ObjectData {
  const all = createNibbles()
  const outer = createNibbles()
  let depth = 0
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at] as number
    if (byte === BACKSLASH) {
      at = behindControl(bytes, at + 1)
      continue
    }
    if (byte === 0x7b) depth += 1
    else if (byte === 0x7d && depth-- === 0) break
    const digit = DIGITS[byte] as number
    if (digit !== NO_DIGIT) {
      all.push(digit)
      if (depth === 0) outer.push(digit)
    }
    at += 1
  }
  return { all: all.bytes(), outer: outer.bytes(), end: at }
}

/** Behind a control word with its number and one space, a character in hexadecimal, or a control symbol. */
function behindControl(bytes: Uint8Array, from: number): number {
  let at = from
  if (bytes[at] === QUOTE) return at + 3
  if (!isLetter(bytes[at])) return at + 1
  while (isLetter(bytes[at])) at += 1
  if (bytes[at] === 0x2d) at += 1
  while (isNumber(bytes[at])) at += 1
  return bytes[at] === 0x20 ? at + 1 : at
}

function isLetter(byte = 0): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
}

function isNumber(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39
}

const NO_DIGIT = 0xff
const DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase())
  return value === -1 ? NO_DIGIT : value
})

/** Puts two digits into each byte; a last one without another is dropped. */
function createNibbles(): { push(digit: number): void; bytes(): Uint8Array } {
  let out = new Uint8Array(4096)
  let count = 0
  let high = 0
  return {
    push(digit) {
      if ((count & 1) === 0) high = digit << 4
      else {
        if (count >> 1 === out.length) {
          const larger = new Uint8Array(out.length * 2)
          larger.set(out)
          out = larger
        }
        out[count >> 1] = high | digit
      }
      count += 1
    },
    bytes: () => out.subarray(0, count >> 1),
  }
}
