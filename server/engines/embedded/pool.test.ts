import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { breakable, childPids, onQuietMachine, STAND_IN, startEngine, until } from './stand-in/start.ts'

/** Starts, does, ends; and nothing is left. */
async function withEngine(
  options: Parameters<typeof startEngine>[0],
  use: (started: Awaited<ReturnType<typeof startEngine>>) => Promise<void>,
): Promise<void> {
  const started = await startEngine(options)
  try {
    await use(started)
  } finally {
    await started.engine.close()
    assert.deepEqual(childPids(), [], 'children are left')
  }
}

async function allNew(pids: number[], count = pids.length): Promise<void> {
  await until(() => childPids().length === count && pids.every((pid) => !childPids().includes(pid)))
}

/** The patience of the crew, and a little for the machine. */
const WAIT_MS_MAX = 1_000
/** Clearly without that wait, also on a machine that has other things to do. */
const AT_ONCE_MS_MAX = 500
const NO_CHILD = 'the embedded engine has no child: none is ready'

async function timed<T>(outcome: Promise<T>): Promise<{ outcome: T; tookMs: number }> {
  const startedAt = performance.now()
  return { outcome: await outcome, tookMs: performance.now() - startedAt }
}

/** An analyser whose children, while told so, wait for this expression before they are ready. */
function startAs(expression: string) {
  const analyser = { ...STAND_IN }
  const { module } = analyser
  let odd = false
  const source = `await ${expression}; export const { createInspector } = await import('file://${module}')`
  Object.defineProperty(analyser, 'module', {
    get: () => (odd ? `data:text/javascript,${encodeURIComponent(source)}` : module),
  })
  const oddly = () => {
    odd = true
  }
  return { analyser, oddly }
}

describe('the pool of children', () => {
  it('answers 200 scans at once with two children, each with its own result', async () => {
    await withEngine({}, async ({ scan }) => {
      const documents = Array.from({ length: 200 }, (_, index) => {
        if (index % 3 === 0) return Buffer.alloc(1_000 + index * 500, `number ${index} `)
        return index % 3 === 1 ? `ownbadword ${index}` : `PK ${index}`
      })
      const outcomes = await Promise.all(documents.map((document) => scan(document)))
      const expected = documents.map((_, index) => ['clean', 'detected', 'unscannable'][index % 3])
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        expected,
      )
    })
  })

  it('replaces a child after its scans, without losing one', async () => {
    await withEngine({ tuning: { scansMax: 10 } }, async ({ scan, engine }) => {
      const pids = childPids()
      for (let round = 0; round < 20; round++) {
        const outcomes = await Promise.all([scan('one'), scan('two'), scan('three')])
        assert.ok(outcomes.every(({ kind }) => kind === 'clean'))
      }
      await allNew(pids)
      assert.match(engine.health().detail ?? '', /2 of 2/)
    })
  })

  it('leaves a child alone one scan before', async () => {
    await withEngine({ children: 1, tuning: { scansMax: 10 } }, async ({ scan }) => {
      const pids = childPids()
      for (let round = 0; round < 9; round++) await scan('one')
      await new Promise((resolve) => setTimeout(resolve, 400))
      assert.deepEqual(childPids(), pids)
      await scan('one')
      await allNew(pids)
    })
  })

  it('replaces a child that has nothing to do any more, with what it unpacked, but not one that never had', async () => {
    await withEngine({ tuning: { idleMsMax: 300, proofEveryMs: 120, proofAgeMsMax: 5_000 } }, async ({ scan }) => {
      const pids = childPids()
      assert.deepEqual(await scan('one'), { kind: 'clean' })
      await until(() => pids.some((pid) => !childPids().includes(pid)))
      await new Promise((resolve) => setTimeout(resolve, 600))
      assert.equal(pids.filter((pid) => childPids().includes(pid)).length, 1)
      assert.equal(childPids().length, 2)
    })
  })

  it('replaces a child that keeps too much memory', async () => {
    await withEngine({ children: 1, tuning: { rssBytesMax: 150_000_000 } }, async ({ scan }) => {
      const pids = childPids()
      await scan('one')
      assert.deepEqual(childPids(), pids)
      for (let round = 0; round < 15; round++) assert.deepEqual(await scan('do: swell'), { kind: 'clean' })
      await allNew(pids)
    })
  })

  it('replaces a child that used too much time', async () => {
    await withEngine({ children: 1, tuning: { cpuMsMax: 1 } }, async ({ scan }) => {
      const pids = childPids()
      await scan('one')
      await allNew(pids)
    })
  })

  it('lets so many wait and no more, and respects the signal of those who wait', async () => {
    await withEngine({ children: 1, tuning: { waitingMax: 2 } }, async ({ scan }) => {
      const pids = childPids()
      const running = scan('do: slow')
      const given = new AbortController()
      await new Promise((resolve) => setTimeout(resolve, 20))
      const waiting = [scan('one', given.signal), scan('two')]
      await new Promise((resolve) => setTimeout(resolve, 20))
      assert.deepEqual(await scan('three'), { kind: 'failed', late: false, detail: '2 scans wait for a child already' })
      const startedAt = performance.now()
      given.abort()
      const outcome = await waiting[0]
      assert.ok(performance.now() - startedAt < 50)
      assert.ok(outcome?.kind === 'failed' && outcome.late)
      const last = scan('four')
      assert.deepEqual(await Promise.all([running, waiting[1], last]), Array(3).fill({ kind: 'clean' }))
      assert.deepEqual(childPids(), pids)
    })
  })

  it('proves its children again and again, and is down without a proof', async () => {
    await withEngine({ tuning: { proofEveryMs: 120, proofAgeMsMax: 400 } }, async ({ engine, scan }) => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      assert.equal(engine.health().status, 'UP')
      for (const pid of childPids()) process.kill(pid, 'SIGSTOP')
      await until(() => engine.health().status === 'DOWN')
      assert.match(engine.health().detail ?? '', /no proof within the last minute/)
      for (const pid of childPids()) process.kill(pid, 'SIGKILL')
      await until(() => engine.health().status === 'UP')
      assert.deepEqual(await scan('one'), { kind: 'clean' })
    })
  })

  it('fails at once when no child can be started, and recovers', async () => {
    let broken = false
    await withEngine({ analyser: breakable(() => broken) }, async ({ engine, scan }) => {
      await onQuietMachine(async () => {
        broken = false
        await until(() => engine.health().detail?.includes('2 of 2') ?? false)
        broken = true
        for (const pid of childPids()) process.kill(pid, 'SIGKILL')
        await until(() => engine.health().detail?.includes('0 of 2') ?? false)
        const startedAt = performance.now()
        const outcome = await scan('one')
        assert.equal(outcome.kind, 'failed')
        assert.ok(performance.now() - startedAt < 1_000, `it took ${performance.now() - startedAt} ms`)
      })
      // What the child said, with its paths, is in the log alone.
      await until(() => engine.health().detail?.endsWith('no proof within the last minute: the log says why') ?? false)
      assert.equal(engine.health().status, 'DOWN')
      const again = performance.now()
      assert.match(JSON.stringify(await scan('one')), /the embedded engine has no child: /)
      assert.ok(performance.now() - again < AT_ONCE_MS_MAX, `it took ${performance.now() - again} ms`)
      broken = false
      await until(() => engine.health().status === 'UP')
      assert.deepEqual(await scan('one'), { kind: 'clean' })
    })
  })

  it('fails within a second while new children hang, and at once from then on', async () => {
    await onQuietMachine(async () => {
      const start = startAs('new Promise(() => setTimeout(() => {}, 1e6))')
      await withEngine({ analyser: start.analyser }, async ({ engine, scan }) => {
        start.oddly()
        for (const pid of childPids()) process.kill(pid, 'SIGKILL')
        await until(() => engine.health().detail?.includes('0 of 2') ?? false)
        const { outcome, tookMs } = await timed(scan('one'))
        assert.deepEqual(outcome, { kind: 'failed', late: false, detail: NO_CHILD })
        assert.ok(tookMs < WAIT_MS_MAX, `it took ${tookMs} ms`)
        const again = await timed(scan('two'))
        assert.deepEqual(again.outcome, outcome)
        assert.ok(again.tookMs < AT_ONCE_MS_MAX, `it took ${again.tookMs} ms`)
      })
    })
  })

  it('closes at once while new children hang', async () => {
    const start = startAs('new Promise(() => setTimeout(() => {}, 1e6))')
    await withEngine({ analyser: start.analyser }, async ({ engine }) => {
      start.oddly()
      const pids = childPids()
      for (const pid of pids) process.kill(pid, 'SIGKILL')
      await allNew(pids)
      // Long enough for them to be where they hang.
      await new Promise((resolve) => setTimeout(resolve, 300))
      const { tookMs } = await timed(engine.close())
      assert.ok(tookMs < 2_000, `it took ${tookMs} ms`)
    })
  })

  it('fails within a second while new children start slowly, and they come nonetheless', async () => {
    const start = startAs('new Promise((resolve) => setTimeout(resolve, 1_500))')
    await withEngine({ analyser: start.analyser }, async ({ engine, scan }) => {
      start.oddly()
      await onQuietMachine(async () => {
        await until(() => engine.health().detail?.includes('2 of 2') ?? false)
        for (const pid of childPids()) process.kill(pid, 'SIGKILL')
        await until(() => engine.health().detail?.includes('0 of 2') ?? false)
        const { outcome, tookMs } = await timed(scan('one'))
        assert.deepEqual(outcome, { kind: 'failed', late: false, detail: NO_CHILD })
        assert.ok(tookMs < WAIT_MS_MAX, `it took ${tookMs} ms`)
      })
      await until(() => engine.health().status === 'UP')
      assert.deepEqual(await scan('one'), { kind: 'clean' })
    })
  })

  it('lets a scan wait for new children that are there in time', async () => {
    const start = startAs('new Promise((resolve) => setTimeout(resolve, 250))')
    await withEngine({ analyser: start.analyser }, async ({ engine, scan }) => {
      start.oddly()
      await onQuietMachine(async () => {
        await until(() => engine.health().detail?.includes('2 of 2') ?? false)
        for (const pid of childPids()) process.kill(pid, 'SIGKILL')
        await until(() => engine.health().detail?.includes('0 of 2') ?? false)
        assert.deepEqual(await scan('one'), { kind: 'clean' })
      })
    })
  })

  it('counts that second together when new children die before they answered', async () => {
    const start = startAs('new Promise((resolve) => setTimeout(resolve, 450))')
    await withEngine({ analyser: start.analyser, children: 1 }, async ({ engine, scan }) => {
      start.oddly()
      await onQuietMachine(async () => {
        await until(() => engine.health().detail?.includes('1 of 1') ?? false)
        assert.deepEqual(await scan('one'), { kind: 'clean' })
        const [killer, behind] = await Promise.all([scan('do: kill'), timed(scan('two'))])
        assert.equal(killer.kind, 'failed')
        assert.deepEqual(behind.outcome, { kind: 'failed', late: false, detail: NO_CHILD })
        assert.ok(behind.tookMs < WAIT_MS_MAX, `it took ${behind.tookMs} ms`)
      })
    })
  })

  it('gives a scan whose child was killed to another that is there, however slowly new ones start', async () => {
    const start = startAs('new Promise(() => setTimeout(() => {}, 1e6))')
    await withEngine({ analyser: start.analyser }, async ({ scan }) => {
      start.oddly()
      const scans = [scan('do: slow'), scan('do: slow')]
      await new Promise((resolve) => setTimeout(resolve, 50))
      process.kill(childPids()[0] ?? 0, 'SIGKILL')
      assert.deepEqual(await Promise.all(scans), [{ kind: 'clean' }, { kind: 'clean' }])
    })
  })

  it('is not created around a child that cannot find the test threat', async () => {
    const analyser = { ...STAND_IN, rules: `${STAND_IN.rules}/blind` }
    await assert.rejects(startEngine({ analyser }), /failed its proof: the EICAR test file/)
    assert.deepEqual(childPids(), [])
  })
})
