/** Collects the findings and obstacles of one document. */

import type { Finding, Obstacle, Severity } from './findings.ts'
import { FINDINGS_MAX } from './limits.ts'

export interface Conclusion {
  addFinding(finding: Finding): void
  addObstacle(obstacle: Obstacle): void
  /** The most severe first. */
  findings(): Finding[]
  obstacle(): Obstacle | null
}

const TEST_PREFIX = 'Docvet.Test.'

const SEVERITIES: readonly Severity[] = ['malicious', 'suspicious', 'notice']

// Only one obstacle is reported. An operator may accept a reason, most likely `encrypted`, which must not mask another.
const REASONS: readonly Obstacle['reason'][] = ['too_complex', 'damaged', 'encrypted']

export function createConclusion(): Conclusion {
  const bySeverity: Record<Severity, Map<string, Finding>> = {
    malicious: new Map(),
    suspicious: new Map(),
    notice: new Map(),
  }
  let obstacle: Obstacle | null = null

  return {
    addFinding(finding) {
      const known = bySeverity[finding.severity]
      const key = JSON.stringify([finding.id, finding.path])
      if (known.size < FINDINGS_MAX && !known.has(key)) known.set(key, finding)
    },
    addObstacle(found) {
      if (obstacle === null || REASONS.indexOf(found.reason) < REASONS.indexOf(obstacle.reason)) obstacle = found
    },
    findings: () =>
      withoutEchoes(SEVERITIES.flatMap((severity) => [...bySeverity[severity].values()]))
        // The test file names the threat, however it is attached.
        .sort((a, b) => Number(b.id.startsWith(TEST_PREFIX)) - Number(a.id.startsWith(TEST_PREFIX)))
        .slice(0, FINDINGS_MAX),
    obstacle: () => obstacle,
  }
}

/** Content stored uncompressed also matches in its container. Only the innermost finding is kept. */
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
