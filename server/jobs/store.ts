/** The engine of the configured database. */
import { type JobStoreOptions, openBossStore } from './boss-store.ts'
import type { JobStore } from './job.ts'
import { createTableStore } from './table-store.ts'

export async function openJobStore(options: JobStoreOptions): Promise<JobStore> {
  return options.database.kind === 'postgres'
    ? await openBossStore(options)
    : createTableStore(options.database, options.kinds)
}
