/** Runs the rules over everything a document unfolds into, with few scans: each has a cost of its own. */

import type { Scanner } from '@virustotal/yara-x'
import type { Finding, Obstacle, Severity } from '#inspect/core/findings.ts'
import type { Sight } from '#inspect/core/literal-scan.ts'
import { OPERATOR, type RuleSet } from './compile.ts'
import { type Match, scan } from './matches.ts'
import { join, placeOf, type Segment } from './segments.ts'

/** Bytes scanned together. The memory that a scan needs stays with the process. */
const BATCH_BYTES = 33_554_432
/** What the windows over a larger stream have in common, so that nothing is cut in two. */
const WINDOW_OVERLAP = 1_048_576
/** Scans spent on finding out in which member a rule matched. Past them, the match is told without a place. */
export const NARROWING_SCANS_MAX = 128

export interface Sweep {
  show(path: readonly string[], bytes: Uint8Array): void
  /** Scans what is left. */
  finish(): void
  /** What broke a scan. From then on nothing more is scanned. */
  failure(): unknown
}

export interface Notes {
  add(finding: Finding): void
  hinder(obstacle: Obstacle): void
}

export function createSweep(rules: RuleSet, sight: Sight, { add, hinder }: Notes): Sweep {
  let batch: Segment[] = []
  let size = 0
  let narrowing = NARROWING_SCANS_MAX
  let failure: unknown = null

  /** An analyser that shows something must not have to deal with a broken engine. */
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
      if (rules.gate?.mayMatch(segments.map(({ bytes }) => sight(bytes))) !== false) sweep(rules.joined, segments)
    })
  }

  function sweep(scanner: Scanner, segments: Segment[], wanted: (match: Match) => boolean = () => true): void {
    const joined = join(segments)
    for (const match of scan(scanner, joined.bytes).filter(wanted)) {
      const place = placeOf(match, segments, joined.starts)
      if (place !== null)
        note(
          match,
          place.map((index) => segments[index]?.path ?? []),
        )
      else if (narrowing > 0) halve(scanner, segments, match)
      else note(match, [[]])
    }
  }

  function note(match: Match, paths: readonly (readonly string[])[]): void {
    for (const path of paths) add(findingOf(match, path))
  }

  /** A member that matches alone also matches in its half. */
  function halve(scanner: Scanner, segments: Segment[], { rule, namespace }: Match): void {
    const same = (match: Match): boolean => match.rule === rule && match.namespace === namespace
    const middle = segments.length >> 1
    for (const half of [segments.slice(0, middle), segments.slice(middle)]) {
      narrowing -= 1
      sweep(scanner, half, same)
    }
  }

  function each(segment: Segment): void {
    const { single } = rules
    if (single !== null) attempt(() => sweep(single, [segment]))
  }

  return {
    show(path, bytes) {
      for (const part of windows(bytes)) {
        each({ path, bytes: part })
        if (size + part.length > BATCH_BYTES) flush()
        batch.push({ path, bytes: part })
        size += part.length
      }
      if (bytes.length <= BATCH_BYTES) return
      // A large member is not kept alive while the next one is unpacked.
      flush()
      attempt(() => {
        if (mayMatchAcross(rules, () => sight(bytes))) hinder({ reason: 'too_complex', detail: APART, path })
      })
    },
    finish: flush,
    failure: () => failure,
  }
}

const APART = `Rules cannot be run over all of it at once: it has more than ${BATCH_BYTES} bytes.`

/** Whether windows may hide a match: patterns of one rule in two of them, or rules that ask for more than patterns. */
function mayMatchAcross({ gate, single }: RuleSet, seen: () => ReadonlySet<number>): boolean {
  return single !== null || gate === null || gate.mayMatchApart(seen())
}

function* windows(bytes: Uint8Array): Generator<Uint8Array> {
  if (bytes.length <= BATCH_BYTES) {
    yield bytes
    return
  }
  for (let at = 0; at + WINDOW_OVERLAP < bytes.length; at += BATCH_BYTES - WINDOW_OVERLAP)
    yield bytes.subarray(at, at + BATCH_BYTES)
}

function severityOf(value: string | undefined): Severity {
  return value === 'suspicious' || value === 'notice' ? value : 'malicious'
}

function findingOf({ rule, namespace, meta }: Match, path: readonly string[]): Finding {
  const { id, title, reason, technique = null } = meta
  const severity = severityOf(meta.severity)
  if (!namespace.startsWith(OPERATOR))
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
    title: title ?? `Rule ${rule} of the operator matched`,
    reason: reason ?? meta.description ?? 'The operator of this service has a rule for this content.',
    technique,
    path,
    detail: namespace.slice(OPERATOR.length),
  }
}
