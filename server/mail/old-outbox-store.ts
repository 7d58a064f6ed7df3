/** Mail that a version without jobs queued, also while it still runs beside this one: becomes jobs. */
import type { Log } from '#base/log.ts'
import type { JobKind, JobStore } from '#jobs/job.ts'
import type { Database } from '#storage/database.ts'
import type { MailData } from './outbox.ts'

const EVERY_MS = 60_000

interface OldOutboxOptions {
  database: Database
  store: Pick<JobStore, 'post'>
  kind: JobKind<MailData>
  log: Log
}

export function adoptOldMail({ database: { db, clock }, store, kind, log }: OldOutboxOptions) {
  /** Deletes failed mail, and leaves mail to the older version that is sending it. */
  async function adopt(): Promise<void> {
    try {
      await db.transaction().execute(async (trx) => {
        const mails = await trx
          .deleteFrom('mail_outbox')
          .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', clock.nowMs)]))
          .returning(['id', 'kind', 'params', 'dedupe', 'failed_at'])
          .execute()
        for (const { id, kind: of, params, dedupe, failed_at: failedAt } of mails) {
          if (failedAt !== null) continue
          const data: MailData = { kind: of, params: JSON.parse(params) }
          await store.post(trx, kind, [{ id, data, ...(dedupe !== null && { key: dedupe }) }])
        }
      })
    } catch (error) {
      log.warn({ err: error }, 'Failed to take over mail of an older version; will retry')
    }
  }
  let adopting = adopt()
  const timer = setInterval(() => {
    adopting = adopting.then(adopt)
  }, EVERY_MS)
  timer.unref()
  return {
    async close(): Promise<void> {
      clearInterval(timer)
      await adopting
    },
  }
}
