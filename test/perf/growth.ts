/** The cost of a scan in the database with few rows and with many. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { mock } from 'node:test'
import pg from 'pg'
import { newId } from '#base/ids.ts'
import { mint } from '#keys/key.ts'
import { createKeys } from '#keys/keys.ts'
import { createKeyStore } from '#keys/store.ts'
import { createReportStore } from '#scan/report-store.ts'
import { createScanStore } from '#scan/store.ts'
import { type Database, SQLITE_FILE } from '#storage/database.ts'
import { type Measurement, median } from '#test/perf/report.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { openPlace, quietLog } from '#test/support/seed.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'
import { createUsageStore } from '#usage/store.ts'
import { createUsage } from '#usage/usage.ts'

const SMALL = { accounts: 100, scans: 10_000 }
const LARGE = { accounts: 100_000, scans: 5_000_000 }
const ROUNDS = 5
const SCANS_PER_ROUND = 800
const AT_ONCE = 16
/** Accounts that scan during the measurement. */
const ACTIVE = 100
const AT_MOST = 1.2
const SEED_BATCH = 250_000
const SCAN_EVERY_MS = 500

type Run = (text: string) => unknown

interface Place {
  url: string | null
  dataDir: string
}

/** SQL that differs by database: a series of numbers, and ids made of them. */
function dialectOf(isSqlite: boolean) {
  const hex = (value: string) => (isSqlite ? `printf('%012x', ${value})` : `lpad(to_hex((${value})::bigint), 12, '0')`)
  const timed = (ms: string) =>
    `substr(${hex(ms)}, 1, 8) || '-' || substr(${hex(ms)}, 9, 4) || '-7000-8000-' || ${hex('i')}`
  const numbered = (kind: number, i: string) => `'00000000-000${kind}-7000-8000-' || ${hex(i)}`
  return {
    timed,
    account: (i: string) => numbered(1, i),
    key: (i: string) => numbered(2, i),
    sha256: `${hex('i * 7919')} || ${hex('i')} || '${'0'.repeat(40)}'`,
    series: (from: number, to: number) =>
      isSqlite
        ? `with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})`
        : `with n(i) as (select generate_series(${from}::bigint, ${to}::bigint))`,
  }
}

async function seed(run: Run, isSqlite: boolean, { accounts, scans }: typeof SMALL): Promise<void> {
  const { series, sha256, account, key, timed } = dialectOf(isSqlite)
  const now = Date.now()
  const address = "i || '@example.com'"
  await run(`insert into accounts (id, email, email_key, plan, created_at, auth_provider)
    ${series(1, accounts)} select ${account('i')}, ${address}, ${address}, 'free', ${now}, 'password' from n`)
  await run(`insert into api_keys (id, account_id, name, hash, prefix, last_four, created_at, dashboard)
    ${series(1, accounts)} select ${key('i')}, ${account('i')}, 'Key', ${sha256}, 'dv_live_0000', '0000', ${now}, 0 from n`)
  const owner = `(i * 7919 % ${accounts} + 1)`
  const at = `${now - scans * SCAN_EVERY_MS} + i * ${SCAN_EVERY_MS}`
  const period = new Date(now).toISOString().slice(0, 7)
  // An index is built faster at the end.
  await run('drop index scans_by_account')
  for (let from = 1; from <= scans; from += SEED_BATCH) {
    const numbers = series(from, Math.min(scans, from + SEED_BATCH - 1))
    await run(`insert into scans
      (id, key_id, account_id, verdict, file_name, sha256, size, type, engines, started_at, finished_at)
      ${numbers} select ${timed(at)}, ${key(owner)}, ${account(owner)}, 'clean', 'letter.txt', ${sha256}, 10240,
        'text/plain', '[{"name":"embedded","version":"1","signatures":"1","ms":3}]', ${at}, ${at} from n`)
    await run(`insert into usage_ledger (scan_id, key_id, period, charged_at)
      ${numbers} select ${timed(at)}, ${key(owner)}, '${period}', ${now} from n`)
  }
  await run('create index scans_by_account on scans (account_id, id)')
  await run('analyze')
}

async function seedPlace({ url, dataDir }: Place, size: typeof SMALL): Promise<void> {
  await (await openPlace({ url, dataDir })).close()
  if (url === null) {
    const file = new DatabaseSync(join(dataDir, SQLITE_FILE))
    file.exec(
      'pragma foreign_keys = off; pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -400000',
    )
    await seed((text) => file.exec(text), true, size)
    file.exec('pragma journal_mode = wal')
    file.close()
    return
  }
  const client = new pg.Client(url)
  await client.connect()
  await seed((text) => client.query(text), false, size)
  await client.end()
}

let statements = 0
function count(prototype: object, name: string): void {
  const real = Reflect.get(prototype, name) as (...given: unknown[]) => unknown
  mock.method(prototype as Record<string, typeof real>, name, function (this: unknown, ...given: unknown[]) {
    statements++
    return real.apply(this, given)
  })
}

/** Keys of accounts spread over all. */
async function activeKeys({ db }: Database, accounts: number): Promise<string[]> {
  const secrets: string[] = []
  for (let i = 0; i < ACTIVE; i++) {
    const { secret, hash } = mint()
    const number = (1 + Math.floor((i * accounts) / ACTIVE)).toString(16).padStart(12, '0')
    await db.updateTable('api_keys').set({ hash }).where('id', '=', `00000000-0002-7000-8000-${number}`).execute()
    secrets.push(secret)
  }
  return secrets
}

interface Costs {
  cpuMs: number
  statements: number
  listMs: number
}

/** Per scan: what the service does in the database from the key to the charge. */
async function measure(database: Database, accounts: number): Promise<Costs[]> {
  const { record: write, unrecord: undo } = createScanStore(database, newId())
  const recorded = { write, undo }
  const keyStore = createKeyStore(database)
  const usage = createUsage({ store: createUsageStore(database, newId()), scansPerMonth: () => 1e9, log: quietLog })
  const keys = createKeys({
    ...{ store: keyStore, lastUsed: { record() {}, pending: () => undefined, close: async () => {} } },
    ...{ keysPerMonth: () => 1, announce: async () => {}, remind: async () => {}, announced() {}, log: quietLog },
  })
  const secrets = await activeKeys(database, accounts)
  const reports = createReportStore(database)
  let next = 0

  async function scan(): Promise<void> {
    const principal = await keys.identify(secrets[next++ % ACTIVE] ?? '', null)
    if (principal?.kind !== 'key') throw new Error('The key is not known')
    const { keyId, accountId } = principal
    await using ticket = await usage.reserve(keyId, 'free')
    const [id, now] = [newId(), Date.now()]
    const row = {
      ...{
        id,
        key_id: keyId,
        account_id: accountId,
        verdict: 'clean' as const,
        obstacle: null,
        threat: null,
        engine: null,
      },
      ...{ path: null, file_name: 'a.txt', content_type: null, sha256: 'a'.repeat(64), size: 10_240 },
      ...{ type: 'text/plain', engines: '[]', findings: null, reference: null, started_at: now, finished_at: now },
    } as const
    await ticket.charge(id, { kind: recorded, of: { scan: row, claim: null, response: '{}', receipt: null } })
  }
  const scans = (total: number) =>
    Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let i = 0; i < total / AT_ONCE; i++) await scan()
      }),
    )
  async function lists(): Promise<void> {
    const { accountId = '' } = (await keys.identify(secrets[next++ % ACTIVE] ?? '', null)) ?? {}
    await reports.list(accountId, {}, { count: 20, readMax: 5_000 })
    await reports.list(accountId, { verdict: 'infected' }, { count: 20, readMax: 5_000 })
  }

  await scans(SCANS_PER_ROUND)
  const found: Costs[] = []
  for (let round = 0; round < ROUNDS; round++) {
    statements = 0
    const cpu = process.cpuUsage()
    await scans(SCANS_PER_ROUND)
    const { user, system } = process.cpuUsage(cpu)
    const perScan = statements / SCANS_PER_ROUND
    const listCpu = process.cpuUsage()
    for (let i = 0; i < 50; i++) await lists()
    const list = process.cpuUsage(listCpu)
    found.push({
      cpuMs: (user + system) / 1_000 / SCANS_PER_ROUND,
      statements: perScan,
      listMs: (list.user + list.system) / 1_000 / 50,
    })
  }
  await usage.settleOwed()
  return found
}

async function* compare(name: string, open: (size: string) => Promise<Place>): AsyncGenerator<Measurement> {
  const costs: Costs[][] = []
  for (const size of [SMALL, LARGE]) {
    const place = await open(`growth_${size.accounts}`)
    try {
      await seedPlace(place, size)
      const database = await openPlace(place)
      costs.push(await measure(database, size.accounts))
      await database.close()
    } finally {
      rmSync(place.dataDir, { recursive: true, force: true })
    }
  }
  const [few = [], many = []] = costs
  const rows: [keyof Costs, string, string][] = [
    ['cpuMs', 'CPU time of a scan in the database', 'ms'],
    ['statements', 'Statements of a scan, 16 at once', 'statements'],
    ['listMs', 'CPU time of listing 20 reports, and 20 of infected documents', 'ms'],
  ]
  for (const [field, what, unit] of rows) {
    yield {
      what: `${what}, ${name}: ${LARGE.accounts} accounts and ${LARGE.scans} scans`,
      unit,
      baseline: `${SMALL.accounts} accounts and ${SMALL.scans} scans: median of ${ROUNDS} rounds`,
      rounds: [{ ours: median(many.map((each) => each[field])), base: median(few.map((each) => each[field])) }],
      target: { atMost: AT_MOST },
    }
  }
}

export async function* measureGrowth(): AsyncGenerator<Measurement> {
  count(StatementSync.prototype, 'all')
  count(StatementSync.prototype, 'run')
  count(pg.Client.prototype, 'query')
  yield* compare('SQLite', async () => ({ url: null, dataDir: temporaryFolder('growth') }))
  if (!SERVERS.postgres.available())
    return console.log('Skipped PostgreSQL: not installed (apt-get install postgresql)\n')
  await using server = await startPostgres()
  yield* compare('PostgreSQL', async (size) => {
    await server.administer(`create database ${size}`)
    return { url: server.url.replace(/docvet$/, size), dataDir: temporaryFolder('growth') }
  })
}
