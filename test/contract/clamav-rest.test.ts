/** POST /v2/scan, as clamav-rest answers it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { withKey } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { FILE_BYTES_MAX, type ScanService, startScanService } from '#test/support/scanning.ts'

const ENCRYPTED = writeZip([{ name: 'a.txt', data: 'Good', local: { flags: 1 }, central: { flags: 1 } }])
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')

describe('POST /v2/scan', () => {
  let service: ScanService
  let key: string
  before(async () => {
    service = await startScanService()
    key = await service.newKey()
  })
  after(() => service[Symbol.asyncDispose]())

  function post(bytes: Buffer | string, headers: Record<string, string> = withKey(key)): Promise<Answer> {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
    const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes as string), Buffer.from('\r\n--b--\r\n')])
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    return request(service.port, 'POST', '/v2/scan', { headers: { ...type, ...headers }, body })
  }

  for (const [what, bytes, status, word, fileName] of [
    ['a clean document', 'Good morning', 200, 'OK', 'a.bin'],
    ['an infected one', EICAR, 406, 'FOUND', 'a.bin'],
    ['an encrypted one', ENCRYPTED, 412, 'PARSE ERROR', ''],
    ['content that is no document', PNG, 412, 'PARSE ERROR', ''],
    ['one that is too large', Buffer.alloc(FILE_BYTES_MAX + 1, 'a'), 413, 'ERROR', ''],
  ] as const) {
    test(`${what}: ${status}`, async () => {
      const answer = await post(bytes)
      assert.equal(answer.status, status)
      const [entry, ...more] = answer.json() as Record<string, string>[]
      assert.deepEqual(more, [])
      assert.deepEqual(Object.keys(entry ?? {}), ['Status', 'Description', 'FileName'])
      assert.deepEqual([entry?.Status, entry?.FileName], [word, fileName])
      if (word === 'FOUND') assert.equal(entry?.Description, 'Docvet.Test.Eicar')
    })
  }

  test('is charged like any other scan, and only with a verdict', async () => {
    assert.equal(await service.used(key), 2)
  })

  test('without a key, and without a verdict for another reason, is a problem, never 200', async () => {
    assertProblem(await post('Good morning', {}), 401, 'unauthenticated')
    assertProblem(await post(''), 400, 'empty_file')
  })
})
