/** PostgreSQL through a pool that survives its server: a lost connection is a refusal, never a crash. */
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { AppError, storageUnavailable } from '#base/errors.ts'
import type { Log } from '#base/log.ts'

const POOL_SIZE = 10
const CONNECT_TIMEOUT_MS = 2_000
/** Ours are single-row statements. A server that does not answer in this time counts as away. */
const QUERY_TIMEOUT_MS = 2_500
/** A replica that froze inside a transaction must not hold its locks for long. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000

const INT8_OID = 20
/** SQLSTATE classes of a server that cannot serve now: connection, conflict, resources, shutdown or cancelled, system. */
const UNAVAILABLE_CLASSES = new Set(['08', '40', '53', '57', '58'])
/** A standby after a failover accepts no writes. */
const READ_ONLY = '25006'

function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    return error.code === READ_ONLY || UNAVAILABLE_CLASSES.has(error.code?.slice(0, 2) ?? '08')
  }
  // What is not the server's word is the connection's, unless it is our own mistake.
  return !(error instanceof TypeError)
}

/** Wrong password or role, no such database: waiting does not help. */
const HOPELESS_CLASSES = new Set(['28', '3D'])
export const isHopeless = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && HOPELESS_CLASSES.has(error.code?.slice(0, 2) ?? '')

/** Counters are far below 2^53, so an int8 is a number here as it is in SQLite. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

function guard(client: pg.PoolClient): PostgresPoolClient {
  let broken = false
  return {
    query: (async (sql: string, parameters?: unknown[]) => {
      // So that the rollback of a transaction whose connection is lost does not wait for it once more.
      if (broken) throw storageUnavailable(new Error('The connection was lost'))
      try {
        return await client.query(sql, parameters)
      } catch (error) {
        if (!isUnavailable(error)) throw error
        // After a time-out the answer may still arrive: such a connection can't be used again.
        broken ||= !(error instanceof pg.DatabaseError)
        throw storageUnavailable(error)
      }
    }) as unknown as PostgresPoolClient['query'],
    release: (discard?: boolean) => {
      client.release(Boolean(discard) || broken)
    },
  }
}

export interface PostgresOptions {
  url: string
  log: Log
  /** Migrations wait for each other and may take long; requests may not. */
  patient?: boolean
}

export function postgresDialect({ url, log, patient = false }: PostgresOptions): Dialect {
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
  // Both listeners are needed, or a restart of the server ends our process: the pool's for idle connections, the
  // client's for one that breaks between two statements of a transaction.
  pool.on('error', (error) => log.warn({ err: error }, 'An idle PostgreSQL connection was lost'))
  pool.on('connect', (client) => {
    client.on('error', (error: Error) => log.warn({ err: error }, 'A PostgreSQL connection was lost'))
  })

  const guarded = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return new PostgresDialect({
    pool: {
      async connect() {
        try {
          const client = await pool.connect()
          const wrapped = guarded.get(client) ?? guard(client)
          guarded.set(client, wrapped)
          return wrapped
        } catch (error) {
          throw error instanceof AppError ? error : storageUnavailable(error)
        }
      },
      end: () => pool.end(),
      options: pool.options,
    },
  })
}
