/** Every environment variable, declared once: the configuration, its error messages and its documentation use this. */
import { resolve } from 'node:path'
import { DOCUMENT_BYTES_MAX, FETCHED_BYTES_MAX } from '#base/document-limit.ts'
import type { ValueType } from './parsers.ts'
import * as parsers from './parsers.ts'
import * as urls from './url-parsers.ts'

export interface Setting<T = unknown> extends ValueType<T> {
  name: `DOCVET_${string}`
  meaning: string
  /** Parsed like a given value. */
  default?: string
  /** For a setting without a default, whose value is then null: what applies instead, if anything. */
  unset?: string
  /** Never shown, and can be read from the file named by the variable with the suffix `_FILE`. */
  secret?: true
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const PLANS_FILE =
  'the path of a file with scansPerMonth, keysPerMonth, scansPerSecond and burst of each plan, including free'
const MARKETPLACE_PLANS = 'JSON like {"<offerId>/<planId>": "pro"}, or the path of a file with it'
const POLICY_FILE = 'the path of a file with actions by finding or class, such as {"macros.auto": "block"}'
const SOURCES_FILE = 'the path of a file with a list of object stores'
const RATE_MAX = 1_000_000
/** Enough for one document of the largest size. */
export const BYTES_IN_FLIGHT_MIN = 33_554_432
const BYTES_IN_FLIGHT_MAX = 68_719_476_736
const HOURS_PER_YEAR = 8_760
const RETENTION_DAYS_MAX = 3_650
const LEDGER_MONTHS_MAX = 120
const CONNECTIONS_MIN = 10
const CONNECTIONS_MAX = 1_000_000

function setting<T, D extends Omit<Setting, 'name' | keyof ValueType<T>>>(
  name: Setting['name'],
  type: ValueType<T>,
  declaration: D,
) {
  return { name, ...type, ...declaration }
}

/** The key is the name of the field in the configuration. */
export const SETTINGS = {
  host: setting('DOCVET_HOST', parsers.hostName, {
    default: '127.0.0.1',
    meaning: 'IP address or host name to listen on; localhost is 127.0.0.1 and ::1, 0.0.0.0 or :: all interfaces.',
  }),
  port: setting('DOCVET_PORT', parsers.port, {
    default: '8080',
    meaning: 'Port to listen on.',
  }),
  publicUrl: setting('DOCVET_PUBLIC_URL', urls.origin, {
    unset: '`http://<host>:<port>`',
    meaning: 'URL under which clients reach the service; https makes cookies and transport security stricter.',
  }),
  dataDir: setting('DOCVET_DATA_DIR', parsers.pathOf('a path', resolve), {
    default: './data',
    meaning: 'Folder for all stored data, including the SQLite database.',
  }),
  databaseUrl: setting('DOCVET_DATABASE_URL', urls.postgresUrl, {
    unset: 'SQLite in the data folder',
    secret: true,
    meaning: 'PostgreSQL database to use instead of SQLite.',
  }),
  redisUrl: setting('DOCVET_REDIS_URL', urls.redisUrl, {
    secret: true,
    meaning: 'Redis or Valkey server through which several replicas share their rate limits.',
  }),
  plansFile: setting('DOCVET_PLANS_FILE', parsers.pathOf(PLANS_FILE), {
    unset: 'built in',
    meaning: 'JSON file with the plans that replace the built-in ones.',
  }),
  defaultPlan: setting('DOCVET_DEFAULT_PLAN', parsers.planName, {
    default: 'free',
    meaning:
      'Plan of new accounts; `internal` for the own installation of a company, where nobody should reach a quota.',
  }),
  signup: setting('DOCVET_SIGNUP', parsers.oneOf('open', 'closed', 'invite'), {
    default: 'open',
    meaning: 'Who can sign up: everyone, nobody, or everyone with a single-use invite code.',
  }),
  passwords: setting('DOCVET_PASSWORDS', parsers.oneOf('on', 'off'), {
    default: 'on',
    meaning: 'With off, nobody signs in with a password: only with the providers of `DOCVET_OIDC_PROVIDERS`.',
  }),
  oidcProviders: setting('DOCVET_OIDC_PROVIDERS', parsers.jsonList, {
    unset: 'none: accounts sign in with a password',
    secret: true,
    meaning: 'Providers of sign-in that speak OpenID Connect, such as Microsoft and Google; see [sign-in](sign-in.md).',
  }),
  addressRatePerMinute: setting('DOCVET_ADDRESS_RATE_PER_MINUTE', parsers.integer(1, RATE_MAX), {
    default: '60',
    meaning: 'Requests per minute from one IP address to each endpoint that needs no credential.',
  }),
  keyRatePerMinute: setting('DOCVET_KEY_RATE_PER_MINUTE', parsers.integer(1, RATE_MAX), {
    default: '1200',
    meaning: 'Requests per minute with one key to all endpoints except scanning, which the plan limits.',
  }),
  engines: setting('DOCVET_ENGINES', parsers.engineNames, {
    unset: '`embedded`, and `clamd` if `DOCVET_CLAMD_URL` is set',
    meaning: 'Engines that must all scan a document before it is reported as clean.',
  }),
  clamdUrls: setting('DOCVET_CLAMD_URL', parsers.clamdUrls, {
    meaning: 'URL of clamd; with several, each scan goes to the least busy one.',
  }),
  clamdListen: setting('DOCVET_CLAMD_LISTEN', parsers.listeners('clamd'), {
    meaning:
      'Addresses on which programs scan documents over the protocol of clamd, each with the id of the API key that its scans belong to; see [connect](connect/README.md).',
  }),
  icapListen: setting('DOCVET_ICAP_LISTEN', parsers.listeners('icap'), {
    meaning: 'The same over ICAP, for proxies and products that use it; see [connect](connect/README.md).',
  }),
  mcp: setting('DOCVET_MCP', parsers.oneOf('off', 'on'), {
    default: 'off',
    meaning: 'Answers assistants that speak the Model Context Protocol, at `/mcp`; see [assistants](mcp.md).',
  }),
  clamdSignaturesAgeMaxHours: setting('DOCVET_CLAMD_SIGNATURES_MAX_AGE_HOURS', parsers.integer(1, HOURS_PER_YEAR), {
    meaning:
      'Maximum age of clamd signatures; a clamd with older or undated signatures is not used. If not set, the health endpoint only shows their date.',
  }),
  processes: setting('DOCVET_PROCESSES', parsers.processCount, {
    default: '1',
    meaning:
      'Processes that share the port, for machines with many cores; `auto` is half the number of cores. Limits and workers are divided among them.',
  }),
  embeddedWorkers: setting('DOCVET_EMBEDDED_CHILDREN', parsers.integer(1, 256), {
    unset: 'one per CPU core',
    meaning:
      'Number of worker processes of the embedded engine; each uses 65 MB of memory, and more for large documents.',
  }),
  rulesDir: setting('DOCVET_RULES_DIR', parsers.pathOf('the path of a folder', resolve), {
    meaning: 'Folder with your own YARA rules (*.yar, *.yara); changes apply without a restart.',
  }),
  ruleScores: setting('DOCVET_RULES_SCORE', parsers.scores, {
    default: '80,60',
    meaning:
      'From which meta field `score` on a match of a rule without `severity` is malicious, and from which it is suspicious; below it is a notice.',
  }),
  feedsDir: setting('DOCVET_FEEDS_DIR', parsers.pathOf('the path of a folder', resolve), {
    meaning:
      'Folder with your own lists of addresses and hashes (*.txt, *.csv, *.json, each with a side-car *.feed.json); changes apply without a restart.',
  }),
  updatesUrl: setting('DOCVET_UPDATES', urls.channel, {
    default: 'off',
    meaning:
      'Channel of rules, tables and lists between releases, a repository of The Update Framework. With off, nothing is fetched; sets can be imported.',
  }),
  updatesRoot: setting('DOCVET_UPDATES_ROOT', parsers.pathOf('the path of a file', resolve), {
    meaning: 'File with the root of trust of the channel (root.json); required with `DOCVET_UPDATES`.',
  }),
  updatesProxy: setting('DOCVET_UPDATES_PROXY', urls.plainOrigin, {
    meaning:
      'HTTP proxy for the channel, such as `http://proxy.internal:3128`. It is asked for a tunnel (CONNECT) to the host of the channel, whose name it resolves.',
  }),
  updatesIntervalMs: setting('DOCVET_UPDATES_INTERVAL', parsers.duration(1, 168 * 3_600), {
    default: '6h',
    meaning: 'How often the channel is asked for new rules.',
  }),
  sensitivity: setting('DOCVET_SENSITIVITY', parsers.oneOf('standard', 'strict'), {
    default: 'standard',
    meaning: 'With strict, suspicious documents are reported as infected too.',
  }),
  policyFile: setting('DOCVET_POLICY', parsers.pathOf(POLICY_FILE, resolve), {
    unset: 'built in',
    meaning:
      'JSON file that says how much each finding, or class of findings, counts: allow, notice, suspicious or block; changes apply without a restart.',
  }),
  unscannable: setting('DOCVET_UNSCANNABLE', parsers.oneOf('refuse', 'infected', 'clean'), {
    default: 'refuse',
    meaning:
      'Policy for documents that cannot be fully scanned. They are rejected with 422, reported as infected, or, at your own risk, reported as clean.',
  }),
  allowList: setting('DOCVET_ALLOW_LIST', parsers.oneOf('own', 'all', 'off'), {
    default: 'own',
    meaning:
      'Threats that the allow list of an account overrides: findings of the embedded engine except test files and bombs, every threat, or none.',
  }),
  scanDeadlineMs: setting('DOCVET_SCAN_DEADLINE_MS', parsers.integer(1_000, 600_000), {
    default: '30000',
    meaning: 'Time limit of the engines for one document after its upload is complete, in milliseconds.',
  }),
  scanBytesInFlight: setting('DOCVET_SCAN_BYTES_IN_FLIGHT', parsers.integer(BYTES_IN_FLIGHT_MIN, BYTES_IN_FLIGHT_MAX), {
    default: '536870912',
    meaning: 'Maximum size of all documents in memory, in bytes; a scan that would exceed it is rejected with 503.',
  }),
  fetchBytesMax: setting('DOCVET_FETCH_BYTES_MAX', parsers.integer(DOCUMENT_BYTES_MAX, FETCHED_BYTES_MAX), {
    default: `${DOCUMENT_BYTES_MAX}`,
    meaning:
      'Maximum size of a document that is fetched from a URL, with `Prefer: respond-async`, or from an object store, in bytes. Documents above 25 MB share this much memory of their own, and each worker may use three times what exceeds 25 MB.',
  }),
  scanRetentionDays: setting('DOCVET_SCAN_RETENTION_DAYS', parsers.integer(0, RETENTION_DAYS_MAX), {
    default: '90',
    meaning: 'Days that reports of scans are kept; 0 stores no reports, only the ledger of charges.',
  }),
  auditRetentionDays: setting('DOCVET_AUDIT_RETENTION_DAYS', parsers.integer(1, RETENTION_DAYS_MAX), {
    default: '365',
    meaning: 'Days that the audit log and the events of the marketplace are kept.',
  }),
  ledgerRetentionMonths: setting('DOCVET_LEDGER_RETENTION_MONTHS', parsers.integer(0, LEDGER_MONTHS_MAX), {
    default: '0',
    meaning:
      'Whole months before the current one for which the ledger of charges is kept, one row per scan; 0 keeps it for good.',
  }),
  smtpUrl: setting('DOCVET_SMTP_URL', urls.smtpUrl, {
    unset: 'none: mail is written to `outbox/` in the data folder',
    secret: true,
    meaning: 'Mail server for outgoing mail; smtp:// uses STARTTLS if the server offers it.',
  }),
  mailFrom: setting('DOCVET_MAIL_FROM', parsers.mailbox, {
    default: 'Docvet <no-reply@localhost>',
    meaning: 'Sender of outgoing mail.',
  }),
  contact: setting('DOCVET_CONTACT', urls.contact, {
    unset: 'none: the dashboard says “the operator of this service”',
    meaning: 'E-mail address or URL of the operator, for users who need help; the dashboard shows it.',
  }),
  operators: setting('DOCVET_OPERATORS', parsers.emails, {
    unset: 'none: there is no such page',
    meaning:
      'E-mail addresses of the people who may open `/operator`, where the commands of `docvet admin` are a page; see [administration](admin.md#in-the-browser).',
  }),
  alertMail: setting('DOCVET_ALERT_MAIL', parsers.email, {
    unset: 'none',
    meaning:
      'E-mail address of the operator for alerts about infected documents of all accounts, at most one an hour; see [alerts](callbacks.md#alerts).',
  }),
  alertUrl: setting('DOCVET_ALERT_URL', urls.encryptedBaseUrl, {
    unset: 'none',
    meaning:
      'URL of the operator that is called for every infected document of all accounts, without names of files. Needs DOCVET_ALERT_SECRET.',
  }),
  alertSecret: setting('DOCVET_ALERT_SECRET', parsers.base64Of(32), {
    secret: true,
    unset: 'none',
    meaning: 'Signs the calls of DOCVET_ALERT_URL by Standard Webhooks, such as from `openssl rand -base64 32`.',
  }),
  marketplace: setting('DOCVET_MARKETPLACE', parsers.oneOf('off', 'sandbox', 'sandbox!', 'microsoft'), {
    unset: '`sandbox` if host and public URL are on loopback without https, otherwise `off`',
    meaning:
      'Marketplace that sells subscriptions. In the sandbox purchases are free. Outside loopback it must be forced with `sandbox!`.',
  }),
  marketplacePlans: setting('DOCVET_MARKETPLACE_PLANS', parsers.pathOf(MARKETPLACE_PLANS), {
    unset: 'built in for the sandbox',
    meaning: 'Maps each marketplace plan to a plan of this service; plans that are not listed cannot be used.',
  }),
  microsoftTenantId: setting('DOCVET_MICROSOFT_TENANT_ID', parsers.uuid, {
    meaning: "Tenant of the publisher's application, as in the technical configuration of the offer.",
  }),
  microsoftClientId: setting('DOCVET_MICROSOFT_CLIENT_ID', parsers.uuid, {
    meaning: "Client id of the publisher's application.",
  }),
  microsoftClientSecret: setting('DOCVET_MICROSOFT_CLIENT_SECRET', parsers.visibleAscii(1_000), {
    secret: true,
    meaning: "Client secret of the publisher's application.",
  }),
  microsoftApiUrl: setting('DOCVET_MICROSOFT_API_URL', urls.encryptedBaseUrl, {
    default: 'https://marketplaceapi.microsoft.com/api',
    meaning: "Base URL of Microsoft's SaaS fulfillment API.",
  }),
  microsoftAuthorityUrl: setting('DOCVET_MICROSOFT_AUTHORITY_URL', urls.encryptedBaseUrl, {
    default: 'https://login.microsoftonline.com',
    meaning: 'Authority that issues access tokens and, by default, publishes the signing keys.',
  }),
  microsoftKeysUrl: setting('DOCVET_MICROSOFT_KEYS_URL', urls.encryptedBaseUrl, {
    unset: '`<authority>/<tenant>/discovery/v2.0/keys`',
    meaning: 'URL of the keys that sign the webhook calls of the marketplace.',
  }),
  microsoftIssuers: setting('DOCVET_MICROSOFT_ISSUER', urls.issuers, {
    unset: '`<authority>/<tenant>/v2.0` and `https://sts.windows.net/<tenant>/`',
    meaning: 'Accepted issuers of the tokens in webhook calls; they must match exactly.',
  }),
  trustedProxies: setting('DOCVET_TRUSTED_PROXIES', parsers.networks, {
    meaning: 'Proxies whose X-Forwarded-For header is trusted.',
  }),
  secretKey: setting('DOCVET_SECRET_KEY', parsers.base64Of(32), {
    unset: 'a key in the file `secret.key` of the data folder',
    secret: true,
    meaning:
      'Key that encrypts secrets in the database, such as those of callbacks. Set the same one on all replicas; `openssl rand -base64 32` makes one.',
  }),
  receiptKey: setting('DOCVET_RECEIPT_KEY', parsers.ed25519Key, {
    unset: 'a key in the file `receipt-key.pem` of the data folder; with PostgreSQL there are no receipts then',
    secret: true,
    meaning:
      'Private key that signs the receipts of scans. Set the same one on all replicas; `openssl genpkey -algorithm ed25519` makes one.',
  }),
  outboundAllow: setting('DOCVET_OUTBOUND_ALLOW', parsers.targets, {
    unset: 'only public addresses, over https on port 443',
    meaning:
      'Further targets for URLs that clients give, such as those of documents: addresses of your own networks, also over http and on other ports.',
  }),
  outboundProxy: setting('DOCVET_OUTBOUND_PROXY', urls.plainOrigin, {
    unset: 'connections are direct',
    meaning:
      'HTTP proxy for URLs that clients give, such as `http://proxy.internal:3128`. It is asked for tunnels (CONNECT) to addresses that were resolved and checked here. Targets of `DOCVET_OUTBOUND_ALLOW` are reached directly, and proxies of the environment are ignored.',
  }),
  sourcesFile: setting('DOCVET_SOURCES_FILE', parsers.pathOf(SOURCES_FILE, resolve), {
    unset: 'none: no events of object stores are accepted',
    meaning:
      'JSON file with the object stores whose documents are scanned, each with the id of the API key that its scans belong to; see [object-storage](object-storage.md).',
  }),
  metricsAddress: setting('DOCVET_METRICS_ADDRESS', parsers.hostAndPort, {
    unset: 'no metrics',
    meaning:
      'IP address or host name and port on which `GET /metrics` answers Prometheus. Do not expose it to clients.',
  }),
  otlpUrl: setting('DOCVET_OTLP_URL', urls.baseUrl, {
    unset: 'no spans',
    meaning:
      'Base URL of an OpenTelemetry collector that accepts OTLP over HTTP, such as http://localhost:4318; spans are sent as JSON to `/v1/traces`.',
  }),
  tracePercent: setting('DOCVET_TRACE_PERCENT', parsers.integer(0, 100), {
    default: '100',
    meaning: 'Percentage of requests without a `traceparent` header whose spans are sent; with one, its flag decides.',
  }),
  connectionsMax: setting('DOCVET_CONNECTIONS', parsers.integer(CONNECTIONS_MIN, CONNECTIONS_MAX), {
    default: '8000',
    meaning: 'Maximum number of client connections; at most three quarters of the limit on open files.',
  }),
  connectionsPerAddress: setting('DOCVET_CONNECTIONS_PER_ADDRESS', parsers.integer(1, CONNECTIONS_MAX), {
    unset: 'one eighth of all connections',
    meaning: 'Maximum number of connections from one IPv4 address or IPv6 /64 network, except trusted proxies.',
  }),
  chatUrl: setting('DOCVET_CHAT_URL', urls.baseUrl, {
    meaning: 'Base URL of the OpenAI-compatible service for the assistant; `/chat/completions` is appended.',
  }),
  chatKey: setting('DOCVET_CHAT_KEY', parsers.visibleAscii(4_096), {
    secret: true,
    meaning: 'API key for that service, sent as a Bearer token; many self-hosted services need none.',
  }),
  chatModel: setting('DOCVET_CHAT_MODEL', parsers.visibleAscii(200), {
    meaning: 'Name of the model (on Azure, of the deployment). Without it, the assistant is not configured.',
  }),
  chatEnabled: setting('DOCVET_CHAT_ENABLED', parsers.boolean, {
    default: 'true',
    meaning: 'With false, the assistant is disabled; the suggested questions stay available.',
  }),
  chatPerDay: setting('DOCVET_CHAT_PER_DAY', parsers.integer(1, 10_000_000), {
    default: '1000',
    meaning:
      'Questions sent to the language model per UTC day, for all callers and replicas together; one caller can use a tenth of them.',
  }),
  logLevel: setting('DOCVET_LOG_LEVEL', parsers.oneOf(...LOG_LEVELS), {
    default: 'info',
    meaning: 'Lowest severity that is logged.',
  }),
}

type ValueOf<S extends Setting> = S extends Setting<infer T> ? (S extends { default: string } ? T : T | null) : never
export type Values = { -readonly [Field in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Field]> }
