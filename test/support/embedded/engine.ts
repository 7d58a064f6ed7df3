/** Starts the embedded engine with the fake analyser, and lists its worker processes. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createLog, type Log } from '#base/log.ts'
import { createEmbeddedEngine, type EmbeddedOptions } from '#engines/embedded/engine.ts'
import { type SelectedSandbox, selectSandbox } from '#engines/embedded/select-sandbox.ts'
import type { AnalyserFiles } from '#engines/embedded/starter.ts'
import { DEFAULTS } from '#engines/embedded/tuning.ts'
import type { Engine, Outcome } from '#engines/engine.ts'
import { createSample, type Whole } from '#engines/sample.ts'

export const FAKE_ANALYSER: AnalyserFiles = {
  module: path.join(import.meta.dirname, 'fake-analyser.ts'),
  read: [
    `${import.meta.dirname}/`,
    ...[
      'package.json',
      'server/engines/embedded/protocol.ts',
      'server/engines/checksum.ts',
      'server/base/document-limit.ts',
    ].map((name) => path.join(import.meta.dirname, '../../..', name)),
  ],
  // The fake analyser does not compile it.
  wasm: path.join(import.meta.dirname, 'fake-analyser.ts'),
  signaturesChangedAt: new Date('2026-10-01T00:00:00Z'),
  version: '0.0.0',
}

/** While it is broken, new workers exit at once, because they may not read their files. */
export function breakable(isBroken: () => boolean): AnalyserFiles {
  return Object.defineProperty({ ...FAKE_ANALYSER }, 'read', { get: () => (isBroken() ? [] : FAKE_ANALYSER.read) })
}

/** Selected once per test file. */
let selected: Promise<SelectedSandbox> | undefined

export interface Started {
  engine: Engine
  /** Without the findings and what is beneath a threat, which every other test would have to list. */
  scan(document: string | Buffer, signal?: AbortSignal, accountId?: string, address?: string): Promise<Outcome>
  /** Everything that was logged, as lines. */
  logged: string[]
}

export async function startEngine(options: Partial<EmbeddedOptions> = {}): Promise<Started> {
  const logged: string[] = []
  const log: Log = createLog({ level: 'debug', stream: { write: (line) => logged.push(line) } })
  selected ??= selectSandbox(DEFAULTS, log)
  const sandbox = await selected
  const analyser = FAKE_ANALYSER
  const defaults = { workers: 2, rulesDir: null, sensitivity: 'standard', log, analyser, sandbox } as const
  const engine = await createEmbeddedEngine({ ...defaults, ...options })
  const scan: Started['scan'] = async (document, signal = new AbortController().signal, ...from) => {
    const { findings: _findings, ...outcome } = await engine.inspect(sampleOf(document), signal, ...from)
    if (outcome.kind === 'detected') delete outcome.beneath
    return outcome
  }
  return { engine, scan, logged }
}

/** No process may be left afterwards. */
export async function withEngine(
  options: Parameters<typeof startEngine>[0],
  use: (started: Started) => Promise<void>,
): Promise<void> {
  const started = await startEngine(options)
  try {
    await use(started)
  } finally {
    await started.engine.close()
    assert.deepEqual(workerPids(), [], 'workers are left')
  }
}

/** After `delay()`, new workers wait for this expression before they are ready. */
export function startAs(expression: string) {
  const analyser = { ...FAKE_ANALYSER }
  const { module } = analyser
  let delayed = false
  const source = `await ${expression}; export const { createInspector } = await import('file://${module}')`
  Object.defineProperty(analyser, 'module', {
    get: () => (delayed ? `data:text/javascript,${encodeURIComponent(source)}` : module),
  })
  const delay = () => {
    delayed = true
  }
  return { analyser, delay }
}

/** In two chunks, as from a client. */
export function sampleOf(document: string | Buffer): Whole {
  const bytes = Buffer.from(document)
  const { push, end } = createSample()
  push(bytes.subarray(0, bytes.length >> 1))
  push(bytes.subarray(bytes.length >> 1))
  return end(createHash('sha256').update(bytes).digest('hex'))
}

/** Worker processes below `parent`, also inside sandbox programs. */
export function workerPids(parent = process.pid): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]))
    } catch {
      // It exited meanwhile.
    }
  }
  const descends = (pid: number): boolean => {
    const above = parents.get(pid)
    return above === parent || (above !== undefined && above > 1 && descends(above))
  }
  return [...parents.keys()].filter((pid) => descends(pid) && isNode(pid))
}

function isNode(pid: number): boolean {
  try {
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return program === process.execPath && args.some((each) => /\/worker\.(?:ts|mjs|blob)$/.test(each))
  } catch {
    return false
  }
}

/** Rejects after a time that is generous on purpose: it guards against a hang, it does not measure. */
export async function until(condition: () => boolean, msMax = 90_000): Promise<void> {
  const endsAt = performance.now() + msMax
  while (!condition()) {
    if (performance.now() > endsAt) throw new Error(`Condition not met: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** For races that a busy machine may lose: the attempt must succeed once. */
export async function withRetries(attempt: () => Promise<void>, attemptsMax = 5): Promise<void> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (count >= attemptsMax) throw error
    }
  }
}
