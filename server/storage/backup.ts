/** Online backup of the SQLite database, and its restoration while no process uses it. */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { MOVED, MOVED_REASON, migrationNames } from './migrate.ts'

/** The copy has all commits up to its end. Other processes may read and write meanwhile. */
export async function backUp(databaseFile: string, to: string): Promise<void> {
  if (existsSync(to)) throw new Error(`${to} exists already`)
  if (!existsSync(dirname(to))) throw new Error(`The folder ${dirname(to)} does not exist`)
  if (!existsSync(databaseFile)) throw new Error(`${databaseFile} does not exist`)
  const unfinished = `${to}.unfinished`
  const source = new DatabaseSync(databaseFile, { readOnly: true })
  try {
    if (isMoved(source))
      throw new Error(
        `${databaseFile} is sealed, because its content was moved to PostgreSQL. Set DOCVET_DATABASE_URL, and back that database up with pg_dump.`,
      )
    await backup(source, unfinished)
    check(unfinished)
    renameSync(unfinished, to)
  } finally {
    source.close()
    removeDatabase(unfinished)
  }
}

/** Replaces the database by a backup. Returns the path under which the replaced one is kept, or null. */
export function restore(databaseFile: string, from: string): string | null {
  check(from)
  mkdirSync(dirname(databaseFile), { recursive: true, mode: 0o700 })
  const unfinished = join(dirname(databaseFile), `${basename(databaseFile)}.restoring`)
  const kept = `${databaseFile}.before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`
  try {
    copyFileSync(from, unfinished)
    const hasOld = existsSync(databaseFile)
    if (hasOld) openExclusively(databaseFile).close()
    if (hasOld) renameSync(databaseFile, kept)
    renameSync(unfinished, databaseFile)
    return hasOld ? kept : null
  } finally {
    removeDatabase(unfinished)
  }
}

/** No other process can use the database until it is closed. */
export function openExclusively(databaseFile: string): DatabaseSync {
  const db = new DatabaseSync(databaseFile)
  try {
    // Leaving write-ahead logging fails while any other process has the database open.
    db.exec('pragma journal_mode = delete; begin exclusive')
    return db
  } catch (error) {
    db.close()
    throw new Error('The database is in use. Stop the service first.', { cause: error })
  }
}

const isMoved = (db: DatabaseSync): boolean =>
  db.prepare('select 1 from kysely_migration where name = ?').get(MOVED) !== undefined

/** Throws unless the file is an intact database of this version of the service or an older one. */
function check(file: string): void {
  if (!existsSync(file)) throw new Error(`${file} does not exist`)
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    const intact = db.prepare('pragma integrity_check').all()
    if (intact.length !== 1 || intact[0]?.integrity_check !== 'ok') throw new Error('the integrity check failed')
    const applied = db.prepare('select name from kysely_migration').all()
    const known = migrationNames('sqlite')
    const unknown = applied.find(({ name }) => !known.includes(String(name)))
    if (unknown?.name === MOVED) throw new Error(`it is sealed, because ${MOVED_REASON}`)
    if (unknown) throw new Error(`it is from a newer version: ${unknown.name} is unknown`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${file} is not a usable backup: ${reason}`, { cause: error })
  } finally {
    db.close()
  }
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
}
