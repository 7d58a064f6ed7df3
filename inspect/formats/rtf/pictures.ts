/** Pictures of RTF, which are written as hexadecimal digits: searches them for QR codes. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { codesIn, isPicture } from '#inspect/judge/pictures/codes.ts'
import { shownText } from '#inspect/judge/pictures/pretexts.ts'
import { mayBeBeside, recordText, recordTextApart, reportPicture } from '#inspect/judge/pictures/report.ts'
import { ART, searchText } from '#inspect/judge/pictures/text-art.ts'
import { PLAIN_READING, readObject } from './object-data.ts'

const WORD = '\\pict'
const PICTURE = mark([WORD])
/** Blocks and squares of Unicode, of which a code may consist. */
const BLOCKS = mark([
  '\\u9600',
  '\\u9604',
  '\\u9608',
  '\\u9612',
  '\\u9619',
  '\\u9632',
  '\\u11035',
  '\\u102',
  '\\u103',
  '\\u104',
])
/** Pictures that are read. */
export const PICTURES_MAX = 24
const PICTURE_WORK = 1_000
/** What a file of a bitmap begins with, which RTF leaves out. */
const BITMAP = Buffer.concat([Buffer.from('BM'), Buffer.alloc(12)])
const IS_BITMAP = /^[^{}]{0,200}\\dibitmap/
const HEAD = 200
/** Bytes of a text beside which the picture is another file. */
const APART_MAX = 20_000

export function searchPictures(item: Item, textOf: () => Uint8Array, context: Context): void {
  const drawn = [BLOCKS, ...ART].some((each) => item.has(each)) ? searchText(view(textOf()).toString(), context) : []
  let hasCode = typeof drawn !== 'string' && drawn.length > 0
  if (hasCode) reportPicture(item, drawn, context)
  if (item.has(PICTURE)) hasCode = searchStored(item, context) || hasCode
  else if (!hasCode && mayBeBeside(item, context)) recordApart(item, textOf, context)
  if (hasCode) recordText(item, () => shownText(view(textOf()).toString()), context)
}

/** Whether a picture has a code. */
function searchStored(item: Item, context: Context): boolean {
  const bytes = view(item.bytes)
  let [count, hasCode] = [0, false]
  for (let at = bytes.indexOf(WORD); at !== -1; at = bytes.indexOf(WORD, at + 1)) {
    charge(PICTURE_WORK)
    if (++count > PICTURES_MAX) break
    const start = at + WORD.length
    const { data } = readObject(bytes, start, PLAIN_READING)
    const isDib = IS_BITMAP.test(bytes.toString('latin1', start, start + HEAD))
    const picture = isDib ? Buffer.concat([BITMAP, data]) : data
    if (!isPicture(picture)) continue
    const found = codesIn(picture, context)
    hasCode ||= typeof found !== 'string' && found.length > 0
    reportPicture(item, found, context)
  }
  return hasCode
}

function recordApart(item: Item, textOf: () => Uint8Array, context: Context): void {
  const text = view(textOf().subarray(0, APART_MAX)).toString()
  keep(text.length)
  recordTextApart(item, () => shownText(text), context)
}
