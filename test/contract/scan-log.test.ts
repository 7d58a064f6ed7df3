/** Request log lines of POST /api/v1/scan carry the outcome of the scan, and nothing of the document. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { rawRequest } from '#test/support/client.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { FORM_TYPE, filePart, form, type ScanService, startScanService, textOf } from '#test/support/scanning.ts'

let service: ScanService
let key: string
before(async () => {
  service = await startScanService()
  key = await service.newKey()
})
after(() => service[Symbol.asyncDispose]())

/** The log line that `find` accepts. Lines are written after the response, so it may have to wait. */
async function logged(find: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const found = service
      .stdoutLines()
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find(find)
    if (found) return found
    await sleep(20)
  }
  assert.fail('The line was not logged')
}

const lineOf = (answer: Answer) =>
  logged(({ requestId, msg }) => requestId === answer.headers['x-request-id'] && msg === 'Request completed')

const outcomeOf = ({ verdict, threat, sizeBytes, code }: Record<string, unknown>) => ({
  verdict,
  threat,
  sizeBytes,
  code,
})

describe('a delivered verdict', () => {
  const sizeBytes = EICAR.length
  for (const [content, outcome] of [
    ['Good morning', { verdict: 'clean', threat: null, sizeBytes: 12, code: undefined }],
    [EICAR, { verdict: 'infected', threat: 'Docvet.Test.Eicar', sizeBytes, code: undefined }],
  ] as const) {
    test(`is logged with its threat, size and engine time: ${outcome.verdict}`, async () => {
      const line = await lineOf(await service.scan(key, content))
      assert.deepEqual(outcomeOf(line), outcome)
      assert.ok(typeof line.engineMs === 'number' && line.engineMs >= 0, `engineMs is ${line.engineMs}`)
    })
  }

  test('is logged when a request is repeated; no engine was asked', async () => {
    const headers = { 'idempotency-key': 'log-1' }
    await service.scan(key, 'Good morning', { headers })
    const line = await lineOf(await service.scan(key, 'Good morning', { headers }))
    assert.deepEqual(outcomeOf(line), { verdict: 'clean', threat: null, sizeBytes: 12, code: undefined })
    assert.equal(line.engineMs, null)
  })
})

describe('a refusal is logged with verdict null and its code', () => {
  const locked = writeZip([{ name: 'a.txt', data: 'x', local: { flags: 1 }, central: { flags: 1 } }])
  const cases: [what: string, ask: () => Promise<Answer>, code: string, sizeBytes: number | null, engines: boolean][] =
    [
      ['an encrypted document', () => service.scan(key, locked), 'encrypted_document', locked.length, true],
      ['an image', () => service.scan(key, 'GIF89a', { type: 'image/gif' }), 'unsupported_content_type', null, false],
      ['an image by content', () => service.scan(key, 'GIF89a\0\0'), 'unsupported_content_type', 8, false],
      ['an empty document', () => service.scan(key, ''), 'empty_file', null, false],
      ['a wrong key', () => service.scan('dv_live_x', 'x'), 'unauthenticated', null, false],
      [
        'no form',
        () => request(service.port, 'POST', '/api/v1/scan', { headers: { 'x-api-key': key } }),
        'unsupported_content_type',
        null,
        false,
      ],
    ]
  for (const [what, ask, code, sizeBytes, engines] of cases) {
    test(what, async () => {
      const line = await lineOf(await ask())
      assert.deepEqual(outcomeOf(line), { verdict: null, threat: null, sizeBytes, code })
      assert.equal(typeof line.engineMs, engines ? 'number' : 'object')
    })
  }
})

test('a disconnect during the upload is logged with verdict null', async () => {
  const body = form(filePart(textOf(2_000_000)))
  const lines = [`Content-Type: ${FORM_TYPE}`, `X-API-Key: ${key}`, `Content-Length: ${body.length}`]
  const socket = net.connect(service.port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  await new Promise((written) =>
    socket.write(rawRequest('POST /api/v1/scan', lines, body.subarray(0, 1_000_000)), written),
  )
  await sleep(300)
  socket.destroy()
  const line = await logged(({ msg }) => msg === 'Client disconnected during scan')
  assert.deepEqual([line.verdict, line.threat, line.engineMs, line.sizeBytes], [null, null, null, null])
})

test('lines of other endpoints carry the code of a refusal, and no verdict', async () => {
  const line = await lineOf(await request(service.port, 'GET', '/api/v1/keys'))
  assert.equal(line.code, 'unauthenticated')
  assert.ok(!('verdict' in line))
})

test('no line carries the name, the content or the hash of a document', async () => {
  const fileName = 'SecretName8472.txt'
  await lineOf(await service.scan(key, 'SecretContent8472', { fileName }))
  await lineOf(await service.scan(key, `SecretContent8472\0\0`, { fileName, type: 'text/x-secret8472' }))
  assert.doesNotMatch(service.output(), /Secret.{0,8}8472/i)
})
