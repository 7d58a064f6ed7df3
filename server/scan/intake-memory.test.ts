/** No bytes of a document stay in memory after its request. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { AppError } from '#base/errors.ts'
import type { Whole } from '#engines/sample.ts'
import { detectType, type Sniff } from './document-type.ts'
import { receive } from './intake.ts'
import { UploadAborted } from './upload.ts'

const FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"'

describe('all chunks are released', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void

  // Separate, so that no local variable of a suspended function holds the last chunk.
  function feed(stream: PassThrough, kept: WeakRef<Buffer>[]): void {
    const head = Buffer.from(`--b\r\n${FILE}\r\n\r\n`)
    for (const chunk of [head, ...[65_536, 65_536, 10, 65_536, 300, 65_536].map((size) => Buffer.alloc(size, 'd'))]) {
      kept.push(new WeakRef(chunk))
      stream.write(chunk)
    }
  }

  /** Feeds a quarter of a megabyte, ends the upload, releases it, and counts the chunks that are still reachable. */
  async function weigh(
    ending: (stream: PassThrough) => void,
    isExpected: (outcome: unknown) => boolean,
  ): Promise<void> {
    const kept: WeakRef<Buffer>[] = []
    const createKeeper = () => {
      const chunks: Buffer[] = []
      const dispose = () => void chunks.splice(0)
      const push = (chunk: Buffer) => void chunks.push(chunk)
      return { push, end: () => ({ chunks }) as unknown as Whole, dispose, free: dispose }
    }
    const stream = new PassThrough()
    const options = { createSample: createKeeper, onFileStart() {} }
    const promise = receive({ boundary: 'b', stream }, options)
    feed(stream, kept)
    ending(stream)
    // The outcome stays referenced, as a careless caller might do.
    const outcome: unknown = await promise.then(
      (received) => {
        received[Symbol.dispose]()
        return received
      },
      (error: unknown) => error,
    )
    for (let i = 0; i < 5; i++) {
      await turn()
      collect()
    }
    assert.ok(isExpected(outcome), String(outcome))
    assert.equal(kept.filter((reference) => reference.deref() !== undefined).length, 0)
  }

  test('after a document was disposed', () =>
    weigh(
      (stream) => stream.end('\r\n--b--'),
      (outcome) => typeof outcome === 'object' && outcome !== null && 'sha256' in outcome,
    ))
  test('after a refusal', () =>
    weigh(
      (stream) => stream.write('\r\n--b!'),
      (outcome) => outcome instanceof AppError && outcome.code === 'malformed_multipart',
    ))
  test('after a disconnect', () =>
    weigh(
      (stream) => void setImmediate(() => stream.destroy()),
      (outcome) => outcome instanceof UploadAborted,
    ))
})

test('a copy that was joined for type detection is overwritten; a single chunk stays as it is', () => {
  for (const [chunks, left] of [
    [['a secret'], 'a secret'],
    [['a se', 'cret'], '\0'.repeat(8)],
  ] as const) {
    const seen: Uint8Array[] = []
    const sniff: Sniff = (head, whole) => {
      assert.equal(Buffer.from(whole ?? head).toString(), 'a secret')
      seen.push(head, whole ?? head)
      return { kind: 'zip', type: 'application/zip' }
    }
    detectType(
      sniff,
      chunks.map((chunk) => Buffer.from(chunk)),
      { fileName: 'a', declaredType: null },
    )
    assert.equal(seen.length, 4)
    for (const bytes of seen) assert.equal(Buffer.from(bytes).toString(), left)
  }
})
