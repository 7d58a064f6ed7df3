/** POST /api/v1/text, and the hidden text in the response of a scan. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CONCEALED, HIDING_CASES, VISIBLE, wordDocument } from '#inspect/testing/hidden-texts.ts'
import { lockAgile } from '#inspect/testing/office-lock.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { withKey } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { FORM_TYPE, filePart, form, type ScanService, startScanService } from '#test/support/scanning.ts'

let service: ScanService
let key: string
before(async () => {
  service = await startScanService()
  key = await service.newKey()
})
after(() => service[Symbol.asyncDispose]())

const send = (path: string, bytes: Uint8Array | string, headers: Record<string, string> = {}): Promise<Answer> =>
  request(service.port, 'POST', path, {
    headers: { ...withKey(key), 'content-type': FORM_TYPE, ...headers },
    body: form(filePart(Buffer.from(bytes), { fileName: 'a.bin', type: 'application/octet-stream' })),
  })
const textOf = (bytes: Uint8Array | string, headers?: Record<string, string>) => send('/api/v1/text', bytes, headers)
const JSON_TYPE = { accept: 'application/json' }
const plain = (text: string): string => text.replace(/\s+/g, ' ')
const [WHITE] = HIDING_CASES.filter(({ name }) => name === 'Word: white')

describe('the visible text', () => {
  test('has every visible sentence and no hidden one, for every way of hiding', async () => {
    for (const { name, bytes } of HIDING_CASES) {
      const { status, headers, body } = await textOf(bytes)
      assert.equal(status, 200, `${name}: ${body}`)
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
      assert.ok(plain(body).includes(VISIBLE), name)
      assert.ok(!plain(body).includes('previous instructions'), name)
    }
  })

  test('as JSON has pages and what was left out', async () => {
    const { status, headers, body } = await textOf(WHITE?.bytes ?? '', JSON_TYPE)
    assert.equal(status, 200)
    const { scanId, ...text } = JSON.parse(body)
    assert.equal(headers['content-location'], `/api/v1/scans/${scanId}`)
    assert.deepEqual(text, {
      pages: [{ n: 1, text: `${VISIBLE}\n\n` }],
      omitted: [{ reason: 'colour', count: 1 }],
      unread: [],
    })
  })

  test('JSON only if it is preferred', async () => {
    for (const accept of ['text/plain, application/json', '*/*', 'text/html'])
      assert.equal((await textOf('Good morning', { accept })).body, 'Good morning', accept)
  })

  test('is charged like a scan and listed, without its text', async () => {
    const own = await service.newKey()
    const headers = { ...withKey(own) }
    await textOf(WHITE?.bytes ?? '', headers)
    const usage = await request(service.port, 'GET', '/api/v1/usage', { headers })
    assert.equal(JSON.parse(usage.body).scansUsed, 1)
    const list = await request(service.port, 'GET', '/api/v1/scans', { headers })
    const [report] = JSON.parse(list.body).items
    assert.equal(report.status, 'clean')
    assert.equal(report.findings[0].id, 'Docvet.Hidden.Instructions')
    assert.equal(report.findings[0].detail, 'colour')
    assert.ok(!list.body.includes('previous'))
  })
})

describe('no text', () => {
  test('of what a scan refuses', async () => {
    assertProblem(await textOf(lockAgile(docx(), { password: 'x' })), 422, 'encrypted_document')
    assertProblem(await textOf(''), 400, 'empty_file')
    assertProblem(
      await textOf(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
      415,
      'unsupported_content_type',
    )
  })

  test('of an infected document', async () => {
    const { detail } = assertProblem(await textOf(EICAR), 422, 'infected_document')
    assert.equal(detail, 'The document is infected: Docvet.Test.Eicar.')
  })

  test('of a format whose text is not read, and of an archive with one unless as JSON', async () => {
    const old = writeOle({ streams: { WordDocument: Buffer.alloc(600) } })
    const { detail } = assertProblem(await textOf(old), 422, 'document_too_complex')
    assert.equal(detail, 'The text of this document cannot be read. No text was returned, and nothing was charged.')
    const archive = writeZip([
      { name: 'a.txt', data: Buffer.from('Good morning') },
      { name: 'old.doc', data: old },
    ])
    assertProblem(await textOf(archive), 422, 'document_too_complex')
    const { pages, unread } = JSON.parse((await textOf(archive, JSON_TYPE)).body)
    assert.deepEqual([pages, unread], [[{ n: 1, text: 'Good morning' }], ['old.doc']])
  })

  test('of more than 2,000,000 characters', async () => {
    const { body } = await textOf('a'.repeat(2_000_000))
    assert.equal(body.length, 2_000_000)
    const { detail } = assertProblem(await textOf('a'.repeat(2_000_001)), 422, 'document_too_complex')
    assert.match(detail, /^The document has more than 2,000,000 characters of text\./)
  })

  test('with an Idempotency-Key', async () => {
    assertProblem(await textOf('Good morning', { 'idempotency-key': 'a' }), 400, 'invalid_request')
  })
})

describe('the hidden text in the response of a scan', () => {
  const scan = (bytes: Uint8Array | string, query: string, headers = {}) => send(`/api/v1/scan${query}`, bytes, headers)

  test('has reason, place and text, and only if it is asked for', async () => {
    const slide = HIDING_CASES.find(({ name }) => name === 'slides: tiny')?.bytes ?? ''
    const { hiddenText } = JSON.parse((await scan(slide, '?include=hiddenText')).body)
    assert.deepEqual(hiddenText, {
      count: 1,
      spans: [{ reason: 'size', location: 'slide 2', text: CONCEALED, truncated: false }],
    })
    assert.equal(JSON.parse((await scan(slide, '')).body).hiddenText, undefined)
    assert.equal(JSON.parse((await scan(slide, '?other=1')).body).hiddenText, undefined)
    assert.deepEqual(JSON.parse((await scan('Good morning', '?include=hiddenText')).body).hiddenText, {
      count: 0,
      spans: [],
    })
  })

  test('has at most 50 texts of 500 characters', async () => {
    const hidden = (text: string) =>
      `<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>${text}</w:t></w:r></w:p><w:p><w:r><w:t>x</w:t></w:r></w:p>`
    const many = wordDocument(hidden('a'.repeat(500)) + hidden('b'.repeat(501)) + hidden('c').repeat(49))
    const { hiddenText } = JSON.parse((await scan(many, '?include=hiddenText')).body)
    assert.equal(hiddenText.count, 51)
    assert.equal(hiddenText.spans.length, 50)
    const [first, second] = hiddenText.spans
    assert.deepEqual([first.text.length, first.truncated], [500, false])
    assert.deepEqual([second.text.length, second.truncated], [500, true])
  })

  test('not with a value that is not known, nor with an Idempotency-Key', async () => {
    assertProblem(await scan('Good morning', '?include=everything'), 400, 'invalid_request')
    assertProblem(await scan('Good morning', '?include=hiddenText', { 'idempotency-key': 'a' }), 400, 'invalid_request')
  })
})
