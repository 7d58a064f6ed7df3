/** Collects the findings and obstacles of one document. */

import type { Finding, Obstacle, Severity } from './findings.ts'
import { FINDINGS_MAX } from './limits.ts'

export interface Conclusion {
  addFinding(finding: Finding): void
  addObstacle(obstacle: Obstacle): void
  /** Findings with these ids do not count for a member, and neither do their echoes in its containers. */
  overrule(path: readonly string[], ids: readonly string[]): void
  /** The most severe first. */
  findings(): Finding[]
  obstacle(): Obstacle | null
}

const TEST_PREFIX = 'Docvet.Test.'

const SEVERITIES: readonly Severity[] = ['malicious', 'suspicious', 'notice']

// Only one obstacle is reported. An operator may accept a reason, most likely `encrypted`, which must not mask another.
const REASONS: readonly Obstacle['reason'][] = ['too_complex', 'damaged', 'encrypted']

export function createConclusion(): Conclusion {
  const bySeverity: Partial<Record<Severity, Map<string, Finding>>> = {}
  const ids = new Set<string>()
  const overruled: Located[] = []
  let obstacle: Obstacle | null = null

  return {
    overrule(path, ids) {
      if (overruled.length < OVERRULED_MAX) overruled.push(...ids.map((id) => ({ id, path })))
    },
    addFinding(finding) {
      const known = bySeverity[finding.severity] ?? new Map<string, Finding>()
      bySeverity[finding.severity] = known
      // The first of each id is always kept: to an operator, any of them may be the one that counts.
      if (known.size >= FINDINGS_MAX && ids.has(finding.id)) return
      const key = JSON.stringify([finding.id, finding.path])
      if (!known.has(key)) known.set(key, finding)
      ids.add(finding.id)
    },
    addObstacle(found) {
      if (obstacle === null || REASONS.indexOf(found.reason) < REASONS.indexOf(obstacle.reason)) obstacle = found
    },
    findings() {
      if (ids.size === 0) return []
      const all = SEVERITIES.flatMap((severity) => [...(bySeverity[severity]?.values() ?? [])])
      // The test file names the threat, however it is attached.
      const rank = ({ id }: Finding): number => (id.startsWith(TEST_PREFIX) ? 0 : 1)
      return firstOfEachId(withoutEchoes(all, overruled).sort((a, b) => rank(a) - rank(b)))
    },
    obstacle: () => obstacle,
  }
}

/** Members with harmless scripts. Past it, the findings of rules count. */
const OVERRULED_MAX = 1_000

type Located = Pick<Finding, 'id' | 'path'>

/** Content stored uncompressed also matches in its container. Only the innermost finding is kept. */
function withoutEchoes(findings: Finding[], overruled: readonly Located[]): Finding[] {
  const isEcho = (outer: Finding, inner: Located): boolean =>
    inner.id === outer.id &&
    inner.path.length > outer.path.length &&
    outer.path.every((name, i) => name === inner.path[i])
  const isSame = (one: Finding, other: Located): boolean =>
    one.id === other.id && one.path.length === other.path.length && one.path.every((name, i) => name === other.path[i])
  return findings.filter(
    (finding) =>
      !findings.some((inner) => isEcho(finding, inner)) &&
      !overruled.some((other) => isSame(finding, other) || isEcho(finding, other)),
  )
}

/** At most `FINDINGS_MAX`, in the same order: one of each id if possible, then the most severe. */
function firstOfEachId(findings: Finding[]): Finding[] {
  const ids = new Set<string>()
  const isFirst = findings.map(({ id }) => !ids.has(id) && ids.add(id) !== undefined)
  let left = Math.max(0, FINDINGS_MAX - ids.size)
  return findings.filter((_, index) => isFirst[index] || left-- > 0).slice(0, FINDINGS_MAX)
}
