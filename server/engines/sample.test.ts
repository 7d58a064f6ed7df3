import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createSample } from './sample.ts'

test('the whole sample has all chunks in order, their size and hash', () => {
  const { push, end } = createSample()
  for (const text of ['one ', 'two ', 'three']) push(Buffer.from(text))
  const { size, sha256, chunks } = end('hash')
  assert.deepEqual([size, sha256, String(Buffer.concat(chunks))], [13, 'hash', 'one two three'])
})

test('dispose overwrites the bytes of the sample and no others', () => {
  const writer = createSample()
  const memory = Buffer.alloc(10, 'a')
  writer.push(memory.subarray(2, 5))
  writer.dispose()
  assert.equal(memory.toString('latin1'), 'aa\0\0\0aaaaa')
})

test('free releases the memory at once, except memory shared with others', () => {
  const writer = createSample()
  const large = Buffer.allocUnsafeSlow(10_000)
  const pooled = Buffer.from('a small piece')
  const half = large.subarray(0, 6_000)
  for (const chunk of [half, large.subarray(0, 5_001), pooled]) writer.push(chunk)
  const { chunks } = writer.end('hash')
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
