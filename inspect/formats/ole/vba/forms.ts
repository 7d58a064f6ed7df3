/** Texts of the controls of user forms ([MS-OFORMS]). */

import type { Compound, OleEntry } from '#inspect/codecs/compound.ts'
import { view } from '#inspect/core/bytes.ts'
import { charge, keep } from '#inspect/core/work.ts'

/** Controls of all forms together. */
export const CONTROLS_MAX = 5_000
/** Bytes after the header of a form in which its list of controls begins: fonts and pictures precede it. */
const SEARCHED_BYTES = 4_000
const TEXT_BYTES = 200
const SITE_WORK = 500

/** Fields by bit: bytes of a value, `text` for the length of a text, `extra` for eight bytes after all others. */
type Field = 0 | 1 | 2 | 4 | 'text' | 'extra'

const SITE: readonly Field[] = ['text', 'text', 4, 4, 4, 4, 2, 2, 'extra', 2, 0, 'text', 'text', 'text', 'text']
const SITE_FIELD = { name: 0, tag: 1, streamBytes: 5, type: 7, tip: 11 }
const LABEL: readonly Field[] = [4, 4, 4, 'text', 4, 'extra', 1, 4, 2, 2, 2, 2, 2]
const BUTTON: readonly Field[] = [4, 4, 4, 'text', 4, 'extra', 1, 2, 2, 0, 2]
const CAPTION = 3
const [VALUE, MORPH_CAPTION] = [22, 23]
const MORPH: readonly Field[] = [
  ...([4, 4, 4, 4, 1, 1, 1, 1, 'extra', 2, 4, 2, 2, 2, 2, 2, 1, 1, 1, 0, 1, 1] as const),
  ...(['text', 'text', 4, 4, 4, 2, 2, 2, 0, 0, 'text'] as const),
]
const TYPE = { button: 17, label: 21 }
/** Text boxes, lists, check boxes and other controls with a value. */
const MORPH_TYPES: ReadonlySet<number> = new Set([15, 23, 24, 25, 26, 27, 28])

/** By form, control and property, such as `userform1.label1.caption`; the default property without its name. */
export function readForms(compound: Compound): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  let remaining = CONTROLS_MAX
  const stream = (parent: OleEntry, name: string): Buffer | null => {
    const found = compound.entries.find((entry) => entry.parent === parent && entry.name.toLowerCase() === name)
    return found === undefined ? null : view(compound.read(found).bytes)
  }
  for (const storage of compound.entries) {
    const list = storage.storage ? stream(storage, 'f') : null
    if (list === null) continue
    const form = formOf(storage).name.toLowerCase()
    const data = stream(storage, 'o') ?? Buffer.alloc(0)
    const add = (key: string, text: string | undefined): void => {
      if (text === undefined || text === '') return
      keep(TEXT_BYTES + text.length)
      texts.set(key, text)
    }
    addFrame(stream(storage, '\x03vbframe'), form, add)
    let at = 0
    for (const site of sitesOf(list, remaining)) {
      remaining--
      const control = `${form}.${site.text(SITE_FIELD.name).toLowerCase()}`
      add(`${control}.tag`, site.text(SITE_FIELD.tag))
      add(`${control}.controltiptext`, site.text(SITE_FIELD.tip))
      const end = at + site.number(SITE_FIELD.streamBytes)
      addControl(data.subarray(at, end), site.number(SITE_FIELD.type), control, add)
      at = end
    }
  }
  return texts
}

type Add = (key: string, text: string | undefined) => void

/** Frames and pages inside a form have storages of their own. */
function formOf(storage: OleEntry): OleEntry {
  let form = storage
  for (let depth = 0; depth < 16 && /^i\d+$/i.test(form.name) && form.parent !== null; depth++) form = form.parent
  return form
}

/** Properties of the form itself, as text. */
function addFrame(frame: Buffer | null, form: string, add: Add): void {
  if (frame === null) return
  charge(frame.length)
  for (const [, name = '', text] of frame
    .toString('latin1')
    .matchAll(/^\s{0,20}(Caption|Tag)\s{1,20}=\s{1,9}"([^"\r\n]*)"/gm))
    add(`${form}.${name.toLowerCase()}`, text)
}

function addControl(bytes: Buffer, type: number, control: string, add: Add): void {
  if (bytes.length < 8) return
  if (type === TYPE.label || type === TYPE.button) {
    const caption = readFields(bytes, 4, type === TYPE.label ? LABEL : BUTTON)?.text(CAPTION)
    for (const name of ['', '.caption']) add(control + name, caption)
  } else if (MORPH_TYPES.has(type)) {
    const fields = readFields(bytes, 8, MORPH)
    for (const name of ['', '.value', '.text']) add(control + name, fields?.text(VALUE))
    add(`${control}.caption`, fields?.text(MORPH_CAPTION))
  }
}

interface Fields {
  number(bit: number): number
  text(bit: number): string
}

interface Present {
  field: Field
  bit: number
}

/** After a header of four bytes: a mask, the fields in it, and their texts. null: they end after the bytes. */
function readFields(bytes: Buffer, maskBytes: 4 | 8, layout: readonly Field[]): Fields | null {
  charge(SITE_WORK)
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

const aligned = (at: number, size: number): number => Math.ceil(at / size) * size

/** The list is where its numbers fit. */
function sitesOf(list: Buffer, countMax: number): Fields[] {
  const from = list.length < 8 ? list.length : 4 + list.readUInt16LE(2)
  for (let at = from; at + 8 <= Math.min(list.length, from + SEARCHED_BYTES); at++) {
    charge(20)
    const count = list.readUInt32LE(at)
    const bytes = list.readUInt32LE(at + 4)
    if (count === 0 || count > countMax || bytes < count * 8 || at + 8 + bytes > list.length) continue
    const sites = sitesIn(list.subarray(at + 8, at + 8 + bytes), count)
    if (sites !== null) return sites
  }
  return []
}

/** Depth and type of each control, then the controls. null: the bytes are something else. */
function sitesIn(bytes: Buffer, count: number): Fields[] | null {
  let at = 0
  for (let listed = 0; listed < count; ) {
    const mixed = bytes[at + 1] ?? 0
    listed += mixed & 0x80 ? Math.max(1, mixed & 0x7f) : 1
    at += mixed & 0x80 ? 3 : 2
  }
  at = aligned(at, 4)
  const sites: Fields[] = []
  while (sites.length < count) {
    if (at + 8 > bytes.length || bytes.readUInt16LE(at) !== 0) return null
    const fields = readFields(bytes.subarray(at), 4, SITE)
    if (fields === null) return null
    keep(TEXT_BYTES)
    sites.push(fields)
    at += 4 + bytes.readUInt16LE(at + 2)
  }
  return sites
}
