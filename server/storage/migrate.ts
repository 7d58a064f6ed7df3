/** Applies pending migrations. Several processes may do so at once. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
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

async function getMigrations(): Promise<Record<string, Migration>> {
  return Object.fromEntries(readdirSync(FOLDER).map((file) => [parse(file).name, readMigration(file)]))
}

export async function migrate(dialect: Dialect, log: Log): Promise<void> {
  const db = new Kysely<unknown>({ dialect })
  try {
    const { error, results } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest()
    if (error) throw error
    const applied = (results ?? []).map((result) => result.migrationName)
    if (applied.length > 0) log.info({ applied }, 'Database migrated')
  } finally {
    await db.destroy()
  }
}
