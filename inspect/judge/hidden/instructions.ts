/** Whether a text that readers do not see addresses a language model. */

import { charge } from '#inspect/core/work.ts'
import { PHRASES, ROLE_LINE, ROLES, TOOL } from './phrases.ts'

/** Longer texts are read up to here. */
export const JUDGED_MAX = 20_000
const CHARACTER_WORK = 150

/** What each phrase counts. */
const WEIGHTS = { ignore: 2, roles: 2, address: 1, conceal: 0.5, roleLine: 0.5, tool: 0.5 }
/** Of text that is hidden with effort, and of text in places that all documents have, such as comments. */
const ENOUGH = { strong: 1, weak: 1.5 }

export function addressesModel(text: string, hiding: keyof typeof ENOUGH): boolean {
  const read = text.slice(0, JUDGED_MAX)
  charge(read.length * CHARACTER_WORK)
  const words = wordsOf(read)
  const found: (keyof typeof WEIGHTS)[] = []
  if (PHRASES.ignore.test(words)) found.push('ignore')
  if (PHRASES.address.test(words)) found.push('address')
  if (PHRASES.conceal.test(words)) found.push('conceal')
  if (ROLES.test(read)) found.push('roles')
  if (ROLE_LINE.test(read)) found.push('roleLine')
  if (TOOL.test(read)) found.push('tool')
  return found.reduce((sum, each) => sum + WEIGHTS[each], 0) >= ENOUGH[hiding]
}

/** In lower case, without accents and signs. */
function wordsOf(text: string): string {
  const letters = text
    .normalize('NFKD')
    .replace(/[\p{M}\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/gu, '')
    .toLowerCase()
  return ` ${letters.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]{0,40}/gu
/** Scripts without spaces: two characters count as a word. */
const TOGETHER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2}/gu

export function wordsIn(text: string): number {
  const together = text.match(TOGETHER)?.length ?? 0
  return together + (text.replace(TOGETHER, ' ').match(WORD)?.length ?? 0)
}
