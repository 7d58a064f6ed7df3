/** Jobs that charge scans, while processes are killed and paused: none is lost, none takes effect twice. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createPosting } from '#jobs/jobs.ts'
import type { Database } from '#storage/database.ts'
import { startLink } from '#test/support/fault-link.ts'
import { openTestStore } from '#test/support/jobs.ts'
import { CHARGING, type JobOrder } from '#test/support/processes/job-runner.ts'
import { openPlace, seedKey, usageState } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

/** `JOBS=10000` takes minutes. */
const JOBS = Number(process.env.JOBS ?? 1_000)
const KEYS = 4
/** Longer than the lease. */
const PAUSE_MS = 3_500
const EVERY_MS = 700
const TIMEOUT_MS = 10 * 60_000

forEachDatabase('jobs in several processes', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  const running = new Set<ChildProcess>()
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
    await sql`create table effects (n integer)`.execute(database.db)
  })
  after(async () => {
    for (const child of running) {
      child.kill('SIGCONT')
      await end(child, 'SIGTERM')
    }
    await database.close()
    await place.release()
  })

  async function start(url = place.url): Promise<ChildProcess> {
    const order: JobOrder = { url, dataDir: place.dataDir }
    const child = fork(new URL('../support/processes/job-runner.ts', import.meta.url), [JSON.stringify(order)])
    running.add(child)
    const died = once(child, 'exit').then(([code, signal]) => {
      if (running.has(child)) throw new Error(`a process died: ${signal ?? code}`)
    })
    await Promise.race([once(child, 'message'), died])
    return child
  }

  async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    running.delete(child)
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  async function pause(child: ChildProcess): Promise<void> {
    child.kill('SIGSTOP')
    await sleep(PAUSE_MS)
    child.kill('SIGCONT')
  }

  async function post(count: number) {
    const keys = await Promise.all(Array.from({ length: KEYS }, () => seedKey(database)))
    const store = await openTestStore(database, [CHARGING])
    const dataOf = (n: number) => ({ n, keyId: keys[n % KEYS] as string })
    const posted = Array.from({ length: count }, (_, n) => ({ data: dataOf(n) }))
    await sql`delete from effects`.execute(database.db)
    await database.db.transaction().execute((trx) => createPosting(store).postMany(trx, CHARGING, posted))
    return {
      left: async () => (await store.depth()).reduce((sum, { waiting, running: held }) => sum + waiting + held, 0),
      /** Each was done once and charged once. */
      async check(): Promise<void> {
        const { rows } = await sql<{ n: number }>`select n from effects order by n`.execute(database.db)
        assert.deepEqual(
          rows.map(({ n }) => n),
          posted.map((_, n) => n),
        )
        const states = await Promise.all(keys.map((keyId) => usageState(database, keyId)))
        const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)
        assert.deepEqual([sum(states.map(({ used }) => used)), sum(states.map(({ ledger }) => ledger))], [count, count])
        assert.equal((await store.list({ state: 'failed' }, 10)).length, 0)
      },
      [Symbol.asyncDispose]: () => store.close(),
    }
  }

  test('a process that is paused between the commit of its charges and the answer loses none', async () => {
    // SQLite answers within the process.
    if (place.url === null) return
    const url = new URL(place.url)
    const charging = new WeakSet<object>()
    const committed = Promise.withResolvers<void>()
    let child: ChildProcess | null = null
    await using link = await startLink(Number(url.port), async (chunk, from, connection) => {
      if (from === 'client' && chunk.includes('insert into effects')) charging.add(connection)
      if (from === 'client' || child === null || !charging.has(connection) || !chunk.includes('COMMIT')) return
      const paused = child
      child = null
      await pause(paused)
      committed.resolve()
      // Its time for the answer is over.
      await sleep(PAUSE_MS)
    })
    await using posted = await post(KEYS)
    url.port = String(link.port)
    child = await start(url.href)
    const charger = child
    await committed.promise
    while ((await posted.left()) > 0) await sleep(50)
    await end(charger, 'SIGTERM')
    await posted.check()
  })

  test(`${JOBS} jobs, with a process killed and another paused again and again`, { timeout: TIMEOUT_MS }, async () => {
    await using posted = await post(JOBS)
    let [steady, victim] = [await start(), await start()]
    const faults = { kills: 0, pauses: 0 }
    for (let pausing = Promise.resolve(); (await posted.left()) > 0; await sleep(EVERY_MS)) {
      await end(victim, 'SIGKILL')
      faults.kills++
      if (faults.kills % 3 === 1) {
        await pausing
        pausing = pause(steady)
        faults.pauses++
      }
      victim = await start()
      if ((await posted.left()) === 0) await pausing
    }
    await posted.check()
    console.log(`  ${JOBS} jobs, ${faults.kills} kills, ${faults.pauses} pauses`)
    assert.ok(faults.kills >= 1 && faults.pauses >= 1, 'too fast for the faults')
  })
})
