/** The result of one file. */
import type { Outcome } from '#engines/engine.ts'
import type { FileError } from './files.ts'

export interface Result {
  path: string
  verdict: 'clean' | 'infected' | 'empty' | 'error'
  threat: string | null
  sha256: string | null
  size: number | null
  detectedType: string | null
  durationMs: number
  findings: NonNullable<Outcome['findings']>
  error: { code: string; message: string } | null
}

const UNREAD = { threat: null, sha256: null, size: null, detectedType: null, durationMs: 0, findings: [] } as const

const OBSTACLE_CODES = {
  encrypted: 'encrypted_document',
  too_complex: 'document_too_complex',
  damaged: 'damaged_document',
} as const

const USE_PASSWORD = 'Give its password with --password.'
const WRONG_PASSWORD = 'The password does not open this file, or only a part of it.'

export function unreadResult(path: string, { code, message }: FileError): Result {
  return { path, verdict: 'error', ...UNREAD, error: { code, message } }
}

interface Scanned extends Pick<Result, 'path' | 'durationMs'> {
  sha256: string
  size: number
  detectedType: string
  isAccepted: boolean
}

/** A threat counts also in a file of a type that is not accepted. */
export function resultOf({ isAccepted, ...scanned }: Scanned, outcome: Outcome, hasPassword: boolean): Result {
  const known = { ...scanned, threat: null, findings: outcome.findings ?? [], error: null }
  if (outcome.kind === 'detected') return { ...known, verdict: 'infected', threat: outcome.threat }
  if (!isAccepted) {
    const message = `Not a document that can be scanned (${scanned.detectedType})`
    return { ...known, verdict: 'error', error: { code: 'unsupported_content_type', message } }
  }
  if (outcome.kind === 'unscannable') {
    const { obstacle, detail, isLocked } = outcome
    const message = isLocked ? (hasPassword ? WRONG_PASSWORD : `${detail} ${USE_PASSWORD}`) : detail
    const error = { code: OBSTACLE_CODES[obstacle], message }
    return { ...known, verdict: 'error', error }
  }
  if (outcome.kind === 'clean') return { ...known, verdict: 'clean' }
  return { ...known, verdict: 'error', error: { code: 'engine_unavailable', message: outcome.detail } }
}

export function emptyResult(path: string): Result {
  return { path, verdict: 'empty', ...UNREAD, size: 0, error: null }
}

export interface Summary {
  files: number
  clean: number
  infected: number
  empty: number
  errors: number
  durationMs: number
}

/** A threat outweighs everything that was not scanned. */
export function exitCodeOf({ infected, errors }: Summary): number {
  if (infected > 0) return 1
  return errors > 0 ? 2 : 0
}
