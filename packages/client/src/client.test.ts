/** The client against services that answer as ours does at its worst. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Docvet, DocvetError, InfectedError, UnscannableError } from './index.ts'

type Answer = { status: number; headers?: Record<string, string>; body: unknown }

/** Of one byte. */
const CLEAN: Answer = { status: 200, body: { scanId: '1', status: 'clean', threat: null, fileSize: 1 } }
const INFECTED: Answer = { status: 200, body: { scanId: '2', status: 'infected', threat: 'Own.Threat' } }
const BUSY: Answer = { status: 503, headers: { 'Retry-After': '0' }, body: { code: 'service_busy', detail: 'Busy.' } }

/** Answers one request after another, and repeats the last answer. */
async function serviceOf(
  t: TestContext,
  ...answers: (Answer | ((request: IncomingMessage, response: ServerResponse) => void))[]
) {
  const requests: { headers: IncomingMessage['headers']; bytes: number; text: string }[] = []
  const server = createServer(async (request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)]
    const seen = { headers: request.headers, bytes: 0, text: '' }
    requests.push(seen)
    if (typeof answer === 'function') return answer(request, response)
    for await (const chunk of request) {
      seen.bytes += chunk.length
      if (seen.text.length < 10_000) seen.text += chunk.toString('latin1')
    }
    response.writeHead(answer?.status ?? 500, { 'Content-Type': 'application/json', ...answer?.headers })
    response.end(typeof answer?.body === 'string' ? answer.body : JSON.stringify(answer?.body))
  }).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  const address = server.address() as { port: number }
  return { url: `http://127.0.0.1:${address.port}`, requests }
}

async function* streamOf<Piece>(piece: Piece) {
  yield piece
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => assert.fail(`It resolved with ${JSON.stringify(value)}`),
    (error) => {
      assert.ok(error instanceof DocvetError, String(error))
      return error.code
    },
  )

const docvetAt = (url: string, options = {}) => new Docvet({ url, key: 'dv_live_x', ...options })

describe('verdicts', () => {
  test('clean, infected and refused are values; everything else is an error', async (t) => {
    const refusal = { status: 422, body: { code: 'encrypted_document', detail: 'It is encrypted.' } }
    const { url } = await serviceOf(t, CLEAN, INFECTED, refusal)
    const docvet = docvetAt(url)
    const bytes = Buffer.from('x')
    assert.deepEqual(await docvet.scan(bytes), {
      status: 'clean',
      threat: null,
      reason: null,
      detail: null,
      scanId: '1',
    })
    assert.equal((await docvet.scan(bytes)).threat, 'Own.Threat')
    const { status, reason, detail } = await docvet.scan(bytes)
    assert.deepEqual([status, reason, detail], ['refused', 'encrypted_document', 'It is encrypted.'])
  })

  const NO_VERDICTS: Record<string, Answer> = {
    'a page of a proxy': { status: 200, body: '<html>clean</html>' },
    'a list': { status: 200, body: [{ status: 'clean' }] },
    null: { status: 200, body: null },
    'a verdict without an id': { status: 200, body: { status: 'clean' } },
    'an unknown status': { status: 200, body: { scanId: '1', status: 'Clean', fileSize: 1 } },
    'a verdict without a size': { status: 200, body: { scanId: '1', status: 'clean' } },
    'a verdict on another document': { status: 200, body: { scanId: '1', status: 'clean', fileSize: 2 } },
    'a verdict in a page': { ...CLEAN, headers: { 'Content-Type': 'text/html' } },
    'a clean one with a threat': {
      status: 200,
      body: { scanId: '1', status: 'clean', threat: 'Own.Threat', fileSize: 1 },
    },
    'a verdict that is cut': { status: 200, body: '{"scanId":"1","status":"clean","fileSize":1' },
    'a verdict that is shorter than it says': { ...CLEAN, headers: { 'Content-Length': '100', Connection: 'close' } },
    'a verdict that has more than a million bytes': {
      status: 200,
      body: JSON.stringify(CLEAN.body).padEnd(1_000_001),
    },
    'a verdict under another status': { status: 202, body: { scanId: '1', status: 'clean' } },
    'a page with an error': { status: 502, body: 'Bad gateway' },
    'a redirect': { status: 302, headers: { Location: '/elsewhere' }, body: CLEAN.body },
  }
  for (const [name, answer] of Object.entries(NO_VERDICTS))
    test(`${name} is no verdict`, async (t) => {
      const { url } = await serviceOf(t, answer)
      for (const input of [Buffer.from('x'), streamOf(Buffer.from('x'))]) {
        const code = await codeOf(docvetAt(url, { retries: 0 }).scan(input))
        assert.match(code, /^(?:unexpected_response|unreachable)$/)
      }
    })

  test('a verdict of a million bytes is one, and an infected document stays infected', async (t) => {
    const { url } = await serviceOf(
      t,
      { status: 200, body: JSON.stringify(CLEAN.body).padEnd(1_000_000) },
      { status: 200, body: { scanId: '1', status: 'infected', threat: 'Own.Threat', fileSize: 7 } },
    )
    assert.equal((await docvetAt(url).scan(Buffer.from('x'))).status, 'clean')
    assert.equal((await docvetAt(url).scan(Buffer.from('x'))).status, 'infected')
  })

  test('a verdict before the document was sent is none', async (t) => {
    const { url } = await serviceOf(t, (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(CLEAN.body))
    })
    const waiting = new AbortController()
    async function* slow() {
      yield Buffer.from('x')
      await sleep(60_000, undefined, { signal: waiting.signal }).catch(() => {})
    }
    t.after(() => waiting.abort())
    assert.equal(await codeOf(docvetAt(url).scan(slow())), 'unexpected_response')
  })

  const NOT_BYTES: Record<string, unknown> = {
    'the file object of multer': { fieldname: 'file', buffer: Buffer.from('x') },
    undefined: undefined,
    null: null,
    'a list': [1, 2],
    'a response': new Response('x'),
    'a form': new FormData(),
    'a stream of texts': streamOf('x'),
    'a stream that breaks': (async function* () {
      yield Buffer.from('x')
      throw new TypeError('The disk is gone')
    })(),
    'a missing file': '/missing/file',
  }
  for (const [name, input] of Object.entries(NOT_BYTES))
    test(`${name} has no verdict, and the service is not at fault`, async (t) => {
      const { url } = await serviceOf(t, CLEAN)
      const error = await docvetAt(url)
        .scan(input as Buffer)
        .catch((reason: unknown) => reason)
      assert.ok(error instanceof Error && !(error instanceof DocvetError), String(error))
    })

  test('assertClean throws for everything but clean', async (t) => {
    const { url } = await serviceOf(t, CLEAN, INFECTED, {
      status: 413,
      body: { code: 'file_too_large', detail: 'Large.' },
    })
    const docvet = docvetAt(url)
    await docvet.assertClean(Buffer.from('x'))
    await assert.rejects(docvet.assertClean(Buffer.from('x')), InfectedError)
    await assert.rejects(docvet.assertClean(Buffer.from('x')), UnscannableError)
  })

  test('names, passwords and references are sent; names cannot break the form', async (t) => {
    const { url, requests } = await serviceOf(t, CLEAN)
    const fileName = 'a"b\r\nc.txt'
    async function* chunks() {
      yield Buffer.from('x')
    }
    await docvetAt(url).scan(Buffer.from('x'), { fileName, password: 'sécret', reference: 'r' })
    await docvetAt(url).scan(chunks(), { fileName, password: 'sécret', reference: 'r' })
    for (const { text, headers } of requests) {
      assert.match(text, /name="file"; filename="a%22b%0D%0Ac\.txt"/)
      assert.match(text, /name="password"\r\n\r\ns..cret\r\n/)
      assert.ok(text.indexOf('name="reference"') < text.indexOf('name="file"'))
      assert.equal(headers['x-api-key'], 'dv_live_x')
    }
    await docvetAt(url).scan(Buffer.from('x'), { fileName: `${'ä'.repeat(5_000)}\0.html` })
    assert.equal(/filename="([^"]*)"/.exec(requests.at(-1)?.text ?? '')?.[1]?.length, 'ä'.length * 250 * 2 + 5)
    await docvetAt(url).scan(Buffer.from('x'), { fileName: '' })
    assert.match(requests.at(-1)?.text ?? '', /filename="document"/)
  })
})

describe('failures', () => {
  test('503 twice and then a verdict: the same key each time', async (t) => {
    const { url, requests } = await serviceOf(t, BUSY, BUSY, CLEAN)
    assert.equal((await docvetAt(url).scan(Buffer.from('x'))).status, 'clean')
    assert.equal(requests.length, 3)
    assert.equal(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size, 1)
  })

  test('repetitions are bounded in number and in time', async (t) => {
    const { url, requests } = await serviceOf(t, BUSY)
    assert.equal(await codeOf(docvetAt(url, { retries: 2 }).scan(Buffer.from('x'))), 'service_busy')
    assert.equal(requests.length, 3)
    const late = await serviceOf(t, { ...BUSY, headers: { 'Retry-After': '3600' } })
    assert.equal(await codeOf(docvetAt(late.url).scan(Buffer.from('x'))), 'service_busy')
    assert.equal(late.requests.length, 1)
  })

  test('a wrong key is not repeated', async (t) => {
    const { url, requests } = await serviceOf(t, { status: 401, body: { code: 'unauthenticated', detail: 'No.' } })
    assert.equal(await codeOf(docvetAt(url).scan(Buffer.from('x'))), 'unauthenticated')
    assert.equal(requests.length, 1)
  })

  test('a service that does not answer, or is not there', async (t) => {
    const { url } = await serviceOf(t, () => {})
    assert.equal(await codeOf(docvetAt(url, { timeoutMs: 100 }).scan(Buffer.from('x'))), 'timeout')
    const gone = await serviceOf(t, (request) => request.socket.destroy())
    assert.equal(
      await codeOf(docvetAt(gone.url, { retries: 1, timeoutMs: 5_000 }).scan(Buffer.from('x'))),
      'unreachable',
    )
    assert.equal(gone.requests.length, 2)
    const signal = AbortSignal.abort(new Error('enough'))
    await assert.rejects(docvetAt(url).scan(Buffer.from('x'), { signal }), /enough/)
  })

  test('a document whose scan took too long once is named by that, whatever fails later', async (t) => {
    const late = { status: 503, headers: { 'Retry-After': '0' }, body: { code: 'scan_timeout', detail: 'Late.' } }
    const silent = await serviceOf(t, late, () => {})
    assert.equal(await codeOf(docvetAt(silent.url, { timeoutMs: 2_000 }).scan(Buffer.from('x'))), 'scan_timeout')
    assert.equal(silent.requests.length, 2)
    const busy = await serviceOf(t, late, BUSY)
    assert.equal(await codeOf(docvetAt(busy.url, { retries: 1 }).scan(Buffer.from('x'))), 'scan_timeout')
    const fine = await serviceOf(t, late, CLEAN)
    assert.equal((await docvetAt(fine.url).scan(Buffer.from('x'))).status, 'clean')
  })

  test('a stream is sent once, and read no faster than it is sent', async (t) => {
    const pieces = 400
    const bytes = 65_536
    let produced = 0
    async function* chunks() {
      for (; produced < pieces; produced++) yield new Uint8Array(bytes)
    }
    let [received, producedMeanwhile] = [0, 0]
    const { url, requests } = await serviceOf(t, async (request, response) => {
      // Nobody reads, so that only the buffers of the system fill up.
      for (let before = -1; before < produced; await sleep(300)) before = produced
      producedMeanwhile = produced
      for await (const chunk of request) received += chunk.length
      response.writeHead(503).end('{"code":"service_busy"}')
    })
    assert.equal(await codeOf(docvetAt(url).scan(chunks())), 'service_busy')
    assert.equal(requests.length, 1)
    assert.ok(producedMeanwhile < pieces / 2, `${producedMeanwhile} of ${pieces} pieces were in memory`)
    assert.ok(received > pieces * bytes)
  })

  test('without a URL or a key, and in a browser, there is no client', (t) => {
    assert.throws(() => new Docvet({ url: 'http://127.0.0.1', key: '' }), /DOCVET_KEY/)
    assert.throws(() => new Docvet({ url: '', key: 'x' }), /DOCVET_URL/)
    Object.assign(globalThis, { window: {}, document: {} })
    t.after(() => {
      for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name)
    })
    assert.throws(() => docvetAt('http://127.0.0.1'), /browser/)
  })
})
