/** A process that runs jobs of a shared database until it is stopped: each charges one scan and writes one row. */
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '#base/ids.ts'
import type { JobKind } from '#jobs/job.ts'
import { openTestJobs } from '#test/support/jobs.ts'
import { openPlace, quietLog } from '#test/support/seed.ts'
import { createReplicaStore, startSweeper } from '#usage/replicas.ts'
import { createUsageStore, type EffectKind } from '#usage/store.ts'
import { createUsage } from '#usage/usage.ts'

export interface JobOrder {
  url: string | null
  dataDir: string
}

/** Long enough for faults to come between. */
const WORK_MS = 100

/** With a lease of two seconds. */
export const CHARGING: JobKind<{ n: number; keyId: string }> = {
  name: 'charging',
  deadlineMs: 1_000,
  attemptsMax: 1_000,
  delayMs: () => 50,
  parallelMax: 16,
}

const [, , given] = process.argv
if (import.meta.main && given !== undefined) {
  const database = await openPlace(JSON.parse(given) as JobOrder)
  const replicaId = newId()
  const usage = createUsage({
    store: createUsageStore(database, replicaId),
    scansPerMonth: () => 1_000_000,
    log: quietLog,
  })
  const sweeper = await startSweeper(createReplicaStore(database, replicaId), usage.settleOwed, quietLog)
  const jobs = await openTestJobs({ database, kinds: [CHARGING] })
  jobs.work(CHARGING, async ({ data: { n, keyId }, finish }) => {
    await using ticket = await usage.reserve(keyId, 'free')
    await sleep(WORK_MS)
    const kind: EffectKind = {
      *wanted(effects) {
        const isFinished = (yield (trx) => finish(trx)) as boolean
        return new Set(isFinished ? effects : [])
      },
      *write() {
        yield sql`insert into effects (n) values (${n})`.compile(database.db)
      },
    }
    await ticket.charge(newId(), { kind, of: n })
    return undefined
  })
  process.once('SIGTERM', async () => {
    await jobs.close()
    await sweeper.close()
    await database.close()
    process.disconnect()
  })
  // Neither timers nor SQLite keep the process alive.
  process.channel?.ref()
  // It may be killed, and then would not keep its compiled modules for the next one.
  flushCompileCache()
  process.send?.('ready')
}
