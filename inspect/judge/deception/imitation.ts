/** Whether the host of a link imitates the one that its text shows: the same name with other joints, letters or suffix. */

import { words } from '#inspect/core/words.ts'
import { domainOf } from './domains.ts'
import { isGenericName, LURES } from './host-words.ts'
import { isForwarded } from './hosts.ts'
import { skeletonOf } from './skeleton.ts'

/** Suffixes that cost next to nothing and are mostly registered for a few days. */
const THROWAWAY: ReadonlySet<string> = new Set(
  words(`icu xyz top cyou sbs cfd buzz rest bond quest monster cam gq ml cf ga tk zip mov pw lol vip bid loan men date racing review
  stream trade party science fit surf beauty hair skin makeup autos boats homes motorcycles yachts mom uno lat click gdn kim ooo
  cricket accountant download faith webcam qpon`),
)

/** Shorter names are parts of too many others. */
const NAME_MIN = 4
/** Ordinary names that are shorter often differ in one letter. */
const SIMILAR_MIN = 6

export const isThrowaway = (host: string): boolean => THROWAWAY.has(domainOf(host).suffix)

/** Both are hosts in lower case, of different domains. */
export function imitates(shown: string, target: string): boolean {
  const [one, other] = [domainOf(shown), domainOf(target)]
  if (isForwarded(target)) return false
  if (one.name.length < NAME_MIN || isGenericName(one.name))
    return containsDomain(one.registered.replace(/^www\./, ''), target)
  return (
    containsDomain(one.registered, target) ||
    other.name === one.registered.replaceAll('.', '') ||
    (isThrowaway(target) &&
      !isThrowaway(shown) &&
      (other.name.includes(one.name) || other.subdomains.includes(one.name))) ||
    isSimilar(one.name, other.name) ||
    [other.name, ...other.subdomains].some((label) => isPretextFor(one.name, label))
  )
}

/** `example.de` in `login.example.de.test`, `example-de.test` and `www-example-de.test`. */
function containsDomain(registered: string, target: string): boolean {
  const parts = `.${target}.`.replaceAll('-', '.')
  const at = parts.indexOf(`.${registered.replaceAll('-', '.')}.`)
  return at !== -1 && at + registered.length + 2 < parts.length
}

/** Also with other joints. One owner may have both names if only the joints differ. */
function isSimilarJoined(one: string, other: string): boolean {
  const [left, right] = [one.replaceAll('-', ''), other.replaceAll('-', '')]
  return left !== right && skeletonOf(left) === skeletonOf(right)
}

/** One letter is another or doubled, or two have changed places. Numbers tell the servers of one owner apart. */
function isSimilar(one: string, other: string): boolean {
  if (one === other || Math.min(one.length, other.length) < SIMILAR_MIN) return false
  if (skeletonOf(one) === skeletonOf(other) || isSimilarJoined(one, other)) return true
  let at = 0
  while (one[at] === other[at]) at++
  const [left, right] = [one.slice(at), other.slice(at)]
  if (/^\d/.test(left) || /^\d/.test(right)) return false
  if (left.length === right.length)
    return left.slice(1) === right.slice(1) || (left.startsWith(turned(right)) && left.slice(2) === right.slice(2))
  const [long, short] = left.length > right.length ? [left, right] : [right, left]
  return long.slice(1) === short && long[0] === one[at - 1]
}

const turned = (text: string): string => `${text[1] ?? ''}${text[0] ?? ''}`

/** The name of another, and words of a pretext: `example-verify`, also as a label of somebody else. */
function isPretextFor(shown: string, target: string): boolean {
  if (target === shown || !target.includes(shown)) return false
  const rest = target.replace(shown, '').replace(/^-|-$/g, '')
  return LURES.test(rest) && isGenericName(rest)
}
