import type { ApiProblem } from '../api/problem.ts'
import type { ScanResult } from '../api/schema.ts'

/** A document on its way to a verdict. */
export interface ScanItem {
  id: number
  file: File
  /** To open it. */
  password?: string
  progress: Progress
}

type Progress =
  | { phase: 'waiting' }
  | { phase: 'uploading'; loadedBytes: number }
  | { phase: 'scanning' }
  | { phase: 'done'; result: ScanResult }
  /** Refused or failed: there is no verdict. */
  | { phase: 'refused'; problem: ApiProblem }

export const isRunning = ({ progress }: ScanItem): boolean =>
  progress.phase === 'uploading' || progress.phase === 'scanning'
