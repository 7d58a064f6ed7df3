/** Finds streams that are referenced as files, scripts or forms, even if they claim to be pictures. */

import { charge } from '#inspect/core/work.ts'
import { referenceAt, skipSpace, tokenEnd, valueEnd } from './syntax/dictionary.ts'
import { UNKNOWN_NUMBER } from './syntax/object-header.ts'
import type { PdfObjects } from './syntax/objects.ts'
import type { Definition } from './syntax/references.ts'
import { nameExpression } from './syntax/values.ts'

type Keys = readonly RegExp[]
/** Keys of files, related files, scripts and forms. */
const ATTACHMENTS: Keys = ['EF', 'RF', 'JS', 'XFA'].map((key) => nameExpression(key))
const CONTENTS: Keys = [nameExpression('Contents')]
const FONTS: Keys = [nameExpression('FontFile', 'FontFile2', 'FontFile3')]

/** Occurrences of these keys. Past any of these limits, every stream counts as an attachment and none as a font. */
export const MENTIONS_MAX = 20_000

/** Characters of one value. */
export const VALUE_MAX = 4096

/** Characters of all values. */
export const VALUES_TOTAL_MAX = 16_777_216

/** Work for each occurrence, besides its value. */
const MENTION_WORK = 2_000

/** From a key to a dictionary, to a list of related files, to the files. */
const STEPS = 3

type Position = Pick<Definition, 'text' | 'at'>

type Includes = (object: number) => boolean

export function findAttachments(objects: PdfObjects): Includes {
  return findReferenced(objects, ATTACHMENTS) ?? (() => true)
}

/** Finds the streams that pages show. */
export function findPageContents(objects: PdfObjects): Includes {
  return onDemand(() => findReferenced(objects, CONTENTS) ?? (() => true))
}

export function findFonts(objects: PdfObjects): Includes {
  return onDemand(() => findReferenced(objects, FONTS) ?? (() => false))
}

/** Few documents need it. */
function onDemand(create: () => Includes): Includes {
  let includes: Includes | undefined
  return (object) => {
    includes ??= create()
    return includes(object)
  }
}

/** null: a limit was exceeded. */
function findReferenced(objects: PdfObjects, keys: Keys): Includes | null {
  const numbers = new Set<number>([UNKNOWN_NUMBER])
  const referencesIn = createReader()
  let positions: Iterable<Position> = keyPositions(objects.texts, keys)
  for (let step = 0; step < STEPS; step++) {
    const referenced = referencesIn(positions)?.filter((object) => !numbers.has(object))
    const found = referenced?.map(objects.follow)
    if (referenced === undefined || !found?.every((definitions) => definitions !== null)) return null
    const definitions = new Set(found.flat())
    for (const object of [...referenced, ...Array.from(definitions, (definition) => definition.object)])
      numbers.add(object)
    positions = definitions
  }
  return (object) => numbers.has(object)
}

function* keyPositions(texts: readonly string[], keys: Keys): Generator<Position> {
  let mentions = 0
  for (const text of texts)
    for (const key of keys)
      for (const { index, 0: name } of text.matchAll(key)) {
        charge(MENTION_WORK)
        mentions += 1
        yield mentions > MENTIONS_MAX ? UNREADABLE : { text, at: index + name.length }
      }
}

/** A value past the limit. */
const UNREADABLE: Position = { text: '['.repeat(VALUE_MAX + 1), at: 0 }

/** Returns the object numbers that values refer to. undefined: a limit was exceeded. */
function createReader(): (positions: Iterable<Position>) => number[] | undefined {
  let left = VALUES_TOTAL_MAX
  let chances = CHANCES_MAX
  return (positions) => {
    const numbers = new Set<number>()
    for (const { text, at } of positions) {
      const value = valueAt(text, at) ?? (chances-- > 0 && isChance(text, at) ? '' : null)
      left -= value?.length ?? 0
      if (value === null || left < 0) return
      for (const number of referencesOf(value)) numbers.add(number)
    }
    return [...numbers]
  }
}

/** Keys found by chance in compressed data. */
export const CHANCES_MAX = 64
const BINARY = /[^\t\n\f\r -~]/g

/** A value that does not end, in the data of a stream of which a third is not text. */
function isChance(text: string, at: number): boolean {
  const before = text.lastIndexOf('stream', at)
  const isInStream = before !== -1 && text.slice(before - 3, before) !== 'end'
  const binary = text.slice(at, at + VALUE_MAX).match(BINARY)?.length ?? 0
  return isInStream && binary > VALUE_MAX / 3
}

/** null: too long. Strings contain no references. */
function valueAt(text: string, from: number): string | null {
  const start = text.slice(from, from + VALUE_MAX + 1)
  const at = skipSpace(start, 0)
  if (/^(?:\(|<[^<])/.test(start.slice(at, at + 2))) return ''
  const end = valueEnd(start, at)
  return end > VALUE_MAX ? null : start.slice(at, end)
}

/** Token by token, because strings may contain text that looks like a comment or a reference. */
function* referencesOf(value: string): Generator<number> {
  for (let at = skipSpace(value, 0); at < value.length; ) {
    const reference = referenceAt(value, at)
    if (reference !== null) yield reference.object
    at = skipSpace(value, reference?.end ?? tokenEnd(value, at))
  }
}
