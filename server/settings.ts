/** Every environment variable, declared once: the configuration, its messages and its documentation come from here. */

import { BlockList, isIP, isIPv4 } from 'node:net'
import { resolve } from 'node:path'

/** `wrong` is a short phrase for people; that of a secret never holds any of its text. */
export type Parsed<T> = { value: T } | { wrong: string }

export interface Setting<T = unknown> {
  name: `DOCVET_${string}`
  /** Either a text that is parsed like any other, or words for what happens without one; the value is then null. */
  default: { text: string } | { words: string }
  /** A secret is never shown, and may come from the file that the same name with `_FILE` at its end points to. */
  secret: boolean
  meaning: string
  allowed: string
  parse: (text: string) => Parsed<T>
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const RATE_MAX = 1_000_000

/** Under the name of its field in the configuration. A new setting is one entry here. */
export const SETTINGS = {
  host: {
    name: 'DOCVET_HOST',
    default: { text: '127.0.0.1' },
    secret: false,
    meaning: 'The address to listen on; 0.0.0.0 or :: listens on all of them.',
    allowed: 'an IP address without brackets, or a host name',
    parse: hostName,
  },
  port: {
    name: 'DOCVET_PORT',
    default: { text: '8080' },
    secret: false,
    meaning: 'The port to listen on.',
    allowed: 'a whole number from 1 to 65535',
    parse: portNumber,
  },
  publicUrl: {
    name: 'DOCVET_PUBLIC_URL',
    default: { words: '`http://<host>:<port>`' },
    secret: false,
    meaning: 'The address that people use to reach the service; with https, cookies and transport become stricter.',
    allowed: 'http:// or https:// with a host and perhaps a port, without user, path or query',
    parse: origin,
  },
  dataDir: {
    name: 'DOCVET_DATA_DIR',
    default: { text: './data' },
    secret: false,
    meaning: 'The folder for everything that is kept, such as the SQLite database.',
    allowed: 'a path',
    parse: (text) => parsePath(text, resolve),
  },
  databaseUrl: {
    name: 'DOCVET_DATABASE_URL',
    default: { words: 'SQLite in the data folder' },
    secret: true,
    meaning: 'The PostgreSQL database to use in place of SQLite.',
    allowed: 'postgres:// or postgresql:// with user, password, host and database, special characters percent-encoded',
    parse: (text) => serverUrl(text, { postgres: 'postgres', postgresql: 'postgresql' }, postgresFault),
  },
  redisUrl: {
    name: 'DOCVET_REDIS_URL',
    default: { words: 'none' },
    secret: true,
    meaning: 'The Redis or Valkey server through which several processes share their rate limits.',
    allowed: 'redis://, rediss:// (TLS) or valkey:// with host and database number, special characters percent-encoded',
    parse: (text) => serverUrl(text, { redis: 'redis', rediss: 'rediss', valkey: 'redis' }, redisFault),
  },
  plansFile: {
    name: 'DOCVET_PLANS_FILE',
    default: { words: 'built in' },
    secret: false,
    meaning: 'The JSON file with the table of plans that replaces the built-in one.',
    allowed:
      'the path of a file with scansPerMonth, keysPerMonth, scansPerSecond and burst of each plan, free included',
    parse: (text) => parsePath(text, (path) => path),
  },
  addressRatePerMinute: {
    name: 'DOCVET_ADDRESS_RATE_PER_MINUTE',
    default: { text: '60' },
    secret: false,
    meaning: 'How many requests a minute one address may make to each endpoint that needs no credential.',
    allowed: `a whole number from 1 to ${RATE_MAX}`,
    parse: (text) => wholeNumber(text, RATE_MAX),
  },
  keyRatePerMinute: {
    name: 'DOCVET_KEY_RATE_PER_MINUTE',
    default: { text: '1200' },
    secret: false,
    meaning: 'How many requests a minute one key may make to everything but scanning, which its plan limits.',
    allowed: `a whole number from 1 to ${RATE_MAX}`,
    parse: (text) => wholeNumber(text, RATE_MAX),
  },
  trustedProxies: {
    name: 'DOCVET_TRUSTED_PROXIES',
    default: { words: 'none' },
    secret: false,
    meaning: 'The proxies whose X-Forwarded-For header is believed.',
    allowed: 'IP addresses and networks like 10.0.0.0/8, separated by commas, no wider than /8 (IPv4) or /7 (IPv6)',
    parse: networks,
  },
  logLevel: {
    name: 'DOCVET_LOG_LEVEL',
    default: { text: 'info' },
    secret: false,
    meaning: 'The least severe kind of message that is logged.',
    allowed: `one of ${LOG_LEVELS.join(', ')}`,
    parse: logLevel,
  },
} as const satisfies Record<string, Setting>

/** Names that are promised to operators already but do nothing yet. A name moves up when its part is built. */
export const COMING_SETTINGS = [
  'DOCVET_ENGINES',
  'DOCVET_CLAMD_URL',
  'DOCVET_RULES_DIR',
  'DOCVET_SENSITIVITY',
  'DOCVET_UNSCANNABLE',
  'DOCVET_SCAN_DEADLINE_MS',
  'DOCVET_SCAN_BYTES_IN_FLIGHT',
  'DOCVET_SMTP_URL',
  'DOCVET_MAIL_FROM',
  'DOCVET_CHAT_URL',
  'DOCVET_CHAT_KEY',
  'DOCVET_CHAT_MODEL',
  'DOCVET_CHAT_ENABLED',
  'DOCVET_MARKETPLACE',
  'DOCVET_MARKETPLACE_PLANS',
  'DOCVET_MICROSOFT_TENANT_ID',
  'DOCVET_MICROSOFT_CLIENT_ID',
  'DOCVET_MICROSOFT_CLIENT_SECRET',
  'DOCVET_MICROSOFT_API_URL',
  'DOCVET_MICROSOFT_AUTHORITY_URL',
]

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

function wholeNumber(text: string, max: number): Parsed<number> {
  if (!/^(0|[1-9]\d*)$/.test(text)) return { wrong: 'not a whole number' }
  const value = Number(text)
  return value >= 1 && value <= max ? { value } : { wrong: 'out of range' }
}

function logLevel(text: string): Parsed<LogLevel> {
  const value = LOG_LEVELS.find((level) => level === text)
  return value ? { value } : { wrong: 'not a level' }
}

function portNumber(text: string): Parsed<number> {
  // Kubernetes sets this very variable in every pod beside a service that is called "docvet".
  if (text.startsWith('tcp://')) return { wrong: 'comes from Kubernetes: set enableServiceLinks: false in the pod' }
  return wholeNumber(text, 65_535)
}

function hostName(text: string): Parsed<string> {
  if (text.includes('%')) return { wrong: 'has a zone, which no web address can carry' }
  if (isIP(text)) return { value: text }
  const labels = /^(?=.{1,253}$)[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?(\.[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?)*$/i
  // The second test finds names that browsers take for numbers, such as 1.2.3 (they visit 1.2.0.3).
  const plain = labels.test(text) && URL.parse(`http://${text}`)?.hostname === text.toLowerCase()
  return plain ? { value: text } : { wrong: 'neither an IP address nor a host name' }
}

function origin(text: string): Parsed<string> {
  if (!/^https?:\/\//i.test(text)) return { wrong: 'does not start with http:// or https://' }
  const rest = text.slice(text.indexOf('//') + 2)
  if (rest.includes('@')) return { wrong: 'holds a user or password' }
  if (/[/\\?#]/.test(rest.replace(/\/$/, ''))) return { wrong: 'has a path, query or fragment' }
  const url = /\s/.test(rest) ? null : URL.parse(text)
  if (!url || !/^([a-z\d._-]+|\[[a-f\d:]+\])$/.test(url.hostname)) return { wrong: 'not a usable address' }
  return { value: url.origin }
}

function parsePath(text: string, finish: (path: string) => string): Parsed<string> {
  if (text.trim() !== text) return { wrong: 'begins or ends with white space' }
  if (/\p{Cc}/u.test(text)) return { wrong: 'has control characters' }
  return { value: finish(text) }
}

/** `schemes` says what the client wants to read for each scheme that people may write. */
function serverUrl(
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

function postgresFault(url: URL, hasHost: boolean): string | null {
  return hasHost || url.searchParams.get('host') ? null : 'names no host'
}

function redisFault(url: URL, hasHost: boolean): string | null {
  if (!hasHost) return 'names no host'
  return /^(\/\d*)?$/.test(url.pathname) ? null : 'has a path that is not a database number'
}

const MAPPED_IPV4 = new BlockList()
MAPPED_IPV4.addSubnet('::ffff:0:0', 96, 'ipv6')

function networks(text: string): Parsed<string[]> {
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
