/** Pictures in documents of every format: searches them for QR codes. */

import type { Format } from '#inspect/core/format.ts'
import { codesIn, codesOfPieces, isPicture } from '#inspect/judge/pictures/codes.ts'
import { concludePictures, reportPicture } from '#inspect/judge/pictures/report.ts'

export const pictures: Format = {
  applies: (item) => item.parent === null || isPicture(item.bytes),
  analyse(item, context) {
    if (isPicture(item.bytes)) reportPicture(item, codesIn(item.bytes, context), context)
  },
  conclude(item, facts, context) {
    if (item.parent !== null) return
    reportPicture(item, codesOfPieces(context), context)
    concludePictures(item, facts, context)
  },
}
