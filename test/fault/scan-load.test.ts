import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import type { Writable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readBooks, settledBooks } from '#test/support/scan-checker.ts'
import {
  chooseSeed,
  createDice,
  type Dice,
  FORM_END,
  FORM_TYPE,
  formHead,
  lines,
} from '#test/support/scan-documents.ts'
import { openFiles, residentBytes, until } from '#test/support/scan-process.ts'
import { type ScanService, startScanService } from '#test/support/scan-rig.ts'

const DOCUMENT_BYTES = 26_214_400
const UPLOADS = 64
const BUDGET_BYTES = 536_870_912
const MEMORY_BYTES_MAX = BUDGET_BYTES + 300_000_000
const RECOVERY_MS_MAX = 60_000
const SAMPLE_MS = 100
/** Rejected clients retry, so that the budget stays full for a while. */
const SUSTAINED_MS = 10_000
const RETRY_MS = 300

const ABORTED = 1_000
/** After the last byte, while the scan runs or the response is sent. */
const ABORTED_LATE = 100
const VANISHING_CLIENTS = 16
const TEST_TIMEOUT_MS = 110_000
const CHUNK = lines(65_536, 'load').subarray(0, 65_536)
const HEAD = formHead()

/** Yields the multipart body in pieces that share their memory. */
function* form(bytes: number, salt: string): Generator<Buffer> {
  const first = Buffer.from(`${salt}\n`)
  yield HEAD
  yield first
  for (let left = bytes - first.length; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left)
  yield FORM_END
}
const formBytes = (bytes: number) => HEAD.length + bytes + FORM_END.length

/** Resolves when the stream drains or closes. */
async function drainedOrClosed(stream: Writable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const go = () => resolve()
  stream.once('drain', go).once('close', go)
  if (!stream.destroyed) await promise
  stream.off('drain', go).off('close', go)
}

describe('scans under load', { timeout: 4 * TEST_TIMEOUT_MS }, () => {
  const seed = chooseSeed()
  let scans: ScanService
  let count = 0

  before(async () => {
    console.log(`  SEED=${seed}`)
    scans = await startScanService({ DOCVET_LOG_LEVEL: 'warn' })
  })
  after(async () => {
    await scans?.[Symbol.asyncDispose]()
  })

  const small = () => scans.scan({ kind: 'small', infected: false, bytes: lines(1_000, `small ${count++}`) })

  /** Sends as fast as possible; the response may arrive before the end. */
  async function upload(salt: string): Promise<string> {
    const headers = {
      'x-api-key': scans.key,
      'content-type': FORM_TYPE,
      'content-length': formBytes(DOCUMENT_BYTES),
    }
    const outgoing = http.request({
      port: scans.service.port,
      method: 'POST',
      path: '/api/v1/scan',
      headers,
      agent: false,
    })
    const { promise, resolve } = Promise.withResolvers<string>()
    let over = false
    const finish = (said: string) => {
      over = true
      resolve(said)
    }
    outgoing.on('response', async (incoming) => {
      let body = ''
      for await (const part of incoming.setEncoding('utf8')) body += part
      const { status, code } = JSON.parse(body) as { status: string | number; code?: string }
      finish(`${incoming.statusCode} ${code ?? status}`)
      outgoing.destroy()
    })
    outgoing.on('error', (error) => finish(`broken ${error.message}`))
    for (const piece of form(DOCUMENT_BYTES, salt)) {
      if (over) break
      if (!outgoing.write(piece)) await drainedOrClosed(outgoing)
    }
    if (!over) outgoing.end()
    return promise
  }

  async function watchMemory<T>(work: Promise<T>): Promise<{ result: T; peak: number }> {
    let peak = 0
    const timer = setInterval(() => {
      peak = Math.max(peak, residentBytes(scans.service.pid))
    }, SAMPLE_MS)
    const result = await work.finally(() => clearInterval(timer))
    return { result, peak }
  }

  const counted = (answers: readonly string[]) => {
    const counts: Record<string, number> = {}
    for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1
    return counts
  }

  /** How many uploads of 25 MB are accepted before the first rejection: exactly what is left of the budget. */
  async function capacity(): Promise<number> {
    const sockets: net.Socket[] = []
    let answer = ''
    do {
      const socket = net.connect(scans.service.port, '127.0.0.1').on('error', () => {})
      sockets.push(socket)
      socket.write(requestHead(formBytes(DOCUMENT_BYTES), 'Expect: 100-continue\r\n'))
      answer = String((await once(socket, 'data'))[0]).slice(0, 12)
    } while (answer === 'HTTP/1.1 100' && sockets.length < UPLOADS)
    assert.equal(answer, 'HTTP/1.1 503')
    for (const socket of sockets) socket.destroy()
    return sockets.length - 1
  }

  function requestHead(bytes: number, more = ''): string {
    const fields = `x-api-key: ${scans.key}\r\nContent-Type: ${FORM_TYPE}\r\nContent-Length: ${bytes}\r\n${more}`
    return `POST /api/v1/scan HTTP/1.1\r\nHost: docvet.test\r\n${fields}\r\n`
  }

  test('64 uploads of 25 MB at once stay within the budget', { timeout: TEST_TIMEOUT_MS }, async () => {
    await small()
    const started = performance.now()
    const answers: string[] = []
    const clients = Array.from({ length: UPLOADS }, async (_, client) => {
      for (let i = 0; i === 0 || performance.now() - started < SUSTAINED_MS; i++) {
        const answer = await upload(`${seed} load ${client} ${i}`)
        answers.push(answer)
        if (answer.startsWith('503')) await sleep(RETRY_MS)
      }
    })
    const { peak } = await watchMemory(Promise.all(clients))
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    const recovered = await until(async () => (await small()).status === 200, RECOVERY_MS_MAX)
    const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
    console.log(`  ${UPLOADS} uploads at a time for ${seconds} s: ${JSON.stringify(counted(answers))}`)
    console.log(
      `  peak ${megabytes(peak)} of ${megabytes(MEMORY_BYTES_MAX)}, small scan after ${Math.round(recovered ?? Number.NaN)} ms`,
    )
    assert.ok(answers.every((answer) => /^(?:200 clean|503 \w+)$/.test(answer)))
    assert.ok(answers.some((answer) => answer === '200 clean'))
    assert.ok(peak < MEMORY_BYTES_MAX, `${peak} bytes`)
    assert.ok(recovered !== null, 'the service does not recover')
    await settledBooks(scans)
  })

  async function sendPart(socket: net.Socket, pieces: Iterable<Buffer>, bytes: number): Promise<void> {
    let left = bytes
    for (const piece of pieces) {
      if (left <= 0 || socket.destroyed) return
      const flows = socket.write(piece.subarray(0, left))
      if (!flows) await drainedOrClosed(socket)
      left -= piece.length
    }
  }

  /** Sends up to `bytes` of the request, then closes or resets the connection. */
  async function vanish(dice: Dice, size: number, bytes: number, salt: string): Promise<void> {
    const socket = net.connect(scans.service.port, '127.0.0.1').on('error', () => {})
    await sendPart(socket, [Buffer.from(requestHead(formBytes(size))), ...form(size, salt)], bytes)
    if (dice.next() < 0.5) await sleep(dice.whole(0, 20))
    if (dice.next() < 0.3) await new Promise<void>((resolve) => socket.end(resolve))
    if (dice.next() < 0.5) socket.resetAndDestroy()
    else socket.destroy()
  }

  async function vanishing(total: number, offset: (dice: Dice, all: number) => number): Promise<void> {
    let next = 0
    const sizes = [10, 1_000, 20_000, 300_000, 2_000_000, DOCUMENT_BYTES]
    const clients = Array.from({ length: VANISHING_CLIENTS }, async (_, client) => {
      const dice = createDice(seed + 100 + client)
      while (next < total) {
        const salt = `${seed} vanishing ${next++}`
        const size = Math.max(salt.length + 1, dice.pick(sizes))
        const all = requestHead(formBytes(size)).length + formBytes(size)
        await vanish(dice, size, offset(dice, all), salt)
      }
    })
    await Promise.all(clients)
  }

  test('1,000 aborted uploads leak nothing', { timeout: TEST_TIMEOUT_MS }, async () => {
    const capacityBefore = await capacity()
    await small()
    await sleep(500)
    const before = { books: await settledBooks(scans), files: openFiles(scans.service.pid) }
    const started = performance.now()
    // Often near the head, sometimes far into the document, never at its end.
    await vanishing(ABORTED, (dice, all) => Math.floor((all - 1) * dice.next() ** dice.pick([1, 4, 12])))
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    assert.ok((await until(() => openFiles(scans.service.pid) <= before.files, 30_000)) !== null, 'open files leak')
    const books = await settledBooks(scans)
    assert.deepEqual([books.used, books.scans.length], [before.books.used, before.books.scans.length])
    assert.equal(await capacity(), capacityBefore, 'bytes of the budget leak')
    assert.deepEqual(scans.litter(), [])
    assert.equal((await small()).said, 'clean')
    console.log(
      `  ${ABORTED} aborted in ${seconds} s: ${before.files} files open, capacity for ${capacityBefore} uploads`,
    )
  })

  test('clients that disconnect before the response leak nothing', { timeout: TEST_TIMEOUT_MS }, async () => {
    const capacityBefore = await capacity()
    await sleep(500)
    const files = openFiles(scans.service.pid)
    const { used } = readBooks(scans)
    await vanishing(ABORTED_LATE, (_dice, all) => (all > DOCUMENT_BYTES ? all - 1 : all))
    assert.ok((await until(() => openFiles(scans.service.pid) <= files, 30_000)) !== null, 'open files leak')
    const books = await settledBooks(scans)
    assert.ok(books.used - used <= ABORTED_LATE)
    assert.equal(await capacity(), capacityBefore, 'bytes of the budget leak')
    assert.equal((await small()).said, 'clean')
    console.log(`  ${ABORTED_LATE} disconnected after the last byte: ${books.used - used} of them were charged`)
  })

  test('stops, and leaves no process and no file', { timeout: TEST_TIMEOUT_MS }, () => scans.stop())
})
