/** A worker of the embedded engine whose CPU time and memory are measured for each document. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { compiledProgram } from '#base/compiled.ts'
import { createLog } from '#base/log.ts'
import { commandLine } from '#engines/embedded/sandbox.ts'
import { wholeOf } from '#engines/embedded/self-test.ts'
import { findAnalyser } from '#engines/embedded/starter.ts'
import { DEFAULTS } from '#engines/embedded/tuning.ts'
import { startWorker, type Worker } from '#engines/embedded/worker-process.ts'

interface Measured {
  /** The finding, the reason of the obstacle, `clean`, or why the worker ended. */
  outcome: string
  detail: string
  /** NaN: the worker ended. */
  cpuSeconds: number
  residentBytesMax: number
}

const WORKER = path.join(import.meta.dirname, '../../../server/engines/embedded/worker.ts')
const SCAN_MS_MAX = 120_000
/** Far beyond those of the service, so that documents past them are measured too. */
const LIMITS = { cpuMsMax: 9_000, wallMsMax: SCAN_MS_MAX }

/** Starts a worker with the limits of production when the first document comes, and another when it ended. */
export async function createMeasuredWorker() {
  const analyser = findAnalyser()
  let running: { worker: Worker; cpuMs: number } | null = null

  async function start(): Promise<{ worker: Worker; cpuMs: number }> {
    const program = { file: compiledProgram('worker') ?? WORKER, args: [analyser.module], read: ['/'] }
    const worker = await startWorker({
      command: commandLine({ level: 'prlimit', unshare: false }, DEFAULTS, program) ?? [],
      setup: { operatorRules: [], wasm: analyser.wasm },
      log: createLog({ level: 'silent' }),
      msMax: DEFAULTS.startMsMax,
      rssBytesMax: null,
      limits: LIMITS,
      signal: new AbortController().signal,
    })
    const first = await worker.scan(wholeOf(Buffer.from('Good morning')), SCAN_MS_MAX)
    return { worker, cpuMs: first.kind === 'answered' ? first.answer.cpuMs : 0 }
  }

  return {
    async measure(document: Buffer): Promise<Measured> {
      running ??= await start()
      const { worker, cpuMs: before } = running
      // Resets the peak of the resident memory.
      writeFileSync(`/proc/${worker.pid}/clear_refs`, '5')
      const reply = await worker.scan(wholeOf(document), SCAN_MS_MAX)
      if (reply.kind !== 'answered') {
        await worker.gone
        running = null
        return { outcome: reply.kind, detail: reply.detail, cpuSeconds: Number.NaN, residentBytesMax: Number.NaN }
      }
      const { report, cpuMs } = reply.answer
      running.cpuMs = cpuMs
      const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8'))?.[1]
      return {
        outcome: report.findings[0]?.id ?? report.obstacle?.reason ?? 'clean',
        detail: report.obstacle?.detail ?? '',
        cpuSeconds: (cpuMs - before) / 1000,
        residentBytesMax: Number(peak) * 1024,
      }
    },
    async close(): Promise<void> {
      running?.worker.kill()
      await running?.worker.gone
    },
  }
}
