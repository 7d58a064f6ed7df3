/** Character references in XML for characters that need none. They can hide a word from a search. */

import { ascii, view } from './bytes.ts'
import { mark } from './marks.ts'
import { rewritten } from './rewritten.ts'

/** Printable ones of ASCII, except those that have a meaning in markup. */
const CODES = Array.from({ length: 0x5e }, (_, index) => 0x21 + index).filter(
  (code) => !'<>&"\''.includes(String.fromCharCode(code)),
)
const NEEDLESS = `&#(?:0{0,20}(?:${CODES.join('|')})|x0{0,20}(?:${CODES.map((code) => code.toString(16)).join('|')}));`
const ALL = new RegExp(NEEDLESS, 'gi')
const HERE = new RegExp(NEEDLESS, 'iy')
const REFERENCE_BYTES_MAX = 32

function isNeedless(bytes: Uint8Array, at: number): boolean {
  HERE.lastIndex = 0
  return HERE.test(view(bytes).toString('latin1', at, at + REFERENCE_BYTES_MAX))
}

const MARK = mark(
  ['x', ...'0123456789'].map((start) => `&#${start}`),
  { fits: isNeedless, ignoresCase: true },
)

/** The bytes as XML readers see them; null if they have no such references. `ids`: the literals that they contain. */
export function withoutReferences(bytes: Uint8Array, ids: ReadonlySet<number>): Uint8Array | null {
  if (!ids.has(MARK.id)) return null
  const text = view(bytes).toString('latin1')
  if (!/^(?:\xef\xbb\xbf)?\s*</.test(text)) return null
  return ascii(rewritten(text, ALL, ([found]) => characterOf(found)))
}

function characterOf(reference: string): string {
  const digits = reference.slice(2, -1)
  return String.fromCharCode(/^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits))
}
