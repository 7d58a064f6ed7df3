/** The parent's side of a worker: starts it, and has it scan one document at a time. */
import { randomInt } from 'node:crypto'
import type { Whole } from '#engines/sample.ts'
import { type RejectedFile, RulesRejected } from './errors.ts'
import { encodeFrame } from './protocol.ts'
import { parseObject, type Reply, readReply } from './report.ts'
import type { Setup } from './worker.ts'
import { CANCELLED, connect, fail, type Grace, nextFrame, type Pipe, type PipeOptions, send } from './worker-pipe.ts'

export interface Worker {
  pid: number | undefined
  rulesVersion: string
  ruleCount: number
  /**
   * One at a time. Every reply but `answered` and `withdrawn` ended the worker. After the signal it may finish within a
   * grace period: often another engine was faster, and a new worker costs more than the rest of the scan.
   */
  scan(document: Whole, msMax: number, signal?: AbortSignal): Promise<Reply>
  kill(): void
  /** Resolves when the process has exited. */
  gone: Promise<void>
}

interface StartOptions extends PipeOptions {
  setup: Setup
  msMax: number
  signal: AbortSignal
}

const SCAN_GRACE: Grace = { lateMs: 250, cancelledMs: 5_000 }
/** A start is cancelled only when the engine closes. */
const NO_GRACE: Grace = { lateMs: 0, cancelledMs: 0 }

/** Resolves when the rules are compiled. Rejects, with the process gone, when that fails. */
export async function startWorker(options: StartOptions): Promise<Worker> {
  // Before the process starts, because rules may be too large for a frame.
  const first = encodeFrame('setup', 0, options.setup)
  const pipe = connect(options)
  pipe.child.stdin.write(first)
  const frame = await nextFrame(pipe, options.msMax, options.signal, NO_GRACE)
  const body = frame === null ? null : parseObject(frame.body)
  if (frame?.kind === 'ready' && typeof body?.rulesVersion === 'string' && typeof body.ruleCount === 'number') {
    const { rulesVersion, ruleCount } = body
    return {
      pid: pipe.child.pid,
      rulesVersion,
      ruleCount,
      scan: (document, msMax, signal) => scan(pipe, document, msMax, signal),
      kill: () => fail(pipe, 'died', 'the worker was stopped'),
      gone: pipe.gone,
    }
  }
  fail(pipe, 'broken', 'the worker did not report ready')
  await pipe.gone
  if (frame?.kind === 'refusal') {
    const files = rejectedFiles(body?.files)
    // Without a file the analyser itself failed to start, and a retry may succeed.
    throw files.length > 0 ? new RulesRejected(String(body?.message), files) : new Error(String(body?.message))
  }
  throw new Error(`${pipe.end?.detail ?? ''} ${pipe.stderr}`.trim())
}

async function scan(pipe: Pipe, document: Whole, msMax: number, signal?: AbortSignal): Promise<Reply> {
  // Random, so that no answer can pass for one to another document.
  const id = randomInt(1, 2 ** 32 - 1)
  let isSent = false
  const answered = nextFrame(pipe, msMax, signal, SCAN_GRACE).then((frame) => {
    if (frame !== null && !isSent) fail(pipe, 'broken', 'the worker answered before it had the document')
    return frame
  })
  const isWhole = await send(pipe, id, document)
  isSent = true
  const frame = await answered
  if (frame !== null && pipe.end === null) {
    // A disposed document was overwritten, perhaps while it was being sent.
    const isDisposed = !isWhole || document.chunks.length === 0
    if (isDisposed && frame.kind === 'answer' && frame.id === id) return { kind: 'withdrawn', detail: CANCELLED }
    const reply = readReply(frame, id, document)
    if (reply.kind === 'answered') return reply
    fail(pipe, reply.kind, reply.detail)
  }
  return pipe.end ?? { kind: 'died', detail: 'the worker is gone' }
}

function rejectedFiles(files: unknown): RejectedFile[] {
  if (!Array.isArray(files)) return []
  return files
    .filter((each) => typeof each?.name === 'string')
    .map(({ name, line }) => ({ name, reason: `does not compile${Number.isInteger(line) ? `, line ${line}` : ''}` }))
}
