/** A Kysely dialect over `node:sqlite` with one connection. */
import type { DatabaseSync } from 'node:sqlite'
import { type Dialect, type DialectAdapter, type Driver, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { Procedure } from './prepared.ts'
import {
  BEGIN,
  COMMIT,
  type ConnectionListeners,
  createConnection,
  createWalSync,
  openDatabaseFile,
  ROLLBACK,
  type SqliteConnection,
} from './sqlite-connection.ts'

const adapter: DialectAdapter = {
  supportsCreateIfNotExists: true,
  supportsMultipleConnections: false,
  supportsOutput: false,
  supportsReturning: true,
  // Migrations run inside `begin immediate`, which is the lock between processes.
  supportsTransactionalDdl: true,
  acquireMigrationLock: async () => {},
  releaseMigrationLock: async () => {},
}

interface Sqlite {
  dialect: Dialect
  /** While true, commits of Kysely do not wait for the disk. */
  relaxed: boolean
  /**
   * Runs a procedure at once in one transaction, and resolves when it is durable, unless it is relaxed. Null if only a
   * transaction of Kysely can run it.
   */
  transact<Result>(procedure: Procedure<Result>, relaxed: boolean): Promise<{ result: Result } | null>
  /** See `SqliteConnection`. */
  readNow: SqliteConnection['readNow']
  /** Throws after the disk has failed, until the next start. */
  checkDisk(): void
}

export function nodeSqlite(path: string, onWriteFailure: (error: unknown) => void = () => {}): Sqlite {
  const wal = createWalSync(path)
  const opened: Opened = { db: undefined, connection: undefined }
  const sqlite: Sqlite = {
    dialect: {
      createAdapter: () => adapter,
      createDriver: () =>
        createDriver(path, opened, wal.close, {
          afterCommit: () => (sqlite.relaxed ? Promise.resolve() : wal.sync()),
          onWriteFailure,
        }),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    relaxed: false,
    async transact(procedure, relaxed) {
      const done = opened.connection?.transactNow(procedure) ?? null
      if (done && !relaxed) await wal.sync()
      return done
    },
    readNow: (query) => opened.connection?.readNow(query) ?? null,
    checkDisk: wal.check,
  }
  return sqlite
}

interface Opened {
  db: DatabaseSync | undefined
  connection: SqliteConnection | undefined
}

function createDriver(
  path: string,
  opened: Opened,
  closeLog: () => Promise<void>,
  listeners: ConnectionListeners,
): Driver {
  return {
    async init() {
      opened.db = await openDatabaseFile(path)
      opened.connection = createConnection(opened.db, listeners)
    },
    async acquireConnection() {
      if (!opened.connection) throw new Error('The database is closed')
      return opened.connection
    },
    beginTransaction: async (on) => void (await on.executeQuery(BEGIN)),
    commitTransaction: async (on) => void (await on.executeQuery(COMMIT)),
    async rollbackTransaction(on) {
      // Some errors, such as a full disk, have rolled back already.
      if (opened.db?.isTransaction) await on.executeQuery(ROLLBACK)
    },
    async releaseConnection() {},
    async destroy() {
      await closeLog()
      opened.db?.close()
      opened.connection = undefined
    },
  }
}
