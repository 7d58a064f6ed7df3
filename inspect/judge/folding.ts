/** Texts as tables of words are compared with them, and what else a reader may take them for. */

import { isMixed, lettersOf } from './deception/skeleton.ts'

const DROPPED = /[\p{M}\p{Default_Ignorable_Code_Point}]+/gu
/** A word with letters of two scripts. */
const OTHERS = /[a-z][\u0370-\u058f]|[\u0370-\u058f][a-z]/
const WORD = /[\p{L}\p{N}-]+/gu

/** In lower case, without accents and without characters that have no shape; letters that look like others are those. */
export function folded(text: string): string {
  const plain = text.normalize('NFKD').replace(DROPPED, '').toLowerCase().replaceAll('ß', 'ss').replaceAll('ı', 'i')
  if (!OTHERS.test(plain)) return plain
  return plain.replace(WORD, (word) => (OTHERS.test(word) && isMixed(word) ? lettersOf(word) : word))
}

/** Digits and signs for letters, in a word of letters. */
const CODED = /(?<![a-z0-9@$])(?=[a-z0-9@$]*[a-z])(?=[a-z0-9@$]*[013457@$])[a-z0-9@$]{3,20}(?![a-z0-9@$])/g
const LETTER_OF: Readonly<Record<string, string>> = { 0: 'o', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }
/** Single letters, with larger gaps between words. */
const APART = /(?<![\p{L}\p{N}])\p{L}(?:([ ._-]{1,3})\p{L}(?![\p{L}\p{N}])){5,2000}/gu
const HYPHENATED = /(?<![a-z])[a-z]+(?:-[a-z]+)+/g
const HYPHENS_MIN = 3
const BASE64 = /[A-Za-z0-9+/]{40,8000}={0,2}/
const BACKWARDS = /erongi|snoitcurtsni|tpmorp|tnatsissa/

/** Other readings of a text, of which most have none. `tellsMore`: whether a word says more when it is read so. */
export function* otherReadings(text: string, tellsMore: (before: string, after: string) => boolean): Generator<string> {
  const plain = folded(text)
  const coded = plain.match(CODED) ?? []
  if (coded.length > 1)
    for (const one of ['i', 'l'])
      if (coded.some((word) => tellsMore(word, decoded(word, one))))
        yield plain.replace(CODED, (word) => decoded(word, one))
  if (APART.test(plain)) yield plain.replace(APART, joined)
  APART.lastIndex = 0
  const hyphenated = plain.match(HYPHENATED) ?? []
  const hyphens = hyphenated.reduce((sum, word) => sum + word.split('-').length - 1, 0)
  if (hyphens >= HYPHENS_MIN && hyphenated.some((word) => tellsMore(word, unhyphenated(word))))
    yield plain.replace(HYPHENATED, unhyphenated)
  if (BACKWARDS.test(plain)) yield [...plain].reverse().join('')
  const bytes = Buffer.from(BASE64.exec(text)?.[0] ?? '', 'base64').toString()
  if (bytes !== '' && /^[\P{C}\s]+$/u.test(bytes)) yield folded(bytes)
}

const decoded = (word: string, one: string): string =>
  word.replace(/[0-9@$]/g, (sign) => (sign === '1' ? one : (LETTER_OF[sign] ?? sign)))
/** Between two letters on both sides: `x-ray` keeps its own. */
const unhyphenated = (word: string): string => word.replace(/(?<=[a-z]{2})-(?=[a-z]{2})/g, '')

/** The smallest gap is that between letters. */
function joined(letters: string): string {
  const gaps = letters.match(/[ ._-]+/g) ?? []
  const least = Math.min(...gaps.map(({ length }) => length))
  return letters.replace(/[ ._-]+/g, (gap) => (gap.length > least ? ' ' : ''))
}
