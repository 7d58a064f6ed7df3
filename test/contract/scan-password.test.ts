/** The form field `password` of a scan. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { lockAgile } from '#inspect/testing/office-lock.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'
import { withKey } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import {
  assertClean,
  assertInfected,
  FORM_TYPE,
  filePart,
  filesWith,
  form,
  part,
  type ScanService,
  startScanService,
} from '#test/support/scanning.ts'

const PASSWORD = 'open-sesame-ü'
const LOCKED = lockAgile(docx({ 'word/media/a.bin': EICAR }), { password: PASSWORD })
const HARMLESS = lockAgile(docx(), { password: PASSWORD })

let service: ScanService
let key: string
before(async () => {
  service = await startScanService()
  key = await service.newKey()
})
after(() => service[Symbol.asyncDispose]())

const field = (value: string, name = 'password') => part([`Content-Disposition: form-data; name="${name}"`], value)
const document = (bytes: Buffer) => filePart(bytes, { fileName: 'a.docx', type: 'application/octet-stream' })
const send = (parts: Buffer[], headers: Record<string, string> = {}): Promise<Answer> =>
  request(service.port, 'POST', '/api/v1/scan', {
    headers: { ...withKey(key), 'content-type': FORM_TYPE, ...headers },
    body: form(...parts),
  })

describe('the right password opens an encrypted document', () => {
  test('before and after the file', async () => {
    assertInfected(await send([field(PASSWORD), document(LOCKED)]), 'Docvet.Test.Eicar')
    assertInfected(await send([document(LOCKED), field(PASSWORD)]), 'Docvet.Test.Eicar')
    assertClean(await send([document(HARMLESS), field(PASSWORD)]))
  })

  const NO_VERDICT = 'No verdict was delivered, and nothing was charged.'

  test('without one, 422 names the field, and the next scan is not affected', async () => {
    for (const parts of [[field('')], [field(PASSWORD, 'other')], []]) {
      const { detail, errors } = assertProblem(await send([...parts, document(LOCKED)]), 422, 'encrypted_document')
      assert.deepEqual(errors, [{ field: 'password', message: 'is required to open this document' }])
      const remedy = 'Send its password in the form field `password`, or a copy without one.'
      assert.equal(detail, `The document is password-protected. ${remedy} ${NO_VERDICT}`)
    }
  })

  test('a wrong one is 422 that says so', async () => {
    for (const wrong of ['wrong', `${PASSWORD} `]) {
      const answer = await send([field(wrong), document(LOCKED)])
      const { detail, errors } = assertProblem(answer, 422, 'encrypted_document')
      assert.deepEqual(errors, [{ field: 'password', message: 'does not open this document' }])
      assert.equal(
        detail,
        `The password in the form field \`password\` does not open this document, or only a part of it. ${NO_VERDICT}`,
      )
    }
  })

  test('encryption that no password opens here names no field', async () => {
    const mail = 'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\r\n\r\nMIIB\r\n'
    for (const parts of [[], [field(PASSWORD)]]) {
      const answer = await send([...parts, filePart(`From: a@example.com\r\nMIME-Version: 1.0\r\n${mail}`)])
      const { detail, errors } = assertProblem(answer, 422, 'encrypted_document')
      assert.equal(errors, undefined)
      assert.match(
        detail,
        /cannot open this kind of encryption, even with a password\. Send a copy that is not encrypted/,
      )
    }
  })

  test('other documents are scanned as without one', async () => {
    assertClean(await send([field(PASSWORD), filePart('Dear reader')]))
    assertInfected(await send([field(PASSWORD), filePart(EICAR)]), 'Docvet.Test.Eicar')
  })

  test('a retry with the right one succeeds under the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'again' }
    assertProblem(await send([field('wrong'), document(HARMLESS)], headers), 422, 'encrypted_document')
    assertClean(await send([field(PASSWORD), document(HARMLESS)], headers))
  })
})

test('two of them are 400', async () => {
  const answer = await send([field(PASSWORD), document(LOCKED), field('other')])
  const { errors } = assertProblem(answer, 400, 'invalid_request') as { errors?: object[] }
  assert.deepEqual(errors, [{ field: 'password', message: 'must be sent once' }])
})

test('256 characters are accepted, 257 are 400', async () => {
  const long = lockAgile(docx(), { password: 'ü'.repeat(256) })
  assertClean(await send([document(long), field('ü'.repeat(256))]))
  for (const character of ['S', 'ü', '\u{1f511}']) {
    const answer = await send([document(long), field(character.repeat(257))])
    const { errors } = assertProblem(answer, 400, 'invalid_request') as { errors?: { field: string }[] }
    assert.equal(errors?.[0]?.field, 'password', character)
  }
})

test('the password is in no log line, file or report', async () => {
  assertInfected(await send([field(PASSWORD), document(LOCKED)], { 'idempotency-key': 'kept' }), 'Docvet.Test.Eicar')
  await send([field(`${PASSWORD}${PASSWORD}`), document(LOCKED)])
  assert.doesNotMatch(service.output(), /sesame/)
  assert.deepEqual(filesWith(service.dataDir, 'sesame'), [])
})
