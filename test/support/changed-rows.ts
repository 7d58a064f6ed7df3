import type { KyselyPlugin } from 'kysely'
import type { Database } from '#storage/database.ts'

/** A database with how many rows each of its statements has changed. */
export function countChangedRows<Given extends Pick<Database, 'db'>>(database: Given) {
  const changed: number[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      changed.push(Number(result.numAffectedRows ?? 0))
      return result
    },
  }
  return { changed, counted: { ...database, db: database.db.withPlugin(plugin) } }
}
