/** Which documents are accepted, by what is declared and by what the bytes are. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { DECLARED_TYPES } from '#inspect/kinds.ts'
import { sniff } from '#inspect/sniff.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { createTypeCheck } from './document-type.ts'

const types = createTypeCheck(new Set(Object.values(DECLARED_TYPES).flat()), sniff)

function refused(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'unsupported_content_type', String(error))
    return error.message
  }
  assert.fail('It was accepted')
}

describe('the declared type', () => {
  test('is accepted when it is generic, absent or on the list, in any case and with parameters', () => {
    for (const type of [null, '', 'application/octet-stream', 'Text/Plain; charset=utf-8', 'application/pdf']) {
      types.declared(type)
    }
  })

  test('is named when it is refused', () => {
    for (const [type, named] of [
      ['video/mp4', 'video/mp4'],
      ['Image/PNG; a=b', 'image/png'],
      ['application/x-foo+bar.baz', 'application/x-foo+bar.baz'],
    ] as const) {
      assert.match(
        refused(() => types.declared(type)),
        new RegExp(`declared as ${RegExp.escape(named)}, which`),
      )
    }
  })

  test('is not repeated when it could mislead a reader', () => {
    for (const type of ['nonsense', '<script>/x', 'a/b c', 'a/\u202eb', `a/${'b'.repeat(100)}`]) {
      const detail = refused(() => types.declared(type))
      assert.match(detail, /declared as a type that is not accepted/)
      assert.ok(!detail.includes(type))
    }
  })
})

describe('the content', () => {
  const zip = writeZip([{ name: 'a.txt', data: 'Good morning' }])

  test('is looked for in the whole document when its beginning tells nothing: a ZIP behind a stub', () => {
    const stub = Buffer.alloc(20_000)
    assert.match(
      refused(() => types.content([stub])),
      /looks like/,
    )
    assert.equal(types.content([stub, zip]).kind, 'zip')
  })

  test('is put together when it comes in small pieces', () => {
    assert.equal(types.content(Array.from(zip, (byte) => Buffer.from([byte]))).kind, 'zip')
    assert.equal(types.content([Buffer.from('%P'), Buffer.from('DF-1.7\n')]).kind, 'pdf')
  })
})
