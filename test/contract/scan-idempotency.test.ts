/** Idempotency-Key: a repeated request is one scan, on one process and on two. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { createKey, rawRequest, sendOne } from '#test/support/client.ts'
import { assertProblem, fieldsOf } from '#test/support/problem.ts'
import type { Answer } from '#test/support/raw-http.ts'
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
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const QUOTA = 3
const TEXT = { name: 'a.txt', data: 'Good morning' }
const ENCRYPTED = writeZip([{ ...TEXT, local: { flags: 1 }, central: { flags: 1 } }])
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')

const named = (name: string) => ({ headers: { 'idempotency-key': name } })

/** An upload that pauses in the middle of its body until it is finished or aborted. */
async function startSlowly(port: number, apiKey: string, name: string, content: string) {
  const body = form(filePart(content))
  const lines = [`X-API-Key: ${apiKey}`, `Idempotency-Key: ${name}`, `Content-Type: ${FORM_TYPE}`]
  const bytes = rawRequest('POST /api/v1/scan', [...lines, `Content-Length: ${body.length}`], body)
  const socket = net.connect(port, '127.0.0.1').on('error', () => {})
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  await once(socket, 'connect')
  socket.write(bytes.subarray(0, -10))
  await sleep(300)
  return {
    leave: () => socket.destroy(),
    async finish(): Promise<string> {
      socket.write(bytes.subarray(-10))
      await once(socket, 'close')
      return text
    },
  }
}

/** Waits until the claim of a finished request is released. */
async function eventually(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const answer = await ask()
    if (answer.status !== 409 || Date.now() > deadline) return answer
    await sleep(50)
  }
}

forEachDatabase('Idempotency-Key', (openPlace) => {
  let place: DatabasePlace
  let one: ScanService
  /** On PostgreSQL, another process. */
  let other: ScanService
  before(async () => {
    place = await openPlace()
    const env = { DOCVET_DATABASE_URL: place.url ?? undefined, plan: { scansPerMonth: QUOTA } }
    one = await startScanService(env, { dataDir: place.dataDir })
    other = place.url === null ? one : await startScanService(env, { dataDir: place.dataDir })
  })
  after(async () => {
    await one[Symbol.asyncDispose]()
    await other[Symbol.asyncDispose]()
    await place.release()
  })

  test('the same document again gets the same response and is charged once', async () => {
    const key = await one.newKey()
    const first = await one.scan(key, 'Good morning', named('a'))
    assertClean(first)
    for (const service of [one, other, one]) {
      const again = await service.scan(key, 'Good morning', named('a'))
      assert.deepEqual([again.status, again.body], [200, first.body])
      assert.equal(again.headers['content-type'], first.headers['content-type'])
    }
    assert.equal(await other.used(key), 1)
  })

  test('a repeated infected document gets its response even after the quota is exhausted', async () => {
    const key = await one.newKey()
    const first = assertInfected(await one.scan(key, EICAR, named('b')), 'Docvet.Test.Eicar')
    for (let i = 1; i < QUOTA; i++) assertClean(await one.scan(key, 'Good morning'))
    assertProblem(await other.scan(key, 'Good morning', named('c')), 402, 'quota_exhausted')
    assert.deepEqual(scanned(await other.scan(key, EICAR, named('b'))), first)
    assert.equal(await one.used(key), QUOTA)
  })

  test('422 idempotency_key_reused for another document; the first response is kept', async () => {
    const key = await one.newKey()
    const first = scanned(await one.scan(key, 'Good morning', named('d')))
    for (const content of ['Good evening', EICAR, 'Good morning ']) {
      assertProblem(await other.scan(key, content, named('d')), 422, 'idempotency_key_reused')
    }
    assert.deepEqual(scanned(await other.scan(key, 'Good morning', named('d'))), first)
    assert.equal(await one.used(key), 1)
  })

  test('other API keys can use the same Idempotency-Key', async () => {
    const key = await one.newKey()
    const { apiKey } = await createKey(one.port, key)
    const ids = []
    for (const each of [key, apiKey, await one.newKey()]) {
      ids.push(scanned(await one.scan(each, `for ${each.slice(-4)}`, named('e'))).scanId)
    }
    assert.equal(new Set(ids).size, 3)
  })

  test('400 for a malformed Idempotency-Key, without a charge', async () => {
    const key = await one.newKey()
    for (const name of ['', 'two words', 'x'.repeat(256), 'caf\xe9', 'a\tb']) {
      const problem = assertProblem(await one.scan(key, 'x', named(name)), 400, 'invalid_request')
      assert.deepEqual(fieldsOf(problem), ['Idempotency-Key'])
    }
    const body = form(filePart('x'))
    const lines = [`X-API-Key: ${key}`, `Content-Type: ${FORM_TYPE}`, `Content-Length: ${body.length}`]
    const twice = rawRequest('POST /api/v1/scan', [...lines, 'Idempotency-Key: a', 'Idempotency-Key: b'], body)
    assertProblem(await sendOne(one.port, twice), 400, 'invalid_request')
    assert.equal(await one.used(key), 0)
    assertClean(await one.scan(key, 'x', named('x'.repeat(255))))
  })

  test('409 request_in_progress during the first request, then its response', async () => {
    const key = await one.newKey()
    const slow = await startSlowly(one.port, key, 'f', 'Good morning')
    const busy = await other.scan(key, 'Good morning', named('f'))
    assertProblem(busy, 409, 'request_in_progress')
    assert.match(busy.headers['retry-after'] ?? '', /^[1-9]\d*$/)
    assertClean(await other.scan(key, 'Good morning', named('another')))
    const text = await slow.finish()
    const again = await other.scan(key, 'Good morning', named('f'))
    assertClean(again)
    assert.ok(text.endsWith(again.body), text)
    assert.equal(await other.used(key), 2)
  })

  test('concurrent requests are charged once; others get 409', async () => {
    const key = await one.newKey()
    const services = Array.from({ length: 10 }, (_, i) => (i % 2 ? one : other))
    const answers = await Promise.all(services.map((service) => service.scan(key, 'Good morning', named('g'))))
    const early = answers.filter(({ status }) => status === 409)
    for (const answer of early) assertProblem(answer, 409, 'request_in_progress')
    const bodies = answers.filter((answer) => !early.includes(answer)).map((answer) => scanned(answer).scanId)
    assert.equal(new Set(bodies).size, 1)
    assert.equal(await one.used(key), 1)
  })

  test('a failed request can be retried, also with another document', async () => {
    const key = await one.newKey()
    assertProblem(await one.scan(key, ENCRYPTED, named('h')), 422, 'encrypted_document')
    assertProblem(await other.scan(key, PNG, named('h')), 415, 'unsupported_content_type')
    assertProblem(await one.scan(key, '', named('h')), 400, 'empty_file')
    const last = assertClean(await other.scan(key, 'Good morning', named('h')))
    assert.deepEqual(scanned(await one.scan(key, 'Good morning', named('h'))), last)
    assert.equal(await one.used(key), 1)
  })

  test('an aborted upload can be retried', async () => {
    const key = await one.newKey()
    const slow = await startSlowly(one.port, key, 'i', 'Good morning')
    slow.leave()
    assertClean(await eventually(() => other.scan(key, 'Good evening', named('i'))))
    assert.equal(await one.used(key), 1)
  })
})
