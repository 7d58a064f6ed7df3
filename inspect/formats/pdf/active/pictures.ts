/** Pictures and texts of PDF pages: searches the pictures for QR codes. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { searchShapes } from '#inspect/judge/pictures/canvas.ts'
import { codesIn, codesOfPieces, type Found, isPicture, search } from '#inspect/judge/pictures/codes.ts'
import { sampleOf } from '#inspect/judge/pictures/png.ts'
import { shownText } from '#inspect/judge/pictures/pretexts.ts'
import type { Raster } from '#inspect/judge/pictures/raster.ts'
import { mayBeBeside, recordText, recordTextApart, reportPicture } from '#inspect/judge/pictures/report.ts'
import { decodedName } from '../syntax/dictionary.ts'
import type { PdfObjects } from '../syntax/objects.ts'
import { createValueReader, type PdfValue } from '../syntax/value-tree.ts'
import { readString } from '../syntax/values.ts'
import type { PdfDocument } from './document.ts'
import { inlinePictures } from './inline-pictures.ts'
import { shapesIn } from './shapes.ts'

type Values = ReadonlyMap<string, readonly string[]>

const POINT_WORK = 10
/** Filters whose pictures are not read. */
const UNREAD = /\/(JPX|JBIG2|CCITTFax)Decode|\/(CCF)\b/

export function createPictureSearch(item: Item, objects: PdfObjects, document: PdfDocument, context: Context) {
  let hasCode = false
  const pages: string[] = []
  let length = 0
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
    return search(head, () => rasterOf(width, height, bits, bytes, paletteOf(values)), context)
  }

  /** The colours that numbers stand for; null: the numbers are the colours. */
  function paletteOf(values: Values): Uint8Array | null {
    const space = entryOf(values, 'ColorSpace', 'CS')
    const [kind, , , colours] = space?.kind === 'list' ? space.items : []
    const isIndexed = kind?.kind === 'name' && /^(?:Indexed|I)$/.test(kind.name)
    return isIndexed && colours?.kind === 'text' ? colours.bytes : null
  }

  function report(found: Found): void {
    hasCode ||= typeof found !== 'string' && found.length > 0
    reportPicture(item, found, context)
  }

  return {
    /** Every decoded stream. */
    add(values: Values, bytes: Uint8Array): void {
      if (isImage(values)) report(pictureOf(values, bytes))
      else if (isContent(values) && length < PAGES_MAX && !isBinary(bytes)) {
        const part = bytes.subarray(0, PAGES_MAX - length)
        length += part.length
        pages.push(view(part).toString('latin1'))
      }
    },
    /** `written`: what the pages say as readers see it; null if it is not known. */
    conclude(written: () => string | null): void {
      const content = pages.join('\n')
      for (const { values, bytes } of inlinePictures(content, objects)) report(pictureOf(values, bytes))
      const drawn = searchShapes(shapesIn(content), context)
      // A drawing that is no code is nothing to report.
      if (typeof drawn !== 'string') report(drawn)
      if (!hasCode) report(codesOfPieces(context))
      const isApart = !hasCode && mayBeBeside(item, context)
      if (!hasCode && !isApart) return
      const text = written()
      if (isApart) recordTextApart(item, () => shownText(text ?? ''), context)
      else recordText(item, () => shownText(text?.trim() ? text : textIn(content)), context)
    },
  }
}

/** Programs of fonts begin so, and no content of a page. */
const BINARY_HEAD = 64
const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, BINARY_HEAD).includes(0)

/** Content of pages that is kept until all pictures are known. */
const PAGES_MAX = 262_144

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

/** Brightness of the points. How many samples each has follows from the length of the data. */
function rasterOf(
  width: number,
  height: number,
  bits: number,
  bytes: Uint8Array,
  palette: Uint8Array | null,
): Raster | null {
  const channels = Math.min(4, Math.floor((bytes.length * 8) / (height * width * bits)))
  if (channels < 1) return null
  charge(width * height * POINT_WORK)
  const rowBytes = Math.ceil((width * channels * bits) / 8)
  const data = new Uint8Array(width * height).fill(255)
  const most = 2 ** Math.min(8, bits) - 1
  for (let y = 0; y < height; y++) {
    const line = bytes.subarray(y * rowBytes, (y + 1) * rowBytes)
    if (bits >= 8) {
      readLine(line, data.subarray(y * width, (y + 1) * width), channels, bits / 8, palette)
      continue
    }
    const sample = (at: number): number => sampleOf(line, at, bits)
    for (let x = 0; x < width; x++) data[y * width + x] = shadeOf(sample, x * channels, channels, most, palette)
  }
  return { width, height, data }
}

/** The same as `shadeOf` for samples of whole bytes, as nearly all pictures have. `step`: bytes of one. */
function readLine(
  line: Uint8Array,
  into: Uint8Array,
  channels: number,
  step: number,
  palette: Uint8Array | null,
): void {
  for (let x = 0; x < into.length; x++) {
    const at = x * channels * step
    const first = line[at] ?? 255
    if (channels >= 3) into[x] = colourAt(line, at, step, channels)
    else into[x] = palette === null || channels > 1 ? first : colourAt(palette, first * 3, 1, 0)
  }
}

/** `channels`: 0 for a palette, whose missing colours are black. */
function colourAt(line: Uint8Array, at: number, step: number, channels: number): number {
  const missing = channels === 0 ? 0 : 255
  const shade = brightness(line[at] ?? missing, line[at + step] ?? missing, line[at + 2 * step] ?? missing)
  return channels === 4 ? 255 - Math.min(255, shade + (line[at + 3 * step] ?? missing)) : shade
}

const brightness = (red: number, green: number, blue: number): number => (2 * red + 5 * green + blue) >> 3

function shadeOf(
  sample: (at: number) => number,
  at: number,
  channels: number,
  most: number,
  palette: Uint8Array | null,
): number {
  if (palette !== null && channels === 1) {
    const start = sample(at) * 3
    return brightness(palette[start] ?? 0, palette[start + 1] ?? 0, palette[start + 2] ?? 0)
  }
  if (channels < 3) return (sample(at) * 255) / most
  const shade = brightness(sample(at), sample(at + 1), sample(at + 2))
  return channels === 3 ? (shade * 255) / most : 255 - Math.min(255, ((shade + sample(at + 3)) * 255) / most)
}
