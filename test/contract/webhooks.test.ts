/** Callbacks: endpoints, signatures, what is sent when an asynchronous scan ends, and receivers that do not behave. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { asPage, signUpPerson } from '#test/support/auth-client.ts'
import { signUp, UNKNOWN_ID, withKey } from '#test/support/client.ts'
import { FORBIDDEN_URLS } from '#test/support/forbidden-urls.ts'
import { untilMail } from '#test/support/outbox.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { FORM_TYPE, filePart, form, part, type ScanService, startScanService } from '#test/support/scanning.ts'
import { freePort } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const LOCKED = writeZip([{ name: 'a.txt', data: 'x', local: { flags: 1 }, central: { flags: 1 } }])

const ENDPOINTS_MAX = 10

/** Without a limit for one account, nine receivers of each that hang, twice, would take all places of a process. */
const HOSTILE_ACCOUNTS = 30

interface Endpoint {
  id: string
  url: string
  events: string[]
  description: string | null
  enabled: boolean
  disabledBy: string | null
  failingSince: string | null
  publicKey: string
  secret: string
}

interface Delivery {
  id: string
  event: string
  state: string
  attempts: number
  status: number | null
  error: string | null
  body: string
}

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

forEachDatabase('callbacks', (openPlace) => {
  let place: DatabasePlace
  let service: ScanService
  let receiver: Server
  let base: string
  let key: string
  const received: Received[] = []
  /** By path; 200 at once otherwise. */
  const answers = new Map<string, (response: ServerResponse) => void>()

  before(async () => {
    place = await openPlace()
    receiver = createServer(async (incoming, response) => {
      const body = Buffer.concat(await Array.fromAsync(incoming)).toString()
      const path = incoming.url ?? ''
      received.push({ path, headers: incoming.headers, body })
      const answer = answers.get(path.split('?', 1)[0] ?? '')
      if (answer) answer(response)
      else response.end('ok')
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    base = `http://127.0.0.1:${port}`
    service = await startScanService({
      DOCVET_DATABASE_URL: place.url ?? undefined,
      DOCVET_OUTBOUND_ALLOW: `127.0.0.1:${port}`,
      DOCVET_ADDRESS_RATE_PER_MINUTE: '100000',
    })
    key = await service.newKey()
  })
  after(async () => {
    receiver.closeAllConnections()
    receiver.close()
    await service[Symbol.asyncDispose]()
    await place.release()
  })

  const call = (method: string, path: string, body?: object, as = key): Promise<Answer> =>
    request(service.port, method, `/api/v1${path}`, { headers: withKey(as), ...(body && { body }) })
  async function create(path: string, more: object = {}, as = key): Promise<Endpoint> {
    const answer = await call('POST', '/webhooks', { url: base + path, ...more }, as)
    assert.equal(answer.status, 201, answer.body)
    return answer.json() as Endpoint
  }
  const remove = async (id: string) => assert.equal((await call('DELETE', `/webhooks/${id}`)).status, 204)
  async function until<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
    for (const end = Date.now() + 120_000; Date.now() < end; await sleep(50)) {
      const found = await look()
      if (found !== undefined) return found
    }
    assert.fail(`not in time: ${what}`)
  }
  const arrived = (path: string, count = 1) =>
    until(`${count} calls of ${path}`, () => {
      const calls = received.filter((each) => each.path.split('?', 1)[0] === path)
      return calls.length >= count ? calls : undefined
    })
  const deliveries = async (id: string, as = key) =>
    ((await call('GET', `/webhooks/${id}/deliveries`, undefined, as)).json() as { items: Delivery[] }).items
  const delivered = (id: string, state: string, as = key) =>
    until(`a delivery that is ${state}`, async () => (await deliveries(id, as)).find((each) => each.state === state))
  const scan = (content: string | Buffer, fileName = 'a.txt', as = key) =>
    request(service.port, 'POST', '/api/v1/scan', {
      headers: { ...withKey(as), 'content-type': FORM_TYPE, prefer: 'respond-async' },
      body: form(
        part(['Content-Disposition: form-data; name="reference"'], 'upload-4711'),
        filePart(content, { fileName }),
      ),
    })

  test('scan.infected: an alert also for a scan that was answered at once, once, and only where it is asked for', async () => {
    const mine = await service.newKey()
    const [alerted, told] = [
      await create('/alerts', { events: ['scan.infected'] }, mine),
      await create('/ends', {}, mine),
    ]
    assert.deepEqual(told.events, ['scan.completed', 'scan.failed'])
    const atOnce = async (content: string | Buffer) => {
      const headers = { ...withKey(mine), 'content-type': FORM_TYPE }
      const answer = await request(service.port, 'POST', '/api/v1/scan', { headers, body: form(filePart(content)) })
      assert.equal(answer.status, 200, answer.body)
      return (answer.json() as { scanId: string }).scanId
    }
    await atOnce('Hello')
    const expected = [await atOnce(EICAR), ((await scan(EICAR, 'a.txt', mine)).json() as { scanId: string }).scanId]
    const alerts = (await arrived('/alerts', 2)).map(({ body }) => JSON.parse(body))
    assert.deepEqual(alerts.map(({ data }) => data.scanId).toSorted(), expected.toSorted())
    for (const { type, data } of alerts) assert.deepEqual([type, data.status], ['scan.infected', 'infected'])
    await delivered(told.id, 'delivered', mine)
    const kinds = async (id: string) => (await deliveries(id, mine)).map(({ event }) => event)
    assert.deepEqual(await kinds(alerted.id), ['scan.infected', 'scan.infected'])
    assert.deepEqual(await kinds(told.id), ['scan.completed'])
  })

  test('an asynchronous scan is reported with a signature that the library accepts', async () => {
    const endpoint = await create('/scans?token=5ecre7', { description: 'Upload service' })
    assert.match(endpoint.secret, /^whsec_/)
    assert.match(endpoint.publicKey, /^whpk_/)
    assert.deepEqual(
      [endpoint.url, endpoint.events, endpoint.description, endpoint.enabled],
      [`${base}/scans?…`, ['scan.completed', 'scan.failed'], 'Upload service', true],
    )
    const { scanId } = (await scan('Dear Ada')).json() as { scanId: string }
    const [got] = await arrived('/scans')
    assert.ok(got)
    assert.equal(got.path, '/scans?token=5ecre7')
    const event = new Webhook(endpoint.secret).verify(got.body, got.headers as Record<string, string>) as {
      type: string
      timestamp: string
      data: Record<string, unknown>
    }
    assert.equal(event.type, 'scan.completed')
    assert.ok(Math.abs(Date.parse(event.timestamp) - Date.now()) < 60_000)
    const { sha256, ...data } = event.data
    assert.match(String(sha256), /^[0-9a-f]{64}$/)
    assert.deepEqual(data, {
      ...{ scanId, reference: 'upload-4711', status: 'clean', threat: null, obstacle: null, problem: null },
      ...{ size: 8, fileName: 'a.txt' },
    })
    for (const name of ['x-api-key', 'authorization', 'cookie', 'traceparent'])
      assert.equal(got.headers[name], undefined)
    const ended = await delivered(endpoint.id, 'delivered')
    assert.deepEqual([ended.attempts, ended.status, ended.error, ended.body], [1, 200, null, got.body])
    assert.equal(got.headers['webhook-id'], ended.id)

    await scan(LOCKED, 'a.zip')
    const [, second] = await arrived('/scans', 2)
    const refused = JSON.parse(second?.body ?? '') as { type: string; data: Record<string, unknown> }
    assert.deepEqual([refused.type, refused.data.status, refused.data.obstacle], ['scan.completed', null, 'encrypted'])
    // A scan that is answered with its verdict is not reported.
    await service.scan(key, 'Dear Ada')
    await remove(endpoint.id)
  })

  test('endpoints are listed, changed and deleted, by their account only', async () => {
    const endpoint = await create('/crud', { events: ['scan.failed'] })
    const other = await service.newKey()
    const listed = (await call('GET', '/webhooks')).json() as { items: Endpoint[] }
    assert.deepEqual(
      listed.items.map(({ id }) => id),
      [endpoint.id],
    )
    assert.doesNotMatch(JSON.stringify(listed), /whsec_/)
    assert.deepEqual(((await call('GET', '/webhooks', undefined, other)).json() as { items: object[] }).items, [])
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { enabled: false }],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
    ] as const)
      assertProblem(await call(method, `/webhooks/${endpoint.id}${path}`, body, other), 404, 'not_found')
    assertProblem(await call('POST', `/deliveries/${UNKNOWN_ID}/retry`), 404, 'not_found')

    const changed = (
      await call('PATCH', `/webhooks/${endpoint.id}`, {
        url: `${base}/moved`,
        events: ['scan.completed'],
        description: 'x',
      })
    ).json() as Endpoint
    assert.deepEqual([changed.url, changed.events, changed.description], [`${base}/moved`, ['scan.completed'], 'x'])
    const same = await call('PATCH', `/webhooks/${endpoint.id}`, {})
    assert.deepEqual([same.status, same.json()], [200, changed])
    const off = (await call('PATCH', `/webhooks/${endpoint.id}`, { enabled: false })).json() as Endpoint
    assert.deepEqual([off.enabled, off.disabledBy], [false, 'owner'])
    const { scanId } = (await scan('while it is off')).json() as { scanId: string }
    await until('its end', async () => {
      const { state } = (await call('GET', `/scans/${scanId}`)).json() as { state: string }
      return state === 'done' ? state : undefined
    })
    const on = (await call('PATCH', `/webhooks/${endpoint.id}`, { enabled: true })).json() as Endpoint
    assert.deepEqual([on.enabled, on.disabledBy], [true, null])
    await scan('while it is on')
    await arrived('/moved')
    assert.equal(received.filter(({ path }) => path === '/moved' || path === '/crud').length, 1)
    await remove(endpoint.id)
    assertProblem(await call('GET', `/webhooks/${endpoint.id}`), 404, 'not_found')
  })

  test('ten endpoints, not eleven', async () => {
    const owner = await service.newKey()
    const made = await Promise.all(
      Array.from({ length: 11 }, (_, n) => call('POST', '/webhooks', { url: `${base}/${n}` }, owner)),
    )
    assert.deepEqual(made.map(({ status }) => status).sort(), [...Array(10).fill(201), 409])
    assertProblem(await call('POST', '/webhooks', { url: `${base}/11` }, owner), 409, 'webhook_limit_reached')
  })

  test('forbidden targets are 400, when created and when changed', async () => {
    const endpoint = await create('/fine')
    // The first is a name of the hosts file on most machines.
    const more = ['https://ip6-localhost/', 'no', 'http://127.0.0.1:1/', 'https://a:b@example.com/', 'ftp://a/']
    for (const url of [...FORBIDDEN_URLS, ...more]) {
      assertProblem(await call('POST', '/webhooks', { url }), 400, 'invalid_url')
      assertProblem(await call('PATCH', `/webhooks/${endpoint.id}`, { url }), 400, 'invalid_url')
    }
    for (const body of [
      {},
      { url: `${base}/`, events: [] },
      { url: `${base}/`, events: ['x'] },
      { url: `${base}/`, x: 1 },
    ])
      assertProblem(await call('POST', '/webhooks', body), 400, 'invalid_request')
    await remove(endpoint.id)
  })

  test('a rotation: both secrets verify, and only the new one is shown', async () => {
    const old = await create('/rotated')
    const rotated = (await call('POST', `/webhooks/${old.id}/rotate`)).json() as Endpoint
    assert.notEqual(rotated.secret, old.secret)
    assert.notEqual(rotated.publicKey, old.publicKey)
    const sent = await call('POST', `/webhooks/${old.id}/test`)
    assert.equal(sent.status, 202, sent.body)
    assert.deepEqual([(sent.json() as Delivery).event, (sent.json() as Delivery).state], ['webhook.test', 'waiting'])
    const [got] = await arrived('/rotated')
    for (const { secret } of [old, rotated])
      new Webhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>)
    await remove(old.id)
  })

  test('two rotations at once: each secret that was shown verifies', async () => {
    const { id } = await create('/twice')
    const rotations = await Promise.all([1, 2].map(() => call('POST', `/webhooks/${id}/rotate`)))
    const secrets = rotations.map((answer) => (answer.json() as Endpoint).secret)
    assert.equal(new Set(secrets).size, 2)
    assert.equal((await call('POST', `/webhooks/${id}/test`)).status, 202)
    const [got] = await arrived('/twice')
    for (const secret of secrets) new Webhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>)
    await remove(id)
  })

  test('410 switches off and writes a mail; a redirect is not followed; a failure is repeated with the same id', async () => {
    answers.set('/gone', (response) => response.writeHead(410).end())
    const owner = await signUp(service.port)
    const gone = await create('/gone?token=5ecre7', {}, owner.apiKey)
    await call('POST', `/webhooks/${gone.id}/test`, undefined, owner.apiKey)
    const failed = await delivered(gone.id, 'failed', owner.apiKey)
    assert.deepEqual([failed.status, failed.attempts], [410, 1])
    const off = (await call('GET', `/webhooks/${gone.id}`, undefined, owner.apiKey)).json() as Endpoint
    assert.deepEqual([off.enabled, off.disabledBy], [false, 'gone'])
    const mail = await untilMail(service, owner.email, /callback endpoint/)
    assert.match(mail, /was switched off/)
    assert.doesNotMatch(mail, /5ecre7/)

    answers.set('/moved-on', (response) => response.writeHead(302, { location: `${base}/elsewhere` }).end())
    const moved = await create('/moved-on')
    await call('POST', `/webhooks/${moved.id}/test`)
    const [first, second] = await arrived('/moved-on', 2)
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id'])
    assert.notEqual(first?.headers['webhook-timestamp'], second?.headers['webhook-timestamp'])
    assert.equal(first?.body, second?.body)
    assert.equal(received.filter(({ path }) => path === '/elsewhere').length, 0)
    const [waiting] = await deliveries(moved.id)
    assert.equal(waiting?.error, 'redirects are not followed')
    await remove(moved.id)
  })

  test('300 receivers that are slow, dead, endless or hostile delay no other callback; answers are cut', async () => {
    const held: ServerResponse[] = []
    answers.set('/slow', (response) => void held.push(response))
    answers.set('/drip', (response) => void response.writeHead(200).write('x'))
    answers.set('/endless', (response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', more)
      more()
    })
    answers.set('/dead', (response) => response.destroy())
    answers.set('/packed', (response) => response.writeHead(204, { 'content-encoding': 'gzip' }).end())
    const quick = await create('/quick')
    const packed = await create('/packed')
    const accounts: string[] = []
    let endless: { id: string; as: string } | undefined
    for (let account = 0; account < HOSTILE_ACCOUNTS; account++) {
      const as = await service.newKey()
      const paths = [...Array<string>(8).fill('/slow'), '/drip', account % 2 === 0 ? '/endless' : '/dead']
      const made = await Promise.all(paths.map((path) => create(`${path}?${account}`, {}, as)))
      endless ??= { id: made.at(-1)?.id ?? '', as }
      accounts.push(as)
    }
    // More than can be sent at once: those of a healthy receiver must not wait for them.
    const texts = ['one', 'two', 'three', 'four']
    for (const text of texts) {
      const scans = await Promise.all(accounts.map((as) => scan(text, 'a.txt', as)))
      assert.deepEqual(new Set(scans.map(({ status }) => status)), new Set([202]))
    }
    await until('more than a hundred slow receivers are called', () => held[4 * HOSTILE_ACCOUNTS])
    await scan('quick')
    await arrived('/quick')
    const isHostile = ({ path }: Received) => /^\/(?:slow|drip|endless|dead)\?/.test(path)
    const called = new Set(received.filter(isHostile).map(({ headers }) => headers['webhook-id']))
    const all = HOSTILE_ACCOUNTS * ENDPOINTS_MAX * texts.length
    assert.ok(called.size < all, 'the quick one waited until all others had been called')
    assert.equal((await delivered(packed.id, 'delivered')).status, 204)
    assert.equal((await delivered(endless?.id ?? '', 'delivered', endless?.as)).status, 200)
    await remove(quick.id)
    await remove(packed.id)
    // Switches the others off.
    for (const path of ['/slow', '/drip', '/endless', '/dead'])
      answers.set(path, (response) => response.writeHead(410).end())
    for (const response of held) response.destroy()
  })

  test('an account that is deleted is not called any more', async () => {
    answers.set('/closing', (response) => response.writeHead(503, { 'retry-after': '1' }).end())
    const person = await signUpPerson(service.port)
    const made = await asPage(service.port, person.cookie, 'POST', '/api/v1/webhooks', { url: `${base}/closing` })
    assert.equal(made.status, 201, made.body)
    const { id } = made.json() as Endpoint
    await asPage(service.port, person.cookie, 'POST', `/api/v1/webhooks/${id}/test`)
    await arrived('/closing')
    const deleted = await asPage(service.port, person.cookie, 'DELETE', '/api/v1/auth/me', {
      password: person.password,
    })
    assert.equal(deleted.status, 204, deleted.body)
    const calls = received.filter(({ path }) => path === '/closing').length
    // Longer than the pause before its next attempt.
    await sleep(7_000)
    assert.equal(received.filter(({ path }) => path === '/closing').length, calls)
  })

  test('a delivery can be sent again', async () => {
    const endpoint = await create('/again')
    await call('POST', `/webhooks/${endpoint.id}/test`)
    const { id } = await delivered(endpoint.id, 'delivered')
    const answer = await call('POST', `/deliveries/${id}/retry`)
    assert.equal(answer.status, 202, answer.body)
    const calls = await arrived('/again', 2)
    assert.deepEqual(new Set(calls.map(({ headers }) => headers['webhook-id'])), new Set([id]))
    await remove(endpoint.id)
  })

  test('no secret and no query is logged', () => {
    assert.doesNotMatch(service.output(), /whsec_|5ecre7/)
  })
})

test('the receiver of /docs and of docs/callbacks.md verifies a callback', async () => {
  const port = await freePort()
  await using service = await startScanService({ DOCVET_OUTBOUND_ALLOW: `127.0.0.1:${port}` })
  const key = await service.newKey()
  const headers = withKey(key)
  const post = (to: string, body?: object) =>
    request(service.port, 'POST', `/api/v1/webhooks${to}`, { headers, ...(body && { body }) })
  const { id, secret } = (await post('', { url: `http://127.0.0.1:${port}/docvet` })).json() as Endpoint
  const docs = (await request(service.port, 'GET', '/docs')).body
  const [, block = ''] = /receiver\.mjs<button.*?<pre><code>(.*?)<\/code><\/pre>/s.exec(docs) ?? []
  const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  const program = block.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name] ?? '')
  assert.match(program, /webhook\.verify/)
  const page = readFileSync(path.join(ROOT, 'docs/callbacks.md'), 'utf8')
  assert.ok(page.includes(program), 'docs/callbacks.md has another program')
  // Inside the repository, where its packages are found.
  const file = path.join(ROOT, `node_modules/.cache/receiver-${process.pid}.mjs`)
  writeFileSync(file, program.replace('3000', String(port)))
  const receiver = spawn(process.execPath, [file], { env: { ...process.env, DOCVET_WEBHOOK_SECRET: secret } })
  try {
    let printed = ''
    receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    const sent = (await post(`/${id}/test`)).json() as Delivery
    while (!printed.includes('\n') && receiver.exitCode === null) await sleep(50)
    assert.match(printed, new RegExp(`^${sent.id} webhook.test `))
    const answer = await service.scan(key, 'Good morning', { headers: { prefer: 'respond-async' } })
    const { scanId } = answer.json() as { scanId: string }
    while (!printed.includes(`scan.completed ${scanId} clean`) && receiver.exitCode === null) await sleep(50)
  } finally {
    receiver.kill()
    rmSync(file)
  }
})
