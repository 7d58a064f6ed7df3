/** Judges links by what they claim to be: brands, other servers, and texts that name another target. */

import { LINKS } from '#inspect/catalogue/links.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { noteAddress } from '#inspect/core/indicators.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { describeTarget, isIpAddress, reachOf, SHOWN_MAX, TARGET_MAX } from '#inspect/targets/targets.ts'
import { brandsOf, names, type ShownText } from '../pictures/pretexts.ts'
import { servedFile } from '../served-files.ts'
import type { Brand } from './brands.ts'
import { claimIn, decoded } from './claims.ts'
import { type Domain, domainOf } from './domains.ts'
import { asks, isOfState, isPretextName, LURES } from './host-words.ts'
import { hostingOf, isTracker } from './hosts.ts'
import { imitates, isThrowaway } from './imitation.ts'
import { brandsNamed, ownerOf, posingName, type Sign, signsOf } from './signs.ts'
import { unwrap, webAddress } from './unwrap.ts'
import { again, either, wider } from './wider.ts'

/** For every link, and for each of its characters. */
const LINK_WORK = 6_000
const CHARACTER_WORK = 20
/** Memory for a link whose text names another target, and for a host. */
const CLAIM_BYTES = 2_000
const HOST_BYTES = 150

/** Links to one host. A newsletter counts all clicks on one, so that the texts name other hosts. */
const TRACKED_MIN = 4

interface Judged {
  /** null: no address on the web. */
  known: URL | null
  signs: readonly Sign[]
}

type Wrapped = ReturnType<typeof unwrap> & { isDisguised: boolean }

/** Signs of deception in an address, without its text. */
export function judgeAddress(target: string): Judged {
  const wrapped = wrappedIn(target)
  return wrapped === null ? { known: null, signs: [] } : { known: wrapped.known, signs: signsOf(wrapped) }
}

/** What is written as the host of an address. */
const AUTHORITY = /^https?:[\\/]{0,9}(?:[^\\/?#]{0,500}@)?([^\\/?#:@]{1,100})/i
const NUMBERS = /^(?:\d{1,3}\.){3}\d{1,3}$/

/** An address of four numbers in another form, as one number for instance. It is written to hide the address. */
function isDisguised(text: string, { hostname }: URL): boolean {
  return NUMBERS.test(hostname) && AUTHORITY.exec(text.trim())?.[1] !== hostname
}

function wrappedIn(target: string): Wrapped | null {
  const text = decoded(target.slice(0, TARGET_MAX))
  charge(LINK_WORK + text.length * CHARACTER_WORK)
  noteAddress(text)
  const absolute = text.startsWith('//') ? `http:${text}` : text
  const url = webAddress(absolute)
  return url === null ? null : { ...unwrap(url), isDisguised: isDisguised(absolute, url) }
}

/** One strong sign, or two weak ones of different kinds. */
export function isDeceptive(signs: readonly Sign[]): boolean {
  return signs.some(({ isStrong }) => isStrong) || new Set(signs.map(({ kind }) => kind)).size > 1
}

/** Hosts of a link that writes a mail, and of the address that it shows. */
const MAIL = /^\s{0,9}mailto:[^@?&,;]{1,100}@([\w.-]{4,250})/i
const MAIL_SHOWN = /^\s{0,9}[^\s@]{1,100}@([\w.-]{4,250})\s{0,9}$/

interface Trust {
  trustsText?: boolean
  needsStrong?: boolean
  /** The text around the links, of a message. */
  about?: () => ShownText
}

/** Collects the links of one item. `needsStrong`: an address without a text of its own is judged by strong signs only. */
export function createDeceptionJudge(
  item: Item,
  context: Context,
  { trustsText = true, needsStrong = false, about }: Trust = {},
) {
  /** `isAgain`: judged by the tables of the channel as well. */
  const claims: { wrapped: Wrapped; claim: URL; target: string; isAgain: boolean }[] = []
  const counts = new Map<string, number>()
  const add = (signs: readonly Sign[], target: string): void => {
    const [first] = signs.toSorted((a, b) => Number(b.isStrong) - Number(a.isStrong))
    const abouts = first?.isStrong ? [first.about] : [...new Set(signs.map(({ about }) => about))]
    const detail = `${abouts.join(', ')}: ${describeTarget(target)}`
    const isFile = first?.isStrong === true && servedFile(target) !== null
    context.addFinding(item, { ...(isFile ? LINKS.deceptiveFile : LINKS.deceptive), detail: printable(detail) })
    isFound = true
  }
  const counted = new Set<string>()
  const count = ({ known }: Wrapped): void => {
    // Texts have the address of a link as well, and tables the same one in many rows.
    if (counted.has(known.href)) return
    const { registered } = domainOf(known.hostname)
    keep(HOST_BYTES + known.href.length)
    counted.add(known.href)
    counts.set(registered, (counts.get(registered) ?? 0) + 1)
  }
  const claimOf = (wrapped: Wrapped, target: string, shown: string): void => {
    const claim = claimIn(shown)
    if (claim === null || !differs(claim.url, wrapped)) return
    if (claim.isBare && !trustsText && !imitates(claim.url.hostname, wrapped.known.hostname)) return
    // Nobody writes an address backwards who does not hide it.
    if (claim.isTurned) add([{ kind: 'text', isStrong: true, about: `shows ${claim.url.hostname}` }], target)
    keep(CLAIM_BYTES)
    claims.push({ wrapped, claim: claim.url, target, isAgain: wider() !== null })
  }
  const addClaims = (wrapped: Wrapped, target: string, shown: string): void => {
    count(wrapped)
    claimOf(wrapped, target, shown)
    if (shown !== '') again(() => claimOf(wrapped, target, shown))
  }
  const addMail = (target: string, shown: string): void => {
    const [one, other] = [MAIL_SHOWN.exec(shown), MAIL.exec(target)].map((found) => found?.[1]?.toLowerCase())
    if (isFound || one === undefined || other === undefined || !imitates(one, other)) return
    if (domainOf(one).registered !== domainOf(other).registered)
      add([{ kind: 'text', isStrong: true, about: `shows ${one}` }], target)
  }
  /** Servers of newsletters. Where every link to one shows the same other host, it is a list of that host. */
  const newsletters = (): Set<string> => {
    const shown = Map.groupBy(claims, ({ wrapped }) => domainOf(wrapped.known.hostname).registered)
    const isOne = (registered: string, count: number): boolean => {
      const links = shown.get(registered) ?? []
      const isEach = new Set(links.map(({ wrapped }) => wrapped.known.href)).size === count
      return isEach && new Set(links.map(({ claim }) => domainOf(claim.hostname).registered)).size === 1
    }
    const many = counts.entries().filter(([server, count]) => count >= TRACKED_MIN && !isOne(server, count))
    return new Set(many.map(([server]) => server))
  }
  let isFound = false
  const posing: { wrapped: Wrapped; target: string }[] = []
  const judgePosing = (): void => {
    const text = isFound || posing.length === 0 ? undefined : about?.()
    const found = text && posing.find(({ wrapped }) => either(() => poses(text, wrapped)))
    if (found) add([{ kind: 'brand', isStrong: true, about: 'poses as who the text names' }], found.target)
  }
  return {
    /** `shown`: the text that is clicked. */
    add(target: string, shown = ''): void {
      const wrapped = isFound ? null : wrappedIn(target)
      if (wrapped === null) {
        addMail(target, shown)
        return
      }
      const signs = signsOf(wrapped).filter(({ isStrong }) => isStrong || !needsStrong)
      if (isDeceptive(signs)) add(signs, target)
      else if (about !== undefined && either(() => mayPose(wrapped.known))) posing.push({ wrapped, target })
      addClaims(wrapped, target, shown)
    },
    /** Only of the text: the target was added elsewhere. */
    addText(target: string, shown: string): void {
      const wrapped = isFound ? null : wrappedIn(target)
      if (wrapped === null) addMail(target, shown)
      else addClaims(wrapped, target, shown)
    },
    finish(): void {
      judgePosing()
      const tracked = newsletters()
      for (const { wrapped, claim, target, isAgain } of claims) {
        const isCounted = tracked.has(domainOf(wrapped.known.hostname).registered)
        const judge = () => signsOfClaim(claim, wrapped, { trustsText, isCounted })
        const signs = isFound ? [] : isAgain ? (again(judge) ?? []) : judge()
        if (isDeceptive(signs)) add(signs, target)
      }
    },
  }
}

/** Of a link whose text names another host. None if clicks on it are only counted. */
function signsOfClaim(
  claim: URL,
  wrapped: Wrapped,
  { trustsText, isCounted }: { trustsText: boolean; isCounted: boolean },
): Sign[] {
  const { hostname: shown } = claim
  const { hostname } = wrapped.known
  const { registered, name } = domainOf(hostname)
  const isImitation = imitates(shown, hostname)
  const isTracked = isCounted || isTracker(wrapped.known, registered)
  if (!isImitation && isTracked && !(isOfState(shown) && leadsOn(wrapped, false))) return []
  const isPosing =
    isImitation ||
    LURES.test(name) ||
    ownerOf(shown) !== undefined ||
    asksFor(claim) ||
    signsInElsewhere(shown, wrapped)
  const isStrong = hostingOf(wrapped.known) !== 'shortener' && (trustsText || isPosing)
  const isCheap = wrapped.urls.some((url) => isThrowaway(url.hostname)) && !isThrowaway(shown)
  return [
    ...signsOf(wrapped),
    { kind: 'text', isStrong, about: `shows ${shown}` },
    ...(isCheap ? [CHEAP] : []),
    ...(leadsOn(wrapped, true) ? [LEADS_ON] : []),
  ]
}

/** Through the server of one to that of another; that of the text is neither. */
function leadsOn({ urls, known }: Wrapped, mayBeOfState: boolean): boolean {
  const last = urls.at(-1)
  if (last === undefined || last === known || (!mayBeOfState && isOfState(last.hostname))) return false
  return domainOf(last.hostname).registered !== domainOf(known.hostname).registered
}

/** The text shows where somebody signs in or pays: nobody writes that of a page that only has moved. */
const ASKED_FOR =
  /(?:^|[./-])(?:log-?in|sign-?in|anmeld\w{0,4}|inloggen|connexion|acceso|accesso|acesso|logowanie|e?-?banking|netbank\w{0,4}|rechnung(?:en)?|zahlung|bezahlen|betaling|betalning|payments?|pay|paiement|pago|pagamento|invoices?|billing|konto|meinkonto|kundenkonto|mijn|my-?account|accounts?|verify|secure|reset|password|passwort|2fa|mfa)(?=[./?-]|$)/i
const asksFor = ({ hostname, pathname }: URL): boolean => ASKED_FOR.test(`${hostname}${pathname}`)

/** The target is where somebody signs in, and no service at which the owner of the text has a name of his own. */
function signsInElsewhere(shown: string, { known }: Wrapped): boolean {
  const { subdomains } = domainOf(known.hostname)
  return (
    SIGN_IN.test(known.pathname) && ownerOf(known.hostname) === undefined && !subdomains.includes(domainOf(shown).name)
  )
}

/** Beside a text that shows another. */
const CHEAP: Sign = { kind: 'suffix', isStrong: false, about: 'has a suffix that costs nothing' }

const LEADS_ON: Sign = { kind: 'redirect', isStrong: false, about: 'leads on to another server' }

/** A name of pretexts only, or with a brand, or a brand in the path. */
function mayPose(known: URL): boolean {
  const { hostname } = known
  if (ownerOf(hostname) !== undefined || isOfState(hostname) || isIpAddress(hostname)) return false
  const { name } = domainOf(hostname)
  return (
    posingName(name) !== undefined ||
    isPretextName(name) ||
    brandsNamed(hostname).length > 0 ||
    hasBrandPath(known) ||
    isPlanted(known)
  )
}

/** Folders in which no pages are: hidden ones, and those of pictures, styles and programs. */
const NO_PAGES =
  /\/(?:\.(?!well-known)[a-z][\w-]{1,40}|images?|img|pics?|css|js|fonts?|wp-includes|wp-content|wp-admin|cgi-bin|tmp|cache|uploads?|assets|media)\//i
/** A page to sign in, or a folder that is named so, and none for those who write about it. */
const SIGN_IN =
  /(?:^|[/_.-])(?:log-?in|sign-?in|log-?on|webscr|verify|verification|secure|account|auth|e?banking|netbank|webmail|owa|connexion|anmelden|anmeldung|acceso|accesso|acesso|inloggen|giris|vhod|prihlaseni|logowanie)(?:[/_.-][\w.-]{0,40})?(?:\.(?:html?|php|aspx?|cgi)|\/)?$/i

/** A page to sign in where a site has pictures or hidden files: somebody else has put it there. */
function isPlanted({ pathname, hostname }: URL): boolean {
  if (hostingOf(new URL(`https://${hostname}/`)) !== null) return false
  return NO_PAGES.test(pathname) && SIGN_IN.test(pathname)
}

const hasBrandPath = (known: URL): boolean => signsOf(unwrapped(known)).some(({ kind }) => kind === 'path')

const unwrapped = (known: URL): Wrapped => ({ urls: [known], known, isOpen: false, isDisguised: false })

/** Whether the text names the brand or the office, and asks for what phishing asks for. */
function poses(text: ShownText, { known }: Wrapped): boolean {
  const { name } = domainOf(known.hostname)
  const brand = posingName(name)
  if (brand !== undefined && names(text, brand.name) && (text.pretext || text.lure)) return true
  const isAsking = text.pretext || text.waits || (text.lure && text.presses)
  const { subdomains } = domainOf(known.hostname)
  const isPosing = ({ name: own }: Brand): boolean =>
    names(text, own) && (asks(name) || subdomains.some((label) => label.split('-').includes(own)))
  if (isAsking && brandsNamed(known.hostname).some(isPosing)) return true
  if (isPretextName(name)) return isAsking && (text.office || brandsOf(text).length > 0 || text.commons)
  if (isPlanted(known)) return text.pretext && (text.presses || text.waits || text.threatens)
  return hasBrandPath(known) && text.pretext && brandsOf(text).length > 0
}

/** Parts of names that two domains of one owner may share. */
const COMMON_MIN = 4

/** Whether the target belongs to somebody else than the text says. */
function differs(claim: URL, { urls, known }: Wrapped): boolean {
  if (isIpAddress(claim.hostname) || [claim, known].some(({ hostname }) => reachOf(hostname) === 'company'))
    return false
  const [shown, target] = [domainOf(claim.hostname), domainOf(known.hostname)]
  const owner = ownerOf(claim.hostname)
  // A server without a name may be anybody's, but not that of a brand, and none has a page of another.
  if (isIpAddress(known.hostname)) return owner !== undefined || (claim.pathname !== '/' && known.pathname !== '/')
  if (shown.registered === target.registered) return false
  if (shown.name === target.name && !imitates(claim.hostname, known.hostname)) return false
  if (urls.some(({ hostname }) => domainOf(hostname).registered === shown.registered)) return false
  if (owner !== undefined && isMember(target, shown)) return false
  if (owner !== undefined) return owner.owned !== ownerOf(known.hostname)?.owned && !isWrapper(claim)
  return (
    hostingOf(claim) === null &&
    hostingOf(known) !== 'shortener' &&
    (!sharesName(shown.name, target.name) || imitates(claim.hostname, known.hostname)) &&
    !leadsTo(known, claim.hostname)
  )
}

/** Members of a group have its name and one of their own: `brand-place.de`. */
const isMember = (target: Domain, shown: Domain): boolean =>
  target.suffix === shown.suffix && target.name.split('-').includes(shown.name) && !asks(target.name)

/** The address has the other one in it. */
function leadsTo({ href }: URL, host: string): boolean {
  const at = href.indexOf(`//${host}`, 'https://'.length)
  return at !== -1 && !/[\w.-]/.test(href[at + 2 + host.length] ?? '')
}

/** A text may show the address of a service that shortens or counts. */
function isWrapper(claim: URL): boolean {
  return hostingOf(claim) !== null || unwrap(claim).urls.length > 1
}

function sharesName(a: string, b: string): boolean {
  const [short = '', long = ''] = [a, b].toSorted((one, other) => one.length - other.length)
  return short.length >= COMMON_MIN && long.includes(short)
}

function printable(text: string): string {
  const shown = text.replace(/[^\u0020-\u007e]/g, '?')
  return shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX - 3)}...` : shown
}
