/** Queries that are compiled once. Kysely takes longer to build a query than SQLite to run it. */
import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from './tables.ts'

class Parameter {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** A placeholder for a value. */
export type Place<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>

export function prepare<Values, Row = unknown>(build: (place: Place<Values>) => Compilable<Row>) {
  const place: Place<Values> = (name) => sql`${new Parameter(name)}`
  let compiled: CompiledQuery<Row> | undefined
  return async (on: Kysely<Tables>, values: Values): Promise<Row[]> => {
    compiled ??= build(place).compile()
    const parameters = compiled.parameters.map((value) =>
      value instanceof Parameter ? values[value.name as keyof Values] : value,
    )
    return (await on.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}
