/** The checker of `npm run fault` finds every kind of violation. */
import assert from 'node:assert/strict'
import { once as event } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createBuyers } from '#test/support/fault-buyers.ts'
import { type Operation, violationsOf } from '#test/support/fault-checker.ts'
import { createMembers } from '#test/support/fault-members.ts'
import type { FaultRig } from '#test/support/fault-rig.ts'
import { createDice } from '#test/support/scan-documents.ts'

type Attempt = Operation['attempts'][number]

const verdict = (scanId: string, said = 'clean', infected = false): Attempt => ({
  ...{ kind: 'text', infected, sha256: '', outcome: 'ok', status: 200, ms: 1, said, scanId, retryAfter: null },
})
const refusal = (status: number, said: string, retryAfter: string | null = '1'): Attempt => ({
  ...verdict('', said),
  ...{ outcome: 'refused', status, scanId: null, retryAfter },
})
const unknown: Attempt = { ...refusal(0, 'ECONNRESET'), outcome: 'unknown' }
const once = (...attempts: Attempt[]): Operation => ({ isIdempotent: false, attempts })
const keyed = (...attempts: Attempt[]): Operation => ({ isIdempotent: true, attempts })
const problems = (operations: Operation[], charged: string[], used = charged.length, quota = 10) =>
  violationsOf({ operations, charged: new Set(charged), used, quota }).join()

test('a history without violations', () => {
  const operations = [
    ...[once(verdict('a')), once(verdict('b', 'infected', true)), keyed(unknown, verdict('c'), verdict('c'))],
    ...[once(unknown), once(refusal(503, 'busy')), once(refusal(402, 'quota_exhausted')), keyed(unknown, unknown)],
  ]
  assert.equal(problems(operations, ['a', 'b', 'c']), '')
  // One charge for each scan whose answer is unknown.
  assert.equal(problems(operations, ['a', 'b', 'c', 'd', 'e']), '')
  assert.equal(problems([once(refusal(503, 'storage_unavailable'))], ['a']), '')
})

test('every kind of violation', () => {
  assert.match(problems([once(verdict('a', 'clean', true))], ['a']), /An infected document is clean/)
  assert.match(problems([once(verdict('a', 'infected'))], ['a']), /A harmless document is infected/)
  assert.match(problems([once(verdict('a'))], []), /The verdict of a is not charged/)
  assert.match(problems([once(refusal(503, 'busy'))], ['a']), /1 charges for 0 verdicts and 0 scans/)
  assert.match(problems([keyed(unknown, unknown)], ['a', 'b']), /2 charges for 0 verdicts and 1 scans/)
  assert.match(problems([keyed(verdict('a'), verdict('b'))], ['a', 'b']), /One Idempotency-Key has 2 verdicts/)
  assert.match(problems([once(verdict('a'))], ['a'], 1, 0), /1 scans are charged, the quota is 0/)
  assert.match(problems([once(verdict('a'))], ['a'], 2), /The ledger has 1 rows, the counter 2/)
  assert.match(problems([once(refusal(500, 'internal_error'))], []), /Unexpected response: 500/)
  assert.match(problems([once(refusal(503, 'busy', null))], []), /A 503 has no Retry-After/)
})

test('accounts, keys and mail that are lost', async () => {
  let keyStatus = 200
  const server = createServer((request, response) => {
    const created = { accountId: 'a', apiKey: 'k', id: 'i' }
    response.writeHead(request.method === 'POST' ? 201 : request.method === 'DELETE' ? 204 : keyStatus)
    response.end(request.method === 'DELETE' ? undefined : JSON.stringify(created))
  })
  server.listen(0, '127.0.0.1')
  await event(server, 'listening')
  let mails = 1
  const rig = {
    ports: [(server.address() as AddressInfo).port],
    mailTo: () => mails,
    query: async () => [],
  } as unknown as FaultRig
  const members = createMembers(rig, 1)
  const never = { ...createDice(1), next: () => 0, whole: () => 0 }
  await members.run(never, () => members.count() === 1)
  assert.deepEqual(await members.violations(), [])
  keyStatus = 401
  mails = 0
  assert.match((await members.violations()).join(), /has lost a key.*is lost.*has lost its mail/)
  const revoking = createMembers(rig, 2)
  await revoking.run({ ...never, next: () => 1 }, () => revoking.count() === 1)
  keyStatus = 200
  assert.match((await revoking.violations()).join(), /has a revoked key that works/)
  server.close()
  server.closeAllConnections()
})

test('purchases that are lost or differ from the marketplace', async () => {
  const server = createServer((request, response) => {
    const cookie = `docvet_session=${'a'.repeat(43)}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`
    response.writeHead(request.url === '/api/v1/auth/signup' ? 201 : 200, { 'set-cookie': cookie }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await event(server, 'listening')
  const port = (server.address() as AddressInfo).port
  const row = { email: '', status: 'Subscribed', plan: 'starter' }
  let rows: object[] = [row]
  const marketplace = {
    sell: async () => ({ id: 'i', token: 't' }),
    purchase: async () => ({ saasSubscriptionStatus: 'Subscribed', planId: 'silver' }),
  }
  const buyers = createBuyers({ ports: [port], marketplace, query: async () => rows } as unknown as FaultRig, 1)
  await buyers.run({ ...createDice(1), next: () => 0, whole: () => 0 }, () => buyers.count() === 1)
  const problem = async () => (await buyers.violations(false)).join()
  row.email = /purchase of (\S+) belongs/.exec(await problem())?.[1] ?? ''
  assert.deepEqual(await buyers.violations(true), [])
  row.status = 'Suspended'
  assert.match(await problem(), /was activated and is Suspended/)
  rows = []
  assert.match(await problem(), /is lost/)
  server.close()
  server.closeAllConnections()
})
