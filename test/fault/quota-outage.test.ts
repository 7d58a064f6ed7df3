/** Reservations and charges stay consistent while PostgreSQL freezes and crashes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isStorageUnavailable } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { openPlace, quietLog, seedKey, usageState } from '#test/support/seed.ts'
import { needs } from '#test/support/suite.ts'
import { createUsageStore } from '#usage/store.ts'
import { createUsage } from '#usage/usage.ts'

const CALLERS = 20
const OUTAGES = 4
/** Longer than the query timeout, so that responses are lost, also those of commits. */
const OUTAGE_MS = 3_000

describe('quota during outages', needs('postgres'), () => {
  test('nothing stays reserved, and the ledger agrees with the counter', async () => {
    await using postgres = await startPostgres()
    const database = await openPlace({ url: postgres.url, dataDir: '' })
    const keyId = await seedKey(database)
    const usage = createUsage({
      store: createUsageStore(database, newId()),
      scansPerMonth: () => 1e9,
      log: quietLog,
    })
    let stopped = false
    const seen = { charged: 0, refused: 0 }

    async function scan(release: boolean): Promise<void> {
      await using ticket = await usage.reserve(keyId, 'free')
      if (release) return
      await ticket.charge(newId())
      seen.charged++
    }
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      while (!stopped) {
        await scan(caller % 4 === 0).catch((error) => {
          assert.ok(isStorageUnavailable(error), String(error))
          seen.refused++
          return sleep(20)
        })
      }
    })
    for (let outage = 0; outage < OUTAGES; outage++) {
      await sleep(200 + Math.random() * 50)
      if (outage % 2 === 0) postgres.freeze()
      else await postgres.stop('immediate')
      await sleep(OUTAGE_MS)
      if (outage % 2 === 0) postgres.thaw()
      else await postgres.start()
    }
    await sleep(300)
    stopped = true
    await Promise.all(callers)
    await usage.settleOwed()

    const book = await usageState(database, keyId)
    assert.ok(seen.refused > 0, 'no outage was felt')
    assert.deepEqual(book, { used: book.used, reserved: 0, held: 0, ledger: book.used })
    assert.equal(book.used, seen.charged, 'charges and delivered answers differ')
    console.log(`  ${OUTAGES} outages, ${seen.charged} charged, ${seen.refused} refused`)
    await database.close()
  })
})
