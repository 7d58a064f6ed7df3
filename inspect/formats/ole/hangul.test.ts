/** Compressed streams of Hangul documents. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { EICAR } from '#inspect/testing/samples.ts'

const { outcome } = useInspector()

function hwp(stream: Uint8Array, flags = 1): Buffer {
  const header = Buffer.alloc(256)
  header.write('HWP Document File')
  header.writeUInt32LE(flags, 36)
  return writeOle({ streams: { FileHeader: header, Section0: deflateRawSync('text'), 'BIN0001.bin': stream } })
}

test('a compressed stream is inspected', () => {
  assert.equal(outcome(hwp(deflateRawSync(EICAR))), 'Docvet.Test.Eicar')
  assert.equal(outcome(hwp(deflateRawSync(deflateRawSync('a')))), undefined)
  assert.equal(outcome(hwp(deflateRawSync(`${EICAR}${'a'.repeat(200)}`).subarray(0, -4))), 'Docvet.Test.Eicar')
})

test('protected documents are not clean', () => {
  const stream = deflateRawSync('hello')
  for (const [flags, expected] of [
    [1, undefined],
    [3, 'encrypted'],
    [5, 'too_complex'],
  ] as const)
    assert.equal(outcome(hwp(stream, flags)), expected)
})
