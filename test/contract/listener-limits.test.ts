/** Quota, rate limit, disabled accounts and revoked keys over the listeners: a failure, never a closed port, and no charge. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runAdmin } from '#admin/admin.ts'
import { loadConfig } from '#config/config.ts'
import { exchange, scanOver, type Target } from '#test/support/clamd-wire.ts'
import { revokeKey, UNKNOWN_ID } from '#test/support/client.ts'
import { chunked, readResponses, respmod } from '#test/support/icap-wire.ts'
import { type ListenerService, startListenerService } from '#test/support/listener-service.ts'
import { request } from '#test/support/raw-http.ts'
import { quietLog } from '#test/support/seed.ts'
import { freePort } from '#test/support/service.ts'

/** Failures are of clamd, and of ICAP without and with `failure=found`. */
const CLEAN = ['stream: OK\0', '204', '204']
const FAILED = ['stream: Service unavailable ERROR\0', '503', '200 Type=2; Resolution=2; Threat=Scan failure;']
const UNAVAILABLE = 'Engine unavailable ERROR\0'

let service: ListenerService
let target: Target
let icap: Target[]
let metricsPort: number
before(async () => {
  metricsPort = await freePort()
  const plan = { scansPerMonth: 9, scansPerSecond: 3, burst: 3 }
  const env = { plan, DOCVET_METRICS_ADDRESS: `127.0.0.1:${metricsPort}` }
  service = await startListenerService({ clamd: [''], icap: ['', 'failure=found'] }, env)
  ;[target, ...icap] = service.targets as [Target, ...Target[]]
})
after(() => service[Symbol.asyncDispose]())

async function overIcap(at: Target): Promise<string> {
  const sent = respmod({ fields: ['Allow: 204'] }) + chunked('Good morning')
  const [answer] = readResponses(await exchange(at, sent, { end: true }))
  return [answer?.status, answer?.field('X-Infection-Found')].filter(Boolean).join(' ')
}

/** Over every listener, all at once. */
const scanOverAll = (): Promise<string[]> =>
  Promise.all([scanOver(target, 'Good morning'), ...icap.map((at) => overIcap(at))])

async function run(args: string[], listen: Record<string, string> = {}) {
  const config = () => loadConfig({ DOCVET_DATA_DIR: service.dataDir, ...listen })
  return await runAdmin(args, { config, startEngines: async () => [], log: quietLog })
}

async function admin(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run([...args, '--json'])
  assert.equal(exitCode, 0, stderr)
  return stdout
}

/** The listeners in the health of the service. */
async function health(): Promise<unknown> {
  const answer = await request(service.port, 'GET', '/api/v1/health')
  assert.equal(answer.status, 200, 'a listener does not affect the others')
  return (answer.json() as { listeners: unknown }).listeners
}

const PROTOCOLS = ['clamd', 'icap', 'icap']
const UP = PROTOCOLS.map((protocol) => ({ protocol, status: 'UP', detail: null }))
const down = (detail: string) => PROTOCOLS.map((protocol) => ({ protocol, status: 'DOWN', detail }))
const NO_KEY = 'The API key is unknown, revoked, or of a disabled account.'

test('the rate of the plan is waited for, and then the scans succeed', async () => {
  assert.deepEqual(await Promise.all([scanOverAll(), scanOverAll()]), [CLEAN, CLEAN])
  assert.equal(await service.used(service.secret), 6)
})

test('a disabled account fails until it is enabled, and is not charged', async () => {
  await admin('accounts', 'disable', service.accountId)
  assert.deepEqual(await scanOverAll(), FAILED)
  assert.equal(await exchange(target, 'zPING\0'), UNAVAILABLE)
  assert.deepEqual(await health(), down(NO_KEY))
  await admin('accounts', 'enable', service.accountId)
  assert.deepEqual(await health(), UP)
  assert.equal(await exchange(target, 'zPING\0'), 'PONG\0')
  assert.equal(await service.used(service.secret), 6)
})

test('a used-up quota is a failure, is not PONG, and charges nothing', async () => {
  for (const expected of [CLEAN, FAILED, FAILED]) assert.deepEqual(await scanOverAll(), expected)
  assert.equal(await exchange(target, 'zPING\0'), UNAVAILABLE)
  assert.deepEqual(await health(), down('The quota of the API key is used up.'))
  assert.equal(await service.used(service.secret), 9)
})

test('the start of a listener is in the audit log, with its key and account', async () => {
  const entries = JSON.parse(await admin('audit', 'list', '--event', 'listener.started')) as Record<string, unknown>[]
  for (const entry of entries) {
    assert.equal(entry.subject, service.keyId)
    assert.match(JSON.stringify(entry), /"actor":"system"/)
  }
  const protocols = entries.map((entry) => /"protocol":"(\w+)"/.exec(JSON.stringify(entry).replaceAll('\\', ''))?.[1])
  assert.deepEqual(protocols.sort(), PROTOCOLS)
})

test('admin check reports every listener', async () => {
  const url = 'tcp://127.0.0.1:3310'
  const checked = async (listen: string, protocol = 'clamd') => {
    const setting = `DOCVET_${protocol.toUpperCase()}_LISTEN`
    const { exitCode, stdout } = await run(['check', '--json'], { [setting]: listen })
    const parts = JSON.parse(stdout) as { part: string; status: string; detail: string }[]
    return { exitCode, ...parts.find(({ part }) => part === `listener ${protocol}`) }
  }
  for (const protocol of ['clamd', 'icap']) {
    const good = await checked(`${url}?key=${service.keyId}`, protocol)
    assert.deepEqual([good.exitCode, good.status], [0, 'OK'])
    assert.match(good.detail ?? '', /on the plan free$/)
    assert.equal((await checked(`${url}?key=${UNKNOWN_ID}`, protocol)).status, 'FAILED')
  }
  for (const [listen, reason] of [
    [`${url}?key=${UNKNOWN_ID}`, /the key .* is unknown, revoked/],
    [`${url}?key=${service.keyId}&tls=/no/cert.pem,/no/key.pem`, /ENOENT.*cert\.pem/],
    [`unix:/no/folder/clamd.ctl?key=${service.keyId}`, /ENOENT.*\/no\/folder/],
    [`unix:/tmp/clamd.ctl?key=${service.keyId}&group=no-such-group`, /no group named no-such-group/],
  ] as const) {
    const bad = await checked(listen)
    assert.deepEqual([bad.exitCode, bad.status], [1, 'FAILED'])
    assert.match(bad.detail ?? '', reason)
  }
})

test('metrics and log name the protocols', async () => {
  const text = (await request(metricsPort, 'GET', '/metrics')).body
  for (const protocol of ['clamd', 'icap']) {
    for (const outcome of ['clean', 'failed'])
      assert.match(
        text,
        new RegExp(`docvet_listener_scans_total\\{protocol="${protocol}",outcome="${outcome}"\\} [1-9]`),
      )
    await service.logged(new RegExp(`"protocol":"${protocol}".*Listener started`))
  }
})

test('a revoked key is a failure, and the ports stay open', async () => {
  assert.equal((await revokeKey(service.port, service.secret, service.keyId)).status, 204)
  assert.deepEqual(await scanOverAll(), FAILED)
  assert.deepEqual(await health(), down(NO_KEY))
})
