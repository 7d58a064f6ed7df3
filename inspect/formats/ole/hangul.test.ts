/** Compressed streams of Hangul documents. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constants, deflateRawSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { EICAR } from '#inspect/testing/samples.ts'

const { outcome } = useInspector()

function hwp(stream: Uint8Array, flags = 1, name = 'FileHeader'): Buffer {
  const header = Buffer.alloc(256)
  header.write('HWP Document File')
  header.writeUInt32LE(flags, 36)
  return writeOle({ streams: { [name]: header, Section0: deflateRawSync('text'), 'BIN0001.bin': stream } })
}

test('a compressed stream is inspected', () => {
  assert.equal(outcome(hwp(deflateRawSync(EICAR))), 'Docvet.Test.Eicar')
  assert.equal(outcome(hwp(deflateRawSync(deflateRawSync('a')))), undefined)
  assert.equal(outcome(hwp(deflateRawSync(`${EICAR}${'a'.repeat(200)}`).subarray(0, -4))), 'Docvet.Test.Eicar')
})

test('the name of the header ignores case', () => {
  for (const name of ['FILEHEADER', 'fileHeader'])
    assert.equal(outcome(hwp(deflateRawSync(EICAR), 1, name)), 'Docvet.Test.Eicar')
})

const unfinished = deflateRawSync(EICAR, { finishFlush: constants.Z_SYNC_FLUSH })
const corrupt = Buffer.concat([unfinished, Buffer.from('07ffff', 'hex')])

test('a corrupt stream is inspected up to the fault', () => {
  assert.equal(outcome(hwp(corrupt)), 'Docvet.Test.Eicar')
  assert.equal(outcome(hwp(Buffer.alloc(900, 'hello'))), undefined)
})

test('compressed files in HWPML are inspected', () => {
  const hwpml = (data: Uint8Array, attributes = 'Compress="true" Encoding="Base64"'): string =>
    '<?xml version="1.0"?><HWPML Version="2.8"><TAIL><BINDATASTORAGE>' +
    `<BINDATA ${attributes} Id="1">${Buffer.from(data)
      .toString('base64')
      .replaceAll(/.{40}/g, '$&\n')}</BINDATA></BINDATASTORAGE></TAIL></HWPML>`
  for (const data of [deflateRawSync(EICAR), corrupt]) {
    assert.equal(outcome(Buffer.from(hwpml(data))), 'Docvet.Test.Eicar')
    assert.equal(outcome(Buffer.from(hwpml(data, ''))), 'Docvet.Test.Eicar')
    assert.equal(outcome(Buffer.from(`\ufeff${hwpml(data)}`, 'utf16le')), 'Docvet.Test.Eicar')
  }
  assert.equal(outcome(Buffer.from(hwpml(deflateRawSync('Good morning. '.repeat(50))))), undefined)
  assert.equal(outcome(Buffer.from(hwpml(Buffer.alloc(900, 'hello')))), undefined)
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
