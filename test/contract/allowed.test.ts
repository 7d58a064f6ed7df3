/** The allow list: /api/v1/allowed, and what it changes in scans. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { asPage, ownPage, type Person, signUpPerson } from '#test/support/auth-client.ts'
import { signUp, TIME, withKey } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import {
  assertClean,
  assertInfected,
  FORM_TYPE,
  filePart,
  form,
  type ScanService,
  scanned,
  startScanService,
} from '#test/support/scanning.ts'

const PATH = '/api/v1/allowed'
const SHORTCUT = Buffer.concat([
  Buffer.from('4c0000000114020000000000c000000000000046', 'hex'),
  Buffer.alloc(60),
  Buffer.from('calc.exe'),
])
const locked = { name: 'locked.txt', data: 'x', method: 'stored', local: { flags: 1 }, central: { flags: 1 } } as const
const lnk = { name: 'a.lnk', data: SHORTCUT }
const note = { name: 'note.txt', data: 'Dear reader' }
const INFECTED = writeZip([lnk, note])
const WITH_EICAR = writeZip([lnk, { name: 'e.txt', data: EICAR }])
const WITH_OBSTACLE = writeZip([lnk, locked])
const OWN_THREAT = /^Docvet\.(?!Test|Bomb)/

const sha256Of = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const HASH = sha256Of('any')

interface Entry {
  sha256: string
  note: string | null
  createdAt: string
}

let service: ScanService
let key: string
before(async () => {
  service = await startScanService()
  key = await service.newKey()
})
after(() => service[Symbol.asyncDispose]())

const call = (method: string, path: string, body?: unknown, as = key): Promise<Answer> =>
  request(service.port, method, path, { headers: withKey(as), body })
const allow = async (content: Buffer, as = key) => {
  const answer = await call('PUT', `${PATH}/${sha256Of(content)}`, {}, as)
  assert.equal(answer.status, 200, answer.body)
}
const findingsOf = async (answer: Answer) => {
  const report = await call('GET', `/api/v1/scans/${scanned(answer).scanId}`)
  return (report.json() as { findings: { id: string; severity: string; detail: string | null }[] }).findings
}

describe('the list', () => {
  test('adds, shows, changes and removes a document', async () => {
    const mine = await service.newKey()
    const path = `${PATH}/${HASH}`
    assertProblem(await call('GET', path, undefined, mine), 404, 'not_found')
    const added = await call('PUT', `${PATH}/${HASH.toUpperCase()}`, { note: 'Mine' }, mine)
    assert.equal(added.status, 200, added.body)
    const entry = added.json() as Entry
    assert.match(entry.createdAt, TIME)
    assert.deepEqual(entry, {
      ...{ sha256: HASH, note: 'Mine', createdAt: entry.createdAt, allowedBy: 'Default' },
      ...{ scanId: null, fileName: null, threat: null },
    })
    assert.deepEqual((await call('GET', path, undefined, mine)).json(), entry)
    const changed = (await call('PUT', path, undefined, mine)).json() as Entry
    assert.deepEqual(changed, { ...entry, note: null })
    assert.deepEqual((await call('GET', PATH, undefined, mine)).json(), { items: [changed], nextCursor: null })
    assert.equal((await call('DELETE', path, undefined, mine)).status, 204)
    assertProblem(await call('DELETE', path, undefined, mine), 404, 'not_found')
  })

  test('names the scan that found the threat, and who allowed it', async () => {
    const person = await signUpPerson(service.port)
    const scan = (fileName: string) =>
      request(service.port, 'POST', '/api/v1/scan', {
        headers: { cookie: person.cookie, ...ownPage(service.port), 'content-type': FORM_TYPE },
        body: form(filePart(INFECTED, { fileName })),
      })
    await scan('old.zip')
    const { scanId, threat } = scanned(await scan('order.zip'))
    const put = await asPage(service.port, person.cookie, 'PUT', `${PATH}/${sha256Of(INFECTED)}`, { note: 'Ours' })
    const { createdAt: _createdAt, ...entry } = put.json() as Entry
    assert.deepEqual(entry, {
      ...{ sha256: sha256Of(INFECTED), note: 'Ours', allowedBy: person.email },
      ...{ scanId, fileName: 'order.zip', threat },
    })
  })

  test('belongs to one account, whose sessions and keys see it', async () => {
    const person: Person = await signUpPerson(service.port)
    const path = `${PATH}/${HASH}`
    assert.equal((await asPage(service.port, person.cookie, 'PUT', path, { note: 'x' })).status, 200)
    assert.equal((await asPage(service.port, person.cookie, 'GET', path)).status, 200)
    for (const method of ['GET', 'DELETE']) assertProblem(await call(method, path), 404, 'not_found')
    const foreign = await request(service.port, 'PUT', path, {
      headers: { cookie: person.cookie, ...ownPage(service.port), 'sec-fetch-site': 'cross-site' },
      body: {},
    })
    assertProblem(foreign, 403, 'cross_site')
  })

  test('newest first, in pages', async () => {
    const mine = await service.newKey()
    const hashes = ['a', 'b', 'c'].map((text) => sha256Of(text))
    for (const hash of hashes) await call('PUT', `${PATH}/${hash}`, {}, mine)
    const page = async (query: string) =>
      (await call('GET', `${PATH}${query}`, undefined, mine)).json() as { items: Entry[]; nextCursor: string | null }
    const first = await page('?limit=2')
    const second = await page(`?limit=2&cursor=${first.nextCursor}`)
    const listed = [...first.items, ...second.items].map(({ sha256 }) => sha256)
    assert.deepEqual(listed.toSorted(), hashes.toSorted())
    assert.deepEqual([first.items.length, second.nextCursor], [2, null])
    const times = [...first.items, ...second.items].map(({ createdAt }) => createdAt)
    assert.deepEqual(times, times.toSorted().toReversed())
  })

  test('400 for an invalid hash, note, limit, cursor and field', async () => {
    for (const wrong of [HASH.slice(1), `${HASH}0`, 'x'.repeat(64), `${HASH.slice(1)}%0a`])
      for (const method of ['GET', 'PUT', 'DELETE'])
        assertProblem(await call(method, `${PATH}/${wrong}`, method === 'PUT' ? {} : undefined), 400, 'invalid_request')
    assert.equal((await call('PUT', `${PATH}/${HASH}`, { note: 'x'.repeat(500) })).status, 200)
    for (const body of [{ note: 'x'.repeat(501) }, { note: 1 }, { note: null }, { sha256: HASH }, []])
      assertProblem(await call('PUT', `${PATH}/${HASH}`, body), 400, 'invalid_request')
    assert.equal((await call('GET', `${PATH}?limit=100`)).status, 200)
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'x=1'])
      assertProblem(await call('GET', `${PATH}?${query}`), 400, 'invalid_request')
  })
})

describe('a scan', () => {
  test('of an allowed document is clean; its threats stay as notices, and the log has them', async () => {
    const before = assertInfected(await service.scan(key, INFECTED), OWN_THREAT)
    await allow(INFECTED)
    const answer = await service.scan(key, INFECTED)
    assertClean(answer)
    const findings = await findingsOf(answer)
    const found = findings.find(({ id }) => id === before.threat)
    assert.equal(found?.severity, 'notice')
    assert.match(found.detail ?? '', /^On the allow list of the account/)
    assert.ok(findings.every(({ severity }) => severity === 'notice'))
    const line = JSON.parse(await service.logged(/Threat overridden by the allow list/)) as Record<string, unknown>
    assert.deepEqual([line.threat, line.sha256], [before.threat, sha256Of(INFECTED)])
    await call('DELETE', `${PATH}/${sha256Of(INFECTED)}`)
    assertInfected(await service.scan(key, INFECTED), OWN_THREAT)
  })

  test('of another account, and of another document with the same threat, is infected', async () => {
    await allow(INFECTED)
    const { apiKey } = await signUp(service.port)
    assertInfected(await service.scan(apiKey, INFECTED), OWN_THREAT)
    assertInfected(await service.scan(key, writeZip([lnk, { ...note, data: 'Dear reader!' }])), OWN_THREAT)
  })

  test('EICAR is never overridden, alone or beside others', async () => {
    for (const content of [Buffer.from(EICAR), WITH_EICAR]) {
      await allow(content)
      assertInfected(await service.scan(key, content), /^Docvet\./)
    }
  })

  test('an obstacle beside an allowed threat is 422, and nothing is charged', async () => {
    assertInfected(await service.scan(key, WITH_OBSTACLE), OWN_THREAT)
    await allow(WITH_OBSTACLE)
    const used = await service.used(key)
    assertProblem(await service.scan(key, WITH_OBSTACLE), 422, 'encrypted_document')
    assert.equal(await service.used(key), used)
  })

  test('a repeated request gets a new verdict after the list has changed', async () => {
    const mine = await service.newKey()
    const repeat = () =>
      request(service.port, 'POST', '/api/v1/scan', {
        headers: { ...withKey(mine), 'content-type': FORM_TYPE, 'idempotency-key': 'one' },
        body: form(filePart(INFECTED, { fileName: 'a.zip', type: 'application/zip' })),
      })
    assertInfected(await repeat(), OWN_THREAT)
    await allow(INFECTED, mine)
    const { scanId } = assertClean(await repeat())
    assert.equal(assertClean(await repeat()).scanId, scanId)
    await call('DELETE', `${PATH}/${sha256Of(INFECTED)}`, undefined, mine)
    assertInfected(await repeat(), OWN_THREAT)
  })
})
