import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createSample, type Sample } from './sample.ts'

async function textOf(sample: Sample): Promise<string> {
  return Buffer.concat((await sample.whole()).chunks).toString()
}

test('everyone gets the whole sample when it is complete, and nobody before', async () => {
  const writer = createSample()
  let isComplete = false
  const early = textOf(writer.sample).finally(() => (isComplete = true))
  writer.push(Buffer.from('one '))
  await new Promise(setImmediate)
  assert.equal(isComplete, false)
  writer.push(Buffer.from('two '))
  writer.push(Buffer.from('three'))
  writer.end('hash')
  assert.deepEqual(await Promise.all([early, textOf(writer.sample)]), Array(2).fill('one two three'))
  const { size, sha256, chunks } = await writer.sample.whole()
  assert.deepEqual([size, sha256, chunks.length], [13, 'hash', 3])
})

test('an aborted upload is an error for everyone', async () => {
  const writer = createSample()
  writer.push(Buffer.from('one'))
  const waiting = assert.rejects(writer.sample.whole(), /hung up/)
  writer.fail(new Error('hung up'))
  await waiting
  await assert.rejects(writer.sample.whole(), /hung up/)
})

test('a sample that is disposed before its end is an error', async () => {
  const writer = createSample()
  writer.push(Buffer.from('one'))
  writer.dispose()
  writer.end('hash')
  await assert.rejects(writer.sample.whole(), /disposed/)
})

test('dispose overwrites the bytes of the sample and no others', () => {
  const writer = createSample()
  const memory = Buffer.alloc(10, 'a')
  writer.push(memory.subarray(2, 5))
  writer.dispose()
  assert.equal(memory.toString('latin1'), 'aa\0\0\0aaaaa')
})

test('free releases the memory at once, except memory shared with others', async () => {
  const writer = createSample()
  const large = Buffer.allocUnsafeSlow(10_000)
  const pooled = Buffer.from('a small piece')
  const half = large.subarray(0, 6_000)
  for (const chunk of [half, large.subarray(0, 5_001), pooled]) writer.push(chunk)
  writer.end('hash')
  const { chunks } = await writer.sample.whole()
  writer.free((memory) => memory.transfer(0))
  assert.equal(chunks.length, 0)
  assert.equal(half.length, 0)
  assert.deepEqual(pooled, Buffer.alloc(13), 'overwritten, but not released')
})

test('each chunk of a body owns its memory in Node, which `free` relies on', async () => {
  const seen: [length: number, memory: number][] = []
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      seen.push([chunk.length, chunk.buffer.byteLength])
      ;(chunk.buffer as ArrayBuffer).transfer(0)
    })
    request.on('end', () => response.end('all'))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const request = (body: string, close = '') =>
    `POST / HTTP/1.1\r\nHost: a\r\n${close}Content-Length: ${body.length}\r\n\r\n${body}`
  // In one write, so that Node reads them together.
  socket.write(request('a'.repeat(100)) + request('b'.repeat(9_000)) + request('c', 'Connection: close\r\n'))
  const answers = await text(socket)
  server.close()
  assert.deepEqual(seen, [
    [100, 100],
    [9_000, 9_000],
    [1, 1],
  ])
  assert.equal(answers.match(/all/g)?.length, 3)
})
