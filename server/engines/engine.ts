/** The interface of a scan engine. */
import type { Obstacle as DocumentObstacle, DocumentText, Finding } from '#inspect/inspect.ts'
import type { Whole } from './sample.ts'

export type { DocumentText }

/** Why a document cannot be scanned completely. */
export type Obstacle = DocumentObstacle['reason']

export type Outcome = Conclusion & {
  /** Everything that the engine recognised, the worst first. Only the conclusion decides. */
  findings?: readonly Finding[]
  /** If it was wanted. It is content of the document: never logged or stored. */
  text?: DocumentText
}

type Conclusion =
  /** Every byte was scanned and nothing was found. Nothing else means this. */
  | { kind: 'clean' }
  /** `path` leads from the document to the part that contains the threat; empty for the document itself. */
  /** `beneath`: the outcome if the threats were none; absent for an engine that stops at the first threat. */
  | { kind: 'detected'; threat: string; path: readonly string[]; beneath?: Outcome }
  /** `isCrash`: the engine knows nothing about the document, so that no policy may make it clean. */
  /** `endedWorker`: this scan cost a worker; a document that is known to do so is refused without one. */
  /** `isLocked`: the right password would open it for this engine. */
  /** `isOther`: the engine has no format for it; it searched every byte and found nothing. */
  | {
      kind: 'unscannable'
      obstacle: Obstacle
      detail: string
      isCrash?: true
      endedWorker?: boolean
      isLocked?: true
      isOther?: true
    }
  /** Down, late, crashed, or an invalid response. `detail` is for the log, never for the client. */
  | { kind: 'failed'; late: boolean; detail: string }

interface EngineVersion {
  version: string | null
  /** Version or number of the signatures. */
  signatures: string | null
}

export interface EngineHealth extends EngineVersion {
  name: string
  status: 'UP' | 'DOWN'
  signaturesAt: string | null
  /** For operators: why it is down, its sandbox, the rule files and the policy that are not in use. */
  detail: string | null
  /** It is up, but with a weaker sandbox than intended, or without rule files or a policy of the operator. */
  isDegraded?: true
  /** The SHA-256 of the operator's policy. Absent: the engine has none. */
  policy?: string
  /** The SHA-256 of the rule files in force. Absent: the engine takes none. */
  rules?: string
  /** The rules of the update channel. Absent: there is none, and none were imported. */
  updates?: {
    channel: string | null
    version: number | null
    publishedAt: string | null
    rulesAgeHours: number | null
  }
}

export interface WorkerCount {
  ready: number
  /** As many as there should be. */
  size: number
}

interface WorkerStats extends WorkerCount {
  /** Scans that wait for a worker. */
  queued: number
  /** Workers started so far, replacements included. */
  started: number
  /** Absent without an update channel. `isCurrent`: the newest set is in use, and the channel was read. */
  updates?: { version: number; isCurrent: boolean }
}

/** Messages of processes and replicas about documents that ended workers. */
interface EndingsSink {
  /** A worker here was ended by its limit of CPU time or memory. */
  note(sha256: string): void
}

export interface Engine {
  name: string
  /**
   * Settles soon after `signal` fires. Never rejects: everything unexpected is
   * `failed`. When it is busy, the account that has used it least lately comes first; scans without an account count as
   * one account.
   */
  inspect(document: Whole, signal: AbortSignal, accountId?: string, address?: string): Promise<Outcome>
  /** As of the last self-test or canary check, at most a minute old. `elsewhere`: the workers of other processes. */
  health(elsewhere?: WorkerCount): EngineHealth
  /** The part of the health that the record of a scan needs. */
  version(): EngineVersion
  /** Only for an engine with workers of its own. */
  stats?(): WorkerStats
  /** Likewise. Returns a function that refuses a document for a time because it ended workers elsewhere. */
  shareEndings?(sink: EndingsSink): (sha256: string, ms: number) => void
  close(): Promise<void>
}

export function failed(detail: string, late = false): Outcome {
  return { kind: 'failed', late, detail }
}
