/** Every environment variable, declared once: the configuration, its error messages and its documentation use this. */
import { resolve } from 'node:path'
import type { ValueType } from './parsers.ts'
import * as parsers from './parsers.ts'
import * as urls from './url-parsers.ts'

export interface Setting<T = unknown> extends ValueType<T> {
  name: `DOCVET_${string}`
  meaning: string
  /** Parsed like a given value. */
  default?: string
  /** For a setting without a default, whose value is then null: what applies instead. */
  unset?: string
  /** Never shown, and can be read from the file named by the variable with the suffix `_FILE`. */
  secret?: true
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const RATE_MAX = 1_000_000
/** Enough for one document of the largest size. */
const BYTES_IN_FLIGHT_MIN = 33_554_432
const BYTES_IN_FLIGHT_MAX = 68_719_476_736
const HOURS_PER_YEAR = 8_760

/** The key is the name of the field in the configuration. */
export const SETTINGS = {
  host: {
    name: 'DOCVET_HOST',
    default: '127.0.0.1',
    meaning: 'IP address or host name to listen on; 0.0.0.0 or :: listens on all interfaces.',
    ...parsers.hostName,
  },
  port: {
    name: 'DOCVET_PORT',
    default: '8080',
    meaning: 'Port to listen on.',
    ...parsers.port,
  },
  publicUrl: {
    name: 'DOCVET_PUBLIC_URL',
    unset: '`http://<host>:<port>`',
    meaning: 'URL under which clients reach the service; https makes cookies and transport security stricter.',
    ...urls.origin,
  },
  dataDir: {
    name: 'DOCVET_DATA_DIR',
    default: './data',
    meaning: 'Folder for all stored data, including the SQLite database.',
    ...parsers.pathOf('a path', resolve),
  },
  databaseUrl: {
    name: 'DOCVET_DATABASE_URL',
    unset: 'SQLite in the data folder',
    secret: true,
    meaning: 'PostgreSQL database to use instead of SQLite.',
    ...urls.postgresUrl,
  },
  redisUrl: {
    name: 'DOCVET_REDIS_URL',
    unset: 'none',
    secret: true,
    meaning: 'Redis or Valkey server through which several replicas share their rate limits.',
    ...urls.redisUrl,
  },
  plansFile: {
    name: 'DOCVET_PLANS_FILE',
    unset: 'built in',
    meaning: 'JSON file with the plans that replace the built-in ones.',
    ...parsers.pathOf(
      'the path of a file with scansPerMonth, keysPerMonth, scansPerSecond and burst of each plan, including free',
    ),
  },
  addressRatePerMinute: {
    name: 'DOCVET_ADDRESS_RATE_PER_MINUTE',
    default: '60',
    meaning: 'Requests per minute from one IP address to each endpoint that needs no credential.',
    ...parsers.integer(1, RATE_MAX),
  },
  keyRatePerMinute: {
    name: 'DOCVET_KEY_RATE_PER_MINUTE',
    default: '1200',
    meaning: 'Requests per minute with one key to all endpoints except scanning, which the plan limits.',
    ...parsers.integer(1, RATE_MAX),
  },
  engines: {
    name: 'DOCVET_ENGINES',
    unset: '`embedded`, and `clamd` if `DOCVET_CLAMD_URL` is set',
    meaning: 'Engines that must all scan a document before it is reported as clean.',
    ...parsers.engineNames,
  },
  clamdUrls: {
    name: 'DOCVET_CLAMD_URL',
    unset: 'none',
    meaning: 'URL of clamd; with several, each scan goes to the least busy one.',
    ...parsers.clamdUrls,
  },
  clamdSignaturesAgeMaxHours: {
    name: 'DOCVET_CLAMD_SIGNATURES_MAX_AGE_HOURS',
    unset: 'none',
    meaning:
      'Maximum age of clamd signatures; a clamd with older or undated signatures is not used. If not set, the health endpoint only shows their date.',
    ...parsers.integer(1, HOURS_PER_YEAR),
  },
  embeddedWorkers: {
    name: 'DOCVET_EMBEDDED_CHILDREN',
    unset: 'one per CPU core',
    meaning:
      'Number of worker processes of the embedded engine; each uses 130 MB of memory, and more for large documents.',
    ...parsers.integer(1, 256),
  },
  rulesDir: {
    name: 'DOCVET_RULES_DIR',
    unset: 'none',
    meaning: 'Folder with your own YARA rules (*.yar, *.yara); changes apply without a restart.',
    ...parsers.pathOf('the path of a folder', resolve),
  },
  sensitivity: {
    name: 'DOCVET_SENSITIVITY',
    default: 'standard',
    meaning: 'With strict, suspicious documents are reported as infected too.',
    ...parsers.oneOf('standard', 'strict'),
  },
  unscannable: {
    name: 'DOCVET_UNSCANNABLE',
    default: 'refuse',
    meaning:
      'Policy for documents that cannot be fully scanned. They are rejected with 422, reported as infected, or, at your own risk, reported as clean.',
    ...parsers.oneOf('refuse', 'infected', 'clean'),
  },
  scanDeadlineMs: {
    name: 'DOCVET_SCAN_DEADLINE_MS',
    default: '30000',
    meaning: 'Time limit of the engines for one document after its upload is complete, in milliseconds.',
    ...parsers.integer(1_000, 600_000),
  },
  scanBytesInFlight: {
    name: 'DOCVET_SCAN_BYTES_IN_FLIGHT',
    default: '536870912',
    meaning: 'Maximum size of all documents in memory, in bytes; a scan that would exceed it is rejected with 503.',
    ...parsers.integer(BYTES_IN_FLIGHT_MIN, BYTES_IN_FLIGHT_MAX),
  },
  smtpUrl: {
    name: 'DOCVET_SMTP_URL',
    unset: 'none: mail is written to `outbox/` in the data folder',
    secret: true,
    meaning: 'Mail server for outgoing mail; smtp:// uses STARTTLS if the server offers it.',
    ...urls.smtpUrl,
  },
  mailFrom: {
    name: 'DOCVET_MAIL_FROM',
    default: 'Docvet <no-reply@localhost>',
    meaning: 'Sender of outgoing mail.',
    ...parsers.mailbox,
  },
  marketplace: {
    name: 'DOCVET_MARKETPLACE',
    unset: '`sandbox` if host and public URL are on loopback without https, otherwise `off`',
    meaning:
      'Marketplace that sells subscriptions. In the sandbox purchases are free. Outside loopback it must be forced with `sandbox!`.',
    ...parsers.oneOf('off', 'sandbox', 'sandbox!', 'microsoft'),
  },
  marketplacePlans: {
    name: 'DOCVET_MARKETPLACE_PLANS',
    unset: 'built in for the sandbox',
    meaning: 'Maps each marketplace plan to a plan of this service; plans that are not listed cannot be used.',
    ...parsers.pathOf('JSON like {"<offerId>/<planId>": "pro"}, or the path of a file with it'),
  },
  microsoftTenantId: {
    name: 'DOCVET_MICROSOFT_TENANT_ID',
    unset: 'none',
    meaning: "Tenant of the publisher's application, as in the technical configuration of the offer.",
    ...parsers.uuid,
  },
  microsoftClientId: {
    name: 'DOCVET_MICROSOFT_CLIENT_ID',
    unset: 'none',
    meaning: "Client id of the publisher's application.",
    ...parsers.uuid,
  },
  microsoftClientSecret: {
    name: 'DOCVET_MICROSOFT_CLIENT_SECRET',
    unset: 'none',
    secret: true,
    meaning: "Client secret of the publisher's application.",
    ...parsers.visibleAscii(1_000),
  },
  microsoftApiUrl: {
    name: 'DOCVET_MICROSOFT_API_URL',
    default: 'https://marketplaceapi.microsoft.com/api',
    meaning: "Base URL of Microsoft's SaaS fulfillment API.",
    ...urls.encryptedBaseUrl,
  },
  microsoftAuthorityUrl: {
    name: 'DOCVET_MICROSOFT_AUTHORITY_URL',
    default: 'https://login.microsoftonline.com',
    meaning: 'Authority that issues access tokens and, by default, publishes the signing keys.',
    ...urls.encryptedBaseUrl,
  },
  microsoftKeysUrl: {
    name: 'DOCVET_MICROSOFT_KEYS_URL',
    unset: '`<authority>/<tenant>/discovery/v2.0/keys`',
    meaning: 'URL of the keys that sign the webhook calls of the marketplace.',
    ...urls.encryptedBaseUrl,
  },
  microsoftIssuers: {
    name: 'DOCVET_MICROSOFT_ISSUER',
    unset: '`<authority>/<tenant>/v2.0` and `https://sts.windows.net/<tenant>/`',
    meaning: 'Accepted issuers of the tokens in webhook calls; they must match exactly.',
    ...urls.issuers,
  },
  trustedProxies: {
    name: 'DOCVET_TRUSTED_PROXIES',
    unset: 'none',
    meaning: 'Proxies whose X-Forwarded-For header is trusted.',
    ...parsers.networks,
  },
  chatUrl: {
    name: 'DOCVET_CHAT_URL',
    unset: 'none',
    meaning: 'Base URL of the OpenAI-compatible service for the assistant; `/chat/completions` is appended.',
    ...urls.baseUrl,
  },
  chatKey: {
    name: 'DOCVET_CHAT_KEY',
    unset: 'none',
    secret: true,
    meaning: 'API key for that service, sent as a Bearer token; many self-hosted services need none.',
    ...parsers.visibleAscii(4_096),
  },
  chatModel: {
    name: 'DOCVET_CHAT_MODEL',
    unset: 'none',
    meaning: 'Name of the model (on Azure, of the deployment). Without it, the assistant is not configured.',
    ...parsers.visibleAscii(200),
  },
  chatEnabled: {
    name: 'DOCVET_CHAT_ENABLED',
    default: 'true',
    meaning: 'With false, the assistant is disabled; the suggested questions stay available.',
    ...parsers.boolean,
  },
  chatPerDay: {
    name: 'DOCVET_CHAT_PER_DAY',
    default: '1000',
    meaning:
      'Questions sent to the language model per UTC day, for all callers and replicas together; one caller can use a tenth of them.',
    ...parsers.integer(1, 10_000_000),
  },
  logLevel: {
    name: 'DOCVET_LOG_LEVEL',
    default: 'info',
    meaning: 'Lowest severity that is logged.',
    ...parsers.oneOf(...LOG_LEVELS),
  },
} as const satisfies Record<string, Setting>

type Declared = typeof SETTINGS
type ValueOf<S extends Setting> = S extends Setting<infer T> ? (S extends { default: string } ? T : T | null) : never
export type Values = { -readonly [Field in keyof Declared]: ValueOf<Declared[Field]> }
