import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createCpuClock } from './cpu-clock.ts'

const BURN_MS = 400

/** Until this thread has used so much CPU time. */
function burn(ms: number): void {
  const before = process.threadCpuUsage().user
  while ((process.threadCpuUsage().user - before) / 1_000 < ms);
}

test('counts the main thread, and not those beside it', async () => {
  const clock = createCpuClock(process.pid)
  const other = new Worker(`(${burn.toString()})(${BURN_MS * 4})`, { eval: true })
  const before = clock() ?? Number.NaN
  const ended = new Promise((resolve) => other.once('exit', resolve))
  await ended
  const beside = (clock() ?? Number.NaN) - before
  assert.ok(beside < BURN_MS, `${beside} ms of another thread were counted`)
  burn(BURN_MS)
  const own = (clock() ?? Number.NaN) - before - beside
  assert.ok(own >= BURN_MS / 2, `${own} ms of ${BURN_MS} were counted`)
})
