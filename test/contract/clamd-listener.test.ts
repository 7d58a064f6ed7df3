/** The clamd listener of a running service: verdicts, charges, reports, limits and the byte sequences of products. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { after, before, describe, test } from 'node:test'
import { EICAR, nested } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { chunk, END_OF_STREAM, exchange, instream, scanOver, type Target } from '#test/support/clamd-wire.ts'
import { withKey } from '#test/support/client.ts'
import { type ListenerService, startListenerService } from '#test/support/listener-service.ts'
import { request } from '#test/support/raw-http.ts'
import { assertClean, FILE_BYTES_MAX, query } from '#test/support/scanning.ts'

let service: ListenerService
let plain: Target
let found: Target
let limits: Target
let pass: Target
before(async () => {
  const options = ['', 'unscannable=found', 'failure=limits', 'other=pass:image']
  service = await startListenerService({ clamd: options })
  ;[plain, found, limits, pass] = service.targets as [Target, Target, Target, Target]
})
after(() => service[Symbol.asyncDispose]())

const TEXT = { name: 'a.txt', data: 'Good morning' }
const ENCRYPTED = writeZip([{ ...TEXT, local: { flags: 1 }, central: { flags: 1 } }])
const DAMAGED = writeZip([TEXT], { withoutEnd: true })
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
const LIMIT = 'INSTREAM size limit exceeded. ERROR'
const LARGE = Buffer.alloc(FILE_BYTES_MAX + 1, 'Good morning. ')

describe('a document over the clamd port', () => {
  test('gets its verdict, is charged to the key of the listener, and has a report', async () => {
    const before = await service.used(service.secret)
    assert.equal(await scanOver(plain, 'Good morning'), 'stream: OK\0')
    assert.equal(await scanOver(plain, EICAR), 'stream: Docvet.Test.Eicar FOUND\0')
    assert.equal(await exchange(plain, instream('Good morning', 'n')), 'stream: OK\n')
    assert.equal(await service.used(service.secret), before + 3)
    const answer = await request(service.port, 'GET', '/api/v1/scans', { headers: withKey(service.secret) })
    const { items } = answer.json() as { items: { fileName: string; contentType: string | null; status: string }[] }
    const listed = items.slice(0, 3).map(({ fileName, status }) => `${fileName} ${status}`)
    assert.deepEqual(listed, ['stream clean', 'stream infected', 'stream clean'])
    assert.deepEqual(
      query(service, 'SELECT DISTINCT key_id, content_type FROM scans').map((row) => ({ ...(row as object) })),
      [{ key_id: service.keyId, content_type: null }],
    )
  })

  for (const [what, bytes, error, name] of [
    ['encrypted', ENCRYPTED, 'Encrypted document', 'Heuristics.Encrypted.Docvet'],
    ['too complex', nested('Good morning', 17), 'Document too complex', 'Heuristics.Limits.Exceeded.Docvet'],
    ['damaged', DAMAGED, 'Damaged document', 'Heuristics.Broken.Docvet'],
    ['no document', PNG, 'Content not supported', 'Heuristics.Unsupported.Docvet'],
  ] as const) {
    test(`that is ${what} is answered by the option of the listener, and not charged`, async () => {
      const before = await service.used(service.secret)
      assert.equal(await scanOver(plain, bytes), `stream: ${error} ERROR\0`)
      assert.equal(await scanOver(found, bytes), `stream: ${name} FOUND\0`)
      assert.equal(await service.used(service.secret), before)
    })
  }

  test('without a byte is clean, not charged, and has no report', async () => {
    const before = await service.used(service.secret)
    assert.equal(await exchange(plain, Buffer.from('zINSTREAM\0\0\0\0\0')), 'stream: OK\0')
    assert.equal(await service.used(service.secret), before)
    assert.deepEqual(query(service, "SELECT id FROM scans WHERE obstacle = 'empty'"), [])
  })

  test('of the largest size is scanned, and of one byte more refused', async () => {
    assert.equal(await scanOver(plain, LARGE.subarray(1)), 'stream: OK\0')
    assert.equal(await scanOver(plain, LARGE), `${LIMIT}\0`)
    assert.equal(await scanOver(limits, LARGE), 'stream: Heuristics.Limits.Exceeded.Docvet FOUND\0')
  })

  test('passes by its detected content, without a charge or a report', async () => {
    const before = await service.used(service.secret)
    const reports = query(service, 'SELECT id FROM scans').length
    assert.equal(await scanOver(pass, PNG), 'stream: OK\0')
    assert.equal(await service.used(service.secret), before)
    assert.equal(query(service, 'SELECT id FROM scans').length, reports)
    assert.equal(
      await scanOver(pass, Buffer.concat([Buffer.from('OggS\0'), Buffer.alloc(100)])),
      'stream: Content not supported ERROR\0',
    )
    assert.equal(await scanOver(pass, EICAR), 'stream: Docvet.Test.Eicar FOUND\0')
  })
})

/** Writes everything and only then reads, like clients that send before they look. */
async function sendLate(target: Target, bytes: Iterable<Buffer>): Promise<string> {
  const socket = net.connect(target as net.TcpNetConnectOpts)
  socket.pause()
  await once(socket, 'connect')
  for (const piece of bytes) if (!socket.write(piece)) await once(socket, 'drain')
  let text = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece
  })
  await once(socket.resume(), 'close')
  return text
}

function* pieces(command: string, document: Buffer, size: number, end = ''): Generator<Buffer> {
  yield Buffer.from(command)
  for (let at = 0; at < document.length; at += size) yield chunk(document.subarray(at, at + size))
  yield END_OF_STREAM
  if (end !== '') yield Buffer.from(end)
}

test('2 GB are read to their end before the limit is named, and need no memory', async () => {
  const block = chunk(Buffer.alloc(1_048_576))
  function* film(): Generator<Buffer> {
    yield Buffer.from('nINSTREAM\n')
    for (let sent = 0; sent < 2_048; sent++) yield block
    yield END_OF_STREAM
  }
  assert.equal(await sendLate(plain, pieces('nINSTREAM\n', LARGE, 1_048_576)), `${LIMIT}\n`)
  const before = peakMegabytes()
  assert.equal(await sendLate(plain, film()), `${LIMIT}\n`)
  assert.ok(peakMegabytes() - before < 100, `${before} MB have become ${peakMegabytes()}`)
})

/** The most memory that the service has ever used. */
function peakMegabytes(): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

describe('the bytes of', () => {
  const longText = Buffer.alloc(50_000, 'Good morning. ')
  const infected = Buffer.concat([Buffer.from(EICAR), Buffer.from('\n')])

  test('Nextcloud: chunks of a stream, and a file above the limit that is read to its end', async () => {
    assert.equal(await sendLate(plain, pieces('nINSTREAM\n', longText, 8_192)), 'stream: OK\n')
    assert.equal(await sendLate(plain, pieces('nINSTREAM\n', infected, 8_192)), 'stream: Docvet.Test.Eicar FOUND\n')
    const film = Buffer.alloc(41_943_040)
    assert.equal(await sendLate(plain, pieces('nINSTREAM\n', film, 1_048_576)), `${LIMIT}\n`)
  })

  test('Nextcloud: its self-test with EICAR and a suffix', async () => {
    assert.match(await sendLate(plain, pieces('nINSTREAM\n', Buffer.from(`${EICAR}occ`), 8_192)), /FOUND\n$/)
  })

  test('Discourse: END before the verdict', async () => {
    const sent = pieces('zIDSESSION\0zINSTREAM\0', infected, 2_048, 'zEND\0')
    assert.equal(await sendLate(plain, sent), '1: stream: Docvet.Test.Eicar FOUND\0')
    assert.equal(await exchange(plain, 'zIDSESSION\0zPING\0zEND\0'), '1: PONG\0')
  })

  test('Moodle: SCAN, and because of its answer INSTREAM', async () => {
    const first = await exchange(plain, 'nSCAN /var/moodledata/temp/a\n')
    assert.match(first, /File path check failure|Permission denied/)
    assert.match(await sendLate(plain, pieces('nINSTREAM\n', infected, 33_554_432)), /FOUND\n$/)
  })

  test('Exim and rspamd: the whole mail in one chunk', async () => {
    const mail = Buffer.from(`From a@example.com Mon Nov 16 10:00:00 2026\nSubject: a\n\n${EICAR}\n`)
    assert.match(await sendLate(plain, pieces('zINSTREAM\0', mail, mail.length)), /FOUND\0$/)
  })

  test('ownCloud: three connections', async () => {
    assert.equal(await exchange(found, 'PING\n'), 'PONG\n')
    assert.match(await exchange(found, 'VERSION\n'), /^ClamAV [\d.]+\/\d+\/\w{3} \w{3} [ \d]\d [\d:]{8} \d{4}\n$/)
    assert.match(await sendLate(found, pieces('nINSTREAM\n', infected, 8_192)), /FOUND\n$/)
  })
})

describe('other connections', () => {
  test('500 that are idle, and one that sends slowly, do not keep HTTP and the port from scanning', async () => {
    const open = (): Promise<net.Socket> => {
      const socket = net.connect(plain as net.TcpNetConnectOpts)
      return once(
        socket.on('error', () => {}),
        'connect',
      ).then(() => socket)
    }
    const idle = await Promise.all(Array.from({ length: 500 }, open))
    const slow = await open()
    slow.write(Buffer.concat([Buffer.from('zINSTREAM\0'), chunk('G')]))
    for (let index = 0; index < 5; index++) {
      assertClean(await service.scan(service.secret, 'Good morning'))
      assert.equal(await scanOver(plain, 'Good morning'), 'stream: OK\0')
    }
    for (const socket of [...idle, slow]) socket.destroy()
  })
})

test('scans are logged with their listener and outcome, without content', async () => {
  await scanOver(plain, 'A secret of nobody')
  const line = await service.logged(/"outcome":"clean"/)
  const { listener, keyId, outcome, verdict, sizeBytes } = JSON.parse(line)
  assert.match(listener, /^tcp:\/\/127\.0\.0\.1:\d+$/)
  assert.deepEqual([keyId, outcome, verdict, typeof sizeBytes], [service.keyId, 'clean', 'clean', 'number'])
  assert.ok(!service.output().includes('A secret of nobody'))
})
