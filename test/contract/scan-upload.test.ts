/** Malformed uploads over a raw socket: never a 500. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createKey, listKeys, rawRequest, revokeKey, sendOne, UNKNOWN_KEY } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type RawResponse, send } from '#test/support/raw-http.ts'
import {
  assertClean,
  BOUNDARY,
  FORM_TYPE,
  filePart,
  form,
  part,
  type ScanService,
  startScanService,
  textOf,
} from '#test/support/scanning.ts'

let service: ScanService
let key: string
before(async () => {
  service = await startScanService()
  key = await service.newKey()
})
after(() => service[Symbol.asyncDispose]())

const GOOD = form(filePart('Good morning'))

interface Upload {
  lines?: string[]
  type?: string | null
  body?: Buffer | string
  path?: string
}

/** Without a key. */
function bare({ lines = [], type = FORM_TYPE, body = GOOD, path = '/api/v1/scan' }: Upload): Promise<RawResponse> {
  const bytes = Buffer.from(body)
  const all = [...(type === null ? [] : [`Content-Type: ${type}`]), `Content-Length: ${bytes.length}`, ...lines]
  return sendOne(service.port, rawRequest(`POST ${path}`, all, bytes), 10_000) as Promise<RawResponse>
}

const post = (upload: Upload) => bare({ ...upload, lines: [`X-API-Key: ${key}`, ...(upload.lines ?? [])] })

describe('credentials', () => {
  test('401 without a key, before any byte of the body is read', async () => {
    assertProblem(await bare({}), 401, 'unauthenticated')
    const head = rawRequest('POST /api/v1/scan', [`Content-Type: ${FORM_TYPE}`, 'Content-Length: 500000'])
    const { responses, closed } = await send(service.port, head)
    assertProblem(responses[0], 401, 'unauthenticated')
    assert.equal(closed, true)
  })

  test('401 for a key with a wrong checksum, a wrong prefix, or an unknown key', async () => {
    const wrong = [`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, key.replace('live', 'test'), UNKNOWN_KEY, 'x']
    for (const each of wrong) {
      assertProblem(await bare({ lines: [`X-API-Key: ${each}`] }), 401, 'unauthenticated')
      assertProblem(await bare({ lines: [`Authorization: Bearer ${each}`] }), 401, 'unauthenticated')
    }
  })

  test('401 for a revoked key, with the same detail as for an unknown one', async () => {
    const { apiKey, id } = await createKey(service.port, key)
    assertClean(await service.scan(apiKey, 'x'))
    assert.ok((await listKeys(service.port, key)).some((each) => each.id === id))
    assert.equal((await revokeKey(service.port, key, id)).status, 204)
    const revoked = assertProblem(await bare({ lines: [`X-API-Key: ${apiKey}`] }), 401, 'unauthenticated')
    const unknown = assertProblem(await bare({ lines: [`X-API-Key: ${UNKNOWN_KEY}`] }), 401, 'unauthenticated')
    assert.equal(revoked.detail, unknown.detail)
  })

  test('401 for a key in the URL, which is not logged', async () => {
    assertProblem(await bare({ path: `/api/v1/scan?api_key=${key}` }), 401, 'unauthenticated')
    assert.ok(!service.output().includes(key))
  })

  test('200 for a key with an invalid session cookie, which is ignored', async () => {
    assertClean(await post({ lines: ['Cookie: docvet_session=nonsense'] }))
  })
})

describe('the Content-Type of the request', () => {
  const types: Record<string, string | null> = {
    'no Content-Type': null,
    'application/octet-stream': 'application/octet-stream',
    'multipart/mixed': `multipart/mixed; boundary=${BOUNDARY}`,
    'application/json': 'application/json',
  }
  for (const [what, type] of Object.entries(types)) {
    test(`415 for ${what}`, async () => {
      assertProblem(await post({ type }), 415, 'unsupported_content_type')
    })
  }
  const boundaries: Record<string, string> = {
    'no boundary': 'multipart/form-data',
    'an empty boundary': 'multipart/form-data; boundary=',
    'an empty boundary in quotes': 'multipart/form-data; boundary=""',
    'a boundary of 300 characters': `multipart/form-data; boundary=${'b'.repeat(300)}`,
    'a boundary of 71 characters': `multipart/form-data; boundary=${'b'.repeat(71)}`,
    'two boundaries': `${FORM_TYPE}; boundary=other`,
  }
  for (const [what, type] of Object.entries(boundaries)) {
    test(`400 for ${what}`, async () => {
      assertProblem(await post({ type }), 400, 'malformed_multipart')
    })
  }
  test('415 for a compressed request body', async () => {
    for (const encoding of ['gzip', 'br', 'gzip, identity']) {
      const answer = await post({ lines: [`Content-Encoding: ${encoding}`] })
      assertProblem(answer, 415, 'unsupported_content_type')
    }
    assertClean(await post({ lines: ['Content-Encoding: identity'] }))
  })
})

const field = (name: string, value = '') => part([`Content-Disposition: form-data; name="${name}"`], value)
const disposition = (rest: string) => form(part([`Content-Disposition: form-data; name="file"; ${rest}`], 'x'))
const lines = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: x`)
const FILE_LINE = 'Content-Disposition: form-data; name="file"; filename="a.txt"'

describe('400 for a malformed form', () => {
  const bodies: Record<string, [string, Buffer | string]> = {
    'another boundary': ['malformed_multipart', String(GOOD).replaceAll(BOUNDARY, 'other-boundary')],
    'no body at all': ['missing_file', ''],
    'only the closing boundary': ['missing_file', form()],
    'no closing boundary': ['malformed_multipart', filePart('Good morning')],
    'cut in a header': ['malformed_multipart', GOOD.subarray(0, BOUNDARY.length + 20)],
    'cut in the data': ['malformed_multipart', GOOD.subarray(0, GOOD.indexOf('morning'))],
    'cut in the last boundary': ['malformed_multipart', GOOD.subarray(0, -5)],
    'a part header that begins with a space': ['malformed_multipart', form(part([` ${FILE_LINE}`], 'x'))],
    'no Content-Disposition': ['malformed_multipart', form(part(['Content-Type: text/plain'], 'x'))],
    'no headers': ['malformed_multipart', form(part([], 'x'))],
    'line ends of one character': ['malformed_multipart', String(GOOD).replaceAll('\r\n', '\n')],
    'the field file without a filename': ['missing_file', form(field('file', 'x'))],
    'a file in another field': ['missing_file', form(filePart('x', { name: 'document' }))],
    'two files': ['too_many_files', form(filePart('x'), filePart('y'))],
    'two files under different names': ['too_many_files', form(filePart('x'), filePart('y', { name: 'other' }))],
    '50 fields, then a file': [
      'malformed_multipart',
      form(...Array.from({ length: 50 }, (_, i) => field(`f${i}`)), filePart('x')),
    ],
    '50,000 empty parts': ['malformed_multipart', form(...Array<Buffer>(50_000).fill(field('a')))],
    'a field of 100 kB': ['malformed_multipart', form(field('note', 'x'.repeat(100_000)), filePart('x'))],
    'a field named __proto__': ['malformed_multipart', form(field('__proto__', 'x'), filePart('x'))],
    'a field named constructor': ['malformed_multipart', form(field('constructor', 'x'), filePart('x'))],
    'a part header of 100 kB': ['malformed_multipart', form(part([FILE_LINE, `X-A: ${'b'.repeat(100_000)}`], 'x'))],
    '5,000 part headers': ['malformed_multipart', form(part([FILE_LINE, ...lines(5_000)], 'x'))],
    '20 small part headers': ['malformed_multipart', form(part([FILE_LINE, ...lines(20)], 'x'))],
    'filename and filename* that differ': [
      'malformed_multipart',
      disposition(`filename="a.txt"; filename*=UTF-8''b.txt`),
    ],
    'filename* in a bad charset': ['malformed_multipart', disposition(`filename*=martian''a.txt`)],
    'filename* badly encoded': ['malformed_multipart', disposition(`filename*=UTF-8''a%zz.txt`)],
    'a filename of 70 kB': ['malformed_multipart', form(filePart('x', { fileName: 'n'.repeat(70_000) }))],
    'NUL in the file name': ['malformed_multipart', disposition('filename="a\0b.txt"')],
    'a little junk before': ['malformed_multipart', Buffer.concat([Buffer.from('x\r\n'), GOOD])],
    'a little junk after': ['malformed_multipart', Buffer.concat([GOOD, Buffer.from('x\r\n')])],
    'a field of octets': [
      'malformed_multipart',
      form(part(['Content-Disposition: form-data; name="a"', 'Content-Type: application/octet-stream']), filePart('x')),
    ],
    'much junk before': ['malformed_multipart', Buffer.concat([textOf(50_000), Buffer.from('\r\n'), GOOD])],
    'much junk after': ['malformed_multipart', Buffer.concat([GOOD, textOf(50_000)])],
    'an empty file': ['empty_file', form(filePart(''))],
    'a document in base64': [
      'malformed_multipart',
      form(part([FILE_LINE, 'Content-Transfer-Encoding: base64'], 'eA==')),
    ],
    'a form in the form': ['malformed_multipart', form(part([FILE_LINE, 'Content-Type: multipart/mixed; boundary=b']))],
  }
  for (const [what, [code, body]] of Object.entries(bodies)) {
    test(`${code} for ${what}`, async () => {
      assertProblem(await post({ body }), 400, code)
    })
  }
})

describe('file names', () => {
  const raw = (bytes: string) => Buffer.from(bytes, 'latin1')
  const names: Record<string, [Buffer, string]> = {
    '../../etc/passwd': [raw('../../etc/passwd'), 'passwd'],
    'C:\\x\\a.exe': [raw('C:\\x\\a.exe'), 'a.exe'],
    'with a control character': [raw('a\x01b.txt'), 'ab.txt'],
    'with RLO': [Buffer.from('invoice\u202efdp.exe'), 'invoicefdp.exe'],
    'no UTF-8': [raw('a\xff\xfeb.txt'), 'a\ufffd\ufffdb.txt'],
    '%0d%0a': [raw('a%0d%0aX-Evil: 1.txt'), 'a%0d%0aX-Evil: 1.txt'],
    '<script>': [raw('<script>.txt'), '<script>.txt'],
    '=cmd()': [raw("=cmd|' C'!A0"), "=cmd|' C'!A0"],
  }
  for (const [what, [name, shown]] of Object.entries(names)) {
    test(`200 for ${what}, shown as ${JSON.stringify(shown)}`, async () => {
      const [before, behind] = String(GOOD).split('a.txt') as [string, string]
      const answer = await post({ body: Buffer.concat([Buffer.from(before), name, Buffer.from(behind)]) })
      assert.equal(assertClean(answer).fileName, shown)
    })
  }
  test('200 for filename* alone, and with an equal filename', async () => {
    for (const rest of [
      `filename*=UTF-8''r%C3%A9sum%C3%A9.txt`,
      `filename="résumé.txt"; filename*=utf-8''r%C3%A9sum%C3%A9.txt`,
    ]) {
      assert.equal(assertClean(await post({ body: disposition(rest) })).fileName, 'résumé.txt')
    }
  })
})

test('200 for line ends before and after the form, which are not part of the document', async () => {
  const body = Buffer.concat([Buffer.from('\r\n'), GOOD, Buffer.from('\r\n')])
  assert.equal(assertClean(await post({ body })).fileSize, 12)
})

test('200 for one byte', async () => {
  assert.equal(assertClean(await post({ body: form(filePart('x')) })).fileSize, 1)
})

test('no refusal was charged, and no response was a 500', async () => {
  const payer = await service.newKey()
  for (const body of ['', filePart('x'), form(filePart('')), form(filePart('x'), filePart('y'))]) {
    await bare({ body, lines: [`X-API-Key: ${payer}`] })
  }
  assert.equal(await service.used(payer), 0)
  const requests = service.stdoutLines().map((line) => JSON.parse(line) as { status?: number; level: string })
  assert.deepEqual(
    requests.filter(({ status = 0, level }) => status >= 500 || level === 'error'),
    [],
  )
})
