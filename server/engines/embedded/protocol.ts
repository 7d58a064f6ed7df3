/** The protocol between parent and worker: frames with a fixed head and a bounded body, and the report in an answer. */
import { FETCHED_BYTES_MAX } from '#base/document-limit.ts'
import type { Finding, IndicatorKind, Inspection } from '#inspect/inspect.ts'

export const HEAD_BYTES = 16

const MAGIC = 0x44_56_46_31
const MIB = 1024 * 1024

/** Checked before anything is allocated: neither side trusts the size that the other announces. */
const KINDS = {
  /** To the worker, once: the rules and the path of the rule engine. */
  setup: { code: 1, sizeMax: 64 * MIB },
  /** To the worker: the bytes of a document. */
  document: { code: 2, sizeMax: FETCHED_BYTES_MAX },
  /** To the worker, before a document: its name and the passwords to try on it, as JSON. */
  about: { code: 7, sizeMax: 16 * 1024 },
  /** From the worker, once: the rules compiled. */
  ready: { code: 3, sizeMax: 64 * 1024 },
  /** From the worker, once, instead: the rules did not compile. */
  refusal: { code: 4, sizeMax: 64 * 1024 },
  /** From the worker: the report of the analyser. */
  answer: { code: 5, sizeMax: 32 * MIB },
  /** From the worker: the analyser threw. The worker exits after it. */
  failure: { code: 6, sizeMax: 64 * 1024 },
} as const

/** With these, the largest answer fits into its frame even if every character has to be escaped. */
export const FINDINGS_MAX = 100
export const TEXT_MAX = 512
export const PATH_MAX = 20
export const NAME_MAX = 255
/** Of the text of a document. Its control characters are removed, so that none has to be escaped but signs of one byte. */
export const TEXT_LENGTH_MAX = 2_000_000
export const SPANS_MAX = 50
export const PAGES_MAX = 10_000

/** The worst first. */
export const SEVERITIES: Finding['severity'][] = ['malicious', 'suspicious', 'notice']

/** An `Inspection` as validated by the parent, which accepts any text as kind. */
export type AnalyserReport = Omit<Inspection, 'kind'> & { kind: string | null }

/** Facts about a document apart from its bytes. */
export interface About {
  passwords: readonly string[]
  name?: string | undefined
  wantsText?: boolean | undefined
  wantsIndicators?: readonly IndicatorKind[] | undefined
}

export type FrameKind = keyof typeof KINDS

export interface Head {
  kind: FrameKind
  id: number
  size: number
}

export interface Frame extends Omit<Head, 'size'> {
  body: Buffer
}

const KIND_BY_CODE = new Map<number, FrameKind>(
  Object.entries(KINDS).map(([kind, { code }]) => [code, kind as FrameKind]),
)

export function encodeHead(head: Head): Buffer {
  return startFrame(head, HEAD_BYTES)
}

/** So many bytes, of which the head is written. */
function startFrame({ kind, id, size }: Head, bytes: number): Buffer {
  if (!fits(kind, size)) throw new RangeError(`A ${kind} of ${size} bytes does not fit into a frame`)
  const head = Buffer.allocUnsafe(bytes)
  head.writeUInt32BE(MAGIC, 0)
  head.writeUInt32BE(KINDS[kind].code, 4)
  head.writeUInt32BE(id, 8)
  head.writeUInt32BE(size, 12)
  return head
}

/** Throws on anything but a valid head. */
export function decodeHead(bytes: Buffer): Head {
  if (bytes.length !== HEAD_BYTES) throw new RangeError(`A head has ${HEAD_BYTES} bytes, not ${bytes.length}`)
  if (bytes.readUInt32BE(0) !== MAGIC) throw new RangeError('Invalid frame head')
  const kind = KIND_BY_CODE.get(bytes.readUInt32BE(4))
  if (kind === undefined) throw new RangeError('Unknown frame kind')
  const size = bytes.readUInt32BE(12)
  if (!fits(kind, size)) throw new RangeError(`A ${kind} of ${size} bytes is too large`)
  return { kind, id: bytes.readUInt32BE(8), size }
}

export function encodeFrame(kind: FrameKind, id: number, value: unknown): Buffer {
  const body = JSON.stringify(value)
  const size = Buffer.byteLength(body)
  const frame = startFrame({ kind, id, size }, HEAD_BYTES + size)
  frame.write(body, HEAD_BYTES)
  return frame
}

/** Takes bytes as they arrive and returns complete frames. Unusable after it has thrown on an invalid one. */
export function createFrameReader(allowed: readonly FrameKind[]): { push(chunk: Buffer): Frame[] } {
  const headBytes = Buffer.alloc(HEAD_BYTES)
  let head: Head | null = null
  let body = headBytes
  let filled = 0

  function take(chunk: Buffer, from: number): number {
    const count = chunk.copy(head === null ? headBytes : body, filled, from)
    filled += count
    return from + count
  }

  function begin(): void {
    head = decodeHead(headBytes)
    if (!allowed.includes(head.kind)) throw new RangeError(`A ${head.kind} is not allowed in this direction`)
    body = Buffer.allocUnsafe(head.size)
    filled = 0
  }

  return {
    push(chunk) {
      const frames: Frame[] = []
      for (let position = 0; position < chunk.length; ) {
        position = take(chunk, position)
        if (head === null && filled === HEAD_BYTES) begin()
        if (head !== null && filled === head.size) {
          frames.push({ kind: head.kind, id: head.id, body })
          head = null
          filled = 0
        }
      }
      return frames
    },
  }
}

function fits(kind: FrameKind, size: number): boolean {
  return Number.isInteger(size) && size >= 0 && size <= KINDS[kind].sizeMax
}

/** Bounds the answer, because an attacker chooses the names inside a document. Keeps the worst findings. */
export function condense({
  kind,
  type,
  findings,
  obstacle,
  bytesInspected,
  entries,
  text,
  indicators,
}: Inspection): AnalyserReport {
  const worstFirst = findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
  return {
    kind: kind?.slice(0, TEXT_MAX) ?? null,
    type: type.slice(0, TEXT_MAX),
    findings: worstFirst.slice(0, FINDINGS_MAX).map(clipped),
    obstacle: obstacle && clipped(obstacle),
    bytesInspected,
    entries,
    ...(text && { text }),
    ...(indicators && { indicators: indicators.map(clipped) }),
  }
}

function clipped<T extends { path: readonly string[] }>(part: T): T {
  const texts = Object.entries<unknown>(part).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.slice(0, TEXT_MAX) : value,
  ])
  return { ...Object.fromEntries(texts), path: part.path.slice(0, PATH_MAX).map((name) => name.slice(0, NAME_MAX)) }
}
