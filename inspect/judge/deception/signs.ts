/** What about an address speaks for deception. Each alone may have a good reason, unless it is strong. */

import { charge } from '#inspect/core/work.ts'
import { isIpAddress, reachOf } from '#inspect/targets/targets.ts'
import { BRANDS, type Brand, OWNER_OF } from './brands.ts'
import { type Domain, domainOf } from './domains.ts'
import { asks, isGenericName, isOfState, isPretextName } from './host-words.ts'
import { hostingOf, isForwarded } from './hosts.ts'
import { isThrowaway } from './imitation.ts'
import { isMixed, shownHost, skeletonOf } from './skeleton.ts'
import type { unwrap } from './unwrap.ts'
import { userHost } from './user-part.ts'
import { both, wider } from './wider.ts'

type SignKind =
  | 'brand'
  | 'letters'
  | 'user'
  | 'server'
  | 'hosting'
  | 'redirect'
  | 'recipient'
  | 'text'
  | 'suffix'
  | 'path'

export interface Sign {
  kind: SignKind
  isStrong: boolean
  /** For the detail of a finding. */
  about: string
}

const strong = (kind: SignKind, about: string): Sign => ({ kind, isStrong: true, about })
const weak = (kind: SignKind, about: string): Sign => ({ kind, isStrong: false, about })

type Unwrapped = ReturnType<typeof unwrap> & { isDisguised?: boolean }

/** Of everything that the address leads through. */
export const signsOf = (unwrapped: Unwrapped): Sign[] => both(() => signsIn(unwrapped))

function signsIn({ urls, isOpen, isDisguised = false }: Unwrapped): Sign[] {
  const last = urls.at(-1)
  const isForeign = reachOf(urls[0]?.hostname ?? '') !== 'company'
  return [
    ...(isDisguised && isForeign ? [strong('server', 'hides its number')] : []),
    ...urls.flatMap(hostSigns),
    ...(last !== undefined && namesReader(last) ? [weak('recipient', 'names the reader')] : []),
    ...(handsReaderOn(urls) ? [strong('recipient', 'hands the reader on')] : []),
    ...(isOpen ? [weak('redirect', 'leads on')] : []),
    ...(last !== undefined && isForeign ? pathSigns(last) : []),
  ]
}

function hostSigns(url: URL): Sign[] {
  const { hostname, port } = url
  const signs: Sign[] = []
  const posed = userHost(url)
  if (posed !== undefined) signs.push(strong('user', `shows ${posed} before an @`))
  if (isIpAddress(hostname)) {
    if (reachOf(hostname) !== 'company') signs.push(weak('server', 'has no name'))
    return signs
  }
  if (reachOf(hostname) === 'company') return signs
  if (port !== '') signs.push(weak('server', 'has a port'))
  const kind = hostingOf(url)
  if (kind !== null) signs.push(weak('hosting', HOSTING[kind]))
  const bucket = bucketOf(url)
  const brand = bucket === undefined ? undefined : (posingName(bucket) ?? namedTwice(bucket))
  if (brand !== undefined) signs.push(strong('brand', `poses as ${brand.domain} in a store`))
  return [...signs, ...nameSigns(hostname, kind === 'tunnel')]
}

/** Stores in which anybody has folders and names them. */
const STORES =
  /^(?:storage\.googleapis\.com|storage\.cloud\.google\.com|firebasestorage\.googleapis\.com|s3[.-][a-z0-9-]{0,30}\.?amazonaws\.com|objectstorage\.[a-z0-9-]{1,30}\.oraclecloud\.com|f\d{3}\.backblazeb2\.com|sites\.google\.com)$/
const FOLDER = /^\/(?:v0\/b\/|view\/|file\/|(?:n\/[^/]{1,60}\/)?b\/)?([a-z0-9._-]{3,63})(?:\/|$)/i

const bucketOf = ({ hostname, pathname }: URL): string | undefined =>
  STORES.test(hostname) ? FOLDER.exec(pathname)?.[1]?.toLowerCase() : undefined

const HOSTING = {
  shortener: 'is a short address',
  tunnel: 'is on a host that anybody may use',
  ipfs: 'is on IPFS',
  dynamicDns: 'is on a dynamic name',
}

/** Shorter names are equal to too many others. */
export const BRAND_MIN = 5
/** For each place of a label at which an added name may begin, and each length of one. */
const PLACE_WORK = 40
const DOMAIN_NAME_MIN = 4

const named = BRANDS.filter(({ name }) => !name.includes('.'))
const BY_NAME: ReadonlyMap<string, Brand> = new Map(named.map((brand) => [brand.name, brand]))
const BY_SKELETON: ReadonlyMap<string, Brand> = new Map(
  named.filter(({ name }) => name.length >= BRAND_MIN).map((brand) => [skeletonOf(brand.name), brand]),
)
const CONTAINED = new RegExp(
  named
    .filter(({ name, isCommon }) => !isCommon && name.length >= BRAND_MIN)
    .map(({ name }) => name)
    .join('|'),
)
const LURE =
  /log-?[io]n|sign-?[io]n|secur|verif|account|update|support|mfa|2fa|invoice|billing|auth|sso|wallet|password|unlock|recover|payroll|voicemail/

/** The domain belongs to a brand, or to the registry of one. */
export function ownerOf(hostname: string): Brand | undefined {
  const { registered, suffix } = domainOf(hostname)
  return ownerNamed(registered) ?? ownerNamed(suffix)
}

const ownerNamed = (domain: string): Brand | undefined => OWNER_OF.get(domain) ?? wider()?.owners.get(domain)
const brandNamed = (name: string): Brand | undefined => BY_NAME.get(name) ?? wider()?.byName.get(name)

function brandLike(word: string): Brand | undefined {
  const skeleton = skeletonOf(word)
  return BY_SKELETON.get(skeleton) ?? wider()?.bySkeleton.get(skeleton)
}

/** A brand inside of a word. */
function brandIn(label: string): string | undefined {
  const found = CONTAINED.exec(label)?.[0]
  const added = found === undefined ? wider() : null
  if (added === null) return found
  charge(label.length * added.lengths.length * PLACE_WORK)
  // As long for a table of thousands as for one of a few.
  for (let at = 0; at < label.length; at++)
    for (const length of added.lengths) {
      const part = label.slice(at, at + length)
      if (added.contained.has(part)) return part
    }
  return undefined
}

/** `isGiven`: the label in front of the domain is what somebody chose. */
function nameSigns(hostname: string, isGiven: boolean): Sign[] {
  if (ownerOf(hostname) !== undefined || isForwarded(hostname)) return []
  const { subdomains, name } = domainOf(hostname)
  const labels = [...subdomains, name].map(shownHost)
  const posed = wholeDomain([...subdomains, name]) ?? lookalike(labels) ?? besidePretexts(hostname)
  if (posed !== undefined) return [strong('brand', `poses as ${posed.domain}`)]
  if (seemsOfState(hostname)) return [strong('brand', 'poses as an office')]
  if (hasInnerSuffix(hostname) || labels.some((label) => FALSE_END.test(label)))
    return [strong('letters', 'seems to end earlier')]
  if (labels.some(isMixed)) return [strong('letters', 'has letters of two scripts')]
  return ownSigns(hostname, labels, isGiven)
}

/** Of the name that somebody chose. */
function ownSigns(hostname: string, labels: readonly string[], isGiven: boolean): Sign[] {
  const { subdomains, name, suffix } = domainOf(hostname)
  const posing = posingName(shownHost(name)) ?? (isGiven ? posingName(subdomains.at(-1) ?? '') : undefined)
  const own = posing?.isCommon === false ? posing : namedTwice(shownHost(name))
  if (own !== undefined) return [strong('brand', `poses as ${own.domain}`)]
  const brand = (isGiven ? posing?.domain : undefined) ?? mentioned(labels, suffix)
  return brand === undefined ? [] : [weak('brand', `names ${brand}`)]
}

/** Signs that look like those behind which a host has ended: a slash or a colon. */
const FALSE_END = /[\u1735\u2044\u2215\u2236\u2571\u27cb\u29f6\u29f8\ua789]/

/** Suffixes of offices as labels of somebody else, also with hyphens: `gov-uk.refund.example`. */
const STATE_LABELS =
  /(?:^|[.-])(?:gov|gouv|gob|govt)[.-](?:uk|fr|es|au|br|in|it|pl|mx|ar|co|nz|cn|sg|my|za|tr|ua|pt|gr|il|sa|ae|hk|ph)(?=[.-])/

const seemsOfState = (hostname: string): boolean =>
  !isOfState(hostname) && STATE_LABELS.test(hostname) && !isStored(hostname)

/** Stores, whose names may be those of hosts. */
const isStored = (hostname: string): boolean => /\.(?:amazonaws\.com|windows\.net|googleapis\.com)$/.test(hostname)

/** `rakuten-card.co-jp.example`. */
const DOUBLE_SUFFIX = /^(?:com?|net|org|gov|gob|gouv|go|ne|or|ac)-[a-z]{2}$/
const SUFFIX = /^(?:com?|net|org|[a-z]{2})$/

/**
 * A suffix in the middle, and after it only words of a pretext: `nordbank.fr-rueckzahlung.example`, `nordbank.de.konto-login.example`.
 * What is in front of it must be a name.
 */
function hasInnerSuffix(hostname: string): boolean {
  const { subdomains, name } = domainOf(hostname)
  const last = subdomains.at(-1) ?? ''
  const isEnded = SUFFIX.test(last)
  const before = subdomains.at(isEnded ? (LONG_SUFFIX.test(subdomains.at(-2) ?? '') ? -3 : -2) : -1) ?? ''
  if (before.length < DOMAIN_NAME_MIN || isGenericName(before)) return false
  return (isEnded && isPretextName(name)) || DOUBLE_SUFFIX.test(name) || beginsWithSuffix(name, isThrowaway(hostname))
}

const LONG_SUFFIX = /^(?:com?|net|org)$/

/** Two letters may be a word. */
function beginsWithSuffix(name: string, isCheap: boolean): boolean {
  const [first = '', ...rest] = name.split('-')
  const words = rest.join('-')
  if (!SUFFIX.test(first) || words === '') return false
  return isCheap || (isGenericName(words) && (first.length > 2 || asks(words)))
}

/** `microsoft.com.login.example`, and `microsoft.com-login.example`. */
function wholeDomain(labels: readonly string[]): Brand | undefined {
  for (const [i, label] of labels.entries()) {
    if (label.length < DOMAIN_NAME_MIN) continue
    const next = labels[i + 1] ?? ''
    const [start = '', ...rest] = next.split('-')
    // The last label is the one that is registered: what is equal to a brand there may be its own.
    const isWhole = i + 2 < labels.length || rest.length > 0
    const found = isWhole
      ? (ownerNamed(`${label}.${start}`) ?? ownerNamed(`${label}.${next}.${labels[i + 2] ?? ''}`))
      : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** A brand as a label of a host of which all else are words of a pretext: `paypal.login-secure.example`. */
function besidePretexts(hostname: string): Brand | undefined {
  const { subdomains, name } = chosen(hostname)
  if (!asks(name) || !(isPretextName(name) || (isGenericName(name) && isThrowaway(hostname)))) return undefined
  const [label, ...others] = subdomains.filter((each) => !isGenericName(each))
  return label === undefined || others.length > 0 ? undefined : brandBesideWords(label)
}

/** What somebody chose: some sell what is below the name of a country, as in `example.de.com`. */
function chosen(hostname: string): Pick<Domain, 'name' | 'subdomains'> {
  const { subdomains, name } = domainOf(hostname)
  const inner = COUNTRY.test(name) ? subdomains.at(-1) : undefined
  return inner === undefined ? { name, subdomains } : { name: inner, subdomains: subdomains.slice(0, -1) }
}

const COUNTRY = /^[a-z]{2}$/

/** `paypal`, `paypal-de`, `evri-redeliver`. */
function brandBesideWords(label: string): Brand | undefined {
  const parts = label.split('-')
  const brand = brandNamed(label) ?? parts.map((part) => brandNamed(part)).find((found) => found !== undefined)
  if (brand === undefined || brand.name === label) return brand?.isCommon ? undefined : brand
  const others = parts.filter((part) => part !== brand.name)
  return others.every((part) => COUNTRY.test(part) || isGenericName(part) || asks(part) || brandNamed(part))
    ? brand
    : undefined
}

/** What messages in the name of a brand are about. */
const ASKED =
  /^(?:billing|invoices?|payments?|pay|renewal|renew|update|confirm|confirmation|support|helpdesk|alerts?|delivery|track|tracking|review|documents?|subscription|fees?|sicherheit|konto|kundenservice|kundencenter|freigabe|banking|rechnung|paket|sendung|zustellung|bestaetigung|seguridad|cuenta|securite|compte|client|sicurezza|conto)$/

/** The name of a brand and words of a pretext: `netflix-billing`. Of names that are other words as well, nothing else. */
export function posingName(name: string): Brand | undefined {
  const parts = name.split(/[-_]+/)
  if (parts.length < 2) return undefined
  const brand = parts.map((part) => brandNamed(part)).find((found) => found !== undefined)
  const others = parts.filter((part) => part !== brand?.name)
  if (!others.some((part) => ASKED.test(part) || asks(part))) return undefined
  return brand?.isCommon === false || others.every((part) => isGenericName(part)) ? brand : undefined
}

/** Two names of one owner, of which one may be a word: `outlook-office`. */
function namedTwice(name: string): Brand | undefined {
  const [first, ...others] = name.split('-').flatMap((part) => brandNamed(part) ?? [])
  return others.some((other) => other.name !== first?.name && other.owned === first?.owned) ? first : undefined
}

/** A word of a label that is read as a brand, but is written otherwise. */
function lookalike(labels: readonly string[]): Brand | undefined {
  for (const label of labels)
    for (const word of new Set([label, ...label.split('-')])) {
      const brand = brandLike(word)
      if (brand === undefined || brand.name === word) continue
      if (!brand.isCommon || /[^a-z-]/.test(word)) return brand
    }
  return undefined
}

/** A brand as a label, except as its own name in a country, or beside a word of a pretext. */
function mentioned(labels: readonly string[], suffix: string): string | undefined {
  for (const [i, label] of labels.entries()) {
    const brand = brandNamed(label)
    const isCountry = i === labels.length - 1 && /(?:^|\.)[a-z]{2}$/.test(suffix)
    if (brand !== undefined && !brand.isCommon && !isCountry) return brand.name
    const isBelow = i < labels.length - 1 && label.includes('-')
    const contained = LURE.test(label) || isBelow ? brandIn(label) : undefined
    if (contained !== undefined) return contained
  }
  return undefined
}

/** Brands that a host of somebody else has as words, also of those that are other words as well: `ing-kaart.example`. */
export function brandsNamed(hostname: string): Brand[] {
  if (isForwarded(hostname)) return []
  const { subdomains, name, suffix } = domainOf(hostname)
  const labels = [...subdomains, name].map(shownHost)
  const found = labels.flatMap((label) => {
    const words = new Set([label, ...label.split(/[-_]/), ...label.split(/[-_\d]+/)])
    return [...words].flatMap((word) => brandNamed(word) ?? brandLike(word) ?? [])
  })
  const isCountry = /(?:^|\.)[a-z]{2}$/.test(suffix)
  return found.filter((brand) => !(isCountry && brand.name === name))
}

const IN_PATH = /(?:^|[/.])([a-z0-9-]{3,40}\.(?:com|net|org|de|co\.uk|fr|ch|gov|us))(?=\/|$)/gi

/** The domain of a brand in the path of somebody else: `/www.paypal.com/signin`. */
function pathSigns({ pathname, hostname }: URL): Sign[] {
  if (ownerOf(hostname) !== undefined || isForwarded(hostname) || !pathname.includes('.')) return []
  const brand = [...pathname.matchAll(IN_PATH)].map(([, domain = '']) => ownerNamed(domain.toLowerCase())).find(Boolean)
  return brand === undefined ? [] : [weak('path', `has ${brand.domain} in its path`)]
}

const MAIL_ADDRESS = /[\w.+-]{1,64}(?:@|%40)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.[a-z]{2,24}/i
const WHOLE_ADDRESS = /^[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.[a-z]{2,24}$/i
const CODED = /[A-Za-z0-9+/_-]{12,400}/g
/** Pieces of an address that are tried as Base64. */
const CODED_MAX = 8

/** To a server of somebody else, which the browser gives the fragment of the first address. */
function handsReaderOn([first, ...others]: readonly URL[]): boolean {
  const last = others.at(-1)
  if (first === undefined || last === undefined || !namesReader({ search: '', hash: first.hash })) return false
  return domainOf(first.hostname).registered !== domainOf(last.hostname).registered
}

/** The address of a reader in the query or the fragment, also in Base64: the page greets him with it. */
function namesReader({ search, hash }: Pick<URL, 'search' | 'hash'>): boolean {
  const text = search + hash
  if (text === '') return false
  if (MAIL_ADDRESS.test(text)) return true
  return [...text.matchAll(CODED).take(CODED_MAX)].some(([code]) =>
    WHOLE_ADDRESS.test(Buffer.from(code, 'base64').toString('latin1')),
  )
}
