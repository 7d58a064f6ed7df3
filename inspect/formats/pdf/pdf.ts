/** PDF: inspects every stream, decoded, and decoded strings. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import type { Kind } from '#inspect/core/kind.ts'
import { mark } from '#inspect/core/marks.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { charge } from '#inspect/core/work.ts'
import { lzmaHeaderOf } from '#inspect/detect/lzma.ts'
import { roleOf } from '#inspect/detect/magic.ts'
import { binaryType, HEAD_BYTES, isOle2, isZip, pdfHeaderAt, sniff } from '#inspect/detect/sniff.ts'
import { isTar } from '#inspect/detect/tar.ts'
import { encodingOf } from '#inspect/detect/text.ts'
import { type Activity, createActivity } from './active/activity.ts'
import { findAttachments, findFonts, findPageContents } from './attachments.ts'
import { type Decrypt, readAccess } from './encryption/encryption.ts'
import { type Chain, filterChains } from './streams/filter-chains.ts'
import { decode, type Fault, hasOwnCipher } from './streams/filters.ts'
import { createRecoveryBudget, isExhausted, type RecoveryBudget } from './streams/flate.ts'
import { withPackedObjects } from './streams/object-streams.ts'
import { findStreams, type PdfStream } from './streams/streams.ts'
import { stringsOf } from './strings.ts'
import { decodedName } from './syntax/dictionary.ts'
import { isCutOff } from './syntax/ending.ts'
import { UNKNOWN_NUMBER } from './syntax/object-header.ts'
import { findObjects, hasObjects, OBJECT_HEADER, OBJECTS_MAX, type PdfObjects } from './syntax/objects.ts'

const HEADER = mark(['%PDF-'])
/** For every document, however small. */
const DOCUMENT_WORK = 150_000

export const pdf: Format = {
  among: { marks: [HEADER, OBJECT_HEADER] },
  // Some readers need no header, but the members of containers have their own objects.
  applies: (item) => pdfHeaderAt(item.bytes) !== -1 || (hasObjects(item) && !isZip(item.bytes) && !isOle2(item.bytes)),
  analyse(item, context) {
    charge(DOCUMENT_WORK)
    const found = findObjects(view(item.bytes).toString('latin1'))
    if (found === null) {
      context.addObstacle(item, 'too_complex', `It has more than ${OBJECTS_MAX} objects.`)
      return
    }
    if (isCutOff(item, found)) context.addObstacle(item, 'damaged', 'It ends before its end: the file was cut off.')
    const access = readAccess(found, context.passwordsFor(item))
    if (access.state !== 'open')
      context.addObstacle(item, access.state === 'locked' ? 'locked' : 'encrypted', access.detail)
    const decrypt = access.state === 'open' ? access.decrypt : null
    const objects = withPackedObjects(item.bytes, found, decrypt, recoveryOf(context), {
      streamsMax: context.limits.pdfStreamsMax,
    })
    // Object streams are encrypted too.
    const reason = access.state !== 'open' || decrypt !== null ? 'encrypted' : 'too_complex'
    if (objects === null) context.addObstacle(item, reason, 'Its object streams cannot be read.')
    const strings = stringsOf(objects ?? found, decrypt)
    if (strings.obstacle !== null) context.addObstacle(item, strings.obstacle, STRINGS[strings.obstacle])
    if (strings.bytes.length > 0) context.scan(item, 'strings', strings.bytes)
    const activity = createActivity(item, objects ?? found, decrypt, context)
    inspectStreams(item, objects ?? found, decrypt, activity, context)
    activity.conclude()
  },
}

/** One budget for all PDF files in a document. */
const recoveries = new WeakMap<Context, RecoveryBudget>()

function recoveryOf(context: Context): RecoveryBudget {
  const recovery = recoveries.get(context) ?? createRecoveryBudget()
  recoveries.set(context, recovery)
  return recovery
}

function inspectStreams(
  item: Item,
  objects: PdfObjects,
  decrypt: Decrypt | null,
  activity: Activity,
  context: Context,
): void {
  const isAttached = findAttachments(objects)
  const isPageContent = findPageContents(objects)
  const isFont = findFonts(objects)
  let count = 0
  for (const found of findStreams(item.bytes, objects)) {
    count += 1
    const stream =
      found === null ? null : { ...found, attached: isAttached(found.object), isPageContent, isFont, activity }
    if (stream === null) {
      context.addObstacle(item, 'too_complex', TOO_NESTED)
      return
    }
    if (count > context.limits.pdfStreamsMax) {
      context.addObstacle(item, 'too_complex', `It has more than ${context.limits.pdfStreamsMax} streams.`)
      return
    }
    for (const chain of filterChains(stream.values, objects)) inspectStream(item, stream, chain, decrypt, context)
    if (isExhausted(recoveryOf(context))) {
      context.addObstacle(item, 'too_complex', 'It has too many damaged streams.')
      return
    }
  }
}

const TOO_NESTED = 'Its dictionaries are nested too ambiguously to be read.'
const STRINGS = { too_complex: TOO_NESTED, encrypted: 'A string could not be decrypted.' }

interface Stream extends PdfStream {
  /** Referenced as a file, a script or a form. */
  attached: boolean
  isPageContent(object: number): boolean
  isFont(object: number): boolean
  activity: Activity
}

interface Reading {
  data: Uint8Array
  tail: Uint8Array | null
  /** Its bytes are not in the file as they are. */
  decrypted: boolean
}

function inspectStream(item: Item, stream: Stream, chain: Chain, decrypt: Decrypt | null, context: Context): void {
  const faults = readingsOf(item, stream, decrypt).map((reading) =>
    inspectReading(item, stream, chain, reading, context),
  )
  const path = [...item.path, `object ${stream.object}`]
  // The number is part of the key. A wrong key gives wrong data, not an error.
  const hasUnknownKey = decrypt !== null && stream.object === UNKNOWN_NUMBER
  if (hasUnknownKey || hasOwnCipher(filtersOf(chain)))
    context.addObstacle(item, 'encrypted', 'A stream could not be decrypted.', path)
  const [fault = null] = faults.includes(null) ? [] : faults
  if (fault === null || isDispensable(stream, fault)) return
  if (decrypt !== null && fault === 'damaged')
    context.addObstacle(item, 'encrypted', 'A stream could not be decrypted.', path)
  // Damaged page content was inspected as far as readers show it, but other programs may open an attachment.
  else if (fault !== 'damaged') context.addObstacle(item, 'too_complex', 'A stream uses an unsupported encoding.', path)
  else if (isEmbedded(stream) || stream.attached) context.addObstacle(item, fault, 'A stream is damaged.', path)
}

/** Decrypted and as stored, because some streams of an encrypted file are not encrypted. */
function readingsOf({ bytes }: Item, stream: PdfStream, decrypt: Decrypt | null): Reading[] {
  const { object, generation, start, end } = stream
  const stored = bytes.subarray(start, end)
  const clear = { data: stored, tail: bytes.subarray(start), decrypted: false }
  if (decrypt === null) return [clear]
  return [
    { data: decrypt(object, generation, stored, isEmbedded(stream) ? 'file' : 'stream'), tail: null, decrypted: true },
    clear,
  ]
}

/** Returns why not all of it was decoded. */
function inspectReading(item: Item, stream: Stream, chain: Chain, reading: Reading, context: Context): Fault | null {
  const remaining = context.budget.remaining()
  const result = decode(reading.data, reading.tail, filtersOf(chain), remaining, recoveryOf(context))
  if (result === 'too_large') {
    context.budget.spend(remaining, 'stream')
    context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
    return 'too_complex'
  }
  const name = `object ${stream.object}`
  const embedded = isEmbedded(stream)
  context.budget.spend(result.unpacked, 'stream')
  // Unfiltered data was scanned as part of the file, but containers are only recognised at their first byte.
  if (embedded || stream.attached || reading.decrypted || result.decoded || isContainer(result.bytes)) {
    if (result.unpacked === 0) context.budget.spend(result.bytes.length, 'stream')
    context.inspectMember(item, name, result.bytes)
  }
  const { values, object, start, end, activity } = stream
  activity.addStream({ values, object, start, end, isEmbedded: embedded }, result.bytes, textFiltersOf(chain))
  for (const other of result.others ?? [])
    if (context.chargeBytes(item, other.length, 'stream')) context.inspectMember(item, name, other)
  const disguised = result.picture === true && (embedded || stream.attached || !isPicture(stream))
  if (chain === 'unreadable') return 'undecodable'
  return chain === 'ambiguous' || disguised ? 'too_complex' : result.fault
}

const TEXT_FILTER = /^(?:ASCIIHexDecode|AHx|ASCII85Decode|A85)$/
const textFiltersOf = (chain: Chain): number => filtersOf(chain).filter(({ name }) => TEXT_FILTER.test(name)).length
const filtersOf = (chain: Chain) => (typeof chain === 'string' ? [] : chain)

function isEmbedded({ values }: PdfStream): boolean {
  return values.get('Type')?.some((type) => decodedName(type) === '/EmbeddedFile') ?? false
}

/**
 * Readers that cannot decode a picture, metadata, font or table of objects show the document without it. Metadata and
 * fonts may be extracted as files, so that what any reader decodes must have been inspected.
 */
function isDispensable(stream: Stream, fault: Fault): boolean {
  const { values, object } = stream
  if (isEmbedded(stream) || stream.attached || values.has('First')) return false
  // Every reading was inspected.
  if (fault === 'ambiguous') return true
  const isEvery = (key: string, name: string): boolean =>
    values.get(key)?.every((value) => decodedName(value) === name) ?? false
  const isImage = isEvery('Subtype', '/Image') && values.has('Width') && values.has('Height')
  const isMetadata = isEvery('Type', '/Metadata') && isEvery('Subtype', '/XML')
  // Readers that cannot decode the table search for objects, as this analyser does.
  const isTable = isEvery('Type', '/XRef') && values.has('W')
  const isFile = (isMetadata || stream.isFont(object)) && fault !== 'too_complex'
  if (!isImage && !isTable && !isFile) return false
  return !stream.isPageContent(object)
}

/** Some readers decode scripts and attachments with picture filters. Thumbnails may omit the subtype. */
function isPicture({ values }: PdfStream): boolean {
  const isImage = values.get('Subtype')?.every((type) => decodedName(type) === '/Image') ?? false
  return isImage || (values.has('Width') && values.has('Height'))
}

const DOCUMENTS: ReadonlySet<Kind | null> = new Set(['pdf', 'ole2', 'ooxml', 'odf', 'rtf', 'onenote', 'zip'])

/** Embedded files may omit their type. Uses only the first bytes, because it runs for every stream. */
function isContainer(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEAD_BYTES)
  const type = binaryType(bytes)
  const { kind } = sniff(head)
  // The rules do not match UTF-16 text within the file.
  if (kind === 'text' && encodingOf(head)?.startsWith('utf-16')) return true
  return (
    (type !== null && roleOf(type) !== 'other') || lzmaHeaderOf(head) !== null || isTar(head) || DOCUMENTS.has(kind)
  )
}
