/** Searches texts for patterns whose matches begin with one of a few words, without trying the pattern at every character. */

import { charge } from '../work.ts'
import { createPlaces } from './matcher.ts'

/** In shorter texts the pattern alone is as fast. */
const SHORT_MAX = 400
/** Work for each character, and for each word at which the pattern is tried. */
const CHARACTER_WORK = 2
const WORD_WORK = 100

interface Starts {
  test(text: string): boolean
  /** Like `matchAll`: in order, none within another. */
  matches(text: string): Generator<RegExpExecArray>
}

/**
 * Every match of the pattern must begin with one of the words, in upper or lower case. Only the lower byte of a character is
 * compared, so that a character above 255 is written as itself. Words have three characters or more.
 */
export function createStarts(pattern: RegExp, words: readonly string[]): Starts {
  const flags = pattern.flags.replace(/[gy]/g, '')
  const anywhere = new RegExp(pattern.source, `${flags}g`)
  const here = new RegExp(pattern.source, `${flags}y`)
  const placesIn = createPlaces(words.map((word) => ({ bytes: Buffer.from(word, 'latin1'), id: 0 })))

  function* matches(text: string): Generator<RegExpExecArray> {
    charge(text.length * CHARACTER_WORK)
    if (text.length <= SHORT_MAX) {
      yield* text.matchAll(anywhere)
      return
    }
    let from = 0
    for (const place of placesIn(Buffer.from(text, 'latin1'))) {
      if (place < from) continue
      charge(WORD_WORK)
      here.lastIndex = place
      const match = here.exec(text)
      if (match === null) continue
      yield match
      from = place + Math.max(1, match[0].length)
    }
  }
  return {
    matches,
    test: (text) => matches(text).next().done === false,
  }
}

interface Reach {
  /** Characters of a match before the word. */
  before: number
  /** Characters of it from the word on. */
  after: number
}

/**
 * Like `matchAll`, for patterns whose matches contain one of the words, with so much before and after it at most. Where words
 * are close to each other, what is around them is read at once, and `index` counts from there. Nothing that the pattern only
 * looks at may be further away.
 */
export function createNear(
  pattern: RegExp,
  words: readonly string[],
  { before, after }: Reach,
  characterWork: number,
): (text: string) => Generator<RegExpExecArray> {
  const anywhere = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`)
  const placesIn = createPlaces(words.map((word) => ({ bytes: Buffer.from(word, 'latin1'), id: 0 })))

  function* within(text: string, start: number, end: number): Generator<RegExpExecArray> {
    charge((end - start) * characterWork)
    yield* text.slice(start, end).matchAll(anywhere)
  }

  return function* matches(text) {
    charge(text.length * CHARACTER_WORK)
    let [start, end] = [0, 0]
    for (const place of placesIn(Buffer.from(text, 'latin1'))) {
      if (place - before > end) {
        if (end > start) yield* within(text, start, end)
        start = Math.max(0, place - before)
      }
      end = Math.min(text.length, place + after)
    }
    if (end > start) yield* within(text, start, end)
  }
}
