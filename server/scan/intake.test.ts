/** Receiving one document from a form. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { createSample, type SampleWriter } from '#engines/sample.ts'
import { PIECES_KEPT_BYTES_MAX } from './collector.ts'
import { receive } from './intake.ts'
import type { IntakeOptions } from './source.ts'
import { UploadAborted } from './upload.ts'

const FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"'
const part = (head: string, data = 'x') => `--b\r\n${head}\r\n\r\n${data}\r\n`
const form = (...parts: string[]) => `${parts.join('')}--b--\r\n`
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')
const refusal = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code

interface Watched {
  started: unknown[]
  options: IntakeOptions
}

function watch(options: Partial<IntakeOptions> = {}): Watched {
  const started: unknown[] = []
  return { started, options: { createSample, onFileStart: (info) => started.push(info), ...options } }
}

function createWatched(onPush: (chunk: Buffer) => void): SampleWriter {
  const writer = createSample()
  const push = (chunk: Buffer) => {
    onPush(chunk)
    writer.push(chunk)
  }
  return { ...writer, push }
}

const chunksOf = (body: string | Buffer, size = 65_536) => {
  const whole = Buffer.from(body as string, 'latin1')
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.subarray(i * size, (i + 1) * size))
}
const take = (body: string | Buffer, options: IntakeOptions, size?: number) =>
  receive({ boundary: 'b', stream: Readable.from(chunksOf(body, size)) }, options)

async function refuses(code: ErrorCode, body: string): Promise<void> {
  for (const size of [65_536, 1]) {
    const { options } = watch()
    await assert.rejects(take(body, options, size), refusal(code), `${code} in chunks of ${size}`)
  }
}

describe('receive', () => {
  test('returns name, type, size, hash and bytes of the document', async () => {
    for (const size of [65_536, 1, 3]) {
      const seen = watch()
      const body = form(
        part('Content-Disposition: form-data; name=note'),
        part(`${FILE}\r\nContent-Type: text/plain`, 'hello'),
      )
      const {
        fileName,
        declaredType,
        size: bytes,
        sha256: hash,
        whole,
      } = await take(`\r\n${body}\r\n`, seen.options, size)
      assert.deepEqual(
        { fileName, declaredType, bytes, hash },
        { fileName: 'a.txt', declaredType: 'text/plain', bytes: 5, hash: sha256('hello') },
      )
      assert.deepEqual(seen.started, [{ fileName: 'a.txt', declaredType: 'text/plain' }])
      assert.equal(Buffer.concat(whole.chunks).toString(), 'hello')
      assert.equal(whole.sha256, hash)
    }
  })
  test('returns a display name, and null without a declared type', async () => {
    const names = [
      ['../../etc/passwd', 'passwd'],
      ['C:\\x\\a.exe', 'a.exe'],
      ['a\x01b.txt', 'ab.txt'],
      ['inv\xe2\x80\xaefdp.exe', 'invfdp.exe'],
      ['<script>=cmd()%0d%0a', '<script>=cmd()%0d%0a'],
      ['', 'document'],
    ]
    for (const [given, shown] of names) {
      const { options } = watch()
      const { fileName, declaredType } = await take(
        form(part(`Content-Disposition: form-data; name=file; filename="${given}"`)),
        options,
      )
      assert.deepEqual({ fileName, declaredType }, { fileName: shown, declaredType: null })
    }
  })
  test('missing_file without a body or a part', async () => {
    await refuses('missing_file', '')
    await refuses('missing_file', '--b--\r\n')
    await refuses('missing_file', form(part('Content-Disposition: form-data; name=note')))
  })
  test('missing_file for a field `file` without a file name', () =>
    refuses('missing_file', form(part('Content-Disposition: form-data; name="file"'))))
  test('malformed_multipart for a field of another type than text/plain', async () => {
    const note = 'Content-Disposition: form-data; name=note'
    for (const type of [
      'application/octet-stream',
      'text/html',
      'text/plainly',
      'text/plain; name=a',
      'text',
      'text/plain, x/y',
    ]) {
      await refuses('malformed_multipart', form(part(`${note}\r\nContent-Type: ${type}`), part(FILE)))
      await refuses('malformed_multipart', form(part(FILE), part(`${note}\r\nContent-Type: ${type}`)))
    }
    for (const type of ['text/plain', 'Text/Plain;charset=UTF-8', 'text/plain; charset="iso-8859-1"', '']) {
      const { size } = await take(form(part(`${note}\r\nContent-Type: ${type}`), part(FILE)), watch().options)
      assert.equal(size, 1)
    }
    const body = form(part(`${note}\r\nContent-Type: application/json`), part(FILE))
    await assert.rejects(take(body, watch().options), /`note`.*text\/plain/)
  })
  test('missing_file names the field of a file in another field', async () => {
    await refuses('missing_file', form(part('Content-Disposition: form-data; name="upload"; filename="a"')))
    const { options } = watch()
    const body = form(part('Content-Disposition: form-data; name="upload"; filename="a"'))
    await assert.rejects(take(body, options), /`upload`/)
    const odd = form(part('Content-Disposition: form-data; name="\xe2\x80\xae"; filename="a"'))
    await assert.rejects(take(odd, watch().options), (error: Error) => !error.message.includes('\u202e'))
  })
  test('empty_file for zero bytes', () => refuses('empty_file', form(part(FILE, ''))))
  test('accepts one byte', async () => {
    const { size } = await take(form(part(FILE, '\0')), watch().options)
    assert.equal(size, 1)
  })
  test('too_many_files as soon as a second file starts', async () => {
    await refuses('too_many_files', form(part(FILE), part(FILE)))
    await refuses('too_many_files', form(part(FILE, ''), part('Content-Disposition: form-data; name=x; filename=y')))
    // The rest of the body never arrives.
    const stream = new PassThrough()
    stream.write(`${part(FILE)}--b\r\n${FILE}\r\n\r\n`)
    await assert.rejects(receive({ boundary: 'b', stream }, watch().options), refusal('too_many_files'))
  })
  test('malformed_multipart from the reader', async () => {
    await refuses('malformed_multipart', form(part(FILE)).replaceAll('\r\n', '\n'))
    await refuses('malformed_multipart', `--b\r\n${FILE}\r\n\r\ndata`)
    await refuses('malformed_multipart', form(part('Content-Disposition: form-data; name=__proto__')))
  })
  test('resolves only after the closing delimiter and the end of the body', async () => {
    const stream = new PassThrough()
    let settled = false
    const received = receive({ boundary: 'b', stream }, watch().options).finally(() => {
      settled = true
    })
    stream.write(`--b\r\n${FILE}\r\n\r\nx\r\n--b--`)
    await wait(20)
    assert.equal(settled, false)
    stream.end()
    await received
  })
  test('accepts exactly 25 MiB and refuses the next byte at once', async () => {
    const data = Buffer.alloc(DOCUMENT_BYTES_MAX, 'd')
    const head = Buffer.from(`--b\r\n${FILE}\r\n\r\n`)
    const exact = await take(Buffer.concat([head, data, Buffer.from('\r\n--b--')]), watch().options)
    assert.equal(exact.size, DOCUMENT_BYTES_MAX)
    assert.equal(exact.sha256, sha256(data))
    const stream = new PassThrough({ highWaterMark: 2 * DOCUMENT_BYTES_MAX })
    stream.write(Buffer.concat([head, data, Buffer.from('!')]))
    const seen = watch()
    await assert.rejects(receive({ boundary: 'b', stream }, seen.options), refusal('file_too_large'))
  })
  test('onGrowth is called before bytes are kept, and can refuse them', async () => {
    const reason = new AppError('busy', 'Full.')
    const asked: number[] = []
    const onGrowth = (bytes: number) => {
      asked.push(bytes)
      if (bytes > 2) throw reason
    }
    const seen = watch({ onGrowth })
    await assert.rejects(take(form(part(FILE, 'abcd')), seen.options, 1), reason)
    assert.deepEqual(asked, [1, 2, 3])
  })
  test('onFileStart can refuse the upload', async () => {
    const reason = new AppError('unsupported_content_type', 'No.')
    const options = { ...watch().options, onFileStart: () => assert.fail(reason) }
    await assert.rejects(take(form(part(FILE)), options), reason)
  })
})

describe('a refusal', () => {
  test('stops reading, keeps the socket open, and leaves only the listener for late errors', async () => {
    const stream = new PassThrough()
    stream.write('--bx')
    await assert.rejects(receive({ boundary: 'b', stream }, watch().options), refusal('malformed_multipart'))
    assert.equal(stream.isPaused(), true)
    assert.equal(stream.destroyed, false)
    assert.deepEqual(
      ['data', 'end', 'close'].map((name) => stream.listenerCount(name)),
      [0, 0, 0],
    )
    stream.destroy(new Error('late'))
    await turn()
  })
  test('overwrites what was received', async () => {
    const stream = new PassThrough()
    const pushed: Buffer[] = []
    const { options } = watch({ createSample: () => createWatched((chunk) => pushed.push(chunk)) })
    const received = receive({ boundary: 'b', stream }, options)
    stream.write(`--b\r\n${FILE}\r\n\r\n${'d'.repeat(5_000)}`)
    await wait(10)
    assert.match(Buffer.concat(pushed).toString(), /^d{4990,}$/)
    stream.write('\r\n--b!')
    await assert.rejects(received, refusal('malformed_multipart'))
    assert.match(Buffer.concat(pushed).toString(), /^\0{4990,}$/)
  })
})

describe('small pieces', () => {
  test('are collected in blocks instead of one buffer each', async () => {
    const pushed: number[] = []
    const seen = watch({ createSample: () => createWatched((chunk) => pushed.push(chunk.length)) })
    const data = 'd'.repeat(100_000)
    const { sha256: hash, whole } = await take(form(part(FILE, data)), seen.options, 1)
    assert.equal(hash, sha256(data))
    assert.ok(pushed.length < 10, `${pushed.length} pushes`)
    assert.equal(Buffer.concat(whole.chunks).toString(), data)
  })
  test('stay in order among large ones', async () => {
    const seen = watch()
    const pieces = [1, 5_000, 4_095, 4_096, 1, 1, 16_384, 3, 70_000, 4_095, 4_095, 4_095, 4_095, 2]
    const data = pieces.map((length, i) => Buffer.alloc(length, 65 + i))
    const chunks = [Buffer.from(`--b\r\n${FILE}\r\n\r\n`), ...data, Buffer.from('\r\n--b--')]
    const received = await receive({ boundary: 'b', stream: Readable.from(chunks) }, seen.options)
    const whole = Buffer.concat(data)
    assert.equal(received.sha256, sha256(whole))
    assert.ok(Buffer.concat(received.whole.chunks).equals(whole))
  })
})

describe('the pieces of a large document', () => {
  const MIB = 1_048_576
  const data = Buffer.alloc(4.75 * MIB, 'some document ')

  /** The sizes of the chunks, after a check of the content, and the pieces as they are afterwards. */
  async function chunksFor(declaredBytes: number | null) {
    const { options } = watch()
    const pieces = chunksOf(Buffer.concat([Buffer.from(`--b\r\n${FILE}\r\n\r\n`), data, Buffer.from('\r\n--b--\r\n')]))
    const received = await receive({ boundary: 'b', stream: Readable.from(pieces), declaredBytes }, options)
    assert.equal(received.sha256, sha256(data))
    const { chunks } = received.whole
    assert.ok(Buffer.concat(chunks).equals(data))
    const sizes = chunks.map(({ length }) => length)
    const memories = chunks.map(({ buffer }) => buffer)
    received.free()
    return { sizes, memories, pieces }
  }

  test('are copied into blocks, and overwritten like these', async () => {
    const { sizes, memories, pieces } = await chunksFor(PIECES_KEPT_BYTES_MAX + 1)
    assert.equal(sizes.length, 5)
    for (const bytes of [...memories.map((memory) => new Uint8Array(memory)), ...pieces.slice(1, -1)])
      assert.ok(bytes.every((byte) => byte === 0))
  })

  test('are freed at once where they own their memory', async () => {
    const { options } = watch()
    const own = Array.from({ length: 100 }, () => Buffer.allocUnsafeSlow(65_536).fill('x'))
    const shared = Buffer.allocUnsafeSlow(70_000).fill('y')
    const parts = [Buffer.from(`--b\r\n${FILE}\r\n\r\n`), ...own, shared.subarray(0, 65_536), Buffer.from('\r\n--b--')]
    const declaredBytes = PIECES_KEPT_BYTES_MAX + 1
    using received = await receive({ boundary: 'b', stream: Readable.from(parts), declaredBytes }, options)
    await turn()
    assert.equal(received.sha256, sha256(Buffer.concat([Buffer.alloc(6_553_600, 'x'), Buffer.alloc(65_536, 'y')])))
    assert.ok(own.every(({ buffer }) => buffer.detached))
    assert.equal(shared.at(-1), 121)
  })

  test('are kept up to the limit, and copied past it', async () => {
    for (const declaredBytes of [PIECES_KEPT_BYTES_MAX, null]) {
      const { sizes } = await chunksFor(declaredBytes)
      const kept = sizes.filter((size) => size <= 65_536).reduce((sum, size) => sum + size)
      assert.ok(kept > PIECES_KEPT_BYTES_MAX - 65_536 && kept <= PIECES_KEPT_BYTES_MAX, `${kept}`)
      assert.ok(sizes.some((size) => size > MIB / 2))
    }
  })
})

describe('a client that is too slow', () => {
  test('gets 408 after the grace period, also without any byte', async () => {
    const seen = watch({ rate: { graceMs: 30 } })
    const stream = new PassThrough()
    await assert.rejects(receive({ boundary: 'b', stream }, seen.options), refusal('request_timeout'))
    const second = new PassThrough()
    second.write(`--b\r\n${FILE}\r\n\r\nslow`)
    await assert.rejects(receive({ boundary: 'b', stream: second }, seen.options), refusal('request_timeout'))
  })
  test('is accepted while it is fast enough', async () => {
    const stream = new PassThrough()
    const received = receive({ boundary: 'b', stream }, watch({ rate: { graceMs: 30, bytesPerSecond: 1_000 } }).options)
    stream.write(`--b\r\n${FILE}\r\n\r\n${'d'.repeat(200)}`)
    await wait(120)
    stream.end('\r\n--b--')
    assert.equal((await received).size, 200)
  })
})

describe('a disconnect', () => {
  test('before the first byte', async () => {
    const stream = new PassThrough()
    stream.destroy()
    await turn()
    await assert.rejects(receive({ boundary: 'b', stream }, watch().options), UploadAborted)
  })
  test('with an error or without one', async () => {
    for (const error of [undefined, new Error('reset')]) {
      const stream = new PassThrough()
      const seen = watch()
      const received = receive({ boundary: 'b', stream }, seen.options)
      stream.write(`--b\r\n${FILE}\r\n\r\nhalf`)
      setTimeout(() => stream.destroy(error), 5)
      await assert.rejects(received, UploadAborted)
    }
  })

  /** Over a real socket. */
  test('at any byte of a real request', async () => {
    const body = `${form(part('Content-Disposition: form-data; name=n'), part(FILE, 'data'))}`
    const outcomes: unknown[] = []
    const server = createServer((request: IncomingMessage, response) => {
      receive({ boundary: 'b', stream: request }, watch().options).then(
        ({ size }) => response.end(String(size), () => outcomes.push(size)),
        (error: unknown) => {
          outcomes.push(error)
          response.destroy()
        },
      )
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n`
    for (let sent = 0; sent < body.length; sent += 7) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      const requested = once(server, 'request')
      socket.write(head + body.slice(0, sent))
      await requested
      socket.destroy()
    }
    const socket = connect(port, '127.0.0.1').end(head + body)
    assert.match((await socket.toArray()).join(''), /^HTTP\/1.1 200 OK\r\n/)
    await new Promise((resolve) => server.close(resolve))
    assert.equal(outcomes.length, Math.ceil(body.length / 7) + 1)
    assert.equal(outcomes.filter((outcome) => outcome instanceof UploadAborted).length, outcomes.length - 1)
  })
})
