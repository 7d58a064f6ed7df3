/** The result of one file. */
import { basename } from 'node:path'
import { isCompiledProgram, isDisguisedProgram } from '#base/disguised-program.ts'
import type { Outcome } from '#engines/engine.ts'
import type { FileError, Identity } from './files.ts'
import type { FailOn } from './options.ts'

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

/** A result, and what is done with it but not printed. */
export interface Scanned {
  result: Result
  /** Of the bytes that were scanned; null where there is no such file. */
  identity: Identity | null
  location: string | Buffer
  /** The scan failed for a reason that is not in the file. */
  isFailure: boolean
}

const UNREAD = { threat: null, sha256: null, size: null, detectedType: null, durationMs: 0, findings: [] } as const

const OBSTACLE_CODES = {
  encrypted: 'encrypted_document',
  too_complex: 'document_too_complex',
  damaged: 'damaged_document',
} as const

const USE_PASSWORD = 'Give its password with --password.'
const WRONG_PASSWORD = 'The password does not open this file, or only a part of it.'

export function unreadResult(path: string, { code, message }: Pick<FileError, 'code' | 'message'>): Result {
  return { path, verdict: 'error', ...UNREAD, error: { code, message } }
}

interface About extends Pick<Result, 'path' | 'durationMs'> {
  sha256: string
  size: number
  detectedType: string
  isAccepted: boolean
}

/** A threat counts also in a file of a type that is not accepted. */
export function resultOf({ isAccepted, ...about }: About, outcome: Outcome, hasPassword: boolean): Result {
  const known = { ...about, threat: null, findings: outcome.findings ?? [], error: null }
  if (isPlainProgram(about, outcome)) return { ...unsupported(known), findings: known.findings.filter(isNoProgram) }
  if (outcome.kind === 'detected') return { ...known, verdict: 'infected', threat: outcome.threat }
  if (!isAccepted) return unsupported(known)
  if (outcome.kind === 'unscannable') {
    const { obstacle, detail, isLocked } = outcome
    const message = isLocked ? (hasPassword ? WRONG_PASSWORD : `${detail} ${USE_PASSWORD}`) : detail
    const error = { code: OBSTACLE_CODES[obstacle], message }
    return { ...known, verdict: 'error', error }
  }
  if (outcome.kind === 'clean') return { ...known, verdict: 'clean' }
  return { ...known, verdict: 'error', error: { code: 'engine_unavailable', message: outcome.detail } }
}

function unsupported(known: Omit<Result, 'verdict'>): Result {
  const message = `Not a document that can be scanned (${known.detectedType})`
  return { ...known, verdict: 'error', error: { code: 'unsupported_content_type', message } }
}

/** What a program is found for that stands where a document should be. */
const PROGRAM = 'Docvet.Embedded.Executable'

const isNoProgram = ({ id, path }: Result['findings'][number]): boolean => id !== PROGRAM || path.length > 0

/** A program that neither poses as a document nor has another threat: it is what its name says. */
function isPlainProgram({ path, detectedType }: Pick<About, 'path' | 'detectedType'>, outcome: Outcome): boolean {
  if (outcome.kind !== 'detected' || outcome.threat !== PROGRAM || !isCompiledProgram(detectedType)) return false
  if (isDisguisedProgram(detectedType, { fileName: basename(path), declaredType: null })) return false
  return (outcome.findings ?? []).every((finding) => finding.severity === 'notice' || !isNoProgram(finding))
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
  /** Only where the scan was: there may be files that are not counted. */
  interrupted?: true
}

/** A threat outweighs everything that was not scanned. `failures`: for reasons that are not in the files. */
export function exitCodeOf({ infected, errors }: Summary, failures: number, failOn: FailOn): number {
  if (infected > 0 && failOn !== 'never') return 1
  return (failOn === 'any' ? errors : failures) > 0 ? 2 : 0
}
