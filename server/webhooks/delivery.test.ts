/** How callbacks are repeated and endpoints switched off, with shorter pauses, on both databases. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { createOutboundHttp } from '#base/outbound-http.ts'
import { createOutboundRules, type Resolve } from '#base/outbound-rules.ts'
import { createSeal } from '#base/seal.ts'
import { until, useJobs } from '#test/support/jobs.ts'
import { quietLog, seedAccount } from '#test/support/seed.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { createCall, RETRY_AFTER_MS_MAX } from './call.ts'
import { CALLBACK, createDelivery, FAILING_MS_MAX, groupOf, PAUSES_MS } from './delivery.ts'
import { createEndpoints } from './endpoints.ts'
import { createWebhookStore, ENDPOINTS_MAX } from './store.ts'

const KIND = { ...CALLBACK, delayMs: () => 10 }
const DAY_MS = 24 * 60 * 60 * 1_000

test('the pauses: more than a day in eight attempts, each 10 % shorter or longer', () => {
  assert.deepEqual(PAUSES_MS, [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000])
  assert.equal(CALLBACK.attemptsMax, 8)
  for (const [index, pause] of PAUSES_MS.entries()) {
    const spread = Array.from({ length: 200 }, () => CALLBACK.delayMs(index + 1) / pause)
    assert.ok(Math.min(...spread) >= 0.9 && Math.max(...spread) <= 1.1)
    assert.ok(Math.max(...spread) - Math.min(...spread) > 0.1)
  }
})

test('what an account may have at once is enough to call all its endpoints, whichever of them hang', () => {
  const { perOwner, perGroupMax } = CALLBACK
  assert.equal(perOwner.max, perOwner.free + ENDPOINTS_MAX - perOwner.free / perGroupMax)
})

forEachDatabase('callbacks as jobs', (openUrl) => {
  const rig = useJobs(openUrl, [CALLBACK])
  const seal = createSeal(randomBytes(32))
  let receiver: Server
  let port: number
  let received: { id: unknown; timestamp: unknown }[] = []
  let respond: (response: ServerResponse, request: IncomingMessage) => void = () => {}
  let mails: object[] = []
  before(async () => {
    receiver = createServer((request, response) => {
      received.push({ id: request.headers['webhook-id'], timestamp: request.headers['webhook-timestamp'] })
      respond(response, request)
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    port = (receiver.address() as AddressInfo).port
  })
  after(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  beforeEach(() => {
    received = []
    mails = []
  })

  interface Parts {
    failingMsMax?: number
    answerMs?: number
    resolve?: Resolve
    sealOfDelivery?: typeof seal
    patience?: typeof CALLBACK.patience
    transaction?: typeof rig.change
    beforeRead?: (ids: readonly string[]) => Promise<void>
  }

  /** One endpoint of a new account, and a process that calls it. */
  async function setUp(parts: Parts = {}, url?: string) {
    const { failingMsMax, answerMs, resolve, sealOfDelivery = seal, patience = KIND.patience } = parts
    const { database } = rig
    const jobs = await rig.open()
    const { transaction = rig.change, beforeRead = async () => {} } = parts
    const store = createWebhookStore(database, async (trx, deliveries) => {
      const posted = deliveries.map(({ accountId, deliveryId, endpointId }) => ({
        ...{ data: { deliveryId, endpointId }, group: groupOf(accountId, endpointId) },
      }))
      await jobs.postMany(trx, KIND, posted)
    })
    const rules = createOutboundRules([{ network: '127.0.0.1', port }], resolve)
    const http = createOutboundHttp({ rules })
    const handler = createDelivery({
      store: { ...store, due: (ids) => beforeRead(ids).then(() => store.due(ids)) },
      ...{ seal: sealOfDelivery, call: createCall(http, answerMs), transaction, log: quietLog, kind: KIND },
      announceDisabled: async (_trx, { accountId, url }) => void mails.push({ accountId, url }),
      wakeMail: () => {},
      ...(failingMsMax !== undefined && { failingMsMax }),
    })
    jobs.work({ ...KIND, patience }, handler)
    const endpoints = createEndpoints({ store, rules, seal, wake: () => jobs.wake(KIND) })
    const accountId = await seedAccount(database)
    const { id } = await endpoints.create(accountId, { url: url ?? `http://127.0.0.1:${port}/hook?token=5ecre7` })
    const delivery = async () => (await endpoints.deliveries(accountId, id)).items[0]
    const endsAs = async (state: string) => {
      await until(`it is ${state}`, async () => (await delivery())?.state === state)
      return (await delivery()) ?? assert.fail()
    }
    return { endpoints, store, accountId, id, delivery, endsAs, jobs }
  }

  test('a receiver that is down three times gets it once, with the same id', async () => {
    respond = (response) => response.writeHead(received.length < 4 ? 500 : 204).end()
    const { endpoints, accountId, id, endsAs } = await setUp()
    const sent = await endpoints.test(accountId, id)
    const ended = await endsAs('delivered')
    assert.deepEqual([ended.attempts, ended.status, ended.error], [4, 204, null])
    assert.deepEqual(
      received.map((each) => each.id),
      Array(4).fill(sent.id),
    )
    assert.equal((await endpoints.find(accountId, id)).failingSince, null)
    await until('its job is gone', rig.isEmpty)
  })

  test('after the last attempt it has failed, and can be sent again with all attempts', async () => {
    respond = (response) => response.writeHead(500).end()
    const { endpoints, accountId, id, endsAs } = await setUp()
    const { id: deliveryId } = await endpoints.test(accountId, id)
    const failed = await endsAs('failed')
    assert.deepEqual([failed.attempts, failed.status, failed.error], [8, 500, 'status 500'])
    assert.notEqual((await endpoints.find(accountId, id)).failingSince, null)
    assert.equal(received.length, 8)
    respond = (response) => response.end()
    await endpoints.retry(accountId, deliveryId)
    assert.equal((await endsAs('delivered')).attempts, 1)
  })

  test('an endpoint that failed for five days is switched off, with one mail; one that failed less is not', async () => {
    respond = (response) => response.writeHead(503).end()
    const { endpoints, accountId, id, endsAs, store } = await setUp()
    const failSince = (ms: number) => store.change(accountId, id, { failing_since: Date.now() - ms })
    await failSince(FAILING_MS_MAX - DAY_MS)
    await endpoints.test(accountId, id)
    await endsAs('failed')
    assert.equal((await endpoints.find(accountId, id)).enabled, true)
    await failSince(FAILING_MS_MAX + 1_000)
    const before = received.length
    await endpoints.test(accountId, id)
    await until('it is off', async () => !(await endpoints.find(accountId, id)).enabled)
    assert.equal((await endpoints.find(accountId, id)).disabledBy, 'failing')
    assert.equal(received.length, before + 1)
    assert.deepEqual(mails, [{ accountId, url: `http://127.0.0.1:${port}/hook?…` }])
    assert.equal((await endsAs('failed')).attempts, 1)
  })

  test('Retry-After of a busy receiver is respected, up to an hour', async () => {
    const retried: unknown[] = []
    const call = createCall(createOutboundHttp({ rules: createOutboundRules([{ network: '127.0.0.1', port }]) }))
    const ask = (status: number, header: string) => {
      respond = (response) => response.writeHead(status, { 'retry-after': header }).end()
      const callback = { id: 'a', url: `http://127.0.0.1:${port}/`, body: '{}', keys: [] }
      return call(callback, new AbortController().signal).then(({ retryAfterMs }) => retried.push(retryAfterMs))
    }
    for (const status of [429, 502, 503, 504]) await ask(status, '7')
    for (const header of ['3600', '3601', '0', 'soon', '-1']) await ask(503, header)
    for (const status of [500, 400, 301]) await ask(status, '7')
    assert.deepEqual(retried, [
      ...[7_000, 7_000, 7_000, 7_000],
      ...[RETRY_AFTER_MS_MAX, RETRY_AFTER_MS_MAX, 0, null],
      retried[8],
      ...[null, null, null],
    ])
  })

  test('a receiver that does not answer in time has failed', async () => {
    respond = () => {}
    const { endpoints, accountId, id, delivery } = await setUp({ answerMs: 50 })
    await endpoints.test(accountId, id)
    await until('an attempt failed', async () => (await delivery())?.error === 'no response in time')
    respond = (response) => response.end()
  })

  test('an account has twelve calls at once, not thirteen, and another account is called', async () => {
    const held: ServerResponse[] = []
    respond = (response) => void held.push(response)
    const { endpoints, accountId, id, delivery } = await setUp()
    const make = async (owner: string) => (await endpoints.create(owner, { url: `http://127.0.0.1:${port}/more` })).id
    const ids = [id, ...(await Promise.all(Array.from({ length: ENDPOINTS_MAX - 1 }, () => make(accountId))))]
    const called = (count: number) => until(`${count} calls`, () => received.length === count)
    for (const each of ids.slice(0, 2)) for (let n = 0; n < 3; n++) await endpoints.test(accountId, each)
    await called(4)
    for (const each of ids.slice(2)) await endpoints.test(accountId, each)
    await called(CALLBACK.perOwner.max)
    await endpoints.delete(accountId, ids.at(-1) ?? '')
    const late = await make(accountId)
    await endpoints.test(accountId, late)
    const other = await seedAccount(rig.database)
    await endpoints.test(other, await make(other))
    await called(CALLBACK.perOwner.max + 1)
    const [waiting] = (await endpoints.deliveries(accountId, late)).items
    assert.deepEqual([waiting?.state, waiting?.attempts, waiting?.error], ['waiting', 0, null])
    respond = (response) => response.end()
    for (const response of held) response.end()
    await until(
      'it was sent',
      async () => (await endpoints.deliveries(accountId, late)).items[0]?.state === 'delivered',
    )
    await until('the first one is stored', async () => (await delivery())?.attempts === 1)
  })

  test('calls that have ended and wait to be stored delay none that begins', async () => {
    respond = (response) => response.end()
    const held = Promise.withResolvers<void>()
    const transaction: typeof rig.change = async (work) => {
      await held.promise
      return await rig.change(work)
    }
    const { endpoints, accountId, id } = await setUp({ transaction })
    const others = await Promise.all(
      [1, 2].map(() => endpoints.create(accountId, { url: `http://127.0.0.1:${port}/` })),
    )
    for (const each of [id, id, others[0]?.id ?? '', others[0]?.id ?? '']) await endpoints.test(accountId, each)
    await until('four calls', () => received.length === 4)
    await endpoints.test(accountId, others[1]?.id ?? '')
    await until('the fifth', () => received.length === 5)
    held.resolve()
  })

  test('calls that begin while others are read are read together', async () => {
    respond = (response) => response.end()
    const held = Promise.withResolvers<void>()
    const sizes: number[] = []
    const beforeRead = async (ids: readonly string[]) => {
      sizes.push(ids.length)
      await held.promise
    }
    const { endpoints, accountId, id } = await setUp({ beforeRead })
    const create = () => endpoints.create(accountId, { url: `http://127.0.0.1:${port}/` })
    const others = await Promise.all(Array.from({ length: ENDPOINTS_MAX - 1 }, create))
    for (const each of [id, ...others.map((other) => other.id)]) await endpoints.test(accountId, each)
    await until('all have begun', async () => (await rig.states()).filter((state) => state === 'running').length === 10)
    held.resolve()
    await until('all are called', () => received.length === ENDPOINTS_MAX)
    assert.ok(sizes.length <= 2, `${sizes}`)
  })

  test('a call that takes long ends as one that failed when others need its place', async () => {
    respond = () => {}
    const { endpoints, accountId, id, delivery } = await setUp({ patience: { promptMs: 20, lateMax: 0 } })
    await endpoints.test(accountId, id)
    await until('an attempt failed', async () => (await delivery())?.error === 'no response in time')
    respond = (response) => response.end()
  })

  test('a name that gets a private address after its endpoint was created is not called', async () => {
    let address = '1.1.1.1'
    const resolve: Resolve = async () => [{ address, family: 4 }]
    const { endpoints, accountId, id, endsAs } = await setUp({ resolve }, 'https://hooks.example/')
    address = '169.254.169.254'
    await endpoints.test(accountId, id)
    const failed = await endsAs('failed')
    assert.deepEqual([failed.status, failed.error], [null, 'URL not allowed'])
    assert.equal(received.length, 0)
  })

  test('nothing readable is stored: neither secret nor query, in no row', async () => {
    respond = (response) => response.writeHead(500).end()
    const { endpoints, accountId, id, store, endsAs } = await setUp()
    const { secret } = await endpoints.rotate(accountId, id)
    await endpoints.test(accountId, id)
    await endsAs('failed')
    const rows = JSON.stringify([
      ...[await store.list(accountId), await store.deliveries(id), await rig.store.list({}, 100)],
      await rig.database.db.selectFrom('audit_log').selectAll().execute(),
    ])
    assert.ok(rows.includes(id))
    assert.doesNotMatch(rows, /5ecre7/)
    assert.ok(!rows.includes(secret.replace('whsec_', '')))
  })

  test('with another key nothing is sent', async () => {
    respond = (response) => response.end()
    const { endpoints, accountId, id, jobs, endsAs } = await setUp({ sealOfDelivery: createSeal(randomBytes(32)) })
    await endpoints.test(accountId, id)
    assert.equal((await endsAs('failed')).error, 'the secret of the endpoint cannot be decrypted')
    await until('its job has failed', async () => (await jobs.depth()).some(({ failed }) => failed > 0))
    assert.equal(received.length, 0)
  })

  test('an erased account has no endpoints, deliveries and jobs', async () => {
    respond = (response) => response.writeHead(500, { 'retry-after': '60' }).end()
    const { endpoints, accountId, id, store, jobs } = await setUp()
    respond = (response) => response.writeHead(503, { 'retry-after': '60' }).end()
    await endpoints.test(accountId, id)
    await until('it was attempted', () => received.length === 1)
    await until('it waits', async () => (await jobs.depth()).some(({ waiting }) => waiting > 0))
    await rig.change(async (trx) => jobs.erase(trx, KIND, await store.erase(trx, accountId)))
    assert.deepEqual([await store.list(accountId), await store.deliveries(id)], [[], []])
    assert.ok(await rig.isEmpty())
  })
})
