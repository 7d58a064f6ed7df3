/** RTF: its text, and the objects and packages that it stores as hexadecimal digits. */

import { RTF } from '#inspect/catalogue/rtf.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { RTF_OBJECT } from '#inspect/core/names.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { charge } from '#inspect/core/work.ts'
import { judgeBytes, judgeClasses } from './judge-text.ts'
import { type ObjectData, PLAIN_READING, readObject } from './object-data.ts'
import { searchPictures } from './pictures.ts'
import { mayBeRtf, SIGNATURE_MARK, scanTexts } from './scan-text.ts'
import { readText } from './text.ts'

/** An object, the custom XML of the document (a compound file), and its theme (a ZIP archive). */
const WORDS = ['\\objdata', '\\datastore', '\\themedata']
const DESTINATIONS = WORDS.map((word) => Buffer.from(word))
const OBJECT = mark(WORDS)
const BINARY = Buffer.from('\\bin')
const BACKSLASH = 0x5c

/** Characters of ambiguous or nested objects, which are read more than once. No known program writes them. */
export const READ_AGAIN_MAX = 8_000_000

/** Work for each object, besides its bytes. */
const OBJECT_WORK = 1_000

type Take = (length: number) => boolean

export const rtf: Format = {
  among: { marks: [SIGNATURE_MARK, OBJECT], binary: true },
  // Independent of the type: mail and pages may contain objects, and Word accepts a damaged signature.
  applies: (item) => item.sniffed.kind === 'rtf' || mayBeRtf(item) || item.has(OBJECT),
  analyse(item, context) {
    scanTexts(item, context)
    inspectObjects(item, context)
    judgeBytes(item, context)
    searchPictures(item, () => readText(item.bytes)?.text ?? new Uint8Array(), context)
  },
  conclude: judgeClasses,
}

function inspectObjects(item: Item, context: Context): void {
  const isRtf = mayBeRtf(item)
  const take = createPieceBudget(item, context)
  const takeAgain = limitRereading(item, take, context)
  if (!item.has(OBJECT)) return
  for (const { start, isNested, object } of objectsIn(view(item.bytes), item.sniffed.kind === 'rtf')) {
    if (!(isNested ? takeAgain : take)(object.end - start)) return
    if (object.truncated) context.addObstacle(item, 'damaged', 'An object declares more bytes than it has.')
    // Outside RTF, a backslash has another meaning.
    if (isRtf) judgeDigits(item, object, context)
    inspectObject(item, object.data, context)
    if (!inspectOtherReadings(item, start, object, takeAgain, context)) return
  }
}

function judgeDigits(item: Item, { ambiguous, others }: ObjectData, context: Context): void {
  if (ambiguous || others.length > 0) context.addFinding(item, RTF.objectObfuscation)
  if (ambiguous) context.addObstacle(item, 'too_complex', 'The hexadecimal data of an object is ambiguous.')
}

function* objectsIn(
  bytes: Buffer,
  isWholeRtf: boolean,
): Generator<{ start: number; isNested: boolean; object: ObjectData }> {
  // The last byte of binary data may be a backslash.
  const hasEscapes = isWholeRtf && !bytes.includes(BINARY)
  for (const word of DESTINATIONS) {
    let end = 0
    for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + 1)) {
      charge(OBJECT_WORK)
      if (hasEscapes && isEscaped(bytes, at)) continue
      const start = at + word.length
      const object = readObject(bytes, start, PLAIN_READING)
      yield { start, isNested: at < end, object }
      end = Math.max(end, object.end)
    }
  }
}

/** Whether the backslash belongs to the one before it: the word is text, as in an article about RTF. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at
  while (bytes[first - 1] === BACKSLASH) first--
  charge(at - first)
  return (at - first) % 2 === 1
}

/** false: the limit was exceeded. */
function inspectOtherReadings(item: Item, start: number, object: ObjectData, take: Take, context: Context): boolean {
  for (const reading of object.others) {
    if (!take(object.end - start)) return false
    inspectObject(item, readObject(item.bytes, start, reading).data, context)
  }
  return true
}

function inspectObject(item: Item, data: Uint8Array, context: Context): void {
  if (data.length > 0) context.inspectMember(item, RTF_OBJECT, data)
}

function limitRereading(item: Item, take: Take, context: Context): Take {
  let left = READ_AGAIN_MAX
  return (length) => {
    left -= length
    if (left >= 0) return take(length)
    context.addObstacle(item, 'too_complex', 'Its objects are ambiguous.')
    return false
  }
}
