/** The quota of several processes: exact under races, consistent after kills. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import type { Order } from '#test/support/processes/reserver.ts'
import { seedKey, usageState } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { createReplicaStore } from '#usage/replicas.ts'

const PROCESSES = 4
/** Each needs a process of its own; `QUOTA_KILLS=50` kills more. */
const KILLS = Number(process.env.QUOTA_KILLS ?? 16)

forEachDatabase('quota among processes', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  useDatabase(openUrl, (opened, at) => {
    database = opened
    place = at
  })

  /** The next message of a process. Its exit fails the test. */
  async function answerOf(child: ChildProcess): Promise<unknown> {
    const died = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`a process died: ${signal ?? code}`)
    })
    const [message] = await Promise.race([once(child, 'message'), died])
    return message
  }

  /** Processes that have opened the database and wait for a message. */
  async function forkAll(order: Pick<Order, 'keyId' | 'quota' | 'mode' | 'count'>): Promise<ChildProcess[]> {
    const full: Order = { ...order, url: place.url, dataDir: place.dataDir }
    const children = Array.from({ length: PROCESSES }, () =>
      fork(new URL('../support/processes/reserver.ts', import.meta.url), [JSON.stringify(full)]),
    )
    await Promise.all(children.map(answerOf))
    return children
  }

  async function assertWhole(keyId: string): Promise<number> {
    const book = await usageState(database, keyId)
    assert.equal(book.ledger, book.used, 'the ledger and the counter differ')
    assert.equal(book.held, book.reserved, 'the leases and the counter differ')
    return book.used
  }

  test(`${PROCESSES} processes with 100 reservations each and 50 left grant exactly 50`, async () => {
    const keyId = await seedKey(database)
    const children = await forkAll({ keyId, quota: 50, mode: 'burst', count: 100 })
    const answers = children.map(answerOf)
    for (const child of children) child.send('go')
    const granted = (await Promise.all(answers)) as number[]
    assert.equal(
      granted.reduce((a, b) => a + b, 0),
      50,
      `granted ${granted}`,
    )
    assert.deepEqual(await usageState(database, keyId), { used: 50, reserved: 0, held: 0, ledger: 50 })
  })

  test(`${KILLS} kills during charges leave usage consistent and the database intact`, {
    timeout: 300_000,
  }, async () => {
    const keyId = await seedKey(database)
    for (let killed = 0; killed < KILLS; ) {
      const children = await forkAll({ keyId, quota: 1_000_000, mode: 'forever', count: 20 })
      const charged = children.map(answerOf)
      for (const child of children) child.send('go')
      await Promise.race(charged)
      for (const child of children.slice(0, KILLS - killed)) {
        await sleep(5 + Math.random() * 40)
        child.kill('SIGKILL')
        killed++
      }
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
      await assertWhole(keyId)
    }
    const used = await assertWhole(keyId)
    assert.ok(used > KILLS, `only ${used} scans were charged`)

    await database.db.updateTable('replicas').set({ seen_at: 1 }).execute()
    const survivor = createReplicaStore(database, newId())
    await survivor.beat()
    const freed = await survivor.sweep(60_000)
    assert.deepEqual(await usageState(database, keyId), { used, reserved: 0, held: 0, ledger: used })
    console.log(`  ${KILLS} kills, ${used} scans charged, ${freed} reservations released`)
    if (database.kind === 'sqlite') {
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database.db)
      assert.deepEqual(
        rows.map((row) => row.integrity_check),
        ['ok'],
      )
    }
  })
})
