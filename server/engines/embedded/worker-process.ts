/** The parent's side of a worker: starts it, has it scan one document at a time, and kills it on an invalid frame. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { workFactor } from '#base/document-limit.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import type { Whole } from '#engines/sample.ts'
import { createCpuClock } from './cpu-clock.ts'
import { type RejectedFile, RulesRejected } from './errors.ts'
import { type About, createFrameReader, encodeFrame, encodeHead, type Frame, NAME_MAX } from './protocol.ts'
import { type Failure, parseObject, readReply, type WorkerReply } from './report.ts'
import { killGroup, launch } from './sandbox.ts'
import type { Setup } from './worker-loop.ts'

export type Worker = Awaited<ReturnType<typeof startWorker>>

interface StartOptions {
  command: readonly string[]
  setup: Setup
  log: Log
  msMax: number
  /** Enforced by the parent; null where the kernel does it. */
  rssBytesMax: number | null
  /** For one document; null for none. */
  limits: ScanLimits | null
  signal: AbortSignal
}

interface ScanLimits {
  cpuMsMax: number
  /** In its place where the system does not tell the CPU time. */
  wallMsMax: number
}

interface Pipe {
  child: ChildProcessWithoutNullStreams
  rssBytesMax: number | null
  limits: ScanLimits | null
  /** Those of the document that it has. */
  scanLimits: ScanLimits | null
  gone: Promise<void>
  /** Why it ended; the first reason counts. */
  end: Failure | null
  ended: AbortController
  stderr: string
  /** Made when a scan takes long for the first time; of the whole life of the worker. */
  cpuClock: (() => number | null) | null
  /** Of the document that it has, as far as it was noticed. */
  scanCpuMs: number
  /** Set while somebody waits for a frame. */
  onFrame: ((frame: Frame | null) => void) | null
}

/** Time to finish after the signal: at a deadline, and when the result is not needed any more. */
const SCAN_GRACE = { lateMs: 250, cancelledMs: 5_000 }
/** A start is cancelled only when the engine closes. */
const NO_GRACE = { lateMs: 0, cancelledMs: 0 }
const CANCELLED = 'the scan was cancelled'
const STDERR_BYTES_MAX = 4_096
const ZEROS = Buffer.alloc(65_536)
/** Bytes that are written at once. A document of many small chunks takes few turns of the event loop that way. */
const WRITE_BYTES = 1_048_576
/** A scan that is shorter is never looked at; the CPU time of its first check does not count. */
const CHECK_MS = 100
/** Text that V8 prints before it ends a process that has no memory left. */
const OUT_OF_MEMORY = /out of memory/i
/** The smallest page size there is: with larger pages the limit is higher, never lower. */
const PAGE_BYTES = 4_096

/** Resolves when the rules are compiled. Rejects, with the process gone, when that fails. */
export async function startWorker(options: StartOptions) {
  // Before the process starts, because rules may be too large for a frame.
  const first = encodeFrame('setup', 0, options.setup)
  const pipe = connect(options)
  using _watch = watchUse(pipe, null)
  pipe.child.stdin.write(first)
  const frame = await nextFrame(pipe, options.msMax, options.signal, NO_GRACE)
  const body = frame === null ? null : parseObject(frame.body)
  if (frame?.kind === 'ready' && typeof body?.rulesVersion === 'string' && typeof body.ruleCount === 'number') {
    return {
      pid: pipe.child.pid,
      rulesVersion: body.rulesVersion,
      ruleCount: body.ruleCount,
      /**
       * One at a time. Every reply but `answered` and `withdrawn` ended the worker. After the signal it may finish within
       * a grace period: often another engine was faster, and a new worker costs more than the rest of the scan.
       */
      scan: (document: Whole, msMax: number, signal?: AbortSignal) => scan(pipe, document, msMax, signal),
      /** CPU time that the document has taken which it has now; zero where that is unknown. */
      scanCpuMs: () => pipe.scanCpuMs,
      kill: () => fail(pipe, 'died', 'the worker was stopped'),
      /** Ends it and its scan, which shall be repeated. */
      displace: () => fail(pipe, 'displaced', 'the scan made way for others'),
      /** Resolves when the process has exited. */
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

function rejectedFiles(files: unknown): RejectedFile[] {
  if (!Array.isArray(files)) return []
  return files
    .filter((each) => typeof each?.name === 'string')
    .map(({ name, line }) => ({ name, reason: `does not compile${Number.isInteger(line) ? `, line ${line}` : ''}` }))
}

async function scan(pipe: Pipe, document: Whole, msMax: number, signal?: AbortSignal): Promise<WorkerReply> {
  // Random, so that no answer can pass for one to another document.
  const id = randomInt(1, 2 ** 32 - 1)
  let isSent = false
  using _watch = watchUse(pipe, limitsFor(pipe, document))
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

function connect({ command, log, rssBytesMax, limits }: StartOptions): Pipe {
  const child = launch(command)
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  const pipe: Pipe = {
    ...{
      child,
      rssBytesMax,
      limits,
      scanLimits: null,
      gone,
      end: null,
      ended: new AbortController(),
      stderr: '',
      onFrame: null,
    },
    ...{ cpuClock: null, scanCpuMs: 0 },
  }
  const reader = createFrameReader(['ready', 'refusal', 'answer', 'failure'])
  child.once('close', (code, signal) => {
    const kind = OUT_OF_MEMORY.test(pipe.stderr) ? 'exhausted' : 'died'
    fail(pipe, kind, `the worker exited with ${signal ?? `code ${code}`}`)
    if (pipe.stderr !== '') log.warn({ worker: child.pid, stderr: pipe.stderr }, 'Worker wrote to stderr')
    resolve()
  })
  child.on('error', (error) => fail(pipe, 'died', error.message))
  // A pipe breaks when the worker dies; `close` reports why.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  child.stdout.on('data', (chunk: Buffer) => {
    try {
      for (const frame of reader.push(chunk)) {
        if (pipe.onFrame === null) throw new Error('the worker sent a frame without a request')
        deliver(pipe, frame)
      }
    } catch (error) {
      fail(pipe, 'broken', messageOf(error))
    }
  })
  child.stderr.on('data', (chunk: Buffer) => {
    pipe.stderr = (pipe.stderr + chunk.toString()).slice(0, STDERR_BYTES_MAX)
  })
  return pipe
}

function fail(pipe: Pipe, kind: Failure['kind'], detail: string): void {
  const { child } = pipe
  pipe.end ??= { kind, detail }
  // After its exit the pid may belong to another process.
  if (child.exitCode === null && child.signalCode === null) killGroup(child.pid)
  // Drops pending writes, because the document's memory may be reused.
  child.stdin.destroy()
  deliver(pipe, null)
  pipe.ended.abort()
}

function deliver(pipe: Pipe, frame: Frame | null): void {
  const receive = pipe.onFrame
  pipe.onFrame = null
  receive?.(frame)
}

/** Null when the worker ended, also because it did not answer in time. */
async function nextFrame(pipe: Pipe, msMax: number, signal: AbortSignal | undefined, grace: typeof SCAN_GRACE) {
  if (pipe.end !== null) return null
  const timer = setTimeout(() => fail(pipe, lateKind(pipe), `no answer within ${Math.round(msMax)} ms`), msMax)
  let last: NodeJS.Timeout | undefined
  const abort = () => {
    const isLate = signal?.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    last = setTimeout(() => fail(pipe, lateKind(pipe), CANCELLED), isLate ? grace.lateMs : grace.cancelledMs)
  }
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  try {
    return await new Promise<Frame | null>((resolve) => {
      pipe.onFrame = resolve
    })
  } finally {
    clearTimeout(timer)
    clearTimeout(last)
    signal?.removeEventListener('abort', abort)
  }
}

/** False when the document was disposed meanwhile; the worker then gets zeros for the rest, so that it can go on. */
async function send(
  { child, ended }: Pipe,
  id: number,
  { size, chunks, password, name, wantsText, wantsIndicators }: Whole,
): Promise<boolean> {
  const { stdin } = child
  // Corked, a small document and its head take one system call.
  stdin.cork()
  const passwords = password === undefined ? [] : [password]
  if (password !== undefined || name !== undefined || wantsText || wantsIndicators) {
    const about: About = { passwords, name: name?.slice(0, NAME_MAX), wantsText, wantsIndicators }
    stdin.write(encodeFrame('about', id, about))
  }
  stdin.write(encodeHead({ kind: 'document', id, size }))
  let left = size
  let isWhole = true
  for (let index = 0; left > 0; index++) {
    const chunk = chunks[index] ?? ZEROS.subarray(0, left)
    isWhole &&= index < chunks.length
    left -= chunk.length
    stdin.write(chunk)
    if (left <= 0 || stdin.writableLength < WRITE_BYTES) continue
    stdin.uncork()
    if (stdin.writableNeedDrain) await once(stdin, 'drain', { signal: ended.signal }).catch(() => {})
    if (ended.signal.aborted) return isWhole
    stdin.cork()
  }
  stdin.uncork()
  return isWhole
}

/** On a busy machine a deadline comes before the limit of CPU time: half of it is more than the limit on work allows. */
function lateKind({ scanLimits, scanCpuMs }: Pipe): Failure['kind'] {
  return scanLimits !== null && scanCpuMs > scanLimits.cpuMsMax / 2 ? 'spent' : 'late'
}

function limitsFor({ limits }: Pipe, { size }: Whole): ScanLimits | null {
  const factor = workFactor(size)
  return limits && { cpuMsMax: limits.cpuMsMax * factor, wallMsMax: limits.wallMsMax * factor }
}

/** Until it is disposed, ends the worker when it takes more CPU time or memory than it may. */
function watchUse(pipe: Pipe, limits: ScanLimits | null): Disposable {
  const { rssBytesMax, child } = pipe
  const startedAt = performance.now()
  let firstMs: number | null = null
  pipe.scanCpuMs = 0
  pipe.scanLimits = limits
  const check = () => {
    if (rssBytesMax !== null) checkMemory(pipe)
    if (limits === null || child.pid === undefined) return
    pipe.cpuClock ??= createCpuClock(child.pid)
    const ms = pipe.cpuClock()
    if (ms === null) {
      if (performance.now() - startedAt < limits.wallMsMax) return
      return fail(pipe, 'spent', `no answer within ${limits.wallMsMax} ms`)
    }
    firstMs ??= ms
    pipe.scanCpuMs = ms - firstMs
    if (pipe.scanCpuMs > limits.cpuMsMax) fail(pipe, 'spent', `the worker used ${pipe.scanCpuMs} ms of CPU time`)
  }
  const timer = setInterval(check, CHECK_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function checkMemory(pipe: Pipe): void {
  let bytes = 0
  try {
    bytes = Number(readFileSync(`/proc/${pipe.child.pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    // Unknown here, or the worker has exited.
  }
  if (bytes > (pipe.rssBytesMax ?? Number.POSITIVE_INFINITY))
    fail(pipe, 'exhausted', `the worker used ${bytes} bytes of memory`)
}
