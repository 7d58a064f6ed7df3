/** Opens the database that the configuration names, brought to its newest shape. */
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
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
  return {
    kind: databaseUrl ? 'postgres' : 'sqlite',
    db,
    clock,
    async ping() {
      await sql`select 1`.execute(db)
      if (!isSameFile()) throw storageUnavailable(new Error('The database file was removed or replaced'))
    },
    close: () => db.destroy(),
  }
}
