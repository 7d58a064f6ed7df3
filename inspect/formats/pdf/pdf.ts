/** Looks into PDF files: every stream, decoded, as the file that it may be. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import type { Kind } from '#inspect/core/kind.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { isLzma } from '#inspect/detect/lzma.ts'
import { roleOf } from '#inspect/detect/magic.ts'
import { binaryType, HEAD_BYTES, pdfHeaderAt, sniff } from '#inspect/detect/sniff.ts'
import { isTar } from '#inspect/detect/tar.ts'
import { encodingOf } from '#inspect/detect/text.ts'
import { attachedOf } from './attached.ts'
import { accessTo, type Decrypt } from './encryption/encryption.ts'
import { chainsOf } from './streams/chains.ts'
import { decode, type Filter, hasOwnCipher } from './streams/filters.ts'
import { createSalvage, isSpent, type Salvage } from './streams/flate.ts'
import { withPacked } from './streams/object-streams.ts'
import { type PdfStream, streamsOf } from './streams/streams.ts'
import { stringsOf } from './strings.ts'
import { decodedName } from './syntax/dictionary.ts'
import { NO_NUMBER } from './syntax/head.ts'
import { OBJECTS_MAX, objectsOf, type PdfObjects } from './syntax/objects.ts'

export const pdf: Format = {
  applies: ({ bytes, sniffed }) =>
    pdfHeaderAt(bytes) !== -1 || (!DOCUMENTS.has(sniffed.kind) && hasObjects(view(bytes))),
  analyse(item, context) {
    const open = objectsOf(view(item.bytes).toString('latin1'))
    if (open === null) {
      context.addObstacle(item, 'too_complex', `It has more than ${OBJECTS_MAX} objects.`)
      return
    }
    const access = accessTo(open)
    if (access.state === 'locked') context.addObstacle(item, 'encrypted', access.detail)
    const decrypt = access.state === 'open' ? access.decrypt : null
    const objects = withPacked(item.bytes, open, decrypt, salvageOf(context), {
      streamsMax: context.limits.pdfStreamsMax,
    })
    // What is packed is encrypted like all the rest.
    const reason = access.state === 'locked' || decrypt !== null ? 'encrypted' : 'too_complex'
    if (objects === null) context.addObstacle(item, reason, 'Its object streams cannot be read.')
    const strings = stringsOf(objects ?? open, decrypt)
    if (strings.obstacle !== null) context.addObstacle(item, strings.obstacle, STRINGS[strings.obstacle])
    if (strings.bytes.length > 0) context.scan(item, 'strings', strings.bytes)
    lookAtStreams(item, objects ?? open, decrypt, context)
  },
}

/** Some readers want no header, or take that of PostScript: they look for objects. Only streams hide anything there. */
function hasObjects(bytes: Buffer): boolean {
  if (!bytes.includes('stream')) return false
  for (let at = bytes.indexOf('obj'); at !== -1; at = bytes.indexOf('obj', at + 3))
    if (isHeadBefore(bytes, at)) return true
  return false
}

/** Two numbers. Asked for every such word of a text, so byte by byte. */
function isHeadBefore(bytes: Buffer, word: number): boolean {
  const generationEnd = back(bytes, word, isSpace)
  const generation = back(bytes, generationEnd, isDigit)
  const objectEnd = back(bytes, generation, isSpace)
  return generation < generationEnd && objectEnd < generation && isDigit(bytes[objectEnd - 1] ?? 0)
}

function back(bytes: Buffer, from: number, is: (byte: number) => boolean): number {
  let at = from
  while (at > 0 && is(bytes[at - 1] as number)) at -= 1
  return at
}

function isSpace(byte: number): boolean {
  return byte === 0 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39
}

/** One for all PDF files in a document. */
const salvages = new WeakMap<Context, Salvage>()

function salvageOf(context: Context): Salvage {
  const salvage = salvages.get(context) ?? createSalvage()
  salvages.set(context, salvage)
  return salvage
}

function lookAtStreams(item: Item, objects: PdfObjects, decrypt: Decrypt | null, context: Context): void {
  const isAttached = attachedOf(objects)
  let count = 0
  for (const found of streamsOf(item.bytes, objects)) {
    count += 1
    const stream = found === null ? null : { ...found, attached: isAttached(found.object) }
    if (stream === null) {
      context.addObstacle(item, 'too_complex', ENTANGLED)
      return
    }
    if (count > context.limits.pdfStreamsMax) {
      context.addObstacle(item, 'too_complex', `It has more than ${context.limits.pdfStreamsMax} streams.`)
      return
    }
    for (const chain of chainsOf(stream.values, objects)) look(item, stream, chain, decrypt, context)
    if (isSpent(salvageOf(context))) {
      context.addObstacle(item, 'too_complex', 'It has too many damaged streams.')
      return
    }
  }
}

const ENTANGLED = 'Its dictionaries are nested too ambiguously to be read.'
const STRINGS = { too_complex: ENTANGLED, encrypted: 'A string could not be decrypted.' }
const FAULTS = { too_complex: 'A stream uses an unsupported encoding.', damaged: 'A stream is damaged.' }
type Fault = keyof typeof FAULTS

interface Stream extends PdfStream {
  /** Others refer to it as a file, a script or a form. */
  attached: boolean
}

interface Reading {
  data: Uint8Array
  tail: Uint8Array | null
  /** Decrypted, and so not what has been seen in the file. */
  changed: boolean
}

function look(item: Item, stream: Stream, chain: Filter[] | null, decrypt: Decrypt | null, context: Context): void {
  const faults = readingsOf(item, stream, decrypt).map((reading) => lookAt(item, stream, chain, reading, context))
  const path = [...item.path, `object ${stream.object}`]
  // Its key is made of its number. With another number something comes out all the same.
  const unnumbered = decrypt !== null && stream.object === NO_NUMBER
  if (unnumbered || hasOwnCipher(chain ?? []))
    context.addObstacle(item, 'encrypted', 'A stream could not be decrypted.', path)
  const [fault = null] = faults.includes(null) ? [] : faults
  if (fault === null) return
  if (decrypt !== null && fault === 'damaged')
    context.addObstacle(item, 'encrypted', 'A stream could not be decrypted.', path)
  // What came out of a damaged page has been shown. Readers get no further, but a file that is attached is whole for somebody.
  else if (fault === 'too_complex' || isEmbedded(stream) || stream.attached)
    context.addObstacle(item, fault, FAULTS[fault], path)
}

/** Not every stream of an encrypted file is encrypted, and none of a file that only says so. */
function readingsOf({ bytes }: Item, stream: PdfStream, decrypt: Decrypt | null): Reading[] {
  const { object, generation, start, end } = stream
  const stored = bytes.subarray(start, end)
  const clear = { data: stored, tail: bytes.subarray(start), changed: false }
  if (decrypt === null) return [clear]
  return [
    { data: decrypt(object, generation, stored, isEmbedded(stream) ? 'file' : 'stream'), tail: null, changed: true },
    clear,
  ]
}

/** What kept us from decoding all of it. */
function lookAt(item: Item, stream: Stream, chain: Filter[] | null, reading: Reading, context: Context): Fault | null {
  const remaining = context.budget.remaining()
  const result = decode(reading.data, reading.tail, chain ?? [], remaining, salvageOf(context))
  if (result === 'too_large') {
    context.budget.spend(remaining, 'stream')
    context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
    return 'too_complex'
  }
  const name = `object ${stream.object}`
  const embedded = isEmbedded(stream)
  context.budget.spend(result.unpacked, 'stream')
  // What stands there as it is has been seen in the file, but for what only shows from its first byte on.
  if (embedded || reading.changed || result.decoded || isContainer(result.bytes)) {
    if (result.unpacked === 0) context.budget.spend(result.bytes.length, 'stream')
    context.inspectMember(item, name, result.bytes)
  }
  const disguised = result.picture === true && (embedded || stream.attached || !isPicture(stream))
  return chain === null || disguised ? 'too_complex' : result.fault
}

function isEmbedded({ values }: PdfStream): boolean {
  return values.get('Type')?.some((type) => decodedName(type) === '/EmbeddedFile') ?? false
}

/** Scripts and attachments may have the filters of pictures, and some readers undo them. Thumbnails need not say what they are. */
function isPicture({ values }: PdfStream): boolean {
  const isImage = values.get('Subtype')?.every((type) => decodedName(type) === '/Image') ?? false
  return isImage || (values.has('Width') && values.has('Height'))
}

const DOCUMENTS: ReadonlySet<Kind | null> = new Set(['pdf', 'ole2', 'ooxml', 'odf', 'rtf', 'onenote', 'zip'])

/** Embedded files need not say that they are. Asked for every stream, so by the first bytes alone. */
function isContainer(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEAD_BYTES)
  const type = binaryType(bytes)
  const { kind } = sniff(head)
  // The rules know texts as bytes of their own, and in the file those of UTF-16 are none.
  if (kind === 'text' && encodingOf(head)?.startsWith('utf-16')) return true
  return (type !== null && roleOf(type) !== 'other') || isLzma(head) || isTar(head) || DOCUMENTS.has(kind)
}
