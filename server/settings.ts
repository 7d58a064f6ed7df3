/** Every environment variable, declared once: the configuration, its messages and its documentation come from here. */

import { resolve } from 'node:path'
import {
  baseAddress,
  baseUrl,
  clamdUrls,
  engineNames,
  hostName,
  issuers,
  mailbox,
  marketplaceName,
  networks,
  oneOf,
  origin,
  type Parsed,
  parsePath,
  portNumber,
  postgresFault,
  redisFault,
  serverUrl,
  smtpFault,
  token,
  trueOrFalse,
  uuid,
  visibleText,
  wholeNumber,
} from './setting-parsers.ts'

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

export const SENSITIVITIES = ['standard', 'strict'] as const
export const UNSCANNABLE_POLICIES = ['refuse', 'infected', 'clean'] as const

const RATE_MAX = 1_000_000
const DEADLINE_MS_MIN = 1_000
const DEADLINE_MS_MAX = 600_000
/** Less than one document at a time would serve nobody. */
const BYTES_IN_FLIGHT_MIN = 33_554_432
const BYTES_IN_FLIGHT_MAX = 68_719_476_736
const CHILDREN_MAX = 256
/** A year: older ones are as good as none. */
const SIGNATURES_AGE_HOURS_MAX = 8_760
const CHAT_KEY_LENGTH_MAX = 4_096
const CHAT_MODEL_LENGTH_MAX = 200
const CHAT_PER_DAY_MAX = 10_000_000

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
  engines: {
    name: 'DOCVET_ENGINES',
    default: { words: '`embedded`, and `clamd` when its address is set' },
    secret: false,
    meaning: 'The engines that must all look at a document before it is called clean.',
    allowed: 'embedded or embedded,clamd; embedded is always among them',
    parse: engineNames,
  },
  clamdUrls: {
    name: 'DOCVET_CLAMD_URL',
    default: { words: 'none' },
    secret: false,
    meaning: 'Where clamd listens; of several, the least busy is asked.',
    allowed: 'unix:/path/of/the.socket or tcp://host:port, several separated by commas',
    parse: clamdUrls,
  },
  clamdSignaturesAgeMaxHours: {
    name: 'DOCVET_CLAMD_SIGNATURES_MAX_AGE_HOURS',
    default: { words: 'none' },
    secret: false,
    meaning:
      'A clamd whose signatures are older, or that does not tell, is not used; with none, health only shows their date.',
    allowed: `a whole number from 1 to ${SIGNATURES_AGE_HOURS_MAX}`,
    parse: (text) => wholeNumber(text, SIGNATURES_AGE_HOURS_MAX),
  },
  embeddedChildren: {
    name: 'DOCVET_EMBEDDED_CHILDREN',
    default: { words: 'one for each core' },
    secret: false,
    meaning:
      'How many processes of the embedded engine look at documents side by side; each takes 130 MB, and more for large documents.',
    allowed: `a whole number from 1 to ${CHILDREN_MAX}`,
    parse: (text) => wholeNumber(text, CHILDREN_MAX),
  },
  rulesDir: {
    name: 'DOCVET_RULES_DIR',
    default: { words: 'none' },
    secret: false,
    meaning: 'A folder with YARA rules of your own (*.yar, *.yara); changes are picked up while it runs.',
    allowed: 'the path of a folder',
    parse: (text) => parsePath(text, resolve),
  },
  sensitivity: {
    name: 'DOCVET_SENSITIVITY',
    default: { text: 'standard' },
    secret: false,
    meaning: 'With strict, what is only suspicious is infected too.',
    allowed: 'standard or strict',
    parse: (text) => oneOf(text, SENSITIVITIES),
  },
  unscannable: {
    name: 'DOCVET_UNSCANNABLE',
    default: { text: 'refuse' },
    secret: false,
    meaning:
      'What becomes of a document that cannot be looked into: refused with 422, infected, or at your own risk clean.',
    allowed: 'refuse, infected or clean',
    parse: (text) => oneOf(text, UNSCANNABLE_POLICIES),
  },
  scanDeadlineMs: {
    name: 'DOCVET_SCAN_DEADLINE_MS',
    default: { text: '30000' },
    secret: false,
    meaning: 'How long the engines may look at a document after it has arrived.',
    allowed: `a whole number from ${DEADLINE_MS_MIN} to ${DEADLINE_MS_MAX}`,
    parse: (text) => wholeNumber(text, DEADLINE_MS_MAX, DEADLINE_MS_MIN),
  },
  scanBytesInFlight: {
    name: 'DOCVET_SCAN_BYTES_IN_FLIGHT',
    default: { text: '536870912' },
    secret: false,
    meaning: 'How many bytes of documents may be in memory at once; a scan that would pass it is refused with 503.',
    allowed: `a whole number from ${BYTES_IN_FLIGHT_MIN} to ${BYTES_IN_FLIGHT_MAX}`,
    parse: (text) => wholeNumber(text, BYTES_IN_FLIGHT_MAX, BYTES_IN_FLIGHT_MIN),
  },
  smtpUrl: {
    name: 'DOCVET_SMTP_URL',
    default: { words: 'none: mail is written to `outbox/` in the data folder' },
    secret: true,
    meaning: 'The mail server that takes our mail; smtp:// turns to TLS when the server offers it.',
    allowed: 'smtp:// or smtps:// with host, perhaps port, user and password, special characters percent-encoded',
    parse: (text) => serverUrl(text, { smtp: 'smtp', smtps: 'smtps' }, smtpFault),
  },
  mailFrom: {
    name: 'DOCVET_MAIL_FROM',
    default: { text: 'Docvet <no-reply@localhost>' },
    secret: false,
    meaning: 'The sender of our mail.',
    allowed: 'one mailbox: an address, or a name and then the address in angle brackets',
    parse: mailbox,
  },
  marketplace: {
    name: 'DOCVET_MARKETPLACE',
    default: { words: '`sandbox` on loopback, host and public address, without https; else `off`' },
    secret: false,
    meaning:
      'Where subscriptions are bought; the sandbox sells for nothing, and elsewhere than on loopback must be meant.',
    allowed: 'off, sandbox, sandbox! or microsoft',
    parse: marketplaceName,
  },
  marketplacePlans: {
    name: 'DOCVET_MARKETPLACE_PLANS',
    default: { words: 'built in for the sandbox' },
    secret: false,
    meaning: 'Which of our plans each plan of the marketplace stands for; one that is not here cannot be used.',
    allowed: 'JSON like {"<offerId>/<planId>": "pro"}, or the path of a file with it',
    parse: (text) => parsePath(text, (path) => path),
  },
  microsoftTenantId: {
    name: 'DOCVET_MICROSOFT_TENANT_ID',
    default: { words: 'none' },
    secret: false,
    meaning: "The tenant of the publisher's application, as in the technical configuration of the offer.",
    allowed: 'a UUID',
    parse: uuid,
  },
  microsoftClientId: {
    name: 'DOCVET_MICROSOFT_CLIENT_ID',
    default: { words: 'none' },
    secret: false,
    meaning: "The id of the publisher's application.",
    allowed: 'a UUID',
    parse: uuid,
  },
  microsoftClientSecret: {
    name: 'DOCVET_MICROSOFT_CLIENT_SECRET',
    default: { words: 'none' },
    secret: true,
    meaning: "The secret of the publisher's application.",
    allowed: 'up to 1000 visible characters',
    parse: visibleText,
  },
  microsoftApiUrl: {
    name: 'DOCVET_MICROSOFT_API_URL',
    default: { text: 'https://marketplaceapi.microsoft.com/api' },
    secret: false,
    meaning: "The base address of Microsoft's fulfilment API.",
    allowed: 'https:// with a host and perhaps a path, without user or query; http:// only on loopback',
    parse: baseUrl,
  },
  microsoftAuthorityUrl: {
    name: 'DOCVET_MICROSOFT_AUTHORITY_URL',
    default: { text: 'https://login.microsoftonline.com' },
    secret: false,
    meaning: 'The authority that gives out tokens, and as a rule the keys that they are signed with.',
    allowed: 'https:// with a host and perhaps a path, without user or query; http:// only on loopback',
    parse: baseUrl,
  },
  microsoftKeysUrl: {
    name: 'DOCVET_MICROSOFT_KEYS_URL',
    default: { words: '`<authority>/<tenant>/discovery/v2.0/keys`' },
    secret: false,
    meaning: 'Where the keys are published that calls of the marketplace to our webhook are signed with.',
    allowed: 'https:// with a host and perhaps a path, without user or query; http:// only on loopback',
    parse: baseUrl,
  },
  microsoftIssuers: {
    name: 'DOCVET_MICROSOFT_ISSUER',
    default: { words: '`<authority>/<tenant>/v2.0` and `https://sts.windows.net/<tenant>/`' },
    secret: false,
    meaning: 'Whom the tokens of those calls must name as their issuer, to the last slash.',
    allowed: 'addresses with http:// or https://, several separated by commas',
    parse: issuers,
  },
  trustedProxies: {
    name: 'DOCVET_TRUSTED_PROXIES',
    default: { words: 'none' },
    secret: false,
    meaning: 'The proxies whose X-Forwarded-For header is believed.',
    allowed: 'IP addresses and networks like 10.0.0.0/8, separated by commas, no wider than /8 (IPv4) or /7 (IPv6)',
    parse: networks,
  },
  chatUrl: {
    name: 'DOCVET_CHAT_URL',
    default: { words: 'none' },
    secret: false,
    meaning:
      'The OpenAI-compatible service that the assistant asks, as its base address; `/chat/completions` is added.',
    allowed: 'http:// or https:// with a host and mostly a path that ends in /v1, without user, query or fragment',
    parse: baseAddress,
  },
  chatKey: {
    name: 'DOCVET_CHAT_KEY',
    default: { words: 'none' },
    secret: true,
    meaning: 'The key for that service, sent as a Bearer token; many that run on your own machines need none.',
    allowed: `up to ${CHAT_KEY_LENGTH_MAX} visible ASCII characters`,
    parse: (text) => token(text, CHAT_KEY_LENGTH_MAX),
  },
  chatModel: {
    name: 'DOCVET_CHAT_MODEL',
    default: { words: 'none' },
    secret: false,
    meaning: 'The name of the model (at Azure: of the deployment). Without it, the assistant is not configured.',
    allowed: `up to ${CHAT_MODEL_LENGTH_MAX} visible ASCII characters`,
    parse: (text) => token(text, CHAT_MODEL_LENGTH_MAX),
  },
  chatEnabled: {
    name: 'DOCVET_CHAT_ENABLED',
    default: { text: 'true' },
    secret: false,
    meaning: 'With false, the assistant is switched off; the suggested questions stay.',
    allowed: 'true or false',
    parse: trueOrFalse,
  },
  chatPerDay: {
    name: 'DOCVET_CHAT_PER_DAY',
    default: { text: '1000' },
    secret: false,
    meaning:
      'How many questions a UTC day may go to the language model, from everybody and over all replicas; one caller has a tenth of them.',
    allowed: `a whole number from 1 to ${CHAT_PER_DAY_MAX}`,
    parse: (text) => wholeNumber(text, CHAT_PER_DAY_MAX),
  },
  logLevel: {
    name: 'DOCVET_LOG_LEVEL',
    default: { text: 'info' },
    secret: false,
    meaning: 'The least severe kind of message that is logged.',
    allowed: `one of ${LOG_LEVELS.join(', ')}`,
    parse: (text) => oneOf(text, LOG_LEVELS),
  },
} as const satisfies Record<string, Setting>
