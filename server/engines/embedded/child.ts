/** The program of a child: it takes the rules, then one document after the other, and says what the analyser found. */
import { createHash } from 'node:crypto'
import { readFileSync, readSync, writeSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { decodeHead, encodeFrame, type FrameKind, HEAD_BYTES, type Head } from './protocol.ts'
import { condense } from './report.ts'

/** What the parent sends first. */
export interface Setup {
  rules: readonly { name: string; text: string }[]
  operatorRules: readonly { name: string; text: string }[]
  /** A file that the child may read. */
  wasm: string
}

const STDIN = 0
const STDOUT = 1

// Reads and writes block: a child has one thing to do at a time, and the clock is the parent's. Without streams the
// bytes go straight from the pipe into the document's memory.

/** Our side of the pipe has no other end any more: nobody waits for us. */
function readFully(target: Buffer, onPart: (part: Buffer) => void = () => {}): void {
  for (let filled = 0; filled < target.length; ) {
    const count = readSync(STDIN, target, filled, target.length - filled, null)
    if (count === 0) process.exit(0)
    onPart(target.subarray(filled, filled + count))
    filled += count
  }
}

function readHead(expected: FrameKind): Head {
  const bytes = Buffer.alloc(HEAD_BYTES)
  readFully(bytes)
  const head = decodeHead(bytes)
  if (head.kind !== expected) throw new Error(`A ${expected} was expected, not a ${head.kind}`)
  return head
}

function send(kind: FrameKind, id: number, value: unknown): void {
  const frame = encodeFrame(kind, id, value)
  for (let written = 0; written < frame.length; ) written += writeSync(STDOUT, frame, written)
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 8_000)
}

const FILES_NAMED_MAX = 100

/** Which files of rules are to blame, and where. Told by shape: the analyser is not ours to import here. */
function filesOf(error: unknown): { name: string; line: number | null }[] {
  const files = error instanceof Error && 'files' in error && Array.isArray(error.files) ? error.files : []
  return files.slice(0, FILES_NAMED_MAX).map(({ name, message }) => {
    const line = /^ *--> line:(\d{1,9}):/m.exec(message)?.[1]
    return { name: String(name).slice(0, 255), line: line === undefined ? null : Number(line) }
  })
}

/** What was thrown, and where. Not its message: that may quote the document, and this goes to the log. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error'
  const frames = error.stack?.split('\n').filter((line) => /^ {4}at /.test(line)) ?? []
  return [error.name, ...frames.slice(0, 3).map((line) => line.trim())].join(' ').slice(0, 1_000)
}

function readSetup(): Setup {
  const body = Buffer.alloc(readHead('setup').size)
  readFully(body)
  return JSON.parse(body.toString())
}

// YARA's `console` module prints, and standard output belongs to the protocol.
for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace'] as const) console[name] = () => {}

async function start(setup: Setup) {
  try {
    // Named by the parent, so that tests can put an analyser of their own in its place.
    const analyser: typeof import('#inspect/inspect.ts') = await import(process.argv[2] ?? '')
    return await analyser.createInspector({ ...setup, wasm: readFileSync(setup.wasm) })
  } catch (error) {
    send('refusal', 0, { message: messageOf(error), files: filesOf(error) })
    return process.exit(1)
  }
}

const inspector = await start(readSetup())
send('ready', 0, { rulesVersion: inspector.rulesVersion, ruleCount: inspector.ruleCount })

/** One for all documents, and overwritten after each: what a document leaves to the collector may stay for long. */
let memory = Buffer.allocUnsafeSlow(1024 * 1024)

for (;;) {
  const { id, size } = readHead('document')
  if (size > memory.length) memory = Buffer.allocUnsafeSlow(size)
  const document = memory.subarray(0, size)
  const hash = createHash('sha256')
  readFully(document, (part) => hash.update(part))
  try {
    const report = condense(inspector.inspect(document))
    const bad = report.findings.some(({ severity }) => severity === 'malicious')
    // Our own trouble is not the document's: it must not be called damaged for it.
    if (!inspector.healthy && !bad) throw new Error('The rule engine broke down')
    const { user, system } = process.cpuUsage()
    send('answer', id, {
      bytes: size,
      sha256: hash.digest('hex'),
      report,
      rssBytes: process.memoryUsage.rss(),
      cpuMs: Math.round((user + system) / 1_000),
    })
  } catch (error) {
    // After a trap inside WebAssembly its state is anybody's guess: this process looks at nothing more.
    send('failure', id, { message: placeOf(error) })
    process.exit(1)
  }
  if (!inspector.healthy) process.exit(1)
  document.fill(0)
  // A turn of the event loop, in which finalizers run: without it, WebAssembly objects would pile up.
  await setImmediate()
}
