/** The pipe to a worker process: sends documents, receives frames, and kills the process on the first invalid one. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import type { Whole } from '#engines/sample.ts'
import { createFrameReader, encodeHead, type Frame } from './protocol.ts'
import type { Failure } from './report.ts'
import { killGroup, launch } from './sandbox.ts'

export interface Pipe {
  child: ChildProcessWithoutNullStreams
  rssBytesMax: number | null
  gone: Promise<void>
  /** Why it ended; the first reason counts. */
  end: Failure | null
  stderr: string
  /** Set while somebody waits for a frame, or for space in the pipe. */
  onFrame: ((frame: Frame | null) => void) | null
  onDrain: (() => void) | null
}

/** Time to finish after the signal: at a deadline, and when the result is not needed any more. */
export interface Grace {
  lateMs: number
  cancelledMs: number
}

export interface PipeOptions {
  command: readonly string[]
  log: Log
  /** Enforced by the parent; null where the kernel does it. */
  rssBytesMax: number | null
}

export const CANCELLED = 'the scan was cancelled'
const STDERR_BYTES_MAX = 4_096
const ZEROS = Buffer.alloc(65_536)
const MEMORY_CHECK_MS = 100
/** The smallest page size there is: with larger pages the limit is higher, never lower. */
const PAGE_BYTES = 4_096

export function connect({ command, log, rssBytesMax }: PipeOptions): Pipe {
  const child = launch(command)
  const gone = Promise.withResolvers<void>()
  const ends = { end: null, stderr: '', onFrame: null, onDrain: null }
  const pipe: Pipe = { child, rssBytesMax, gone: gone.promise, ...ends }
  const reader = createFrameReader(['ready', 'refusal', 'answer', 'failure'])
  child.once('close', (code, signal) => {
    fail(pipe, 'died', `the worker exited with ${signal ?? `code ${code}`}`)
    if (pipe.stderr !== '') log.warn({ worker: child.pid, stderr: pipe.stderr }, 'Worker wrote to stderr')
    gone.resolve()
  })
  child.on('error', (error) => fail(pipe, 'died', error.message))
  // The pipe breaks when the worker dies; `close` reports why.
  child.stdin.on('error', () => {}).on('drain', () => pipe.onDrain?.())
  child.stdout
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) {
          if (pipe.onFrame === null) throw new Error('the worker sent a frame without a request')
          deliver(pipe, frame)
        }
      } catch (error) {
        fail(pipe, 'broken', messageOf(error))
      }
    })
  child.stderr
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      pipe.stderr = (pipe.stderr + chunk.toString()).slice(0, STDERR_BYTES_MAX)
    })
  return pipe
}

export function fail(pipe: Pipe, kind: Failure['kind'], detail: string): void {
  const { child } = pipe
  pipe.end ??= { kind, detail }
  // After its exit the pid may belong to another process.
  if (child.exitCode === null && child.signalCode === null) killGroup(child.pid)
  // Drops pending writes, because the document's memory may be reused.
  child.stdin.destroy()
  deliver(pipe, null)
  pipe.onDrain?.()
}

function deliver(pipe: Pipe, frame: Frame | null): void {
  const receive = pipe.onFrame
  pipe.onFrame = null
  receive?.(frame)
}

/** Null when the worker ended, also because it did not answer in time. */
export async function nextFrame(pipe: Pipe, msMax: number, signal: AbortSignal | undefined, grace: Grace) {
  if (pipe.end !== null) return null
  const timer = setTimeout(() => fail(pipe, 'late', `no answer within ${Math.round(msMax)} ms`), msMax)
  let last: NodeJS.Timeout | undefined
  const abort = () => {
    const isLate = signal?.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
    last = setTimeout(() => fail(pipe, 'late', CANCELLED), isLate ? grace.lateMs : grace.cancelledMs)
  }
  const watch = pipe.rssBytesMax === null ? undefined : setInterval(checkMemory, MEMORY_CHECK_MS, pipe)
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  try {
    return await new Promise<Frame | null>((resolve) => {
      pipe.onFrame = resolve
    })
  } finally {
    clearTimeout(timer)
    clearTimeout(last)
    clearInterval(watch)
    signal?.removeEventListener('abort', abort)
  }
}

/** False when the document was disposed meanwhile; the worker then gets zeros for the rest, so that it can go on. */
export async function send(pipe: Pipe, id: number, { size, chunks }: Whole): Promise<boolean> {
  const { stdin } = pipe.child
  // Corked, a small document and its head take one system call.
  stdin.cork()
  stdin.write(encodeHead({ kind: 'document', id, size }))
  let left = size
  let isWhole = true
  for (let index = 0; left > 0; index++) {
    const chunk = chunks[index] ?? ZEROS.subarray(0, left)
    isWhole &&= index < chunks.length
    left -= chunk.length
    if (stdin.write(chunk) || left <= 0) continue
    stdin.uncork()
    if (pipe.end === null && stdin.writableNeedDrain) await drained(pipe)
    if (pipe.end !== null) return isWhole
    stdin.cork()
  }
  stdin.uncork()
  return isWhole
}

async function drained(pipe: Pipe): Promise<void> {
  await new Promise<void>((resolve) => {
    pipe.onDrain = resolve
  })
  pipe.onDrain = null
}

function checkMemory(pipe: Pipe): void {
  const bytes = residentBytes(pipe.child.pid)
  if (bytes > (pipe.rssBytesMax ?? Number.POSITIVE_INFINITY))
    fail(pipe, 'broken', `the worker used ${bytes} bytes of memory`)
}

/** 0 where it is unknown. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}
