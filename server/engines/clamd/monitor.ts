/** Repeats the canary check of one clamd: documents go only to one that has passed it within the last minute. */
import type { Log } from '#base/log.ts'
import { LARGE_CANARIES, type Problem, SMALL_CANARIES } from './canaries.ts'
import { type CheckFailure, type ClamdVersion, checkCanaries, checkVersion } from './canary-check.ts'
import type { ClamdEndpoint } from './endpoint.ts'

/** With the duration of a check no more than a minute, which is how old the status UP may be. */
const CHECK_EVERY_MS = 45_000
const VALID_MS = 60_000
const RETRY_SILENT_MS = 1_000
const RETRY_WRONG_MS = 5_000
const CIRCUIT_OPEN_MS = 5_000
/** How long a pass of the large canaries holds when clamd is too busy for them, but answers the small ones. */
const LARGE_VALID_MS = 5 * 60_000
/** A wrong setting is fixed by a restart, which is noticed, so the large canaries need not be repeated often. */
const LARGE_RETRY_WRONG_MS = 60_000

export type Monitor = ReturnType<typeof createMonitor>

interface MonitorOptions {
  log: Log
  /** Milliseconds on a monotonic clock. */
  now: () => number
  signaturesAgeMaxHours: number | null
  onChange(): void
}

export function createMonitor(endpoint: ClamdEndpoint, options: MonitorOptions) {
  const { log, now } = options
  const first = Promise.withResolvers<void>()
  const pause = createPause(now)
  const large = createLargeCheck(endpoint)
  let interruption = new AbortController()
  let version: ClamdVersion | null = null
  let problem: Problem | null = because('has not passed a canary check yet')
  let passedAt = Number.NEGATIVE_INFINITY
  let answeredAt = Number.NEGATIVE_INFINITY
  let suspendedAt = Number.NEGATIVE_INFINITY
  let checkedAt = Number.NEGATIVE_INFINITY
  let isDoubted = false

  function become(next: Problem | null): void {
    if (next?.detail === problem?.detail) return
    problem = next
    if (next === null) log.info({ clamd: endpoint.url, version }, 'clamd passed the canary check')
    else log.warn({ clamd: endpoint.url, detail: next.detail }, 'clamd is not in use')
    options.onChange()
  }

  async function failureAt(startedAt: number): Promise<CheckFailure | null> {
    const { signal } = interruption
    const about = await checkVersion(endpoint, options.signaturesAgeMaxHours, signal)
    version = about.version ?? version
    const failure = about.failure ?? (await checkCanaries(endpoint, SMALL_CANARIES, signal))
    if (failure) return failure
    // Already now, because the large canaries may take until after the end of the minute.
    if (problem === null) passedAt = startedAt
    return large.check(startedAt, version, signal)
  }

  async function check(): Promise<CheckFailure | null> {
    const startedAt = now()
    checkedAt = startedAt
    interruption = new AbortController()
    isDoubted = false
    const failure = await failureAt(startedAt)
    // It may come back with other settings.
    if (failure?.kind === 'gone') large.forget()
    const isOutdated = pause.isClosed() || suspendedAt >= startedAt
    const isBusy = failure?.kind === 'silent' && problem === null && answeredAt > startedAt
    if (isOutdated || isBusy) return failure
    if (!failure) passedAt = startedAt
    become(failure)
    return failure
  }

  function pauseMs(failure: CheckFailure | null): number {
    if (failure) return failure.kind === 'wrong' ? RETRY_WRONG_MS : RETRY_SILENT_MS
    const dueAt = (large.sentAt() ?? checkedAt) + CHECK_EVERY_MS
    return isDoubted ? RETRY_SILENT_MS : Math.max(RETRY_SILENT_MS, dueAt - now())
  }

  async function run(): Promise<void> {
    while (!pause.isClosed()) {
      const failure = await check().catch((error: unknown): CheckFailure => {
        log.error({ err: error, clamd: endpoint.url }, 'Canary check failed unexpectedly')
        const failure: CheckFailure = { kind: 'wrong', ...because('could not be checked') }
        become(failure)
        return failure
      })
      first.resolve()
      await pause.until(now() + pauseMs(failure))
      // Nothing shortens the time for which an open circuit is left alone.
      while (!pause.isClosed() && suspendedAt + CIRCUIT_OPEN_MS > now())
        await pause.until(suspendedAt + CIRCUIT_OPEN_MS)
    }
  }

  const running = run()

  return {
    /** Null: the clamd may be used. Otherwise why not. */
    problem(): Problem | null {
      if (problem !== null) return problem
      return now() - passedAt <= VALID_MS ? null : because('has not passed a canary check within the last minute')
    },
    get version(): ClamdVersion | null {
      return version
    },
    /** When the last check began that it passed. */
    get passedAt(): number {
      return passedAt
    },
    /** Checks soon, because something looked wrong. */
    checkSoon(): void {
      if (isDoubted || problem !== null) return
      isDoubted = true
      pause.shorten(Math.max(0, checkedAt + RETRY_SILENT_MS - now()))
    },
    /** Opens the circuit: no documents until clamd passes a check, the first after `CIRCUIT_OPEN_MS`. */
    suspend(reason: Problem): void {
      suspendedAt = now()
      interruption.abort()
      become(reason)
      pause.shorten(CIRCUIT_OPEN_MS)
    },
    /** clamd answered a document correctly: if a check is slow, it is busy and not dead. */
    noteAnswer(): void {
      answeredAt = now()
    },
    /** Resolves after the first check, whatever its result. */
    first: first.promise,
    async close(): Promise<void> {
      pause.close()
      interruption.abort()
      await running
    },
  }
}

/** The large canaries are sent only when due: clients that hang up cause extra checks, which must not keep clamd busy. */
function createLargeCheck(endpoint: ClamdEndpoint) {
  /** `at`: the last that was answered; `sentAt`: the last that was sent. */
  let last: { at: number; sentAt: number; version: string; failure: CheckFailure | null } | null = null

  function isDue(startedAt: number, version: string): boolean {
    if (last === null || last.version !== version) return true
    const everyMs = last.failure ? LARGE_RETRY_WRONG_MS : CHECK_EVERY_MS
    // Timers may fire early, so a check that is due within the shortest pause is due now.
    return startedAt - last.sentAt >= everyMs - RETRY_SILENT_MS
  }

  return {
    async check(startedAt: number, version: ClamdVersion | null, signal: AbortSignal): Promise<CheckFailure | null> {
      const key = JSON.stringify(version)
      if (last && !isDue(startedAt, key)) return last.failure
      const failure = await checkCanaries(endpoint, LARGE_CANARIES, signal)
      if (failure?.kind !== 'silent') last = { at: startedAt, sentAt: startedAt, version: key, failure }
      // Busy, or shutting down, which the small canaries will show: a recent pass still holds.
      else if (last && !last.failure && startedAt - last.at < LARGE_VALID_MS) {
        last = { ...last, sentAt: startedAt }
        return null
      }
      return failure
    },
    forget(): void {
      last = null
    },
    sentAt: () => last?.sentAt ?? null,
  }
}

/** A pause that can be shortened, and ends at once when it is closed. */
function createPause(now: () => number) {
  let isClosed = false
  let shorten: ((ms: number) => void) | null = null
  return {
    isClosed: () => isClosed,
    async until(at: number): Promise<void> {
      if (isClosed) return
      const { promise, resolve } = Promise.withResolvers<void>()
      let timer = setTimeout(resolve, at - now()).unref()
      shorten = (ms) => {
        clearTimeout(timer)
        // Without a timer at the end, because an unreferenced one may never fire.
        if (isClosed) resolve()
        else timer = setTimeout(resolve, ms).unref()
      }
      await promise
      shorten = null
      clearTimeout(timer)
    },
    shorten: (ms: number) => shorten?.(ms),
    close(): void {
      isClosed = true
      shorten?.(0)
    },
  }
}

function because(notice: string): Problem {
  return { notice, detail: notice }
}
