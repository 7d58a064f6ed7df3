/** Scans a document with all engines at once, under one deadline. */
import { following } from '#base/abort.ts'
import type { Engine, EngineHealth, Outcome } from './engine.ts'
import type { Sample } from './sample.ts'

export interface Report {
  engine: string
  outcome: Outcome
}

export interface Panel {
  /** One report per engine, in their order. Ends early at a threat, because no other report could change the verdict. */
  inspect(sample: Sample, signal: AbortSignal): Promise<readonly Report[]>
  health(): EngineHealth[]
  close(): Promise<void>
}

/** How long an engine may take to stop after its signal. */
const ABANDON_MS = 500

/** Resolves after the grace period, for an engine that ignores its signal. */
function abandoned(signal: AbortSignal): { outcome: Promise<Outcome>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    timer = setTimeout(resolve, ABANDON_MS, { kind: 'failed', late: true, detail: 'did not stop at its deadline' })
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
    // Engines must not throw, so nothing this one says can be trusted.
    return { kind: 'failed', late: false, detail: `threw ${error}` }
  } finally {
    limit.cancel()
  }
}

const SKIPPED: Outcome = { kind: 'failed', late: false, detail: 'skipped: another engine found a threat' }

export function createPanel(engines: readonly Engine[]): Panel {
  return {
    async inspect(sample, signal) {
      const stop = following(signal)
      let found = false
      const reports = engines.map(({ name }): Report => ({ engine: name, outcome: SKIPPED }))
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
