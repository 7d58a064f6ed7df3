/** The clamd engine with scripted peers. */

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '#base/log.ts'
import { type ClamdOptions, createClamdEngine } from '#engines/clamd/engine.ts'
import type { Engine, Outcome } from '#engines/engine.ts'
import { createSample } from '#engines/sample.ts'
import { type FakeAnswer, type FakeClamd, type FakeScript, startFakeClamd } from '#test/support/fake-clamd.ts'

const log = createLog({ level: 'silent' })
export const OK = 'stream: OK\0'

export async function withFakes(
  scripts: FakeScript[],
  body: (engine: Engine, ...fakes: FakeClamd[]) => Promise<void>,
  options: Partial<ClamdOptions> = {},
): Promise<void> {
  const fakes = await Promise.all(scripts.map(startFakeClamd))
  const engine = await createClamdEngine({ urls: fakes.map((fake) => fake.url), log, ...options })
  try {
    await body(engine, ...fakes)
  } finally {
    await Promise.all(fakes.map((fake) => fake.close()))
    await engine.close()
  }
}

let unique = 0
export function scan(engine: Engine, timeoutMs = 5_000, accountId?: string): Promise<Outcome> {
  const { push, end } = createSample()
  push(Buffer.from(`document ${++unique}`))
  return engine.inspect(end(''), AbortSignal.timeout(timeoutMs), accountId)
}

export async function until(what: string, holds: () => boolean, timeoutMs = 30_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!holds()) {
    if (performance.now() > deadline) assert.fail(`not within ${timeoutMs} ms: ${what}`)
    await sleep(10)
  }
}

/** Each document is answered when the test calls its entry of `open`. */
export function byHand() {
  const open: ((answer: FakeAnswer) => void)[] = []
  const onDocument = () => new Promise<FakeAnswer>((resolve) => open.push(resolve))
  return { open, onDocument }
}

export const failedAtOnce = (outcome: Outcome) => outcome.kind === 'failed' && !outcome.late
