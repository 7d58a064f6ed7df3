import type { ApiProblem } from '../api/problem.ts'
import type { ScanResult } from '../api/schema.ts'
import { type Outcome, outcomeOf } from '../verdict/outcome.ts'

/** A document on its way to a verdict. */
export interface ScanItem {
  id: number
  file: File
  /** Of the file, without characters that would show it as another one. */
  name: string
  /** To open it. */
  password?: string
  progress: Progress
}

type Progress =
  | { phase: 'waiting' }
  | { phase: 'uploading'; loadedBytes: number }
  | { phase: 'scanning' }
  /** Over the rate limit of the plan; it is sent again. */
  | { phase: 'paused' }
  | { phase: 'done'; result: ScanResult }
  /** Refused or failed: there is no verdict. */
  | { phase: 'refused'; problem: ApiProblem }

export const isOpen = ({ progress }: ScanItem): boolean => progress.phase !== 'done' && progress.phase !== 'refused'

/** Null while it is open. */
export function outcomeOfItem({ progress }: ScanItem): Outcome | null {
  if (progress.phase === 'done') return outcomeOf(progress.result)
  return progress.phase === 'refused' ? 'none' : null
}
