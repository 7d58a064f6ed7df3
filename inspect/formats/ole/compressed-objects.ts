/** Compound files compressed by Office: PowerPoint objects and macros, and ActiveMime. */

import { MAIL } from '#inspect/catalogue/mail.ts'
import { readCompound } from '#inspect/codecs/compound.ts'
import { tagPattern, tagsOf } from '#inspect/codecs/xml-tags.ts'
import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { hasZlibHeader, inflate, ZLIB_HEADER_BYTES } from '#inspect/core/inflate.ts'
import { mark } from '#inspect/core/marks.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { inflatePartial } from '#inspect/core/partial-inflate.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'

const INSIDE = '(inside)'
/** The unpacked size, stored before the data. */
const SIZE_BYTES = 4

/** Version, instance and type of a compressed ExOleObjStg record ([MS-PPT] 2.10.34). */
const OBJECT_RECORD = Buffer.from('10001110', 'hex')
const OBJECT = mark([OBJECT_RECORD.toString('latin1')])
/** The above, its length, and the unpacked size. */
const RECORD_HEADER_BYTES = 12

export const compressedObjects: Format = {
  among: { marks: [OBJECT] },
  applies: (item) => item.parent !== null && isOle2(item.parent.bytes) && item.has(OBJECT),
  analyse(item, context) {
    const bytes = view(item.bytes)
    const take = createPieceBudget(item, context)
    for (let at = bytes.indexOf(OBJECT_RECORD); at !== -1; at = bytes.indexOf(OBJECT_RECORD, at + 1)) {
      const start = at + RECORD_HEADER_BYTES
      // Four matching bytes may be a coincidence.
      if (!hasZlibHeader(bytes, start)) continue
      const packed = bytes.subarray(start, at + 8 + bytes.readUInt32LE(at + 4))
      if (!take(packed.length)) return
      const outcome = unpack(item, packed, bytes.readUInt32LE(start - SIZE_BYTES), context)
      if (outcome === 'too_large') return
      if (outcome === 'incomplete') context.addObstacle(item, 'damaged', 'A compressed object is truncated.')
      if (outcome === 'corrupt') inspectPart(item, packed, context)
    }
  },
}

/** Bytes unpacked from a corrupt object. */
export const PARTIAL_BYTES_MAX = 1_048_576

/** LibreOffice opens the part before the fault if it is a compound file with a directory. */
function inspectPart(item: Item, packed: Uint8Array, context: Context): void {
  const bytesMax = Math.min(PARTIAL_BYTES_MAX, context.budget.remaining())
  const part = inflatePartial(packed.subarray(ZLIB_HEADER_BYTES), bytesMax)
  context.budget.spend(part.length, 'archive')
  if (part.length === bytesMax) context.addObstacle(item, 'too_complex', 'A compressed object is corrupt.')
  if (isOle2(part) && readCompound(part) !== null) context.inspectMember(item, INSIDE, part)
  else context.scan(item, INSIDE, part)
}

const ACTIVE_MIME = ascii('ActiveMime')
/** A field of variable length precedes the data. */
const FIELD_LENGTH_AT = 0x1e
const FIELD_AT = 46

/** Headers of versions without that field, or with another length of it. */
const HEADER_MAX = 0x400

/** Where the compressed data begins. null: nowhere. */
function dataAt(bytes: Buffer): number | null {
  const stated = bytes.length < FIELD_AT ? bytes.length : FIELD_AT + bytes.readUInt16LE(FIELD_LENGTH_AT)
  if (hasZlibHeader(bytes, stated)) return stated
  for (let at = FIELD_LENGTH_AT; at < Math.min(HEADER_MAX, bytes.length); at++)
    if (hasZlibHeader(bytes, at) && isOle2(inflatePartial(bytes.subarray(at + ZLIB_HEADER_BYTES), HEAD_MAX))) return at
  return null
}

/** Bytes that show a compound file. */
const HEAD_MAX = 512

/** editdata.mso: the macros of a document saved as a web page or as XML. */
export const activeMime: Format = {
  applies: ({ bytes }) => startsWith(bytes, ACTIVE_MIME),
  analyse(item, context) {
    context.addFinding(item, { ...MAIL.activeMime, detail: null })
    const bytes = view(item.bytes)
    const start = dataAt(bytes)
    const outcome =
      start === null ? 'corrupt' : unpack(item, bytes.subarray(start), bytes.readUInt32LE(start - SIZE_BYTES), context)
    if (outcome === 'corrupt' || outcome === 'incomplete')
      context.addObstacle(item, 'too_complex', 'Its compressed data cannot be located or unpacked.')
  },
}

/** oledata.mso: an object of a document saved as XML by Word 2003. Its storage is a stream. */
export const xmlObject: Format = {
  among: { members: true },
  applies: ({ bytes, path, parent }) =>
    /^_\d+$/.test(path.at(-1) ?? '') && parent !== null && isOle2(parent.bytes) && hasZlibHeader(bytes, SIZE_BYTES),
  analyse(item, context) {
    const outcome = unpack(item, item.bytes.subarray(SIZE_BYTES), view(item.bytes).readUInt32LE(0), context)
    if (outcome === 'corrupt' || outcome === 'incomplete')
      context.addObstacle(item, 'too_complex', 'Its compressed data cannot be unpacked.')
  },
}

/** A document in the XML of Word 2003 that says so, or names the data. */
const MACROS_PRESENT = mark(['macrosPresent="yes"', "macrosPresent='yes'", 'editdata.mso'])
const WITH_MACROS = tagPattern(['wordDocument', 'binData'])

/** The data itself is a member. A few bytes of it are none, and are still no reason for such a document. */
export const wordXmlMacros: Format = {
  among: { marks: [MACROS_PRESENT] },
  applies: (item) => item.sniffed.kind === 'text' && item.has(MACROS_PRESENT),
  analyse(item, context) {
    for (const { name, attributes } of tagsOf(view(item.bytes).toString('latin1'), WITH_MACROS)) {
      const isStated = /^yes/i.test(attributes.get('macrospresent') ?? '')
      const isNamed = name === 'bindata' && [...attributes.values()].some((value) => /editdata\.mso/i.test(value))
      if (isStated || isNamed) context.addFinding(item, { ...MAIL.activeMime, detail: null })
    }
  },
}

type Outcome = 'whole' | 'incomplete' | 'corrupt' | 'too_large'

/** Office omits the last deflate block, so truncated data of the declared size is complete. */
function unpack(item: Item, packed: Uint8Array, size: number, context: Context): Outcome {
  const remaining = context.budget.remaining()
  const data = packed.subarray(ZLIB_HEADER_BYTES)
  const inflated = inflate(data, remaining, Math.min(data.length * 8, 1_048_576))
  if (inflated.outcome === 'too_large') {
    context.budget.spend(remaining, 'archive')
    context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
    return 'too_large'
  }
  if (inflated.outcome === 'corrupt') return 'corrupt'
  context.budget.spend(inflated.bytes.length, 'archive')
  if (inflated.bytes.length > 0) context.inspectMember(item, INSIDE, inflated.bytes)
  return inflated.outcome === 'truncated' && inflated.bytes.length < size ? 'incomplete' : 'whole'
}
