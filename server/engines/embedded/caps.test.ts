/** The parent ends a worker whose document takes too much CPU time or memory, whatever the worker does. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { type Started, startAs, until, withEngine, workerPids } from '#test/support/embedded/engine.ts'
import { createCpuClock } from './cpu-clock.ts'

const CPU_MS_MAX = 400
const tuning = { scanCpuMsMax: CPU_MS_MAX }
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

const defectsOf = ({ logged }: Started) =>
  logged.filter((line) => line.includes('Defect: ')).map((line) => JSON.parse(line) as Record<string, unknown>)

function assertTooComplex(outcome: unknown, endedWorker: boolean): void {
  const { kind, obstacle, isCrash, ...more } = outcome as Record<string, unknown>
  assert.deepEqual({ kind, obstacle, isCrash }, { kind: 'unscannable', obstacle: 'too_complex', isCrash: true })
  assert.equal(more.endedWorker ?? false, endedWorker)
}

describe('a document that takes too much CPU time', () => {
  it('is too complex, and its case is logged as a defect without its content', async () => {
    await withEngine({ tuning }, async (started) => {
      const document = 'do: loop for ever'
      assertTooComplex(await started.scan(document, undefined, 'attacker'), true)
      const [defect] = defectsOf(started)
      assert.equal(defect?.level, 'error')
      assert.equal(defect.reason, 'spent')
      assert.equal(defect.sha256, sha256Of(document))
      assert.equal(defect.size, document.length)
      assert.equal(defect.type, 'text/plain')
      assert.equal(defect.accountId, 'attacker')
      assert.ok(Number(defect.cpuMs) > CPU_MS_MAX, String(defect.cpuMs))
      assert.doesNotMatch(JSON.stringify(defect), /for ever/)
    })
  })

  it('is answered below the limit, and the time that a worker waits does not count', async () => {
    await withEngine({ tuning: { scanCpuMsMax: 100 } }, async (started) => {
      assert.deepEqual(await started.scan('do: burn 60'), { kind: 'clean' })
      assert.deepEqual(await started.scan('do: slow'), { kind: 'clean' })
      assertTooComplex(await started.scan('do: burn 5000'), true)
      assert.equal(defectsOf(started).length, 1)
    })
  })

  it('counts for itself, not with the documents before it', async () => {
    await withEngine({ workers: 1, tuning }, async ({ scan }) => {
      const pids = workerPids()
      for (let round = 0; round < 4; round++) assert.deepEqual(await scan(`do: burn 300 ${round}`), { kind: 'clean' })
      assert.deepEqual(workerPids(), pids)
    })
  })

  it('is too complex at the deadline of its scan too, when it has taken more than half of the limit', async () => {
    await withEngine({ workers: 1, tuning: { scanCpuMsMax: 2_000, scanMsMax: 60_000 } }, async ({ scan }) => {
      const [pid = 0] = workerPids()
      const deadline = new AbortController()
      const scanned = scan('do: loop', deadline.signal)
      const clock = createCpuClock(pid)
      const before = clock() ?? 0
      // More than half, because the time before the first check does not count.
      await until(() => (clock() ?? 0) - before > 1_500)
      deadline.abort(new DOMException('Late', 'TimeoutError'))
      assertTooComplex(await scanned, true)
    })
  })

  it('is refused without a worker after it ended a second one, from any account', async () => {
    await withEngine({ tuning }, async (started) => {
      const { scan } = started
      for (const account of ['one', 'two']) {
        await until(() => workerPids().length === 2)
        assertTooComplex(await scan('do: loop', undefined, account), true)
      }
      await until(() => workerPids().length === 2)
      const pids = workerPids()
      assertTooComplex(await scan('do: loop', undefined, 'three'), false)
      assert.deepEqual(workerPids(), pids)
      assert.equal(defectsOf(started).length, 2)
    })
  })

  it('is reported to other processes, and refused when another process reports it', async () => {
    await withEngine({ tuning }, async ({ scan, engine }) => {
      const told: string[] = []
      const ban = engine.shareEndings?.({ note: (sha256) => told.push(sha256) })
      await scan('do: loop')
      assert.deepEqual(told, [sha256Of('do: loop')])
      await until(() => workerPids().length === 2)
      const pids = workerPids()
      ban?.(sha256Of('do: loop here'), 60_000)
      assertTooComplex(await scan('do: loop here'), false)
      assert.deepEqual(workerPids(), pids)
    })
  })

  it('makes the scans of its sender run one at a time', async () => {
    await withEngine({ workers: 3, tuning }, async ({ scan, engine }) => {
      await scan('do: loop', undefined, 'attacker')
      await until(() => engine.stats?.().ready === 3)
      const scans = ['a', 'b', 'c'].map((name) => scan(`do: slow ${name}`, undefined, 'attacker'))
      assert.equal(engine.stats?.().queued, 2)
      const other = scan('do: slow d', undefined, 'other')
      assert.equal(engine.stats?.().queued, 2)
      for (const outcome of await Promise.all([...scans, other])) assert.deepEqual(outcome, { kind: 'clean' })
    })
  })

  it('fails no scan of others, even if it had the only worker and the next one starts slowly', async () => {
    const start = startAs('new Promise((resolve) => setTimeout(resolve, 1_500))')
    await withEngine({ workers: 1, tuning, analyser: start.analyser }, async ({ scan }) => {
      start.delay()
      const hostile = scan('do: loop', undefined, 'attacker')
      const waiting = [scan('one', undefined, 'other'), scan('two', undefined, 'another')]
      assertTooComplex(await hostile, true)
      for (const outcome of await Promise.all(waiting)) assert.deepEqual(outcome, { kind: 'clean' })
    })
  })
})

describe('a document that is late', () => {
  it('fails no scan of others, even if the next worker starts slowly', async () => {
    const start = startAs('new Promise((resolve) => setTimeout(resolve, 1_500))')
    await withEngine({ workers: 1, analyser: start.analyser, tuning: { scanMsMax: 5_000 } }, async ({ scan }) => {
      start.delay()
      const late = scan('do: silence', AbortSignal.timeout(500), 'one')
      const waiting = scan('A letter', undefined, 'other')
      assert.equal((await late).kind, 'failed')
      assert.deepEqual(await waiting, { kind: 'clean' })
    })
  })
})

describe('a document that takes too much memory', () => {
  it('is tried on a second worker, then too complex and not tried again', async () => {
    await withEngine({}, async (started) => {
      assertTooComplex(await started.scan('do: hoard'), true)
      const defects = defectsOf(started)
      assert.deepEqual(
        defects.map(({ reason }) => reason),
        ['exhausted', 'exhausted'],
      )
      assertTooComplex(await started.scan('do: hoard'), false)
      assert.equal(defectsOf(started).length, 2)
    })
  })
})

describe('health', () => {
  it('is down while every worker is stuck with a document, and up again afterwards', async () => {
    await withEngine({ tuning: { answerMsMax: 300 } }, async ({ engine, scan }) => {
      const cancelled = new AbortController()
      const scans = ['a', 'b'].map((name) => scan(`do: stop ${name}`, cancelled.signal))
      await until(() => engine.health().status === 'DOWN')
      assert.match(engine.health().detail ?? '', /0 of 2 workers ready; no worker answers/)
      for (const pid of workerPids()) process.kill(pid, 'SIGKILL')
      await until(() => engine.health().status === 'UP')
      cancelled.abort()
      await Promise.all(scans)
    })
  })

  it('stays up while one worker answers', async () => {
    await withEngine({ tuning: { answerMsMax: 100 } }, async ({ engine, scan }) => {
      const cancelled = new AbortController()
      const stuck = scan('do: stop', cancelled.signal)
      await until(() => engine.health().detail?.includes('1 of 2') ?? false)
      assert.equal(engine.health().status, 'UP')
      cancelled.abort()
      await stuck
    })
  })
})
