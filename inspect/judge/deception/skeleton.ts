/** The letters of ASCII that a name looks like (UTS 39, without what no host contains). */

import { domainToUnicode } from 'node:url'
import { LOOKALIKES } from './tables.ts'
import { wider } from './wider.ts'

/** The shape is in ASCII, the letters that have it are not. */
const GROUP = /([a-z0-9]{1,3})([^ ]+)/g

let shapes: ReadonlyMap<string, string> | undefined

function shapesOf(): ReadonlyMap<string, string> {
  const groups = [...LOOKALIKES.matchAll(GROUP)]
  return new Map(groups.flatMap(([, shape = '', letters = '']) => [...letters].map((letter) => [letter, shape])))
}

/** Whether the built-in table has it. */
export function isKnownLetter(letter: string): boolean {
  shapes ??= shapesOf()
  return shapes.has(letter)
}

const PLAIN = /^[a-z0-9-]*$/
/** Accents and characters without a shape. */
const DROPPED = /[\p{Mark}\p{Default_Ignorable_Code_Point}]/gu

/** Equal for labels that a reader takes for each other: `paypal`, `paypa1` and one with letters of other scripts. */
export function skeletonOf(label: string): string {
  return lettersOf(label).replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('0', 'o').replaceAll(/[1i]/g, 'l')
}

/** Letters of other scripts that look like those of ASCII are those. */
export function lettersOf(label: string): string {
  if (PLAIN.test(label)) return label
  shapes ??= shapesOf()
  const added = wider()?.shapes
  return [...label.normalize('NFD').replace(DROPPED, '')]
    .map((letter) => shapes?.get(letter) ?? added?.get(letter) ?? letter)
    .join('')
}

const LATIN = /\p{Script=Latin}/u
/** Scripts whose letters look like Latin ones. Japanese, Chinese and Korean names are written beside them. */
const SIMILAR = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/u

/** Letters of two scripts in one word that looks like one of ASCII. Names are written so only to deceive. */
export function isMixed(label: string): boolean {
  return label
    .split('-')
    .some((word) => !PLAIN.test(word) && LATIN.test(word) && SIMILAR.test(word) && PLAIN.test(lettersOf(word)))
}

/** As a reader sees it. */
export function shownHost(host: string): string {
  return host.includes('xn--') ? domainToUnicode(host) || host : host
}
