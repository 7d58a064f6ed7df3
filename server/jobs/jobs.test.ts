/** The contract of jobs, the same on both databases. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { newId } from '#base/ids.ts'
import { REASON_LENGTH_MAX } from '#base/reason.ts'
import { countChangedRows } from '#test/support/changed-rows.ts'
import { expireLease, openTestStore, setFailed, until, useJobs } from '#test/support/jobs.ts'
import { openPlace, quietLog } from '#test/support/seed.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { WRITTEN_MAX } from './attempts.ts'
import { UPDATED_MAX } from './boss-upgrade-store.ts'
import { type Job, type JobKind, type JobStore, type Lane, leaseSeconds, ownerOf } from './job.ts'
import { createJobs, createPosting, JOB_TIMES } from './jobs.ts'
import { FAILED_KEPT_MS } from './table-store.ts'
import { CLAIMED_MAX } from './worker.ts'

const HOUR_MS = 60 * 60 * 1_000

interface Data {
  n: number
}

const PLAIN: JobKind<Data> = {
  name: 'plain',
  deadlineMs: 5_000,
  attemptsMax: 3,
  delayMs: (attempts) => attempts * 100,
  parallelMax: 4,
}
/** A lease of a second. */
const BRIEF: JobKind<Data> = { ...PLAIN, name: 'brief', deadlineMs: 500, delayMs: () => 0 }
/** For attempts of a minute. */
const BEATING: JobKind<Data> = { ...PLAIN, name: 'beating', deadlineMs: 60_000, heartbeatMs: 3_000, delayMs: () => 0 }
const UPGRADED: JobKind<Data> = { ...BRIEF, name: 'upgraded' }
const YIELDING: JobKind<Data> = { ...PLAIN, name: 'yielding', yields: 3 }
const GROUPED: JobKind<Data> = { ...PLAIN, name: 'grouped', parallelMax: 10, perGroupMax: 2 }
const OWNED = { ...GROUPED, name: 'owned', perOwner: { max: 5, free: 3 } } satisfies JobKind<Data>
const LANED = {
  ...GROUPED,
  name: 'laned',
  patience: { promptMs: 50, lateMax: 2 },
} satisfies JobKind<Data>
const PATIENT = {
  ...PLAIN,
  name: 'patient',
  parallelMax: 2,
  patience: { promptMs: 700, lateMax: 3 },
} satisfies JobKind<Data>

forEachDatabase('jobs', (openUrl) => {
  const rig = useJobs(openUrl, [PLAIN, BRIEF, BEATING, GROUPED, OWNED, LANED, PATIENT, YIELDING, UPGRADED])
  const { open, change, isEmpty } = rig

  test('run with their data as soon as they are woken, and are gone then', async () => {
    const jobs = await open({ pollEveryMs: HOUR_MS })
    const ran: Job<Data>[] = []
    jobs.work(PLAIN, async (job) => {
      ran.push(job)
    })
    await sleep(50)
    const before = Date.now()
    const id = await change((trx) => jobs.post(trx, PLAIN, { n: 7 }))
    await sleep(50)
    assert.equal(ran.length, 0, 'ran before it was woken')
    jobs.wake(PLAIN)
    await until('it is gone', isEmpty)
    assert.deepEqual(
      ran.map(({ data, attempts, ...job }) => [job.id, data, attempts]),
      [[id, { n: 7 }, 1]],
    )
    assert.ok(Math.abs(ran[0]!.createdAt - before) < 5_000, `${ran[0]!.createdAt}`)
  })

  test('are not read where none was posted, however often their kind is woken', async () => {
    const claimed: string[] = []
    const store: JobStore = {
      ...rig.store,
      async claim(kind, ...more) {
        claimed.push(kind.name)
        return await rig.store.claim(kind, ...more)
      },
      close: async () => {},
    }
    const jobs = createJobs({
      ...{ store, transaction: change, log: quietLog, times: { ...JOB_TIMES, pollEveryMs: HOUR_MS } },
    })
    jobs.work(PLAIN, async () => undefined)
    await until('the first look', () => claimed.length === 1)
    await sleep(50)
    jobs.wakeIfPosted(PLAIN)
    await sleep(50)
    assert.deepEqual(claimed, ['plain'])
    await change((trx) => jobs.post(trx, PLAIN, { n: 1 }))
    jobs.wakeIfPosted(PLAIN)
    await until('it is gone', isEmpty)
    await jobs.close()
  })

  test('are found by polling, also those from before the start, and wait for their delay', async () => {
    const jobs = await open()
    const ran: [number, number][] = []
    const start = Date.now()
    await change((trx) => jobs.post(trx, PLAIN, { n: 1 }))
    await change((trx) => jobs.post(trx, PLAIN, { n: 2 }, { delayMs: 700 }))
    jobs.work(PLAIN, async ({ data }) => {
      ran.push([data.n, Date.now() - start])
    })
    await until('both ran', () => ran.length === 2)
    assert.deepEqual(
      ran.map(([n]) => n),
      [1, 2],
    )
    assert.ok(ran[1]![1] >= 690, `after ${ran[1]![1]} ms`)
  })

  test('of a transaction that is rolled back never run', async () => {
    const jobs = await open()
    let runs = 0
    jobs.work(PLAIN, async () => {
      runs++
    })
    const undone = change(async (trx) => {
      await jobs.post(trx, PLAIN, { n: 1 })
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    jobs.wake(PLAIN)
    await sleep(150)
    assert.deepEqual([runs, await isEmpty()], [0, true])
  })

  test('run once each in four processes', async () => {
    const more = await Promise.all([1, 2, 3].map(() => openPlace(rig.place)))
    const ran: number[] = []
    const all = await Promise.all([rig.database, ...more].map((database) => open({}, database)))
    await change(async (trx) => {
      for (let n = 0; n < 60; n++) await all[0]!.post(trx, PLAIN, { n })
    })
    for (const jobs of all)
      jobs.work(PLAIN, async ({ data }) => {
        ran.push(data.n)
        await sleep(5)
      })
    await until('all are gone', isEmpty)
    assert.deepEqual(
      ran.sort((a, b) => a - b),
      Array.from({ length: 60 }, (_, n) => n),
    )
    await Promise.all(all.map((jobs) => jobs.close()))
    for (const database of more) await database.close()
  })

  test(`at most ${PLAIN.parallelMax} run at once in a process`, async () => {
    const jobs = await open()
    let now = 0
    let most = 0
    await change(async (trx) => {
      for (let n = 0; n < 12; n++) await jobs.post(trx, PLAIN, { n })
    })
    jobs.work(PLAIN, async () => {
      most = Math.max(most, ++now)
      await sleep(30)
      now--
    })
    await until('all are gone', isEmpty)
    assert.equal(most, PLAIN.parallelMax)
  })

  test('of a kind that yields begin one by one where somebody waits, and are left to other processes', async () => {
    const times = { turnMs: HOUR_MS }
    const [busy, idle] = [await open(times, rig.database, { isBusy: () => true }), await open(times)]
    await change((trx) =>
      busy.postMany(
        trx,
        YIELDING,
        Array.from({ length: 6 }, (_, n) => ({ data: { n } })),
      ),
    )
    await change((trx) => busy.post(trx, PLAIN, { n: 1 }))
    const ran = { busy: 0, idle: 0, plain: 0 }
    const end = Promise.withResolvers<void>()
    busy.work(YIELDING, async () => {
      ran.busy++
      await end.promise
    })
    busy.work(PLAIN, async () => {
      ran.plain++
    })
    await until('one has begun', () => ran.busy === 1 && ran.plain === 1)
    await sleep(100)
    assert.deepEqual(ran, { busy: 1, idle: 0, plain: 1 })
    idle.work(YIELDING, async () => {
      ran.idle++
    })
    await until('the others are done', () => ran.idle === 5)
    end.resolve()
    await until('all are gone', isEmpty)
  })

  test('of a kind that yields go on while somebody waits all the time', async () => {
    const jobs = await open({ turnMs: 20 }, rig.database, { isBusy: () => true })
    const ran: number[] = []
    await change((trx) =>
      jobs.postMany(
        trx,
        YIELDING,
        Array.from({ length: 6 }, (_, n) => ({ data: { n } })),
      ),
    )
    jobs.work(YIELDING, async ({ data }) => {
      ran.push(data.n)
    })
    await until('all are gone', isEmpty)
    assert.equal(ran.length, 6)
  })

  test('of a kind that yields are begun rather by processes that nobody waits for themselves', async () => {
    const others = { isBusy: () => true, isBusyHere: () => false }
    const [here, elsewhere] = [
      await open({ turnMs: 50 }, rig.database, { isBusy: () => true }),
      await open({ turnMs: 50 }, rig.database, others),
    ]
    const posted = Array.from({ length: 16 }, (_, n) => ({ data: { n } }))
    await change((trx) => here.postMany(trx, YIELDING, posted))
    const ran = { here: 0, elsewhere: 0 }
    here.work(YIELDING, async () => void ran.here++)
    elsewhere.work(YIELDING, async () => void ran.elsewhere++)
    await until('all are gone', isEmpty)
    assert.ok(ran.here < ran.elsewhere, JSON.stringify(ran))
  })

  test(`at most ${GROUPED.perGroupMax} of a group run at once in all processes, and others do not wait for them`, async () => {
    const other = await openPlace(rig.place)
    const all = [await open(), await open({}, other)]
    const running = new Map<string, number>()
    let most = 0
    const quick: number[] = []
    const held = Promise.withResolvers<void>()
    await change(async (trx) => {
      for (let n = 0; n < 30; n++) await all[0]!.post(trx, GROUPED, { n }, { group: 'slow' })
      for (let n = 30; n < 40; n++) await all[0]!.post(trx, GROUPED, { n }, { group: `quick-${n % 5}` })
      for (let n = 40; n < 45; n++) await all[0]!.post(trx, GROUPED, { n })
    })
    for (const jobs of all)
      jobs.work(GROUPED, async ({ data: { n } }) => {
        if (n >= 30) return void quick.push(n)
        const now = (running.get('slow') ?? 0) + 1
        running.set('slow', now)
        most = Math.max(most, now)
        await held.promise
        running.set('slow', (running.get('slow') ?? 0) - 1)
      })
    await until('the others ran', () => quick.length === 15)
    assert.equal(most, GROUPED.perGroupMax)
    held.resolve()
    await until('all are gone', isEmpty)
    assert.equal(most, GROUPED.perGroupMax)
    await Promise.all(all.map((jobs) => jobs.close()))
    await other.close()
  })

  /** How many of each of its groups an owner gets at once, of more jobs than it may run. */
  async function claimedOf(groups: number): Promise<number[]> {
    const posted = Array.from({ length: 3 * groups }, (_, n) => ({ data: { n }, group: `ada/${n % groups}` }))
    const jobs = await open()
    await change((trx) => jobs.postMany(trx, OWNED, posted))
    const claimed = await rig.store.claim(OWNED, 100)
    const byGroup = Object.groupBy(claimed, ({ data }) => (data as Data).n % groups)
    return Object.values(byGroup).map((some = []) => some.length)
  }

  for (const [groups, expected] of [
    [1, [2]],
    // More than one of a group only while the owner has few: here the first three.
    [2, [1, 2]],
    [3, [1, 1, 1]],
    [OWNED.perOwner.max, [1, 1, 1, 1, 1]],
    [OWNED.perOwner.max + 1, [1, 1, 1, 1, 1]],
  ] as const)
    test(`an owner of ${groups} groups runs ${expected.join(' and ')} of them, and the others wait without an attempt`, async () => {
      const claimed = await claimedOf(groups)
      assert.deepEqual(claimed.sort(), expected)
      assert.deepEqual(await rig.store.claim(OWNED, 100), [])
      const waiting = (await rig.store.list({ state: 'waiting' }, 100)).map(({ attempts }) => attempts)
      const runs = claimed.reduce((sum, each) => sum + each, 0)
      assert.deepEqual(waiting, Array(3 * groups - runs).fill(0))
    })

  test('owners that run least are first, however much is older', async () => {
    const jobs = await open()
    const post = (count: number, group: string) =>
      change((trx) =>
        jobs.postMany(
          trx,
          OWNED,
          Array.from({ length: count }, (_, n) => ({ data: { n }, group })),
        ),
      )
    const owners = async (max: number) => (await rig.store.claim(OWNED, max)).map(({ group }) => ownerOf(group)).sort()
    for (let group = 0; group < 4; group++) await post(50, `ada/${group}`)
    assert.deepEqual(await owners(1), ['ada'])
    await post(3, 'bob/1')
    await post(1, 'cy')
    assert.deepEqual(await owners(2), ['bob', 'cy'])
    assert.deepEqual(await owners(2), ['ada', 'bob'])
    assert.deepEqual(await owners(100), ['ada', 'ada'])
  })

  test('owners that ran much lately are last, also if they run nothing now', async () => {
    const jobs = await open()
    await change(async (trx) => {
      for (const owner of ['ada', 'bob', 'cy']) await jobs.post(trx, OWNED, { n: 0 }, { group: `${owner}/1` })
    })
    const used = { ada: 9, bob: 0.5, dan: 1 }
    const claim = async () =>
      (await rig.store.claim(OWNED, 1, { groups: [], isListed: false, used })).map(({ group }) => ownerOf(group))
    assert.deepEqual([await claim(), await claim(), await claim()], [['cy'], ['bob'], ['ada']])
  })

  test('the backlogs of more owners than a process has places delay none of another owner', async () => {
    const kind = { ...OWNED, parallelMax: 4, patience: { promptMs: 200, lateMax: 2 } }
    const [owners, each] = [40, 10]
    const store = { ...rig.store, close: async () => {} }
    const jobs = createJobs({ store, transaction: change, log: quietLog, times: { ...JOB_TIMES, pollEveryMs: 20 } })
    const backlog = Array.from({ length: owners * each }, (_, n) => ({ data: { n }, group: `owner-${n % owners}/1` }))
    await change((trx) => jobs.postMany(trx, kind, backlog))
    const ran: number[] = []
    jobs.work(kind, async ({ data: { n }, waitFor }) => {
      ran.push(n)
      await waitFor(() => sleep(20))
    })
    await until('each of them has run', () => new Set(ran.map((n) => n % owners)).size === owners)
    const before = ran.length
    await change((trx) => jobs.post(trx, kind, { n: -1 }, { group: 'ada/1' }))
    jobs.wake(kind)
    await until('it has run', () => ran.includes(-1))
    // Those that have begun, and those that a claim under way brings.
    assert.ok(
      ran.indexOf(-1) - before <= 2 * kind.parallelMax,
      `after ${ran.indexOf(-1) - before} of ${backlog.length}`,
    )
    await jobs.close()
  })

  test('two processes that ask at once pass no limit and share what is there', async () => {
    const other = await openPlace(rig.place)
    const stores = [rig.store, await openTestStore(other, [OWNED])]
    const jobs = await open()
    const posted = Array.from({ length: 200 }, (_, n) => ({ data: { n }, group: `owner-${n % 20}/1` }))
    await change((trx) => jobs.postMany(trx, OWNED, posted))
    const claimed = await Promise.all(stores.flatMap((store) => [store.claim(OWNED, 10), store.claim(OWNED, 10)]))
    const owners = claimed.flat().map(({ group }) => ownerOf(group))
    assert.ok(owners.length >= 20, `${owners.length}`)
    assert.equal(new Set(owners).size, Math.min(20, owners.length))
    for (const owner of owners) assert.ok(owners.filter((each) => each === owner).length <= 2)
    await stores[1]?.close()
    await other.close()
  })

  test('of groups that are listed are claimed alone or left out, and count for their owner in both cases', async () => {
    const jobs = await open()
    const groups = ['ada/1', 'ada/2', 'ada/3', 'bob/1', 'cy']
    const posted = groups.flatMap((group) => [0, 1, 2].map((n) => ({ data: { n }, group })))
    await change((trx) => jobs.postMany(trx, OWNED, [...posted, { data: { n: 9 } }]))
    const claimed = async (isListed: boolean) =>
      (await rig.store.claim(OWNED, 100, { groups: ['ada/1', 'cy', 'dan/1'], isListed }))
        .map(({ group }) => group)
        .sort()
    assert.deepEqual(await claimed(true), ['ada/1', 'ada/1', 'cy', 'cy'])
    assert.deepEqual(await claimed(true), [])
    // Two of ada run: the third is any, the fourth and fifth must be the first ones of groups.
    const rest = await claimed(false)
    assert.deepEqual(rest.toSorted(), ['ada/2', 'ada/3', 'bob/1', 'bob/1', null])
    assert.deepEqual(await claimed(false), [])
  })

  test(`are claimed at most ${CLAIMED_MAX} at a time, and all of them run`, async () => {
    const asked: number[] = []
    const store: JobStore = {
      ...rig.store,
      claim: (kind, max, lane) => {
        asked.push(max)
        return rig.store.claim(kind, max, lane)
      },
      close: async () => {},
    }
    const jobs = createJobs({
      store,
      transaction: change,
      log: quietLog,
      times: { ...JOB_TIMES, pollEveryMs: HOUR_MS },
    })
    const posted = Array.from({ length: 3 * CLAIMED_MAX + 1 }, (_, n) => ({ data: { n }, group: `owner-${n}` }))
    await change((trx) => jobs.postMany(trx, OWNED, posted))
    const held = Promise.withResolvers<void>()
    let runs = 0
    jobs.work({ ...OWNED, parallelMax: 1_000 }, async () => {
      runs++
      await held.promise
    })
    await until('all run', () => runs === posted.length)
    assert.deepEqual(asked, Array(4).fill(CLAIMED_MAX))
    held.resolve()
    await until('all are gone', isEmpty)
    await jobs.close()
  })

  test('of a group that took long are claimed for themselves, and others without them', async () => {
    const lanes: Lane[] = []
    const store: JobStore = {
      ...rig.store,
      claim: (kind, max, lane) => {
        if (lane) lanes.push(lane)
        return rig.store.claim(kind, max, lane)
      },
      close: async () => {},
    }
    const jobs = createJobs({ store, transaction: change, log: quietLog, times: { ...JOB_TIMES, pollEveryMs: 20 } })
    const held = Promise.withResolvers<void>()
    jobs.work(LANED, async ({ waitFor }) => waitFor(async () => void (await held.promise)))
    await change((trx) => jobs.post(trx, LANED, { n: 1 }, { group: 'ada/1' }))
    const asked = (lane: object) => lanes.some(({ used: _used, ...each }) => isDeepStrictEqual(each, lane))
    await until('both were asked for', () => [true, false].every((isListed) => asked({ groups: ['ada/1'], isListed })))
    assert.deepEqual(lanes[0], { groups: [], isListed: false, used: {} })
    assert.ok(!asked({ groups: [], isListed: true }))
    held.resolve()
    await until('it is gone', isEmpty)
    await jobs.close()
  })

  test('attempts that take long make room; beyond a limit the oldest one of the owner with most is asked to end', async () => {
    const jobs = await open()
    const held = Promise.withResolvers<void>()
    const hurried: number[] = []
    const quick: number[] = []
    jobs.work(PATIENT, async ({ data: { n }, hurry, waitFor }) => {
      if (n >= 10) return void quick.push(n)
      const asked = once(hurry, 'abort').then(() => true)
      if (!(await waitFor(() => Promise.race([held.promise.then(() => false), asked])))) return undefined
      hurried.push(n)
      return { retryInMs: HOUR_MS, reason: 'asked to end' }
    })
    const post = async (n: number, group: string) => {
      await change((trx) => jobs.post(trx, PATIENT, { n }, { group }))
      jobs.wake(PATIENT)
    }
    const running = () => rig.states().then((all) => all.filter((state) => state === 'running').length)
    await post(1, 'ada/1')
    await post(2, 'bob/1')
    await post(3, 'bob/2')
    await until('three run', async () => (await running()) === PATIENT.patience.lateMax)
    await post(10, 'cy/1')
    await until('another one ran', () => quick.length === 1)
    assert.deepEqual(hurried, [])
    await post(4, 'ada/2')
    // The first one of two owners with two: that of ada.
    await until('one was asked to end', () => hurried.length > 0)
    await post(11, 'cy/1')
    await until('another one ran', () => quick.length === 2)
    assert.deepEqual(hurried, [1])
    const waiting = () => rig.store.list({ state: 'waiting' }, 10)
    await until('its end is stored', async () => (await waiting()).length > 0)
    const [ended] = await waiting()
    assert.deepEqual([ended?.data, ended?.lastError], [{ n: 1 }, 'asked to end'])
    held.resolve()
  })

  test('are repeated after the delay of their kind, then kept as failed, and their process goes on', async () => {
    const jobs = await open()
    const tried: [number, number][] = []
    await change((trx) => jobs.post(trx, PLAIN, { n: 1 }))
    jobs.work(PLAIN, async ({ attempts }) => {
      tried.push([attempts, performance.now()])
      throw new Error(`No connection to https://example.com/?token=secret for ada@example.com (${attempts})`)
    })
    await until('it failed', async () => (await rig.states())[0] === 'failed')
    assert.deepEqual(
      tried.map(([attempts]) => attempts),
      [1, 2, 3],
    )
    assert.ok(tried[1]![1] - tried[0]![1] >= 95, 'repeated too early')
    assert.ok(tried[2]![1] - tried[1]![1] >= 195, 'repeated too early')
    const [failed] = await rig.store.list({ state: 'failed' }, 10)
    assert.equal(failed?.lastError, 'No connection to [link] for [address] (3)')
    assert.deepEqual([failed.kind, failed.attempts, failed.failedAt! >= failed.createdAt], ['plain', 3, true])
    await sleep(300)
    assert.equal(tried.length, 3)
  })

  test('a handler can say when to repeat, or give up at once', async () => {
    const jobs = await open()
    const tried: number[] = []
    await change((trx) => jobs.post(trx, PLAIN, { n: 1 }))
    jobs.work(PLAIN, async ({ attempts }) => {
      tried.push(performance.now())
      return attempts === 1 ? { retryInMs: 400, reason: 'Busy' } : { giveUp: `Gone ${'x'.repeat(300)}` }
    })
    await until('it failed', async () => (await rig.states())[0] === 'failed')
    assert.equal(tried.length, 2)
    assert.ok(tried[1]! - tried[0]! >= 390, `after ${tried[1]! - tried[0]!} ms`)
    const [failed] = await rig.store.list({}, 10)
    assert.equal(failed?.lastError?.length, REASON_LENGTH_MAX)
    assert.equal(failed.attempts, 2)
  })

  test('with a key are posted once while they wait or run, and again after their end', async () => {
    const jobs = await open()
    const post = (key: string) => change((trx) => jobs.post(trx, PLAIN, { n: 1 }, { key }))
    assert.notEqual(await post('a'), null)
    assert.equal(await post('a'), null)
    assert.notEqual(await post('b'), null)
    assert.notEqual(await change((trx) => jobs.post(trx, BRIEF, { n: 1 }, { key: 'a' })), null, 'of another kind')
    const during: (string | null)[] = []
    jobs.work(PLAIN, async ({ data }) => {
      if (data.n === 1) during.push(await post('a'))
      return { giveUp: 'No' }
    })
    await until('both ran', async () => (await rig.store.list({ state: 'failed' }, 10)).length === 2)
    assert.ok(during.includes(null), 'posted while it ran')
    assert.notEqual(await post('b'), null, 'refused after it failed')
  })

  test('whose process was lost are taken over when the lease ends, and the late process cannot end them', async () => {
    await change((trx) => rig.store.post(trx, BRIEF, [{ id: newId(), data: { n: 1 } }]))
    const [lost] = await rig.store.claim(BRIEF, 1)
    const claimedAt = performance.now()
    assert.deepEqual(await rig.store.claim(BRIEF, 1), [])
    const jobs = await open()
    const seen = Promise.withResolvers<Job<Data>>()
    const goOn = Promise.withResolvers<void>()
    jobs.work(BRIEF, async (job) => {
      seen.resolve(job)
      await goOn.promise
    })
    const { id, attempts } = await seen.promise
    assert.ok(performance.now() - claimedAt >= leaseSeconds(BRIEF) * 1_000 - 50, 'taken over before the lease ended')
    assert.deepEqual([id, attempts], [lost!.id, 2])
    for (const late of [
      change((trx) => rig.store.done(trx, BRIEF, lost!)),
      change((trx) => rig.store.retry(trx, BRIEF, lost!, 0, 'late')),
      change((trx) => rig.store.giveUp(trx, BRIEF, lost!, 'late')),
      change((trx) => rig.store.giveBack(trx, BRIEF, lost!)),
    ])
      assert.equal(await late, false)
    assert.deepEqual(await rig.states(), ['running'])
    goOn.resolve()
    await until('it is gone', isEmpty)
  })

  test('with a heartbeat run in one process for longer than it, and elsewhere soon after it has stopped', async () => {
    await change((trx) => rig.store.post(trx, BEATING, [{ id: newId(), data: { n: 1 } }]))
    const [lost] = await rig.store.claim(BEATING, 1)
    const [one, other] = [await open(), await open()]
    const attempts: number[] = []
    const goOn = Promise.withResolvers<void>()
    for (const jobs of [one, other])
      jobs.work(BEATING, async (job) => {
        attempts.push(job.attempts)
        await goOn.promise
        job.requireTime()
      })
    await until('it was taken over', () => attempts.length > 0)
    assert.equal(await rig.store.renew(BEATING, lost!), false)
    await sleep(4_000)
    assert.deepEqual(attempts, [2])
    goOn.resolve()
    await until('it is gone', isEmpty)
    assert.deepEqual(attempts, [2])
  })

  test('that another process took over are stopped at the next heartbeat', async () => {
    const [one, other] = [await open({ pollEveryMs: HOUR_MS }), await open({ pollEveryMs: HOUR_MS })]
    const stopped = Promise.withResolvers<unknown>()
    const goOn = Promise.withResolvers<void>()
    one.work(BEATING, async (_job, signal) => {
      signal.addEventListener('abort', () => stopped.resolve(signal.reason))
      await goOn.promise
    })
    await change((trx) => one.post(trx, BEATING, { n: 1 }))
    one.wake(BEATING)
    await until('it runs', async () => (await rig.states())[0] === 'running')
    await until('it is taken over', async () => {
      // Unless a heartbeat comes in between.
      await expireLease(rig.database)
      await rig.store.sweep()
      return (await rig.store.claim(BEATING, 1)).length === 1
    })
    assert.match(String(await stopped.promise), /Another process took over/)
    goOn.resolve()
    await other.close()
  })

  test('are posted many at once, without those whose key waits or runs', async () => {
    const jobs = await open()
    const many = Array.from({ length: 1_201 }, (_, n) => ({ data: { n }, ...(n % 400 === 0 && { key: 'same' }) }))
    const ids = await change((trx) => jobs.postMany(trx, PLAIN, many))
    assert.equal(ids.length, 1_198)
    assert.equal(new Set(ids).size, 1_198)
    assert.deepEqual(await change((trx) => jobs.postMany(trx, PLAIN, [])), [])
    assert.equal(await change((trx) => jobs.post(trx, PLAIN, { n: 1 }, { key: 'same' })), null)
  })

  test('whose process was lost in the last attempt fail, and what follows happens once, in the same transaction', async () => {
    await change((trx) => rig.store.post(trx, BRIEF, [{ id: newId(), data: { n: 1 }, key: 'k' }]))
    for (let attempts = 1; attempts <= BRIEF.attemptsMax; attempts++) {
      await until(`attempt ${attempts}`, async () => {
        await rig.store.sweep()
        return (await rig.store.claim(BRIEF, 1)).length === 1
      })
    }
    const other = await openPlace(rig.place)
    const ended: unknown[] = []
    const effect = newId()
    let tries = 0
    for (const jobs of [await open(), await open({}, other)])
      jobs.onFailed(async (trx, job) => {
        await trx.insertInto('replicas').values({ id: effect, seen_at: 1 }).execute()
        if (++tries === 1) throw new Error('undone')
        ended.push(job)
      })
    await until('it failed', async () => (await rig.states())[0] === 'failed')
    const [failed] = await rig.store.list({}, 10)
    assert.deepEqual([failed?.attempts, failed?.lastError], [3, 'The process ended during the last attempt'])
    await until('it was ended', () => ended.length > 0)
    assert.deepEqual(await rig.store.claim(BRIEF, 1), [])
    assert.equal(
      (await change((trx) => rig.store.post(trx, BRIEF, [{ id: newId(), data: { n: 2 }, key: 'k' }]))).length,
      1,
    )
    assert.deepEqual([tries, ended], [2, [{ kind: 'brief', data: { n: 1 } }]])
    assert.deepEqual(await change((trx) => rig.store.failLost(trx, 10)), [])
    await other.close()
  })

  for (const [how, handler] of [
    ['gives up', async () => ({ giveUp: 'No' })],
    ['throws', async () => Promise.reject(new Error('No'))],
  ] as const)
    test(`whose last attempt ${how} fail in the transaction of what follows`, async () => {
      const kind = { ...PLAIN, attemptsMax: 1 }
      const jobs = await open()
      const ended: unknown[] = []
      const effect = newId()
      jobs.onFailed(async (trx, { data }) => {
        ended.push(data)
        await trx.insertInto('replicas').values({ id: effect, seen_at: 1 }).execute()
        if (ended.length === 1) throw new Error('undone')
      })
      await change((trx) => jobs.post(trx, kind, { n: 5 }))
      jobs.work(kind, handler)
      await until('it failed', async () => (await rig.states())[0] === 'failed')
      assert.deepEqual(ended, [{ n: 5 }, { n: 5 }])
    })

  test('that waited before an upgrade follow what their kind says now, however many, a part at a time', async () => {
    const posted = Array.from({ length: UPDATED_MAX + 1 }, (_, n) => ({ data: { n } }))
    await change(async (trx) => createPosting(rig.store).postMany(trx, UPGRADED, posted))
    const kind = { ...UPGRADED, attemptsMax: 1, heartbeatMs: 60_000 }
    const { changed, counted } = countChangedRows(rig.database)
    const store = await openTestStore(counted, [kind])
    assert.ok(Math.max(...changed) <= UPDATED_MAX, `${Math.max(...changed)}`)
    assert.equal((await store.claim(kind, posted.length)).length, posted.length)
    await expireLease(rig.database)
    const lost = new Set<string>()
    await until('all failed', async () => {
      await store.sweep()
      for (const { id } of await change((trx) => store.failLost(trx, 1_000))) lost.add(id)
      return lost.size === posted.length
    })
    await store.close()
  })

  test('that run while an upgrade allows more attempts are repeated', async () => {
    const [before, now] = [
      { ...UPGRADED, attemptsMax: 1 },
      { ...UPGRADED, attemptsMax: 2 },
    ]
    const older = await openTestStore(rig.database, [before])
    await change((trx) => older.post(trx, before, [{ id: newId(), data: { n: 1 } }]))
    const [job] = await older.claim(before, 1)
    const newer = await openTestStore(rig.database, [now])
    assert.equal(await change((trx) => newer.retry(trx, now, job!, 0, 'No')), true)
    assert.deepEqual(await rig.states(), ['waiting'])
    await Promise.all([older.close(), newer.close()])
  })

  test('that take longer than the deadline are stopped and repeated, and their late end has no effect', async () => {
    const jobs = await open()
    const late = Promise.withResolvers<boolean>()
    let aborted = false
    await change((trx) => jobs.post(trx, BRIEF, { n: 1 }))
    jobs.work(BRIEF, async (job, signal) => {
      if (job.attempts > 1) return
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      aborted = true
      await until('the next attempt is over', isEmpty)
      late.resolve(await change(job.finish))
    })
    assert.equal(await late.promise, false)
    assert.equal(aborted, true)
  })

  test('end in the transaction of their effects, or not at all', async () => {
    const jobs = await open()
    const { db } = rig.database
    const effect = newId()
    await change((trx) => jobs.post(trx, PLAIN, { n: 1 }))
    jobs.work(PLAIN, async ({ finish, attempts }) => {
      await db.transaction().execute(async (trx) => {
        assert.equal(await finish(trx), true)
        await trx
          .insertInto('replicas')
          .values({ id: `${effect}-${attempts}`, seen_at: 1 })
          .execute()
        if (attempts === 1) throw new Error('undone')
      })
    })
    await until('it is gone', isEmpty)
    const effects = await db.selectFrom('replicas').select('id').where('id', 'like', `${effect}%`).execute()
    assert.deepEqual(
      effects.map(({ id }) => id),
      [`${effect}-2`],
    )
  })

  test('close() waits for running jobs, and returns those that take too long without counting the attempt', async () => {
    const first = await open({ closeMs: 200 })
    const seen: number[] = []
    await change((trx) => first.post(trx, PLAIN, { n: 1 }))
    first.work(PLAIN, async ({ attempts }) => {
      seen.push(attempts)
      await sleep(100)
      if (attempts === 1 && seen.length === 1) await sleep(5_000, undefined, { ref: false })
    })
    await until('it runs', () => seen.length === 1)
    await first.close()
    assert.deepEqual(await rig.states(), ['waiting'])
    const second = await open()
    second.work(PLAIN, async ({ attempts }) => {
      seen.push(attempts)
      await sleep(100)
    })
    await until('it runs again', () => seen.length === 2)
    await second.close()
    assert.deepEqual([seen, await isEmpty()], [[1, 1], true])
    await change((trx) => first.post(trx, PLAIN, { n: 2 })).catch(() => {})
    first.wake(PLAIN)
    await sleep(100)
    assert.equal(seen.length, 2, 'ran after close()')
  })

  for (const [count, transactions] of [
    [WRITTEN_MAX, 1],
    [WRITTEN_MAX + 1, 2],
  ] as const)
    test(`${count} that end at once are recorded in ${transactions}, because requests need the database as well`, async () => {
      let begun = 0
      const transaction: typeof change = async (work) => {
        begun++
        return await change(work)
      }
      const store = { ...rig.store, close: async () => {} }
      const times = { ...JOB_TIMES, pollEveryMs: 20 }
      const jobs = createJobs({ store, transaction, log: quietLog, times })
      const all = Promise.withResolvers<void>()
      let runs = 0
      const posted = Array.from({ length: count }, (_, n) => ({ data: { n } }))
      await change((trx) => jobs.postMany(trx, GROUPED, posted))
      jobs.work({ ...GROUPED, parallelMax: count }, async () => {
        if (++runs === count) all.resolve()
        await all.promise
        return { giveUp: 'all at once' }
      })
      await until('all failed', async () => (await rig.states()).every((state) => state === 'failed'))
      assert.equal(begun, transactions)
      await jobs.close()
    })

  test('added while a poll runs are not missed, and one whose end cannot be stored at first runs once', async () => {
    const looked = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    let refused = 0
    const store: JobStore = {
      ...rig.store,
      async claim(kind, max) {
        const claimed = await rig.store.claim(kind, max)
        looked.resolve()
        await goOn.promise
        return claimed
      },
      async done(trx, kind, job) {
        if (refused++ < 3) throw new Error('away')
        return await rig.store.done(trx, kind, job)
      },
      close: async () => {},
    }
    const outcomes: string[] = []
    const jobs = createJobs({
      ...{
        store,
        transaction: change,
        log: quietLog,
        times: { ...JOB_TIMES, pollEveryMs: HOUR_MS, recordEveryMs: 20 },
      },
      onAttempted: (kind, outcome) => outcomes.push(`${kind} ${outcome}`),
    })
    let runs = 0
    jobs.work(PLAIN, async () => {
      runs++
    })
    await looked.promise
    await change((trx) => jobs.post(trx, PLAIN, { n: 1 }))
    jobs.wake(PLAIN)
    goOn.resolve()
    await until('it is gone', isEmpty)
    await jobs.close()
    assert.deepEqual([runs, refused, outcomes], [1, 4, ['plain done']])
  })

  test('that failed long ago are deleted', async () => {
    const ids = [newId(), newId()]
    await change((trx) =>
      rig.store.post(
        trx,
        PLAIN,
        ids.map((id) => ({ id, data: {} })),
      ),
    )
    for (const job of await rig.store.claim(PLAIN, 2)) await change((trx) => rig.store.giveUp(trx, PLAIN, job, 'No'))
    await setFailed(rig.database, ids[0]!, FAILED_KEPT_MS + 60_000)
    await setFailed(rig.database, ids[1]!, FAILED_KEPT_MS - 60_000)
    await until('the older one is deleted', async () => {
      await rig.store.sweep()
      return (await rig.store.list({}, 10)).length === 1
    })
    assert.equal((await rig.store.list({}, 10))[0]?.id, ids[1])
  })

  test('depth, list, rerun and drop', async () => {
    const jobs = await open()
    const ids: string[] = []
    for (const n of [1, 2, 3, 4]) {
      ids.push((await change((trx) => jobs.post(trx, PLAIN, { n }, n === 4 ? { delayMs: HOUR_MS } : {})))!)
      await sleep(5)
    }
    const claimed = await rig.store.claim(PLAIN, 2)
    assert.deepEqual(
      claimed.map(({ id }) => id),
      ids.slice(0, 2),
    )
    await change((trx) => rig.store.giveUp(trx, PLAIN, claimed[0]!, 'No'))
    await sleep(20)
    const [depth] = (await rig.store.depth()).filter(({ kind }) => kind === 'plain')
    const { oldestMs, ...counts } = depth!
    assert.deepEqual(counts, { kind: 'plain', waiting: 2, due: 1, running: 1, failed: 1 })
    assert.ok(oldestMs >= 20 && oldestMs < 60_000, `${oldestMs}`)
    const listed = await rig.store.list({ kind: 'plain' }, 10)
    assert.deepEqual(
      listed.map(({ id, state, attempts }) => [id, state, attempts]),
      [
        [ids[0], 'failed', 1],
        [ids[1], 'running', 1],
        [ids[2], 'waiting', 0],
        [ids[3], 'waiting', 0],
      ],
    )
    assert.deepEqual(
      [(await rig.store.list({ kind: 'other' }, 10)).length, (await rig.store.list({}, 2)).length],
      [0, 2],
    )
    for (const [id, works] of [
      [ids[0], true],
      [ids[1], false],
      [ids[3], true],
      [newId(), false],
      ['x', false],
    ] as const) {
      const job = await change((trx) => rig.store.rerun(trx, id!))
      assert.equal(job?.kind, works ? 'plain' : undefined, id)
    }
    const [rerun] = await rig.store.list({ kind: 'plain' }, 1)
    assert.deepEqual([rerun?.state, rerun?.attempts, rerun?.failedAt, rerun?.lastError], ['waiting', 0, null, null])
    assert.equal(await change((trx) => rig.store.drop(trx, ids[1]!)), null, 'dropped while it runs')
    assert.deepEqual(await change((trx) => rig.store.drop(trx, ids[2]!)), { kind: 'plain', data: { n: 3 } })
    assert.deepEqual((await rig.store.claim(PLAIN, 9)).map(({ id }) => id).sort(), [ids[0], ids[3]].sort())
    await change((trx) => rig.store.done(trx, PLAIN, claimed[1]!))
  })

  test('that failed with a key can run again beside a new one with the same key', async () => {
    const post = () => change((trx) => rig.store.post(trx, PLAIN, [{ id: newId(), data: {}, key: 'k' }]))
    await post()
    const [first] = await rig.store.claim(PLAIN, 1)
    await change((trx) => rig.store.giveUp(trx, PLAIN, first!, 'No'))
    assert.equal((await post()).length, 1)
    assert.deepEqual(await change((trx) => rig.store.rerun(trx, first!.id)), { kind: 'plain', data: {} })
    assert.equal((await rig.store.claim(PLAIN, 9)).length, 2)
  })

  test('are erased by a text in their data', async () => {
    const [account, other] = [newId(), newId()]
    const values = [{ account }, { account: other }, { deep: { list: [account] } }, { part: `${account}x` }]
    await change((trx) =>
      rig.store.post(
        trx,
        PLAIN,
        values.map((data) => ({ id: newId(), data })),
      ),
    )
    await change((trx) => rig.store.erase(trx, BRIEF, [account]))
    assert.equal((await rig.store.list({}, 10)).length, 4)
    await change((trx) => rig.store.erase(trx, PLAIN, [account, newId()]))
    const kept = await rig.store.claim(PLAIN, 9)
    // Those of one statement have no order.
    assert.deepEqual(
      kept.map(({ data }) => data).toSorted((a, b) => Object.keys(a)[0]!.localeCompare(Object.keys(b)[0]!)),
      [values[1], values[3]],
    )
  })

  test('in the table of SQLite are run, also by PostgreSQL after a move', async () => {
    const job = { id: newId(), kind: PLAIN.name, data: '{"n":5}', created_at: 1, due_at: 1, attempts: 2 }
    const unset = { job_key: null, job_group: null, claimed_by: null, claimed_until: null }
    await rig.database.db
      .insertInto('jobs')
      .values({ ...job, ...unset, failed_at: null, last_error: null })
      .execute()
    const jobs = await open()
    const ran: unknown[] = []
    jobs.work(PLAIN, async ({ id, data }) => {
      ran.push([id, data])
    })
    await until('it ran', () => ran.length > 0)
    await until('it is gone', isEmpty)
    assert.deepEqual(ran, [[job.id, { n: 5 }]])
    assert.deepEqual(await rig.database.db.selectFrom('jobs').select('id').execute(), [])
  })

  test('with a link that may have a secret are refused', async () => {
    const jobs = await open()
    for (const url of ['https://example.com/a?X-Amz-Signature=1', 'https://user:pass@example.com/', 's3://b/k#token'])
      await assert.rejects(
        change((trx) => jobs.post(trx, { ...PLAIN, data: {} } as JobKind, { url })),
        /must not contain links with secrets/,
      )
    assert.notEqual(await change((trx) => jobs.post(trx, PLAIN as JobKind, { url: 'https://example.com/a' })), null)
  })
})
