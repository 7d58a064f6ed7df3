/** Sign-in pages that are called like the domain that they send to, and lead nowhere else. */

import { words } from '#inspect/core/words.ts'
import { charge } from '#inspect/core/work.ts'
import { isAllGeneric, LURES } from '#inspect/judge/deception/host-words.ts'
import { ownerOf } from '#inspect/judge/deception/signs.ts'
import { wordsOf } from '#inspect/judge/lure-words.ts'
import { classifyTarget, isIpAddress } from '#inspect/targets/targets.ts'
import { domainOfHost } from './hiding.ts'
import type { Markup } from './markup.ts'

export function hostOf(address: string): string | null {
  return URL.parse(address.replace(/^\/\//, 'https://'))?.hostname || null
}

/** Without the names of its computers. */
export function domainOf(address: string): string | null {
  const host = hostOf(address)
  return host === null || isIpAddress(host) ? null : domainOfHost(host)
}

export function isRemote(address: string): boolean {
  return classifyTarget(address, { isPage: true }).isRemote
}

/** An empty address is that of the page itself, whatever its base is. */
export function resolved(address: string, base: string | undefined): string {
  return base === undefined || address.trim() === '' ? address : (URL.parse(address, base)?.href ?? address)
}

/** Letters of a name that is no word of many pages. */
const NAME_MIN = 5
const TITLES_MAX = 50
const TITLE_WORK = 2_000
const LINK_WORK = 500

/** What stands beside the name of a school, a library or a club in its domain, and is often written in full on its pages. */
const INSTITUTIONS = new Set(
  words(`uni univ university universitat universitaet universite universidad universita universidade hochschule
  hs fh th tu ph htw haw vhs mvhs schule school schools college gymnasium realschule grundschule ecole lycee campus
  escola colegio liceo scuola escuela instituto institut institute academy akademie akademia skola szkola kolej
  bibliothek library bib biblioteca museum klinik klinikum clinic hospital krankenhaus verein club ev tsv vfl kita`),
)

/** Pages of an owner at other services. A page that was copied has them as well, beside links to its original. */
const PROFILES =
  /^(?:(?:www|m|[a-z]{2}-[a-z]{2}|[a-z]{2})\.)?(?:facebook|instagram|linkedin|youtube|twitter|x|tiktok|threads|pinterest|xing|vimeo)\.(?:com|net)$|^(?:youtu\.be|wa\.me|t\.me|play\.google\.com|(?:apps|itunes)\.apple\.com)$/

/** What follows the name of a mailbox: whom to ask for help. */
const CONTACT = /[\w.+-]@([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5})/gi
const CONTACTS_MAX = 20
const TEXT_WORK = 20

/** The site is called like its domain, names a link or mailbox there, and all its links lead there, or back there after a sign-in. */
export function isNamed(
  post: string,
  titles: readonly string[],
  { tags, text }: Pick<Markup, 'tags' | 'text'>,
): boolean {
  const own = domainOf(post)
  const [name = ''] = own?.split('.') ?? []
  if (own === null || LURES.test(name) || !isCalled(name, titles)) return false
  const base = tags.find(({ name: element }) => element === 'base')?.attributes.get('href')
  const links = tags.flatMap(({ name: element, attributes }) => (element === 'a' ? (attributes.get('href') ?? []) : []))
  charge(links.length * LINK_WORK)
  const remote = links.map((link) => resolved(link, base)).filter(isRemote)
  charge(text.length * TEXT_WORK)
  const contacts = Array.from(text.matchAll(CONTACT).take(CONTACTS_MAX), ([, host = '']) =>
    domainOfHost(host.toLowerCase()),
  )
  return (
    (remote.some((link) => domainOf(link) === own) ||
      (contacts.length > 0 && contacts.every((domain) => domain === own))) &&
    remote.every((link) => domainOf(link) === own || PROFILES.test(hostOf(link) ?? '') || returnsTo(link, own))
  )
}

/** Titles have the name, or each part of it but what the owner is. */
function isCalled(name: string, titles: readonly string[]): boolean {
  const isOwn = (word: string): boolean => word.length >= NAME_MIN && !isAllGeneric(word)
  const called = titles.slice(0, TITLES_MAX).map((title) => {
    charge(TITLE_WORK)
    return wordsOf(title)
  })
  // Titles are compared without accents: a domain has `ue` for `ü`.
  const has = (word: string): boolean =>
    [word, word.replace(/([aou])e/g, '$1')].some((each) => called.some((title) => title.includes(` ${each} `)))
  if (isOwn(name) && has(name)) return true
  const parts = name.split('-')
  return (
    parts.length > 1 &&
    parts.some((part) => isOwn(part) && !INSTITUTIONS.has(part)) &&
    parts.every((part) => INSTITUTIONS.has(part) || (!isAllGeneric(part) && has(part)))
  )
}

/** The sign-in of a known company, which brings its reader back to the site. */
function returnsTo(link: string, own: string): boolean {
  const url = URL.parse(link)
  const back = url?.searchParams.get('redirect_uri') ?? ''
  return url !== null && back !== '' && ownerOf(url.hostname) !== undefined && domainOf(back) === own
}
