/** A worker's answer: made small in the worker, validated in the parent, and turned into the engine's outcome. */
import type { Outcome } from '#engines/engine.ts'
import type { Whole } from '#engines/sample.ts'
import type { Finding, Inspection } from '#inspect/inspect.ts'
import type { Frame } from './protocol.ts'

/** An `Inspection` as validated by the parent, which accepts any text as kind. */
export type Report = Omit<Inspection, 'kind'> & { kind: string | null }

export interface Answer {
  bytes: number
  /** Of the bytes that the worker received, in hex. */
  sha256: string
  report: Report
  /** Of the whole process since its start; workers are recycled by them. */
  rssBytes: number
  cpuMs: number
}

/** `died`: exited without an answer. `threw`: the analyser did. `broken`: an invalid response. */
export interface Failure {
  kind: 'died' | 'threw' | 'broken' | 'late'
  detail: string
}

type Answered = { kind: 'answered'; answer: Answer }

/** `withdrawn`: the document was disposed before the worker had all of it; the worker itself is fine. */
export type Reply = Answered | Failure | { kind: 'withdrawn'; detail: string }

export type Sensitivity = 'standard' | 'strict'

/** With these, the largest answer fits into its frame even if every character has to be escaped. */
const FINDINGS_MAX = 100
const TEXT_MAX = 512
const PATH_MAX = 20
const NAME_MAX = 255

const SEVERITIES: readonly unknown[] = ['malicious', 'suspicious', 'notice'] satisfies Finding['severity'][]
const OBSTACLES: readonly unknown[] = ['encrypted', 'too_complex', 'damaged']

/** Bounds the answer, because an attacker chooses the names inside a document. Keeps the worst findings. */
export function condense(report: Inspection): Report {
  const worstFirst = [...report.findings].sort(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  )
  const { obstacle } = report
  return {
    kind: report.kind === null ? null : clip(report.kind),
    type: clip(report.type),
    findings: worstFirst.slice(0, FINDINGS_MAX).map((finding) => ({
      id: clip(finding.id),
      severity: finding.severity,
      title: clip(finding.title),
      reason: clip(finding.reason),
      technique: finding.technique === null ? null : clip(finding.technique),
      path: clipPath(finding.path),
      detail: finding.detail === null ? null : clip(finding.detail),
    })),
    obstacle: obstacle && { reason: obstacle.reason, detail: clip(obstacle.detail), path: clipPath(obstacle.path) },
    bytesInspected: report.bytesInspected,
    entries: report.entries,
  }
}

function clip(text: string): string {
  return text.slice(0, TEXT_MAX)
}

function clipPath(path: readonly string[]): string[] {
  return path.slice(0, PATH_MAX).map((name) => name.slice(0, NAME_MAX))
}

/** An answer counts only if it is complete and about exactly the bytes that were sent. */
export function readReply({ kind, id, body }: Frame, sentId: number, { size, sha256 }: Whole): Answered | Failure {
  if (id !== sentId) return { kind: 'broken', detail: 'the answer is to another request' }
  if (kind === 'failure') return { kind: 'threw', detail: `the analyser threw: ${parseObject(body)?.message}` }
  if (kind !== 'answer') return { kind: 'broken', detail: `expected an answer, got a ${kind}` }
  const answer = parseAnswer(body)
  if (answer === null) return { kind: 'broken', detail: 'the answer has a wrong shape' }
  if (answer.bytes !== size) return { kind: 'broken', detail: `the worker counted ${answer.bytes} bytes, not ${size}` }
  if (answer.sha256 !== sha256) return { kind: 'broken', detail: 'the worker received other bytes' }
  return { kind: 'answered', answer }
}

/** `clean` only for a complete inspection of all `size` bytes that found nothing. */
export function outcomeOf(reply: Reply, size: number, sensitivity: Sensitivity): Outcome {
  if (reply.kind !== 'answered')
    return { kind: 'failed', late: reply.kind === 'late' || reply.kind === 'withdrawn', detail: reply.detail }
  const { kind, findings, obstacle, bytesInspected } = reply.answer.report
  const threat =
    findings.find(({ severity }) => severity === 'malicious') ??
    (sensitivity === 'strict' ? findings.find(({ severity }) => severity === 'suspicious') : undefined)
  // Before the obstacle: a threat that was found before the inspection stopped is still a threat.
  if (threat !== undefined) return { kind: 'detected', threat: threat.id, path: threat.path }
  if (obstacle !== null) return { kind: 'unscannable', obstacle: obstacle.reason, detail: obstacle.detail }
  // No format was inspected. Intake rejects such documents earlier.
  if (kind === null) return { kind: 'unscannable', obstacle: 'damaged', detail: 'The document type is unknown' }
  // Unpacked bytes count too, so there may be more; fewer mean that a part was skipped.
  if (bytesInspected < size)
    return { kind: 'failed', late: false, detail: `the analyser inspected ${bytesInspected} of ${size} bytes` }
  return { kind: 'clean' }
}

/** Null for anything but a complete answer of exactly this shape. */
export function parseAnswer(body: Buffer): Answer | null {
  const value = parseObject(body)
  if (value === null || !isReport(value.report)) return null
  const { bytes, sha256, report, rssBytes, cpuMs } = value
  if (!isCount(bytes) || !isCount(rssBytes) || !isCount(cpuMs)) return null
  return typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) ? { bytes, sha256, report, rssBytes, cpuMs } : null
}

/** Null for anything but a JSON object. */
export function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString())
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

function isReport(value: unknown): value is Report {
  return (
    isObject(value) &&
    isTextOrNull(value.kind) &&
    isText(value.type) &&
    Array.isArray(value.findings) &&
    value.findings.length <= FINDINGS_MAX &&
    value.findings.every(isFinding) &&
    (value.obstacle === null || isObstacle(value.obstacle)) &&
    isCount(value.bytesInspected) &&
    isCount(value.entries)
  )
}

function isFinding(value: unknown): boolean {
  if (!isObject(value)) return false
  const texts =
    isText(value.title) && isText(value.reason) && isTextOrNull(value.technique) && isTextOrNull(value.detail)
  // Clients see the id as the name of the threat.
  const named = isText(value.id) && /^[\x20-\x7e]+$/.test(value.id)
  return texts && named && SEVERITIES.includes(value.severity) && isPath(value.path)
}

function isObstacle(value: unknown): boolean {
  return isObject(value) && OBSTACLES.includes(value.reason) && isText(value.detail) && isPath(value.path)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= TEXT_MAX
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value)
}

function isPath(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length <= PATH_MAX &&
    value.every((name) => typeof name === 'string' && name.length <= NAME_MAX)
  )
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
