/** The embedded engine with the analyser for tests, and how tests scan with it and see its processes. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createLog, type Log } from '#base/log.ts'
import type { AnalyserFiles } from '#engines/embedded/analyser.ts'
import { createEmbeddedEngine, DEFAULTS, type EmbeddedOptions } from '#engines/embedded/engine.ts'
import { findIsolation, type Isolation } from '#engines/embedded/isolation.ts'
import type { Engine, Outcome } from '#engines/engine.ts'
import { createSample, type Sample } from '#engines/sample.ts'

export const STAND_IN: AnalyserFiles = {
  module: path.join(import.meta.dirname, 'analyser.ts'),
  read: [`${import.meta.dirname}/`, path.join(import.meta.dirname, '../../../../package.json')],
  // Nobody compiles it.
  wasm: path.join(import.meta.dirname, 'rules/own.yar'),
  rules: path.join(import.meta.dirname, 'rules'),
  rulesChangedAt: new Date('2026-10-01T00:00:00Z'),
  version: '0.0.0',
}

/** An analyser whose new children end as soon as they begin, while it is broken: they may not read their files. */
export function breakable(isBroken: () => boolean): AnalyserFiles {
  return Object.defineProperty({ ...STAND_IN }, 'read', { get: () => (isBroken() ? [] : STAND_IN.read) })
}

/** Once for all engines of a test file. */
let found: Promise<Isolation> | undefined

export interface Started {
  engine: Engine
  scan(document: string | Buffer, signal?: AbortSignal): Promise<Outcome>
  /** Everything that was logged, as lines. */
  logged: string[]
}

export async function startEngine(options: Partial<EmbeddedOptions> = {}): Promise<Started> {
  const logged: string[] = []
  const log: Log = createLog({ level: 'debug', stream: { write: (line) => logged.push(line) } })
  found ??= findIsolation(DEFAULTS, log)
  const isolation = await found
  const analyser = STAND_IN
  const defaults = { children: 2, rulesDir: null, sensitivity: 'standard', log, analyser, isolation } as const
  const engine = await createEmbeddedEngine({ ...defaults, ...options })
  const scan = (document: string | Buffer, signal = new AbortController().signal) =>
    engine.inspect(sampleOf(document), signal)
  return { engine, scan, logged }
}

/** In two chunks, as it may come from a client. */
export function sampleOf(document: string | Buffer): Sample {
  const bytes = Buffer.from(document)
  const { sample, push, end } = createSample()
  push(bytes.subarray(0, bytes.length >> 1))
  push(bytes.subarray(bytes.length >> 1))
  end(createHash('sha256').update(bytes).digest('hex'))
  return sample
}

/** Processes that run the program of a child for this process, whatever they are wrapped in. */
export function childPids(parent = process.pid): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]))
    } catch {
      // It ended while we looked.
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
    return program === process.execPath && args.some((each) => each.endsWith('embedded/child.ts'))
  } catch {
    return false
  }
}

export async function until(condition: () => boolean, msMax = 15_000): Promise<number> {
  const startedAt = performance.now()
  while (!condition()) {
    if (performance.now() - startedAt > msMax) throw new Error(`did not happen within ${msMax} ms: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return performance.now() - startedAt
}

/** For what is promised of a machine that has time: it must come true once in a few attempts. */
export async function onQuietMachine(attempt: () => Promise<void>, attemptsMax = 5): Promise<void> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (count >= attemptsMax) throw error
    }
  }
}
