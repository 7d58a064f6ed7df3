/** Names of variables and functions with letters outside ASCII, which most patterns do not read. */

import { charge, keep } from '#inspect/core/work.ts'

const OTHER = /[\x80-\uffff]/
const WORD = /[\w\x80-\uffff]+/g
const DECLARED =
  /(?:\$\{?(?:\w{1,20}:)?|\bfunction\s{1,20})([\w\x80-\uffff]{1,1000})\}?(?=\s{0,20}(?:[-+*/%]?=(?!=)|in\s|[,){(]))/gi
const CHARACTER_WORK = 20
const NAME_WORK = 500
const NAMES_MAX = 1_000

/** The same script with other names in their place. Texts with such a word are changed as well. */
export function withAsciiNames(source: string): string {
  if (!OTHER.test(source)) return source
  charge(source.length * CHARACTER_WORK)
  const names = new Set<string>()
  for (const [, name = ''] of source.matchAll(DECLARED)) {
    if (names.size >= NAMES_MAX || !OTHER.test(name)) continue
    charge(NAME_WORK)
    names.add(asAscii(name))
  }
  if (names.size === 0) return source
  keep(source.length * 2)
  return source.replace(WORD, (word) => {
    if (!OTHER.test(word)) return word
    const name = asAscii(word)
    return names.has(name) ? name : word
  })
}

/** Upper and lower case are the same; texts have the bytes of UTF-8 or those of a code page. */
function asAscii(name: string): string {
  const decoded = Buffer.from(name, 'latin1').toString()
  const letters = /[^\0-\xff]/.test(name) || decoded.includes('\ufffd') ? name : decoded
  return letters.toLowerCase().replace(/[^\w]/g, (letter) => `u${letter.charCodeAt(0).toString(16)}_`)
}
