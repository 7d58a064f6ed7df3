/** Searches pictures for QR codes, within limits that are read from their heads. */

import { _QRScanner as Decoder } from 'qr/decode.js'
import type { Context } from '#inspect/core/format.ts'
import { apart, charge, spent } from '#inspect/core/work.ts'
import { bitmapHead, isBitmap, readBitmap } from './bitmap.ts'
import { type Likely, likelyCode } from './finders.ts'
import { gifHead, isGif, readGif } from './gif.ts'
import { BLACK, isJpeg, isPrinted, jpegHead, readJpeg } from './jpeg.ts'
import { joinedPieces, keepPiece } from './pieces.ts'
import { isPng, pngHead, readPng } from './png.ts'
import { contrasted, enlarged, mirrored, SIDE_MAX as RASTER_SIDE_MAX, type Raster, reduced } from './raster.ts'

export const POINTS_MAX = 16_000_000
export const PICTURES_MAX = 24
/** Points of a side. The smallest code has 21. */
export const SIDE_MIN = 21
export const SIDE_MAX = 8_000
/** Bytes of a picture that is unpacked. */
export const UNPACKED_MAX = 48_000_000
/** Work for all pictures of a document. */
export const PICTURES_WORK_MAX = 400_000_000

/** Why a picture was not searched. */
type Unread = 'too large' | 'too many' | 'damaged' | 'of another kind'

/** Texts of the codes in a picture, or why it was not searched. */
export type Found = readonly string[] | Unread

/** What the head of a picture says. */
interface Head {
  width: number
  height: number
  unpackedBytes: number
  /** Work for reading it. */
  work: number
}

interface Left {
  pictures: number
  work: number
  /** By their bytes: a picture of a PDF is an item as well. */
  known: WeakMap<Uint8Array, Found>
}

const budgets = new WeakMap<Context, Left>()

function leftOf(context: Context): Left {
  const left = budgets.get(context) ?? { pictures: PICTURES_MAX, work: PICTURES_WORK_MAX, known: new WeakMap() }
  budgets.set(context, left)
  return left
}

/** Work for each point that is searched and decoded. */
export const SEARCH_WORK = 25
const DECODE_WORK = 25

/** null: within the limits. `small`: nothing can be in it. */
function refusalOf({ width, height, unpackedBytes, work }: Head, left: Left): Unread | 'small' | null {
  if (Math.min(width, height) < SIDE_MIN) return 'small'
  if (Math.max(width, height) > SIDE_MAX || width * height > POINTS_MAX || unpackedBytes > UNPACKED_MAX)
    return 'too large'
  return left.pictures < 1 || left.work < work + searchedPoints(width, height) * SEARCH_WORK ? 'too many' : null
}

function searchedPoints(width: number, height: number): number {
  return (width * height) / Math.ceil(Math.max(width, height) / RASTER_SIDE_MAX) ** 2
}

interface Kind {
  is(bytes: Uint8Array): boolean
  head(bytes: Uint8Array): Head | null
  read(bytes: Uint8Array, workMax: number): Raster | null
}

const KINDS: readonly Kind[] = [
  { is: isPng, head: pngHead, read: readPng },
  { is: isJpeg, head: jpegHead, read: readJpeg },
  { is: isGif, head: gifHead, read: readGif },
  { is: isBitmap, head: bitmapHead, read: readBitmap },
]

export const isPicture = (bytes: Uint8Array): boolean => KINDS.some(({ is }) => is(bytes))

export function codesIn(bytes: Uint8Array, context: Context): Found {
  const { known } = leftOf(context)
  const found = known.get(bytes) ?? searchIn(bytes, context)
  known.set(bytes, found)
  return found
}

function searchIn(bytes: Uint8Array, context: Context): Found {
  const kind = KINDS.find(({ is }) => is(bytes))
  const found = search(kind?.head(bytes) ?? null, (workMax) => kind?.read(bytes, workMax) ?? null, context)
  if (found.length > 0 || !isPrinted(bytes)) return found
  return search(jpegHead(bytes), (workMax) => readJpeg(bytes, workMax, BLACK), context)
}

/** `head`: null if it cannot be read. `read` returns null for a damaged picture, or past its work. */
export function search(head: Head | null, read: (workMax: number) => Raster | null, context: Context): Found {
  if (head === null) return 'of another kind'
  const left = leftOf(context)
  const refusal = refusalOf(head, left)
  if (refusal !== null) return refusal === 'small' ? [] : refusal
  const before = spent()
  const found = apart(left.work, (): Found => {
    const raster = read(left.work)
    if (raster === null) return 'damaged'
    const small = contrasted(reduced(raster))
    const texts = textsIn(small, left.work - (spent() - before))
    if (texts.length === 0) keepPiece(small, context)
    return texts
  })
  left.pictures -= 1
  left.work -= spent() - before
  return found
}

/** Of pictures that together are one. After all others. */
export function codesOfPieces(context: Context): readonly string[] {
  for (const raster of joinedPieces(context)) {
    const { width, height, data } = raster
    const found = search({ width, height, unpackedBytes: data.length, work: 0 }, () => raster, context)
    if (typeof found !== 'string' && found.length > 0) return found
  }
  return []
}

/** Points of a picture that is also read from behind. */
const BEHIND_MAX = 300_000

/** A picture with fewer points may have one for each square of a code. */
const TINY = 120
const MARGIN = 24

function textsIn(given: Raster, workMax: number): Found {
  const likely = likelyCode(given)
  if (likely === null) return []
  const attempts = attemptsOf(given, likely)
  const points = attempts.reduce((sum, { data }) => sum + data.length, 0)
  if (points * DECODE_WORK > workMax) return 'too many'
  let isFull = false
  for (const attempt of attempts) {
    const text = decoded(attempt)
    if (typeof text === 'string') return [text]
    isFull ||= text === FULL
  }
  if (isFull) return 'too many'
  // Phones read a code from behind as well.
  const [last] = attempts.slice(-1)
  const isTried = likely.isClear && last !== undefined && last.data.length <= BEHIND_MAX
  const text = isTried && (points + BEHIND_MAX) * DECODE_WORK <= workMax ? decoded(mirrored(last)) : null
  return typeof text === 'string' ? [text] : []
}

/** Larger pictures are pages, on which a code is not at the edge. */
const MARGIN_SIDE_MAX = 800

/** A code may have no margin, and one that is not decoded as it is may be with a margin. */
function attemptsOf(raster: Raster, { dark, light }: Likely): Raster[] {
  const isTiny = Math.min(raster.width, raster.height) < TINY
  if (!isTiny && Math.max(raster.width, raster.height) > MARGIN_SIDE_MAX) return [raster]
  const colours = isTiny ? [255, 0] : [...(dark ? [255] : []), ...(light ? [0] : [])]
  const framed = colours.map((colour) => enlarged(raster, isTiny ? 4 : 1, MARGIN, colour))
  return isTiny ? framed.filter((each) => likelyCode(each) !== null) : [raster, ...framed]
}

/** The format has further planes, which are not read. */
const PLANES = 1.5
/** Attempts of the decoder. Without a limit of time, so that every machine finds the same. */
const EFFORT = 4

/**
 * Places that look like a corner of a code. The decoder compares each with each and throws past them. Pictures of grain have
 * some hundreds.
 */
const CORNERS_MAX = 1_000
const CORNER_WORK = 1_500
const PAIR_WORK = 15

const FULL = Symbol('more corners than are compared')

function decoded({ width, height, data }: Raster): string | null | typeof FULL {
  if (Math.min(width, height) < SIDE_MIN) return null
  charge(width * height * DECODE_WORK)
  const planes = new Uint8Array(Math.ceil(width * height * PLANES))
  planes.set(data)
  const decoder = new Decoder({ maxSize: { width, height }, format: 'I420', effort: EFFORT, timeLimit: Infinity })
  for (const layer of decoder.layers) layer.patterns = layer.patterns.subarray(0, CORNERS_MAX * CORNER_NUMBERS)
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    decoder.addImage({ width, height, data: planes })
    const [text] = decoder.decode()
    return typeof text === 'string' ? text : null
  } catch {
    // It throws whenever it finds nothing.
    return decoder.layers.some(({ patternCount }) => patternCount > CORNERS_MAX) ? FULL : null
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    for (const { patternCount } of decoder.layers) charge(patternCount * CORNER_WORK + patternCount ** 2 * PAIR_WORK)
  }
}

const CORNER_NUMBERS = 4
