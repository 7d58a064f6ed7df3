/** Objects in RTF: written as hexadecimal digits, among anything that Word passes over. */

import { view } from '../../bytes.ts'
import type { Format } from '../../visit.ts'
import { RTF_OBJECT } from '../ole/native.ts'
import { createReadings } from '../readings.ts'
import { readObject } from './digits.ts'

const OBJECT_DATA = Buffer.from('\\objdata')

export const rtfObjects: Format = {
  // Whatever the document is: a mail or a page may carry one, and Word forgives a damaged beginning.
  applies: ({ bytes }) => view(bytes).includes(OBJECT_DATA),
  analyse(item, visit) {
    const bytes = view(item.bytes)
    const take = createReadings(item, visit)
    for (let at = bytes.indexOf(OBJECT_DATA); at !== -1; at = bytes.indexOf(OBJECT_DATA, at + 1)) {
      const start = at + OBJECT_DATA.length
      const { all, outer, end } = readObject(bytes, start)
      if (!take(end - start)) return
      for (const data of all.length === outer.length ? [all] : [all, outer])
        if (data.length > 0) visit.member(item, RTF_OBJECT, data)
    }
  },
}
