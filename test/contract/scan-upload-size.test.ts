/** Size and rate limits of uploads, and early refusals that the client can read. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { EICAR } from '#inspect/testing/samples.ts'
import { startApp } from '#test/support/app.ts'
import { signUp } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Exchange, request, send } from '#test/support/raw-http.ts'
import {
  assertClean,
  FILE_BYTES_MAX,
  FORM_TYPE,
  filePart,
  form,
  type ScanService,
  scanned,
  startScanService,
  textOf,
} from '#test/support/scanning.ts'

const LONG_MS = 60_000

let service: ScanService
let key: string
/** Silent from the start of the suite on, so that nobody has to wait for it at its end. */
let silent: Promise<Exchange>
before(async () => {
  service = await startScanService()
  key = await service.newKey()
  silent = send(service.port, upload(form(filePart('x')), [`Content-Length: 5000`]), { timeoutMs: LONG_MS })
})
after(() => service[Symbol.asyncDispose]())

/** Two ways to say how long it is, or a third that is not the truth. Whether to close is left to the server. */
function upload(body: Buffer, lines = [`Content-Length: ${body.length}`], apiKey: string | null = key): Buffer {
  const credential = apiKey === null ? [] : [`X-API-Key: ${apiKey}`]
  const head = [
    'POST /api/v1/scan HTTP/1.1',
    'Host: docvet.test',
    `Content-Type: ${FORM_TYPE}`,
    ...credential,
    ...lines,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
}

function chunked(body: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += 65_536) {
    const chunk = body.subarray(at, at + 65_536)
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')])
}

const CHUNKED = ['Transfer-Encoding: chunked']

/** All of it is written whatever comes back, and what came back can still be read. */
async function only(bytes: Buffer) {
  const { responses, closed } = await send(service.port, bytes, { timeoutMs: LONG_MS })
  assert.equal(responses.length, 1, `${responses.length} answers; closed: ${closed}`)
  assert.equal(responses[0]!.complete, true)
  return { answer: responses[0]!, closed }
}

describe('25 MB', () => {
  const largest = form(filePart(textOf(FILE_BYTES_MAX)))
  const larger = form(filePart(textOf(FILE_BYTES_MAX + 1)))

  test('200 for exactly 26,214,400 bytes, with and without Content-Length', async () => {
    for (const bytes of [upload(largest), upload(chunked(largest), CHUNKED)]) {
      assert.equal(assertClean((await only(bytes)).answer).fileSize, FILE_BYTES_MAX)
    }
  })

  test('413 for one byte more, with and without Content-Length; EICAR at its end or not', async () => {
    const tail = form(filePart(Buffer.concat([textOf(FILE_BYTES_MAX), Buffer.from(EICAR)])))
    for (const bytes of [upload(larger), upload(chunked(larger), CHUNKED), upload(tail)]) {
      // Whether it closes depends on whether the rest has arrived by then; with much of it missing, see below.
      assertProblem((await only(bytes)).answer, 413, 'file_too_large')
    }
  })

  test('413 at once and close for a Content-Length of 30 MB without a body', async () => {
    const { responses, closed } = await send(service.port, upload(Buffer.alloc(0), ['Content-Length: 30000000']))
    assertProblem(responses[0], 413, 'file_too_large')
    assert.equal(responses[0]!.headers.connection, 'close')
    assert.ok(closed)
  })
})

describe('an early refusal can be read by a client that is sending 30 MB, and the connection is closed', () => {
  const large = form(filePart(textOf(30_000_000)))
  const refusals: [number, string, () => Buffer][] = [
    [401, 'unauthenticated', () => upload(large, undefined, null)],
    [401, 'unauthenticated', () => upload(chunked(large), CHUNKED, null)],
    [413, 'file_too_large', () => upload(large)],
    [413, 'file_too_large', () => upload(chunked(large), CHUNKED)],
    [415, 'unsupported_content_type', () => upload(form(filePart(textOf(20_000_000), { type: 'video/mp4' })))],
    [400, 'missing_file', () => upload(form(filePart(textOf(20_000_000), { name: 'other' })))],
    [400, 'malformed_multipart', () => upload(textOf(20_000_000))],
  ]
  for (const [status, code, make] of refusals) {
    test(`${status} ${code}`, async () => {
      const bytes = make()
      for (let i = 0; i < 5; i++) {
        const { answer, closed } = await only(bytes)
        assertProblem(answer, status, code)
        assert.equal(answer.headers.connection, 'close')
        assert.equal(closed, true)
      }
    })
  }
})

describe('Expect: 100-continue', () => {
  const body = form(filePart('Good morning'))
  const EXPECT = 'Expect: 100-continue'
  const head = (lines: string[], apiKey: string | null = key) => upload(Buffer.alloc(0), [EXPECT, ...lines], apiKey)

  test('100 when the body is accepted, then 200', async () => {
    const chunks = [head([`Content-Length: ${body.length}`]), body]
    const { responses } = await send(service.port, chunks, { pauseMsBetweenChunks: 500, timeoutMs: 10_000 })
    assert.deepEqual(
      responses.map(({ status }) => status),
      [100, 200],
    )
    assertClean(responses[1]!)
  })

  test('100 arrives before the body is sent', async () => {
    const bytes = head([`Content-Length: ${body.length}`])
    const { responses } = await send(service.port, bytes, { timeoutMs: 1_500 })
    assert.deepEqual(
      responses.map(({ status }) => status),
      [100],
    )
  })

  const refusals: [number, string, () => Buffer][] = [
    [401, 'unauthenticated', () => head(['Content-Length: 500'], null)],
    [413, 'file_too_large', () => head(['Content-Length: 30000000'])],
    [
      415,
      'unsupported_content_type',
      () => Buffer.from(String(head(['Content-Length: 500'])).replace(FORM_TYPE, 'a/b')),
    ],
    [
      400,
      'malformed_multipart',
      () => Buffer.from(String(head(['Content-Length: 500'])).replace(/; boundary=\S+/, '')),
    ],
  ]
  for (const [status, code, make] of refusals) {
    test(`${status} ${code} instead of 100, and close`, async () => {
      const { responses, closed } = await send(service.port, make(), { timeoutMs: 5_000 })
      assert.deepEqual(
        responses.map((each) => each.status),
        [status],
      )
      assertProblem(responses[0], status, code)
      assert.deepEqual([responses[0]!.headers.connection, closed], ['close', true])
    })
  }

  test('402 quota_exhausted instead of 100, and close', async () => {
    await using poor = await startScanService({ plan: { scansPerMonth: 1 } })
    const apiKey = await poor.newKey()
    assertClean(await poor.scan(apiKey, 'x'))
    const { responses, closed } = await send(poor.port, head(['Content-Length: 500'], apiKey))
    assertProblem(responses[0], 402, 'quota_exhausted')
    assert.deepEqual([responses.length, closed], [1, true])
  })
})

describe('a body that does not arrive', () => {
  test('408 and close past the request timeout', async () => {
    await using app = await startApp({ headersTimeoutMs: 300, requestTimeoutMs: 600, checkTimeoutsEveryMs: 50 })
    const { apiKey } = await signUp(app.port)
    const bytes = upload(form(filePart('x')), ['Content-Length: 5000'], apiKey)
    const { responses, closed } = await send(app.port, bytes, { timeoutMs: 10_000 })
    assertProblem(responses[0], 408, 'request_timeout')
    assert.deepEqual([responses.length, closed], [1, true])
  })

  test('408 and close below the minimum rate, after the grace period', async () => {
    const { responses, closed } = await silent
    assertProblem(responses[0], 408, 'request_timeout')
    assert.deepEqual([responses.length, closed], [1, true])
    assert.equal(scanned(await service.scan(key, 'x')).status, 'clean')
    assert.equal((await request(service.port, 'GET', '/readyz')).status, 200)
  })
})
