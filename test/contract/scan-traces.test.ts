/** Clients that disconnect during an upload; nothing of a document remains afterwards. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import net from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { rawRequest } from '#test/support/client.ts'
import {
  assertClean,
  FORM_TYPE,
  filePart,
  filesWith,
  form,
  query,
  type ScanService,
  startScanService,
  textOf,
} from '#test/support/scanning.ts'
import { temporaryFolder } from '#test/support/service.ts'

let service: ScanService
let key: string
let temporary: string
before(async () => {
  temporary = temporaryFolder('tmp')
  service = await startScanService({ TMPDIR: temporary })
  key = await service.newKey()
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(temporary, { recursive: true, force: true })
})

function upload(body: Buffer, apiKey: string, length = body.length): Buffer {
  const lines = [`Content-Type: ${FORM_TYPE}`, `X-API-Key: ${apiKey}`, `Content-Length: ${length}`]
  return rawRequest('POST /api/v1/scan', lines, body)
}

/** Log lines of requests with this key, and of requests refused before routing. */
const linesAbout = (keyId: string) =>
  service.stdoutLines().filter((line) => line.includes(keyId) || line.includes('Request rejected before routing'))
    .length

describe('a disconnect', () => {
  const body = form(filePart(textOf(2_000_000)))
  const leave = {
    'by closing': (socket: net.Socket) => socket.destroy(),
    'by a reset': (socket: net.Socket) => socket.resetAndDestroy(),
  }
  const places: [string, number, keyof typeof leave][] = [
    ['before the body', 0, 'by a reset'],
    ['in the part header', 40, 'by a reset'],
    ['in the data', 1_000_000, 'by a reset'],
    ['before the last byte', body.length - 1, 'by a reset'],
    ['in the data', 1_000_000, 'by closing'],
  ]
  for (const [where, at, how] of places) {
    test(`${where}, ${how}: no charge, no row, one log line, and the next scan works`, async () => {
      const payer = await service.newKey()
      const sql = 'select id from api_keys where last_four = ?'
      const [{ id: keyId }] = query<{ id: string }>(service, sql, payer.slice(-4)) as [{ id: string }]
      const before = linesAbout(keyId)
      const bytes = upload(body, payer)
      const socket = net.connect(service.port, '127.0.0.1').on('error', () => {})
      await once(socket, 'connect')
      await new Promise((written) => socket.write(bytes.subarray(0, bytes.length - body.length + at), written))
      await sleep(300)
      leave[how](socket)
      const deadline = Date.now() + 30_000
      while (linesAbout(keyId) === before && Date.now() < deadline) await sleep(20)
      await sleep(200)
      const logged = linesAbout(keyId) - before
      assert.equal(await service.used(payer), 0)
      const { scanId } = assertClean(await service.scan(payer, 'Good morning'))
      assert.equal(await service.used(payer), 1)
      const rows = query<{ id: string }>(service, 'select id from scans where key_id = ?', keyId)
      assert.deepEqual(
        rows.map(({ id }) => id),
        [scanId],
      )
      assert.equal(logged, 1, `${logged} lines in the log`)
    })
  }
})

test('a client that half-closes after its request gets the verdict, and the connection is closed', async () => {
  const payer = await service.newKey()
  const socket = net.connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true })
  const text = socket.setEncoding('utf8').reduce((all, chunk) => all + chunk, '')
  // In one write, and without `Connection: close`.
  socket.end(
    upload(form(filePart('Good morning')), payer)
      .toString('latin1')
      .replace('Connection: close\r\n', ''),
  )
  assert.match(await text, /HTTP\/1\.1 200 OK\r\n[\s\S]*"status":"clean"/)
  assert.equal(await service.used(payer), 1)
})

test('no part of a document is in the data folder, the temporary folder or the log', async () => {
  const marker = 'Marker8472Confidential'
  const locked = { name: 'a.txt', data: marker, method: 'stored', local: { flags: 1 }, central: { flags: 1 } } as const
  const contents: [Buffer | string, number][] = [
    [`Good morning ${marker}`, 200],
    [`${marker} ${EICAR}`, 200],
    [writeZip([locked]), 422],
    [Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(marker)]), 415],
  ]
  for (const [content, status] of contents) {
    const headers = { 'idempotency-key': `marker-${contents.findIndex(([each]) => each === content)}` }
    assert.equal((await service.scan(key, content, { headers })).status, status)
  }
  const socket = net.connect(service.port, '127.0.0.1').on('error', () => {})
  socket.write(upload(form(filePart(marker.repeat(1_000))), key, 50_000))
  await sleep(300)
  assert.deepEqual([...filesWith(service.dataDir, marker), ...filesWith(temporary, marker)], [])
  socket.destroy()
  await sleep(200)
  assert.deepEqual([...filesWith(service.dataDir, marker), ...filesWith(temporary, marker)], [])
  assert.ok(!service.output().includes(marker))
  assert.ok(service.output().includes('/api/v1/scan'))
})
