/** Fails for regular expressions whose time grows faster than the text: a document decides how long a text is. */

import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { BOUNDED, LATER, READERS } from './patterns/allowed.ts'
import { collectPatterns } from './patterns/collect.ts'
import type { Growth, Pattern } from './patterns/growth.ts'
import type { Measured } from './patterns/thread.ts'

/** CPU time after which one measurement is taken for endless. */
const HUNG_MS = 15_000
const POLL_MS = 200

interface Offender {
  pattern: Pattern
  /** Null: it did not end. */
  growth: Growth | null
}

/** The patterns that are superlinear. */
export async function offendersAmong(patterns: readonly Pattern[], length?: number): Promise<Offender[]> {
  const offenders: Offender[] = []
  let from = 0
  while (from < patterns.length) {
    const stuck = await measure(patterns, from, length, (offender) => offenders.push(offender))
    if (stuck === null) break
    const pattern = patterns[stuck]
    if (pattern !== undefined) offenders.push({ pattern, growth: null })
    from = stuck + 1
  }
  return offenders
}

/** Measures until the end, or until a pattern does not end: then its index is returned. */
async function measure(
  patterns: readonly Pattern[],
  from: number,
  length: number | undefined,
  found: (offender: Offender) => void,
): Promise<number | null> {
  const progress = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(new URL('./patterns/thread.ts', import.meta.url), {
    workerData: { patterns, from, progress, length },
  })
  let ended = false
  const done = new Promise<void>((resolve, reject) => {
    worker.on('message', (report: Measured | null) => {
      if (report === null) {
        ended = true
        resolve()
      } else if (report.growth !== null) {
        const pattern = patterns[report.index]
        if (pattern !== undefined) found({ pattern, growth: report.growth })
      }
    })
    worker.once('error', reject)
  })
  try {
    return await Promise.race([done.then(() => null), stuckAt(worker, progress, () => ended)])
  } finally {
    ended = true
    await worker.terminate()
  }
}

async function stuckAt(worker: Worker, progress: Int32Array, hasEnded: () => boolean): Promise<number> {
  let last = -1
  let since = 0
  while (!hasEnded()) {
    await setTimeout(POLL_MS)
    const used = hasEnded() ? null : await worker.cpuUsage().catch(() => null)
    if (used === null) break
    const now = (used.user + used.system) / 1000
    if (progress[1] !== last) {
      last = progress[1] ?? 0
      since = now
    } else if (now - since > HUNG_MS) return progress[0] ?? 0
  }
  return await new Promise(() => {})
}

/** Problems of the patterns of all sources, one line each. */
export async function checkPatterns(): Promise<{ count: number; problems: string[] }> {
  const { patterns, missing } = await collectPatterns()
  const names = new Set(patterns.map(({ name }) => name))
  const stale = [...READERS, ...Object.keys(BOUNDED)].filter((name) => !names.has(name))
  const later = Object.entries(LATER).flatMap(([file, { examples }]) =>
    examples.map(({ source, flags }) => ({ at: file, name: file, source, flags, everywhere: true })),
  )
  const measured = [...patterns, ...later]
    .filter(({ name }) => !(name in BOUNDED))
    .map((pattern) => (READERS.includes(pattern.name) ? { ...pattern, atStart: true } : pattern))
  const offenders = await offendersAmong([...new Map(measured.map((pattern) => [usedAs(pattern), pattern])).values()])
  return {
    count: patterns.length + later.length,
    problems: [
      ...missing.filter((at) => !(at.replace(/:\d+$/, '') in LATER)).map((at) => `${at}: add an example to LATER`),
      ...stale.map((name) => `${name}: is allowed, but there is no such pattern`),
      ...offenders.map(({ pattern, growth }) => `${pattern.at}: ${describe(pattern, growth)}`),
    ],
  }
}

/** The same for patterns that are used alike. */
function usedAs({ source, flags, everywhere, atStart = false }: Pattern): string {
  return JSON.stringify([source, flags, everywhere, atStart])
}

function describe({ source }: Pattern, growth: Growth | null): string {
  if (growth === null) return `/${source}/ does not end`
  const { attack, length, ms, ratio } = growth
  return `/${source}/ takes ${ms.toFixed(1)} ms for ${length} characters and ${ratio.toFixed(1)} times as long for twice as many: ${JSON.stringify(attack)}`
}

if (import.meta.main) {
  const { count, problems } = await checkPatterns()
  for (const problem of problems) console.log(problem)
  if (problems.length === 0) console.log(`OK: ${count} regular expressions take linear time`)
  else process.exitCode = 1
}
