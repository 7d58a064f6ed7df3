/** Whether the text beside a code asks for what phishing asks for, and whose the address is. */

import { words } from '#inspect/core/words.ts'
import type { Brand } from '../deception/brands.ts'
import { domainOf } from '../deception/domains.ts'
import { isAllGeneric, isOfState, isPretextName, LURES } from '../deception/host-words.ts'
import { isShared } from '../deception/hosts.ts'
import { isThrowaway } from '../deception/imitation.ts'
import { brandsNamed, ownerOf } from '../deception/signs.ts'
import { either } from '../deception/wider.ts'
import { brandsOf, names, type ShownText } from './pretexts.ts'

/** More words are a document with a code, not a code with a pretext. */
export const WORDS_MAX = 60
/** Letters of a brand that is no word of a language, though others may have the same letters. */
const SHORT_MAX = 3

/** Whether the text asks for what phishing asks for, or for another owner than that of the code. `isOwned`: another text names the host. */
export const isPretext = (text: ShownText, known: URL, isOwned = () => false): boolean =>
  either(() => asksForOther(text, known, isOwned))

/** Whether the text has the name of the host: a slide or a page may, of which another speaks of money. */
export const namesHost = (text: ShownText, known: URL): boolean => claimOf(text, known.hostname, false).isOwn

function asksForOther(text: ShownText, known: URL, isOwned: () => boolean): boolean {
  const host = known.hostname
  const owner = ownerOf(host)
  // What a well-known owner has put there himself, as the page of a program in a shop.
  if (owner !== undefined && !isShared(known)) return false
  if (!text.isNear || isTrusted(host)) return false
  const claim = claimOf(text, host, owner !== undefined)
  const namesOther = brandsOf(text).some((domain) => !owner?.owned.has(domain))
  if (owner === undefined && isPosing(text, host, claim)) return true
  if (claim.isOwn) return false
  const isAsking = (owner === undefined && isLuring(text, claim)) || asksMuch(text, claim, namesOther)
  return isAsking && !isOwned()
}

function asksMuch(
  { pretext, lure, presses, office, words }: ShownText,
  { isLure }: Claim,
  namesOther: boolean,
): boolean {
  if (pretext && (presses || office || isLure || namesOther || words <= LEAST_WORDS)) return true
  return words <= WORDS_MAX && namesOther && (lure || presses || pretext || words <= FEW_WORDS)
}

const isTrusted = (host: string): boolean => isOfState(host) || isService(host) || OF_PLACE.test(host)

function isPosing(text: ShownText, host: string, { isWhole, isLure }: Claim): boolean {
  const asks = text.pretext || text.lure
  const isNamed = ({ name, isCommon }: Brand): boolean =>
    isCommon ? asks && !isWhole && (name.length <= SHORT_MAX || names(text, name)) : asks || names(text, name)
  if (isWhole && isBranch(host)) return false
  // A name of its own, and a word of what is asked for: its owner wants a password.
  return brandsNamed(host).some(isNamed) || (isLure && text.pretext && (text.presses || text.office))
}

/** Members of a group have its name and the name of a place: `brand-place.de`. */
function isBranch(host: string): boolean {
  const parts = domainOf(host).name.split('-')
  const others = parts.filter((part) => brandsNamed(`${part}.example`).length === 0)
  const isPlace = others.some((part) => !isAllGeneric(part)) && !others.some((part) => LURES.test(part))
  return IN_COUNTRY.test(host) && others.length < parts.length && isPlace
}

function isLuring(text: ShownText, claim: Claim): boolean {
  const { pretext, lure, waits, office, money, presses, demands } = text
  if (demands && !claim.isNamed) return true
  if (claim.isMade) return [pretext, lure, waits, office, money, presses].includes(true)
  return claim.isBeside || claim.isJoined ? luresJoined(text, claim) : luresSingle(text, claim)
}

function luresJoined({ pretext, lure, waits, office, money, presses }: ShownText, claim: Claim): boolean {
  const isLate = money || presses
  if (pretext || (presses && money) || (waits && isLate)) return true
  return lure && (office || (claim.isBeside ? isLate : waits || claim.isLure))
}

function luresSingle({ pretext, lure, waits, office, money, presses }: ShownText, { isLure }: Claim): boolean {
  return (waits && (money || presses || pretext || isLure)) || (lure && (isLure || (presses && office)))
}

/** Words of a text that says little else than whose it is. */
const FEW_WORDS = 12

/** Hardly more than a title. */
const LEAST_WORDS = 8

interface Claim {
  isOwn: boolean
  /** The text has the whole name. */
  isWhole: boolean
  /** As a name, not as words. */
  isNamed: boolean
  /** The name says what is asked for. */
  isLure: boolean
  /** The name was made for a pretext: of such words alone, or under a suffix that costs nothing. */
  isMade: boolean
  /** Somebody whom the text names, and a word that is no part of his name. */
  isBeside: boolean
  /** Several words, of which the text has none as a name. */
  isJoined: boolean
}

/** Words of the name of a host, and which of them the text has as names. */
function partsOf(text: ShownText, host: string) {
  const { name, subdomains, isCheap } = namedBy(host)
  const parts = name.split(/[-_\d]+/).filter((part) => part.length > 1)
  const isName = (part: string): boolean => part.length > 2 && text.capitals.has(part) && !isAllGeneric(part)
  const others = parts.filter((part) => !isName(part) && !OF_NAMES.test(part))
  return {
    ...{ name, subdomains, isCheap, others },
    isWhole: names(text, name.replaceAll('-', '')),
    count: parts.length,
    isGeneric: parts.every((part) => isAllGeneric(part)),
    isSeveral: parts.length > 1,
    isForeign: others.length === parts.length,
    isStated: !isCheap || isStated(text, host, [name.replaceAll('-', ''), ...parts]),
  }
}

/** The text has the name with a capital letter, or the address. Otherwise what both say may be the pretext. */
function isStated({ capitals, joined }: ShownText, host: string, words: readonly string[]): boolean {
  return (
    words.some((word) => capitals.has(word)) || joined.includes(` ${domainOf(host).registered.replace(/[.-]/g, ' ')} `)
  )
}

/** Whose the host is, as far as the text tells: a name of its own that the text has as well. */
function claimOf(text: ShownText, host: string, isShared: boolean): Claim {
  const parts = partsOf(text, host)
  const { name, subdomains, isCheap, others, isWhole, isGeneric, isSeveral, isForeign, count } = parts
  const isBeside = isSeveral && !isWhole && others.length > 0 && !isForeign
  const isPretext = LURES.test(name) && (isGeneric || isBeside) && (isSeveral || name.length > SINGLE_MAX)
  const isOwn = !isGeneric && isNamedBy(parts, host)
  const isLocal = isWhole && !isSeveral && !isCheap && IN_COUNTRY.test(host)
  const isTrader = !isSeveral && !isCheap && isTraderNamed(text, name)
  return {
    isOwn: isOwn || isLocal || isTrader || (isShared && isTenant(text, subdomains)),
    isWhole: isWhole && !isGeneric,
    isNamed: isWhole && !isGeneric && (!isSeveral || others.length < count),
    isLure: isGeneric || LURES.test(name) || subdomains.some(isLureLabel),
    isMade: isCheap || isPretext || OF_STATE_BESIDE.test(name),
    isBeside,
    isJoined: isSeveral && isForeign,
  }
}

/** Whether the text names whose the host is, and no other word of it says what is asked for. */
function isNamedBy(
  { isWhole, isStated, isCheap, isForeign, isSeveral, others, subdomains }: ReturnType<typeof partsOf>,
  host: string,
): boolean {
  if (isWhole) return isStated
  if (isCheap || others.some((part) => LURES.test(part))) return false
  return others.length === 0 || (isSeveral && !isForeign && IN_COUNTRY.test(host) && !subdomains.some(isLureLabel))
}

/** `aegeanair` for Aegean: his name, and what he is. */
function isTraderNamed(text: ShownText, name: string): boolean {
  const [, own = ''] = TRADER.exec(name) ?? []
  return own !== '' && !isAllGeneric(own) && text.capitals.has(own)
}
const TRADER =
  /^([a-z]{4,20}?)(?:airlines|airways|air|rail|bahn|hotels?|group|foods|books|motors|museum|theatre|school)$/

const isTenant = (text: ShownText, labels: readonly string[]): boolean =>
  labels.some((label) => names(text, label.replaceAll('-', '')))
const isLureLabel = (label: string): boolean => label.includes('-') && LURES.test(label)

/** Towns and schools, whose letters have the name of an office. */
const OF_PLACE = /(?:^|\.)(?:stadt|gemeinde|markt|landkreis|kreis|uni|hochschule|fh|tu|vhs)-[a-z]{3,30}\.(?:de|at|ch)$/
/** A single word that is longer is made of several. */
const SINGLE_MAX = 8
/** Parts of the names of honest hosts that their letters need not have. */
const OF_NAMES =
  /^(?:group|gruppe|holding|gmbh|online|shop|store|home|hotel|restaurant|cafe|bar|menu|app|web|net|demo|and|und|et|of|for|en|mein|my|the|die|der|das|de|at|ch|uk|eu|nl|be|fr|it|es|pl)$/
/** `gov-example`: offices of the state have no such names. */
const OF_STATE_BESIDE = /^(?:gov|gouv|gob)-|-(?:gov|gouv|gob)$/

const IN_COUNTRY = /\.[a-z]{2}$/
/** Names of countries that somebody registered, to sell what is below them: `example.de.com`. */
const COUNTRY =
  /^(?:a[etu]|b[egr]|c[ahnoz]|com|d[ek]|e[esu]|f[ir]|g[r]|gov|h[kru]|i[delnrt]|jp|k[er]|l[tv]|m[xy]|n[glz]|no|p[hlt]|r[osu]|s[aegik]|t[hrw]|u[aks]|vn|za)$/

/** Suffixes of honest hosts as well, under which most of what poses as somebody is. */
const OFTEN_CHEAP = /^(?:site|online|live|space|website|host|press|fun|today|club|support|help|work)$/

function namedBy(host: string) {
  const { name, subdomains, suffix } = domainOf(host)
  const isSold = COUNTRY.test(name) || /^[a-z]{2}\.(?:com|net|org)$/.test(suffix)
  const inner = COUNTRY.test(name) ? subdomains.at(-1) : undefined
  return {
    name: inner ?? name,
    subdomains: inner === undefined ? subdomains : subdomains.slice(0, -1),
    isCheap: (isSold && (inner !== undefined || !COUNTRY.test(name))) || isThrowaway(host) || OFTEN_CHEAP.test(suffix),
  }
}

/** A host that says by itself what is asked for, beside a picture without a text. */
export function isLureAlone(known: URL): boolean {
  const { hostname } = known
  if (ownerOf(hostname) !== undefined || isTrusted(hostname)) return false
  const { name, subdomains, isCheap } = namedBy(hostname)
  if (OF_STATE_BESIDE.test(name) || subdomains.some(isLureLabel)) return true
  const isPosing = name.includes('-') && brandsNamed(hostname).length > 0
  return (
    LURES.test(name) && (isCheap || isPosing || isPretextName(name) || (name.length > SINGLE_MAX && isAllGeneric(name)))
  )
}

/** Services that take payments, sell tickets or keep forms for others. */
const SERVICES: ReadonlySet<string> = new Set(
  words(`mollie.com gocardless.com sumup.com sumup.link adyen.com adyen.link payconiq.com tikkie.me twint.ch saferpay.com datatrans.com
  worldline.com wero-wallet.eu bancontact.com swish.nu vippsmobilepay.com mobilepay.dk vipps.no payrexx.com wallee.com eventbrite.com eventim.de
  ticketmaster.com ticketcorner.ch tixly.com ticketino.com weezevent.com billetto.com pretix.eu seetickets.com surveymonkey.com typeform.com
  jotform.com calendly.com doodle.com mentimeter.com slido.com kahoot.it easyparkgroup.com paybyphone.com ringgo.co.uk parkster.com
  lieferando.de ubereats.com opentable.com thefork.com quandoo.com resy.com trustpilot.com qq.com paypay.ne.jp lin.ee line.me szamlazz.hu netopia-payments.ro pagopa.gov.it`),
)
const isService = (host: string): boolean => SERVICES.has(domainOf(host).registered)
