/** What a child says about a document: made small by the child, and believed by the parent only if every field fits. */

export type Severity = 'malicious' | 'suspicious' | 'notice'

export interface Finding {
  id: string
  severity: Severity
  title: string
  reason: string
  technique: string | null
  path: readonly string[]
  detail: string | null
}

export interface Report {
  kind: string | null
  type: string
  findings: readonly Finding[]
  obstacle: { reason: 'encrypted' | 'too_complex' | 'damaged'; detail: string; path: readonly string[] } | null
  bytesInspected: number
  entries: number
}

export interface Answer {
  bytes: number
  /** Of the bytes that the child received, in hex. */
  sha256: string
  report: Report
  /** Of the whole process since its start: what it is recycled by. */
  rssBytes: number
  cpuMs: number
}

/** With these, the largest answer stays below the bound of its frame, even if every character has to be escaped. */
const FINDINGS_MAX = 100
const TEXT_MAX = 512
const PATH_MAX = 20
const NAME_MAX = 255

const SEVERITIES: readonly unknown[] = ['malicious', 'suspicious', 'notice'] satisfies Severity[]
const OBSTACLES: readonly unknown[] = ['encrypted', 'too_complex', 'damaged']

/** Names inside a document are an attacker's to choose; an answer must not grow with them. The worst findings stay. */
export function condense(report: Report): Report {
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
  // The id is shown to clients as the name of the threat.
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
