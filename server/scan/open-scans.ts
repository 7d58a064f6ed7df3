/** Scans that outlive their request: the client was told that the document was accepted, and asks for the verdict later. */
import { AppError, type ErrorCode } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Trx } from '#storage/database.ts'
import type { ChargeEffect, EffectKind } from '#usage/store.ts'
import { type Failure, GIVEN_UP_MAX, LEASE_MS, type OpenScanStore } from './open-scan-store.ts'
import type { Claim, NewScan, ScanStore, SignedReceipt, Verdict } from './store.ts'

/** Three may be late before the lease ends. */
const RENEW_MS = 8_000

/** Of one account in one process: what it sends faster than its callbacks can be queued is refused, and delays no others. */
export const OPEN_MAX = 64

export type OpenScans = ReturnType<typeof createOpenScans>

/** Has exactly one ending: `charge`, `refuse` or `fail`, or, if this process dies, `scan_lost`. */
export interface OpenScan {
  scanId: string
  /** To be written with the charge. */
  effectOf(verdict: Verdict): ChargeEffect
  /** Throws if another process gave it up: then nothing was charged. */
  charged(): void
  /** Without a verdict. */
  refuse(row: NewScan, receipt?: SignedReceipt | null): Promise<void>
  /** Has no effect after another ending. */
  fail(error: unknown): Promise<void>
}

/** A scan that a job runs: the job decides which failures end it. */
export interface ResumedScan extends OpenScan {
  /** Here. */
  hasEnded(): boolean
  /** As failed, unless it has ended, or is run elsewhere because `isOurs` does not hold. */
  end(error: unknown, isOurs: (trx: Trx) => Promise<boolean>): Promise<void>
}

interface Ending extends Verdict {
  /** False if another process gave the scan up: then nothing is charged. */
  isOpen: boolean
}

/** The answer to a repeated request while the scan is open. */
export const openResponse = ({ scanId, reference }: OpenAnswer): string =>
  JSON.stringify({ scanId, state: 'queued', reference })

interface OpenAnswer {
  scanId: string
  reference: string | null
}

/** Null unless a stored answer is `openResponse`. */
export function openAnswerOf(response: string): OpenAnswer | null {
  const { scanId, state, reference = null } = JSON.parse(response) as Partial<OpenAnswer> & { state?: string }
  return state === undefined || scanId === undefined ? null : { scanId, reference }
}

const lost = (): AppError =>
  new AppError('scan_lost', 'The process that scanned this document did not respond for too long. Send it again.', {
    retryAfterSeconds: 1,
  })

/** The stored part of an error that ended a scan. */
const failureOf = (error: unknown): Failure =>
  error instanceof AppError ? { code: error.code, detail: error.message } : { code: 'internal_error', detail: null }

interface OpenScansOptions {
  store: OpenScanStore
  answers: Pick<ScanStore, 'answer' | 'writeReceipts'>
  log: Log
  /** Scans have ended. */
  onEnded?: () => void
  /** Shorter in tests. */
  leaseMs?: number
  renewMs?: number
}

export function createOpenScans(options: OpenScansOptions) {
  const { store, answers, log, onEnded = () => {}, leaseMs = LEASE_MS, renewMs = RENEW_MS } = options
  const open = new Map<string, PromiseWithResolvers<void> & { accountId: string | null }>()
  const counts = new Map<string | null, number>()
  let renewing = Promise.resolve()

  async function giveUp(): Promise<number> {
    let lostScans = 0
    for (let given = GIVEN_UP_MAX; given === GIVEN_UP_MAX; lostScans += given)
      given = await store.giveUp('scan_lost' satisfies ErrorCode)
    return lostScans
  }

  async function renew(): Promise<void> {
    try {
      if (open.size > 0) await store.renew([...open.keys()], leaseMs)
      const lostScans = await giveUp()
      if (lostScans > 0) onEnded()
      if (lostScans > 0) log.warn({ scans: lostScans }, 'Gave up scans of processes that do not respond')
    } catch (error) {
      log.warn({ err: error }, 'Failed to renew the leases of scans; will retry')
    }
  }
  const timer = setInterval(() => {
    renewing = renewing.then(renew)
  }, renewMs)
  timer.unref()

  const countOf = (accountId: string | null): number => counts.get(accountId) ?? 0

  function begin(scanId: string, accountId: string | null): void {
    open.set(scanId, { ...Promise.withResolvers(), accountId })
    counts.set(accountId, countOf(accountId) + 1)
  }

  function close(scanId: string): void {
    const ended = open.get(scanId)
    if (ended) {
      open.delete(scanId)
      const others = countOf(ended.accountId) - 1
      if (others > 0) counts.set(ended.accountId, others)
      else counts.delete(ended.accountId)
      ended.resolve()
    }
    onEnded()
  }

  /** If it cannot be stored, the lease ends, and the scan is given up like that of a dead process. */
  async function end(row: NewScan, failure: Failure | null, receipt: SignedReceipt | null = null): Promise<void> {
    await store
      .end(row, failure, undefined, () => answers.writeReceipts([{ scan: row, receipt }]))
      .catch((error) => log.warn({ err: error, scanId: row.id }, 'Failed to store the end of a scan'))
    close(row.id)
  }

  /** Written with the charge. It is not undone: the client may have asked for the verdict, and callbacks have it. */
  const ended: EffectKind = {
    *wanted(endings: readonly Ending[]) {
      const open = new Set(yield* store.lockOpen(endings.map(({ scan }) => scan.id)))
      // Two attempts at one scan can end together: the second one would fail the transaction of them all.
      for (const ending of endings) ending.isOpen = open.delete(ending.scan.id)
      return new Set(endings.filter(({ isOpen }) => isOpen))
    },
    *write(endings: readonly Ending[]) {
      yield* store.finish(endings.map(({ scan }) => scan))
      yield* answers.writeReceipts(endings)
      yield* answers.answer(endings)
    },
  }

  function createEnding() {
    let ending: Ending | undefined
    const effectOf: OpenScan['effectOf'] = (verdict) => {
      ending = { ...verdict, isOpen: true }
      return { kind: ended, of: ending }
    }
    return { effectOf, isOpen: () => ending?.isOpen ?? true }
  }

  return {
    isFull: (accountId: string): boolean => countOf(accountId) >= OPEN_MAX,

    /** `accepted` is what is known of the document before it is inspected. */
    async open(accepted: NewScan, claim: Claim | null): Promise<OpenScan> {
      const scanId = accepted.id
      await store.open(accepted, claim, openResponse({ scanId, reference: accepted.reference }), leaseMs)
      begin(scanId, accepted.account_id)
      const { effectOf, isOpen } = createEnding()
      return {
        scanId,
        effectOf,
        charged() {
          close(scanId)
          if (!isOpen()) throw lost()
        },
        refuse: (row, receipt) => end(row, null, receipt),
        async fail(error) {
          if (open.has(scanId)) await end({ ...accepted, finished_at: Date.now() }, failureOf(error))
        },
      }
    },

    /** A scan without a lease of this process. */
    resume(accepted: NewScan): ResumedScan {
      const { effectOf, isOpen } = createEnding()
      let hasEnded = false
      async function endAs(
        row: NewScan,
        failure: Failure | null,
        isOurs?: (trx: Trx) => Promise<boolean>,
        receipt: SignedReceipt | null = null,
      ) {
        hasEnded = await store.end(row, failure, isOurs, () => answers.writeReceipts([{ scan: row, receipt }]))
        onEnded()
      }
      return {
        ...{ scanId: accepted.id, effectOf },
        charged() {
          hasEnded = isOpen()
          onEnded()
          if (!hasEnded) throw lost()
        },
        async refuse({ reference, file_name: fileName, ...row }, receipt) {
          const known = { reference: reference ?? accepted.reference, file_name: fileName ?? accepted.file_name }
          await endAs({ ...row, ...known }, null, undefined, receipt)
        },
        fail: async () => {},
        hasEnded: () => hasEnded,
        end: (error, isOurs) => endAs({ ...accepted, finished_at: Date.now() }, failureOf(error), isOurs),
      }
    },

    renew,
    /** Waits for the verdicts. */
    async close(): Promise<void> {
      await Promise.all(Array.from(open.values(), ({ promise }) => promise))
      clearInterval(timer)
      await renewing
    },
  }
}
