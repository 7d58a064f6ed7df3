/** Accepted documents, by declared type and by content. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { sniff } from '#inspect/detect/sniff.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { checkDeclaredType, detectType, HEAD_BYTES, passesByHead } from './document-type.ts'
import { PassedContent } from './verdict.ts'

const detect = (chunks: readonly Buffer[], fileName = 'a', declaredType: string | null = null) =>
  detectType(sniff, chunks, { fileName, declaredType })

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
  test('is accepted unless it is plainly no document, in any case and with parameters', () => {
    for (const type of [
      null,
      '',
      'application/octet-stream',
      'Text/Plain; charset=utf-8',
      'foo/bar',
      'image/svg+xml',
    ]) {
      checkDeclaredType(type)
    }
  })

  test('is named when it is refused', () => {
    for (const [type, named] of [
      ['video/mp4', 'video/mp4'],
      ['Image/PNG; a=b', 'image/png'],
      ['image/x-foo+bar.baz', 'image/x-foo+bar.baz'],
      ['application/x-msdownload', 'application/x-msdownload'],
    ] as const) {
      const detail = refused(() => checkDeclaredType(type))
      assert.ok(detail.startsWith(`The declared type \`${named}\` is not accepted.`), detail)
    }
  })

  test('is not repeated when it could mislead a reader', () => {
    for (const type of ['image/<script>', 'image/b c', 'image/\u202eb', `image/${'b'.repeat(100)}`]) {
      const detail = refused(() => checkDeclaredType(type))
      assert.match(detail, /^The declared type is not accepted\./)
      assert.ok(!detail.includes(type))
    }
  })
})

describe('the content', () => {
  const zip = writeZip([{ name: 'a.txt', data: 'Good morning' }])

  test('is searched for in the whole document when its head is of no known type: a ZIP behind a stub', () => {
    const stub = Buffer.alloc(20_000)
    assert.match(
      refused(() => detect([stub])),
      /is not accepted/,
    )
    assert.equal(detect([stub, zip]).kind, 'zip')
  })

  test('is joined when it arrives in small chunks', () => {
    assert.equal(detect(Array.from(zip, (byte) => Buffer.from([byte]))).kind, 'zip')
    assert.equal(detect([Buffer.from('%P'), Buffer.from('DF-1.7\n')]).kind, 'pdf')
  })
})

describe('a program', () => {
  const program = [Buffer.from(`MZ${'\0'.repeat(200)}`)]
  test('passes under the name or declared type of a document, because the engines report it', () => {
    for (const [name, type] of [
      ['invoice.pdf', null],
      ['Invoice.DOCX ', 'application/octet-stream'],
      ['invoice.pdf   .exe', null],
      ['setup.exe', 'application/pdf'],
      ['a', 'Text/Plain; charset=utf-8'],
    ] as const)
      assert.equal(detect(program, name, type).kind, null)
  })
  test('is refused under its own name, and so is other content under the name of a document', () => {
    for (const name of ['setup.exe', 'pdf', 'a.pdfx', 'document', 'pdf.exe']) refused(() => detect(program, name))
    refused(() => detect([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')], 'a.pdf', 'application/pdf'))
  })
})

describe('content that is no document', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
  const ELF = Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(200)])
  const text: { fileName: string; declaredType: string | null } = { fileName: 'stream', declaredType: null }
  const other = (content: Buffer, pass: string[], isInspected: boolean, claim = text) =>
    detectType(sniff, [content], claim, { pass, isInspected })

  test('passes if its family is named, by content and never by name', () => {
    assert.throws(() => other(PNG, ['image'], true), PassedContent)
    assert.throws(() => other(PNG, ['audio', 'image'], false), PassedContent)
    refused(() => other(ELF, ['image'], false, { fileName: 'a.png', declaredType: 'image/png' }))
    assert.equal(other(Buffer.from('Good morning'), ['image'], false).isOther, false)
  })

  test('is inspected if the policy says so, and refused otherwise', () => {
    assert.deepEqual(other(PNG, ['audio'], true), { kind: null, type: 'image/png', isOther: true })
    assert.equal(other(ELF, [], true).isOther, true)
    refused(() => other(PNG, ['audio'], false))
  })

  test('under the name of a document is still a disguise', () => {
    const claim = { fileName: 'invoice.pdf', declaredType: null }
    assert.equal(other(ELF, ['image'], true, claim).isOther, false)
  })
})

describe('the first bytes of content', () => {
  const png = Buffer.alloc(HEAD_BYTES)
  png.write('\x89PNG\r\n\x1a\n', 'latin1')
  const withPdf = Buffer.from(png)
  withPdf.write('%PDF-1.7', 1_024)
  for (const [what, head, expected] of [
    ['a picture', png, true],
    ['a picture that is too short to be sure', png.subarray(0, HEAD_BYTES - 1), false],
    ['a picture that is a PDF too', withPdf, false],
    ['text', Buffer.alloc(HEAD_BYTES, 'Good morning. '), false],
    ['a program', Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(HEAD_BYTES)]), false],
  ] as const) {
    test(`${what}: ${expected ? 'passes' : 'does not pass'}`, () => {
      assert.equal(passesByHead(sniff, head, ['image', 'video']), expected)
    })
  }
  test('pass only if their family is named', () => {
    assert.equal(passesByHead(sniff, png, ['video']), false)
  })
})
