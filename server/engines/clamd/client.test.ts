import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type net from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSample } from '#engines/sample.ts'
import { type FakeScript, startFakeClamd } from '#test/support/fake-clamd.ts'
import { ask, type Document, sendDocument } from './client.ts'
import { parseClamdUrl } from './endpoint.ts'
import { outcomeOf } from './reply.ts'

const DOCUMENT = [Buffer.from('a document of no interest')]

async function send(script: FakeScript, document: Document = DOCUMENT, timeoutMs = 5_000) {
  await using fake = await startFakeClamd(script)
  const exchange = await sendDocument(parseClamdUrl(fake.url), document, AbortSignal.timeout(timeoutMs))
  const outcome = outcomeOf(exchange)
  return { exchange, outcome, received: fake.documents, frames: [...fake.frames] }
}

test('OK after the whole document is clean', async () => {
  const { outcome, received } = await send({ onDocument: () => 'stream: OK\0' })
  assert.deepEqual(outcome, { kind: 'clean' })
  assert.deepEqual(received, DOCUMENT)
})

test('an answer in several pieces is read as one', async () => {
  const { outcome } = await send({
    async onDocument(_, socket) {
      for (const piece of ['str', 'eam: Some.Thr', 'eat FOU']) {
        socket.write(piece)
        await sleep(20)
      }
      return 'ND\0'
    },
  })
  assert.deepEqual(outcome, { kind: 'detected', threat: 'Some.Threat', path: [] })
})

const BAD_ANSWERS = {
  'no answer': null,
  'half an answer': 'stream: O',
  'OK without its prefix': 'OK\0',
  'another id': '7: stream: OK\0',
  'two answers': 'stream: OK\0stream: OK\0',
  garbage: randomBytes(500),
  'the most that is read': 'x'.repeat(4_096),
  'more than is read': 'x'.repeat(4_097),
}
for (const [name, answer] of Object.entries(BAD_ANSWERS)) {
  test(`failed and not late: ${name}`, async () => {
    const { outcome } = await send({ onDocument: () => answer })
    assert.equal(outcome.kind === 'failed' && !outcome.late, true, JSON.stringify(outcome))
  })
}

test('an endless answer is cut off', async () => {
  const { outcome } = await send({
    onDocument(_, socket) {
      socket.write('y'.repeat(1_000_000))
      return 'hang'
    },
  })
  assert.deepEqual(outcome, { kind: 'failed', late: false, detail: 'clamd answered more than 4096 bytes' })
})

test('a second answer invalidates the first', async () => {
  const { outcome } = await send({
    async onDocument(_, socket) {
      socket.write('stream: OK\0')
      await sleep(100)
      return 'stream: Eicar FOUND\0'
    },
  })
  assert.equal(outcome.kind, 'failed')
})

test('a peer that answers OK and does not close is a failure', async () => {
  const { outcome } = await send({
    onDocument(_, socket) {
      socket.write('stream: OK\0')
      return 'hang'
    },
  })
  assert.match(outcome.kind === 'failed' ? outcome.detail : '', /did not close/)
})

test('OK before the end of the document does not count', async () => {
  const { sample, push } = createSample()
  push(Buffer.alloc(1_000))
  const { outcome } = await send({ onBeginning: (socket) => socket.end('stream: OK\0') }, sample.read())
  assert.deepEqual(outcome, {
    kind: 'failed',
    late: false,
    detail: 'clamd answered OK before it had the whole document',
  })
})

test('OK while the document is still being written does not count', async () => {
  const big = Array.from({ length: 400 }, () => Buffer.alloc(65_536, 1))
  const stall = (socket: net.Socket) => {
    socket.pause()
    socket.end('stream: OK\0')
  }
  assert.equal((await send({ onBeginning: stall }, big)).outcome.kind, 'failed')
})

test('a reset after OK is not an orderly end', async () => {
  const { outcome } = await send({
    async onDocument(_, socket) {
      socket.write('stream: OK\0')
      await sleep(50)
      socket.resetAndDestroy()
      return 'hang'
    },
  })
  assert.equal(outcome.kind, 'failed')
})

test('late at the signal when the peer does not answer', async () => {
  const { exchange, outcome } = await send({ onDocument: () => 'hang' }, DOCUMENT, 300)
  assert.deepEqual(exchange, { kind: 'aborted', waiting: true })
  assert.equal(outcome.kind === 'failed' && outcome.late, true)
})

test('late at the signal when the document does not end; clamd is not at fault', async () => {
  const { sample, push } = createSample()
  push(Buffer.from('beginning'))
  const { exchange } = await send({ onDocument: () => 'stream: OK\0' }, sample.read(), 300)
  assert.deepEqual(exchange, { kind: 'aborted', waiting: false })
})

test('late at the signal when the peer stops reading; it is at fault', async () => {
  const big = Array.from({ length: 400 }, () => Buffer.alloc(65_536))
  const { exchange } = await send({ onConnection: (socket) => void socket.pause() }, big, 300)
  assert.deepEqual(exchange, { kind: 'aborted', waiting: true })
})

test('an aborted upload is never ended for clamd, and never a verdict', async () => {
  const { sample, push, fail } = createSample()
  push(Buffer.from('beginning'))
  setTimeout(() => fail(new Error('the client went away')), 50)
  const { exchange, outcome, received } = await send({ onDocument: () => 'stream: OK\0' }, sample.read())
  assert.equal(exchange.kind, 'withdrawn')
  assert.equal(outcome.kind, 'failed')
  assert.deepEqual(received, [])
})

test('a missing peer is unanswered, not late', async () => {
  const fake = await startFakeClamd()
  await fake.close()
  for (const url of [fake.url, 'unix:/nowhere/clamd.ctl']) {
    const exchange = await sendDocument(parseClamdUrl(url), DOCUMENT, AbortSignal.timeout(5_000))
    assert.equal(exchange.kind === 'unanswered' && !exchange.connected, true)
    assert.match(exchange.kind === 'unanswered' ? exchange.detail : '', /ECONNREFUSED|ENOENT/)
  }
})

test('an address that drops packets is unanswered, not late', async () => {
  // Documentation addresses are not routed; a network that rejects them at once is as good.
  const exchange = await sendDocument(parseClamdUrl('tcp://192.0.2.1:3310'), DOCUMENT, AbortSignal.timeout(5_000))
  assert.equal(exchange.kind === 'unanswered' && !exchange.connected, true)
})

test('a signal that has fired opens no connection', async () => {
  await using fake = await startFakeClamd()
  const exchange = await sendDocument(parseClamdUrl(fake.url), DOCUMENT, AbortSignal.abort())
  assert.deepEqual(exchange, { kind: 'aborted', waiting: false })
  await sleep(50)
  assert.equal(fake.connections, 0)
})

test('tiny chunks share a frame, large ones are not split, every byte arrives in order', async () => {
  const sizes = [...Array.from({ length: 1_000 }, () => 37), 300_000, 1, 0, 70_000, 70_000]
  const chunks = sizes.map((size) => randomBytes(size))
  const { outcome, received, frames } = await send({ onDocument: () => 'stream: OK\0' }, chunks)
  assert.equal(outcome.kind, 'clean')
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  assert.equal(digest(received[0]!), digest(Buffer.concat(chunks)))
  assert.deepEqual(frames, [37_000 + 300_000, 1 + 70_000 + 70_000])
})

test('bytes are sent as soon as they arrive', async () => {
  await using fake = await startFakeClamd({ onDocument: () => 'stream: OK\0' })
  let seen = 0
  fake.script.onBeginning = (socket) => socket.on('data', (chunk) => (seen += chunk.length))
  const { sample, push, fail } = createSample()
  push(Buffer.alloc(10))
  const exchange = sendDocument(parseClamdUrl(fake.url), sample.read(), AbortSignal.timeout(5_000))
  await sleep(100)
  push(Buffer.alloc(20))
  await sleep(100)
  assert.equal(seen, 4 + 20)
  fail(new Error('enough'))
  assert.equal((await exchange).kind, 'withdrawn')
})

test('a peer that does not read stops the document', async () => {
  await using fake = await startFakeClamd({ onConnection: (socket) => void socket.pause() })
  let taken = 0
  async function* endless(): AsyncGenerator<Buffer> {
    for (const chunk = Buffer.alloc(65_536); ; taken += chunk.length) yield chunk
  }
  await sendDocument(parseClamdUrl(fake.url), endless(), AbortSignal.timeout(300))
  // The kernel's buffers on both sides of a loopback connection, and one frame.
  assert.ok(taken < 12_000_000, `${taken} bytes were taken`)
})

test('asks for the version', async () => {
  await using fake = await startFakeClamd({ version: 'ClamAV 1.2.3' })
  const exchange = await ask(parseClamdUrl(fake.url), 'VERSION', AbortSignal.timeout(1_000))
  assert.equal(exchange.kind === 'answered' && exchange.reply.toString(), 'ClamAV 1.2.3\0')
})
