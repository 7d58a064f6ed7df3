import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '#engines/engine.ts'
import { byHand, failedAtOnce, OK, scan, until, withFakes } from '#test/support/clamd-engine.ts'

describe('the balancer', () => {
  test('sends ten documents at a time to one clamd and queues the rest', async () => {
    const { open, onDocument } = byHand()
    await withFakes([{ onDocument }], async (engine) => {
      const scans = Array.from({ length: 12 }, () => scan(engine))
      await until('ten are sent', () => open.length === 10)
      await sleep(100)
      assert.equal(open.length, 10)
      open.shift()?.(OK)
      await until('the next is sent', () => open.length === 10)
      await sleep(50)
      assert.equal(open.length, 10)
      const pump = setInterval(() => open.shift()?.(OK), 5)
      assert.deepEqual(new Set((await Promise.all(scans)).map(({ kind }) => kind)), new Set(['clean']))
      clearInterval(pump)
    })
  })

  test('the queue is bounded, and scans leave it at their deadline', async () => {
    const { open, onDocument } = byHand()
    const limits = { scansPerClamdMax: 1, queueMax: 1 }
    const body = async (engine: Engine) => {
      const first = scan(engine)
      await until('it is sent', () => open.length === 1)
      const second = scan(engine, 300)
      const third = await scan(engine)
      assert.equal(failedAtOnce(third), true)
      assert.match(third.kind === 'failed' ? third.detail : '', /queue for clamd is full/)
      const late = await second
      assert.equal(late.kind === 'failed' && late.late, true)
      open.shift()?.(OK)
      assert.equal((await first).kind, 'clean')
      const again = scan(engine)
      await until('it is sent', () => open.length === 1)
      open.shift()?.(OK)
      assert.equal((await again).kind, 'clean')
    }
    await withFakes([{ onDocument }], body, limits)
  })

  test('the least busy of several clamd gets the document', async () => {
    const [a, b] = [byHand(), byHand()]
    await withFakes([a, b], async (engine) => {
      await until('both are usable', () => engine.health().detail === null)
      const scans = Array.from({ length: 8 }, () => scan(engine))
      await until('all are sent', () => a.open.length + b.open.length === 8)
      assert.deepEqual([a.open.length, b.open.length], [4, 4])
      for (const answer of [...a.open, ...b.open]) answer(OK)
      await Promise.all(scans)
    })
  })

  test('the account that has used clamd least gets the next free place', async () => {
    const { open, onDocument } = byHand()
    const body = async (engine: Engine) => {
      const order: string[] = []
      const submit = async (account: string) => {
        assert.equal((await scan(engine, 30_000, account)).kind, 'clean')
        order.push(account)
      }
      const scans = [submit('greedy'), submit('greedy'), submit('greedy')]
      await until('one is sent', () => open.length === 1)
      await sleep(20)
      scans.push(submit('modest'))
      for (let sent = 0; sent < 4; sent++) {
        await until('the next is sent', () => open.length === 1)
        open.shift()?.(OK)
      }
      await Promise.all(scans)
      assert.deepEqual(order, ['greedy', 'modest', 'greedy', 'greedy'])
    }
    await withFakes([{ onDocument }], body, { scansPerClamdMax: 1 })
  })
})
