/** Carves files out of texts: Base64 and percent-encoding in data URLs, XML, calendars and scripts. */

import { hash } from 'node:crypto'
import { partsOf } from '#inspect/codecs/mime-parts.ts'
import { decodeBase64Variants } from '#inspect/codecs/transfer-encodings.ts'
import { ascii, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { findProgram } from '#inspect/detect/windows-program.ts'
import { bodiesOf, elementText, mayDeclareBase64, mentionsBase64 } from './bodies.ts'
import { dataUrlsOf } from './data-urls.ts'
import { isWholeElement, longRunsOf } from './long-runs.ts'
import { readingsOf, unreferenced } from './readings.ts'
import { runsOf } from './runs.ts'
import { percentDecoded, unescaped } from './unescaped.ts'
import { standardDigits, wholeFilesOf } from './whole.ts'

/** Pieces up to this length are too short for a file. Pages have thousands, so the rules scan them together. */
export const TINY_MAX = 63
/** Past this count, tiny pieces are charged like others. */
export const TINY_COUNT_MAX = 50_000

/** Work for each piece and for each of its bytes, and memory for each piece. */
const PIECE_WORK = 1_500
const BYTE_WORK = 4
const ENTRY_BYTES = 120

export const base64: Format = {
  // Archive programs and scripts decode Base64 without any declaration, so every text is searched.
  applies: () => true,
  analyse(item, context) {
    const pieces = createPieces(item, context)
    if (inspectWhole(item, pieces) && inspectParts(item, pieces, context)) pieces.end()
  },
}

/** Like all below: false means that the budget is spent. */
function inspectWhole({ bytes }: Item, pieces: Pieces): boolean {
  return wholeFilesOf(bytes).every((file) => pieces.add(bytes.length, [file]))
}

function inspectParts(item: Item, pieces: Pieces, context: Context): boolean {
  const isText = item.sniffed.kind === 'text' || item.mentions('markup')
  // Created on demand: most items need none of this, and large strings are slow to collect.
  let made: string | undefined
  const text = (): string => {
    made ??= view(item.bytes).toString('latin1')
    return made
  }
  const known = new Set<number>()
  const declared = item.mentions('base64') || (isText && mayDeclareBase64(view(item.bytes)))
  if (declared && !inspectDeclared(item, text(), known, pieces, context)) return false
  if ((isText || item.mentions('dataUrl')) && !inspectDataUrls(text(), pieces)) return false
  if ((isText || declared) && !inspectRuns(item, text, known, pieces)) return false
  if (!isText) return true
  return inspectLongRuns(item.bytes, known, pieces) && inspectReadings(item, text(), pieces, context)
}

/** false: the budget is spent. */
function inspectDeclared(item: Item, text: string, known: Set<number>, pieces: Pieces, context: Context): boolean {
  for (const { start, end, element, unclear } of bodiesOf(text)) {
    if (unclear) context.addObstacle(item, 'too_complex', 'The parameters in front of Base64 data are too long.')
    known.add(start)
    const content = text.slice(start, end)
    const body = element ? elementText(content) : content
    if (body === null) context.addObstacle(item, 'too_complex', 'Base64 data contains an XML entity.')
    const bytes = ascii(body ?? content)
    if (!pieces.add(bytes.length, decodeBase64Variants(unescaped(bytes)))) return false
  }
  return true
}

function inspectDataUrls(text: string, pieces: Pieces): boolean {
  for (const { start, end } of dataUrlsOf(text)) {
    const content = unreferenced(text.slice(start, end)).replace(/[\t\r\n]+/g, '')
    if (!pieces.add(end - start, [percentDecoded(ascii(content))])) return false
  }
  return true
}

/** Skips declared Base64 and mail parts, which are inspected elsewhere. false: the budget is spent. */
function inspectRuns(item: Item, text: () => string, known: Set<number>, pieces: Pieces): boolean {
  let parts: Set<number> | null = null
  for (const { start, end } of runsOf(item.bytes)) {
    parts ??= new Set([...partsOf(text(), (encoding) => encoding === 'base64')].flatMap(({ starts }) => starts))
    if (known.has(start) || parts.has(start)) continue
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
function inspectLongRuns(bytes: Uint8Array, known: ReadonlySet<number>, pieces: Pieces): boolean {
  for (const { start, end } of longRunsOf(bytes)) {
    if (known.has(start)) continue
    const files = decodeBase64Variants(standardDigits(bytes.subarray(start, end)))
    if (!isWholeElement(bytes, start, end)) files.forEach(pieces.collect)
    else if (!pieces.add(end - start, files)) return false
  }
  return true
}

/** Searches the text again as browsers, scripts and XML readers see it. false: the budget is spent. */
function inspectReadings(item: Item, text: string, pieces: Pieces, context: Context): boolean {
  for (const reading of readingsOf(text)) {
    if (!context.chargeReading(item, reading.length)) return false
    if (!inspectReading(item, reading, pieces, context)) return false
  }
  return true
}

function inspectReading(item: Item, text: string, pieces: Pieces, context: Context): boolean {
  const bytes = ascii(text)
  const known = new Set<number>()
  if (mentionsBase64(text) && !inspectDeclared(item, text, known, pieces, context)) return false
  if (!inspectDataUrls(text, pieces)) return false
  for (const { start, end } of runsOf(bytes))
    if (!known.has(start) && !inspectRun(bytes.subarray(start, end), pieces)) return false
  return inspectLongRuns(bytes, known, pieces)
}

interface Pieces {
  /** Inspects the readings of a piece of this length, unless it was inspected before. false: the budget is spent. */
  add(length: number, files: readonly Uint8Array[]): boolean
  /** Remembers bytes for the scan at the end. */
  collect(bytes: Uint8Array): void
  /** Scans the tiny pieces and what was collected. */
  end(): void
}

function createPieces(item: Item, context: Context): Pieces {
  const take = createPieceBudget(item, context)
  const seen = new Set<string>()
  const tiny = new Set<string>()
  let count = 0
  const isNew = (bytes: Uint8Array): boolean => bytes.length > 0 && seen.size < seen.add(hash('sha256', bytes)).size
  const collect = (bytes: Uint8Array): void => {
    keep(ENTRY_BYTES + bytes.length)
    tiny.add(view(bytes).toString('latin1'))
  }
  return {
    add(length, files) {
      charge(PIECE_WORK + length * BYTE_WORK)
      const isTiny = length <= TINY_MAX && count < TINY_COUNT_MAX
      if (isTiny) {
        count += 1
        for (const bytes of files) collect(bytes)
        return true
      }
      const added = files.filter(isNew)
      if (added.length === 0) return true
      if (!take(length)) return false
      for (const bytes of added) context.inspectMember(item, '(in Base64)', bytes)
      return true
    },
    collect,
    end() {
      tiny.delete('')
      if (tiny.size > 0) context.scan(item, '(in Base64)', ascii([...tiny].join('\n')))
    },
  }
}
