/** Runs queries on `node:sqlite` without blocking the event loop: it waits for locks and the disk asynchronously. */
import { type FileHandle, open as openFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import { storageUnavailable } from '#base/errors.ts'
import type { Procedure } from './prepared.ts'

/** How long a writer of another process may hold the lock before requests are refused. */
export const BUSY_WAIT_MS = 5_000
const BUSY_PAUSE_MS = 3
/** After this time without a refusal, a refusal is about another lock. */
const BUSY_FORGOTTEN_MS = 1_000
const STATEMENTS_MAX = 500

const BUSY = 5
/** Primary result codes: busy, locked, no memory, read-only, I/O error, corrupt, full, cannot open. */
const UNAVAILABLE = new Set([BUSY, 6, 7, 8, 10, 11, 13, 14])
/** Of these: read-only, I/O error, corrupt, full, cannot open. */
const WRITE_FAILURES = new Set([8, 10, 11, 13, 14])
const READ = /^select/i

/** Immediate: takes the write lock at the start, so that no other writer comes between a read and a write. */
export const BEGIN = CompiledQuery.raw('begin immediate')
export const COMMIT = CompiledQuery.raw('commit')
export const ROLLBACK = CompiledQuery.raw('rollback')

const primaryCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0

export async function openDatabaseFile(path: string): Promise<DatabaseSync> {
  const giveUpAt = Date.now() + BUSY_WAIT_MS
  for (;;) {
    try {
      return openNow(path)
    } catch (error) {
      if (!UNAVAILABLE.has(primaryCode(error))) throw error
      // SQLite refuses the switch to WAL at once when another process does the same.
      if (primaryCode(error) !== BUSY || Date.now() > giveUpAt) throw storageUnavailable(error)
      await sleep(BUSY_PAUSE_MS)
    }
  }
}

function openNow(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: BUSY_WAIT_MS })
  try {
    // `synchronous = full` would block the event loop: `createWalSync` waits for the disk instead.
    db.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on')
    // Deleted rows contain e-mail addresses and names of documents.
    db.exec('pragma secure_delete = on')
    // So would SQLite's own busy timeout.
    db.exec('pragma busy_timeout = 0')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Makes commits durable: a commit survives a power failure once the write-ahead log is on the disk. */
export function createWalSync(path: string) {
  let log: Promise<FileHandle> | undefined
  /** After a failure the system may have dropped unwritten data, so that a later success means nothing. */
  let failed: unknown

  async function openLog(): Promise<FileHandle> {
    // The log is created with the connection, and its directory entry must be durable too.
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
    /** Throws after a failure, until the next start. */
    check,
    /** Resolves when all commits so far are durable. */
    async sync(): Promise<void> {
      check()
      try {
        log ??= openLog()
        await (await log).datasync()
      } catch (error) {
        failed = error
        check()
      }
    },
    async close(): Promise<void> {
      await (await log)?.close()
    },
  }
}

/** Measured from the first refusal, so that queries that queue behind a stuck lock fail together. */
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

function createStatementCache(db: DatabaseSync) {
  const statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>()
  return (sql: string) => {
    const cached = statements.get(sql)
    if (cached) return cached
    if (statements.size >= STATEMENTS_MAX) statements.clear()
    const statement = db.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    statements.set(sql, prepared)
    return prepared
  }
}

export interface SqliteConnection extends DatabaseConnection {
  /** The rows of a query that only reads, or null: a transaction is open, or another process holds the lock. */
  readNow<Row>(query: CompiledQuery<Row>): Row[] | null
  /**
   * Runs a procedure in one transaction before it returns, or undoes it and returns null: another transaction is open,
   * another process holds the lock, or a step is asynchronous. The commit is not durable yet.
   */
  transactNow<Result>(procedure: Procedure<Result>): { result: Result } | null
}

export interface ConnectionListeners {
  /** Awaited after each write outside a transaction, and after each commit. */
  afterCommit(): Promise<void>
  onWriteFailure(error: unknown): void
}

export function createConnection(
  db: DatabaseSync,
  { afterCommit, onWriteFailure }: ConnectionListeners,
): SqliteConnection {
  const prepare = createStatementCache(db)
  const lock = watchLock()

  function execute<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const { statement, returnsRows } = prepare(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) return { rows: statement.all(...values) as Row[] }
    const { changes } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  /** Null when another process holds the lock and a retry may succeed. */
  function attempt<Row>(query: CompiledQuery): QueryResult<Row> | null {
    try {
      const result = execute<Row>(query)
      // A read needs no lock.
      if (!READ.test(query.sql)) lock.free()
      return result
    } catch (error) {
      const code = primaryCode(error)
      if (code === BUSY && !lock.heldTooLong()) return null
      if (WRITE_FAILURES.has(code)) onWriteFailure(error)
      throw UNAVAILABLE.has(code) ? storageUnavailable(error) : error
    }
  }

  /** Inside a transaction, which has the lock. */
  function require<Row>(query: CompiledQuery): Row[] {
    const result = attempt<Row>(query)
    if (!result) throw storageUnavailable(new Error('The lock of a transaction was lost'))
    return result.rows
  }

  function undo(): void {
    // Some errors, such as a full disk, have rolled back already.
    if (db.isTransaction) require(ROLLBACK)
  }

  return {
    readNow: <Row>(query: CompiledQuery<Row>) => (db.isTransaction ? null : (attempt<Row>(query)?.rows ?? null)),

    transactNow<Result>(procedure: Procedure<Result>) {
      if (db.isTransaction || !attempt(BEGIN)) return null
      try {
        let next = procedure.next()
        while (!next.done) {
          if (typeof next.value === 'function') {
            undo()
            return null
          }
          next = procedure.next(require(next.value))
        }
        require(COMMIT)
        return { result: next.value }
      } catch (error) {
        undo()
        throw error
      }
    },

    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      for (;;) {
        const result = attempt<Row>(query)
        if (result) {
          if (!READ.test(query.sql) && !db.isTransaction) await afterCommit()
          return result
        }
        await sleep(BUSY_PAUSE_MS)
      }
    },
    // biome-ignore lint/correctness/useYield: Kysely requires a generator, and we do not stream rows.
    async *streamQuery() {
      throw new Error('Streaming is not supported')
    },
  }
}
