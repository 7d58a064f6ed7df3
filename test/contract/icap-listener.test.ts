/** The ICAP listener of a running service: verdicts, charges, reports, limits and the byte sequences of products. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import { EICAR, nested } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { exchange, type Target } from '#test/support/clamd-wire.ts'
import { withKey } from '#test/support/client.ts'
import { chunked, type IcapResponse, options, readResponses, reqmod, respmod } from '#test/support/icap-wire.ts'
import { type ListenerService, startListenerService } from '#test/support/listener-service.ts'
import { request } from '#test/support/raw-http.ts'
import { FILE_BYTES_MAX, query } from '#test/support/scanning.ts'
import { temporaryFolder } from '#test/support/service.ts'

let service: ListenerService
let plain: Target
let error: Target
let pass: Target
const rulesDir = temporaryFolder('rules')
before(async () => {
  const listeners = ['', 'unscannable=error', 'other=pass:image']
  service = await startListenerService(
    { icap: listeners },
    {
      DOCVET_RULES_DIR: rulesDir,
      DOCVET_CONNECTIONS_PER_ADDRESS: '300',
    },
  )
  ;[plain, error, pass] = service.targets as [Target, Target, Target]
})
after(() => service[Symbol.asyncDispose]())

const TEXT = { name: 'a.txt', data: 'Good morning' }
const ENCRYPTED = writeZip([{ ...TEXT, local: { flags: 1 }, central: { flags: 1 } }])
const DAMAGED = writeZip([TEXT], { withoutEnd: true })
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
const ALLOW = { fields: ['Allow: 204'] }
const INFECTED = 'Type=0; Resolution=2; Threat=Docvet.Test.Eicar;'

async function ask(target: Target, sent: string): Promise<IcapResponse> {
  const [only, ...others] = readResponses(await exchange(target, Buffer.from(sent, 'latin1'), { end: true }))
  assert.ok(only)
  assert.deepEqual(others, [])
  return only
}

const scan = (target: Target, bytes: Buffer | string): Promise<IcapResponse> =>
  ask(target, respmod({ ...ALLOW, response: ['HTTP/1.1 200 OK'] }) + chunked(bytes, 65_536))

describe('a document over ICAP', () => {
  test('gets its verdict, is charged to the key of the listener, and has a report', async () => {
    const used = await service.used(service.secret)
    assert.equal((await scan(plain, 'Good morning')).status, 204)
    const blocked = await scan(plain, EICAR)
    assert.deepEqual([blocked.status, blocked.field('X-Infection-Found')], [200, INFECTED])
    assert.match(blocked.http, /^HTTP\/1\.1 403 Forbidden\r\n/)
    assert.equal(await service.used(service.secret), used + 2)
    const answer = await request(service.port, 'GET', '/api/v1/scans', { headers: withKey(service.secret) })
    const { items } = answer.json() as { items: { fileName: string; status: string }[] }
    const listed = items.slice(0, 2).map(({ fileName, status }) => `${fileName} ${status}`)
    assert.deepEqual(listed, ['a.txt infected', 'a.txt clean'])
  })

  for (const [what, bytes, threat, code] of [
    ['encrypted', ENCRYPTED, 'Encrypted container violation', 'password_protected'],
    ['too complex', nested('Good morning', 17), 'Container size violation', 'max_archive_layers_exceeded'],
    ['damaged', DAMAGED, 'Malformed container violation', 'decode_error'],
    ['no document', PNG, 'Unsupported content', 'decode_error'],
  ] as const) {
    test(`that is ${what} is answered by the option of the listener, and not charged`, async () => {
      const used = await service.used(service.secret)
      const blocked = await scan(plain, bytes)
      assert.equal(blocked.field('X-Infection-Found'), `Type=2; Resolution=2; Threat=${threat};`)
      const failed = await scan(error, bytes)
      assert.deepEqual([failed.status, failed.field('X-Error-Code')], [500, code])
      assert.equal(await service.used(service.secret), used)
    })
  }

  test('of the largest size is scanned and comes back, and of one byte more is blocked', async () => {
    const large = Buffer.alloc(FILE_BYTES_MAX + 1, 'Good morning. ')
    const sent = respmod() + chunked(large.subarray(1), 1_048_576)
    const answer = await ask(plain, sent)
    assert.equal(answer.status, 200)
    assert.ok(answer.body === large.toString('latin1', 1), 'the body is the same')
    assert.match((await scan(plain, large)).field('X-Infection-Found') ?? '', /Container size violation/)
  })

  test('is decoded, and blocked for what is in it', async () => {
    const message = { ...ALLOW, response: ['HTTP/1.1 200 OK', 'Content-Encoding: gzip'] }
    assert.equal((await ask(plain, respmod(message) + chunked(zlib.gzipSync('Good morning')))).status, 204)
    const answer = await ask(plain, respmod(message) + chunked(zlib.gzipSync(EICAR)))
    assert.equal(answer.field('X-Infection-Found'), INFECTED)
    const bomb = await ask(plain, respmod(message) + chunked(zlib.gzipSync(Buffer.alloc(100_000_000))))
    assert.match(bomb.field('X-Infection-Found') ?? '', /Container size violation/)
  })

  test('in a form of a browser is one of several, each charged', async () => {
    const file = (value: string) =>
      `--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n${value}\r\n`
    const message = { ...ALLOW, request: ['POST /a HTTP/1.1', 'Content-Type: multipart/form-data; boundary=b'] }
    const used = await service.used(service.secret)
    const bad = await ask(plain, reqmod(message) + chunked(`${file('Good')}${file(EICAR)}--b--\r\n`))
    assert.equal(bad.field('X-Infection-Found'), INFECTED)
    const good = await ask(plain, reqmod(message) + chunked(`${file('Good')}${file('morning')}--b--\r\n`))
    assert.equal(good.status, 204)
    assert.equal(await service.used(service.secret), used + 4)
  })

  test('passes by its detected content, without a charge or a report', async () => {
    const used = await service.used(service.secret)
    const reports = query(service, 'SELECT id FROM scans').length
    assert.equal((await scan(pass, PNG)).status, 204)
    assert.equal(await service.used(service.secret), used)
    assert.equal(query(service, 'SELECT id FROM scans').length, reports)
    assert.equal((await scan(pass, EICAR)).field('X-Infection-Found'), INFECTED)
  })

  test('passes in the preview, unless another reader could take it for a document', async () => {
    const used = await service.used(service.secret)
    const preview = { fields: ['Preview: 4096'], response: ['HTTP/1.1 200 OK', 'Content-Length: 100000000'] }
    const picture = Buffer.concat([PNG, Buffer.alloc(4_096)]).subarray(0, 4_096)
    assert.equal((await ask(pass, respmod(preview) + chunked(picture))).status, 204)
    assert.equal(await service.used(service.secret), used)
    // PDF readers find a header that begins in the first 1,024 bytes.
    const both = Buffer.from(picture)
    both.write('%PDF-1.7', 1_022)
    const blocked = await ask(pass, respmod(preview) + chunked(both))
    assert.match(blocked.field('X-Infection-Found') ?? '', /Container size violation/)
    const small = { fields: ['Preview: 4096'], response: ['HTTP/1.1 200 OK', 'Content-Length: 5000'] }
    const socket = net.connect(pass as net.TcpNetConnectOpts).setEncoding('latin1')
    socket.write(respmod(small) + chunked(both), 'latin1')
    assert.equal((await once(socket, 'data'))[0], 'ICAP/1.0 100 Continue\r\n\r\n')
    socket.destroy()
  })
})

/** As their sources write them, sent before anything is read. */
describe('the bytes of', () => {
  const nextcloud = (method: string, section: string, body: string, document: Buffer | string) =>
    [
      `${method} icap://127.0.0.1/avscan ICAP/1.0`,
      'Host: 127.0.0.1',
      'User-Agent: NC-ICAP-CLIENT/0.5.0',
      'Allow: 204',
      'X-Client-IP: ',
      'Transfer-Encoding: chunked',
      'Connection: close',
      `Encapsulated: ${body.slice(0, 3)}-hdr=0, ${body}=${section.length}`,
      '',
      `${section}${chunked(document, 1_048_576)}`,
    ].join('\r\n')
  const put = 'PUT /a.txt HTTP/1.0\r\nHost: nextcloud\r\n\r\n'
  const ok = 'HTTP/1.0 200 OK\r\nContent-Length: 1; dummy\r\n\r\n'
  for (const [method, section, body] of [
    ['REQMOD', put, 'req-body'],
    ['RESPMOD', ok, 'res-body'],
  ] as const) {
    test(`Nextcloud in the mode ${method}`, async () => {
      const read = async (target: Target, document: Buffer | string) =>
        readResponses(await exchange(target, Buffer.from(nextcloud(method, section, body, document), 'latin1')))[0]
      assert.equal((await read(error, 'Good morning'))?.status, 204)
      const infected = await read(error, `${EICAR}occ`)
      assert.match(infected?.head ?? '', /\r\nX-Infection-Found: .*\r\n/)
      assert.match(infected?.http ?? '', /^HTTP\/1\.1 403 Forbidden\r\n/)
      const unscannable = await read(error, ENCRYPTED)
      assert.deepEqual([unscannable?.status, unscannable?.field('X-Error-Code')], [500, 'password_protected'])
      assert.match((await read(plain, ENCRYPTED))?.http ?? '', /^HTTP\/1\.1 403 Forbidden\r\n/)
    })
  }

  test('rspamd: OPTIONS and RESPMOD on one connection', async () => {
    const section = 'GET http://127.0.0.1/mail HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n'
    const response = 'HTTP/1.0 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n'
    const head = `RESPMOD icap://127.0.0.1/scan ICAP/1.0\r\nHost: 127.0.0.1\r\nEncapsulated: req-hdr=0, res-hdr=${section.length}, res-body=${section.length + response.length}\r\n\r\n`
    const sent = `OPTIONS icap://127.0.0.1/scan ICAP/1.0\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\nEncapsulated: null-body=0\r\n\r\n${head}${section}${response}${chunked(EICAR)}`
    const [first, second] = readResponses(await exchange(plain, sent, { end: true }))
    assert.equal(first?.status, 200)
    assert.match(second?.field('X-Infection-Found') ?? '', /Type=(.-?); Resolution=.-?; Threat=(.*);$/)
  })
})

describe('the ISTag', () => {
  const tag = async () => (await ask(plain, options())).field('ISTag')

  test('is quoted and short, in every response, and changes only with the rules', async () => {
    const first = await tag()
    assert.match(first ?? '', /^"[0-9a-f]{1,30}"$/)
    assert.equal((await scan(plain, EICAR)).field('ISTag'), first)
    assert.equal(await tag(), first)
    assert.notEqual((await ask(error, options())).field('ISTag'), first, 'another listener has other replies')
    writeFileSync(path.join(rulesDir, 'a.yar'), 'rule Own { strings: $a = "unusual words" condition: $a }')
    while ((await tag()) === first) await sleep(100)
    const second = await tag()
    await sleep(500)
    assert.equal(await tag(), second)
  })
})

test('clients are told of as many connections as one address may have', async () => {
  assert.equal((await ask(plain, options())).field('Max-Connections'), '300')
})

test('200 connections at once get their verdicts', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => scan(plain, index % 2 === 0 ? 'Good morning' : EICAR)),
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map((_, index) => (index % 2 === 0 ? 204 : 200)),
  )
})

test('the service stays up after what it cannot read', async () => {
  for (const sent of ['\0\xff\r\n\r\n', 'REQMOD / ICAP/1.0\r\nEncapsulated: a\r\n\r\n', 'x'.repeat(100_000)]) {
    const socket = net.connect(plain as net.TcpNetConnectOpts).on('error', () => {})
    socket.write(sent, 'latin1')
    await new Promise((resolve) => socket.resume().once('close', resolve))
  }
  assert.equal((await scan(plain, 'Good morning')).status, 204)
})
