/** Refusals before the body is read. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { BODY_BYTES_MAX, isAcceptableHead, parseHead } from './intake.ts'

const HEADERS = { 'content-type': 'multipart/form-data; boundary=b' }
const refusal = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code

describe('parseHead', () => {
  test('returns boundary and length', () => {
    assert.deepEqual(parseHead({ ...HEADERS, 'content-length': '17' }), { boundary: 'b', declaredBytes: 17 })
    assert.deepEqual(parseHead({ ...HEADERS, 'content-encoding': 'Identity' }), {
      boundary: 'b',
      declaredBytes: null,
    })
  })
  test('413 for a body that is too long for any accepted document', () => {
    assert.equal(DOCUMENT_BYTES_MAX, 26_214_400)
    assert.equal(BODY_BYTES_MAX, 26_214_400 + 65_536)
    assert.equal(parseHead({ ...HEADERS, 'content-length': `${BODY_BYTES_MAX}` }).declaredBytes, BODY_BYTES_MAX)
    for (const length of [`${BODY_BYTES_MAX + 1}`, '30000000', '99999999999999999999']) {
      assert.throws(() => parseHead({ ...HEADERS, 'content-length': length }), refusal('file_too_large'))
    }
  })
  test('415 for a body that is not multipart or is compressed', () => {
    const types = [undefined, 'application/octet-stream', 'multipart/mixed; boundary=b', 'application/json']
    for (const type of types) {
      assert.throws(() => parseHead({ 'content-type': type }), refusal('unsupported_content_type'))
    }
    assert.throws(() => parseHead({ ...HEADERS, 'content-encoding': 'gzip' }), refusal('unsupported_content_type'))
  })
  test('400 for an invalid boundary', () => {
    for (const boundary of ['', '; boundary=', `; boundary=${'x'.repeat(300)}`]) {
      const headers = { 'content-type': `multipart/form-data${boundary}` }
      assert.throws(() => parseHead(headers), refusal('malformed_multipart'))
    }
  })
  test('isAcceptableHead is false for all of them', () => {
    const lengthOf = (bytes: number) => ({ ...HEADERS, 'content-length': `${bytes}` })
    assert.deepEqual([HEADERS, lengthOf(BODY_BYTES_MAX)].map(isAcceptableHead), [true, true])
    const refused = [{}, { ...HEADERS, 'content-encoding': 'gzip' }, { 'content-type': 'multipart/form-data' }]
    assert.deepEqual([...refused, lengthOf(BODY_BYTES_MAX + 1)].map(isAcceptableHead), [false, false, false, false])
  })
  test('415 before 413 before 400', () => {
    const large = { 'content-length': '30000000' }
    assert.throws(() => parseHead({ ...large, 'content-type': 'text/plain' }), refusal('unsupported_content_type'))
    assert.throws(
      () => parseHead({ ...large, ...HEADERS, 'content-encoding': 'br' }),
      refusal('unsupported_content_type'),
    )
    assert.throws(() => parseHead({ ...large, 'content-type': 'multipart/form-data' }), refusal('file_too_large'))
  })
})
