/** Texts of controls of forms and documents ([MS-OFORMS]). */

import { charge } from '#inspect/core/work.ts'

const FIELDS_WORK = 500

/** Fields by bit: bytes of a value, `text` for the length of a text, `extra` for eight bytes after all others. */
type Field = 0 | 1 | 2 | 4 | 'text' | 'extra'

export const SITE: readonly Field[] = ['text', 'text', 4, 4, 4, 4, 2, 2, 'extra', 2, 0, 'text', 'text', 'text', 'text']
export const SITE_FIELD = { name: 0, tag: 1, streamBytes: 5, type: 7, tip: 11 }
const LABEL: readonly Field[] = [4, 4, 4, 'text', 4, 'extra', 1, 4, 2, 2, 2, 2, 2]
const BUTTON: readonly Field[] = [4, 4, 4, 'text', 4, 'extra', 1, 2, 2, 0, 2]
const CAPTION = 3
const [VALUE, MORPH_CAPTION, GROUP] = [22, 23, 32]
const MORPH: readonly Field[] = [
  ...([4, 4, 4, 4, 1, 1, 1, 1, 'extra', 2, 4, 2, 2, 2, 2, 2, 1, 1, 1, 0, 1, 1] as const),
  ...(['text', 'text', 4, 4, 4, 2, 2, 2, 0, 0, 'text'] as const),
]
const TYPE = { button: 17, label: 21 }
/** Text boxes, lists, check boxes and other controls with a value. */
const MORPH_TYPES: ReadonlySet<number> = new Set([15, 23, 24, 25, 26, 27, 28])

/** Adds a text of a control, by the names of the control and the property. */
export type AddText = (key: string, text: string | undefined) => void

/** `type` is the number of its class. */
export function addControl(bytes: Buffer, type: number, control: string, add: AddText): void {
  if (bytes.length < 8) return
  if (type === TYPE.label || type === TYPE.button) {
    const caption = readFields(bytes, 4, type === TYPE.label ? LABEL : BUTTON)?.text(CAPTION)
    for (const name of ['', '.caption']) add(control + name, caption)
  } else if (MORPH_TYPES.has(type)) {
    const fields = readFields(bytes, 8, MORPH)
    for (const name of ['', '.value', '.text']) add(control + name, fields?.text(VALUE))
    add(`${control}.caption`, fields?.text(MORPH_CAPTION))
    add(`${control}.groupname`, fields?.text(GROUP))
  }
}

export interface Fields {
  number(bit: number): number
  text(bit: number): string
}

interface Present {
  field: Field
  bit: number
}

/** After a header of four bytes: a mask, the fields in it, and their texts. null: they end after the bytes. */
export function readFields(bytes: Buffer, maskBytes: 4 | 8, layout: readonly Field[]): Fields | null {
  charge(FIELDS_WORK)
  const end = 4 + bytes.readUInt16LE(2)
  if (end > bytes.length || end < 4 + maskBytes) return null
  const has = (bit: number): boolean => (((bytes[4 + (bit >> 3)] ?? 0) >> (bit & 7)) & 1) === 1
  const present = layout.map((field, bit) => ({ field, bit })).filter(({ bit }) => has(bit))
  const numbers = new Map<number, number>()
  let at = 4 + maskBytes
  for (const { field, bit } of present) {
    const size = field === 'text' ? 4 : field === 'extra' ? 0 : field
    if (size === 0) continue
    at = aligned(at, size)
    if (at + size > end) return null
    numbers.set(bit, bytes.readUIntLE(at, size))
    at += size
  }
  const texts = readTexts(bytes.subarray(0, end), at, maskBytes === 8 ? present.toSorted(byExtra) : present, numbers)
  return texts && { number: (bit) => numbers.get(bit) ?? 0, text: (bit) => texts.get(bit) ?? '' }
}

function readTexts(
  bytes: Buffer,
  from: number,
  present: readonly Present[],
  lengths: ReadonlyMap<number, number>,
): Map<number, string> | null {
  const texts = new Map<number, string>()
  let at = aligned(from, 4)
  for (const { field, bit } of present) {
    if (field === 'extra') at += 8
    if (field !== 'text') continue
    // The highest bit tells that each character takes one byte.
    const length = lengths.get(bit) ?? 0
    const size = length & 0x7fffffff
    if (at + size > bytes.length) return null
    texts.set(bit, bytes.toString(length >>> 31 === 1 ? 'latin1' : 'utf16le', at, at + size))
    at = aligned(at + size, 4)
  }
  return texts
}

/** The size of these controls precedes their texts. */
function byExtra(one: Present, other: Present): number {
  return Number(other.field === 'extra') - Number(one.field === 'extra')
}

export const aligned = (at: number, size: number): number => Math.ceil(at / size) * size

/** First bytes of the class of a control, as stored, and the number of the class in forms. */
const CLASS_TYPES: Readonly<Record<string, number>> = {
  '239e8c97': TYPE.label,
  '403205d7': TYPE.button,
  '101dd28b': 23,
  '201dd28b': 24,
  '301dd28b': 25,
  '401dd28b': 26,
  '501dd28b': 27,
  '601dd28b': 28,
}

/** Names of controls in a document, which belong to no form. */
export const DOCUMENT_CONTROL = '*'

/** Of a control in the text of a document or on a sheet. `classId` in hexadecimal digits, as stored. */
export function addDocumentControl(name: string, classId: string, bytes: Buffer, add: AddText): void {
  const type = CLASS_TYPES[classId.slice(0, 8)]
  if (type !== undefined) addControl(bytes, type, `${DOCUMENT_CONTROL}.${name.toLowerCase()}`, add)
}
