/** Queries that are built once. Kysely takes longer to build one than SQLite to run it, and a scan needs a dozen. */
import { type Compilable, type CompiledQuery, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

/** Stands where a value will stand. */
class Parameter {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** A place for a value in a query that is built without it. */
export type Place<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>

interface Executor extends QueryExecutorProvider {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<{ rows: Row[] }>
}

/** Runs the query, with these values, in this transaction or connection. */
export type Prepared<Values, Row> = (on: Executor, values: Values) => Promise<Row[]>

export function prepare<Values, Row = unknown>(
  build: (place: Place<Values>) => Compilable<Row>,
): Prepared<Values, Row> {
  const place: Place<Values> = (name) => sql`${new Parameter(name)}`
  let compiled: CompiledQuery<Row> | undefined
  return async (on, values) => {
    compiled ??= build(place).compile()
    const parameters = compiled.parameters.map((value) =>
      value instanceof Parameter ? values[value.name as keyof Values] : value,
    )
    return (await on.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}
