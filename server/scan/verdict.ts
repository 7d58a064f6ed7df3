/** Turns the reports of all engines into one verdict. The only module that can produce `clean`. */
import { AppError, type ErrorCode } from '#base/errors.ts'
import type { Obstacle } from '#engines/engine.ts'
import type { Report } from '#engines/panel.ts'

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

const ofKind = <K extends Report['outcome']['kind']>(reports: readonly Report[], kind: K) =>
  reports.filter((report): report is Report & { outcome: { kind: K } } => report.outcome.kind === kind)

/**
 * A threat outweighs everything; then a failure, because that engine could have found one; then an obstacle. `clean`
 * needs an explicit `clean` from every required engine.
 */
export function decide(
  reports: readonly Report[],
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

const SEND_PASSWORD = 'Send its password in the form field `password`, or a copy without one.'
const WRONG_PASSWORD = 'The password in the form field `password` does not open this document, or only a part of it.'
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
