/** Opens the database that the configuration names, brought to its newest shape. */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CompiledQuery, Kysely, sql, type Transaction } from 'kysely'
import { storageUnavailable } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { type Clock, postgresClock, sqliteClock } from './clock.ts'
import { migrate } from './migrate.ts'
import { nodeSqliteDialect } from './node-sqlite.ts'
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
const SQLITE_RELAXED = CompiledQuery.raw('pragma synchronous = normal')
const SQLITE_DURABLE = CompiledQuery.raw('pragma synchronous = full')

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

function passingOnSqlite<T>(db: Kysely<Tables>, work: Work<T>): Promise<T> {
  // There is one connection, so nobody else's transaction comes in between.
  return db.connection().execute(async (connection) => {
    await connection.executeQuery(SQLITE_RELAXED)
    try {
      return await connection.transaction().execute(work)
    } finally {
      await connection.executeQuery(SQLITE_DURABLE)
    }
  })
}

export interface DatabaseOptions {
  /** Null means SQLite in the data folder. */
  databaseUrl: string | null
  dataDir: string
  log: Log
}

export async function openDatabase({ databaseUrl, dataDir, log }: DatabaseOptions): Promise<Database> {
  const open = () => {
    if (databaseUrl) return { dialect: postgresDialect({ url: databaseUrl, log }), clock: postgresClock }
    return { dialect: nodeSqliteDialect(join(dataDir, SQLITE_FILE)), clock: sqliteClock }
  }
  // Only the owner may read the data: it holds addresses of people.
  if (!databaseUrl) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const applied = await migrate(
    databaseUrl ? postgresDialect({ url: databaseUrl, log, patient: true }) : open().dialect,
  )
  if (applied.length > 0) log.info({ applied }, 'Database migrated')

  const isSameFile = databaseUrl ? () => true : watchFile(join(dataDir, SQLITE_FILE))
  const { dialect, clock } = open()
  const db = new Kysely<Tables>({ dialect })
  const kind = databaseUrl ? 'postgres' : 'sqlite'
  return {
    kind,
    db,
    clock,
    passing: kind === 'postgres' ? (work) => passingOnPostgres(db, work) : (work) => passingOnSqlite(db, work),
    async ping() {
      await sql`select 1`.execute(db)
      if (!isSameFile()) throw storageUnavailable(new Error('The database file was removed or replaced'))
    },
    close: () => db.destroy(),
  }
}
