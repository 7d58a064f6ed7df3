/** Quota reservations against a loop of single guarded UPDATE statements on the same database. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { newId } from '#base/ids.ts'
import type { Measurement } from '#test/perf/report.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { openPlace, quietLog, seedKey } from '#test/support/seed.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'
import { createUsageStore } from '#usage/store.ts'
import { createUsage } from '#usage/usage.ts'

const ROUNDS = 5
const ROUND_MS = 1_500
const CALLERS = 64
const PLENTY = 1_000_000_000

/** Calls of `once` per second. */
async function rate(callers: number, once: () => Promise<unknown> | unknown): Promise<number> {
  let count = 0
  const startedAt = performance.now()
  const endsAt = startedAt + ROUND_MS
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < endsAt) {
        await once()
        count++
      }
    }),
  )
  return (count * 1000) / (performance.now() - startedAt)
}

async function measure(
  url: string | null,
  name: string,
  openBare: (dataDir: string) => Promise<{ once(): unknown; close(): unknown }>,
): Promise<Measurement> {
  const dataDir = temporaryFolder('data')
  const database = await openPlace({ url, dataDir })
  const keyId = await seedKey(database)
  const usage = createUsage({
    store: createUsageStore(database, newId()),
    scansPerMonth: () => PLENTY,
    log: quietLog,
  })
  const bare = await openBare(dataDir)
  const rounds = []
  for (let i = 0; i < ROUNDS; i++) {
    rounds.push({ base: await rate(1, bare.once), ours: await rate(CALLERS, () => usage.reserve(keyId, 'free')) })
  }
  await bare.close()
  await database.close()
  return {
    what: `Reservations with ${CALLERS} callers, ${name}`,
    unit: 'reservations/s',
    baseline: 'sequential guarded UPDATE … RETURNING',
    rounds,
    target: { atLeast: 1 },
  }
}

const CREATE = 'create table bare (id integer primary key, used bigint not null)'
const INSERT = 'insert into bare (id, used) values (1, 0)'
const RESERVE = `update bare set used = used + 1 where id = 1 and used < ${PLENTY} returning used`

const onSqlite = () =>
  measure(null, 'SQLite', async (dataDir) => {
    const db = new DatabaseSync(join(dataDir, 'bare.sqlite'))
    db.exec(`pragma journal_mode = wal; pragma synchronous = full; ${CREATE}; ${INSERT}`)
    const statement = db.prepare(RESERVE)
    return { once: () => statement.get(), close: () => db.close() }
  })

async function onPostgres(): Promise<Measurement> {
  await using server = await startPostgres({ durable: true })
  return await measure(server.url, 'PostgreSQL', async () => {
    const client = new pg.Client(server.url)
    await client.connect()
    await client.query(`${CREATE}; ${INSERT}`)
    return { once: () => client.query({ name: 'reserve', text: RESERVE }), close: () => client.end() }
  })
}

export async function measureReservations(): Promise<Measurement[]> {
  const found = [await onSqlite()]
  if (SERVERS.postgres.available()) found.push(await onPostgres())
  else console.log('Skipped reservations on PostgreSQL: not installed (apt-get install postgresql)\n')
  return found
}
