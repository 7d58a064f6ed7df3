/** The order of a marketplace's events is kept for each thing that they are about, and its raw answers no more. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['status_event_at', 'plan_event_at', 'quantity_event_at']) {
    await db.schema.alterTable('subscriptions').addColumn(column, 'bigint').execute()
  }
  // One time for all of them says of none which event it was.
  for (const column of ['last_event_at', 'raw']) {
    await db.schema.alterTable('subscriptions').dropColumn(column).execute()
  }
}
