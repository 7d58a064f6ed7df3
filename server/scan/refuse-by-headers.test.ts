/** What is refused before a byte of the body is read. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { BODY_BYTES_MAX, refuseByHeaders } from './intake.ts'

const HEADERS = { 'content-type': 'multipart/form-data; boundary=b' }
const refusal = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code

describe('refuseByHeaders', () => {
  test('gives boundary and length', () => {
    assert.deepEqual(refuseByHeaders({ ...HEADERS, 'content-length': '17' }), { boundary: 'b', declaredBytes: 17 })
    assert.deepEqual(refuseByHeaders({ ...HEADERS, 'content-encoding': 'Identity' }), {
      boundary: 'b',
      declaredBytes: null,
    })
  })
  test('a body that cannot hold a file of the right size is 413', () => {
    assert.equal(DOCUMENT_BYTES_MAX, 26_214_400)
    assert.equal(BODY_BYTES_MAX, 26_214_400 + 65_536)
    assert.equal(refuseByHeaders({ ...HEADERS, 'content-length': `${BODY_BYTES_MAX}` }).declaredBytes, BODY_BYTES_MAX)
    for (const length of [`${BODY_BYTES_MAX + 1}`, '30000000', '99999999999999999999']) {
      assert.throws(() => refuseByHeaders({ ...HEADERS, 'content-length': length }), refusal('file_too_large'))
    }
  })
  test('not multipart, or compressed, is 415', () => {
    const types = [undefined, 'application/octet-stream', 'multipart/mixed; boundary=b', 'application/json']
    for (const type of types) {
      assert.throws(() => refuseByHeaders({ 'content-type': type }), refusal('unsupported_content_type'))
    }
    assert.throws(
      () => refuseByHeaders({ ...HEADERS, 'content-encoding': 'gzip' }),
      refusal('unsupported_content_type'),
    )
  })
  test('a bad boundary is 400', () => {
    for (const boundary of ['', '; boundary=', `; boundary=${'x'.repeat(300)}`]) {
      const headers = { 'content-type': `multipart/form-data${boundary}` }
      assert.throws(() => refuseByHeaders(headers), refusal('malformed_multipart'))
    }
  })
  test('415 before 413 before 400', () => {
    const large = { 'content-length': '30000000' }
    assert.throws(
      () => refuseByHeaders({ ...large, 'content-type': 'text/plain' }),
      refusal('unsupported_content_type'),
    )
    assert.throws(
      () => refuseByHeaders({ ...large, ...HEADERS, 'content-encoding': 'br' }),
      refusal('unsupported_content_type'),
    )
    assert.throws(() => refuseByHeaders({ ...large, 'content-type': 'multipart/form-data' }), refusal('file_too_large'))
  })
})
