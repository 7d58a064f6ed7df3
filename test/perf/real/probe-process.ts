/** Starts processes with the analyser, and asks them. */

import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { compiledProgram } from '#base/compiled.ts'
import { nodeFlags } from '#engines/embedded/sandbox.ts'
import { DEFAULTS } from '#engines/embedded/tuning.ts'
import { ROOT } from '#test/perf/corpus-files.ts'
import type { Judged, Passes, Request } from './probe.ts'

/** More than a worker has, because the limits of an inspection are not in force. */
const HEAP_BYTES = 4 * 2 ** 30
const PROBE = path.join(import.meta.dirname, 'probe.ts')

export interface Probe extends Disposable {
  ask(request: Extract<Request, { ask: 'judge' }>): Promise<Judged[]>
  ask(request: Exclude<Request, { ask: 'judge' }>): Promise<Passes>
}

/** The analyser as the service runs it, compiled from the sources of now. */
export function compiledAnalyser(): string {
  const { status, stderr } = spawnSync(process.execPath, [path.join(ROOT, 'scripts/compile.ts')], { encoding: 'utf8' })
  const file = compiledProgram('analyser')
  if (status !== 0 || file === null) throw new Error(`The analyser could not be compiled: ${stderr}`)
  return file
}

export async function startProbe(analyser: string): Promise<Probe> {
  const execArgv = nodeFlags({ heapBytes: HEAP_BYTES, youngBytes: DEFAULTS.youngBytes })
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const child = fork(PROBE, [analyser], { execArgv, env })
  async function next(): Promise<unknown> {
    const ended = new AbortController()
    const exit = once(child, 'exit', { signal: ended.signal }).then(() => {
      throw new Error('The process with the analyser has ended')
    })
    exit.catch(() => {})
    try {
      const [message] = (await Promise.race([once(child, 'message', { signal: ended.signal }), exit])) as unknown[]
      return message
    } finally {
      ended.abort()
    }
  }
  await next()
  return {
    // The answer has the form that the request names.
    ask(request: Request): Promise<never> {
      child.send(request)
      return next() as Promise<never>
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}
