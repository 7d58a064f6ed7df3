/** A Kysely dialect for PostgreSQL whose lost connections become refusals instead of crashes. */
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { storageUnavailable } from '#base/errors.ts'
import type { Log } from '#base/log.ts'

const POOL_SIZE = 10
const CONNECT_TIMEOUT_MS = 2_000
/** For single-row statements: a slower server counts as unavailable. */
const QUERY_TIMEOUT_MS = 2_500
/** Bounds how long a frozen replica holds its locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000

const INT8_OID = 20
/** SQLSTATE classes: connection, transaction rollback, resources, operator intervention, system error. */
const UNAVAILABLE_CLASSES = new Set(['08', '40', '53', '57', '58'])
/** From a standby, after a failover. */
const READ_ONLY = '25006'
const DISK_FULL = '53100'
const SYSTEM_ERROR_CLASS = '58'

function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    return error.code === READ_ONLY || UNAVAILABLE_CLASSES.has(error.code?.slice(0, 2) ?? '08')
  }
  // Not from the server, so from the connection, unless it is a bug.
  return !(error instanceof TypeError)
}

/** A server that responds but cannot write: read-only, disk full, or system error. */
const isWriteFailure = ({ code = '' }: pg.DatabaseError): boolean =>
  code === READ_ONLY || code === DISK_FULL || code.startsWith(SYSTEM_ERROR_CLASS)

/** Wrong password or role, no such database: a retry does not help. */
const PERMANENT_CLASSES = new Set(['28', '3D'])
export const isPermanent = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && PERMANENT_CLASSES.has(error.code?.slice(0, 2) ?? '')

/** Counters are below 2^53, so that an int8 can be a number, as in SQLite. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

function guard(client: pg.PoolClient, onWriteFailure: (error: unknown) => void): PostgresPoolClient {
  let broken = false
  return {
    query: (async (sql: string, parameters?: unknown[]) => {
      // Otherwise the rollback after a lost connection would wait for another timeout.
      if (broken) throw storageUnavailable(new Error('The connection was lost'))
      try {
        return await client.query(sql, parameters)
      } catch (error) {
        if (!isUnavailable(error)) throw error
        // After a timeout the response may still arrive, so the connection cannot be reused.
        broken ||= !(error instanceof pg.DatabaseError)
        if (error instanceof pg.DatabaseError && isWriteFailure(error)) onWriteFailure(error)
        throw storageUnavailable(error)
      }
    }) as unknown as PostgresPoolClient['query'],
    release: (discard?: boolean) => {
      client.release(Boolean(discard) || broken)
    },
  }
}

interface PostgresOptions {
  url: string
  log: Log
  /** Without timeouts, for migrations that wait for each other. */
  patient?: boolean
  onWriteFailure?: (error: unknown) => void
}

export function openPostgresPool({ url, log, patient = false, onWriteFailure = () => {} }: PostgresOptions): {
  dialect: Dialect
  /** Connections by state, and requests that wait for one. */
  pool(): Record<'idle' | 'used' | 'waiting', number>
} {
  const timeouts = patient
    ? { max: 2 }
    : {
        max: POOL_SIZE,
        query_timeout: QUERY_TIMEOUT_MS,
        statement_timeout: QUERY_TIMEOUT_MS,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      }
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'docvet',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types,
    ...timeouts,
  })
  // Without both listeners a server restart would end the process: the pool's is for idle connections, the client's
  // for one that breaks inside a transaction.
  pool.on('error', (error) => log.warn({ err: error }, 'Idle PostgreSQL connection lost'))
  pool.on('connect', (client) => {
    client.on('error', (error: Error) => log.warn({ err: error }, 'PostgreSQL connection lost'))
  })

  const dialect = new PostgresDialect({
    pool: {
      async connect() {
        try {
          return guard(await pool.connect(), onWriteFailure)
        } catch (error) {
          throw storageUnavailable(error)
        }
      },
      end: () => pool.end(),
      options: pool.options,
    },
  })
  return {
    dialect,
    pool: () => ({
      idle: pool.idleCount,
      used: pool.totalCount - pool.idleCount,
      waiting: pool.waitingCount,
    }),
  }
}
