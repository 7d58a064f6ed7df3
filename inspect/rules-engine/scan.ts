/** Scans everything unpacked from a document with the rules, in batches: each scan has a fixed cost. */

import type { Scanner } from '@virustotal/yara-x'
import type { Conclusion } from '#inspect/core/conclusion.ts'
import type { Finding, Severity } from '#inspect/core/findings.ts'
import type { DataScope } from '#inspect/core/format.ts'
import type { LiteralScan } from '#inspect/core/literal-scan.ts'
import { OPERATOR, type RuleSet } from './compile.ts'
import { type Match, scan } from './matches.ts'
import { join, placeOf, type Segment } from './segments.ts'

/** Bytes scanned together. The rule engine never releases the memory of its largest scan. */
const BATCH_BYTES = 33_554_432
/** Overlap of the windows over a larger stream, so that no match is cut in two. */
const WINDOW_OVERLAP = 1_048_576
/** Scans spent on locating the member in which a rule matched. Past them, the match is reported without a path. */
export const NARROWING_SCANS_MAX = 128

interface RuleScan {
  scan(path: readonly string[], bytes: Uint8Array, scope?: DataScope): void
  /** Scans the last batch. */
  finish(): void
  /** The error of a failed scan, or null. After a failure nothing more is scanned. */
  failure(): unknown
}

type Sink = Pick<Conclusion, 'addFinding' | 'addObstacle'>

export function createRuleScan(rules: RuleSet, scanLiterals: LiteralScan, sink: Sink): RuleScan {
  let batch: Segment[] = []
  let size = 0
  let narrowing = NARROWING_SCANS_MAX
  let failure: unknown = null

  /** Keeps a failed rule engine from interrupting the analysers. */
  function attempt(work: () => void): void {
    if (failure !== null) return
    try {
      work()
    } catch (error) {
      failure = error ?? new Error('unknown')
    }
  }

  function flush(): void {
    if (batch.length === 0) return
    const segments = batch
    batch = []
    size = 0
    attempt(() => {
      if (rules.prefilter?.mayMatch(segments.map(({ bytes }) => scanLiterals(bytes))) !== false)
        scanSegments(rules.joined, segments)
    })
  }

  function scanSegments(scanner: Scanner, segments: Segment[], wanted: (match: Match) => boolean = () => true): void {
    if (segments.length === 0) return
    const joined = join(segments)
    for (const match of scan(scanner, joined.bytes).filter(wanted)) {
      const inScope = segments.filter((segment) => isInScope(match, segment))
      if (inScope.length < segments.length) {
        // Only some matches are reported, so those out of scope may hide others.
        scanSegments(scanner, inScope, isSame(match))
        continue
      }
      const place = placeOf(match, segments, joined.starts)
      if (place === null && narrowing > 0) {
        bisect(scanner, segments, match)
        continue
      }
      const paths = place?.map((index) => segments[index]?.path ?? []) ?? [[]]
      for (const path of paths) sink.addFinding(findingOf(match, path))
    }
  }

  /** A member that matches alone also matches in its half. */
  function bisect(scanner: Scanner, segments: Segment[], match: Match): void {
    const middle = segments.length >> 1
    for (const half of [segments.slice(0, middle), segments.slice(middle)]) {
      narrowing -= 1
      scanSegments(scanner, half, isSame(match))
    }
  }

  function scanAlone(segment: Segment): void {
    const { single } = rules
    if (single !== null) attempt(() => scanSegments(single, [segment]))
  }

  return {
    scan(path, bytes, scope = 'file') {
      for (const part of windows(bytes)) {
        scanAlone({ path, bytes: part, scope })
        if (size + part.length > BATCH_BYTES) flush()
        batch.push({ path, bytes: part, scope })
        size += part.length
      }
      if (bytes.length <= BATCH_BYTES) return
      // Release the large member before the next one is unpacked.
      flush()
      attempt(() => {
        if (mayMatchAcross(rules, () => scanLiterals(bytes)))
          sink.addObstacle({ reason: 'too_complex', detail: TOO_LARGE, path })
      })
    },
    finish: flush,
    failure: () => failure,
  }
}

const TOO_LARGE = `It is larger than ${BATCH_BYTES} bytes, and rules may match across its parts.`

/** Whether windows may miss a match: a rule with patterns in two windows, or with more than patterns. */
function mayMatchAcross({ prefilter, single }: RuleSet, seen: () => ReadonlySet<number>): boolean {
  return single !== null || prefilter === null || prefilter.mayMatchApart(seen())
}

function* windows(bytes: Uint8Array): Generator<Uint8Array> {
  if (bytes.length <= BATCH_BYTES) {
    yield bytes
    return
  }
  for (let at = 0; at + WINDOW_OVERLAP < bytes.length; at += BATCH_BYTES - WINDOW_OVERLAP)
    yield bytes.subarray(at, at + BATCH_BYTES)
}

function isSame({ rule, namespace }: Match): (match: Match) => boolean {
  return (match) => match.rule === rule && match.namespace === namespace
}

function isInScope(match: Match, { scope }: Segment): boolean {
  return !isOwnRule(match) || match.meta.scope !== 'file' || scope === 'file'
}

function isOwnRule({ namespace }: Match): boolean {
  return !namespace.startsWith(OPERATOR)
}

function severityOf(value: string | undefined): Severity {
  return value === 'suspicious' || value === 'notice' ? value : 'malicious'
}

function findingOf(match: Match, path: readonly string[]): Finding {
  const { rule, namespace, meta } = match
  const { id, title, reason, technique = null } = meta
  const severity = severityOf(meta.severity)
  if (isOwnRule(match))
    return {
      id: id ?? `Docvet.Rule.${rule}`,
      severity,
      title: title ?? rule,
      reason: reason ?? '',
      technique,
      path,
      detail: null,
    }
  return {
    id: `Operator.${rule}`,
    severity,
    title: title ?? `Operator rule ${rule} matched`,
    reason: reason ?? meta.description ?? 'A rule of the operator of this service matches this content.',
    technique,
    path,
    detail: namespace.slice(OPERATOR.length),
  }
}
