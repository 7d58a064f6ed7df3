/** Keys for tests: real scans that are not charged and are counted apart. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSamples } from '#http/docs/sample-files.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { listKeys, postKey, revokeKey, signUp, usage, withKey } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { type ScanBody, type ScanService, startScanService } from '#test/support/scanning.ts'
import { openDatabaseOf } from '#test/support/service.ts'

const TEST_KEY = /^dv_test_[0-9A-Za-z]{38}$/
const QUOTA = 500
/** Of test keys: more than that at once are refused. */
const BURST = 10

let service: ScanService
before(async () => {
  service = await startScanService()
})
after(() => service[Symbol.asyncDispose]())

interface Created {
  id: string
  apiKey: string
  keyPrefix: string
}

async function createTestKey(key: string, body: object = { test: true }): Promise<Created> {
  const answer = await postKey(service.port, key, body)
  assert.equal(answer.status, 201, answer.body)
  return answer.json() as Created
}

const reportOf = async (key: string) => (await usage(service.port, withKey(key))).json() as Record<string, unknown>

/** Writes usage directly. */
function setUsed(keyId: string, used: number): void {
  const database = openDatabaseOf(service)
  const upsert = `insert into usage_counters (key_id, period, used, reserved) values (?, strftime('%Y-%m', 'now'), ?, 0)
    on conflict (key_id, period) do update set used = excluded.used`
  database.prepare(upsert).run(keyId, used)
  database.close()
}

test('201 with a key that begins with dv_test_, and is listed as one for tests', async () => {
  const { apiKey } = await signUp(service.port)
  const created = await createTestKey(apiKey, { name: 'CI', test: true })
  assert.match(created.apiKey, TEST_KEY)
  assert.equal(created.keyPrefix, created.apiKey.slice(0, 12))
  const [live, listed] = await listKeys(service.port, apiKey)
  assert.deepEqual([live && 'test' in live, (listed as { test?: true }).test], [false, true])
})

test('201 with an ordinary key for `"test": false`', async () => {
  const { apiKey } = await signUp(service.port)
  assert.match((await createTestKey(apiKey, { test: false })).apiKey, /^dv_live_/)
})

test('a key that was made with a key for tests is one, too', async () => {
  const { apiKey } = await signUp(service.port)
  const { apiKey: made } = await createTestKey((await createTestKey(apiKey)).apiKey, {})
  assert.match(made, TEST_KEY)
})

test('scans for real, and counts apart from the other keys of the account', async () => {
  const { apiKey } = await signUp(service.port)
  const { apiKey: testKey } = await createTestKey(apiKey)
  const verdict = (await service.scan(testKey, EICAR)).json() as ScanBody
  assert.deepEqual([verdict.status, verdict.threat], ['infected', 'Docvet.Test.Eicar'])
  const { plan, scansUsed, scansQuota } = await reportOf(testKey)
  assert.deepEqual([plan, scansUsed, scansQuota], ['test key', 1, QUOTA])
  assert.equal((await reportOf(apiKey)).scansUsed, 0)
})

test('402 for every test key of an account once its 500 scans are used, and for a new one; others go on', async () => {
  const { apiKey } = await signUp(service.port)
  const [first, second] = [await createTestKey(apiKey), await createTestKey(apiKey)]
  setUsed(first.id, QUOTA - 1)
  assert.equal((await service.scan(second.apiKey, 'text')).status, 200)
  assertProblem(await service.scan(first.apiKey, 'text'), 402, 'quota_exhausted')
  assertProblem(await service.scan(second.apiKey, 'text'), 402, 'quota_exhausted')
  await revokeKey(service.port, apiKey, first.id)
  const third = await createTestKey(apiKey)
  const refused = await service.scan(third.apiKey, 'text')
  assertProblem(refused, 402, 'quota_exhausted')
  assert.match(refused.body, /The test keys of this account have used all 500 scans/)
  assert.equal((await service.scan(apiKey, 'text')).status, 200)
})

test('429 for all test keys of an account together; others go on', async () => {
  const { apiKey } = await signUp(service.port)
  const keys = [(await createTestKey(apiKey)).apiKey, (await createTestKey(apiKey)).apiKey]
  // One more could be admitted after each second.
  const answers = await Promise.all(Array.from({ length: BURST * 3 }, (_, i) => service.scan(keys[i % 2]!, '')))
  const limited = answers.filter(({ status }) => status === 429)
  // With a rate for each key it were half of it.
  assert.ok(limited.length > BURST * 1.5, `${limited.length} of ${answers.length} were refused`)
  assert.equal((await service.scan(apiKey, 'text')).status, 200, 'the refused ones do not count toward other keys')
})

test('the samples at /samples/ have the outcomes that their page says, with a test key', async () => {
  const { apiKey } = await createTestKey((await signUp(service.port)).apiKey)
  const page = await request(service.port, 'GET', '/samples/')
  const samples = createSamples()
  assert.deepEqual(
    Array.from(page.body.matchAll(/href="\/samples\/([^"]+)"/g), ([, name]) => name),
    samples.map(({ name }) => name),
  )
  for (const { name, status, outcome, type } of samples) {
    const response = await fetch(`${service.url}/samples/${name}`)
    assert.equal(response.headers.get('content-disposition'), `attachment; filename="${name}"`)
    const answer = await service.scan(apiKey, Buffer.from(await response.arrayBuffer()), { fileName: name, type })
    const { status: verdict, code } = answer.json() as { status: unknown; code?: string }
    assert.deepEqual([name, answer.status, code ?? verdict], [name, status, outcome], answer.body)
  }
  const { items } = (
    await request(service.port, 'GET', '/api/v1/scans?status=infected', { headers: withKey(apiKey) })
  ).json() as {
    items: { findings: { path: string[] }[] }[]
  }
  assert.deepEqual(items[0]?.findings[0]?.path, ['invoice.txt'])
})
