/** Who is in the pool: starts children, replaces the dead at once and the worn one by one, and knows when all is lost. */
import type { Log } from '#base/log.ts'
import type { Child } from './child-process.ts'
import { messageOf } from './complaint.ts'

export interface Member {
  child: Child
  scans: number
  /** By `performance.now()`. */
  scannedAt: number
  busy: boolean
  /** To be replaced: it works on until its successor is there. */
  worn: boolean
  /** Its successor is there. */
  leaving: boolean
  /** By `performance.now()`. */
  provenAt: number
}

export interface CrewOptions<Setup> {
  size: number
  setup: Setup
  /** Resolves with a proven child. Rejects when it cannot be used; then nothing of it is left. */
  start(setup: Setup, signal: AbortSignal): Promise<Child>
  log: Log
  /** It is `busy` until whoever is told here says otherwise. */
  onJoin(member: Member): void
  /** Nobody is there, and nobody will be soon. */
  onLost(problem: string): void
}

export interface Crew<Setup> {
  members: ReadonlySet<Member>
  /** Rejects when one of the first children cannot be started; then nothing is left. */
  open(): Promise<void>
  /** Ends a child, if it has not ended by itself, and sees to a new one. */
  drop(member: Member): void
  /** A child has answered, so the next wait without any begins anew. */
  answered(): void
  wear(member: Member): void
  /** Starts a child with the new set-up aside. Only when that succeeds, all others are worn. */
  swap(setup: Setup): Promise<void>
  /** Set while nobody is there and waiting is in vain. */
  lost(): string | null
  /** Why the last start failed; null when it did not. */
  problem(): unknown
  newest(): Child | undefined
  close(): Promise<void>
}

/**
 * How long nobody may be there, while children start, before that counts as lost: a client is told within a second,
 * the way included, however long a start takes. A start that fails counts at once.
 */
const PATIENCE_MS = 700
const BACK_OFF_MS = 100
const BACK_OFF_MS_MAX = 5_000

export function createCrew<Setup>({ size, log, onJoin, onLost, ...options }: CrewOptions<Setup>): Crew<Setup> {
  let setup = options.setup
  const members = new Set<Member>()
  const closing = new AbortController()
  const starts = new Set<Promise<unknown>>()
  const ends = new Set<Promise<void>>()
  let refills = 0
  let failures = 0
  let problem: unknown = null
  let lost: string | null = null
  /** By `performance.now()`; null while somebody is there. */
  let emptySince: number | null = null
  /** Since the last answer: children that come and die without one do not make the wait begin anew. */
  let emptyMs = 0
  let newest: Child | undefined
  let backOff: NodeJS.Timeout | undefined
  let patience: NodeJS.Timeout | undefined

  async function start(wanted: Setup): Promise<Child> {
    const started = options.start(wanted, closing.signal)
    starts.add(started)
    try {
      const child = await started
      ends.add(child.gone)
      child.gone.then(() => ends.delete(child.gone))
      failures = 0
      problem = null
      return child
    } finally {
      starts.delete(started)
    }
  }

  /** As many starts as children are missing; successors of worn ones are started one at a time. */
  function fill(): void {
    if (closing.signal.aborted || backOff !== undefined) return
    const fresh = [...members].filter(({ worn }) => !worn).length
    const atOnce = failures > 0 ? 1 : Math.max(size - members.size, 1)
    while (refills < Math.min(size - fresh, atOnce)) {
      refills++
      refill().finally(() => {
        refills--
        fill()
      })
    }
  }

  async function refill(): Promise<void> {
    const wanted = setup
    try {
      join(await start(wanted), wanted)
    } catch (error) {
      if (closing.signal.aborted) return
      failures++
      problem = error
      log.error({ err: error, failures }, 'a child of the embedded engine could not be started')
      clearTimeout(backOff)
      backOff = setTimeout(tryAgain, Math.min(BACK_OFF_MS * 2 ** (failures - 1), BACK_OFF_MS_MAX))
      if (members.size === 0) giveUp()
    }
  }

  function tryAgain(): void {
    backOff = undefined
    fill()
  }

  function join(child: Child, its: Setup): void {
    // The rules were exchanged, or everything was closed, while it started.
    if (its !== setup || closing.signal.aborted) {
      child.kill()
      return
    }
    const now = performance.now()
    const member = { child, scans: 0, scannedAt: now, busy: true, worn: false, leaving: false, provenAt: now }
    members.add(member)
    newest = child
    lost = null
    clearTimeout(patience)
    emptyMs += emptySince === null ? 0 : performance.now() - emptySince
    emptySince = null
    child.gone.then(() => drop(member))
    sendHome()
    onJoin(member)
  }

  /** As many worn ones as have a successor now. What they are at, they finish. */
  function sendHome(): void {
    const staying = [...members].filter(({ leaving }) => !leaving)
    for (const member of staying.filter(({ worn }) => worn).slice(0, Math.max(0, staying.length - size))) {
      member.leaving = true
      if (!member.busy) drop(member)
    }
  }

  function drop(member: Member): void {
    member.child.kill()
    if (!members.delete(member) || closing.signal.aborted) return
    if (members.size === 0) {
      emptySince = performance.now()
      if (failures > 0) giveUp()
      else patience = setTimeout(giveUp, PATIENCE_MS - emptyMs)
    }
    fill()
  }

  function giveUp(): void {
    clearTimeout(patience)
    // Whoever comes when children are there again waits anew.
    emptyMs = 0
    emptySince = null
    lost = `the embedded engine has no child: ${problem === null ? 'none is ready' : messageOf(problem)}`
    onLost(lost)
  }

  async function close(): Promise<void> {
    closing.abort()
    clearTimeout(backOff)
    clearTimeout(patience)
    for (const member of members) drop(member)
    await Promise.allSettled(starts)
    await Promise.all(ends)
  }

  return {
    members,
    async open() {
      const first = await Promise.allSettled(Array.from({ length: size }, () => start(setup)))
      for (const each of first) if (each.status === 'fulfilled') join(each.value, setup)
      const failed = first.find((each) => each.status === 'rejected')
      if (failed === undefined) return
      await close()
      throw failed.reason
    },
    drop,
    answered() {
      emptyMs = 0
    },
    wear(member) {
      member.worn = true
      fill()
    },
    async swap(next) {
      const child = await start(next)
      setup = next
      // From now on the new rules are the ones that count: the others finish what they are at, and get nothing more.
      const outdated = [...members]
      for (const member of outdated) Object.assign(member, { worn: true, leaving: true })
      join(child, next)
      for (const member of outdated) if (!member.busy) drop(member)
      fill()
    },
    lost: () => lost,
    problem: () => problem,
    newest: () => newest,
    close,
  }
}
