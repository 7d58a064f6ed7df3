/** Opens and migrates the configured database. */
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledQuery, Kysely, sql, type Transaction } from 'kysely'
import { storageUnavailable } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { type Audit, createAudit } from './audit.ts'
import { type Clock, postgresClock, sqliteClock } from './clock.ts'
import { prepareDataFolder } from './data-folder.ts'
import { installJobEngine } from './job-engine.ts'
import { migrate } from './migrate.ts'
import { nodeSqlite } from './node-sqlite.ts'
import { openPostgresPool } from './postgres.ts'
import { type Procedure, runSteps } from './prepared.ts'
import type { Tables } from './tables.ts'
import { PROBE_BYTES, probeFolder, trackWrites, type Writes } from './writes.ts'

export type Trx = Transaction<Tables>

export interface Database {
  kind: 'sqlite' | 'postgres'
  db: Kysely<Tables>
  clock: Clock
  /** Changes of accounts, keys, plans, sessions and subscriptions go through `audit.change`. */
  audit: Audit
  /** A transaction that does not wait for the disk: it survives a crash of this process, but not a power failure. */
  relaxedTransaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /** Runs a procedure in one transaction: on SQLite without a promise per query. Also relaxed, in the sense above. */
  transact<T>(procedure: () => Procedure<T>, options?: { relaxed: boolean }): Promise<T>
  /** The rows of a prepared query that only reads, without a promise. Null where only Kysely can run it. */
  readNow<Row>(query: CompiledQuery<Row>): Row[] | null
  /** Rejects with `storage_unavailable` when the database does not respond. */
  ping(): Promise<void>
  /** Null when it can be read and written; otherwise a reason that clients may see. */
  problem(): Promise<string | null>
  writes: Writes
  /** Connections by state; only for PostgreSQL. */
  pool?(): Record<'idle' | 'used' | 'waiting', number>
  /** Rejects when there is no space for new data. */
  probeSpace(): Promise<void>
  close(): Promise<void>
}

export const SQLITE_FILE = 'docvet.sqlite'

/** For people, without user and password. */
export function describeDatabase({ databaseUrl, dataDir }: Pick<DatabaseOptions, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === null) return `SQLite, ${join(dataDir, SQLITE_FILE)}`
  // A database behind a socket can have a user but no host.
  const url = URL.parse(databaseUrl) ?? URL.parse(databaseUrl.replace('@/', '@localhost/'))
  const host = url?.searchParams.get('host') ?? url?.host ?? 'an unknown host'
  return `PostgreSQL, ${decodeURIComponent(url?.pathname.slice(1) || 'default database')} on ${host}`
}

interface DatabaseOptions {
  /** Null for SQLite in the data folder. */
  databaseUrl: string | null
  dataDir: string
  log: Log
  /** Named in the audit log by admin commands. */
  operator?: string
}

export function openDatabase({ databaseUrl, dataDir, log, operator }: DatabaseOptions): Promise<Database> {
  return databaseUrl ? openPostgres(databaseUrl, log, operator) : openSqlite(dataDir, log, operator)
}

/** The same database, whose audit log names somebody else as the one who acts. */
export const actingAs = ({ kind, db, clock, ...database }: Database, operator: string): Database => ({
  ...database,
  ...{ kind, db, clock, audit: createAudit({ kind, db, clock, operator }) },
})

async function openPostgres(url: string, log: Log, operator?: string): Promise<Database> {
  await migrate({ kind: 'postgres', dialect: openPostgresPool({ url, log, patient: true }).dialect, log })
  await installJobEngine(url, log)
  const writes = trackWrites(log)
  const { dialect, pool } = openPostgresPool({ url, log, onWriteFailure: writes.failed })
  const db = new Kysely<Tables>({ dialect })
  const relaxedTransaction: Database['relaxedTransaction'] = (work) =>
    db.transaction().execute(async (trx) => {
      await sql`set local synchronous_commit to off`.execute(trx)
      return await work(trx)
    })
  return {
    kind: 'postgres',
    db,
    clock: postgresClock,
    audit: createAudit({ kind: 'postgres', db, clock: postgresClock, operator }),
    relaxedTransaction,
    transact: (procedure, options) => transactSteps(db, relaxedTransaction, procedure, options),
    readNow: () => null,
    ping: () => ping(db),
    problem: () => problemOf(() => ping(db), writes),
    writes,
    pool,
    probeSpace: async () => {
      // The heartbeat needs no new space. A table does, but one every ten seconds would bloat the catalogue.
      if (writes.failure() !== null) await probePostgres(db)
    },
    close: () => db.destroy(),
  }
}

async function openSqlite(dataDir: string, log: Log, operator?: string): Promise<Database> {
  const path = join(dataDir, SQLITE_FILE)
  prepareDataFolder(
    dataDir,
    ['', '-wal', '-shm'].map((suffix) => path + suffix),
  )
  await migrate({ kind: 'sqlite', dialect: nodeSqlite(path).dialect, log })
  const { ino } = statSync(path)
  const writes = trackWrites(log)
  const sqlite = nodeSqlite(path, writes.failed)
  const db = new Kysely<Tables>({ dialect: sqlite.dialect })
  // With a single connection, no other transaction runs meanwhile.
  const relaxedTransaction: Database['relaxedTransaction'] = (work) =>
    db.connection().execute(async (connection) => {
      sqlite.relaxed = true
      try {
        return await connection.transaction().execute(work)
      } finally {
        sqlite.relaxed = false
      }
    })

  async function pingSqlite(): Promise<void> {
    await ping(db)
    sqlite.checkDisk()
    // Writes to a deleted file succeed and are lost.
    const isSameFile = statSync(path, { throwIfNoEntry: false })?.ino === ino
    if (!isSameFile) throw storageUnavailable(new Error('The database file was removed or replaced'))
  }

  return {
    kind: 'sqlite',
    db,
    clock: sqliteClock,
    audit: createAudit({ kind: 'sqlite', db, clock: sqliteClock, operator }),
    relaxedTransaction,
    async transact(procedure, options) {
      const done = await sqlite.transact(procedure(), options?.relaxed ?? false)
      return done ? done.result : await transactSteps(db, relaxedTransaction, procedure, options)
    },
    readNow: sqlite.readNow,
    ping: pingSqlite,
    problem: () => problemOf(pingSqlite, writes),
    writes,
    probeSpace: () => probeFolder(dataDir),
    close: () => db.destroy(),
  }
}

function transactSteps<T>(
  db: Kysely<Tables>,
  relaxedTransaction: Database['relaxedTransaction'],
  procedure: () => Procedure<T>,
  options = { relaxed: false },
): Promise<T> {
  const work = (trx: Trx) => runSteps(trx, procedure())
  return options.relaxed ? relaxedTransaction(work) : db.transaction().execute(work)
}

async function ping(db: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(db)
}

async function problemOf(ping: () => Promise<void>, writes: Writes): Promise<string | null> {
  try {
    await ping()
    return writes.failure()
  } catch {
    return 'The database is not available.'
  }
}

const PROBE_ROWS = PROBE_BYTES / 1_024

/** Fills a new table, which takes new space, and rolls it back. */
async function probePostgres(db: Kysely<Tables>): Promise<void> {
  const table = sql.id(`write_check_${randomUUID()}`)
  const trx = await db.startTransaction().execute()
  try {
    await sql`create table ${table} (filler text)`.execute(trx)
    const filler = sql`select repeat(md5(random()::text), 32) from generate_series(1, ${sql.lit(PROBE_ROWS)})`
    await sql`insert into ${table} ${filler}`.execute(trx)
  } finally {
    await trx.rollback().execute()
  }
}
