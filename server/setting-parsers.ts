/** How the text of a variable becomes its value, or a phrase that says what is wrong with it. */

import { BlockList, isIP, isIPv4 } from 'node:net'
import { isLoopback } from '#base/loopback.ts'
import { parseClamdUrl } from '#engines/clamd/address.ts'
import { type Mailbox, parseMailbox } from '#mail/address.ts'
import { MARKETPLACES } from '#marketplace/choice.ts'

/** `wrong` is a short phrase for people; that of a secret never holds any of its text. */
export type Parsed<T> = { value: T } | { wrong: string }

/** A value as it may stand in a message: one line, not too long, and without the user and password of an address. */
export function quote(text: string): string {
  const masked = text.replace(/\/\/.*@/s, '//…@')
  return escapeControls(JSON.stringify(masked.length > 60 ? `${masked.slice(0, 60)}…` : masked))
}

/** Control, format and half characters could change how a terminal shows the rest of the message. */
export function escapeControls(text: string): string {
  const code = (character: string) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, code)
}

export function wholeNumber(text: string, max: number, min = 1): Parsed<number> {
  if (!/^(0|[1-9]\d*)$/.test(text)) return { wrong: 'not a whole number' }
  const value = Number(text)
  return value >= min && value <= max ? { value } : { wrong: 'out of range' }
}

export function oneOf<T extends string>(text: string, allowed: readonly T[]): Parsed<T> {
  const value = allowed.find((word) => word === text)
  return value ? { value } : { wrong: 'not one of them' }
}

const ENGINE_NAMES = ['embedded', 'clamd'] as const
export type EngineName = (typeof ENGINE_NAMES)[number]

export function engineNames(text: string): Parsed<EngineName[]> {
  const given = text.split(',').map((name) => name.trim())
  const value = ENGINE_NAMES.filter((name) => given.includes(name))
  if (value.length !== given.length) return { wrong: 'not a list of engines, each named once' }
  // Alone, clamd calls clean what it did not look into.
  return value.includes('embedded') ? { value } : { wrong: 'lacks embedded' }
}

export function clamdUrls(text: string): Parsed<string[]> {
  const value = text.split(',').map((url) => url.trim())
  try {
    for (const url of value) parseClamdUrl(url)
    return { value }
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : 'not an address' }
  }
}

export function portNumber(text: string): Parsed<number> {
  // Kubernetes sets this very variable in every pod beside a service that is called "docvet".
  if (text.startsWith('tcp://')) return { wrong: 'comes from Kubernetes: set enableServiceLinks: false in the pod' }
  return wholeNumber(text, 65_535)
}

export function hostName(text: string): Parsed<string> {
  if (text.includes('%')) return { wrong: 'has a zone, which no web address can carry' }
  if (isIP(text)) return { value: text }
  const labels = /^(?=.{1,253}$)[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?(\.[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?)*$/i
  // The second test finds names that browsers take for numbers, such as 1.2.3 (they visit 1.2.0.3).
  const plain = labels.test(text) && URL.parse(`http://${text}`)?.hostname === text.toLowerCase()
  return plain ? { value: text } : { wrong: 'neither an IP address nor a host name' }
}

export function origin(text: string): Parsed<string> {
  if (!/^https?:\/\//i.test(text)) return { wrong: 'does not start with http:// or https://' }
  const rest = text.slice(text.indexOf('//') + 2)
  if (rest.includes('@')) return { wrong: 'holds a user or password' }
  if (/[/\\?#]/.test(rest.replace(/\/$/, ''))) return { wrong: 'has a path, query or fragment' }
  const url = /\s/.test(rest) ? null : URL.parse(text)
  if (!url || !/^([a-z\d._-]+|\[[a-f\d:]+\])$/.test(url.hostname)) return { wrong: 'not a usable address' }
  return { value: url.origin }
}

/** An address below which a client finds its paths; without the slash at its end. */
export function baseAddress(text: string): Parsed<string> {
  if (!/^https?:\/\//i.test(text)) return { wrong: 'does not start with http:// or https://' }
  const url = /[\s\\?#\p{Cc}]/u.test(text) ? null : URL.parse(text)
  if (!url || !/^([a-z\d._-]+|\[[a-f\d:]+\])$/.test(url.hostname)) return { wrong: 'not a usable address' }
  if (url.username || url.password || text.includes('@')) return { wrong: 'holds a user or password' }
  return { value: url.origin + url.pathname.replace(/\/+$/, '') }
}

/** One word that goes into a header or a JSON text as it is. */
export function token(text: string, lengthMax: number): Parsed<string> {
  if (!/^[\x21-\x7e]+$/.test(text)) return { wrong: 'has white space or other than visible ASCII characters' }
  return text.length <= lengthMax ? { value: text } : { wrong: 'too long' }
}

export function trueOrFalse(text: string): Parsed<boolean> {
  const parsed = oneOf(text, ['true', 'false'])
  return 'value' in parsed ? { value: parsed.value === 'true' } : parsed
}

export function parsePath(text: string, finish: (path: string) => string): Parsed<string> {
  if (text.trim() !== text) return { wrong: 'begins or ends with white space' }
  if (/\p{Cc}/u.test(text)) return { wrong: 'has control characters' }
  return { value: finish(text) }
}

/** `schemes` says what the client wants to read for each scheme that people may write. */
export function serverUrl(
  text: string,
  schemes: Readonly<Record<string, string>>,
  fault: (url: URL, hasHost: boolean) => string | null,
): Parsed<string> {
  const [, written = '', rest = ''] = /^([a-z]+):\/\/(.*)$/is.exec(text) ?? []
  const scheme = Object.entries(schemes).find(([name]) => name === written.toLowerCase())?.[1]
  if (!scheme) return { wrong: `does not start with ${Object.keys(schemes).join(':// or ')}://` }
  if (/[\s\p{Cc}]/u.test(rest)) return { wrong: 'has white space or control characters' }
  if (!isDecodable(rest)) return { wrong: 'has a % that does not begin a percent-encoded character' }
  // A database behind a socket may have a user and yet no host, which the standard parser refuses.
  const url = URL.parse(`${scheme}://${rest}`) ?? URL.parse(`${scheme}://${rest.replace('@/', '@localhost/')}`)
  if (!url || rest.includes('#'))
    return { wrong: 'not a usable address, perhaps for a special character that is not percent-encoded' }
  const [authority = ''] = rest.split(/[/?]/, 1)
  const wrong = fault(url, !/(^|@)$/.test(authority))
  return wrong ? { wrong } : { value: `${scheme}://${rest}` }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export function postgresFault(url: URL, hasHost: boolean): string | null {
  return hasHost || url.searchParams.get('host') ? null : 'names no host'
}

export function redisFault(url: URL, hasHost: boolean): string | null {
  if (!hasHost) return 'names no host'
  return /^(\/\d*)?$/.test(url.pathname) ? null : 'has a path that is not a database number'
}

export function smtpFault(url: URL, hasHost: boolean): string | null {
  if (!hasHost) return 'names no host'
  if ('wrong' in hostName(url.hostname.replace(/^\[(.*)\]$/, '$1'))) return 'names no usable host'
  if (url.port === '0') return 'has a port that is out of range'
  if (/^\/?$/.test(url.pathname) && url.search === '') {
    return (url.username === '') === (url.password === '') ? null : 'has only one of user and password'
  }
  return 'has a path or query'
}

export function mailbox(text: string): Parsed<Mailbox> {
  const value = parseMailbox(text)
  return value ? { value } : { wrong: 'not one mailbox' }
}

export function marketplaceName(text: string): Parsed<(typeof MARKETPLACES)[number]> {
  return oneOf(text, MARKETPLACES)
}

export function uuid(text: string): Parsed<string> {
  const value = text.toLowerCase()
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value) ? { value } : { wrong: 'not a UUID' }
}

export function visibleText(text: string): Parsed<string> {
  return /^[\x21-\x7e]{1,1000}$/.test(text) ? { value: text } : { wrong: 'too long, or with other characters' }
}

/** An address that paths are put behind. Secrets go there, so it must be encrypted unless it is this machine. */
export function baseUrl(text: string): Parsed<string> {
  const url = /\s/.test(text) || !/^https?:\/\//i.test(text) ? null : URL.parse(text)
  if (!url) return { wrong: 'not an address that starts with https://' }
  if (url.username || url.password) return { wrong: 'holds a user or password' }
  if (/[?#]/.test(text)) return { wrong: 'has a query or fragment' }
  if (url.protocol === 'http:' && !isLoopback(url.href)) return { wrong: 'not encrypted' }
  return { value: url.href.replace(/\/+$/, '') }
}

/** As text, for that is how they are compared. */
export function issuers(text: string): Parsed<string[]> {
  const value = text.split(',').map((issuer) => issuer.trim())
  const isGood = value.every((issuer) => /^https?:\/\/[\x21-\x7e]+$/.test(issuer) && URL.canParse(issuer))
  return isGood ? { value } : { wrong: 'not a list of addresses' }
}

const MAPPED_IPV4 = new BlockList()
MAPPED_IPV4.addSubnet('::ffff:0:0', 96, 'ipv6')

export function networks(text: string): Parsed<string[]> {
  const value = text.split(',').map((entry) => entry.trim())
  const faults = value.map(networkFault).filter((fault) => fault !== null)
  return faults.length > 0 ? { wrong: faults.join('; ') } : { value }
}

function networkFault(entry: string): string | null {
  const [address = '', prefix, ...more] = entry.split('/')
  const bitsMax = isIPv4(address) ? 32 : 128
  const isNetwork = more.length === 0 && (prefix === undefined || /^(0|[1-9]\d{0,2})$/.test(prefix))
  if (!isIP(address) || address.includes('%') || !isNetwork || Number(prefix ?? 0) > bitsMax) {
    return `${quote(entry)} is not an address or network`
  }
  // Trusting a large part of the internet lets anyone choose the address that he is limited by. The widest
  // networks that one operator can own are 10.0.0.0/8 and fc00::/7.
  const bitsMin = isIPv4(address) ? 8 : MAPPED_IPV4.check(address, 'ipv6') ? 104 : 7
  return Number(prefix ?? bitsMax) < bitsMin ? `${quote(entry)} would trust almost everyone` : null
}
