/** Turns the reports of all engines into one verdict. The only module that can produce `clean`. */
import { PASSWORD_FIELD } from '#base/document-limit.ts'
import { AppError, type ErrorCode } from '#base/errors.ts'
import type { Obstacle, Outcome } from '#engines/engine.ts'
import type { EngineReport } from '#engines/panel.ts'

type Verdict =
  | { kind: 'clean' }
  | { kind: 'infected'; threat: string; engine: string; path: readonly string[] }
  | { kind: 'unscannable'; obstacle: Obstacle; detail: string; engine: string; isLocked: boolean }
  | { kind: 'failed'; late: boolean; engines: readonly string[] }

/** The operator's policy for documents that cannot be fully scanned. */
export type UnscannablePolicy = 'refuse' | 'infected' | 'clean'

/** The refusal for an obstacle, and the threat that is reported under the policy `infected`. */
const OBSTACLES: Record<Obstacle, { code: ErrorCode; threat: string }> = {
  encrypted: { code: 'encrypted_document', threat: 'Docvet.Unscannable.Encrypted' },
  too_complex: { code: 'document_too_complex', threat: 'Docvet.Unscannable.TooComplex' },
  damaged: { code: 'damaged_document', threat: 'Docvet.Unscannable.Damaged' },
}

const ofKind = <K extends EngineReport['outcome']['kind']>(reports: readonly EngineReport[], kind: K) =>
  reports.filter((report): report is EngineReport & { outcome: { kind: K } } => report.outcome.kind === kind)

/**
 * A threat outweighs everything; then a failure, because that engine could have found one; then an obstacle. `clean`
 * needs an explicit `clean` from every required engine.
 */
export function decide(
  reports: readonly EngineReport[],
  required: readonly string[],
  policy: UnscannablePolicy = 'refuse',
): Verdict {
  const [detected] = ofKind(reports, 'detected')
  if (detected) {
    const { threat, path } = detected.outcome
    return { kind: 'infected', threat, path, engine: detected.engine }
  }
  const failed = ofKind(reports, 'failed')
  const missing = required.filter((name) => !reports.some((report) => report.engine === name))
  if (failed.length > 0 || missing.length > 0 || required.length === 0) {
    const late = failed.length > 0 && failed.every(({ outcome }) => outcome.late) && missing.length === 0
    return { kind: 'failed', late, engines: [...failed.map(({ engine }) => engine), ...missing] }
  }
  const obstacles = ofKind(reports, 'unscannable')
  const crash = obstacles.find(({ outcome }) => outcome.isCrash)
  // With a password, only the other obstacle would remain.
  const unscannable = crash ?? obstacles.find(({ outcome }) => !outcome.isLocked) ?? obstacles[0]
  if (unscannable && (policy !== 'clean' || crash)) {
    const { obstacle, detail, isLocked = false } = unscannable.outcome
    if (policy !== 'infected') return { kind: 'unscannable', obstacle, detail, isLocked, engine: unscannable.engine }
    return { kind: 'infected', threat: OBSTACLES[obstacle].threat, path: [], engine: unscannable.engine }
  }
  // Checked kind by kind: an outcome of a kind that is added later is not clean.
  const clean = reports.every(
    ({ outcome }) => outcome.kind === 'clean' || (outcome.kind === 'unscannable' && policy === 'clean'),
  )
  return clean ? { kind: 'clean' } : { kind: 'failed', late: false, engines: reports.map(({ engine }) => engine) }
}

/** The operator's policy for content that is no document. Undefined where it is refused. */
export interface OtherContent {
  /** Families of media types, such as `image`, that pass without an inspection, at the operator's own risk. */
  pass: readonly string[]
  /** The rest is inspected by the engine that reads any file. */
  isInspected: boolean
}

/** Content that is reported as clean without an inspection, because `OtherContent.pass` names it. Nothing is charged. */
export class PassedContent extends Error {
  constructor(type: string) {
    super(`Content of the type ${type} passes without an inspection`)
    this.name = 'PassedContent'
  }
}

/** Reads every file completely, whatever its format. */
const READS_ANY_FILE = 'clamd'

/**
 * The reports on content that is no document: an engine that has no format for it counts as clean, but only if the one that
 * reads any file reports clean.
 */
export function countedOther(reports: readonly EngineReport[]): readonly EngineReport[] {
  if (!reports.some(({ engine, outcome }) => engine === READS_ANY_FILE && outcome.kind === 'clean')) return reports
  const isOther = ({ outcome }: EngineReport) => outcome.kind === 'unscannable' && outcome.isOther
  return reports.map((report): EngineReport => (isOther(report) ? { ...report, outcome: { kind: 'clean' } } : report))
}

/** The threat of a document that contains a program. Of content that is a program, it says nothing. */
const OWN_KIND = 'Docvet.Embedded.Executable'

/** The outcome for content that is no document, without the threat that it is a program. */
export function withoutOwnKind(outcome: Outcome): Outcome {
  if (outcome.kind !== 'detected' || outcome.beneath === undefined) return outcome
  const others = (outcome.findings ?? []).filter(({ severity }) => severity === 'malicious')
  const isOwnKind = ({ id, path }: { id: string; path: readonly string[] }) => id === OWN_KIND && path.length === 0
  return isOwnKind({ id: outcome.threat, path: outcome.path }) && others.every(isOwnKind) ? outcome.beneath : outcome
}

/** Engines that fail are usually replaced within seconds. */
const RETRY_SECONDS = 5
const RETRY = 'Retry after the interval in `Retry-After`.'

const NO_VERDICT = 'No verdict was delivered, and nothing was charged.'

function encryptedDocument(detail: string, isLocked: boolean, hasPassword: boolean): AppError {
  const error = (text: string, message?: string) =>
    new AppError(
      'encrypted_document',
      `${text} ${NO_VERDICT}`,
      message === undefined ? {} : { errors: [{ field: 'password', message }] },
    )
  if (!isLocked) return error(`${detail} ${NO_PASSWORD}`)
  if (hasPassword) return error(WRONG_PASSWORD, 'does not open this document')
  return error(`${detail} ${SEND_PASSWORD}`, 'is required to open this document')
}

const SEND_PASSWORD = `Send its password ${PASSWORD_FIELD}, or a copy without one.`
const WRONG_PASSWORD = `The password ${PASSWORD_FIELD} does not open this document, or only a part of it.`
const NO_PASSWORD =
  'This service cannot open this kind of encryption, even with a password. Send a copy that is not encrypted.'

/** Throws the refusal for a verdict that cannot be delivered. */
export function requireDeliverable(
  verdict: Verdict,
  hasPassword: boolean,
): Extract<Verdict, { kind: 'clean' | 'infected' }> {
  if (verdict.kind === 'clean' || verdict.kind === 'infected') return verdict
  if (verdict.kind === 'unscannable') {
    const { obstacle, detail, isLocked } = verdict
    if (obstacle === 'encrypted') throw encryptedDocument(detail, isLocked, hasPassword)
    throw new AppError(OBSTACLES[obstacle].code, `${detail} ${NO_VERDICT}`)
  }
  const options = { retryAfterSeconds: RETRY_SECONDS }
  throw verdict.late
    ? new AppError('scan_timeout', `The scan did not finish in time, so there is no verdict. ${RETRY}`, options)
    : new AppError('engine_unavailable', `A required scan engine is unavailable. ${RETRY}`, options)
}
