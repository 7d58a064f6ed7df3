/** Pages and forms that pose as a known company, or invent a reason, to be given a password. */

import { words } from '#inspect/core/words.ts'
import { charge } from '#inspect/core/work.ts'
import { BRANDS, type Brand, OWNER_OF } from './deception/brands.ts'
import { domainOf } from './deception/domains.ts'
import { asks } from './deception/host-words.ts'
import { brandsNamed, ownerOf } from './deception/signs.ts'
import { webAddress } from './deception/unwrap.ts'
import { either, wider } from './deception/wider.ts'
import { URGES, wordsOf } from './lure-words.ts'
import { hasPretext } from './pasting.ts'
import { isPretext } from './pictures/claims.ts'
import { names, shownText } from './pictures/pretexts.ts'

/** Their programs have sign-in pages on servers of those who bought them. */
const SELF_HOSTED = new Set(['citrix', 'fortinet', 'github', 'sharepoint', 'servicenow'])
/** Names that are words as well: a page is called after the company if the rest of its title is about an account. */
const WORDS_TOO = new Set(['apple', 'outlook', 'office', 'teams', 'adobe', 'wetransfer', 'yahoo', 'aol', 'zoom'])
const OF_ACCOUNTS = new Set(
  words(`id account accounts login log sign in on signin to your the support security secure verification verify
  webmail mail web app cloud online document documents pdf reader center konto anmelden anmeldung compte connexion
  identifiant cuenta sesion iniciar accedi accesso inloggen aanmelden logga logg log ind inn zaloguj logowanie 365`),
)
const NAMES: ReadonlyMap<string, Brand> = new Map(
  BRANDS.filter(({ name, isCommon }) => !isCommon && !SELF_HOSTED.has(name) && !WORDS_TOO.has(name)).map((brand) => [
    brand.name,
    brand,
  ]),
)

const TITLE_MAX = 200
const TITLES_MAX = 50
const TEXT_WORK = 20

/** Reasons that phishing mails give. No page of a company that was saved gives one. */
const PRETEXT =
  /(?:mailbox|storage|inbox|quota)(?: storage)?(?: is| has)?(?: almost| nearly| reached)? (?:full|its limit|exceeded)|session (?:has |is )?(?:timed out|expired)|unusual (?:sign-?in )?activity|(?:e-?mail|mailbox) password (?:to|below)|(?:suspend|deactivat|terminat)(?:ed|ion) (?:within|in) \d{1,3} hours|(?:keep|retain) (?:the )?(?:same|current) password/i

interface Posing {
  /** What it is called. */
  titles: readonly string[]
  /** What a reader sees. */
  text: string
}

/** Whether it is called after a company, or gives such a reason, and sends to a server that belongs to no company of the list. */
export const poses = (seen: Posing, posts: readonly string[]): boolean => either(() => posesAsOther(seen, posts))

function posesAsOther({ titles, text }: Posing, posts: readonly string[]): boolean {
  if (posts.length === 0 || posts.some(belongsToKnown)) return false
  charge(text.length * TEXT_WORK)
  const start = text.length < SHORT_MAX ? [text.slice(0, START_MAX)] : []
  const called = titles.slice(0, TITLES_MAX).map((title) => title.slice(0, TITLE_MAX))
  return (
    PRETEXT.test(text) ||
    URGES.test(wordsOf(text)) ||
    [...called, ...start].some(namesBrand) ||
    called.some(namesDomain) ||
    called.some(isAccountOf) ||
    posts.some((post) => isCalledAlike(post, [...called, ...start].join(' '), text))
  )
}

/** The host has the name that the page is called after and what is asked for. A name that is a word as well may be another's. */
function isCalledAlike(post: string, called: string, text: string): boolean {
  const hostname = webAddress(post)?.hostname ?? ''
  if (text.length >= SHORT_MAX || !asks(domainOf(hostname).name)) return false
  const title = shownText(called, true)
  return brandsNamed(hostname).some(({ name, isCommon }) => {
    if (SELF_HOSTED.has(name) || !names(title, name)) return false
    const { office, waits } = isCommon ? shownText(text, true) : { office: true, waits: true }
    return office || waits
  })
}

/** Whether a page about something that waits sends to a host whose name was made for it, also if a browser seems to have saved it there. */
export function waitsAtPretext({ titles, text }: Posing, post: string): boolean {
  const url = webAddress(post)
  if (url === null || text.length >= SHORT_MAX || belongsToKnown(post)) return false
  const shown = shownText([...titles.slice(0, TITLES_MAX), text].join('\n'), true)
  return shown.waits && shown.lure && shown.presses && shown.money && isPretext(shown, url)
}

/** Whether a parcel, fine or refund waits for a payment, or a file is only shown to those who sign in. */
export function waitsFor(text: string): boolean {
  if (text.length >= SHORT_MAX) return false
  const { waits, lure } = shownText(text, true)
  return (waits && lure) || hasPretext(text)
}

/** A sign-in page has little else, and begins with a name in place of a logo. */
export const SHORT_MAX = 1_000
export const START_MAX = 120

/** Computers on which companies take passwords. On others of theirs anybody can publish something. */
const SIGN_IN = /^(?:(?:www|login|accounts?|signin|auth|id|idmsa|appleid|sso|secure|my|m|res)\.)?$/

/** A page that sends to a known company steals nothing, whatever it is called. */
export function belongsToKnown(post: string): boolean {
  const host = URL.parse(post)?.hostname ?? ''
  const { registered } = domainOf(host)
  const isKnown = OWNER_OF.has(registered) || wider()?.owners.has(registered)
  return isKnown === true && SIGN_IN.test(host.slice(0, -registered.length))
}

/** Other sites offer to sign in with the account of a company. */
const OFFERED = new Set(['with', 'via', 'using', 'by', 'or', 'and', 'for'])

/** Whose accounts other sites accept. A list of them is no name of a page. */
const PROVIDERS = new Set(words('google microsoft github gitlab bitbucket facebook apple linkedin twitter discord'))

const isName = (word: string): boolean => NAMES.has(word) || wider()?.byName.get(word)?.isCommon === false

/** As a word, or as two: "Office 365". */
function namesBrand(title: string): boolean {
  const all = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const isListed = (at: number): boolean =>
    PROVIDERS.has(all[at] ?? '') && [all[at - 1], all[at + 1]].some((next) => PROVIDERS.has(next ?? ''))
  return all.some(
    (word, at) =>
      (isName(word) || isName(`${word}${all[at + 1] ?? ''}`)) && !OFFERED.has(all[at - 1] ?? '') && !isListed(at),
  )
}

const DOMAIN = /(?<![\w.@-])(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,24}(?![\w@-])/gi

/** The whole domain of a company, not a host that anybody may have there: a page that is called so is its own. */
function namesDomain(title: string): boolean {
  const [domain = ''] = title.toLowerCase().match(DOMAIN) ?? []
  const owner = ownerOf(domain)
  const { registered } = domainOf(domain)
  if (owner?.domain !== registered || SELF_HOSTED.has(owner.name)) return false
  const before =
    title
      .toLowerCase()
      .split(domain, 1)[0]
      ?.match(/[a-z]+/g)
      ?.at(-1) ?? ''
  return SIGN_IN.test(domain.slice(0, -registered.length)) && !OFFERED.has(before)
}

function isAccountOf(title: string): boolean {
  const all = title.toLowerCase().match(/[\p{L}\d]+/gu) ?? []
  return all.some((word) => WORDS_TOO.has(word)) && all.every((word) => WORDS_TOO.has(word) || OF_ACCOUNTS.has(word))
}
