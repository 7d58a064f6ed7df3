/** What an engine is: it looks at a whole document and says one of four things, or its clock runs out. */
import type { Sample } from './sample.ts'

/** Why a document cannot be looked into completely. */
export type Obstacle = 'encrypted' | 'too_complex' | 'damaged'

export type Outcome =
  /** It looked at every byte and found nothing. Nothing else means this. */
  | { kind: 'clean' }
  /** `path` leads from the document to the part that holds the threat, outermost first; empty for the document itself. */
  | { kind: 'detected'; threat: string; path: readonly string[] }
  | { kind: 'unscannable'; obstacle: Obstacle; detail: string }
  /** Down, late, crashed, or an answer that makes no sense. `detail` is for the log, never for the client. */
  | { kind: 'failed'; late: boolean; detail: string }

export interface EngineHealth {
  name: string
  status: 'UP' | 'DOWN'
  version: string | null
  /** The version or count of what it detects by. */
  signatures: string | null
  signaturesAt: string | null
  /** In words, for operators: why it is down, how it is isolated, which rule file is bad. */
  detail: string | null
}

export interface Engine {
  name: string
  /**
   * Reads the sample while it arrives. Settles soon after `signal` fires, whatever the engine is doing. Never rejects:
   * everything unexpected is `failed`.
   */
  inspect(sample: Sample, signal: AbortSignal): Promise<Outcome>
  /** As of the last proof, at most a minute old. */
  health(): EngineHealth
  close(): Promise<void>
}
