/** Opens the database that the configuration names, brought to its newest shape. */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, sql, type Transaction } from 'kysely'
import { storageUnavailable } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { type Clock, postgresClock, sqliteClock } from './clock.ts'
import { migrate } from './migrate.ts'
import { nodeSqlite, type Sqlite } from './node-sqlite.ts'
import { postgresDialect } from './postgres.ts'
import type { Tables } from './tables.ts'

export interface Database {
  kind: 'sqlite' | 'postgres'
  db: Kysely<Tables>
  clock: Clock
  /**
   * A transaction that is safe from the end of this process, but not from a power failure right after it. For what
   * would be given back after such a failure anyway: it does not wait for the disk.
   */
  passing<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>
  /** Resolves when the database answers, rejects with `storage_unavailable` when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

const SQLITE_FILE = 'docvet.sqlite'

/** Whether the path still leads to the file that was opened: into one that is gone, everything can be written and nothing kept. */
function watchFile(path: string): () => boolean {
  const { ino } = statSync(path)
  return () => statSync(path, { throwIfNoEntry: false })?.ino === ino
}

type Work<T> = (trx: Transaction<Tables>) => Promise<T>

function passingOnPostgres<T>(db: Kysely<Tables>, work: Work<T>): Promise<T> {
  return db.transaction().execute(async (trx) => {
    await sql`set local synchronous_commit to off`.execute(trx)
    return await work(trx)
  })
}

function passingOnSqlite<T>(sqlite: Sqlite, db: Kysely<Tables>, work: Work<T>): Promise<T> {
  // There is one connection, so nobody else's transaction comes in between.
  return db.connection().execute(async (connection) => {
    sqlite.relaxed = true
    try {
      return await connection.transaction().execute(work)
    } finally {
      sqlite.relaxed = false
    }
  })
}

export interface DatabaseOptions {
  /** Null means SQLite in the data folder. */
  databaseUrl: string | null
  dataDir: string
  log: Log
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, dataDir, log } = options
  return databaseUrl ? await openPostgres(databaseUrl, log) : await openSqlite(dataDir, log)
}

async function openPostgres(url: string, log: Log): Promise<Database> {
  report(await migrate(postgresDialect({ url, log, patient: true })), log)
  const db = new Kysely<Tables>({ dialect: postgresDialect({ url, log }) })
  return {
    kind: 'postgres',
    db,
    clock: postgresClock,
    passing: (work) => passingOnPostgres(db, work),
    ping: () => ping(db),
    close: () => db.destroy(),
  }
}

async function openSqlite(dataDir: string, log: Log): Promise<Database> {
  const path = join(dataDir, SQLITE_FILE)
  // Only the owner may read the data: it holds addresses of people.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  report(await migrate(nodeSqlite(path).dialect), log)
  const isSameFile = watchFile(path)
  const sqlite = nodeSqlite(path)
  const db = new Kysely<Tables>({ dialect: sqlite.dialect })
  return {
    kind: 'sqlite',
    db,
    clock: sqliteClock,
    passing: (work) => passingOnSqlite(sqlite, db, work),
    async ping() {
      await ping(db)
      sqlite.checkDisk()
      if (!isSameFile()) throw storageUnavailable(new Error('The database file was removed or replaced'))
    },
    close: () => db.destroy(),
  }
}

function report(applied: readonly string[], log: Log): void {
  if (applied.length > 0) log.info({ applied }, 'Database migrated')
}

async function ping(db: Kysely<Tables>): Promise<void> {
  await sql`select 1`.execute(db)
}
