/** Callbacks, wired to jobs. */
import type { Log } from '#base/log.ts'
import type { createOutboundHttp } from '#base/outbound-http.ts'
import type { OutboundRules } from '#base/outbound-rules.ts'
import type { Seal } from '#base/seal.ts'
import type { Jobs } from '#jobs/jobs.ts'
import type { Database, Trx } from '#storage/database.ts'
import { createCall } from './call.ts'
import { CALLBACK, createDelivery } from './delivery.ts'
import { createEndpoints } from './endpoints.ts'
import type { WebhookStore } from './store.ts'

const SWEEP_EVERY_MS = 10 * 60 * 1_000

interface WebhooksOptions {
  store: WebhookStore
  database: Pick<Database, 'relaxedTransaction'>
  jobs: Jobs
  rules: OutboundRules
  http: Pick<ReturnType<typeof createOutboundHttp>, 'open'>
  seal: Seal
  announceDisabled: (trx: Trx, endpoint: { accountId: string; url: string }) => Promise<void>
  wakeMail: () => void
  log: Log
}

export function setUpWebhooks({ store, database, jobs, rules, http, seal, log, ...mail }: WebhooksOptions) {
  const wake = () => jobs.wake(CALLBACK)
  // A call whose end is lost in a power failure is made again.
  const transaction = database.relaxedTransaction
  jobs.work(CALLBACK, createDelivery({ ...mail, store, seal, call: createCall(http), transaction, log }))

  let sweeping = Promise.resolve()
  async function sweep(): Promise<void> {
    try {
      while (await store.sweep(Date.now()));
    } catch (error) {
      log.warn({ err: error }, 'Failed to delete old callbacks; will retry')
    }
  }
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep)
  }, SWEEP_EVERY_MS)
  timer.unref()

  return {
    endpoints: createEndpoints({ store, rules, seal, wake }),
    /** After a transaction that announced a scan. */
    wake,
    async close(): Promise<void> {
      clearInterval(timer)
      await sweeping
    },
  }
}
