/** The port for work that outlives its request: stored with what causes it, run by any process, repeated until it succeeds. */
import type { Trx } from '#storage/database.ts'

/** One constant per kind, known to everyone who posts or runs it. */
export interface JobKind<Data extends object = object> {
  /** Stored. Letters, digits, hyphens and underscores. */
  name: string
  /** Of one attempt. Another process takes the job over after twice this time, or by `heartbeatMs`. */
  deadlineMs: number
  /** For long attempts: the process that runs one says so again and again, or is taken for dead after this time. */
  heartbeatMs?: number
  attemptsMax: number
  /** Until the next attempt, after this many. */
  delayMs: (attempts: number) => number
  /** At once in one process. */
  parallelMax: number
  /**
   * An attempt that waits for others (`waitFor`) longer than `promptMs` gives its place to another one, and further jobs of its
   * group have no such place for some minutes. All of these share `lateMax` others in one process; beyond that, the oldest one of
   * the owner who has most of them is asked to end.
   */
  patience?: { promptMs: number; lateMax: number }
  /**
   * Nobody waits for it: where somebody waits for something else, one job begins at each turn, and other machines run the rest. In a
   * process that somebody waits for, one begins after so many turns.
   */
  yields?: number
  /** At once in all processes for one group; no limit if it is missing. Owners that run least, and have lately, are served first. */
  perGroupMax?: number
  /**
   * At once in all processes for one owner, whose groups are named `owner/group`: `max`, of which `free` for any of its groups, and
   * the others for the first one of a group, so that a slow group does not stop the other groups of its owner.
   */
  perOwner?: { max: number; free: number }
  /** Only a type: nothing has this property. */
  readonly data?: Data
}

/** Of a group. */
export const ownerOf = (group: string | null): string | null => group?.split('/', 1)[0] ?? null

/** How often it says so. Two may be late. */
export const HEARTBEATS = 3

/** The engine keeps leases in whole seconds. */
export const leaseSeconds = ({ deadlineMs }: JobKind): number => Math.max(1, Math.ceil((2 * deadlineMs) / 1_000))

/** Which groups of a kind are asked for: those listed, or all others. */
export interface Lane {
  groups: readonly string[]
  isListed: boolean
  /** Jobs that an owner is taken to run in addition, because it has run many lately. */
  used?: Readonly<Record<string, number>>
}

export interface PostOptions {
  /** Skips this job while another one of its kind with the same key waits or runs. */
  key?: string
  /** Jobs of one group share `perGroupMax`, such as those for one receiver. */
  group?: string
  delayMs?: number
}

export interface Job<Data extends object = object> {
  /** The same for every attempt. */
  id: string
  data: Data
  createdAt: number
  /** Including the current one. */
  attempts: number
  /**
   * Ends the job in the transaction of its effects, so that they happen once. False if another process took the job over:
   * roll back then. A handler that does not call it has its job ended after it returned.
   */
  finish(trx: Trx): Promise<boolean>
  /** Aborts when others need the place of an attempt that takes long: end it as one that failed. */
  hurry: AbortSignal
  /** Counts the time of this work for `patience`: that of somebody else, and not what this service takes. */
  waitFor<T>(work: () => Promise<T>): Promise<T>
  /** Throws once the deadline has passed, also right after a pause of the process, when no timer has run yet. */
  requireTime(): void
}

/** Other than success. The reason is stored without links and addresses. */
type Ending = { giveUp: string } | { retryInMs: number; reason: string }

/**
 * Runs at least once: after a crash or a pause of its process also twice, even at the same time. It is done when it returns
 * nothing; when it throws, it is repeated after the delay of its kind, and given up after the last attempt. The signal aborts
 * at the deadline and at shutdown; what goes on after it has no effect on the job.
 */
export type Handler<Data extends object> = (job: Job<Data>, signal: AbortSignal) => Promise<Ending | undefined>

export type JobState = 'waiting' | 'running' | 'failed'

interface ListedJob {
  id: string
  kind: string
  state: JobState
  createdAt: number
  attempts: number
  dueAt: number
  failedAt: number | null
  lastError: string | null
  data: object
}

interface JobFilter {
  kind?: string
  state?: JobState
  /** Values of which at least one is a string in the data. */
  texts?: readonly string[]
}

interface JobDepth {
  kind: string
  waiting: number
  /** Of those that wait: more processes would help. */
  due: number
  running: number
  failed: number
  /** How long the job that has been due longest has been waiting. */
  oldestMs: number
}

/** Also of kinds without jobs. */
export const depthOf = (kinds: readonly JobKind[], found: readonly JobDepth[]): JobDepth[] => [
  ...found,
  ...kinds
    .filter(({ name }) => found.every(({ kind }) => kind !== name))
    .map(({ name }) => ({ kind: name, waiting: 0, due: 0, running: 0, failed: 0, oldestMs: 0 })),
]

/** The claim of a process while it runs a job. */
export interface ClaimedJob {
  id: string
  /** Parsed JSON. */
  data: object
  createdAt: number
  attempts: number
  group: string | null
  /** Distinguishes this attempt from those of other processes. */
  claim: string
}

export interface FailedJob {
  kind: string
  data: object
}

/** What follows a job that has failed, so that nobody waits for it. */
export type OnFailed = (trx: Trx, job: FailedJob) => Promise<void>

/** Why a job failed whose last attempt nobody ended. */
export const PROCESS_ENDED = 'The process ended during the last attempt'

interface NewJob extends PostOptions {
  id: string
  data: object
}

/** The engine. Whatever changes a claimed job returns false if another process took it over. */
export interface JobStore {
  /** In one statement. Returns their ids, without those whose key belongs to a job that waits or runs. */
  post(trx: Trx, kind: Pick<JobKind, 'name'>, jobs: readonly NewJob[]): Promise<string[]>
  /** Oldest first. No other process gets them before the lease ends. Lanes are for kinds with `perGroupMax`. */
  claim(kind: JobKind, max: number, lane?: Lane): Promise<ClaimedJob[]>
  /** A heartbeat. */
  renew(kind: JobKind, job: ClaimedJob): Promise<boolean>
  /** Deletes a job that is done; null for a transaction of its own. */
  done(trx: Trx | null, kind: JobKind, job: ClaimedJob): Promise<boolean>
  /** Fails after the last attempt. */
  retry(trx: Trx, kind: JobKind, job: ClaimedJob, delayMs: number, reason: string): Promise<boolean>
  /** Keeps the job as failed, and frees its key. */
  giveUp(trx: Trx, kind: JobKind, job: ClaimedJob, reason: string): Promise<boolean>
  /** Returns a job that was not tried: the attempt does not count. */
  giveBack(trx: Trx, kind: JobKind, job: ClaimedJob): Promise<boolean>
  /** Frees jobs whose lease has ended, and deletes those that failed long ago. */
  sweep(): Promise<void>
  /** Fails at most `max` jobs whose process was lost in the last attempt. Each is returned once. */
  failLost(trx: Trx, max: number): Promise<(FailedJob & { id: string })[]>
  depth(): Promise<JobDepth[]>
  /** Oldest first. */
  list(filter: JobFilter, max: number): Promise<ListedJob[]>
  /** Makes a failed or waiting job due, with all attempts. Null if there is none, or it runs. */
  rerun(trx: Trx, id: string): Promise<FailedJob | null>
  /** Deletes and returns a failed or waiting job. Null if there is none, or it runs. */
  drop(trx: Trx, id: string): Promise<FailedJob | null>
  /** Deletes jobs with one of these texts as a value in their data. */
  erase(trx: Trx, kind: JobKind, texts: readonly string[]): Promise<void>
  close(): Promise<void>
}
