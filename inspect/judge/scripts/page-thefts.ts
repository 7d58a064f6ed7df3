/** Scripts of pages that copy cards while they are entered, or exchange the account that a payment goes to. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { WEB } from '#inspect/catalogue/web.ts'
import { charge } from '#inspect/core/work.ts'

const CHARACTER_WORK = 40
/** Longer ones are applications with their libraries. */
const THEFT_MAX = 60_000

/** The number and code of a card, by the names of their fields. */
const CARD =
  /\bcvv2?\b|\bcvc2?\b|\bcc[-_]?(?:csc|cvv|cvc|cid|num|number|exp)\b|\bcard[-_]?(?:number|num|cvc|cvv|no)\b|\\d\{13,1[5-9]\}/i
/** Reads fields that others made. */
const COLLECTS =
  /querySelector(?:All)?\s{0,4}\(\s{0,4}["'\x60][^\n)]{0,60}(?:input|select|cvc|cvv|card|cc-|cc_)|getElementsByTagName\s{0,4}\(\s{0,4}["'](?:input|select)|\.elements\b|\bFormData\s{0,4}\(\s{0,4}(?:\w{1,20}\.target|this)\b/
const CHECKOUT = /\bcheckout|\bonepage|\bpayment/i
/** An address that is coded, or of another site. */
const CODED = String.raw`(?:atob\b|String\.fromCharCode\b|\[\s{0,4}["'\x60]|\w{1,3}\s{0,4}\()`

const ACCOUNT = String.raw`["'\x60][A-Z]{2}\d{2}(?: ?[A-Z\d]{2,4}){3,8}["'\x60]`
/** A pattern for account numbers of banks. */
const ACCOUNT_PATTERN = /\[A-Z\]\{2\}.{0,12}(?:\\d|\[0-9\])\{2\}|\((?:[A-Z]{2}\|){1,30}[A-Z]{2}\)\\d\{2\}/
const PURSE = String.raw`["'\x60](?:0x[\da-fA-F]{40}|bc1[a-z\d]{25,70}|[13T][a-km-zA-HJ-NP-Z1-9]{25,34})["'\x60]`

/** Each list is one theft: all of its patterns occur. */
const SKIMS: readonly (readonly RegExp[])[] = [
  [
    CARD,
    COLLECTS,
    /\bbtoa\s{0,4}\(/,
    /(?:\bnew Image\b|createElement\s{0,4}\(\s{0,4}["']ima?ge?["'])/,
    /\.src\s{0,4}=/,
  ],
  [CARD, COLLECTS, new RegExp(String.raw`sendBeacon\s{0,4}\(\s{0,4}(?:["'\x60](?:https?:)?//|${CODED})`)],
  [CARD, COLLECTS, /\bnew WebSocket\s{0,4}\(/, /\.send\s{0,4}\(/],
  [CARD, COLLECTS, /\bfetch\s{0,4}\(/, /no-cors/],
  [
    CHECKOUT,
    COLLECTS,
    new RegExp(
      String.raw`\.open\s{0,4}\(\s{0,4}["']POST["']\s{0,4},\s{0,4}${CODED}|\bfetch\s{0,4}\(\s{0,4}(?:atob\b|String\.fromCharCode\b|\[\s{0,4}["'\x60])`,
    ),
  ],
]
const EXCHANGES: readonly (readonly RegExp[])[] = [
  [
    ACCOUNT_PATTERN,
    new RegExp(String.raw`\.replace\s{0,4}\([^\n]{1,200}?,\s{0,4}(?:\w{1,20}\s{0,4}\|\|\s{0,4})?${ACCOUNT}`),
  ],
  [
    ACCOUNT_PATTERN,
    new RegExp(
      String.raw`\b(\w{1,30})\s{0,4}=\s{0,4}${ACCOUNT}[\s\S]{0,1500}?\.replace\s{0,4}\([^\n]{1,80}?,\s{0,4}\1\b`,
    ),
  ],
  [new RegExp(String.raw`["']submit["'][\s\S]{0,400}?\.value\s{0,4}=\s{0,4}${ACCOUNT}`)],
  [
    ACCOUNT_PATTERN,
    /["']copy["']/,
    /clipboardData\.setData/,
    /\.value\s{0,4}=/,
    /\bfetch\s{0,4}\(|\batob\s{0,4}\(|fromCharCode/,
  ],
  [/["']copy["']/, new RegExp(String.raw`\.setData\s{0,4}\([^\n]{1,40}?,\s{0,4}(?:${PURSE}|["'\x60]00020126)`)],
  [/\{25,\d{2}\}|\{40\}/, new RegExp(String.raw`\.replace\s{0,4}\(\s{0,4}/[^\n]{1,200}?,\s{0,4}${PURSE}`)],
]

/** The theft, of the code of a page or of a script that a page loads. */
export function theftIn(code: string): Definition | null {
  if (code.length > THEFT_MAX) return null
  charge(code.length * CHARACTER_WORK)
  const occurs = (all: readonly RegExp[]): boolean => all.every((each) => each.test(code))
  if (SKIMS.some(occurs)) return WEB.skimmer
  return EXCHANGES.some(occurs) ? WEB.accountExchange : null
}
