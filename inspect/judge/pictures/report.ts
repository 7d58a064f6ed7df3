/** Reports the codes of a document, and the pictures that were not searched for them. */

import { LINKS } from '#inspect/catalogue/links.ts'
import { QR } from '#inspect/catalogue/qr.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { noteAddress } from '#inspect/core/indicators.ts'
import { mark } from '#inspect/core/marks.ts'
import { describeTarget, isIpAddress, reachOf } from '#inspect/targets/targets.ts'
import { isDeceptive, judgeAddress } from '../deception/deception.ts'
import type { Sign } from '../deception/signs.ts'
import { addressOf } from './addresses.ts'
import { isLureAlone, isPretext, namesHost, WORDS_MAX } from './claims.ts'
import type { Found } from './codes.ts'
import { isDevice, isKey, isKeyOfAttack, KEY_MAX } from './keys.ts'
import { brandsOf, type ShownText, shownText } from './pretexts.ts'

/** A code with an address on the web. */
const CODES = factType<{ address: string; known: URL; signs: readonly Sign[] }>('codes')
/** A code with a key or with an address of another kind. */
const KEYS = factType<string>('codes with keys')
const UNREAD = factType<string>('unread pictures')
/** What is written beside pictures. */
const SHOWN = factType<() => ShownText>('shown texts')
/** What other files of an archive say. */
const APART = factType<() => ShownText>('texts apart')
/** Of archives with more, they are about something else. */
const APART_MAX = 3

export function reportPicture(item: Item, found: Found, context: Context): void {
  if (typeof found === 'string') context.record(item, UNREAD, found)
  else for (const text of found) reportCode(item, text, context)
}

/** `read` is called only if there is a code. */
export function recordText(item: Item, read: () => ShownText, context: Context): void {
  context.record(item, SHOWN, read)
}

const beside = new WeakMap<Item, number>()
/** An archive with files that may have a code. */
const PICTURE_FILES = mark(['.png', '.jpg', '.jpeg', '.gif', '.bmp', '.webp', '.svg', '.pdf'], { ignoresCase: true })

export const hasPictureFiles = (item: Item): boolean =>
  item.sniffed.type === 'application/zip' && item.has(PICTURE_FILES)

/** A letter in this archive, whose picture may be another file. Only the first are kept. */
export function isAmongFirst(item: Item, archive: Item, context: Context): boolean {
  const count = (beside.get(archive) ?? 0) + 1
  beside.set(archive, count)
  // That there are more is enough to know.
  if (count === APART_MAX + 1) context.record(item, APART, () => shownText(''))
  return count <= APART_MAX
}

/** The same for a document that lies in the archive itself. */
export const mayBeBeside = (item: Item, context: Context): boolean =>
  item.parent !== null && hasPictureFiles(item.parent) && isAmongFirst(item, item.parent, context)

export function recordTextApart(item: Item, read: () => ShownText, context: Context): void {
  context.record(item, APART, read)
}

/** Codes that are no addresses, by how they begin. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^BCD\r?\n/, 'payment (EPC)'],
  [/^SPC\r?\n/, 'payment (Swiss QR-bill)'],
  [/^(?:upi|bitcoin|ethereum|litecoin|lightning):/i, 'payment'],
  [/^000201/, 'payment (EMV)'],
  [/^WIFI:/i, 'network'],
  [/^(?:BEGIN:VCARD|MECARD:)/i, 'contact'],
  [/^BEGIN:VEVENT|^BEGIN:VCALENDAR/i, 'event'],
  [/^otpauth(?:-migration)?:/i, 'key for codes'],
  [/^(?:tel|sms|smsto|mailto|geo):/i, 'call, message or place'],
]

const kindOf = (text: string): string =>
  isDevice(text) ? 'another device for an account' : (KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'text')

/** The host of other letters as it is asked for. */
const described = (address: string): string =>
  describeTarget(OTHER_LETTERS.test(address) ? (URL.parse(address)?.href ?? address) : address)
const OTHER_LETTERS = /[^\0-\x7f]/

function reportCode(item: Item, text: string, context: Context): void {
  const address = addressOf(text)
  const { known, signs } = judgeAddress(address)
  const isWeb = known !== null
  // Phones may ask for either.
  if (isWeb && address !== text && address.startsWith('http:')) noteAddress(address.replace('http:', 'https:'))
  const detail = isWeb ? described(address) : kindOf(text)
  context.addFinding(item, { ...QR.code, detail })
  if (known === null || isDevice(text)) {
    if (isKey(text)) context.record(item, KEYS, text.slice(0, KEY_MAX))
    return
  }
  if (isDeceptive(signs))
    context.addFinding(item, { ...LINKS.deceptive, detail: `QR code: ${described(address)}`.slice(0, 200) })
  context.record(item, CODES, { address: address.slice(0, 200), known, signs })
}

/** Posters have such addresses as well. */
const SHORT_HOSTS: ReadonlySet<Sign['kind']> = new Set(['hosting', 'redirect'])
const PORTS: ReadonlySet<Sign['kind']> = new Set(['server'])
const SUSPECT_HOSTS: ReadonlySet<Sign['kind']> = new Set(['letters', 'recipient', 'brand', 'user'])

/** A public number in place of a name. */
const isNumber = ({ hostname }: URL, signs: readonly Sign[]): boolean =>
  isIpAddress(hostname) && signs.some(({ kind }) => kind === 'server')

/** Words beside a picture that is the letter. */
const BARE_MAX = 5

/** Beside an address that anybody may have. Posters have one as well, and shops that take cards. */
function asks(text: ShownText, isLong: boolean): boolean {
  const { pretext, lure, presses, office, waits } = text
  if (isLong) return pretext || lure
  return pretext || waits || (lure && (presses || office)) || brandsOf(text).length > 0
}

/** `isBare`: there is no text beside the code. */
function isSuspect(
  signs: readonly Sign[],
  known: URL,
  { isBare, isAsking }: { isBare: boolean; isAsking: boolean },
): boolean {
  const has = (kinds: ReadonlySet<Sign['kind']>): boolean => signs.some(({ kind }) => kinds.has(kind))
  const isMeant = isAsking || isDeceptive(signs)
  return (
    has(SUSPECT_HOSTS) || isNumber(known, signs) || (has(SHORT_HOSTS) && (isBare || isMeant)) || (has(PORTS) && isMeant)
  )
}

/** A network of one's own has devices to pair, and nobody else has a page there. */
const isPublic = ({ hostname }: URL): boolean => reachOf(hostname) !== 'company'

function isPosing(known: URL, texts: readonly ShownText[]): boolean {
  if (isBareOf(texts) && isLureAlone(known)) return true
  const isOwned = (): boolean => texts.length > 1 && texts.some((text) => namesHost(text, known))
  return texts.some((text) => isPretext(text, known, isOwned))
}

const isBareOf = (texts: readonly ShownText[]): boolean => texts.every(({ words }) => words <= BARE_MAX)

/** For the whole document. */
export function concludePictures(item: Item, facts: Facts, context: Context): void {
  const unread = facts.of(UNREAD)
  const [first] = unread
  if (first !== undefined) context.addFinding(item, { ...QR.unread, detail: `${unread.length}, ${first.value}` })
  const [codes, keys] = [facts.of(CODES), facts.of(KEYS)]
  if (codes.length === 0 && keys.length === 0) return
  const apart = facts.of(APART)
  const texts = [...facts.of(SHOWN), ...(apart.length > APART_MAX ? [] : apart)].map(({ value }) => value())
  for (const { value, path } of keys)
    if (isKeyOfAttack(value, texts)) context.addFinding(item, { ...QR.phishing, path, detail: kindOf(value) })
  const isLong = texts.some(({ words }) => words > WORDS_MAX)
  const isAsking = texts.some((text) => asks(text, isLong))
  const isBare = isBareOf(texts)
  for (const { value, path } of codes) {
    const { address, known, signs } = value
    const isReported = isSuspect(signs, known, { isBare, isAsking }) || (isPublic(known) && isPosing(known, texts))
    if (isReported) context.addFinding(item, { ...QR.phishing, path, detail: described(address) })
  }
}
