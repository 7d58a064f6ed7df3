/** Asks every engine about the same document at once, under one deadline. */
import { following } from '#base/abort.ts'
import type { Engine, EngineHealth, Outcome } from './engine.ts'
import type { Sample } from './sample.ts'

export interface Report {
  engine: string
  outcome: Outcome
}

export interface Panel {
  /** One report per engine, in their order. Ends early when a threat is found: no other report could change that. */
  inspect(sample: Sample, signal: AbortSignal): Promise<readonly Report[]>
  health(): EngineHealth[]
  close(): Promise<void>
}

/** An engine that ignores its signal is given up after this. */
const ABANDON_MS = 500

/** Resolves a little after the signal, for the engine that does not mind it. */
function abandoned(signal: AbortSignal): { outcome: Promise<Outcome>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(resolve, ABANDON_MS, { kind: 'failed', late: true, detail: 'did not stop when its time was up' })
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return {
    outcome: promise,
    cancel() {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

async function ask(engine: Engine, sample: Sample, signal: AbortSignal): Promise<Outcome> {
  const limit = abandoned(signal)
  try {
    return await Promise.race([engine.inspect(sample, signal), limit.outcome])
  } catch (error) {
    // Against the contract, and exactly therefore not a reason to trust anything it says.
    return { kind: 'failed', late: false, detail: `threw ${error}` }
  } finally {
    limit.cancel()
  }
}

const NOT_WAITED_FOR: Outcome = { kind: 'failed', late: false, detail: 'not waited for: another engine found a threat' }

export function createPanel(engines: readonly Engine[]): Panel {
  return {
    async inspect(sample, signal) {
      const stop = following(signal)
      let found = false
      const reports = engines.map(({ name }): Report => ({ engine: name, outcome: NOT_WAITED_FOR }))
      const threat = Promise.withResolvers<void>()
      const all = engines.map(async (engine, index) => {
        const outcome = await ask(engine, sample, stop.signal)
        if (found) return
        reports[index] = { engine: engine.name, outcome }
        if (outcome.kind !== 'detected') return
        found = true
        stop.abort()
        threat.resolve()
      })
      await Promise.race([Promise.all(all), threat.promise])
      return reports
    },
    health: () => engines.map((engine) => engine.health()),
    async close() {
      await Promise.all(engines.map((engine) => engine.close()))
    },
  }
}
