/** Units of scans that wait for their document: reserved with the 202, and held by the queue instead of a process. */
import { TEST_PLAN } from '#base/principal.ts'
import type { Database, Trx } from '#storage/database.ts'
import type { Procedure } from '#storage/prepared.ts'
import { chargePatiently } from './reservations.ts'
import { createUsageStore, type NotifyUsage, QUEUE_HOLDER } from './store.ts'
import { quotaExhausted, type Ticket } from './usage.ts'

/** The counter of a reserved unit. */
export interface QueuedUnit {
  meterId: string
  period: string
}

interface QueuedUsageOptions {
  database: Database
  scansPerMonth: (plan: string) => number
  notify?: NotifyUsage
}

export type QueuedUsage = ReturnType<typeof createQueuedUsage>

export function createQueuedUsage({ database, scansPerMonth, notify }: QueuedUsageOptions) {
  const store = createUsageStore(database, QUEUE_HOLDER, notify)
  const settlement = ({ meterId: keyId, period }: QueuedUnit, quota: number) => ({
    ...{ keyId, period, quota, scanId: null, retried: false, effect: null, keep: false },
  })

  return {
    /** In the transaction that queues the scan. Refuses with 402. */
    async reserve(trx: Trx, meterId: string, plan: string): Promise<QueuedUnit> {
      const quota = scansPerMonth(plan)
      const { granted, period, used } = await store.reserveQueued(trx, { keyId: meterId, quota, asked: 1 })
      if (!granted) throw quotaExhausted(quota, period, used, plan === TEST_PLAN)
      return { meterId, period }
    },

    /** For one attempt. If it does not end with a charge, the unit stays reserved for the next one. */
    ticketOf(unit: QueuedUnit, plan: string): Ticket {
      const quota = scansPerMonth(plan)
      return {
        async charge(scanId, effect, later) {
          const item = { ...settlement(unit, quota), action: 'charge' as const, scanId, effect: effect ?? null }
          const settle = async (given: typeof item) => (await store.settle([given]))[0]
          if ((await chargePatiently(settle, item, later?.patienceMs)) === 'rejected')
            throw quotaExhausted(quota, unit.period)
        },
        async [Symbol.asyncDispose]() {},
      }
    },

    /** In the transaction that ends the scan without a charge. */
    *release(unit: QueuedUnit): Procedure<void> {
      yield* store.settleQueued({ ...settlement(unit, 0), action: 'release' })
    },
  }
}
