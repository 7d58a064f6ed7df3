/** Carves files out of texts: Base64 and percent-encoding in data URLs, XML, calendars and scripts. */

import { unreferenced } from '#inspect/codecs/character-references.ts'
import { partsOf } from '#inspect/codecs/mime-parts.ts'
import { decodeBase64Variants } from '#inspect/codecs/transfer-encodings.ts'
import { expandEntities } from '#inspect/codecs/xml-entities.ts'
import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import type { Survey } from '#inspect/core/matcher/classes.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { roleOf } from '#inspect/detect/magic.ts'
import { binaryType, isOle2, isZip } from '#inspect/detect/sniff.ts'
import { findProgram } from '#inspect/detect/windows-program.ts'
import { bodiesOf, CHUNK, digitElementsOf, elementText, isReadAsText, mayDeclareBase64 } from './bodies.ts'
import { byteListsOf } from './byte-lists.ts'
import { DATA_SCHEME, dataUrlsOf } from './data-urls.ts'
import { decodeRun, isWholeElement, longRunsOf } from './long-runs.ts'
import { createPieces, type Pieces } from './pieces.ts'
import { mayHaveReadings, type Reading, readingsOf, wholeOf } from './readings.ts'
import { FILE_START, runsOf } from './runs.ts'
import { signsIn } from './signs.ts'
import { surveyOf } from './survey.ts'
import { percentDecoded, unescaped } from './unescaped.ts'
import { wholeFilesOf } from './whole.ts'

const EMPTY = new Uint8Array()
const SEMICOLON = 0x3b

export const base64: Format = {
  // Archive programs and scripts decode Base64 without any declaration, so every text is searched.
  applies: () => true,
  analyse(item, context) {
    const pieces = createPieces(item, context)
    if (inspectWhole(item, pieces, context) && inspectParts(item, pieces, context)) pieces.end()
  },
}

/** Like all below: false means that the budget is spent. */
function inspectWhole(item: Item, pieces: Pieces, context: Context): boolean {
  const remaining = context.budget.remaining()
  const files = wholeFilesOf(item.bytes, remaining)
  if (files === null) context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
  return files?.every((file) => pieces.add(item.bytes.length, [file])) ?? false
}

function inspectParts(item: Item, pieces: Pieces, context: Context): boolean {
  const isText = isReadAsText(item)
  // Created on demand: most items need none of this, and large strings are slow to collect.
  let made: string | undefined
  const text = (): string => {
    made ??= view(item.bytes).toString('latin1')
    return made
  }
  const known = new Set<number>()
  if (mayDeclareBase64(item) && !inspectDeclared(item, text(), known, pieces, context)) return false
  if (item.has(DATA_SCHEME) && (isText || item.mentions('dataUrl')) && !inspectDataUrls(text(), pieces)) return false
  const survey = surveyOf(item.bytes)
  if (!inspectRuns(item, text, known, pieces) || !inspectLongRuns(item.bytes, survey, known, pieces)) return false
  if (item.mentions('bytes') && !inspectByteLists(item.bytes, pieces)) return false
  if (!isText || !mayHaveReadings(item, survey)) return true
  return inspectElements(item.bytes, pieces) && inspectReadings(item, text(), pieces, context)
}

/** false: the budget is spent. */
function inspectDeclared(item: Item, text: string, known: Set<number>, pieces: Pieces, context: Context): boolean {
  const chunks: Chunk[] = []
  for (const { start, end, element, unclear } of bodiesOf(text)) {
    if (unclear) context.addObstacle(item, 'too_complex', 'The parameters in front of Base64 data are too long.')
    known.add(start)
    const content = text.slice(start, end)
    const body = element === null ? content : elementText(content)
    if (body === null) context.addObstacle(item, 'too_complex', 'Base64 data contains an XML entity.')
    const bytes = ascii(body ?? content)
    const files = decodeBase64Variants(unescaped(bytes))
    if (element === CHUNK) chunks.push({ digits: bytes, file: files[0] ?? EMPTY })
    if (!pieces.add(bytes.length, files)) return false
  }
  return chunks.length < 2 || inspectChunks(chunks, pieces)
}

interface Chunk {
  digits: Uint8Array
  file: Uint8Array
}

/** A PDF may be split into chunks, before or after encoding. */
function inspectChunks(chunks: readonly Chunk[], pieces: Pieces): boolean {
  const digits = Buffer.concat(chunks.map((chunk) => chunk.digits))
  const joined = Buffer.concat(chunks.map(({ file }) => file))
  return pieces.add(digits.length, [joined, ...decodeBase64Variants(unescaped(digits))])
}

function inspectDataUrls(text: string, pieces: Pieces): boolean {
  for (const { start, end } of dataUrlsOf(text)) {
    const written = text.slice(start, end)
    const content = unreferenced(written).replace(/[\t\r\n]+/g, '')
    const file = percentDecoded(ascii(content))
    // Signs that escape nothing, as in a script with a property of this name: it would be found in itself again and again.
    if (file.length === written.length) continue
    if (!pieces.add(end - start, [file])) return false
  }
  return true
}

/** Skips declared Base64 and mail parts, which are inspected elsewhere. false: the budget is spent. */
function inspectRuns(item: Item, text: () => string, known: Set<number>, pieces: Pieces): boolean {
  if (item.mentions('mail'))
    for (const { starts } of partsOf(text(), (encoding) => encoding === 'base64'))
      for (const start of starts) known.add(start)
  if (!item.has(FILE_START)) return true
  for (const { start, end } of runsOf(item.bytes)) {
    if (known.has(start)) continue
    known.add(start)
    if (!inspectRun(item.bytes.subarray(start, end), pieces)) return false
  }
  return true
}

function inspectRun(run: Uint8Array, pieces: Pieces): boolean {
  const files = decodeBase64Variants(unescaped(run))
  // `MZ` alone is too short to indicate a program.
  if (files.some((file) => file[0] === 0x4d && file[1] === 0x5a && file[2] !== 0x43 && findProgram(file) !== 0))
    return true
  return pieces.add(run.length, files)
}

/** Content that no signature identifies is only scanned, except in XML elements with nothing else in them. */
function inspectLongRuns(bytes: Uint8Array, survey: Survey, known: ReadonlySet<number>, pieces: Pieces): boolean {
  for (const { start, end } of longRunsOf(bytes, survey)) {
    if (known.has(start)) continue
    const decoded = decodeRun(bytes, start, end)
    // After an escaped line end, it continues another run.
    const isFirst = bytes[start - 1] !== SEMICOLON
    const isFile = isWholeElement(bytes, start, end) || (isFirst && isKnownFile(decoded))
    // The decoded bytes are overwritten by the next run.
    if (!(isFile ? pieces.add(end - start, [Buffer.from(decoded)]) : pieces.collect(decoded))) return false
  }
  return true
}

function inspectByteLists(bytes: Uint8Array, pieces: Pieces): boolean {
  for (const { start, end, file } of byteListsOf(bytes)) if (!pieces.add(end - start, [file])) return false
  return true
}

/** Elements with nothing but digits, in lines of any length. */
function inspectElements(bytes: Uint8Array, pieces: Pieces): boolean {
  for (const content of digitElementsOf(view(bytes))) {
    const files = decodeBase64Variants(ascii(content))
    if (!(files.some(isKnownFile) ? pieces.add(content.length, files) : files.every(pieces.collect))) return false
  }
  return true
}

/** Signatures of two bytes, which some random texts begin with. */
const WEAK = new Set([
  'application/x-compress',
  'application/x-gzip-old',
  'application/x-sco-lzh',
  'application/x-pack',
])
const PDF_START = ascii('%PDF-')

function isKnownFile(bytes: Uint8Array): boolean {
  const type = binaryType(bytes) ?? ''
  const role = WEAK.has(type) ? null : roleOf(type)
  return role === 'archive' || role === 'executable' || isZip(bytes) || isOle2(bytes) || startsWith(bytes, PDF_START)
}

/** Searches the text again as browsers, scripts and XML readers see it. false: the budget is spent. */
function inspectReadings(item: Item, text: string, pieces: Pieces, context: Context): boolean {
  const expanded = expandEntities(text)
  if (expanded === null) context.addObstacle(item, 'too_complex', 'Its XML entities expand to too much text.')
  else if (expanded !== text && !inspectReading(item, wholeOf(expanded), pieces, context)) return false
  for (const reading of readingsOf(expanded ?? text)) if (!inspectReading(item, reading, pieces, context)) return false
  return true
}

function inspectReading(item: Item, { bytes, onlyUrls }: Reading, pieces: Pieces, context: Context): boolean {
  if (!context.chargeReading(item, bytes.length)) return false
  if (onlyUrls) return inspectDataUrls(bytes.toString('latin1'), pieces)
  const known = new Set<number>()
  const { declares, hasDataUrl, hasStart } = signsIn(bytes)
  const text = declares || hasDataUrl ? bytes.toString('latin1') : ''
  if (declares && !inspectDeclared(item, text, known, pieces, context)) return false
  if (hasDataUrl && !inspectDataUrls(text, pieces)) return false
  if (hasStart)
    for (const { start, end } of runsOf(bytes))
      if (!known.has(start) && !inspectRun(bytes.subarray(start, end), pieces)) return false
  return inspectLongRuns(bytes, surveyOf(bytes), known, pieces)
}
