/** Collects what is found in one document, and what kept us from looking. */

import type { Finding, Obstacle, Severity } from './findings.ts'
import { FINDINGS_MAX } from './limits.ts'

export interface Report {
  add(finding: Finding): void
  hinder(obstacle: Obstacle): void
  findings(): Finding[]
  obstacle(): Obstacle | null
}

const SEVERITIES: readonly Severity[] = ['malicious', 'suspicious', 'notice']

// Only one obstacle is told. An operator may decide to let a reason pass, most likely `encrypted`: that must not cover
// up another one.
const REASONS: readonly Obstacle['reason'][] = ['too_complex', 'damaged', 'encrypted']

export function createReport(): Report {
  const bySeverity: Record<Severity, Map<string, Finding>> = {
    malicious: new Map(),
    suspicious: new Map(),
    notice: new Map(),
  }
  let obstacle: Obstacle | null = null

  return {
    add(finding) {
      const known = bySeverity[finding.severity]
      const key = JSON.stringify([finding.id, finding.path])
      if (known.size < FINDINGS_MAX && !known.has(key)) known.set(key, finding)
    },
    hinder(found) {
      if (obstacle === null || REASONS.indexOf(found.reason) < REASONS.indexOf(obstacle.reason)) obstacle = found
    },
    findings: () =>
      withoutEchoes(SEVERITIES.flatMap((severity) => [...bySeverity[severity].values()])).slice(0, FINDINGS_MAX),
    obstacle: () => obstacle,
  }
}

/** What is stored as it is, is seen in the container too. The innermost place says most. */
function withoutEchoes(findings: Finding[]): Finding[] {
  return findings.filter(
    (outer) =>
      !findings.some(
        (inner) =>
          inner.id === outer.id &&
          inner.path.length > outer.path.length &&
          outer.path.every((name, i) => name === inner.path[i]),
      ),
  )
}
