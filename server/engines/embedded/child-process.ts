/** One child as its parent sees it: started, asked one thing at a time, and killed at the first sign of nonsense. */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Log } from '#base/log.ts'
import type { Whole } from '#engines/sample.ts'
import type { Setup } from './child.ts'
import { type BadFile, RulesRefused } from './complaint.ts'
import { createFrameReader, encodeFrame, encodeHead, type Frame } from './protocol.ts'
import { type Failure, type Reply, readReply } from './reply.ts'
import { parseObject } from './report.ts'
import { killGroup, launch } from './sandbox.ts'

export interface Child {
  pid: number | undefined
  rulesVersion: string
  ruleCount: number
  /**
   * One at a time. Whatever is neither `answered` nor `unwanted` was the child's end. It may finish shortly after the
   * signal, and live: a scan is often given up because another engine was faster, and a new child costs more than the
   * rest of the work.
   */
  ask(document: Whole, msMax: number, signal?: AbortSignal): Promise<Reply>
  kill(): void
  /** When the process is no more. */
  gone: Promise<void>
}

export interface StartOptions {
  command: readonly string[]
  setup: Setup
  log: Log
  msMax: number
  /** Watched by the parent while a child works; null where the kernel does it. */
  rssBytesMax: number | null
  signal: AbortSignal
}

const COMPLAINT_BYTES_MAX = 4_096
const GIVEN_UP = 'the scan was given up'
const ZEROS = Buffer.alloc(65_536)
interface Grace {
  lateMs: number
  /** When nobody wants the answer any more but nothing is late, a healthy child may finish: a new one would cost more. */
  unwantedMs: number
}
const SCAN_GRACE: Grace = { lateMs: 250, unwantedMs: 5_000 }
/** A start is given up only when everything closes. */
const NO_GRACE: Grace = { lateMs: 0, unwantedMs: 0 }
const WATCH_EVERY_MS = 100
/** The smallest there is: on other machines the bound is higher, not lower. */
const PAGE_BYTES = 4_096

/** Resolves when the rules are compiled. Rejects, with the process gone, when that fails. */
export async function startChild(options: StartOptions): Promise<Child> {
  const { command, setup, log, rssBytesMax } = options
  // Before there is a process that would be left behind: rules may be too large for a frame.
  const first = encodeFrame('setup', 0, setup)
  const spawned = launch(command)
  const reader = createFrameReader(['ready', 'refusal', 'answer', 'failure'])
  /** Why it is at its end; the first reason stands. */
  let end: Failure | null = null
  /** Who waits for the next frame, and who for room in the pipe. */
  let onFrame: ((frame: Frame | null) => void) | null = null
  let onRoom: (() => void) | null = null
  let complaint = ''

  function finish(kind: Failure['kind'], detail: string): void {
    end ??= { kind, detail }
    // Not when it is gone: its number may be another process's by now.
    if (spawned.exitCode === null && spawned.signalCode === null) killGroup(spawned.pid)
    // What it has not taken yet is not sent any more, for the memory may be given back.
    spawned.stdin.destroy()
    deliver(null)
    onRoom?.()
  }

  function deliver(frame: Frame | null): void {
    const receive = onFrame
    onFrame = null
    receive?.(frame)
  }

  const gone = new Promise<void>((resolve) => {
    spawned.once('close', (code, by) => {
      finish('died', `the child ended with ${by ?? `code ${code}`}`)
      if (complaint !== '') log.warn({ child: spawned.pid, complaint }, 'a child of the embedded engine complained')
      resolve()
    })
  })
  spawned.on('error', (error) => finish('died', error.message))
  // The pipe breaks when the child dies; `close` tells the rest.
  spawned.stdin.on('error', () => {}).on('drain', () => onRoom?.())
  spawned.stdout
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) {
          if (onFrame === null) throw new Error('the child spoke without being asked')
          deliver(frame)
        }
      } catch (error) {
        finish('broken', error instanceof Error ? error.message : String(error))
      }
    })
  spawned.stderr
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString()).slice(0, COMPLAINT_BYTES_MAX)
    })

  function checkMemory(bytesMax: number): void {
    const bytes = residentBytes(spawned.pid)
    if (bytes > bytesMax) finish('broken', `the child took ${bytes} bytes of memory`)
  }

  /** Null at the child's end. The clock is ours: what is not here in time never comes. */
  async function nextFrame(msMax: number, signal: AbortSignal | undefined, grace: Grace): Promise<Frame | null> {
    if (end !== null) return null
    const timer = setTimeout(() => finish('late', `no answer within ${Math.round(msMax)} ms`), msMax)
    let last: NodeJS.Timeout | undefined
    const abort = () => {
      const isLate = signal?.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
      last = setTimeout(() => finish('late', GIVEN_UP), isLate ? grace.lateMs : grace.unwantedMs)
    }
    const watch = rssBytesMax === null ? undefined : setInterval(checkMemory, WATCH_EVERY_MS, rssBytesMax)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    try {
      return await new Promise<Frame | null>((resolve) => {
        onFrame = resolve
      })
    } finally {
      clearTimeout(timer)
      clearTimeout(last)
      clearInterval(watch)
      signal?.removeEventListener('abort', abort)
    }
  }

  async function room(): Promise<void> {
    await new Promise<void>((resolve) => {
      onRoom = resolve
    })
    onRoom = null
  }

  /** False when the document was taken away meanwhile; the child then got zeros for the rest, so that it can go on. */
  async function feed(id: number, { size, chunks }: Whole): Promise<boolean> {
    // Corked, a small document and its head go into the pipe by one system call.
    spawned.stdin.cork()
    spawned.stdin.write(encodeHead({ kind: 'document', id, size }))
    let left = size
    let whole = true
    for (let index = 0; left > 0; index++) {
      const chunk = chunks[index] ?? ZEROS.subarray(0, left)
      whole &&= index < chunks.length
      left -= chunk.length
      if (spawned.stdin.write(chunk) || left <= 0) continue
      spawned.stdin.uncork()
      if (end === null && spawned.stdin.writableNeedDrain) await room()
      if (end !== null) return whole
      spawned.stdin.cork()
    }
    spawned.stdin.uncork()
    return whole
  }

  async function ask(document: Whole, msMax: number, signal?: AbortSignal): Promise<Reply> {
    // Never the id of the question before, so that no answer can pass for one to another document.
    const id = randomInt(1, 2 ** 32 - 1)
    let fed = false
    const answered = nextFrame(msMax, signal, SCAN_GRACE).then((frame) => {
      if (frame !== null && !fed) finish('broken', 'the child answered before it had the document')
      return frame
    })
    const whole = await feed(id, document)
    fed = true
    const frame = await answered
    if (frame !== null && end === null) {
      // Taken away, it was overwritten, perhaps while it was on its way.
      const taken = !whole || document.chunks.length === 0
      if (taken && frame.kind === 'answer' && frame.id === id) return { kind: 'unwanted', detail: GIVEN_UP }
      const reply = readReply(frame, id, document)
      if (reply.kind === 'answered') return reply
      finish(reply.kind, reply.detail)
    }
    return end ?? { kind: 'died', detail: 'the child is gone' }
  }

  spawned.stdin.write(first)
  const sign = await nextFrame(options.msMax, options.signal, NO_GRACE)
  const said = sign === null ? null : parseObject(sign.body)
  if (sign?.kind === 'ready' && typeof said?.rulesVersion === 'string' && typeof said.ruleCount === 'number') {
    const { rulesVersion, ruleCount } = said
    return { pid: spawned.pid, rulesVersion, ruleCount, ask, kill: () => finish('died', 'it was ended'), gone }
  }
  finish('broken', 'the child did not begin with a sign of readiness')
  await gone
  if (sign?.kind === 'refusal') {
    const files = badFiles(said?.files)
    // Without a file it is the analyser that could not begin, and another child may have more luck.
    throw files.length > 0 ? new RulesRefused(String(said?.message), files) : new Error(String(said?.message))
  }
  throw new Error(`${(end as { detail: string } | null)?.detail ?? ''} ${complaint}`.trim())
}

function badFiles(said: unknown): BadFile[] {
  if (!Array.isArray(said)) return []
  return said
    .filter((each) => typeof each?.name === 'string')
    .map(({ name, line }) => ({ name, reason: `does not compile${Number.isInteger(line) ? `, line ${line}` : ''}` }))
}

/** 0 where it cannot be known. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES
  } catch {
    return 0
  }
}
