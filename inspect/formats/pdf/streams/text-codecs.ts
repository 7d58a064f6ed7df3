/** Bytes of PDF streams written as text: hexadecimal digits and Base85. */

import { view } from '#inspect/core/bytes.ts'

/** `unclear`: there are characters that do not belong there, or more behind the end. Readers disagree about them. */
export type Written = { bytes: Uint8Array; unclear: boolean } | 'too_large'

/** A stream that is taken to be longer than it is has the keyword behind its data, one that was encrypted has padding. */
const NOTHING = '[\\0-\\x20]*(?:endstream|$)'
const BEHIND_HEX = new RegExp(`^${NOTHING}`)
const BEHIND_BASE85 = new RegExp(`^[\\0-\\x20]*>?${NOTHING}`)

export function hex(bytes: Uint8Array, remaining: number): Written {
  const end = endAt(bytes, 0x3e, 0)
  if (end / 2 > remaining) return 'too_large'
  const text = view(bytes).toString('latin1', 0, end)
  const digits = text.replace(/[^0-9a-f]+/gi, '')
  const unclear = /[^0-9a-f\0\t\n\f\r ]/i.test(text) || isMore(bytes, end + 1, BEHIND_HEX)
  return { bytes: Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex'), unclear }
}

function endAt(bytes: Uint8Array, mark: number, from: number): number {
  const end = bytes.indexOf(mark, from)
  return end === -1 ? bytes.length : end
}

function isMore(bytes: Uint8Array, from: number, nothing: RegExp): boolean {
  return from < bytes.length && !nothing.test(view(bytes).toString('latin1', from))
}

/** Outside of PDF it begins with `<~`, and some writers keep that. */
function base85Start(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length && (bytes[at] as number) <= 0x20) at += 1
  return bytes[at] === 0x3c && bytes[at + 1] === 0x7e ? at + 2 : at
}

const FOUR_ZEROS = 0x7a

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over every digit, and its state is shared by all branches.
export function base85(bytes: Uint8Array, remaining: number): Written {
  const start = base85Start(bytes)
  const end = endAt(bytes, 0x7e, start)
  const used = bytes.subarray(start, end)
  let zeros = 0
  for (const byte of used) if (byte === FOUR_ZEROS) zeros += 1
  const most = zeros * 4 + Math.ceil(((used.length - zeros) * 4) / 5) + 4
  if (most - 4 > remaining) return 'too_large'
  const out = Buffer.alloc(most)
  let unclear = isMore(bytes, end + 1, BEHIND_BASE85)
  let length = 0
  let digits = 0
  let value = 0
  for (const byte of used) {
    if (byte < 0x21 || byte > 0x75) {
      if (byte === FOUR_ZEROS && digits === 0) length += 4
      else if (byte > 0x20) unclear = true
      continue
    }
    value = value * 85 + byte - 0x21
    digits += 1
    if (digits < 5) continue
    length = out.writeUInt32BE(value >>> 0, length)
    digits = 0
    value = 0
  }
  if (digits < 2) return { bytes: out.subarray(0, length), unclear }
  for (let i = digits; i < 5; i++) value = value * 85 + 84
  out.writeUInt32BE(value >>> 0, length)
  return { bytes: out.subarray(0, length + digits - 1), unclear }
}
