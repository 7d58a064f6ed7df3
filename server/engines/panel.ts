/** Scans a document with all engines at once, under one deadline. */
import { untilAborted } from '#base/abort.ts'
import { traced } from '#base/trace.ts'
import { type Engine, failed, type Outcome, type WorkerCount } from './engine.ts'
import type { Whole } from './sample.ts'

export interface EngineReport {
  engine: string
  outcome: Outcome
  /** From the last byte of the document to the outcome; absent when the engine was not waited for. */
  ms?: number
}

/** May replace an outcome before it counts. */
type Review = (outcome: Outcome, engine: string) => Outcome | Promise<Outcome>

export type Panel = ReturnType<typeof createPanel>

/** How long an engine may take to stop after its signal. */
const ABANDON_MS = 500

/** An engine that ignores its signal has failed after a grace period. */
async function ask(engine: Engine, ...args: Parameters<Engine['inspect']>): Promise<Outcome> {
  const [, signal] = args
  const outcome = inspect(engine, ...args)
  try {
    return await untilAborted(signal, outcome)
  } catch {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const timer = setTimeout(resolve, ABANDON_MS, failed('did not stop at its deadline', true))
    return await Promise.race([outcome, promise]).finally(() => clearTimeout(timer))
  }
}

async function inspect(engine: Engine, ...args: Parameters<Engine['inspect']>): Promise<Outcome> {
  try {
    return await engine.inspect(...args)
  } catch (error) {
    // Engines must not throw, so nothing this one says can be trusted.
    return failed(`threw ${error}`)
  }
}

const SKIPPED = failed('skipped: another engine found a threat')

export function createPanel(engines: readonly Engine[], onReport?: (engine: string, outcome: Outcome) => void) {
  return {
    /**
     * One report per engine, in their order. Ends early at a threat, because no other report could change the verdict, and
     * aborts `stop` then for the other engines.
     */
    async inspect(
      document: Whole,
      stop: AbortController,
      accountId: string,
      address?: string,
      review: Review = (outcome) => outcome,
    ): Promise<readonly EngineReport[]> {
      const startedMs = performance.now()
      let found = false
      const reports = engines.map(({ name }): EngineReport => ({ engine: name, outcome: SKIPPED }))
      const threat = Promise.withResolvers<void>()
      const all = engines.map(async (engine, index) => {
        const attributes = { 'docvet.engine': engine.name }
        const asked = () => ask(engine, document, stop.signal, accountId, address)
        const outcome = await review(await traced(`engine ${engine.name}`, attributes, asked), engine.name)
        if (found) return
        onReport?.(engine.name, outcome)
        reports[index] = { engine: engine.name, outcome, ms: Math.round(performance.now() - startedMs) }
        if (outcome.kind !== 'detected') return
        found = true
        stop.abort()
        threat.resolve()
      })
      await Promise.race([Promise.all(all), threat.promise])
      return reports
    },
    health: (elsewhere?: WorkerCount) => engines.map((engine) => engine.health(elsewhere)),
    versions: () => engines.map((engine) => ({ name: engine.name, ...engine.version() })),
    stats: () => engines.flatMap(({ name, stats }) => (stats ? [{ engine: name, ...stats() }] : [])),
    async close(): Promise<void> {
      await Promise.all(engines.map((engine) => engine.close()))
    },
  }
}
