/** Sign-ins whose result others than the reader receive: codes that a browser shows, codes of devices, and rights for programs. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { LINKS } from '#inspect/catalogue/links.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { PASTES, PAYS, SIGNS, URGES, wordsOf } from './lure-words.ts'
import { hasPretext, warns } from './pasting.ts'

const COLON = '(?::|%3a)'
const SLASH = '(?:/|%2f)'
/** The computer of the reader, or a page that does nothing with what it receives. */
const OWN = String.raw`(?:https?${COLON}${SLASH}{2}(?:localhost|127\.0\.0\.1|(?:insiders\.)?vscode\.dev|[\w.]{1,40}${SLASH}(?:common${SLASH}oauth2${SLASH})?nativeclient)|urn${COLON}ietf)`

const RETURNS_CODE = new RegExp(
  String.raw`/(?:oauth2?|o/oauth2|authorize|connect)\b(?=[^\s"'<>]{0,600}response_type=code|[^\s"'<>]{0,600}client_id=)[^\s"'<>]{0,600}?redirect_uri=${OWN}`,
  'i',
)
/** The same in a script that joins the address from its parameters. */
const JOINS_CODE = [
  /\/oauth2?\b|\/authorize\b/i,
  /\bresponse_type["']?\s{0,4}[:=,]\s{0,4}["'\x60]?code\b/i,
  new RegExp(
    String.raw`\bredirect_uri["']?\s{0,4}[:=,]\s{0,4}["'\x60]?[\s+]{0,4}(?:encodeURIComponent\(\s{0,4})?["'\x60]?${OWN}`,
    'i',
  ),
]

/** Whether the address of a sign-in returns its code to the computer of the reader, as a tool for a command line wants it. */
export function returnsCode(address: string): boolean {
  return RETURNS_CODE.test(address)
}

/** The same without the secret that such a tool makes for each sign-in, so that anybody can use the code. */
export function returnsOpenCode(address: string): boolean {
  return RETURNS_CODE.test(address) && !/[?&]code_challenge=/i.test(address)
}

/** Whether a script makes such an address. */
export function makesReturningAddress(source: string): boolean {
  charge(source.length * CHARACTER_WORK)
  return JOINS_CODE.every((each) => each.test(source))
}

/** Pages that ask for the code of a device, and sign-ins. */
const DEVICE_PAGES = ['/devicelogin', '/deviceauth', '/login/device', '/device', '//device.sso.']
export const SIGN_INS = mark([...DEVICE_PAGES, 'redirect_uri', 'oauth/authorize'], { ignoresCase: true })

const DEVICE_PAGE =
  /\/(?:devicelogin|deviceauth|login\/device)\b(?!\/)|\bgoogle\.[a-z.]{2,6}\/device\b(?![/-])|\/\/device\.sso\.[\w.-]{4,60}/i
/** A code of one use, which a device shows to him who stands before it. */
const DEVICE_CODE =
  /(?<![\w/=.&?-])(?=[A-Z\d -]{0,12}[A-Z])(?:(?=[A-Z]{0,9}\d|[B-DF-HJ-NP-TV-Z]{8,9}(?!\w))[A-Z\d]{8,9}|[A-Z\d]{4}-[A-Z\d]{4}|(?=[A-Z\d-]{0,9}(?:[A-Z]\d|\d[A-Z]))[A-Z\d]{4,5}-[A-Z\d]{4,5}|(?=[A-Z]{0,4} ?[A-Z]{0,4}\d)[A-Z\d]{3} [A-Z\d]{3} [A-Z\d]{3})(?![\w/=-])/
/** Tools and their manuals show a code of their own. */
const TOOL =
  /\b(?:az login|gh auth|gcloud|aws (?:sso|configure)|rclone|kubelogin|docker login|git credential|connect-\w{3,20}|device[ _-]code (?:flow|grant)|command[- ]line|cli|terminal|sdk|api|access token|authorization code|curl|get https)\b|(?<!\w)--?[a-z][\w-]{2,30}(?=[\s"'\x60])/i
/** Longer texts are manuals and reports. */
const LURE_MAX = 6_000
const CHARACTER_WORK = 10

/** What the reader copies, after a sign-in that failed. */
const ADDRESS = /\blocalhost\b|127\.0\.0\.1|nativeclient|\bcode=/i

/** A right on mail and files of the reader, or on all that an account may do. */
const RIGHTS =
  /\b(?:mail\.(?:readwrite|read|send)|mailboxsettings\.readwrite|(?:ews|imap|pop)\.accessasuser|smtp\.send|files\.(?:readwrite|read)\.all|sites\.readwrite\.all|mail\.google\.com|gmail\.(?:modify|readonly|send|compose|settings)|auth\/(?:gmail|drive)(?!\.file)|delete_repo|admin:org|workflow|directory\.(?:readwrite|accessasuser))/i
const CONSENT =
  /\/(?:oauth2(?:\/v\d(?:\.\d)?)?|login\/oauth|o\/oauth2(?:\/v\d)?)\/(?:authorize|auth)\?[^\s"'<>]{0,1500}?\bscope=([^\s"'<>&]{1,800})/i

/** Who warns of codes names what it is, and forbids to enter one. */
const WARNS =
  / (?:phishing|attackers?|scams?|angreifer|attaquants?|atacantes|attaccanti|aanvallers|bedragare|never (?:enter|type|use)|do not (?:enter|type) (?:a|any|codes|the|this|such|them)|niemals|jamais|nunca|nooit|nigdy|никогда|aldrig|koskaan) /u

interface Asked {
  definition: Definition
  detail: string
}

/** `links`: what is clicked. */
export function judgeSignInText(text: string, links: readonly string[] = []): Asked | null {
  if (text.length > LURE_MAX) return null
  const all = [...links, text].join('\n')
  charge(all.length * CHARACTER_WORK)
  if (TOOL.test(text.replace(WEB_ADDRESS, ' '))) return null
  const found = askedFor(text, all)
  return found === null || warns(text) || WARNS.test(wordsOf(text)) ? null : found
}

const WEB_ADDRESS = /https?:\/\/(?!localhost|127\.)[^\s"'<>]{1,2000}/gi

function askedFor(text: string, all: string): Asked | null {
  const device = DEVICE_PAGE.exec(all)?.[0]
  if (device !== undefined && DEVICE_CODE.test(text)) return { definition: LINKS.deviceCode, detail: device }
  const words = wordsOf(text)
  if (returnsCode(all) && ADDRESS.test(text.replace(WEB_ADDRESS, ' ')) && PASTES.test(words))
    return { definition: LINKS.signIn, detail: 'redirect_uri' }
  const scope = CONSENT.exec(all)?.[1]
  if (scope === undefined || returnsCode(all)) return null
  const isLure = SIGNS.test(words) || URGES.test(words) || PAYS.test(words) || hasPretext(text)
  return isLure && RIGHTS.test(decoded(scope)) ? { definition: LINKS.consent, detail: 'scope' } : null
}

function decoded(scope: string): string {
  try {
    return decodeURIComponent(scope.replaceAll('+', ' '))
  } catch {
    return scope
  }
}
