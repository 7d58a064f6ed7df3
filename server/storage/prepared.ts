/** Queries that are compiled once. Kysely takes longer to build a query than SQLite to run it. */
import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

class Parameter {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

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

export function prepare<Values, Row = unknown>(build: (place: Place<Values>) => Compilable<Row>) {
  const place: Place<Values> = (name) => sql`${new Parameter(name)}`
  let compiled: CompiledQuery<Row> | undefined

  function bind(values: Values): CompiledQuery<Row> {
    compiled ??= build(place).compile()
    const parameters = compiled.parameters.map((value) =>
      value instanceof Parameter ? values[value.name as keyof Values] : value,
    )
    return { ...compiled, parameters }
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

/** Runs a procedure query by query. */
export async function runSteps<Result>(trx: Transaction<Tables>, procedure: Procedure<Result>): Promise<Result> {
  let next = procedure.next()
  while (!next.done) {
    const step = next.value
    next = procedure.next(typeof step === 'function' ? await step(trx) : (await trx.executeQuery(step)).rows)
  }
  return next.value
}
