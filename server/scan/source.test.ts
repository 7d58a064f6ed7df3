/** Documents that arrive as a stream of their own. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { createSample } from '#engines/sample.ts'
import { createInFlightBudget } from './in-flight.ts'
import { type IntakeOptions, streamSource } from './source.ts'
import { UploadAborted } from './upload.ts'

const refusal = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code
const busy = new AppError('busy', 'Full.')

function receive(chunks: Iterable<Buffer> | Readable, options: Partial<IntakeOptions> = {}, waitMs = 0) {
  const stream = chunks instanceof Readable ? chunks : Readable.from(chunks)
  const source = streamSource({ stream, fileName: 'stream', waitMs })
  return source.receive({ createSample, onFileStart: () => {}, ...options })
}

describe('a stream', () => {
  test('is received whole, and has the name that the listener gave it', async () => {
    using document = await receive([Buffer.from('A '), Buffer.alloc(5_000, 'b'), Buffer.from('.')])
    assert.deepEqual([document.size, document.fileName, document.declaredType], [5_003, 'stream', null])
    assert.equal(Buffer.concat(document.whole.chunks).length, 5_003)
  })

  test('without a byte is empty', async () => {
    await assert.rejects(receive([]), refusal('empty_file'))
  })

  test('of the largest size is accepted, and of one byte more not', async () => {
    const block = () => Buffer.alloc(DOCUMENT_BYTES_MAX / 8)
    const blocks = () => Array.from({ length: 8 }, block)
    using document = await receive(blocks())
    assert.equal(document.size, DOCUMENT_BYTES_MAX)
    await assert.rejects(receive([...blocks(), Buffer.of(1)]), refusal('file_too_large'))
  })

  test('that is destroyed before its end is aborted', async () => {
    const stream = new Readable({ read() {} })
    const received = receive(stream)
    stream.push(Buffer.from('A letter'))
    setImmediate(() => stream.destroy())
    await assert.rejects(received, UploadAborted)
  })
})

describe('memory for a stream', () => {
  /** Refuses so many times. */
  const refusing = (times: number) => {
    const seen = { refused: 0, sizes: [] as number[] }
    const onGrowth = (bytes: number) => {
      if (seen.refused++ < times) throw busy
      seen.sizes.push(bytes)
    }
    return { seen, onGrowth }
  }
  const chunks = () => [Buffer.from('first'), Buffer.from('second')]

  test('is waited for, and no byte is lost or out of order', async () => {
    const { seen, onGrowth } = refusing(2)
    using document = await receive(chunks(), { onGrowth }, 1_000)
    assert.equal(Buffer.concat(document.whole.chunks).toString(), 'firstsecond')
    assert.deepEqual(seen.sizes, [5, 11])
  })

  test('is waited for also at the last chunk', async () => {
    let calls = 0
    const onGrowth = () => {
      if (++calls === 2) throw busy
    }
    using document = await receive(chunks(), { onGrowth }, 1_000)
    assert.equal(document.size, 11)
  })

  test('is not waited for without time, nor longer than it', async () => {
    await assert.rejects(receive(chunks(), { onGrowth: refusing(1).onGrowth }), refusal('busy'))
    await assert.rejects(receive(chunks(), { onGrowth: refusing(1_000).onGrowth }, 250), refusal('busy'))
  })

  test('is not waited for by a document that is too large, whatever it asks for', async () => {
    const lease = createInFlightBudget({ bytesMax: 536_870_912 }).enter({ accountId: 'a', address: 'b' }, null)
    const block = Buffer.alloc(1_048_576, 'a')
    const large = [...Array.from({ length: 25 }, () => Buffer.from(block)), Buffer.of(1)]
    await assert.rejects(receive(large, { onGrowth: lease.growTo }, 60_000), refusal('file_too_large'))
  })

  test('is not taken for a stream that is destroyed meanwhile', async () => {
    const stream = Readable.from(chunks())
    const received = receive(stream, { onGrowth: refusing(1_000).onGrowth }, 60_000)
    setTimeout(() => stream.destroy(), 50)
    await assert.rejects(received, UploadAborted)
  })
})
