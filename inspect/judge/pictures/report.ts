/** Reports the codes of a document, and the pictures that were not searched for them. */

import { LINKS } from '#inspect/catalogue/links.ts'
import { QR } from '#inspect/catalogue/qr.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import type { Brand } from '../deception/brands.ts'
import { isDeceptive, judgeAddress } from '../deception/deception.ts'
import { domainOf } from '../deception/domains.ts'
import { isShared } from '../deception/hosts.ts'
import { brandsNamed, ownerOf, type Sign } from '../deception/signs.ts'
import { describeTarget } from '../targets.ts'
import type { Found } from './codes.ts'
import { names, type ShownText } from './pretexts.ts'

/** A code with an address on the web. */
const CODES = factType<{ address: string; known: URL; signs: readonly Sign[] }>('codes')
const UNREAD = factType<string>('unread pictures')
/** What is written beside pictures. */
const SHOWN = factType<() => ShownText>('shown texts')

export function reportPicture(item: Item, found: Found, context: Context): void {
  if (typeof found === 'string') context.record(item, UNREAD, found)
  else for (const text of found) reportCode(item, text, context)
}

/** `read` is called only if there is a code. */
export function recordText(item: Item, read: () => ShownText, context: Context): void {
  context.record(item, SHOWN, read)
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
  [/^otpauth:/i, 'key for codes'],
  [/^(?:tel|sms|smsto|mailto|geo):/i, 'call, message or place'],
]

function reportCode(item: Item, text: string, context: Context): void {
  const address = /^https?:/i.test(text) || !/^www\./i.test(text) ? text : `http://${text}`
  const { known, signs } = judgeAddress(address)
  const isWeb = known !== null
  const kind = KINDS.find(([pattern]) => pattern.test(text))?.[1]
  const detail = isWeb ? describeTarget(address) : (kind ?? 'text')
  context.addFinding(item, { ...QR.code, detail })
  if (known === null) return
  if (isDeceptive(signs))
    context.addFinding(item, { ...LINKS.deceptive, detail: `QR code: ${describeTarget(address)}`.slice(0, 200) })
  context.record(item, CODES, { address: address.slice(0, 200), known, signs })
}

/** More words are a document with a code, not a code with a pretext. */
export const WORDS_MAX = 60
const SUSPECT_HOSTS: ReadonlySet<Sign['kind']> = new Set([
  'hosting',
  'redirect',
  'server',
  'letters',
  'recipient',
  'brand',
  'user',
])

/** For the whole document. */
export function concludePictures(item: Item, facts: Facts, context: Context): void {
  const unread = facts.of(UNREAD)
  const [first] = unread
  if (first !== undefined) context.addFinding(item, { ...QR.unread, detail: `${unread.length}, ${first.value}` })
  const codes = facts.of(CODES)
  if (codes.length === 0) return
  const texts = facts.of(SHOWN).map(({ value }) => value())
  const isLong = texts.some(({ words }) => words > WORDS_MAX)
  for (const { value, path } of codes) {
    const { address, known, signs } = value
    const isSuspect = signs.some(({ kind }) => SUSPECT_HOSTS.has(kind)) || texts.some((text) => isPretext(text, known))
    if (isLong ? isDeceptive(signs) : isSuspect)
      context.addFinding(item, { ...QR.phishing, path, detail: describeTarget(address) })
  }
}

/** Letters of a brand that is no word of a language, though others may have the same letters. */
const SHORT_MAX = 3

/** Whether the text asks for what phishing asks for, or for another owner than that of the code. */
function isPretext(text: ShownText, known: URL): boolean {
  const host = known.hostname
  const owner = ownerOf(host)
  // What a well-known owner has put there himself, as the page of a program in a shop.
  if (owner !== undefined && !isShared(known)) return false
  const isOwn = names(text, domainOf(host).name.replaceAll('-', ''))
  const asks = text.pretext || text.lure
  const isPosing = ({ name, isCommon }: Brand): boolean =>
    isCommon ? asks && !isOwn && (name.length <= SHORT_MAX || names(text, name)) : asks || names(text, name)
  if (owner === undefined && brandsNamed(host).some(isPosing)) return true
  if (isOwn) return false
  return text.pretext || text.brands.some((domain) => !owner?.owned.has(domain))
}
