/** Fonts inside the styles of a page that draw nothing: text in them is not seen. */

import { view } from '#inspect/core/bytes.ts'
import { inflate, ZLIB_HEADER_BYTES } from '#inspect/core/inflate.ts'
import { charge } from '#inspect/core/work.ts'

/** Fonts of a page that are read, and characters of one. */
const FONTS_MAX = 10
const FONT_LENGTH_MAX = 400_000
const TABLE_BYTES_MAX = 1_000_000
const TABLES_MAX = 40
const CHARACTER_WORK = 3
const GLYPH_WORK = 10

const FACE = /@font-face\s{0,9}\{([^{}]{1,400000})\}/gi
const FAMILY = /font-family\s{0,9}:\s{0,9}["']?([\w -]{1,60})/i
const DATA = /url\(\s{0,9}["']?data:[^,()]{0,80};base64,([A-Za-z0-9+/=]{100,400000})/i

/** Names in lower case. */
export function blankFamilies(styles: string): string[] {
  if (!styles.includes('@font-face')) return []
  charge(styles.length * CHARACTER_WORK)
  return [...styles.matchAll(FACE).take(FONTS_MAX)].flatMap(([, face = '']) => {
    const data = DATA.exec(face)?.[1]?.slice(0, FONT_LENGTH_MAX)
    const family = FAMILY.exec(face)?.[1]?.trim().toLowerCase()
    return data !== undefined && family !== undefined && isBlank(Buffer.from(data, 'base64')) ? [family] : []
  })
}

/** Glyphs without an outline or without a width. A font for icons has both. */
const BLANK = 0.95
const GLYPHS_MIN = 20
/** Of the size of the font. */
const WIDTH_MAX = 0.02

function isBlank(font: Buffer): boolean {
  const tables = tablesOf(font)
  const [head, most, header] = [tables('head'), tables('maxp'), tables('hhea')]
  if (head.length < 54 || most.length < 6 || header.length < 36) return false
  const glyphs = most.readUInt16BE(4)
  if (glyphs < GLYPHS_MIN) return false
  charge(glyphs * GLYPH_WORK)
  const places = tables('loca')
  const isLong = head.readUInt16BE(50) === 1
  const place = (glyph: number): number => numberAt(places, glyph * (isLong ? 4 : 2), isLong ? 4 : 2)
  const isEmpty = (glyph: number): boolean => places.length > 0 && place(glyph) === place(glyph + 1)
  const widths = tables('hmtx')
  const count = header.readUInt16BE(34)
  const narrow = head.readUInt16BE(18) * WIDTH_MAX
  const isNarrow = (glyph: number): boolean => numberAt(widths, Math.min(glyph, count - 1) * 4, 2) <= narrow
  const all = Array.from({ length: glyphs }, (_, glyph) => glyph)
  return [isEmpty, isNarrow].some((is) => all.filter(is).length >= glyphs * BLANK)
}

const numberAt = (bytes: Buffer, at: number, length: number): number =>
  at >= 0 && at + length <= bytes.length ? bytes.readUIntBE(at, length) : 0

/** Of TrueType and OpenType, also packed as WOFF. Empty if there is none. */
function tablesOf(font: Buffer): (name: string) => Buffer {
  const isPacked = font.toString('latin1', 0, 4) === 'wOFF'
  const [first, step] = isPacked ? [44, 20] : [12, 16]
  const count = Math.min(TABLES_MAX, numberAt(font, isPacked ? 12 : 4, 2))
  return (name) => {
    for (let at = first; at < first + count * step; at += step) {
      if (font.toString('latin1', at, at + 4) !== name) continue
      if (!isPacked)
        return font.subarray(numberAt(font, at + 8, 4), numberAt(font, at + 8, 4) + numberAt(font, at + 12, 4))
      return unpacked(font, numberAt(font, at + 4, 4), numberAt(font, at + 8, 4), numberAt(font, at + 12, 4))
    }
    return Buffer.alloc(0)
  }
}

function unpacked(font: Buffer, start: number, packedLength: number, length: number): Buffer {
  const packed = font.subarray(start, start + packedLength)
  if (packedLength === length) return packed
  if (length > TABLE_BYTES_MAX) return Buffer.alloc(0)
  const result = inflate(packed.subarray(ZLIB_HEADER_BYTES), length + 1, length)
  return result.outcome === 'too_large' || result.outcome === 'corrupt' ? Buffer.alloc(0) : view(result.bytes)
}
