/** Mail as jobs: posted in the transaction that causes it, and composed when it is sent. */
import type { JobKind } from '#jobs/job.ts'
import type { Jobs } from '#jobs/jobs.ts'
import type { Trx } from '#storage/database.ts'

const FIRST_DELAY_MS = 5_000
const DELAY_MS_MAX = 15 * 60 * 1000

/** About 23 hours with the delays between them. */
export const ATTEMPTS_MAX = 100

export interface MailData {
  kind: string
  /** Without secrets. */
  params: object
}

export const MAIL: JobKind<MailData> = {
  name: 'mail',
  /** For composing and sending together. */
  deadlineMs: 30_000,
  attemptsMax: ATTEMPTS_MAX,
  delayMs: (attempts) => Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), DELAY_MS_MAX),
  parallelMax: 4,
}

interface NewMail extends MailData {
  /** Skips this mail while another one with the same value is queued. */
  dedupe?: string
  delayMs?: number
}

export type Outbox = ReturnType<typeof createOutbox>

export function createOutbox(jobs: Pick<Jobs, 'post' | 'erase'>) {
  return {
    /** False if mail with the same `dedupe` is already queued. */
    async post(trx: Trx, { kind, params, dedupe, delayMs = 0 }: NewMail): Promise<boolean> {
      const options = { delayMs, ...(dedupe !== undefined && { key: dedupe }) }
      const id = await jobs.post(trx, MAIL, { kind, params }, options)
      return id !== null
    },

    /** Deletes mail with one of these values in its parameters. */
    erase: (trx: Trx, values: readonly string[]) => jobs.erase(trx, MAIL, values),
  }
}
