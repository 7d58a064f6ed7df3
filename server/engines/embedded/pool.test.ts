import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  breakable,
  FAKE_ANALYSER,
  startAs,
  startEngine,
  until,
  withEngine,
  withRetries,
  workerPids,
} from '#test/support/embedded/engine.ts'

async function allNew(pids: number[], count = pids.length): Promise<void> {
  await until(() => workerPids().length === count && pids.every((pid) => !workerPids().includes(pid)))
}

const NO_WORKER = 'the embedded engine has no worker: none is ready'
const HANG = 'new Promise(() => setTimeout(() => {}, 1e6))'

describe('the worker pool', () => {
  it('answers 200 concurrent scans on two workers, each with its own result', async () => {
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

  it('hands over documents of every size around what a worker reads ahead', async () => {
    await withEngine({ workers: 1 }, async ({ scan }) => {
      const sizes = [1, 65_519, 65_520, 65_521, 65_536, 131_055, 131_056, 131_057, 1_048_577, 2_000_000]
      for (const size of [...sizes, ...sizes])
        assert.deepEqual(await scan(Buffer.alloc(size, `of ${size} bytes `)), { kind: 'clean' }, `${size} bytes`)
    })
  })

  it('recycles a worker after its maximum of scans, without losing a scan', async () => {
    await withEngine({ tuning: { scansMax: 10 } }, async ({ scan, engine }) => {
      const pids = workerPids()
      for (let round = 0; round < 20; round++) {
        const outcomes = await Promise.all([scan('one'), scan('two'), scan('three')])
        assert.ok(outcomes.every(({ kind }) => kind === 'clean'))
      }
      await allNew(pids)
      assert.match(engine.health().detail ?? '', /2 of 2/)
    })
  })

  it('does not recycle a worker one scan before the maximum', async () => {
    await withEngine({ workers: 1, tuning: { scansMax: 10 } }, async ({ scan }) => {
      const pids = workerPids()
      for (let round = 0; round < 9; round++) await scan('one')
      await new Promise((resolve) => setTimeout(resolve, 400))
      assert.deepEqual(workerPids(), pids)
      await scan('one')
      await allNew(pids)
    })
  })

  it('recycles an idle worker that has scanned, but not one that never has', async () => {
    await withEngine(
      { tuning: { idleMsMax: 300, selfTestEveryMs: 120, selfTestAgeMsMax: 5_000 } },
      async ({ scan }) => {
        const pids = workerPids()
        assert.deepEqual(await scan('one'), { kind: 'clean' })
        await until(() => pids.some((pid) => !workerPids().includes(pid)))
        await new Promise((resolve) => setTimeout(resolve, 600))
        assert.equal(pids.filter((pid) => workerPids().includes(pid)).length, 1)
        assert.equal(workerPids().length, 2)
      },
    )
  })

  it('recycles a worker that keeps too much memory', async () => {
    await withEngine({ workers: 1, tuning: { rssBytesMax: 150_000_000 } }, async ({ scan }) => {
      const pids = workerPids()
      await scan('one')
      assert.deepEqual(workerPids(), pids)
      for (let round = 0; round < 15; round++) assert.deepEqual(await scan('do: swell'), { kind: 'clean' })
      await allNew(pids)
    })
  })

  it('recycles a worker that used too much CPU time', async () => {
    await withEngine({ workers: 1, tuning: { cpuMsMax: 1 } }, async ({ scan }) => {
      const pids = workerPids()
      await scan('one')
      await allNew(pids)
    })
  })

  it('bounds the queue, and removes a scan from it at its signal', async () => {
    await withEngine({ workers: 1, tuning: { queueMax: 2 } }, async ({ scan }) => {
      const pids = workerPids()
      const running = scan('do: slow')
      const cancelled = new AbortController()
      await new Promise((resolve) => setTimeout(resolve, 20))
      const waiting = [scan('one', cancelled.signal), scan('two')]
      await new Promise((resolve) => setTimeout(resolve, 20))
      assert.deepEqual(await scan('three'), {
        kind: 'failed',
        late: false,
        detail: 'the queue is full: 2 scans wait for a worker',
      })
      cancelled.abort()
      const outcome = await waiting[0]
      assert.ok(outcome?.kind === 'failed' && outcome.late)
      const last = scan('four')
      assert.deepEqual(await Promise.all([running, waiting[1], last]), Array(3).fill({ kind: 'clean' }))
      assert.deepEqual(workerPids(), pids)
    })
  })

  it('repeats the self-test, and is down without a recent one', async () => {
    await withEngine({ tuning: { selfTestEveryMs: 120, selfTestAgeMsMax: 400 } }, async ({ engine, scan }) => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      assert.equal(engine.health().status, 'UP')
      for (const pid of workerPids()) process.kill(pid, 'SIGSTOP')
      await until(() => engine.health().status === 'DOWN')
      assert.match(engine.health().detail ?? '', /no self-test passed within the last minute/)
      for (const pid of workerPids()) process.kill(pid, 'SIGKILL')
      await until(() => engine.health().status === 'UP')
      assert.deepEqual(await scan('one'), { kind: 'clean' })
    })
  })

  it('fails scans while no worker can be started, and recovers', async () => {
    let broken = false
    await withEngine({ analyser: breakable(() => broken) }, async ({ engine, scan }) => {
      await withRetries(async () => {
        broken = false
        await until(() => engine.health().detail?.includes('2 of 2') ?? false)
        broken = true
        for (const pid of workerPids()) process.kill(pid, 'SIGKILL')
        await until(() => engine.health().detail?.includes('0 of 2') ?? false)
        assert.equal((await scan('one')).kind, 'failed')
      })
      // Only the log quotes the worker's stderr, with its paths.
      const detail = 'no self-test passed within the last minute: see the log'
      await until(() => engine.health().detail?.endsWith(detail) ?? false)
      assert.equal(engine.health().status, 'DOWN')
      assert.match(JSON.stringify(await scan('one')), /the embedded engine has no worker: /)
      broken = false
      await until(() => engine.health().status === 'UP')
      assert.deepEqual(await scan('one'), { kind: 'clean' })
    })
  })

  it('fails scans while new workers hang', async () => {
    await withRetries(async () => {
      const start = startAs(HANG)
      await withEngine({ analyser: start.analyser }, async ({ engine, scan }) => {
        start.delay()
        for (const pid of workerPids()) process.kill(pid, 'SIGKILL')
        await until(() => engine.health().detail?.includes('0 of 2') ?? false)
        const outcome = { kind: 'failed', late: false, detail: NO_WORKER }
        assert.deepEqual(await scan('one'), outcome)
        assert.deepEqual(await scan('two'), outcome)
      })
    })
  })

  it('closes while new workers hang', async () => {
    const start = startAs(HANG)
    await withEngine({ analyser: start.analyser }, async ({ engine }) => {
      start.delay()
      const pids = workerPids()
      for (const pid of pids) process.kill(pid, 'SIGKILL')
      await allNew(pids)
      // Long enough for them to reach the point where they hang.
      await new Promise((resolve) => setTimeout(resolve, 300))
      await engine.close()
    })
  })

  it('fails scans while new workers start slowly, and recovers when they are ready', async () => {
    const start = startAs('new Promise((resolve) => setTimeout(resolve, 1_500))')
    await withEngine({ analyser: start.analyser }, async ({ engine, scan }) => {
      start.delay()
      await withRetries(async () => {
        await until(() => engine.health().detail?.includes('2 of 2') ?? false)
        for (const pid of workerPids()) process.kill(pid, 'SIGKILL')
        await until(() => engine.health().detail?.includes('0 of 2') ?? false)
        assert.deepEqual(await scan('one'), { kind: 'failed', late: false, detail: NO_WORKER })
      })
      await until(() => engine.health().status === 'UP')
      assert.deepEqual(await scan('one'), { kind: 'clean' })
    })
  })

  it('lets a scan wait for new workers that are ready in time', async () => {
    const start = startAs('new Promise((resolve) => setTimeout(resolve, 250))')
    await withEngine({ analyser: start.analyser, tuning: { outageGraceMs: 30_000 } }, async ({ engine, scan }) => {
      start.delay()
      for (const pid of workerPids()) process.kill(pid, 'SIGKILL')
      await until(() => engine.health().detail?.includes('0 of 2') ?? false)
      assert.deepEqual(await scan('one'), { kind: 'clean' })
    })
  })

  it('adds up the wait when new workers die before they answered', async () => {
    const start = startAs('new Promise((resolve) => setTimeout(resolve, 450))')
    let kills = 0
    await withEngine({ analyser: start.analyser, workers: 1 }, async ({ engine, scan }) => {
      start.delay()
      await withRetries(async () => {
        await until(() => engine.health().detail?.includes('1 of 1') ?? false)
        assert.deepEqual(await scan('one'), { kind: 'clean' })
        const outcomes = await Promise.all([scan(`do: kill ${++kills}`), scan(`do: kill ${++kills}`), scan('two')])
        for (const outcome of outcomes.slice(0, 2)) assert.equal(outcome.kind, 'failed')
        assert.deepEqual(outcomes[2], { kind: 'failed', late: false, detail: NO_WORKER })
      })
    })
  })

  it('gives the next free worker to the account that has used the workers least', async () => {
    await withEngine({ workers: 1 }, async ({ scan }) => {
      const order: string[] = []
      const submit = async (account: string, document: string) => {
        assert.deepEqual(await scan(document, undefined, account), { kind: 'clean' })
        order.push(`${account} ${document}`)
      }
      const scans = ['slow a', 'slow b', 'slow c'].map((name) => submit('greedy', `do: ${name}`))
      scans.push(submit('modest', 'one'), submit('modest', 'two'))
      await Promise.all(scans)
      const greedy = (name: string) => `greedy do: slow ${name}`
      assert.deepEqual(order, [greedy('a'), 'modest one', 'modest two', greedy('b'), greedy('c')])
    })
  })

  it('counts many accounts of one address together', async () => {
    await withEngine({ workers: 1 }, async ({ scan }) => {
      const order: string[] = []
      const submit = async (document: string, account: string, address: string) => {
        await scan(document, undefined, account, address)
        order.push(account)
      }
      const scans = ['a', 'b', 'c', 'd'].map((account) => submit(`do: slow ${account}`, account, 'greedy'))
      await Promise.all([...scans, submit('one', 'modest', 'elsewhere')])
      assert.deepEqual(order, ['a', 'modest', 'b', 'c', 'd'])
    })
  })

  it('leaves a quarter of the queue to other accounts', async () => {
    await withEngine({ workers: 1, tuning: { queueMax: 4 } }, async ({ scan }) => {
      const greedy = ['do: slow', 'one', 'two', 'three', 'four'].map((name) => scan(name, undefined, 'greedy'))
      const modest = scan('five', undefined, 'modest')
      const detail = 'the queue is full for this account: 3 scans wait for a worker'
      assert.deepEqual(await greedy.pop(), { kind: 'failed', late: false, detail })
      for (const outcome of await Promise.all([...greedy, modest])) assert.deepEqual(outcome, { kind: 'clean' })
    })
  })

  it('never gives all workers to copies of a new document', async () => {
    await withEngine({}, async ({ scan, logged }) => {
      const copies = Array.from({ length: 6 }, (_, index) => scan('do: kill', undefined, `account ${index}`))
      let isOver = false
      const refused = Promise.all(copies).finally(() => {
        isOver = true
      })
      while (!isOver) assert.deepEqual(await scan('Dear reader', undefined, 'other'), { kind: 'clean' })
      for (const outcome of await refused) assert.ok(outcome.kind === 'unscannable' && outcome.isCrash)
      assert.equal(logged.filter((line) => line.includes('Worker exited during scan')).length, 2)
    })
  })

  it('lets copies of a document that was answered use all workers', async () => {
    await withEngine({}, async ({ scan }) => {
      assert.deepEqual(await scan('do: slow'), { kind: 'clean' })
      const order: string[] = []
      const scans = ['do: slow', 'do: slow', 'last'].map((name) => scan(name).then(() => order.push(name)))
      await Promise.all(scans)
      assert.equal(order[0], 'do: slow', 'no worker was left for another document')
    })
  })

  it('keeps the last worker from a document that ended one, however slowly new ones start', async () => {
    const start = startAs(HANG)
    await withEngine({ analyser: start.analyser }, async ({ scan, engine, logged }) => {
      start.delay()
      const cancelled = new AbortController()
      const killer = scan('do: kill', cancelled.signal, 'attacker')
      await until(() => engine.health().detail?.includes('1 of 2') ?? false)
      const more = scan('do: kill again', cancelled.signal, 'attacker')
      // Longer than the pause before a retry.
      await new Promise((resolve) => setTimeout(resolve, 300))
      for (const name of ['one', 'two']) assert.deepEqual(await scan(name, undefined, 'other'), { kind: 'clean' })
      cancelled.abort()
      for (const { kind } of await Promise.all([killer, more])) assert.equal(kind, 'failed')
      assert.equal(logged.filter((line) => line.includes('Worker exited during scan')).length, 1)
    })
  })

  it('is not created when a worker cannot find the test threat', async () => {
    const source = `import { createInspector as create } from 'file://${FAKE_ANALYSER.module}'
      export const createInspector = () => create({ operatorRules: [{ name: 'blind', text: 'blind' }] })`
    const analyser = { ...FAKE_ANALYSER, module: `data:text/javascript,${encodeURIComponent(source)}` }
    await assert.rejects(startEngine({ analyser }), /failed its self-test: the EICAR test file/)
    assert.deepEqual(workerPids(), [])
  })
})
