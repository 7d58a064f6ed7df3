/** Words by which analysers notice that a text may concern them. */

import { ascii } from './bytes.ts'
import type { Literal } from './literal-finder.ts'

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

/** Below zero: the numbers from there on are those of the rules. */
export const idOf = (mark: Mark): number => -1 - MARKS.indexOf(mark)

export const MARK_LITERALS: readonly Literal[] = MARKS.flatMap((mark) =>
  WORDS[mark].map((word) => ({ bytes: ascii(word), id: idOf(mark) })),
)
