/** Words by which analysers notice that a text may concern them, looked for in each item once and all together. */

import { ascii } from './bytes.ts'
import { createFinder } from './literals.ts'
import type { Item } from './visit.ts'

const WORDS = {
  mail: ['content-transfer-encoding'],
  sealed: [
    'multipart/encrypted',
    'enveloped-data',
    'begin pgp message',
    'converted with binhex',
    'message/partial',
    '=ybegin ',
  ],
  uuencode: ['begin '],
  base64: ['base64', 'binary-data', 'binarydata', 'bindata', 'encoding=b'],
  address: ['data:'],
  relationship: ['relationship'],
  field: ['instrtext', 'fldsimple', 'ddeservice'],
} as const

export type Mark = keyof typeof WORDS

const MARKS = Object.keys(WORDS) as Mark[]
const find = createFinder(MARKS.flatMap((mark, id) => WORDS[mark].map((word) => ({ bytes: ascii(word), id }))))

/** By the item, which lives as long as one inspection: the same memory may hold another document next. */
const known = new WeakMap<Item, ReadonlySet<Mark>>()

/** Whether one of the words of a mark stands in the item, in small or capital letters. */
export function mentions(item: Item, mark: Mark): boolean {
  let marks = known.get(item)
  if (marks === undefined) {
    marks = new Set(Array.from(find(item.bytes), (id) => MARKS[id] as Mark))
    known.set(item, marks)
  }
  return marks.has(mark)
}
