/** Queries that are compiled once. Kysely takes longer to build a query than SQLite to run it. */
import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

class Parameter {
  readonly name: PropertyKey
  readonly row: number

  constructor(name: PropertyKey, row: number) {
    this.name = name
    this.row = row
  }
}

/** In one statement of `prepareMany`. */
export const ROWS_MAX = 16

/** A placeholder for a value. */
export type Place<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>

/**
 * The work of a transaction. It yields queries, so that SQLite can run it without promises, and receives their rows. A
 * function is for rare asynchronous work; it makes SQLite start again, so a procedure changes nothing outside the database.
 */
export type Procedure<Result> = Generator<CompiledQuery | ((trx: Transaction<Tables>) => Promise<unknown>), Result>

/** A query inside a procedure that is too rare to be prepared. */
export function* query<Row>(built: Compilable<Row>): Procedure<Row[]> {
  return (yield built.compile()) as Row[]
}

function placeIn<Values>(row: number): Place<Values> {
  return (name) => sql`${new Parameter(name, row)}`
}

function bindTo<Values, Row>(compiled: CompiledQuery<Row>, rows: readonly Values[]): CompiledQuery<Row> {
  const parameters = compiled.parameters.map((value) =>
    value instanceof Parameter ? rows[value.row]?.[value.name as keyof Values] : value,
  )
  return { ...compiled, parameters }
}

export function prepare<Values, Row = unknown>(build: (place: Place<Values>) => Compilable<Row>) {
  let compiled: CompiledQuery<Row> | undefined

  function bind(values: Values): CompiledQuery<Row> {
    compiled ??= build(placeIn(0)).compile()
    return bindTo(compiled, [values])
  }

  const execute = async (on: Kysely<Tables>, values: Values) => (await on.executeQuery<Row>(bind(values))).rows
  return Object.assign(execute, {
    bind,
    /** The query inside a procedure. */
    *step(values: Values): Procedure<Row[]> {
      return (yield bind(values)) as Row[]
    },
  })
}

/** Any number of rows in few statements, each compiled once for its number of rows. */
export function prepareMany<Values, Row = unknown>(build: (places: Place<Values>[]) => Compilable<Row>) {
  const compiled = new Map<number, CompiledQuery<Row>>()

  return function* run(rows: readonly Values[]): Procedure<Row[]> {
    const all: Row[] = []
    for (let start = 0; start < rows.length; start += ROWS_MAX) {
      const part = rows.slice(start, start + ROWS_MAX)
      const found = compiled.get(part.length) ?? build(part.map((_, row) => placeIn(row))).compile()
      compiled.set(part.length, found)
      all.push(...((yield bindTo(found, part)) as Row[]))
    }
    return all
  }
}

/** Runs a procedure query by query. */
export async function runSteps<Result>(trx: Transaction<Tables>, procedure: Procedure<Result>): Promise<Result> {
  let next = procedure.next()
  while (!next.done) {
    const step = next.value
    next = procedure.next(typeof step === 'function' ? await step(trx) : (await trx.executeQuery(step)).rows)
  }
  return next.value
}
