/** User-defined properties of binary documents ([MS-OLEPS]), which name add-ins. */

import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'
import { ADD_IN_LOCATION, judgeAddIn } from '#inspect/judge/add-ins.ts'

const NAME = /DocumentSummaryInformation$/i
const USER_DEFINED = Buffer.from('05d5cdd59c2e1b10939708002b2cf9ae', 'hex')
const SECTIONS_AT = 28
const SECTION_BYTES = 20
export const SECTIONS_MAX = 8
const DICTIONARY = 0
const CODE_PAGE = 1
const UTF_16 = 1200
const [NARROW_TEXT, WIDE_TEXT] = [0x1e, 0x1f]
const PROPERTY_WORK = 1_000
const PROPERTY_BYTES = 40
export const LOCATION_MAX = 8_192
/** Characters that decide whether a name is that of a location. */
export const NAME_MAX = 64

export const documentProperties: Format = {
  among: { members: true },
  applies: ({ path, parent }) => NAME.test(path.at(-1) ?? '') && parent !== null && isOle2(parent.bytes),
  analyse(item, context) {
    const bytes = view(item.bytes)
    for (let i = 0, at = SECTIONS_AT; i < SECTIONS_MAX && at + SECTION_BYTES <= bytes.length; i++, at += SECTION_BYTES)
      if (bytes.subarray(at, at + 16).equals(USER_DEFINED))
        judgeAddIn(item, locationIn(bytes.subarray(bytes.readUInt32LE(at + 16))), context)
  },
}

function locationIn(section: Buffer): string {
  const places = new Map<number, number>()
  const count = numberAt(section, 4)
  for (let i = 0, at = 8; i < count && at + 8 <= section.length; i++, at += 8) {
    charge(PROPERTY_WORK)
    keep(PROPERTY_BYTES)
    places.set(section.readUInt32LE(at), section.readUInt32LE(at + 4))
  }
  const codePage = places.get(CODE_PAGE)
  const isWide = codePage !== undefined && (numberAt(section, codePage + 4) & 0xffff) === UTF_16
  let location = ''
  for (const { id } of partsIn(section, places.get(DICTIONARY), isWide)) {
    if (location.length >= LOCATION_MAX) break
    location += textAt(section, places.get(id), isWide)
  }
  return location.slice(0, LOCATION_MAX)
}

/** The properties that have the parts of a location, in the order of their numbers. */
function partsIn(section: Buffer, start: number | undefined, isWide: boolean): { id: number; order: number }[] {
  const parts: { id: number; order: number }[] = []
  if (start === undefined) return parts
  const count = numberAt(section, start)
  for (let i = 0, at = start + 4; i < count && at + 8 <= section.length; i++) {
    charge(PROPERTY_WORK)
    const length = section.readUInt32LE(at + 4)
    const name = readText(section, at + 8, Math.min(length, NAME_MAX), isWide)
    if (ADD_IN_LOCATION.test(name))
      parts.push({ id: section.readUInt32LE(at), order: Number(/(?<!\d)\d+$/.exec(name)?.[0] ?? -1) })
    at += 8 + (isWide ? Math.ceil(length / 2) * 4 : length)
  }
  return parts.sort((a, b) => a.order - b.order)
}

function textAt(section: Buffer, at: number | undefined, isWide: boolean): string {
  if (at === undefined || at + 8 > section.length) return ''
  const type = section.readUInt16LE(at)
  const length = Math.min(section.readUInt32LE(at + 4), LOCATION_MAX)
  if (type === WIDE_TEXT) return readText(section, at + 8, length, true)
  if (type !== NARROW_TEXT) return ''
  return isWide ? readText(section, at + 8, length / 2, true) : readText(section, at + 8, length, false)
}

/** `length` in characters, with the zero at the end. */
function readText(section: Buffer, at: number, length: number, isWide: boolean): string {
  charge(length)
  const text = isWide ? section.toString('utf16le', at, at + length * 2) : section.toString('latin1', at, at + length)
  return text.split('\0', 1)[0] ?? ''
}

function numberAt(section: Buffer, at: number): number {
  return at + 4 <= section.length ? section.readUInt32LE(at) : 0
}
