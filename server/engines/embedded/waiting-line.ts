/** Scans that wait for a child: first come, first served, not too many, and none longer than its signal allows. */
import type { Whole } from '#engines/sample.ts'
import type { Reply } from './reply.ts'

export interface Job {
  document: Whole
  signal: AbortSignal
  attempts: number
  /** By `performance.now()`; set when a child first takes it. */
  endsAt: number | undefined
  settle(reply: Reply): void
}

export interface WaitingLine {
  readonly length: number
  join(document: Whole, signal: AbortSignal): Promise<Reply>
  next(): Job | undefined
  /** Back to the front, for a second attempt. False if its signal has fired. */
  return(job: Job): boolean
  /** Sends everyone home. */
  clear(detail: string): void
}

export function createWaitingLine(lengthMax: number): WaitingLine {
  const jobs: { job: Job; leave: () => void }[] = []

  function enter(job: Job, place: 'push' | 'unshift'): boolean {
    if (job.signal.aborted) return false
    const leave = () => {
      jobs.splice(jobs.indexOf(entry), 1)
      job.settle({ kind: 'late', detail: 'the scan was given up while it waited for a child' })
    }
    const entry = { job, leave }
    job.signal.addEventListener('abort', leave, { once: true })
    jobs[place](entry)
    return true
  }

  function next(): Job | undefined {
    const entry = jobs.shift()
    entry?.job.signal.removeEventListener('abort', entry.leave)
    return entry?.job
  }

  return {
    get length() {
      return jobs.length
    },
    join(document, signal) {
      return new Promise((settle) => {
        if (jobs.length >= lengthMax) settle({ kind: 'died', detail: `${lengthMax} scans wait for a child already` })
        else if (!enter({ document, signal, attempts: 0, endsAt: undefined, settle }, 'push'))
          settle({ kind: 'late', detail: 'the scan was given up before it began' })
      })
    },
    next,
    return: (job) => enter(job, 'unshift'),
    clear(detail) {
      for (let job = next(); job !== undefined; job = next()) job.settle({ kind: 'died', detail })
    },
  }
}
