/** Scans that wait for a worker: bounded, first come, first served, and not for long while no worker is left. */
import type { Whole } from '#engines/sample.ts'
import type { Reply } from './report.ts'

export interface Job {
  document: Whole
  signal: AbortSignal
  attempts: number
  /** By `performance.now()`; set when a worker first takes it. */
  endsAt: number | undefined
  settle(reply: Reply): void
}

export function createQueue(lengthMax: number) {
  const entries: { job: Job; leave: () => void }[] = []

  function enter(job: Job, place: 'push' | 'unshift'): boolean {
    if (job.signal.aborted) return false
    const leave = () => {
      entries.splice(entries.indexOf(entry), 1)
      job.settle({ kind: 'late', detail: 'the scan was cancelled while it waited for a worker' })
    }
    const entry = { job, leave }
    job.signal.addEventListener('abort', leave, { once: true })
    entries[place](entry)
    return true
  }

  function next(): Job | undefined {
    const entry = entries.shift()
    entry?.job.signal.removeEventListener('abort', entry.leave)
    return entry?.job
  }

  return {
    get length() {
      return entries.length
    },
    add(document: Whole, signal: AbortSignal): Promise<Reply> {
      return new Promise((settle) => {
        if (entries.length >= lengthMax)
          settle({ kind: 'died', detail: `the queue is full: ${lengthMax} scans wait for a worker` })
        else if (!enter({ document, signal, attempts: 0, endsAt: undefined, settle }, 'push'))
          settle({ kind: 'late', detail: 'the scan was cancelled before it began' })
      })
    },
    next,
    /** To the front, for a second attempt. False if its signal has fired. */
    retry: (job: Job) => enter(job, 'unshift'),
    clear(detail: string): void {
      for (let job = next(); job !== undefined; job = next()) job.settle({ kind: 'died', detail })
    },
  }
}

/** Times how long no worker is left. The time adds up until a worker answers, or crashing workers would extend it. */
export function createOutage(graceMs: number, reason: () => string, onOutage: (detail: string) => void) {
  let detail: string | null = null
  let beganAt: number | null = null
  let totalMs = 0
  let timer: NodeJS.Timeout | undefined

  function declare(): void {
    clearTimeout(timer)
    // Reset so that the next outage gets the full grace period.
    totalMs = 0
    beganAt = null
    detail = `the embedded engine has no worker: ${reason()}`
    onOutage(detail)
  }

  return {
    detail: () => detail,
    declare,
    begin(): void {
      beganAt = performance.now()
      timer = setTimeout(declare, graceMs - totalMs)
    },
    end(): void {
      clearTimeout(timer)
      detail = null
      totalMs += beganAt === null ? 0 : performance.now() - beganAt
      beganAt = null
    },
    reset(): void {
      totalMs = 0
    },
    close: () => clearTimeout(timer),
  }
}
