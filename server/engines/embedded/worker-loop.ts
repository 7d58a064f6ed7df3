/** What a worker does: it receives the rules, then one document after another, and answers with the analyser's findings. */
import { accessSync, constants, readFileSync, readSync, writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { collectGarbage } from '#base/collect-garbage.ts'
import { messageOf } from '#base/message-of.ts'
import { checksumOf } from '#engines/checksum.ts'
import type { AddedTables, Inspector, RuleSource, Scores } from '#inspect/inspect.ts'
import { type About, condense, decodeHead, encodeFrame, type FrameKind, HEAD_BYTES, type Head } from './protocol.ts'
import type { Answer } from './report.ts'
import type { Hashed } from './rules/rule-files.ts'

type Usage = Pick<Answer, 'rssBytes' | 'cpuMs'>

/** The parent's first frame. */
export interface Setup {
  operatorRules: readonly RuleSource[]
  scores?: Scores | undefined
  /** Of the update channel, and what is hashed of it besides its rules. */
  tables?: AddedTables | undefined
  hashed?: readonly Hashed[] | undefined
  /** A file that the worker may read. */
  wasm: string
}

const STDIN = 0
const STDOUT = 1
const RULE_FILES_MAX = 100
/** Between two measurements of the process, and turns of the event loop: together they take as long as a small document. */
const UPKEEP_MS = 10

// Reads and writes block: a worker does one thing at a time, and the parent keeps the deadline. Without streams the
// bytes of a large document go straight from the pipe into its memory.

/** Read ahead of what was asked for, so that a small document and its head take one system call. */
const ahead = Buffer.allocUnsafeSlow(65_536)
let aheadFrom = 0
let aheadTo = 0

/** Exits at the end of the pipe: the parent is gone. */
function readInto(target: Buffer, from: number): number {
  const count = readSync(STDIN, target, from, target.length - from, null)
  if (count === 0) process.exit(0)
  return count
}

function readFully(target: Buffer): void {
  for (let filled = 0; filled < target.length; ) {
    if (aheadFrom < aheadTo) {
      const count = ahead.copy(target, filled, aheadFrom, aheadTo)
      filled += count
      aheadFrom += count
    } else if (target.length - filled >= ahead.length) filled += readInto(target, filled)
    else {
      aheadFrom = 0
      aheadTo = readInto(ahead, 0)
    }
  }
}

const headBytes = Buffer.alloc(HEAD_BYTES)

function readHead(...expected: FrameKind[]): Head {
  readFully(headBytes)
  const head = decodeHead(headBytes)
  if (!expected.includes(head.kind)) throw new Error(`Expected a ${expected.join(' or ')}, got a ${head.kind}`)
  return head
}

function send(kind: FrameKind, id: number, value: unknown): void {
  const frame = encodeFrame(kind, id, value)
  for (let written = 0; written < frame.length; ) written += writeSync(STDOUT, frame, written)
}

/** The rejected rule files and lines. Read by shape, because the analyser cannot be imported statically here. */
function rejectedFilesOf(error: unknown): { name: string; line: number | null }[] {
  const files = error instanceof Error && 'files' in error && Array.isArray(error.files) ? error.files : []
  return files.slice(0, RULE_FILES_MAX).map(({ name, message }) => {
    const line = /^ *--> line:(\d{1,9}):/m.exec(message)?.[1]
    return { name: String(name).slice(0, 255), line: line === undefined ? null : Number(line) }
  })
}

/** Error class and stack frames. Not the message: it may quote the document, and this goes to the log. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is no error'
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? []
  return [error.name, ...frames.slice(0, 3).map((line) => line.trim())].join(' ').slice(0, 1_000)
}

function readSetup(): Setup {
  const body = Buffer.alloc(readHead('setup').size)
  readFully(body)
  return JSON.parse(body.toString())
}

/** The head of a document, and what was sent about it before. */
function readRequest(): { id: number; size: number; about: About } {
  const { kind, id, size } = readHead('about', 'document')
  if (kind === 'document') return { id, size, about: UNKNOWN }
  const body = Buffer.alloc(size)
  readFully(body)
  const about: About = JSON.parse(body.toString())
  body.fill(0)
  const document = readHead('document')
  return { id: document.id, size: document.size, about }
}

const UNKNOWN: About = { passwords: [] }

async function startInspector(setup: Setup, load: () => Promise<Analyser>): Promise<Inspector> {
  try {
    const analyser = await load()
    accessSync(setup.wasm, constants.R_OK)
    return await analyser.createInspector({ ...setup, wasm: () => readFileSync(setup.wasm) })
  } catch (error) {
    send('refusal', 0, { message: messageOf(error).slice(0, 8_000), files: rejectedFilesOf(error) })
    return process.exit(1)
  }
}

/** Throws where the analyser does, and where its rule engine broke down without having found a threat. */
function inspect(inspector: Inspector, document: Buffer, about: About): Omit<Answer, keyof Usage> {
  const checksum = checksumOf(document)
  const report = condense(inspector.inspect(document, about))
  const isMalicious = report.findings.some(({ severity }) => severity === 'malicious')
  // A failure of ours must not make the document count as damaged.
  if (!inspector.healthy && !isMalicious) throw new Error('The rule engine broke down')
  return { bytes: document.length, checksum, report }
}

/** Of the whole process since its start. */
function measureUsage(): Usage {
  const { user, system } = process.cpuUsage()
  return { rssBytes: process.memoryUsage.rss(), cpuMs: Math.round((user + system) / 1_000) }
}

async function serve(inspector: Inspector): Promise<never> {
  /** Reused and overwritten after each document: garbage collection would leave its bytes in memory. */
  let memory = Buffer.allocUnsafeSlow(1024 * 1024)
  let usage = measureUsage()
  let upkeepAt = performance.now()
  for (;;) {
    const { about, id, size } = readRequest()
    if (size > memory.length) memory = Buffer.allocUnsafeSlow(size)
    const document = memory.subarray(0, size)
    readFully(document)
    let isUpkeepDue = false
    try {
      const { bytes, checksum, report } = inspect(inspector, document, about)
      isUpkeepDue = performance.now() - upkeepAt >= UPKEEP_MS
      if (isUpkeepDue) usage = measureUsage()
      const { rssBytes, cpuMs } = usage
      const answer: Answer = { bytes, checksum, report, rssBytes, cpuMs }
      send('answer', id, answer)
    } catch (error) {
      // After a trap the state of WebAssembly is undefined, so this process must not scan again.
      send('failure', id, { message: placeOf(error) })
      process.exit(1)
    }
    if (!inspector.healthy) process.exit(1)
    document.fill(0)
    ahead.fill(0, 0, aheadFrom)
    if (!isUpkeepDue) continue
    // Finalizers of WebAssembly objects run only between turns of the event loop.
    await setImmediate()
    upkeepAt = performance.now()
  }
}

type Analyser = Pick<typeof import('#inspect/inspect.ts'), 'createInspector'>

export async function runWorker(load: () => Promise<Analyser>): Promise<never> {
  // YARA's `console` module prints, and standard output belongs to the protocol.
  for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const) console[name] = () => {}
  const inspector = await startInspector(readSetup(), load)
  send('ready', 0, { rulesVersion: inspector.rulesVersion, ruleCount: inspector.ruleCount })
  collectGarbage()
  return await serve(inspector)
}
