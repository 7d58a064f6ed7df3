/** A document that takes long makes way for the scans of others, once. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until, withEngine, workerPids } from '#test/support/embedded/engine.ts'

/** A busy machine needs longer for the CPU time that they may take. */
const tuning = { scanMsMax: 240_000, sliceCpuMs: 200 }

describe('documents of three accounts that take as long as they may', () => {
  /** With a single worker, every further scan waits for at most one of them. */
  for (const [workers, scans] of [
    [1, 1],
    [2, 3],
  ] as const)
    it(`end after ${scans} scans of a fourth account, with ${workers} workers`, async () => {
      await withEngine({ workers, tuning }, async ({ scan, logged }) => {
        const order: string[] = []
        const submit = async (document: string, account: string) => {
          const { kind } = await scan(document, undefined, account)
          order.push(kind)
        }
        const hostile = ['a', 'b', 'c'].map((account) => submit(`do: loop ${account}`, account))
        const other = async () => {
          for (let index = 0; index < scans; index++) await submit(`A letter ${index}`, 'd')
        }
        await Promise.all([...hostile, other()])
        assert.deepEqual(order, [...Array(scans).fill('clean'), ...Array(3).fill('unscannable')])
        assert.ok(logged.some((line) => line.includes('made way')))
      })
    })
})

describe('a document that takes long', () => {
  it('is answered although it made way', async () => {
    await withEngine({ workers: 1, tuning: { sliceCpuMs: 200 } }, async ({ scan, engine }) => {
      const started = engine.stats?.().started ?? 0
      const long = scan('do: burn 1200', undefined, 'one')
      const short = scan('A letter', undefined, 'two')
      assert.deepEqual(await Promise.all([long, short]), [{ kind: 'clean' }, { kind: 'clean' }])
      assert.equal(engine.stats?.().started, started + 1)
    })
  })

  it('keeps its worker from other documents of its account, and while another worker is free', async () => {
    await withEngine({ workers: 2, tuning: { sliceCpuMs: 100 } }, async ({ scan }) => {
      const pids = workerPids()
      const own = ['a', 'b', 'c'].map((name) => scan(`do: burn 700 ${name}`, undefined, 'one'))
      for (const outcome of await Promise.all(own)) assert.deepEqual(outcome, { kind: 'clean' })
      const [long, ...short] = ['do: burn 700', 'A letter', 'B letter'].map((text, index) =>
        scan(text, undefined, `${index}`),
      )
      for (const outcome of await Promise.all([long, ...short])) assert.deepEqual(outcome, { kind: 'clean' })
      await until(() => workerPids().length === 2)
      assert.deepEqual(workerPids(), pids)
    })
  })
})
