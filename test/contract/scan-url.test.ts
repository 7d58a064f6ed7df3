/** `POST /api/v1/scans`: a document that the service fetches, with the verdict, limits and refusals of an upload. */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { createKey, withKey } from '#test/support/client.ts'
import { FORBIDDEN_URLS } from '#test/support/forbidden-urls.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import {
  FILE_BYTES_MAX,
  query,
  type ScanBody,
  type ScanService,
  startScanService,
  storedBytes,
  UUID_V7,
} from '#test/support/scanning.ts'

const LOCKED = writeZip([{ name: 'a.txt', data: 'x', local: { flags: 1 }, central: { flags: 1 } }])
const SIGNATURE = 'X-Amz-Signature=5ecre7s1gnature'

describe('POST /api/v1/scans', () => {
  let service: ScanService
  let files: Server
  let raw: TcpServer
  let key: string
  let base: string
  let rawBase: string
  let seen: IncomingMessage[] = []
  /** Answers of the file server. */
  let respond: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  /** Answers of the other server. */
  let bytes = ''

  before(async () => {
    files = createServer((incoming, response) => {
      seen.push(incoming)
      respond(incoming, response)
    }).listen(0, '127.0.0.1')
    raw = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(bytes))
    }).listen(0, '127.0.0.1')
    await Promise.all([once(files, 'listening'), once(raw, 'listening')])
    const [port, rawPort] = [files, raw].map((each) => (each.address() as AddressInfo).port)
    base = `http://127.0.0.1:${port}`
    rawBase = `http://127.0.0.1:${rawPort}`
    service = await startScanService({ DOCVET_OUTBOUND_ALLOW: `127.0.0.1:${port},127.0.0.1:${rawPort}` })
    key = await service.newKey()
  })
  after(async () => {
    files.closeAllConnections()
    files.close()
    raw.close()
    await service[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    seen = []
  })

  const serve = (content: string | Buffer, headers: Record<string, string> = {}, status = 200) => {
    respond = (_request, response) => response.writeHead(status, headers).end(content)
  }
  const post = (body: object | string, headers: Record<string, string> = {}): Promise<Answer> =>
    request(service.port, 'POST', '/api/v1/scans', {
      headers: { ...withKey(key), 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  test('a clean and an infected document: one GET each, the answer of a scan, and a report', async () => {
    const before = await service.used(key)
    serve('Dear Ada', { 'content-type': 'text/plain; charset=utf-8' })
    const answer = await post({ url: `${base}/files/letter%20%C3%BC.txt?${SIGNATURE}`, reference: 'upload-4711 ü' })
    assert.equal(answer.status, 200, answer.body)
    const { scanId, scannedAt, ...rest } = answer.json() as ScanBody
    assert.match(scanId, UUID_V7)
    assert.ok(Date.parse(scannedAt) > 0)
    assert.deepEqual(rest, {
      ...{ status: 'clean', threat: null, fileName: 'letter ü.txt', fileSize: 8, contentType: 'text/plain' },
      reference: 'upload-4711 ü',
    })
    assert.equal(answer.headers['content-location'], `/api/v1/scans/${scanId}`)
    const [got] = seen
    assert.deepEqual([seen.length, got?.method, got?.url], [1, 'GET', `/files/letter%20%C3%BC.txt?${SIGNATURE}`])
    assert.equal(got?.headers['accept-encoding'], 'identity')
    for (const name of ['x-api-key', 'cookie', 'traceparent', 'authorization'])
      assert.equal(got?.headers[name], undefined)
    const report = await request(service.port, 'GET', `/api/v1/scans/${scanId}`, { headers: withKey(key) })
    assert.deepEqual((report.json() as { state: string; reference: string }).state, 'done')
    assert.doesNotMatch(report.body, /Amz|5ecre7/)

    serve(EICAR)
    const found = (await post({ url: `${base}/a` })).json() as ScanBody
    assert.deepEqual([found.status, found.threat, found.contentType], ['infected', 'Docvet.Test.Eicar', null])
    assert.equal(await service.used(key), before + 2)
  })

  test('the name: given, of the header, of the path', async () => {
    const NAMES: [string, string | undefined, string | undefined, string][] = [
      ['/a/b.txt', 'c.txt', 'attachment; filename="d.txt"', 'c.txt'],
      ['/a/b.txt', undefined, 'attachment; filename="d \\"e\\".txt"', 'd "e".txt'],
      ['/a/b.txt', undefined, "attachment; filename=d.txt; filename*=UTF-8''%C3%BC.txt", 'ü.txt'],
      ['/a/b.txt', undefined, 'attachment; filename="../../etc/passwd"', 'passwd'],
      ['/a/b.txt', undefined, 'inline', 'b.txt'],
      ['/a/%E0%A4%A', undefined, undefined, '%E0%A4%A'],
      ['/a/', undefined, undefined, 'document'],
    ]
    for (const [path, fileName, disposition, expected] of NAMES) {
      serve('text', disposition === undefined ? {} : { 'content-disposition': disposition })
      const answer = await post({ url: base + path, ...(fileName && { fileName }) })
      assert.equal((answer.json() as ScanBody).fileName, expected, answer.body)
    }
  })

  test('redirects are followed three times, without the headers of a credential', async () => {
    respond = ({ url = '' }, response) => {
      const hops = Number(url.slice(1))
      if (hops === 0) response.end('there')
      else response.writeHead(302, { location: `/${hops - 1}`, 'set-cookie': 'a=b' }).end()
    }
    assert.equal((await post({ url: `${base}/3` })).status, 200)
    assertProblem(await post({ url: `${base}/4` }), 403, 'url_not_allowed')
    assert.ok(seen.every(({ headers }) => headers.cookie === undefined && headers.referer === undefined))
  })

  test('forbidden targets are 403, also behind a redirect; nothing is charged', async () => {
    const before = await service.used(key)
    const port = Number(new URL(base).port)
    const FORBIDDEN = [
      ...[...FORBIDDEN_URLS, 'https://169.254.169.254/latest/meta-data', 'https://a.localhost./'],
      ...[`http://127.0.0.2:${port}/`, `http://127.0.0.1:${port === 65_535 ? 1 : port + 1}/`, 'http://1.1.1.1/'],
      ...['https://1.1.1.1:22/', `http://localhost:${port}/`],
    ]
    for (const url of FORBIDDEN) {
      const { detail } = assertProblem(await post({ url }), 403, 'url_not_allowed')
      assert.match(detail, /^The URL (?:leads|does not|has) /)
      // As bytes: a header has no other characters.
      serve('', { location: Buffer.from(url).toString('latin1') }, 307)
      assertProblem(await post({ url: `${base}/redirect` }), 403, 'url_not_allowed')
    }
    assert.equal(await service.used(key), before)
  })

  test('URLs of a wrong form are 400, and name what is wrong', async () => {
    const WRONG: [string, RegExp][] = [
      ['no URL', /white space/],
      ['example.com/a', /not valid/],
      ['ftp://example.com/', /https/],
      ['file:///etc/passwd', /not valid/],
      ['https://user:pass@example.com/', /user name/],
      ['https://example.com/#a', /fragment/],
      ['https://[::1', /not valid/],
    ]
    for (const [url, detail] of WRONG)
      assert.match(assertProblem(await post({ url }), 400, 'invalid_url').detail, detail)
    for (const body of [
      '{}',
      '{"url":1}',
      '{"url":""}',
      '{"url":"https://a/","x":1}',
      `{"url":"${'a'.repeat(4_097)}"}`,
    ])
      assertProblem(await post(body), 400, 'invalid_request')
    assertProblem(await post({ url: `${base}/`, reference: 'a\nb' }), 400, 'invalid_request')
    assertProblem(await post({ url: `${base}/`, reference: 'a'.repeat(257) }), 400, 'invalid_request')
    assertProblem(await post({ url: `${base}/` }, { 'idempotency-key': 'with space' }), 400, 'invalid_request')
    assert.equal(seen.length, 0)
  })

  test('a server that does not deliver is 424, without its words', async () => {
    for (const status of [204, 206, 304, 400, 403, 404, 500, 503]) {
      serve(status === 204 || status === 304 ? '' : 'secret words', {}, status)
      const { detail } = assertProblem(await post({ url: `${base}/` }), 424, 'fetch_failed')
      assert.equal(detail, `The document could not be fetched: status ${Math.floor(status / 100)}xx.`)
    }
    serve('x', { 'content-encoding': 'gzip' })
    assert.match(assertProblem(await post({ url: `${base}/` }), 424, 'fetch_failed').detail, /compressed/)
    const RAW: [string, RegExp][] = [
      ['', /connection closed/],
      ['SSH-2.0-OpenSSH_9.9\r\n', /not HTTP/],
      ['HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nabc', /connection ended/],
      ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab', /connection ended/],
      ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n', /connection ended/],
      ['HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 50\r\n\r\nabc', /compressed/],
      // The end of the connection would be that of the document, which may have been cut.
      ['HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc', /does not say where it ends/],
      ['HTTP/1.0 200 OK\r\n\r\nabc', /does not say where it ends/],
      ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Range: bytes 0-2/50\r\n\r\nabc', /another length/],
    ]
    for (const [text, detail] of RAW) {
      bytes = text
      assert.match(assertProblem(await post({ url: `${rawBase}/` }), 424, 'fetch_failed').detail, detail)
    }
    const WHOLE = [
      'HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc',
      'HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Range: bytes 0-2/3\r\n\r\nabc',
    ]
    for (const text of WHOLE) {
      bytes = text
      assert.equal(((await post({ url: `${rawBase}/` })).json() as ScanBody).fileSize, 3)
    }
  })

  test('documents are refused as uploads are', async () => {
    serve('')
    assertProblem(await post({ url: `${base}/` }), 400, 'empty_file')
    serve('x', { 'content-type': 'image/png' })
    assertProblem(await post({ url: `${base}/` }), 415, 'unsupported_content_type')
    serve(LOCKED)
    assertProblem(await post({ url: `${base}/a.zip` }), 422, 'encrypted_document')
  })

  test('the largest size, and one byte more: declared, and as it arrives', async () => {
    const most = Buffer.alloc(FILE_BYTES_MAX, 'a')
    serve(most)
    const whole = await post({ url: `${base}/a.txt` })
    assert.equal((whole.json() as ScanBody).fileSize, FILE_BYTES_MAX, whole.body)
    let sent = 0
    respond = (_request, response) => {
      response.writeHead(200, { 'content-length': FILE_BYTES_MAX + 1 })
      response.write('a', () => sent++)
    }
    assertProblem(await post({ url: `${base}/a.txt` }), 413, 'file_too_large')
    respond = (_request, response) => {
      response.write(most)
      response.write('b')
      // Never ends by itself.
    }
    assertProblem(await post({ url: `${base}/a.txt` }), 413, 'file_too_large')
  })

  test('a repeated request gets a new verdict after the allow list has changed, also an asynchronous one', async () => {
    const lnk = Buffer.concat([
      ...[Buffer.from('4c0000000114020000000000c000000000000046', 'hex'), Buffer.alloc(60), Buffer.from('calc.exe')],
    ])
    for (const [name, prefer] of [
      ['direct', {}],
      ['queued', { prefer: 'respond-async, wait=20' }],
    ] as const) {
      const document = writeZip([
        { name: 'a.lnk', data: lnk },
        { name: 'note.txt', data: name },
      ])
      serve(document)
      const status = async () => {
        const answer = await post({ url: `${base}/a.zip` }, { 'idempotency-key': `allowed-${name}`, ...prefer })
        assert.equal(answer.status, 200, answer.body)
        return (answer.json() as { status: string }).status
      }
      assert.deepEqual([await status(), await status()], ['infected', 'infected'])
      const allowed = `/api/v1/allowed/${hash('sha256', document, 'hex')}`
      await request(service.port, 'PUT', allowed, { headers: withKey(key), body: {} })
      assert.equal(await status(), 'clean', name)
      await request(service.port, 'DELETE', allowed, { headers: withKey(key) })
      assert.equal(await status(), 'infected', name)
    }
  })

  test('a repeated request is not fetched again and is charged once; another URL is 422', async () => {
    const before = await service.used(key)
    serve('once')
    const name = { 'idempotency-key': 'by-url' }
    const first = await post({ url: `${base}/once` }, name)
    const second = await post({ url: `${base}/once` }, name)
    assert.equal(first.status, 200, first.body)
    assert.equal(second.body, first.body)
    assert.equal(seen.length, 1)
    assertProblem(await post({ url: `${base}/other` }, name), 422, 'idempotency_key_reused')
    assert.equal(await service.used(key), before + 1)
  })

  interface Report {
    state: string
    status: string | null
    fileName: string
    reference: string | null
    problem: { code: string; status: number; detail: string | null } | null
  }
  const report = async (scanId: string): Promise<Report> =>
    (await request(service.port, 'GET', `/api/v1/scans/${scanId}`, { headers: withKey(key) })).json() as Report
  async function ended(scanId: string): Promise<Report> {
    for (;;) {
      const read = await report(scanId)
      if (read.state !== 'queued' && read.state !== 'running') return read
      await sleep(50)
    }
  }
  function accepted(answer: Answer): string {
    assert.equal(answer.status, 202, answer.body)
    assert.equal(answer.headers['preference-applied'], 'respond-async')
    const { scanId, state } = answer.json() as { scanId: string; state: string }
    assert.deepEqual([state, answer.headers.location], ['queued', `/api/v1/scans/${scanId}`])
    return scanId
  }
  const ASYNC = { prefer: 'respond-async' }
  /** Units of scans that wait. */
  const reserved = () =>
    query<{ held: number }>(service, "select held from usage_leases where replica_id = 'queue'")[0]?.held ?? 0

  test('with Prefer: respond-async it is 202 before the fetch, and the report has the verdict', async () => {
    const before = await service.used(key)
    const goOn = Promise.withResolvers<void>()
    respond = (_request, response) => void goOn.promise.then(() => response.end(EICAR))
    const answer = await post({ url: `${base}/a.txt?${SIGNATURE}`, reference: 'r' }, ASYNC)
    const scanId = accepted(answer)
    assert.equal((answer.json() as { reference: string }).reference, 'r')
    const open = await report(scanId)
    assert.ok(open.state === 'queued' || open.state === 'running', open.state)
    assert.deepEqual([open.status, open.fileName, open.reference], [null, 'a.txt', 'r'])
    assert.equal(reserved(), 1)
    assert.doesNotMatch(storedBytes(service), /X-Amz|5ecre7/)
    goOn.resolve()
    const done = await ended(scanId)
    assert.deepEqual([done.state, done.status, done.fileName, done.reference], ['done', 'infected', 'a.txt', 'r'])
    assert.equal(await service.used(key), before + 1)
    assert.deepEqual([reserved(), seen.length], [0, 1])
  })

  test('respond-async: what needs no fetch is refused at once, the rest with the scan, and nothing is charged', async () => {
    const before = await service.used(key)
    assertProblem(await post({ url: 'https://10.0.0.1/' }, ASYNC), 403, 'url_not_allowed')
    assertProblem(await post({ url: 'no URL' }, ASYNC), 400, 'invalid_url')
    assertProblem(
      await post({ url: `${base}/` }, { ...ASYNC, 'idempotency-key': 'with space' }),
      400,
      'invalid_request',
    )
    assert.equal(seen.length, 0)
    type Row = [() => void, string, string, string | null]
    const ROWS: Row[] = [
      [() => serve('x', {}, 404), 'failed', 'fetch_failed', 'The document could not be fetched: status 4xx.'],
      [() => serve('', { location: 'https://127.0.0.1/' }, 302), 'failed', 'url_not_allowed', null],
      [() => serve(LOCKED), 'refused', 'encrypted_document', null],
      [() => serve(''), 'refused', 'empty_file', null],
      [() => serve('x', { 'content-type': 'image/png' }), 'refused', 'unsupported_content_type', null],
      [() => serve('x', { 'content-length': String(FILE_BYTES_MAX + 1) }), 'refused', 'file_too_large', null],
    ]
    for (const [set, state, code, detail] of ROWS) {
      set()
      const done = await ended(accepted(await post({ url: `${base}/a.zip`, reference: 'r' }, ASYNC)))
      assert.deepEqual(
        [done.state, done.status, done.problem?.code, done.reference, done.fileName],
        [state, null, code, 'r', 'a.zip'],
      )
      if (detail !== null) assert.equal(done.problem?.detail, detail)
      assertProblem(
        await post({ url: `${base}/a.zip` }, { prefer: 'respond-async, wait=20' }),
        done.problem!.status,
        code,
      )
    }
    assert.equal(await service.used(key), before)
  })

  test('respond-async: a failure that may pass is tried again', async () => {
    let asked = 0
    respond = (_request, response) => {
      asked++
      if (asked === 1) response.writeHead(503).end('busy')
      else response.end('here')
    }
    const done = await ended(accepted(await post({ url: `${base}/a.txt` }, ASYNC)))
    assert.deepEqual([done.state, done.status, asked], ['done', 'clean', 2])
  })

  test('respond-async with wait= is 200 if the verdict is there by then', async () => {
    serve('quick')
    const answer = await post({ url: `${base}/a.txt`, reference: 'w' }, { prefer: 'respond-async, wait=30' })
    assert.equal(answer.status, 200, answer.body)
    const { scanId, scannedAt, ...rest } = answer.json() as ScanBody
    assert.ok(Date.parse(scannedAt) > 0)
    assert.equal(answer.headers['content-location'], `/api/v1/scans/${scanId}`)
    assert.deepEqual(rest, {
      ...{ status: 'clean', threat: null, fileName: 'a.txt', fileSize: 5, contentType: null, reference: 'w' },
    })
  })

  test('respond-async: slow servers of two accounts leave places for a third one', async () => {
    const held: ServerResponse[] = []
    respond = (incoming, response) => {
      if (incoming.url === '/quick') response.end('Dear Ada')
      else held.push(response)
    }
    for (const other of [await service.newKey(), await service.newKey()])
      for (let n = 0; n < 8; n++) {
        const accepted = await post({ url: `${base}/slow` }, { ...withKey(other), prefer: 'respond-async' })
        assert.equal(accepted.status, 202, accepted.body)
      }
    const answer = await post({ url: `${base}/quick` }, { prefer: 'respond-async, wait=30' })
    serve('Dear Ada')
    for (const response of held) response.end('Dear Ada')
    assert.equal(answer.status, 200, answer.body)
    assert.ok(held.length > 0 && held.length < 16, `${held.length}`)
    // Those that waited are fetched now, and not during the next test.
    while (seen.length < 17) await sleep(20)
  })

  test('respond-async: a repeated request is the same scan, and then its result', async () => {
    const before = await service.used(key)
    const goOn = Promise.withResolvers<void>()
    respond = (_request, response) => void goOn.promise.then(() => response.end('once'))
    const name = { ...ASYNC, 'idempotency-key': 'by-url-async' }
    const first = accepted(await post({ url: `${base}/once.txt` }, name))
    assert.equal(accepted(await post({ url: `${base}/once.txt` }, name)), first)
    assertProblem(
      await post({ url: `${base}/once.txt` }, { 'idempotency-key': 'by-url-async' }),
      409,
      'request_in_progress',
    )
    assertProblem(await post({ url: `${base}/other` }, name), 422, 'idempotency_key_reused')
    goOn.resolve()
    await ended(first)
    const again = await post({ url: `${base}/once.txt` }, name)
    assert.deepEqual([again.status, (again.json() as ScanBody).scanId], [200, first])
    assert.deepEqual([seen.length, await service.used(key)], [1, before + 1])
  })

  test('respond-async: a scan of a key that was revoked meanwhile fails', async () => {
    const other = await service.newKey()
    let asked = 0
    respond = (_request, response) => {
      asked++
      response.writeHead(503).end()
    }
    const headers = { ...withKey(other), 'content-type': 'application/json', ...ASYNC }
    const body = JSON.stringify({ url: `${base}/a.txt` })
    const answer = await request(service.port, 'POST', '/api/v1/scans', { headers, body })
    const scanId = accepted(answer)
    while (asked === 0) await sleep(20)
    // A second key of the account revokes it, and asks for the report.
    const second = await createKey(service.port, other, 'second')
    const listed = await request(service.port, 'GET', '/api/v1/keys', { headers: withKey(other) })
    const [first] = listed.json() as { id: string }[]
    await request(service.port, 'DELETE', `/api/v1/keys/${first!.id}`, { headers: withKey(second.apiKey) })
    let read: Report
    do {
      await sleep(100)
      read = (
        await request(service.port, 'GET', `/api/v1/scans/${scanId}`, { headers: withKey(second.apiKey) })
      ).json() as Report
    } while (read.state !== 'failed')
    assert.deepEqual([read.problem?.code, asked, reserved()], ['unauthenticated', 1, 0])
  })

  test('a request without a credential is 401, and a JSON body on /api/v1/scan stays 415', async () => {
    const body = JSON.stringify({ url: `${base}/` })
    const headers = { 'content-type': 'application/json' }
    assertProblem(await request(service.port, 'POST', '/api/v1/scans', { headers, body }), 401, 'unauthenticated')
    const scan = await request(service.port, 'POST', '/api/v1/scan', { headers: { ...headers, ...withKey(key) }, body })
    assertProblem(scan, 415, 'unsupported_content_type')
    assert.equal(seen.length, 0)
  })

  test('no query of a URL is logged', async () => {
    serve('secret words', {}, 404)
    await post({ url: `${base}/a?${SIGNATURE}` })
    await post({ url: `https://user:5ecre7@example.com/?${SIGNATURE}` })
    await post({ url: `https://127.0.0.1/?${SIGNATURE}` })
    assert.doesNotMatch(storedBytes(service), /X-Amz|5ecre7|secret words/)
    await service.stop()
    assert.doesNotMatch(service.output(), /Amz|5ecre7|secret words/)
  })
})
