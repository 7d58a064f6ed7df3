/** Starts workers of the analyser in the sandbox, each with a self-test. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { compiledProgram, compiledSnapshot } from '#base/compiled.ts'
import type { Log } from '#base/log.ts'
import { VERSION } from '#base/version.ts'
import { RulesRejected } from './errors.ts'
import { commandLine, type SandboxedProgram } from './sandbox.ts'
import { isWeak, type SelectedSandbox, selectSandbox } from './select-sandbox.ts'
import { selfTest } from './self-test.ts'
import type { Tuning } from './tuning.ts'
import type { Setup } from './worker-loop.ts'
import { startWorker, type Worker } from './worker-process.ts'

export type AnalyserFiles = ReturnType<typeof findAnalyser>

interface StarterOptions {
  log: Log
  analyser?: AnalyserFiles
  sandbox?: SelectedSandbox
}

const ROOT = path.join(import.meta.dirname, '../../..')
const WORKER = path.join(import.meta.dirname, 'worker.ts')
const WORKER_IMPORTS = [
  'worker-loop.ts',
  'protocol.ts',
  '../checksum.ts',
  '../../base/collect-garbage.ts',
  '../../base/document-limit.ts',
  '../../base/message-of.ts',
].map((name) => path.join(import.meta.dirname, name))

/** Rejects when no sandbox is usable. */
export async function createStarter(options: StarterOptions, tuning: Tuning) {
  const { log } = options
  const { sandbox, description } = options.sandbox ?? (await selectSandbox(tuning, log))

  /** Whether the last start from it failed. */
  let isSnapshotBroken = false

  async function start(setup: Setup, signal: AbortSignal): Promise<Worker> {
    const snapshot = isSnapshotBroken || options.analyser !== undefined ? null : compiledSnapshot()
    if (snapshot === null) return await startProgram(withModules(options.analyser), setup, signal)
    try {
      return await startProgram({ file: snapshot, isSnapshot: true, args: [], read: [setup.wasm] }, setup, signal)
    } catch (error) {
      if (signal.aborted || error instanceof RulesRejected) throw error
      // What fails without it as well is not its fault, such as a rule that hits a canary.
      const worker = await startProgram(withModules(), setup, signal)
      isSnapshotBroken = true
      log.warn({ err: error }, 'a worker did not start from its snapshot, workers start more slowly')
      return worker
    }
  }

  async function startProgram(program: SandboxedProgram, setup: Setup, signal: AbortSignal): Promise<Worker> {
    const command = commandLine(sandbox, tuning, program)
    if (command === null) throw new Error(`The sandbox ${sandbox.level} is not usable any more`)
    const rssBytesMax = sandbox.level === 'permission' ? tuning.memoryBytes : null
    const worker = await startWorker({
      ...{ command, log, rssBytesMax, signal },
      limits: { cpuMsMax: tuning.scanCpuMsMax, wallMsMax: tuning.scanWallMsMax },
      setup,
      msMax: tuning.startMsMax,
    })
    const failure = await selfTest(worker, signal)
    if (failure !== null) {
      await end(worker)
      throw failure
    }
    return worker
  }

  return { start, description, isWeak: isWeak(sandbox) }
}

/** Looked up for each start, because compiled programs are removed some versions later. */
function withModules({ module, read } = findAnalyser()): SandboxedProgram {
  const compiled = compiledProgram('worker')
  const program = compiled === null ? { file: WORKER, read: [...WORKER_IMPORTS, ...read] } : { file: compiled, read }
  return { ...program, args: [module] }
}

const SIGNATURES = 'judge/signatures.json'

/** The files of the analyser: the parent passes them to its workers and runs none of them itself. */
export function findAnalyser() {
  const yara = packageFolder('@virustotal/yara-x')
  const inspect = path.join(ROOT, 'inspect')
  const manifest = path.join(ROOT, 'package.json')
  const wasm = path.join(yara, 'yara_x_js_bg.wasm')
  const compiled = compiledProgram('analyser')
  /** The compiled analyser contains it. */
  const sources = () => [`${inspect}/`, `${path.dirname(yara)}/`, `${packageFolder('qr')}/`, manifest]
  return {
    /** Imported by the worker. */
    module: compiled ?? path.join(inspect, 'inspect.ts'),
    /** Files that a worker may read; folders end in `/`. */
    read: compiled === null ? sources() : [compiled, wasm],
    wasm,
    /** When a built-in signature last changed. Not by file times, which are those of the installation. */
    signaturesChangedAt: new Date(JSON.parse(readFileSync(path.join(inspect, SIGNATURES), 'utf8')).changedAt),
    version: VERSION,
  }
}

const packageFolder = (name: string): string => path.dirname(fileURLToPath(import.meta.resolve(name)))

export async function end(worker: Worker): Promise<void> {
  worker.kill()
  await worker.gone
}
