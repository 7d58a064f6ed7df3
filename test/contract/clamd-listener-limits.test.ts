/** Quota, rate limit and disabled accounts over the clamd port: a failure, never a closed port, and no charge. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runAdmin } from '#admin/admin.ts'
import { loadConfig } from '#config/config.ts'
import { exchange, scanOver, type Target } from '#test/support/clamd-wire.ts'
import { UNKNOWN_ID } from '#test/support/client.ts'
import { type ListenerService, startListenerService } from '#test/support/listener-service.ts'
import { request } from '#test/support/raw-http.ts'
import { quietLog } from '#test/support/seed.ts'

const CLEAN = 'stream: OK\0'
const FAILED = 'stream: Service unavailable ERROR\0'
const UNAVAILABLE = 'Engine unavailable ERROR\0'

let service: ListenerService
let target: Target
before(async () => {
  service = await startListenerService({ clamd: [''] }, { plan: { scansPerMonth: 6, scansPerSecond: 2, burst: 1 } })
  target = service.targets[0] as Target
})
after(() => service[Symbol.asyncDispose]())

async function run(args: string[], listen?: string) {
  const config = () => loadConfig({ DOCVET_DATA_DIR: service.dataDir, DOCVET_CLAMD_LISTEN: listen })
  return await runAdmin(args, { config, startEngines: async () => [], log: quietLog })
}

async function admin(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run([...args, '--json'])
  assert.equal(exitCode, 0, stderr)
  return stdout
}

/** What the health of the service says of its listener. */
async function health(): Promise<unknown> {
  const answer = await request(service.port, 'GET', '/api/v1/health')
  assert.equal(answer.status, 200, 'a listener does not affect the others')
  return (answer.json() as { listeners: unknown }).listeners
}

const UP = [{ protocol: 'clamd', status: 'UP', detail: null }]
const down = (detail: string) => [{ protocol: 'clamd', status: 'DOWN', detail }]
const NO_KEY = 'The API key is unknown, revoked, or of a disabled account.'

test('the rate of the plan is waited for, and then the scans succeed', async () => {
  const replies = await Promise.all(Array.from({ length: 4 }, () => scanOver(target, 'Good morning')))
  assert.deepEqual(replies, Array(4).fill(CLEAN))
  assert.equal(await service.used(service.secret), 4)
})

test('a disabled account fails until it is enabled, and is not charged', async () => {
  await admin('accounts', 'disable', service.accountId)
  assert.equal(await scanOver(target, 'Good morning'), FAILED)
  assert.equal(await exchange(target, 'zPING\0'), UNAVAILABLE)
  assert.deepEqual(await health(), down(NO_KEY))
  await admin('accounts', 'enable', service.accountId)
  assert.deepEqual(await health(), UP)
  assert.equal(await exchange(target, 'zPING\0'), 'PONG\0')
  assert.equal(await service.used(service.secret), 4)
})

test('a used-up quota is a failure, is not PONG, and charges nothing', async () => {
  for (const expected of [CLEAN, CLEAN, FAILED, FAILED]) assert.equal(await scanOver(target, 'Good morning'), expected)
  assert.equal(await exchange(target, 'zPING\0'), UNAVAILABLE)
  assert.deepEqual(await health(), down('The quota of the API key is used up.'))
  assert.equal(await service.used(service.secret), 6)
})

test('the start of a listener is in the audit log, with its key and account', async () => {
  const entries = JSON.parse(await admin('audit', 'list', '--event', 'listener.started')) as Record<string, unknown>[]
  const [entry, ...more] = entries
  assert.deepEqual(more, [])
  assert.equal(entry?.subject, service.keyId)
  assert.match(JSON.stringify(entry), /"actor":"system"/)
})

test('admin check reports every listener', async () => {
  const url = 'tcp://127.0.0.1:3310'
  const checked = async (listen: string) => {
    const { exitCode, stdout } = await run(['check', '--json'], listen)
    const parts = JSON.parse(stdout) as { part: string; status: string; detail: string }[]
    return { exitCode, ...parts.find(({ part }) => part === 'listener clamd') }
  }
  const good = await checked(`${url}?key=${service.keyId}`)
  assert.deepEqual([good.exitCode, good.status], [0, 'OK'])
  assert.match(good.detail ?? '', /on the plan free$/)
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
