/** The supervisor with processes that do nothing but report that they serve requests, or hang. */
import assert from 'node:assert/strict'
import cluster, { type Worker } from 'node:cluster'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { createLog } from '#base/log.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { LAUNCH_MS_MAX, startProcesses } from './supervisor.ts'

test('a process that hangs before it serves requests is killed, and the reload ends', async () => {
  assert.equal(LAUNCH_MS_MAX, 600_000)
  const folder = temporaryFolder('supervisor')
  const program = path.join(folder, 'process.mjs')
  const serve = `process.send({ docvet: 'question', id: 1, kind: 'serving', payload: null })
    process.on('SIGTERM', () => process.exit(0))`
  writeFileSync(program, serve)
  cluster.setupPrimary({ exec: program, execArgv: [] })
  const forked: Worker[] = []
  cluster.on('fork', (worker) => forked.push(worker))
  const lines: string[] = []
  const log = createLog({ level: 'error', stream: { write: (line) => lines.push(line) } })
  const processes = await startProcesses(1, log, 50)

  writeFileSync(program, 'setInterval(() => {}, 1_000)')
  for (const reloads of [1, 2]) {
    await processes.reload()
    assert.equal(lines.length, reloads)
    assert.match(lines.at(-1) ?? '', /Process 1 was killed: it did not serve requests within 50 ms/)
  }
  assert.deepEqual(
    forked.map((worker) => worker.isDead()),
    [false, true, true],
  )
  await processes.close()
  rmSync(folder, { recursive: true })
})
