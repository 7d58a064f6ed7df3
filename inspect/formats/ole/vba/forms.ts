/** Texts of the controls of user forms ([MS-OFORMS]). */

import type { Compound, OleEntry } from '#inspect/codecs/compound.ts'
import {
  type AddText,
  addControl,
  addDocumentControl,
  aligned,
  type Fields,
  readFields,
  SITE,
  SITE_FIELD,
} from '#inspect/codecs/control-texts.ts'
import { view } from '#inspect/core/bytes.ts'
import { charge, keep } from '#inspect/core/work.ts'

/** Controls of all forms together. */
export const CONTROLS_MAX = 5_000
/** Bytes after the header of a form in which its list of controls begins: fonts and pictures precede it. */
const SEARCHED_BYTES = 4_000
const TEXT_BYTES = 200

/** By form, control and property, such as `userform1.label1.caption`; the default property without its name. */
export function readForms(compound: Compound): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  let remaining = CONTROLS_MAX
  const stream = (parent: OleEntry, name: string): Buffer | null => {
    const found = compound.entries.find((entry) => entry.parent === parent && entry.name.toLowerCase() === name)
    return found === undefined ? null : view(compound.read(found).bytes)
  }
  const add: AddText = (key, text) => {
    if (text === undefined || text === '') return
    keep(TEXT_BYTES + text.length)
    texts.set(key, text)
  }
  for (const storage of compound.entries) {
    if (!storage.storage) continue
    const list = stream(storage, 'f')
    const name = list === null ? stream(storage, '\x03ocxname') : null
    if (name !== null && remaining-- > 0)
      addDocumentControl(nameIn(name), storage.clsid, stream(storage, 'contents') ?? Buffer.alloc(0), add)
    if (list === null) continue
    const form = formOf(storage).name.toLowerCase()
    const data = stream(storage, 'o') ?? Buffer.alloc(0)
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

/** Of a control in a document, up to a zero. */
function nameIn(bytes: Buffer): string {
  return bytes.toString('utf16le').split('\0', 1)[0] ?? ''
}

/** Frames and pages inside a form have storages of their own. */
function formOf(storage: OleEntry): OleEntry {
  let form = storage
  for (let depth = 0; depth < 16 && /^i\d+$/i.test(form.name) && form.parent !== null; depth++) form = form.parent
  return form
}

/** Properties of the form itself, as text. */
function addFrame(frame: Buffer | null, form: string, add: AddText): void {
  if (frame === null) return
  charge(frame.length)
  for (const [, name = '', text] of frame
    .toString('latin1')
    .matchAll(/^\s{0,20}(Caption|Tag)\s{1,20}=\s{1,9}"([^"\r\n]*)"/gm))
    add(`${form}.${name.toLowerCase()}`, text)
}

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
