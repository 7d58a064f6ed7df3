/** Scans everything unpacked from a document with the rules of the operator, in batches: each scan has a fixed cost. */

import type { Scanner } from '@virustotal/yara-x'
import type { Conclusion } from '#inspect/core/conclusion.ts'
import type { Finding, Severity } from '#inspect/core/findings.ts'
import { BudgetExceeded, charge, keep } from '#inspect/core/work.ts'
import { OPERATOR } from './compile.ts'
import { type Match, scan } from './matches.ts'
import type { Candidates, OperatorRules } from './operator-rules.ts'
import { join, placeOf, type Segment } from './segments.ts'

/** Bytes scanned together. The rule engine never releases the memory of its largest scan. */
const BATCH_BYTES = 33_554_432
/** Overlap of the windows over a larger stream, so that no match is cut in two. */
const WINDOW_OVERLAP = 1_048_576
/** Scans spent on locating the member in which a rule matched. Past them, the match is reported without a path. */
export const NARROWING_SCANS_MAX = 128
/**
 * Rules of the operator run for one document, counted once per scan and rule; about eight seconds. A scan alone takes as
 * long as fifty rules, and to compile a rule takes as long as running it ten times.
 */
const OPERATOR_RUNS_MAX = 50_000
const RUNS_PER_SCAN = 50
const RUNS_PER_COMPILED_RULE = 10

/** Work for each byte, for each scan, and for each rule in it. */
const SCAN_WORK = 4
const RUN_WORK = 200_000
/** Work to compile a set of rules, and for each rule in it. */
const SET_WORK = 20_000_000
export const COMPILE_WORK = 1_000_000

interface RuleScan {
  scan(path: readonly string[], bytes: Uint8Array): void
  /** Runs the rules over the last batch. */
  finish(): void
  /** The error of a failed scan, or null. After a failure nothing more is scanned. */
  failure(): unknown
}

type Search = (bytes: Uint8Array) => Match[]
type Sink = Pick<Conclusion, 'addFinding' | 'addObstacle'>

/** From which `score` on a match is malicious or suspicious, if its rule has no `severity`. */
export interface Scores {
  malicious: number
  suspicious: number
}

/** As packs of community rules mean it. */
const SCORES: Scores = { malicious: 80, suspicious: 60 }

export function createRuleScan(
  rules: OperatorRules,
  sink: Sink,
  { runsMax = OPERATOR_RUNS_MAX, scores = SCORES } = {},
): RuleScan {
  let narrowing = NARROWING_SCANS_MAX
  let runs = runsMax
  const waiting = createWaiting()
  const compiled = new Set<string>()
  let failure: unknown = null

  /** Keeps a failed rule engine from interrupting the analysers. */
  function attempt(work: () => void): void {
    if (failure !== null) return
    try {
      work()
    } catch (error) {
      if (error instanceof BudgetExceeded) throw error
      failure = error ?? new Error('unknown')
    }
  }

  function byEngine(scanner: Scanner, workPerByte: number, fixedWork = 0): Search {
    return (bytes) => {
      charge(bytes.length * workPerByte + fixedWork)
      return scan(scanner, bytes)
    }
  }

  function scanSegments(search: Search, segments: Segment[], wanted: (match: Match) => boolean = () => true): void {
    if (segments.length === 0) return
    const joined = join(segments)
    for (const match of search(joined.bytes).filter(wanted)) {
      const place = placeOf(match, segments, joined.starts)
      if (place === null && narrowing > 0) {
        bisect(search, segments, match)
        continue
      }
      const paths = place?.map((index) => segments[index]?.path ?? []) ?? [[]]
      for (const path of paths) sink.addFinding(findingOf(match, path, scores))
    }
  }

  /** A member that matches alone also matches in its half. */
  function bisect(search: Search, segments: Segment[], match: Match): void {
    const middle = segments.length >> 1
    for (const half of [segments.slice(0, middle), segments.slice(middle)]) {
      narrowing -= 1
      scanSegments(search, half, isSame(match))
    }
  }

  function runRules(kind: keyof Candidates, numbers: readonly number[], segments: Segment[]): void {
    if (numbers.length === 0) return
    if (runs <= 0) {
      const path = segments.length === 1 ? (segments[0]?.path ?? []) : []
      sink.addObstacle({ reason: 'too_complex', detail: TOO_MANY_RUNS, path })
      return
    }
    const size = numbers.length
    runs -= RUNS_PER_SCAN + size * (isFirstUse(kind, numbers) ? RUNS_PER_COMPILED_RULE : 1)
    const scanner = rules.scannerFor(kind, numbers)
    scanSegments(byEngine(scanner, SCAN_WORK, (RUNS_PER_SCAN + size) * RUN_WORK), segments)
  }

  /** Each document is charged for compiling what it calls for, also where the worker has it from another document. */
  function isFirstUse(kind: keyof Candidates, numbers: readonly number[]): boolean {
    const key = `${kind} ${numbers.join()}`
    if (compiled.has(key)) return false
    charge(SET_WORK + numbers.length * COMPILE_WORK)
    keep(key.length)
    compiled.add(key)
    return true
  }

  function flushWaiting(): void {
    const { numbers, segments } = waiting.take()
    attempt(() => runRules('joined', numbers, segments))
  }

  function choose(segment: Segment): void {
    const { path, bytes } = segment
    const { joined, alone } = rules.candidatesFor(bytes)
    if (bytes.length > BATCH_BYTES && joined.length + alone.length > 0) {
      sink.addObstacle({ reason: 'too_complex', detail: TOO_LARGE, path })
      for (const part of windows(bytes)) runRules('joined', joined, [{ ...segment, bytes: part }])
      return
    }
    runRules('alone', alone, [segment])
    if (joined.length === 0) return
    if (waiting.size() + bytes.length > BATCH_BYTES) flushWaiting()
    waiting.add(joined, segment)
  }

  return {
    scan: (path, bytes) => attempt(() => choose({ path, bytes })),
    finish: flushWaiting,
    failure: () => failure,
  }
}

const TOO_LARGE = `It is larger than ${BATCH_BYTES} bytes, and rules may match across its parts.`
const TOO_MANY_RUNS = 'Too many rules of the operator may match in too many parts of the document.'

/** Members that wait to be scanned together, and the rules that may match in one of them. */
function createWaiting() {
  let segments: Segment[] = []
  let numbers = new Set<number>()
  let size = 0
  return {
    size: () => size,
    add(some: readonly number[], segment: Segment): void {
      segments.push(segment)
      for (const number of some) numbers.add(number)
      size += segment.bytes.length
    },
    take(): { numbers: readonly number[]; segments: Segment[] } {
      const taken = { numbers: [...numbers], segments }
      segments = []
      numbers = new Set()
      size = 0
      return taken
    },
  }
}

/** The parts of a stream that is larger than a batch. */
function* windows(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at + WINDOW_OVERLAP < bytes.length; at += BATCH_BYTES - WINDOW_OVERLAP)
    yield bytes.subarray(at, at + BATCH_BYTES)
}

function isSame({ rule, namespace }: Match): (match: Match) => boolean {
  return (match) => match.rule === rule && match.namespace === namespace
}

function severityOf({ severity, score }: Match['meta'], scores: Scores): Severity {
  if (severity !== undefined || score === undefined)
    return severity === 'suspicious' || severity === 'notice' ? severity : 'malicious'
  // A score that is no number says nothing.
  if (!(Number(score) < scores.malicious)) return 'malicious'
  return Number(score) >= scores.suspicious ? 'suspicious' : 'notice'
}

/** Rules of the update channel. A file of the operator has no folder. */
const CHANNEL = `${OPERATOR}update/`
const OPERATORS_REASON = 'A rule of the operator of this service matches this content.'

function findingOf(match: Match, path: readonly string[], scores: Scores): Finding {
  const { rule, namespace, meta } = match
  const { title, reason, technique = null } = meta
  const isOurs = namespace.startsWith(CHANNEL)
  return {
    id: isOurs ? `Docvet.Rule.${rule}` : `Operator.${rule}`,
    severity: severityOf(meta, scores),
    title: title ?? `${isOurs ? 'Rule' : 'Operator rule'} ${rule} matched`,
    reason: reason ?? meta.description ?? (isOurs ? 'A rule of Docvet matches this content.' : OPERATORS_REASON),
    technique,
    path,
    detail: isOurs ? null : namespace.slice(OPERATOR.length),
  }
}
