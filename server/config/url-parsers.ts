/** Parsers for settings that are URLs. */
import { isLoopback } from '#base/loopback.ts'
import { hostName, type Parsed, type ValueType } from './parsers.ts'

const CONTACT_LENGTH_MAX = 254
const PORT_MAX = 65_535
const HOST = /^([a-z\d._-]+|\[[a-f\d:]+\])$/
const NOT_HTTP = { wrong: 'does not start with http:// or https://' }
const HAS_CREDENTIALS = { wrong: 'contains a user name or password' }
const INVALID = { wrong: 'not a valid URL' }

const isHttp = (text: string): boolean => /^https?:\/\//i.test(text)

export const origin: ValueType<string> = {
  allowed: 'http:// or https:// with a host and optionally a port, without user, path or query',
  parse(text) {
    if (!isHttp(text)) return NOT_HTTP
    const rest = text.slice(text.indexOf('//') + 2)
    if (rest.includes('@')) return HAS_CREDENTIALS
    if (/[/\\?#]/.test(rest.replace(/\/$/, ''))) return { wrong: 'has a path, query or fragment' }
    const url = /\s/.test(rest) ? null : URL.parse(text)
    return url && HOST.test(url.hostname) ? { value: url.origin } : INVALID
  },
}

/** Of a server that is asked in plain text, such as a proxy. */
export const plainOrigin: ValueType<string> = {
  allowed: 'http:// with a host and optionally a port, without user, path or query',
  parse: (text) => (/^http:/i.test(text) ? origin.parse(text) : { wrong: 'does not start with http://' }),
}

/** Clients append paths to it, so the value has no slash at its end. */
export const baseUrl: ValueType<string> = {
  allowed: 'http:// or https:// with a host and usually a path that ends in /v1, without user, query or fragment',
  parse(text) {
    if (!isHttp(text)) return NOT_HTTP
    const url = /[\s\\?#\p{Cc}]/u.test(text) ? null : URL.parse(text)
    if (!url || !HOST.test(url.hostname)) return INVALID
    if (url.username || url.password || text.includes('@')) return HAS_CREDENTIALS
    return { value: url.origin + url.pathname.replace(/(?<!\/)\/+$/, '') }
  },
}

/** For URLs that secrets are sent to. */
export const encryptedBaseUrl: ValueType<string> = {
  allowed: 'https:// with a host and optionally a path, without user or query; http:// only on loopback',
  parse(text) {
    const url = /\s/.test(text) || !isHttp(text) ? null : URL.parse(text)
    if (!url) return { wrong: 'not a URL that starts with https://' }
    if (url.username || url.password) return HAS_CREDENTIALS
    if (/[?#]/.test(text)) return { wrong: 'has a query or fragment' }
    if (url.protocol === 'http:' && !isLoopback(url.href)) return { wrong: 'not encrypted' }
    return { value: url.href.replace(/(?<!\/)\/+$/, '') }
  },
}

/** Null: none. */
export const channel: ValueType<string | null> = {
  allowed: `off, or ${encryptedBaseUrl.allowed}`,
  parse: (text) => (text === 'off' ? { value: null } : encryptedBaseUrl.parse(text)),
}

/** Kept as text, because issuers are compared as text. */
export const issuers: ValueType<string[]> = {
  allowed: 'URLs with http:// or https://, several separated by commas',
  parse(text) {
    const value = text.split(',').map((issuer) => issuer.trim())
    const isGood = value.every((issuer) => /^https?:\/\/[\x21-\x7e]+$/.test(issuer) && URL.canParse(issuer))
    return isGood ? { value } : { wrong: 'not a list of URLs' }
  },
}

export const postgresUrl: ValueType<string> = {
  allowed: 'postgres:// or postgresql:// with user, password, host and database, special characters percent-encoded',
  parse: (text) =>
    serverUrl(text, { postgres: 'postgres', postgresql: 'postgresql' }, (url, hasHost) =>
      hasHost || url.searchParams.get('host') ? null : 'has no host',
    ),
}

export const redisUrl: ValueType<string> = {
  allowed: 'redis://, rediss:// (TLS) or valkey:// with host and database number, special characters percent-encoded',
  parse: (text) =>
    serverUrl(text, { redis: 'redis', rediss: 'rediss', valkey: 'redis' }, (url, hasHost) => {
      if (!hasHost) return 'has no host'
      return /^(\/\d*)?$/.test(url.pathname) ? null : 'has a path that is not a database number'
    }),
}

export const smtpUrl: ValueType<string> = {
  allowed: 'smtp:// or smtps:// with host, optionally port, user and password, special characters percent-encoded',
  parse: (text) => serverUrl(text, { smtp: 'smtp', smtps: 'smtps' }, smtpFault),
}

function smtpFault(url: URL, hasHost: boolean): string | null {
  if (!hasHost) return 'has no host'
  if ('wrong' in hostName.parse(url.hostname.replace(/^\[(.*)\]$/, '$1'))) return 'has an invalid host'
  if (url.port === '0') return 'has a port that is out of range'
  if (!/^\/?$/.test(url.pathname) || url.search !== '') return 'has a path or query'
  return (url.username === '') === (url.password === '') ? null : 'has only one of user and password'
}

/** `schemes` maps every accepted scheme to the one that the client library expects. */
function serverUrl(
  text: string,
  schemes: Readonly<Record<string, string>>,
  fault: (url: URL, hasHost: boolean) => string | null,
): Parsed<string> {
  const [, written = '', rest = ''] = /^([a-z]+):\/\/(.*)$/is.exec(text) ?? []
  const scheme = Object.entries(schemes).find(([name]) => name === written.toLowerCase())?.[1]
  if (!scheme) return { wrong: `does not start with ${Object.keys(schemes).join(':// or ')}://` }
  const unclear = unclearPart(rest)
  if (unclear) return { wrong: unclear }
  // A database behind a socket can have a user but no host, which the standard parser rejects.
  const url = URL.parse(`${scheme}://${rest}`) ?? URL.parse(`${scheme}://${rest.replace('@/', '@localhost/')}`)
  if (!url) return { wrong: invalidPart(rest) }
  const [authority = ''] = rest.split(/[/?]/, 1)
  const wrong = fault(url, !/(^|@)$/.test(authority))
  return wrong ? { wrong } : { value: `${scheme}://${rest}` }
}

/** A password that is not encoded may have a `/` or `?` in it, so what looks like a path or query before an `@` can belong to it. */
function partsOf(rest: string): Record<string, string> {
  const [beforeQuery = ''] = rest.split('?', 1)
  const [, port = ''] = beforeQuery.split(':')
  const hasPassword = beforeQuery.includes('@') || !/^\d*(?:\/|$)/.test(port)
  const end = hasPassword ? (beforeQuery.includes('@') ? beforeQuery : rest).lastIndexOf('@') : -1
  const [, host = '', database = '', query = ''] = /^([^/?#]*)([^?]*)(.*)$/s.exec(rest.slice(end + 1)) ?? []
  return { 'user or password': rest.slice(0, Math.max(end, 0)), host, database, query }
}

/** Characters that end a part where they are not percent-encoded. Never shows the text, which has a password. */
function unclearPart(rest: string): string | null {
  for (const [part, text] of Object.entries(partsOf(rest))) {
    if (/[\s\p{Cc}]/u.test(text)) return `the ${part} has white space or control characters`
    if (!isDecodable(text)) return `the ${part} has a % that does not begin a percent-encoded character`
    const [special] = (part === 'user or password' ? /[/?#]/ : /#/).exec(text) ?? []
    if (special) return `the ${part} has a ${special}: write it percent-encoded, as ${encodeURIComponent(special)}`
  }
  return null
}

function invalidPart(rest: string): string {
  const { host = '' } = partsOf(rest)
  if (/^[^[]*:.*:/.test(host)) return 'the host is an IPv6 address without brackets'
  const [, port] = /:([^:\]]*)$/.exec(host) ?? []
  const isPort = port === undefined || (/^\d*$/.test(port) && Number(port) <= PORT_MAX)
  return isPort ? 'the host is not valid' : `the port is not a number up to ${PORT_MAX}`
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** As a link. */
export const contact: ValueType<string> = {
  allowed: 'an email address or an http(s) URL',
  parse(text) {
    if (/^[^\s@:<>?&/]+@[^\s@:<>?&/]+$/.test(text) && text.length <= CONTACT_LENGTH_MAX)
      return { value: `mailto:${text}` }
    const url = URL.parse(text)
    if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || text.length > CONTACT_LENGTH_MAX)
      return { wrong: 'neither an email address nor an http(s) URL' }
    return { value: url.href }
  },
}
