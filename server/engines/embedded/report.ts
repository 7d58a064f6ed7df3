/** A worker's answer: validated, and turned into the engine's outcome. */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { failed, type Outcome } from '#engines/engine.ts'
import type { Whole } from '#engines/sample.ts'
import type { DocumentText } from '#inspect/inspect.ts'
import {
  type AnalyserReport,
  FINDINGS_MAX,
  type Frame,
  NAME_MAX,
  PAGES_MAX,
  PATH_MAX,
  SEVERITIES,
  SPANS_MAX,
  TEXT_LENGTH_MAX,
  TEXT_MAX,
} from './protocol.ts'

export interface Answer {
  bytes: number
  /** Of the bytes that the worker received. */
  checksum: number
  report: AnalyserReport
  /** Of the whole process since its start; workers are recycled by them. */
  rssBytes: number
  cpuMs: number
}

/**
 * `died`: exited without an answer. `threw`: the analyser did. `broken`: an invalid response. `spent` and `exhausted`: the
 * document took more CPU time or memory than a worker may have. `displaced`: it made way for scans of others.
 */
export interface Failure {
  kind: 'died' | 'threw' | 'broken' | 'late' | 'spent' | 'exhausted' | 'displaced'
  detail: string
}

type Answered = { kind: 'answered'; answer: Answer }

/**
 * `withdrawn`: the document was disposed before the worker had all of it; the worker itself is fine. `banned`: the
 * document ended too many workers to be tried again, the last of them for this scan if `endedWorker`.
 */
export type Reply = WorkerReply | { kind: 'banned'; detail: string; endedWorker?: true }
export type WorkerReply = Answered | Failure | { kind: 'withdrawn'; detail: string }

const TOO_COSTLY =
  'The inspection of the document took too much time or memory and was stopped. Scan its parts separately, or save it ' +
  'in a simpler form.'

/** The document itself ended the worker, and nothing else can have. */
export const isCapped = ({ kind }: Reply): boolean => kind === 'spent' || kind === 'exhausted'

export type Sensitivity = 'standard' | 'strict'

const Text = Type.String({ maxLength: TEXT_MAX })
const TextOrNull = Type.Union([Text, Type.Null()])
const Path = Type.Array(Type.String({ maxLength: NAME_MAX }), { maxItems: PATH_MAX })
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const Findings = Type.Array(
  Type.Object({
    // Clients see the id as the name of the threat.
    id: Type.String({ maxLength: TEXT_MAX, pattern: /^[\x20-\x7e]+$/ }),
    severity: Type.Enum(SEVERITIES),
    title: Text,
    reason: Text,
    technique: TextOrNull,
    path: Path,
    detail: TextOrNull,
  }),
  { maxItems: FINDINGS_MAX },
)
const Obstacle = Type.Object({
  reason: Type.Enum(['encrypted', 'too_complex', 'damaged']),
  detail: Text,
  path: Path,
  isLocked: Type.Optional(Type.Literal(true)),
})
type HidingReason = DocumentText['omitted'][number]['reason']

const Reason = Type.Unsafe<HidingReason>(Type.String({ pattern: '^[a-z-]{1,20}$' }))
const TextOfDocument = Type.Object({
  pages: Type.Array(Type.Object({ n: Count, text: Type.String({ maxLength: TEXT_LENGTH_MAX }) }), {
    maxItems: PAGES_MAX,
  }),
  unread: Type.Array(Text, { maxItems: SPANS_MAX }),
  hidden: Type.Object({
    count: Count,
    spans: Type.Array(Type.Object({ reason: Reason, location: Text, text: Text, truncated: Type.Boolean() }), {
      maxItems: SPANS_MAX,
    }),
  }),
  omitted: Type.Array(Type.Object({ reason: Reason, count: Count }), { maxItems: SPANS_MAX }),
  isCut: Type.Boolean(),
})
const Keys = Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' })
const Indicators = Type.Array(
  Type.Object({ path: Path, hash: Keys, addresses: Type.Array(Keys), shown: Type.Array(Text) }),
)
const ANSWER = Compile(
  Type.Object({
    bytes: Count,
    checksum: Count,
    report: Type.Object({
      kind: TextOrNull,
      type: Text,
      findings: Findings,
      obstacle: Type.Union([Obstacle, Type.Null()]),
      bytesInspected: Count,
      entries: Count,
      text: Type.Optional(TextOfDocument),
      indicators: Type.Optional(Indicators),
    }),
    rssBytes: Count,
    cpuMs: Count,
  }),
)

/** An answer counts only if it is complete and about exactly the bytes that were sent. */
export function readReply({ kind, id, body }: Frame, sentId: number, { size, checksum }: Whole): Answered | Failure {
  if (id !== sentId) return { kind: 'broken', detail: 'the answer is to another request' }
  if (kind === 'failure') return { kind: 'threw', detail: `the analyser threw: ${parseObject(body)?.message}` }
  if (kind !== 'answer') return { kind: 'broken', detail: `expected an answer, got a ${kind}` }
  const answer = parseAnswer(body)
  if (answer === null) return { kind: 'broken', detail: 'the answer has a wrong shape' }
  if (answer.bytes !== size) return { kind: 'broken', detail: `the worker counted ${answer.bytes} bytes, not ${size}` }
  if (answer.checksum !== checksum) return { kind: 'broken', detail: 'the worker received other bytes' }
  return { kind: 'answered', answer }
}

/** `clean` only for a complete inspection of all `size` bytes that found nothing. */
export function outcomeOf(reply: Reply, size: number, sensitivity: Sensitivity): Outcome {
  if (isCapped(reply)) return tooComplex(TOO_COSTLY, true)
  if (reply.kind === 'banned') return tooComplex(reply.detail, reply.endedWorker)
  if (reply.kind !== 'answered') return failed(reply.detail, reply.kind === 'late' || reply.kind === 'withdrawn')
  const { report } = reply.answer
  const beneath = outcomeWithoutThreats(report, size)
  const threat =
    report.findings.find(({ severity }) => severity === 'malicious') ??
    (sensitivity === 'strict' ? report.findings.find(({ severity }) => severity === 'suspicious') : undefined)
  // Before the obstacle: a threat that was found before the inspection stopped is still a threat.
  return threat === undefined ? beneath : { kind: 'detected', threat: threat.id, path: threat.path, beneath }
}

function tooComplex(detail: string, endedWorker?: boolean): Outcome {
  return { kind: 'unscannable', obstacle: 'too_complex', detail, isCrash: true, ...(endedWorker && { endedWorker }) }
}

function outcomeWithoutThreats({ kind, obstacle, bytesInspected }: AnalyserReport, size: number): Outcome {
  if (obstacle !== null) {
    const { reason, detail, isLocked } = obstacle
    return { kind: 'unscannable', obstacle: reason, detail, ...(isLocked && { isLocked }) }
  }
  // Unpacked bytes count too, so there may be more; fewer mean that a part was skipped.
  if (bytesInspected < size) return failed(`the analyser inspected ${bytesInspected} of ${size} bytes`)
  // No format was inspected. Intake rejects such documents, unless another engine reads them.
  if (kind === null)
    return { kind: 'unscannable', obstacle: 'damaged', detail: 'The document type is unknown', isOther: true }
  return { kind: 'clean' }
}

/** Null for anything but a complete answer of exactly this shape. */
export function parseAnswer(body: Buffer): Answer | null {
  const value: unknown = parseObject(body)
  return ANSWER.Check(value) ? value : null
}

/** Null for anything but a JSON object. */
export function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
