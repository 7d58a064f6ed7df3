import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type net from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSample } from '#engines/sample.ts'
import { type FakeScript, startFakeClamd } from '#test/support/fake-clamd.ts'
import { ask, type Chunks, sendDocument } from './client.ts'
import { parseClamdUrl } from './endpoint.ts'
import { outcomeOf } from './reply.ts'

const DOCUMENT = [Buffer.from('a document of no interest')]

async function send(script: FakeScript, chunks: Chunks = DOCUMENT, timeoutMs = 5_000) {
  await using fake = await startFakeClamd(script)
  const exchange = await sendDocument(parseClamdUrl(fake.url), chunks, AbortSignal.timeout(timeoutMs))
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

test('OK while the document is still being written does not count', async () => {
  const big = Array.from({ length: 400 }, () => Buffer.alloc(65_536, 1))
  const stall = (socket: net.Socket) => {
    socket.pause()
    socket.end('stream: OK\0')
  }
  const { outcome } = await send({ onBeginning: stall }, big)
  const detail = 'clamd answered OK before it had the whole document'
  assert.deepEqual(outcome, { kind: 'failed', late: false, detail })
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

test('a peer that accepts the connection while our process stands still is in time', async () => {
  await using fake = await startFakeClamd({ onDocument: () => 'stream: OK\0' })
  const exchange = sendDocument(parseClamdUrl(fake.url), DOCUMENT, AbortSignal.timeout(30_000))
  // As on a machine where our process gets no time.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200)
  assert.deepEqual(outcomeOf(await exchange), { kind: 'clean' })
})

test('late at the signal when the peer does not answer', async () => {
  const { exchange, outcome } = await send({ onDocument: () => 'hang' }, DOCUMENT, 300)
  assert.deepEqual(exchange, { kind: 'aborted', waiting: true })
  assert.equal(outcome.kind === 'failed' && outcome.late, true)
})

test('late at the signal when the peer stops reading; it is at fault', async () => {
  const big = Array.from({ length: 400 }, () => Buffer.alloc(65_536))
  const { exchange } = await send({ onConnection: (socket) => void socket.pause() }, big, 300)
  assert.deepEqual(exchange, { kind: 'aborted', waiting: true })
})

test('a document that is disposed before it is sent is never sent, and never a verdict', async () => {
  const { push, end, dispose } = createSample()
  push(Buffer.from('a document'))
  const { chunks } = end('')
  process.nextTick(dispose)
  const { exchange, outcome, received } = await send({ onDocument: () => 'stream: OK\0' }, chunks)
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

test('all chunks share a frame, and every byte arrives in order', async () => {
  const sizes = [...Array.from({ length: 2_000 }, () => 37), 300_000, 1, 0, 70_000, 9_000_000]
  const chunks = sizes.map((size) => randomBytes(size))
  const { outcome, received, frames } = await send({ onDocument: () => 'stream: OK\0' }, chunks)
  assert.equal(outcome.kind, 'clean')
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  assert.equal(digest(received[0]!), digest(Buffer.concat(chunks)))
  assert.deepEqual(frames, [74_000 + 300_000 + 1 + 70_000 + 9_000_000])
})

test('asks for the version', async () => {
  await using fake = await startFakeClamd({ version: 'ClamAV 1.2.3' })
  const exchange = await ask(parseClamdUrl(fake.url), 'VERSION', AbortSignal.timeout(1_000))
  assert.equal(exchange.kind === 'answered' && exchange.reply.toString(), 'ClamAV 1.2.3\0')
})
