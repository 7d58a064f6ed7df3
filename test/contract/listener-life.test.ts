/** The listeners of a service that ends, of several processes, and of one with another engine. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CLAMD_MARKER, type ClamdServer, startClamd } from '#test/support/clamd.ts'
import { chunk, END_OF_STREAM, exchange, scanOver, type Target } from '#test/support/clamd-wire.ts'
import { chunked, respmod } from '#test/support/icap-wire.ts'
import { seedListenerKey, startListenerService } from '#test/support/listener-service.ts'
import { plansFile } from '#test/support/scanning.ts'
import { freePort, startService, temporaryFolder } from '#test/support/service.ts'
import { needs } from '#test/support/suite.ts'

const CLEAN = 'stream: OK\0'
const folder = temporaryFolder('listeners')
after(() => rmSync(folder, { recursive: true, force: true }))

const OVER_CLAMD = {
  first: Buffer.concat([Buffer.from('zINSTREAM\0'), chunk('Good ')]),
  rest: Buffer.concat([chunk('morning'), END_OF_STREAM]),
}
const OVER_ICAP = {
  first: Buffer.from(`${respmod({ fields: ['Allow: 204', 'Connection: close'] })}5\r\nGood \r\n`),
  rest: Buffer.from(chunked('morning')),
}

/** Sends the first half of a document, and returns the function that sends the rest. */
async function beginStream(target: Target, { first, rest } = OVER_CLAMD) {
  const socket = net.connect(target as net.TcpNetConnectOpts)
  const ended = Promise.withResolvers<string>()
  let text = ''
  socket
    .setEncoding('latin1')
    .on('data', (piece) => {
      text += piece
    })
    .on('error', () => {})
    .once('close', () => ended.resolve(text))
  await once(socket, 'connect')
  socket.write(first)
  return { reply: ended.promise, finish: () => void socket.write(rest) }
}

/** The bytes that arrive on a connection that sends nothing. */
const silence = (target: Target): Promise<string> => exchange(target, '')

describe('a service that ends', () => {
  test('finishes streams that have begun, closes idle connections, and accepts no others', async () => {
    const service = await startListenerService({ clamd: [''], icap: [''] })
    const [target, icap] = service.targets as [Target, Target]
    const [whole, half] = await Promise.all([beginStream(target), beginStream(target)])
    const [wholeIcap, halfIcap] = await Promise.all([beginStream(icap, OVER_ICAP), beginStream(icap, OVER_ICAP)])
    const [idle, idleIcap] = [silence(target), silence(icap)]
    await sleep(100)
    const stopped = service.stop()
    await service.logged(/Shutting down/)
    // Some clients take an end without a reply for clean.
    assert.equal(await idle, 'stream: Service unavailable ERROR\n')
    assert.match(await idleIcap, /^ICAP\/1\.0 503 /)
    whole.finish()
    wholeIcap.finish()
    assert.equal(await whole.reply, CLEAN)
    assert.match(await wholeIcap.reply, /^ICAP\/1\.0 204 /)
    await assert.rejects(scanOver(target, 'Good morning'), { code: 'ECONNREFUSED' })
    // Never complete, so that there is no verdict.
    await service.kill()
    assert.deepEqual([await half.reply, await halfIcap.reply], ['', ''])
    await stopped
  })
})

test('several processes serve TCP and unix sockets, and replace the file of a crashed service', async () => {
  const file = path.join(folder, 'shared.ctl')
  const crash = `require('net').createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', crash])
  assert.ok(statSync(file).isSocket(), 'a killed process leaves its file')
  const [port, icapPort] = [await freePort(), await freePort()]
  const dataDir = temporaryFolder('data')
  const { keyId } = await seedListenerKey(dataDir)
  const listen = `tcp://127.0.0.1:${port}?key=${keyId},unix:${file}?key=${keyId}&mode=0620`
  const env = { DOCVET_PROCESSES: '2', DOCVET_EMBEDDED_CHILDREN: '2', DOCVET_PLANS_FILE: plansFile() }
  const icap = `tcp://127.0.0.1:${icapPort}?key=${keyId}`
  const settings = { ...env, DOCVET_CLAMD_LISTEN: listen, DOCVET_ICAP_LISTEN: icap }
  await using service = await startService(settings, { dataDir })
  for (const target of [{ host: '127.0.0.1', port }, { path: file }]) {
    const replies = await Promise.all(Array.from({ length: 10 }, () => scanOver(target, 'Good morning')))
    assert.deepEqual(replies, Array(10).fill(CLEAN))
  }
  const sent = respmod({ fields: ['Allow: 204'] }) + chunked('Good morning')
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => exchange({ host: '127.0.0.1', port: icapPort }, sent, { end: true })),
  )
  for (const answer of answers) assert.match(answer, /^ICAP\/1\.0 204 /)
  assert.equal(statSync(file).mode & 0o777, 0o620)
  await service.stop()
  assert.throws(() => statSync(file), /ENOENT/)
  rmSync(dataDir, { recursive: true, force: true })
})

describe('content that is no document, with a clamd engine', needs('clamd'), () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
  const ELF = Buffer.concat([Buffer.from('7f454c460201010000000000000000000300b700', 'hex'), Buffer.alloc(400)])
  let clamd: ClamdServer
  let service: Awaited<ReturnType<typeof startListenerService>>
  let byClamd: Target
  let refused: Target
  before(async () => {
    clamd = await startClamd()
    service = await startListenerService({ clamd: ['', 'other=error'] }, { DOCVET_CLAMD_URL: clamd.url })
    ;[byClamd, refused] = service.targets as [Target, Target]
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await clamd[Symbol.asyncDispose]()
  })

  test('is clean only if clamd inspected it, and charged', async () => {
    const before = await service.used(service.secret)
    assert.equal(await scanOver(byClamd, PNG), CLEAN)
    assert.equal(await scanOver(byClamd, ELF), CLEAN, 'a program is not accused of being one')
    assert.match(
      await scanOver(byClamd, Buffer.concat([PNG, Buffer.from(CLAMD_MARKER)])),
      /^stream: Docvet\.Test\.Marker\S* FOUND\0$/,
    )
    assert.equal(await service.used(service.secret), before + 3)
    assert.equal(await scanOver(refused, PNG), 'stream: Content not supported ERROR\0')
    assert.match(await exchange(byClamd, 'zVERSION\0'), /^ClamAV 1\.\d/)
  })

  test('over HTTP it is refused as ever', async () => {
    const answer = await service.scan(service.secret, PNG, { fileName: 'a.png', type: 'application/octet-stream' })
    assert.equal(answer.status, 415)
  })

  test('is a failure without clamd, never clean', async () => {
    await clamd.kill()
    assert.equal(await scanOver(byClamd, PNG), 'stream: Service unavailable ERROR\0')
    assert.equal(await scanOver(byClamd, 'Good morning'), 'stream: Service unavailable ERROR\0')
  })
})
