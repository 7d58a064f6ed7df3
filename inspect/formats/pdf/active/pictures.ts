/** Pictures and texts of PDF pages: searches the pictures for QR codes. */

import type { Context, Item } from '#inspect/core/format.ts'
import { ownOf } from '#inspect/core/own.ts'
import { charge } from '#inspect/core/work.ts'
import { searchShapes } from '#inspect/judge/pictures/canvas.ts'
import { codesIn, codesOfPieces, type Found, isPicture, search } from '#inspect/judge/pictures/codes.ts'
import { shownText } from '#inspect/judge/pictures/pretexts.ts'
import { mayBeBeside, recordText, recordTextApart, reportPicture } from '#inspect/judge/pictures/report.ts'
import { searchText } from '#inspect/judge/pictures/text-art.ts'
import { decodedName } from '../syntax/dictionary.ts'
import type { PdfObjects } from '../syntax/objects.ts'
import { createValueReader, type PdfValue } from '../syntax/value-tree.ts'
import { readString } from '../syntax/values.ts'
import type { PdfDocument } from './document.ts'
import { inlinePictures } from './inline-pictures.ts'
import { createPageContents } from './page-contents.ts'
import { POINT_WORK, rasterOf, shadesOf } from './rasters.ts'
import { shapesIn } from './shapes.ts'
import { createWaitingPictures, type Values } from './waiting-pictures.ts'

/** Filters whose pictures are not read. */
const UNREAD = /\/(JPX|JBIG2|CCITTFax)Decode|\/(CCF)\b/

/** Samples of a colour. */
const CHANNELS: Readonly<Record<string, number>> = {
  ...{ DeviceGray: 1, CalGray: 1, G: 1, DeviceRGB: 3, CalRGB: 3, RGB: 3, Lab: 3, DeviceCMYK: 4, CMYK: 4 },
}

export function createPictureSearch(item: Item, objects: PdfObjects, document: PdfDocument, context: Context) {
  let hasCode = false
  const contents = createPageContents(objects, document)
  const waiting = createWaitingPictures()
  const entryOf = (values: Values, key: string, short: string): PdfValue | undefined => {
    const source = (values.get(key) ?? values.get(short))?.at(-1)
    return source === undefined ? undefined : document.resolve(createValueReader(source, null).valueAt(0))[0]
  }

  function pictureOf(values: Values, bytes: Uint8Array) {
    const numberOf = (key: string, short: string): number => {
      const value = entryOf(values, key, short)
      return value?.kind === 'other' ? Number(value.text) : Number.NaN
    }
    if (isPicture(bytes)) return codesIn(bytes, context)
    const filter = UNREAD.exec(values.get('Filter')?.join(' ') ?? '')
    if (filter !== null) return 'of another kind' as const
    const [width, height] = [numberOf('Width', 'W'), numberOf('Height', 'H')]
    const bits = values.has('ImageMask') ? 1 : numberOf('BitsPerComponent', 'BPC')
    if (!(width > 0 && height > 0 && [1, 2, 4, 8, 16].includes(bits))) return []
    const head = { width, height, unpackedBytes: bytes.length, work: width * height * POINT_WORK }
    return search(head, () => rasterOf(width, height, bits, bytes, shadesIn(values)), context)
  }

  /** The table of colours by number; null: the numbers are the colours. */
  function tableOf(values: Values): { base: PdfValue | undefined; last: number; colours: PdfValue | undefined } | null {
    const space = entryOf(values, 'ColorSpace', 'CS')
    const [kind, base, last, colours] = space?.kind === 'list' ? space.items : []
    const isIndexed = kind?.kind === 'name' && /^(?:Indexed|I)$/.test(kind.name)
    return isIndexed ? { base, last: last?.kind === 'other' ? Number(last.text) : Number.NaN, colours } : null
  }

  function coloursOf(colours: PdfValue | undefined): Uint8Array | null {
    const [found] = colours === undefined ? [] : document.resolve(colours)
    if (found?.kind === 'text') return found.bytes
    return colours === undefined ? null : waiting.tableOf(document.numbers([colours]))
  }

  function shadesIn(values: Values): Uint8Array | null {
    const table = tableOf(values)
    const colours = table === null ? null : coloursOf(table.colours)
    if (table === null || colours === null) return null
    const [base] = table.base === undefined ? [] : document.resolve(table.base)
    const known = base?.kind === 'name' ? ownOf(CHANNELS, base.name) : undefined
    return shadesOf(colours, known ?? (Math.min(4, Math.floor(colours.length / (table.last + 1))) || 3))
  }

  const mustWait = (values: Values): boolean => {
    const table = tableOf(values)
    return table?.colours?.kind === 'reference' && coloursOf(table.colours) === null
  }

  function report(found: Found): void {
    hasCode ||= typeof found !== 'string' && found.length > 0
    reportPicture(item, found, context)
  }

  /** What is known only when all streams are. */
  function searchRest(): void {
    const drawings = contents.drawings()
    for (const { values, bytes } of [...waiting.all(), ...inlinePictures(drawings.join('\n'), objects)])
      report(pictureOf(values, bytes))
    for (const drawing of drawings) {
      const drawn = searchShapes(shapesIn(drawing), context)
      // A drawing that is no code is nothing to report.
      if (typeof drawn !== 'string') report(drawn)
    }
  }

  return {
    /** Every decoded stream. */
    add(object: number, values: Values, bytes: Uint8Array): void {
      waiting.addTable(object, bytes)
      if (isContent(values) && !isBinary(bytes)) contents.add(object, bytes)
      else if (isImage(values) && !(mustWait(values) && waiting.add(values, bytes))) report(pictureOf(values, bytes))
    },
    /** `written`: what the pages say as readers see it; null if it is not known. `drawings`: texts that may be a code. */
    conclude(written: () => string | null, drawings: Iterable<string>): void {
      searchRest()
      for (const text of drawings) {
        const drawn = searchText(text, context)
        if (typeof drawn !== 'string') report(drawn)
      }
      if (!hasCode) report(codesOfPieces(context))
      const isApart = !hasCode && mayBeBeside(item, context)
      if (!hasCode && !isApart) return
      const text = written()
      if (isApart) recordTextApart(item, () => shownText(text ?? ''), context)
      else recordText(item, () => shownText(text?.trim() ? text : textIn(contents.text())), context)
    },
  }
}

/** Programs of fonts begin so, and no content of a page. */
const BINARY_HEAD = 64
const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, BINARY_HEAD).includes(0)

function isImage(values: Values): boolean {
  return values.get('Subtype')?.some((type) => decodedName(type) === '/Image') ?? false
}

function isContent(values: Values): boolean {
  const isForm = values.get('Subtype')?.some((type) => decodedName(type) === '/Form') ?? false
  return (
    isForm || (!values.has('Type') && !values.has('Subtype') && !values.has('Length1') && !values.has('FunctionType'))
  )
}

/**
 * Texts of pages, with those of one operator as one word or more. Of coded texts, the number is known. An escaped
 * bracket outside of a text begins none: without that, each one of a long row would be searched for its end.
 */
const SHOWN = /\\[\s\S]|\((?:[^()\\]|\\[\s\S]){1,2000}\)|<[0-9a-fA-F\s]{2,2000}>|-?\d{3,5}(?=\s*[(<])|\bT[jJ*dD]\b/g
/** Digits of a coded word. */
const CODED_WORD = 24

function textIn(content: string): string {
  charge(content.length * POINT_WORK)
  let text = ''
  for (const [token] of content.matchAll(SHOWN)) {
    if (token.startsWith('\\')) continue
    if (token.startsWith('(')) text += readString(token)?.toString('latin1') ?? ''
    else if (token.startsWith('<')) text += ' xx'.repeat(Math.ceil(token.length / CODED_WORD))
    else text += ' '
  }
  return text
}
