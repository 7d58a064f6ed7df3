/** Copies a SQLite database that no process uses to an empty PostgreSQL database, and compares both. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { Kysely, sql, type Transaction } from 'kysely'
import type { Log } from '#base/log.ts'
import { openExclusively } from './backup.ts'
import { type Database, openDatabase, SQLITE_FILE } from './database.ts'
import { MOVED } from './migrate.ts'
import { openPostgresPool } from './postgres.ts'

/** PostgreSQL allows 65,535 parameters in a statement. */
const ROWS_PER_STATEMENT = 500

interface Table {
  name: string
  columns: string[]
  primaryKey: string[]
}

type Row = Record<string, SQLInputValue>

interface MovedTable {
  table: string
  rows: number
  /** Independent of the order of rows. */
  checksum: string
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** Referenced tables come before those that reference them. */
function readTables(db: DatabaseSync): Table[] {
  const found = db
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'",
    )
    .all()
  const names = found.map(({ name }) => String(name)).sort()
  const references = (name: string) =>
    db
      .prepare('select "table" as target from pragma_foreign_key_list(?)')
      .all(name)
      .map(({ target }) => String(target))
  const ordered = new Set<string>()
  const add = (name: string): void => {
    if (ordered.has(name)) return
    for (const target of references(name)) if (target !== name) add(target)
    ordered.add(name)
  }
  for (const name of names) add(name)
  return [...ordered].map((name) => {
    const columns = db.prepare('select name, pk from pragma_table_info(?)').all(name)
    const keys = columns.filter(({ pk }) => Number(pk) > 0).sort((one, other) => Number(one.pk) - Number(other.pk))
    const textOf = (all: typeof columns) => all.map((column) => String(column.name))
    return { name, columns: textOf(columns), primaryKey: textOf(keys) }
  })
}

type ReadPage = (table: Table, after: Row | null) => Promise<Row[]>

/** Pages by primary key, because a table may be larger than memory. */
async function* pages(table: Table, readPage: ReadPage): AsyncGenerator<Row[]> {
  for (let last: Row | null = null; ; ) {
    const page: Row[] = await readPage(table, last)
    if (page.length > 0) yield page
    if (page.length < ROWS_PER_STATEMENT) return
    last = page.at(-1) ?? null
  }
}

function pageQuery(
  { name, columns, primaryKey }: Table,
  hasStart: boolean,
  parameter: (index: number) => string,
): string {
  const keys = quoted(primaryKey)
  const start = hasStart ? ` where (${keys}) > (${primaryKey.map((_, index) => parameter(index)).join(', ')})` : ''
  return `select ${quoted(columns)} from "${name}"${start} order by ${keys} limit ${ROWS_PER_STATEMENT}`
}

const startOf = ({ primaryKey }: Table, after: Row | null): SQLInputValue[] =>
  after ? primaryKey.map((column) => after[column] ?? null) : []

const fromSqlite =
  (db: DatabaseSync): ReadPage =>
  async (table, after) =>
    db.prepare(pageQuery(table, after !== null, () => '?')).all(...startOf(table, after)) as Row[]

function fromPostgres(db: Kysely<unknown>): ReadPage {
  return async (table, after) => {
    const [head = '', ...rest] = pageQuery(table, after !== null, () => '\0').split('\0')
    const values = startOf(table, after)
    const parts = rest.flatMap((text, index) => [sql`${values[index]}`, sql.raw(text)])
    return (await sql<Row>`${sql.join([sql.raw(head), ...parts], sql.raw(''))}`.execute(db)).rows
  }
}

/** The sum of the hashes of all rows. */
async function summarise(
  table: Table,
  readPage: ReadPage,
  onPage?: (page: Row[]) => Promise<void>,
): Promise<MovedTable> {
  let rows = 0
  let sum = 0n
  for await (const page of pages(table, readPage)) {
    await onPage?.(page)
    for (const row of page) {
      const text = JSON.stringify(table.columns.map((column) => row[column]))
      sum += BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    }
    rows += page.length
  }
  return { table: table.name, rows, checksum: BigInt.asUintN(256, sum).toString(16).padStart(64, '0') }
}

async function insert(trx: Transaction<unknown>, { name, columns }: Table, page: readonly Row[]): Promise<void> {
  const rows = page.map((row) => sql`(${sql.join(columns.map((column) => sql`${row[column]}`))})`)
  await sql`insert into ${sql.table(name)} (${sql.raw(quoted(columns))}) values ${sql.join(rows)}`.execute(trx)
}

/** Rows that a migration inserts into an empty database. */
const PREPARED = ['audit_head']

/** Written before the target commits, so that a disk that is full is found in time, and committed after it. */
function seal(source: DatabaseSync): void {
  source.prepare('insert into kysely_migration (name, timestamp) values (?, ?)').run(MOVED, new Date().toISOString())
}

/** `target` has no timeouts. Everything happens in one transaction, so that a failure leaves it empty. */
async function copyDatabase(sqliteFile: string, target: Kysely<unknown>): Promise<MovedTable[]> {
  const source = openExclusively(sqliteFile)
  try {
    const tables = readTables(source)
    const done = await target.transaction().execute(async (trx) => {
      const moved: MovedTable[] = []
      for (const table of tables) {
        if (PREPARED.includes(table.name)) await sql`delete from ${sql.table(table.name)}`.execute(trx)
        const existing = await sql`select 1 from ${sql.table(table.name)} limit 1`.execute(trx)
        if (existing.rows.length > 0) throw new Error(`The table ${table.name} of the target is not empty.`)
        const read = await summarise(table, fromSqlite(source), (page) => insert(trx, table, page))
        const written = await summarise(table, fromPostgres(trx))
        if (read.rows !== written.rows || read.checksum !== written.checksum)
          throw new Error(`The table ${table.name} differs after the move: ${read.rows} and ${written.rows} rows.`)
        moved.push(written)
      }
      seal(source)
      return moved
    })
    source.exec('commit')
    return done
  } finally {
    source.close()
  }
}

/** Other encodings lack characters, and compare and sort text differently. */
async function requireUtf8(target: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`.execute(
    target,
  )
  const encoding = rows[0]?.encoding
  if (encoding === 'UTF8') return
  throw new Error(`The encoding of the target is ${encoding}. Create the database with the encoding UTF8.`)
}

interface MoveOptions {
  dataDir: string
  databaseUrl: string
  /** For the audit log. */
  operator: string
  log: Log
}

/** Both are migrated to this version first. */
export async function moveToPostgres({ dataDir, databaseUrl, operator, log }: MoveOptions): Promise<MovedTable[]> {
  const file = join(dataDir, SQLITE_FILE)
  if (!existsSync(file)) throw new Error(`${file} does not exist.`)
  // A running service must not have its database migrated.
  openExclusively(file).close()
  await (await openDatabase({ databaseUrl: null, dataDir, log })).close()
  const { dialect } = openPostgresPool({ url: databaseUrl, log, patient: true })
  const patient = new Kysely<unknown>({ dialect })
  let target: Database | undefined
  try {
    await requireUtf8(patient)
    target = await openDatabase({ databaseUrl, dataDir, log, operator })
    const { audit } = target
    const moved = await copyDatabase(file, patient)
    await audit.change(async (trx) => audit.note(trx, { event: 'database.moved', accountId: null }))
    return moved
  } finally {
    await patient.destroy()
    await target?.close()
  }
}
