/** Pictures in documents of every format: searches them for QR codes. */

import type { Format, Item } from '#inspect/core/format.ts'
import { codesIn, codesOfPieces, isPicture } from '#inspect/judge/pictures/codes.ts'
import { isOtherPicture } from '#inspect/judge/pictures/other-kinds.ts'
import { concludePictures, reportPicture } from '#inspect/judge/pictures/report.ts'

const isUnread = ({ bytes, path, parent }: Item): boolean => parent !== null && isOtherPicture(bytes, path)

export const pictures: Format = {
  applies: (item) => item.parent === null || isPicture(item.bytes) || isUnread(item),
  analyse(item, context) {
    if (isPicture(item.bytes)) reportPicture(item, codesIn(item.bytes, context), context)
    else if (isUnread(item)) reportPicture(item, 'of another kind', context)
  },
  conclude(item, facts, context) {
    if (item.parent !== null) return
    reportPicture(item, codesOfPieces(context), context)
    concludePictures(item, facts, context)
  },
}
