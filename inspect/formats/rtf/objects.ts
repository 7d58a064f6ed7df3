/** Objects in RTF, and the packages beside them: written as hexadecimal digits, among anything that Word passes over. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { RTF_OBJECT } from '#inspect/core/names.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { PLAIN_READING, readObject } from './digits.ts'
import { lookAtTexts, mayBeRtf } from './texts.ts'

/** An object, the parts of XML that belong to the document (a compound file), and its theme (an archive). */
const MARKS = ['\\objdata', '\\datastore', '\\themedata'].map((word) => Buffer.from(word))

/** Characters of objects that are read in more than one way, or lie in others. No program writes such an object; past it, it is too complex. */
export const READ_AGAIN_MAX = 8_000_000

type Take = (length: number) => boolean

export const rtfObjects: Format = {
  // Whatever the document is: a mail or a page may carry one, and Word forgives a damaged beginning.
  applies: ({ bytes, sniffed }) =>
    sniffed.kind === 'rtf' || mayBeRtf(bytes) || MARKS.some((mark) => view(bytes).includes(mark)),
  analyse(item, context) {
    const bytes = view(item.bytes)
    lookAtTexts(item, context)
    const take = createPieceBudget(item, context)
    const takeAgain = createAgain(item, take, context)
    for (const mark of MARKS) {
      let end = 0
      for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) {
        // No object lies in another one.
        const next = look(item, at + mark.length, at < end ? takeAgain : take, takeAgain, context)
        if (next === null) return
        end = Math.max(end, next)
      }
    }
  },
}

function createAgain(item: Item, take: Take, context: Context): Take {
  let left = READ_AGAIN_MAX
  return (length) => {
    left -= length
    if (left >= 0) return take(length)
    context.addObstacle(item, 'too_complex', 'Its objects are ambiguous.')
    return false
  }
}

/** By the item: there may be thousands of objects in it. */
const known = new WeakMap<Item, boolean>()

function isRtf(item: Item): boolean {
  const is = known.get(item) ?? mayBeRtf(item.bytes)
  known.set(item, is)
  return is
}

/** Where the object ends, or null if there is no room for more. */
function look(item: Item, start: number, take: Take, takeAgain: Take, context: Context): number | null {
  const { data, end, overrun, unclear, others } = readObject(item.bytes, start, PLAIN_READING)
  if (!take(end - start)) return null
  if (overrun) context.addObstacle(item, 'damaged', 'An object declares more bytes than it has.')
  // In a text that is no RTF, a backslash means something else.
  if (unclear && isRtf(item))
    context.addObstacle(item, 'too_complex', 'The hexadecimal data of an object is ambiguous.')
  if (data.length > 0) context.inspectMember(item, RTF_OBJECT, data)
  for (const reading of others) {
    if (!takeAgain(end - start)) return null
    const other = readObject(item.bytes, start, reading)
    if (other.data.length > 0) context.inspectMember(item, RTF_OBJECT, other.data)
  }
  return end
}
