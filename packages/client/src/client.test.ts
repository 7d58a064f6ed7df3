/** The client against services that answer as ours does at its worst. */
import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { Docvet, DocvetError, InfectedError, UnscannableError, verifyWebhook, WebhookError } from './index.ts'

type Answer = { status: number; headers?: Record<string, string>; body: unknown }

const CLEAN: Answer = { status: 200, body: { scanId: '1', status: 'clean', threat: null } }
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
    response.writeHead(answer?.status ?? 500, answer?.headers)
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
    'an unknown status': { status: 200, body: { scanId: '1', status: 'Clean' } },
    'a verdict under another status': { status: 202, body: { scanId: '1', status: 'clean' } },
    'a page with an error': { status: 502, body: 'Bad gateway' },
    'a redirect': { status: 302, headers: { Location: '/elsewhere' }, body: CLEAN.body },
  }
  for (const [name, answer] of Object.entries(NO_VERDICTS))
    test(`${name} is no verdict`, async (t) => {
      const { url } = await serviceOf(t, answer)
      const code = await codeOf(docvetAt(url, { retries: 0 }).scan(Buffer.from('x')))
      assert.match(code, /^(?:unexpected_response|unreachable)$/)
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

describe('verifyWebhook', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const body = '{"type":"scan.finished"}'
  const now = Date.now()
  const signed = (text = body, atMs = now) => {
    const timestamp = String(Math.floor(atMs / 1_000))
    const signature = createHmac('sha256', Buffer.alloc(32, 7)).update(`id.${timestamp}.${text}`).digest('base64')
    return { 'webhook-id': 'id', 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,AAAA v1,${signature}` }
  }

  test('accepts what the reference signs, with either kind of headers', () => {
    const reference = new Webhook(secret).sign('id', new Date(now), body)
    const headers = { ...signed(), 'webhook-signature': reference }
    assert.deepEqual(verifyWebhook(headers, body, secret), { type: 'scan.finished' })
    assert.deepEqual(verifyWebhook(new Headers(signed()), Buffer.from(body), secret), { type: 'scan.finished' })
  })

  test('accepts the public key', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64')
    const timestamp = String(Math.floor(now / 1_000))
    const signature = sign(null, Buffer.from(`id.${timestamp}.${body}`), privateKey).toString('base64')
    const headers = { ...signed(), 'webhook-signature': `v1,AAAA v1a,${signature}` }
    assert.deepEqual(verifyWebhook(headers, body, `whpk_${raw}`), { type: 'scan.finished' })
    assert.throws(() => verifyWebhook(headers, `${body} `, `whpk_${raw}`), WebhookError)
  })

  const REFUSED: Record<string, [Record<string, string>, string]> = {
    'another body': [signed(), `${body} `],
    'another secret': [{ ...signed(), 'webhook-signature': 'v1,AAAA' }, body],
    'no signature': [{ ...signed(), 'webhook-signature': '' }, body],
    'an old callback': [signed(body, now - 301_000), body],
    'one of the future': [signed(body, now + 302_000), body],
    'no time': [{ ...signed(), 'webhook-timestamp': 'NaN' }, body],
  }
  for (const [name, [headers, text]] of Object.entries(REFUSED))
    test(`refuses ${name}`, () => {
      assert.throws(() => verifyWebhook(headers, text, secret, now), WebhookError)
    })

  test('refuses missing headers', () => {
    assert.throws(() => verifyWebhook({}, body, secret), WebhookError)
  })
})
