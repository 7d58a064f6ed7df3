/** A Kysely dialect over `node:sqlite` with one connection. */
import type { DatabaseSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { createConnection, createWalSync, openDatabaseFile } from './sqlite-connection.ts'

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
  /** While true, commits do not wait for the disk. */
  relaxed: boolean
  /** Throws after the disk has failed, until the next start. */
  checkDisk(): void
}

export function nodeSqlite(path: string): Sqlite {
  const wal = createWalSync(path)
  const sqlite: Sqlite = {
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => createDriver(path, () => (sqlite.relaxed ? Promise.resolve() : wal.sync()), wal.close),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    relaxed: false,
    checkDisk: wal.check,
  }
  return sqlite
}

function createDriver(path: string, afterCommit: () => Promise<void>, closeLog: () => Promise<void>): Driver {
  let db: DatabaseSync | undefined
  let connection: DatabaseConnection | undefined
  const run = async (on: DatabaseConnection, sql: string) => void (await on.executeQuery(CompiledQuery.raw(sql)))
  return {
    async init() {
      db = await openDatabaseFile(path)
      connection = createConnection(db, afterCommit)
    },
    async acquireConnection() {
      if (!connection) throw new Error('The database is closed')
      return connection
    },
    // Immediate: takes the write lock at the start, so that no other writer comes between a read and a write.
    beginTransaction: (on) => run(on, 'begin immediate'),
    commitTransaction: (on) => run(on, 'commit'),
    async rollbackTransaction(on) {
      // Some errors, such as a full disk, have rolled back already.
      if (db?.isTransaction) await run(on, 'rollback')
    },
    async releaseConnection() {},
    async destroy() {
      await closeLog()
      db?.close()
      connection = undefined
    },
  }
}
