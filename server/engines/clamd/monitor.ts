/** Repeats the canary check of one clamd: documents go only to one that has passed it within the last minute. */
import { setTimeout as sleep } from 'node:timers/promises'
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
  const { now } = options
  const state = initialState(endpoint, options)
  const first = Promise.withResolvers<void>()
  const running = run(state, first.resolve)

  return {
    version: () => state.version,
    /** When the last check began that it passed. */
    passedAt: () => state.passedAt,
    /** Null: the clamd may be used. Otherwise why not. */
    problem(): Problem | null {
      if (state.problem !== null) return state.problem
      return now() - state.passedAt <= VALID_MS ? null : because('has not passed a canary check within the last minute')
    },
    /** Checks soon, because something looked wrong. */
    checkSoon(): void {
      if (state.isDoubted || state.problem !== null) return
      state.isDoubted = true
      state.nextAt = state.checkedAt + RETRY_SILENT_MS
      state.wake.abort()
    },
    /** Opens the circuit: no documents until clamd passes a check, the first after `CIRCUIT_OPEN_MS`. */
    suspend(reason: Problem): void {
      state.suspendedAt = now()
      state.nextAt = state.suspendedAt
      state.interruption.abort()
      become(state, reason)
      state.wake.abort()
    },
    /** clamd answered a document correctly: if a check is slow, it is busy and not dead. */
    noteAnswer(): void {
      state.answeredAt = now()
    },
    /** Resolves after the first check, whatever its result. */
    first: first.promise,
    async close(): Promise<void> {
      state.isClosed = true
      state.interruption.abort()
      state.wake.abort()
      await running
    },
  }
}

type State = ReturnType<typeof initialState>

function initialState(endpoint: ClamdEndpoint, options: MonitorOptions) {
  return {
    ...options,
    endpoint,
    large: createLargeCheck(endpoint),
    version: null as ClamdVersion | null,
    problem: because('has not passed a canary check yet') as Problem | null,
    passedAt: Number.NEGATIVE_INFINITY,
    answeredAt: Number.NEGATIVE_INFINITY,
    suspendedAt: Number.NEGATIVE_INFINITY,
    checkedAt: Number.NEGATIVE_INFINITY,
    nextAt: Number.NEGATIVE_INFINITY,
    isDoubted: false,
    isClosed: false,
    /** Ends the running check. */
    interruption: new AbortController(),
    /** Ends the pause between two checks, so that it is computed again. */
    wake: new AbortController(),
  }
}

async function run(state: State, onChecked: () => void): Promise<void> {
  const { now, log, endpoint } = state
  while (!state.isClosed) {
    const failure = await check(state).catch((error: unknown): CheckFailure => {
      log.error({ err: error, clamd: endpoint.url }, 'Canary check failed unexpectedly')
      const failure: CheckFailure = { kind: 'wrong', ...because('could not be checked') }
      become(state, failure)
      return failure
    })
    onChecked()
    state.nextAt = now() + pauseMs(state, failure)
    await pause(state)
  }
}

async function check(state: State): Promise<CheckFailure | null> {
  const startedAt = state.now()
  state.checkedAt = startedAt
  state.interruption = new AbortController()
  state.isDoubted = false
  const failure = await failureAt(state, startedAt)
  // It may come back with other settings.
  if (failure?.kind === 'gone') state.large.forget()
  const isOutdated = state.isClosed || state.suspendedAt >= startedAt
  const isBusy = failure?.kind === 'silent' && state.problem === null && state.answeredAt > startedAt
  if (isOutdated || isBusy) return failure
  if (!failure) state.passedAt = startedAt
  become(state, failure)
  return failure
}

async function failureAt(state: State, startedAt: number): Promise<CheckFailure | null> {
  const { endpoint, signaturesAgeMaxHours, large } = state
  const { signal } = state.interruption
  const about = await checkVersion(endpoint, signaturesAgeMaxHours, signal)
  state.version = about.version ?? state.version
  const failure = about.failure ?? (await checkCanaries(endpoint, SMALL_CANARIES, signal))
  if (failure) return failure
  // Already now, because the large canaries may take until after the end of the minute.
  if (state.problem === null) state.passedAt = startedAt
  return large.check(startedAt, state.version, signal)
}

function become(state: State, next: Problem | null): void {
  const { log, endpoint, version } = state
  if (next?.detail === state.problem?.detail) return
  state.problem = next
  if (next === null) log.info({ clamd: endpoint.url, version }, 'clamd passed the canary check')
  else log.warn({ clamd: endpoint.url, detail: next.detail }, 'clamd is not in use')
  state.onChange()
}

function pauseMs({ large, checkedAt, isDoubted, now }: State, failure: CheckFailure | null): number {
  if (failure) return failure.kind === 'wrong' ? RETRY_WRONG_MS : RETRY_SILENT_MS
  const dueAt = (large.sentAt() ?? checkedAt) + CHECK_EVERY_MS
  return isDoubted ? RETRY_SILENT_MS : Math.max(RETRY_SILENT_MS, dueAt - now())
}

async function pause(state: State): Promise<void> {
  // Nothing shortens the time for which an open circuit is left alone.
  const restMs = () => Math.max(state.nextAt, state.suspendedAt + CIRCUIT_OPEN_MS) - state.now()
  while (!state.isClosed && restMs() > 0) {
    state.wake = new AbortController()
    await sleep(restMs(), undefined, { signal: state.wake.signal, ref: false }).catch(() => {})
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

function because(notice: string): Problem {
  return { notice, detail: notice }
}
