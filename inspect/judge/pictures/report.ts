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
import type { ShownText } from './pretexts.ts'

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
    const isSuspect = signs.some(({ kind }) => SUSPECT_HOSTS.has(kind))
    const isAsking = texts.some(({ pretext, lure }) => pretext || lure)
    const isReported = isSuspect && (!isLong || isAsking || isDeceptive(signs))
    if (isReported || texts.some((text) => isPretext(text, known)))
      context.addFinding(item, { ...QR.phishing, path, detail: describeTarget(address) })
  }
}
