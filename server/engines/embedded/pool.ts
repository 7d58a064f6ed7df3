/** The children at work: a scan gets one for itself or waits its turn, and between scans each child is proven again. */
import type { Log } from '#base/log.ts'
import type { Whole } from '#engines/sample.ts'
import type { Child } from './child-process.ts'
import { createCrew, type Member } from './crew.ts'
import type { Reply } from './reply.ts'
import { createWaitingLine, type Job } from './waiting-line.ts'

export interface PoolOptions<Setup> {
  size: number
  setup: Setup
  /** Resolves with a proven child. Rejects when it cannot be used; then nothing of it is left. */
  start(setup: Setup, signal: AbortSignal): Promise<Child>
  /** What is wrong with the child, or null. */
  prove(child: Child): Promise<Error | null>
  log: Log
  waitingMax: number
  /** Time of one document in children, a second attempt included. */
  scanMsMax: number
  proofEveryMs: number
  /** After so much, a child is replaced: YARA-X in WebAssembly does not give everything back. */
  scansMax: number
  rssBytesMax: number
  cpuMsMax: number
  /** A child that has looked at documents and has nothing to do for so long is replaced: what it unpacked goes with it. */
  idleMsMax: number
}

export interface PoolStatus {
  ready: number
  waiting: number
  /** Of the child that was proven last and still lives; by `performance.now()`. */
  provenAt: number | null
  /** Why the last start failed; null when it did not. */
  problem: unknown
  /** Of the newest child. */
  rulesVersion: string
  ruleCount: number
}

export interface Pool<Setup> {
  submit(document: Whole, signal: AbortSignal): Promise<Reply>
  /** Tries the new set-up in a child aside. Only when that succeeds, the others are replaced, one by one. */
  swap(setup: Setup): Promise<void>
  status(): PoolStatus
  close(): Promise<void>
}

const ATTEMPTS_MAX = 2
/** Children look at their age this many times between two proofs. */
const LOOKS_PER_PROOF = 6

/** Resolves when all children are there; rejects when one of them cannot be started. */
export async function createPool<Setup>(options: PoolOptions<Setup>): Promise<Pool<Setup>> {
  const { log } = options
  const line = createWaitingLine(options.waitingMax)
  const crew = createCrew({ ...options, onJoin: turn, onLost: line.clear })
  let closed = false

  /** What a child does next, now that it has nothing to do. */
  function turn(member: Member): void {
    if (member.leaving || closed) {
      crew.drop(member)
    } else if (performance.now() - member.provenAt >= options.proofEveryMs) {
      void proveAgain(member)
    } else {
      const job = line.next()
      member.busy = job !== undefined
      if (job !== undefined) void work(member, job)
    }
  }

  function count(member: Member): void {
    member.scans++
    member.scannedAt = performance.now()
  }

  function isIdle({ scans, scannedAt, worn }: Member): boolean {
    return scans > 0 && !worn && performance.now() - scannedAt >= options.idleMsMax
  }

  async function proveAgain(member: Member): Promise<void> {
    member.busy = true
    const wrong = await options.prove(member.child)
    if (wrong === null) {
      member.provenAt = performance.now()
      crew.answered()
      turn(member)
      return
    }
    if (!closed)
      log.error({ child: member.child.pid, wrong: wrong.message }, 'a child failed its proof and is replaced')
    crew.drop(member)
  }

  async function work(member: Member, job: Job): Promise<void> {
    job.attempts++
    job.endsAt ??= performance.now() + options.scanMsMax
    const giveUp = () => job.settle({ kind: 'late', detail: 'the scan was given up' })
    job.signal.addEventListener('abort', giveUp, { once: true })
    const reply = await member.child.ask(job.document, job.endsAt - performance.now(), job.signal)
    job.signal.removeEventListener('abort', giveUp)
    if (reply.kind === 'answered') {
      job.settle(reply)
      crew.answered()
      count(member)
      const { rssBytes, cpuMs } = reply.answer
      const worn = member.scans >= options.scansMax || rssBytes > options.rssBytesMax || cpuMs > options.cpuMsMax
      if (worn && !member.worn) crew.wear(member)
      turn(member)
      return
    }
    if (reply.kind === 'unwanted') {
      job.settle(reply)
      count(member)
      turn(member)
      return
    }
    if (!closed) {
      const { kind, detail } = reply
      log.warn({ child: member.child.pid, reason: kind, detail }, 'a child of the embedded engine ended in a scan')
    }
    crew.drop(member)
    settleOrRetry(job, reply)
  }

  /** A child can be the victim of someone else, so the document gets another; if it ends two of them, it is to blame. */
  function settleOrRetry(job: Job, reply: Reply): void {
    const again = reply.kind === 'died' && job.attempts < ATTEMPTS_MAX && !closed && crew.lost() === null
    if (again && line.return(job)) dispatch()
    else job.settle(reply)
  }

  function dispatch(): void {
    for (const member of crew.members) if (!member.busy && line.length > 0) turn(member)
  }

  await crew.open()
  const prover = setInterval(() => {
    for (const member of crew.members) {
      if (!member.busy) turn(member)
      if (!member.busy && isIdle(member)) crew.wear(member)
    }
  }, options.proofEveryMs / LOOKS_PER_PROOF)
  prover.unref()

  return {
    submit(document, signal) {
      const lost = closed ? 'the embedded engine is closed' : crew.lost()
      if (lost !== null) return Promise.resolve({ kind: 'died', detail: lost })
      const reply = line.join(document, signal)
      dispatch()
      return reply
    },
    swap: crew.swap,
    status() {
      const proofs = [...crew.members].map(({ provenAt }) => provenAt)
      return {
        ready: proofs.length,
        waiting: line.length,
        provenAt: proofs.length === 0 ? null : Math.max(...proofs),
        problem: crew.problem(),
        rulesVersion: crew.newest()?.rulesVersion ?? '',
        ruleCount: crew.newest()?.ruleCount ?? 0,
      }
    },
    async close() {
      closed = true
      clearInterval(prover)
      line.clear('the embedded engine is closed')
      await crew.close()
    },
  }
}
