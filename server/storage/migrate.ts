/** Applies pending migrations. Several processes may do so at once. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Dialect, Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Log } from '#base/log.ts'

const FOLDER = join(import.meta.dirname, 'migrations')

function readMigration(file: string): Migration {
  // SQLite executes one statement at a time.
  const statements = readFileSync(join(FOLDER, file), 'utf8').trim().split(/;\n/)
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  }
}

/** `0001-name.sql` is for both databases; `0001-name.sqlite.sql` and `0001-name.postgres.sql` are one migration. */
const FILE = /^(?<name>[\w-]+)(?:\.(?<only>sqlite|postgres))?\.sql$/

function migrationsFor(kind: MigrateOptions['kind']): Record<string, Migration> {
  const migrations: Record<string, Migration> = {}
  for (const file of readdirSync(FOLDER)) {
    const { name = file, only = kind } = FILE.exec(file)?.groups ?? {}
    if (only === kind) migrations[name] = readMigration(file)
  }
  return migrations
}

export const migrationNames = (kind: MigrateOptions['kind']): string[] => Object.keys(migrationsFor(kind))

/**
 * Recorded as a migration of a SQLite database after its move to PostgreSQL: versions that know nothing of moves refuse
 * migrations that they do not know.
 */
export const MOVED = 'moved-to-postgresql'
export const MOVED_REASON =
  'it was moved to PostgreSQL: set DOCVET_DATABASE_URL as docs/upgrading.md says, or go back with the backup from before the move'

interface MigrateOptions {
  kind: 'sqlite' | 'postgres'
  dialect: Dialect
  log: Log
  /** The last migration to apply; all of them by default. */
  upTo?: string
}

export async function migrate({ kind, dialect, log, upTo }: MigrateOptions): Promise<void> {
  const db = new Kysely<unknown>({ dialect })
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrationsFor(kind) } })
    const { error, results } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo))
    if (String(error).includes(MOVED)) throw new Error(`The SQLite database is sealed, because ${MOVED_REASON}.`)
    if (error) throw error
    const applied = (results ?? []).map((result) => result.migrationName)
    if (applied.length > 0) log.info({ applied }, 'Database migrated')
  } finally {
    await db.destroy()
  }
}
