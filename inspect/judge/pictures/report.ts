/** Reports the codes of a document, and the pictures that were not searched for them. */

import { LINKS } from '#inspect/catalogue/links.ts'
import { QR } from '#inspect/catalogue/qr.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { isDeceptive, judgeAddress } from '../deception/deception.ts'
import type { Sign } from '../deception/signs.ts'
import { isPretext, WORDS_MAX } from './claims.ts'
import type { Found } from './codes.ts'
import { isKey, isKeyOfAttack, KEY_MAX } from './keys.ts'
import type { ShownText } from './pretexts.ts'

/** A code with an address on the web. */
const CODES = factType<{ address: string; known: URL; signs: readonly Sign[] }>('codes')
/** A code with a key or with an address of another kind. */
const KEYS = factType<string>('codes with keys')
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
  [/^otpauth(?:-migration)?:/i, 'key for codes'],
  [/^(?:sgnl:\/\/linkdevice|tsdevice:|tg:\/\/login|2@)/i, 'another device for an account'],
  [/^(?:tel|sms|smsto|mailto|geo):/i, 'call, message or place'],
]

const kindOf = (text: string): string => KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'text'

function reportCode(item: Item, text: string, context: Context): void {
  const address = /^https?:/i.test(text) || !/^www\./i.test(text) ? text : `http://${text}`
  const { known, signs } = judgeAddress(address)
  const isWeb = known !== null
  const detail = isWeb ? describeTarget(address) : kindOf(text)
  context.addFinding(item, { ...QR.code, detail })
  if (known === null) {
    if (isKey(text)) context.record(item, KEYS, text.slice(0, KEY_MAX))
    return
  }
  if (isDeceptive(signs))
    context.addFinding(item, { ...LINKS.deceptive, detail: `QR code: ${describeTarget(address)}`.slice(0, 200) })
  context.record(item, CODES, { address: address.slice(0, 200), known, signs })
}

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
  const [codes, keys] = [facts.of(CODES), facts.of(KEYS)]
  if (codes.length === 0 && keys.length === 0) return
  const texts = facts.of(SHOWN).map(({ value }) => value())
  for (const { value, path } of keys)
    if (isKeyOfAttack(value, texts)) context.addFinding(item, { ...QR.phishing, path, detail: kindOf(value) })
  const isLong = texts.some(({ words }) => words > WORDS_MAX)
  for (const { value, path } of codes) {
    const { address, known, signs } = value
    const isSuspect = signs.some(({ kind }) => SUSPECT_HOSTS.has(kind))
    const isAsking = texts.some(({ pretext, lure }) => pretext || lure)
    const isReported = isSuspect && (!isLong || isAsking || isDeceptive(signs))
    if (isReported || texts.some((text) => isPretext(text, known)))
      context.addFinding(item, { ...QR.phishing, path, detail: describeTarget(address) })
  }
}
