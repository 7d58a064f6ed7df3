/** Neither one account nor many accounts of one client can exhaust the in-flight budget: scans and bytes are shared. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rawRequest } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { assertClean, FORM_TYPE, type ScanService, startScanService, textOf } from '#test/support/scanning.ts'

/** Three quarters of 64 scans. */
const PLACES_OF_ONE = 48
/** Nine tenths of 64 scans. */
const PLACES_OF_ONE_ADDRESS = 57
const MEBIBYTE = 1_048_576

let service: ScanService
let greedy: string
let other: string
before(async () => {
  // Enough for four of the largest documents.
  service = await startScanService({
    DOCVET_EMBEDDED_CHILDREN: '1',
    DOCVET_SCAN_BYTES_IN_FLIGHT: String(100 * MEBIBYTE),
  })
})
after(() => service[Symbol.asyncDispose]())
beforeEach(async () => {
  greedy = await service.newKey()
  other = await service.newKey()
})

/** Sends only the headers of an upload; returns whether the body is requested. */
async function begin(
  key: string,
  length: string,
  localAddress = '127.0.0.1',
): Promise<{ socket: net.Socket; status: string }> {
  const socket = net.connect({ port: service.port, host: '127.0.0.1', localAddress }).on('error', () => {})
  const lines = [`X-API-Key: ${key}`, `Content-Type: ${FORM_TYPE}`, length, 'Expect: 100-continue']
  socket.write(rawRequest('POST /api/v1/scan', lines))
  return { socket, status: String((await once(socket, 'data'))[0]).slice(9, 12) }
}

async function leaveAll(sockets: net.Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy()
  await sleep(200)
  assertClean(await service.scan(greedy, 'Good morning'))
}

describe('stalled uploads of one account', () => {
  test('hold three quarters of the scans and few bytes without a declared length', async () => {
    const begun = await Promise.all(Array.from({ length: 70 }, () => begin(greedy, 'Transfer-Encoding: chunked')))
    assert.deepEqual(new Set(begun.map(({ status }) => status)), new Set(['100', '503']))
    assert.equal(begun.filter(({ status }) => status === '100').length, PLACES_OF_ONE)
    const refused = await service.scan(greedy, 'One more')
    assert.match(assertProblem(refused, 503, 'busy').detail, /^This account/)
    assert.equal(refused.headers['retry-after'], '1')
    const { level, code, err } = JSON.parse(await service.logged(/This account/))
    assert.deepEqual([level, code, err], ['warn', 'busy', undefined])
    // One of the many refusals in a row, which have no lines of their own.
    await service.logged(/"count":[1-9]\d*,"msg":"Scans refused at capacity"/)
    assert.doesNotMatch(service.output(), new RegExp(refused.headers['x-request-id'] ?? ''))
    assertClean(await service.scan(other, textOf(25 * MEBIBYTE)))
    await leaveAll(begun.map(({ socket }) => socket))
  })

  test('hold three quarters of the bytes with a large declared length', async () => {
    const length = `Content-Length: ${25 * MEBIBYTE}`
    const begun = [await begin(greedy, length), await begin(greedy, length), await begin(greedy, length)]
    assert.deepEqual(
      begun.map(({ status }) => status),
      ['100', '100', '100'],
    )
    assertProblem(await service.scan(greedy, 'One more'), 503, 'busy')
    // From the same address, whose share is nine tenths.
    assertClean(await service.scan(other, textOf(15 * MEBIBYTE - 1_000)))
    await leaveAll(begun.map(({ socket }) => socket))
    assert.equal(await service.used(greedy), 1)
  })
})

test('stalled uploads of many accounts from one address leave room for another address', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => service.newKey()))
  const length = 'Transfer-Encoding: chunked'
  const begun = await Promise.all(Array.from({ length: 70 }, (_, i) => begin(keys[i % 8] as string, length)))
  assert.equal(begun.filter(({ status }) => status === '100').length, PLACES_OF_ONE_ADDRESS)
  assert.match(assertProblem(await service.scan(other, 'One more'), 503, 'busy').detail, /^Your address/)
  const elsewhere = await begin(other, length, '127.0.0.2')
  assert.equal(elsewhere.status, '100')
  await leaveAll([...begun, elsewhere].map(({ socket }) => socket))
})
