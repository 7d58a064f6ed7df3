/** Kysely over Node's own SQLite. One connection; neither a lock of another process nor the disk stops our event loop. */
import { type FileHandle, open as openFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { storageUnavailable } from '#base/errors.ts'

/** How long a writer of another process may hold the lock before our requests are refused. */
export const BUSY_WAIT_MS = 5_000
const BUSY_PAUSE_MS = 3
/** A lock that nobody ran into for this long is another one. */
const BUSY_FORGOTTEN_MS = 1_000
/** Statements kept compiled. Ours are few; batches differ only in their length. */
const STATEMENTS_MAX = 500

const BUSY = 5
/** SQLite's primary result codes for a database that cannot be used now: locked, memory, read-only, I/O, corrupt, full, cannot open. */
const UNAVAILABLE = new Set([BUSY, 6, 7, 8, 10, 11, 13, 14])

const primaryCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0

async function open(path: string): Promise<DatabaseSync> {
  const giveUpAt = Date.now() + BUSY_WAIT_MS
  for (;;) {
    try {
      return openNow(path)
    } catch (error) {
      if (!UNAVAILABLE.has(primaryCode(error))) throw error
      // Switching to WAL is refused without waiting when another process does the same.
      if (primaryCode(error) !== BUSY || Date.now() > giveUpAt) throw storageUnavailable(error)
      await sleep(BUSY_PAUSE_MS)
    }
  }
}

function openNow(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_WAIT_MS })
  try {
    // Normal, because SQLite's own waiting for the disk would stop the event loop: see `createDisk`.
    db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on')
    // From here on we wait ourselves: SQLite's own waiting would stop the event loop.
    db.exec('pragma busy_timeout = 0')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

interface Prepared {
  statement: StatementSync
  givesRows: boolean
}

const READ = /^select/i

/** Measured from the first refusal, not per query: a queue behind a stuck lock fails together, not one by one. */
function watchLock() {
  let heldSince: number | undefined
  let refusedAt = 0
  return {
    free() {
      heldSince = undefined
    },
    heldTooLong(): boolean {
      const nowMs = Date.now()
      if (heldSince === undefined || nowMs - refusedAt > BUSY_FORGOTTEN_MS) heldSince = nowMs
      refusedAt = nowMs
      return nowMs - heldSince > BUSY_WAIT_MS
    },
  }
}

/** A commit is a line in the log that lies beside the database file; it outlives a power failure once that is on the disk. */
function createDisk(path: string) {
  let log: FileHandle | undefined
  /** After one failure the system may have dropped what it could not write: a later success would mean nothing. */
  let failed: unknown

  async function openLog(): Promise<FileHandle> {
    // The log is new when a database is opened; without its folder's entry nobody would find it again.
    if (process.platform !== 'win32') {
      await using folder = await openFile(dirname(path))
      await folder.sync()
    }
    return await openFile(`${path}-wal`, 'r+')
  }

  function check(): void {
    if (failed !== undefined) throw storageUnavailable(failed)
  }

  return {
    check,
    /** Resolves when everything committed so far is there to stay. */
    async reached(): Promise<void> {
      check()
      try {
        log ??= await openLog()
        await log.datasync()
      } catch (error) {
        failed = error
        check()
      }
    },
    async close(): Promise<void> {
      await log?.close()
    },
  }
}

interface Durability {
  /** While true, a commit is not waited for until it is on the disk. */
  relaxed: boolean
  /** Throws when the disk has failed: until a new start, nothing more is promised. */
  checkDisk(): void
}

function createConnection(db: DatabaseSync, isKept: () => Promise<void>): DatabaseConnection {
  const statements = new Map<string, Prepared>()
  const lock = watchLock()

  function prepare(sql: string): Prepared {
    let prepared = statements.get(sql)
    if (!prepared) {
      if (statements.size >= STATEMENTS_MAX) statements.clear()
      const statement = db.prepare(sql)
      prepared = { statement, givesRows: statement.columns().length > 0 }
      statements.set(sql, prepared)
    }
    return prepared
  }

  function execute<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const { statement, givesRows } = prepare(sql)
    const values = parameters as SQLInputValue[]
    if (givesRows) return { rows: statement.all(...values) as Row[] }
    const { changes } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  /** Null when the lock is held elsewhere and waiting may help. */
  function attempt<Row>(query: CompiledQuery): QueryResult<Row> | null {
    try {
      const result = execute<Row>(query)
      // A read needs no lock, so its success says nothing about the lock.
      if (!READ.test(query.sql)) lock.free()
      return result
    } catch (error) {
      const code = primaryCode(error)
      if (code === BUSY && !lock.heldTooLong()) return null
      throw UNAVAILABLE.has(code) ? storageUnavailable(error) : error
    }
  }

  async function executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    for (;;) {
      const result = attempt<Row>(query)
      if (result) {
        if (!READ.test(query.sql) && !db.isTransaction) await isKept()
        return result
      }
      await sleep(BUSY_PAUSE_MS)
    }
  }

  return {
    executeQuery,
    // biome-ignore lint/correctness/useYield: the interface wants a generator; nothing of ours streams rows.
    async *streamQuery() {
      throw new Error('Streaming is not supported')
    },
  }
}

const adapter: DialectAdapter = {
  supportsCreateIfNotExists: true,
  supportsMultipleConnections: false,
  supportsOutput: false,
  supportsReturning: true,
  // True, so that a migration runs inside `begin immediate`: that is the lock which keeps two processes apart.
  supportsTransactionalDdl: true,
  acquireMigrationLock: async () => {},
  releaseMigrationLock: async () => {},
}

function createDriver(path: string, durability: Durability): Driver {
  const disk = createDisk(path)
  durability.checkDisk = disk.check
  let db: DatabaseSync | undefined
  let connection: DatabaseConnection | undefined
  const run = (on: DatabaseConnection, sql: string) => on.executeQuery(CompiledQuery.raw(sql))
  return {
    async init() {
      db = await open(path)
      connection = createConnection(db, async () => {
        if (!durability.relaxed) await disk.reached()
      })
    },
    async acquireConnection() {
      if (!connection) throw new Error('The database is closed')
      return connection
    },
    async beginTransaction(on) {
      // Immediate: the write lock is taken at the start, so that reading and then writing cannot be overtaken.
      await run(on, 'begin immediate')
    },
    async commitTransaction(on) {
      await run(on, 'commit')
    },
    async rollbackTransaction(on) {
      // A full disk and the like have rolled it back already; the error that matters is the one on its way.
      if (db?.isTransaction) await run(on, 'rollback')
    },
    async releaseConnection() {},
    async destroy() {
      await disk.close()
      db?.close()
      connection = undefined
    },
  }
}

export interface Sqlite extends Durability {
  dialect: Dialect
}

export function nodeSqlite(path: string): Sqlite {
  const sqlite: Sqlite = {
    relaxed: false,
    checkDisk() {},
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => createDriver(path, sqlite),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }
  return sqlite
}
