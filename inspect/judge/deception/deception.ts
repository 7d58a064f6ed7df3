/** Judges links by what they claim to be: brands, other servers, and texts that name another target. */

import { LINKS } from '#inspect/catalogue/links.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { noteAddress } from '#inspect/core/indicators.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { describeTarget, isIpAddress, reachOf, SHOWN_MAX, TARGET_MAX } from '#inspect/targets/targets.ts'
import { names, type ShownText } from '../pictures/pretexts.ts'
import { domainOf } from './domains.ts'
import { isGenericName, isOfState, isPretextName, LURES } from './host-words.ts'
import { hostingOf, isTracker } from './hosts.ts'
import { ownerOf, posingName, type Sign, signsOf } from './signs.ts'
import { unwrap, webAddress } from './unwrap.ts'

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
  const claims: { wrapped: Wrapped; claim: URL; target: string }[] = []
  const counts = new Map<string, number>()
  const add = (signs: readonly Sign[], target: string): void => {
    const [first] = signs.toSorted((a, b) => Number(b.isStrong) - Number(a.isStrong))
    const abouts = first?.isStrong ? [first.about] : [...new Set(signs.map(({ about }) => about))]
    const detail = `${abouts.join(', ')}: ${describeTarget(target)}`
    context.addFinding(item, { ...LINKS.deceptive, detail: printable(detail) })
    isFound = true
  }
  const claimOf = (wrapped: Wrapped, target: string, shown: string): void => {
    const { registered } = domainOf(wrapped.known.hostname)
    keep(HOST_BYTES)
    counts.set(registered, (counts.get(registered) ?? 0) + 1)
    const claim = claimIn(shown)
    if (claim === null || !differs(claim, wrapped)) return
    keep(CLAIM_BYTES)
    claims.push({ wrapped, claim, target })
  }
  let isFound = false
  const posing: { wrapped: Wrapped; target: string }[] = []
  const judgePosing = (): void => {
    const text = isFound || posing.length === 0 ? undefined : about?.()
    const found = text && posing.find(({ wrapped }) => poses(text, wrapped))
    if (found) add([{ kind: 'brand', isStrong: true, about: 'poses as who the text names' }], found.target)
  }
  return {
    /** `shown`: the text that is clicked. */
    add(target: string, shown = ''): void {
      const wrapped = isFound ? null : wrappedIn(target)
      if (wrapped === null) return
      const signs = signsOf(wrapped).filter(({ isStrong }) => isStrong || !needsStrong)
      if (isDeceptive(signs)) add(signs, target)
      else if (about !== undefined && wrapped !== null && mayPose(wrapped.known)) posing.push({ wrapped, target })
      claimOf(wrapped, target, shown)
    },
    /** Only of the text: the target was added elsewhere. */
    addText(target: string, shown: string): void {
      const wrapped = isFound ? null : wrappedIn(target)
      if (wrapped !== null) claimOf(wrapped, target, shown)
    },
    finish(): void {
      judgePosing()
      for (const { wrapped, claim, target } of claims) {
        const { registered } = domainOf(wrapped.known.hostname)
        if (isFound || isTracker(wrapped.known, registered) || (counts.get(registered) ?? 0) >= TRACKED_MIN) continue
        const isShort = hostingOf(wrapped.known) === 'shortener'
        const isLure = LURES.test(domainOf(wrapped.known.hostname).name)
        const isStrong = !isShort && (trustsText || isLure || ownerOf(claim.hostname) !== undefined)
        const signs = [...signsOf(wrapped), { kind: 'text' as const, isStrong, about: `shows ${claim.hostname}` }]
        if (isDeceptive(signs)) add(signs, target)
      }
    },
  }
}

/** A name of pretexts only, or with a brand, or a brand in the path. */
function mayPose(known: URL): boolean {
  const { hostname } = known
  if (ownerOf(hostname) !== undefined || isOfState(hostname) || isIpAddress(hostname)) return false
  const { name } = domainOf(hostname)
  return (
    posingName(name) !== undefined ||
    isPretextName(name) ||
    signsOf(unwrapped(known)).some(({ kind }) => kind === 'path')
  )
}

const unwrapped = (known: URL): Wrapped => ({ urls: [known], known, isOpen: false, isDisguised: false })

/** Whether the text names the brand or the office, and asks for what phishing asks for. */
function poses(text: ShownText, { known }: Wrapped): boolean {
  const { name } = domainOf(known.hostname)
  const brand = posingName(name)
  if (brand !== undefined && names(text, brand.name) && (text.pretext || text.lure)) return true
  const asks = text.pretext || text.waits || (text.lure && text.presses)
  if (isPretextName(name)) return asks && (text.office || text.brands.length > 0 || text.commons)
  return text.pretext && text.brands.length > 0
}

/** Longer texts are no addresses. */
export const SHOWN_TEXT_MAX = 300
/** A picture in Markdown, of which no reader sees the address. */
const PICTURE = /!\[[^[\]]{0,200}\]\([^()]{0,300}\)/g
const WHOLE = /^[<("'[]?((?:https?:\/\/|www\.)[^\s<>"']{4,300})$/i
const INNER = /https?:\/\/[^\s<>"']{4,300}/i
const BARE = /^(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}(?:\/\S{0,200})?$/i

/** The address that a text names. Without a scheme it may be the name of a file, unless it belongs to a brand. */
function claimIn(shown: string): URL | null {
  if (shown === '' || shown.length > SHOWN_TEXT_MAX || !shown.includes('.')) return null
  const text = asShown(decoded(shown)).replace(PICTURE, ' ').trim()
  const found = WHOLE.exec(text)?.[1] ?? INNER.exec(text)?.[0] ?? (BARE.test(text) ? text : null)
  if (found === null) return null
  const url = webAddress(/^https?:/i.test(found) ? found : `http://${found}`)
  if (url === null) return null
  return WHOLE.test(text) || INNER.test(text) || ownerOf(url.hostname) !== undefined ? url : null
}

const REVERSED = /\u202e([^\u202c\u2069\n]{1,300})[\u202c\u2069]?/g

/** As a reader sees it: what is written from right to left is turned, and characters without a shape are removed. */
function asShown(text: string): string {
  if (/^[\u0020-\u007e]*$/.test(text)) return text
  return text
    .replace(REVERSED, (_, turned: string) => [...turned].reverse().join(''))
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
}

/** Parts of names that two domains of one owner may share. */
const COMMON_MIN = 4

/** Whether the target belongs to somebody else than the text says. */
function differs(claim: URL, { urls, known }: Wrapped): boolean {
  if (isIpAddress(claim.hostname) || [claim, known].some(({ hostname }) => reachOf(hostname) === 'company'))
    return false
  const [shown, target] = [domainOf(claim.hostname), domainOf(known.hostname)]
  const owner = ownerOf(claim.hostname)
  // A server without a name may be anybody's, but not that of a brand.
  if (isIpAddress(known.hostname)) return owner !== undefined
  if (shown.registered === target.registered || shown.name === target.name) return false
  if (urls.some(({ hostname }) => domainOf(hostname).registered === shown.registered)) return false
  if (owner !== undefined) return owner.owned !== ownerOf(known.hostname)?.owned && !isWrapper(claim)
  return (
    hostingOf(claim) === null &&
    hostingOf(known) !== 'shortener' &&
    (!sharesName(shown.name, target.name) || isLureFor(shown.name, target.name)) &&
    !known.href.includes(`//${claim.hostname}`)
  )
}

/** A text may show the address of a service that shortens or counts. */
function isWrapper(claim: URL): boolean {
  return hostingOf(claim) !== null || unwrap(claim).urls.length > 1
}

/** The name of another, and words of a pretext: `nordbank-verify`. */
function isLureFor(shown: string, target: string): boolean {
  if (!target.includes(shown) || target === shown) return false
  const rest = target.replace(shown, '').replace(/^-|-$/g, '')
  return LURES.test(rest) && isGenericName(rest)
}

function sharesName(a: string, b: string): boolean {
  const [short = '', long = ''] = [a, b].toSorted((one, other) => one.length - other.length)
  return short.length >= COMMON_MIN && long.includes(short)
}

/** Readers decode texts byte by byte: what is UTF-8 is read as that. */
function decoded(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  const utf8 = Buffer.from(text, 'latin1').toString()
  return utf8.includes('\ufffd') ? text : utf8
}

function printable(text: string): string {
  const shown = text.replace(/[^\u0020-\u007e]/g, '?')
  return shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX - 3)}...` : shown
}
