/** POST /api/v1/signup. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertFields, KEY, newEmail, signUp, UUID, usage, withKey } from '#test/support/client.ts'
import { assertApiHeaders, assertProblem, fieldsOf } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

const post = (body: unknown, headers = {}): Promise<Answer> =>
  request(service.port, 'POST', '/api/v1/signup', { body, headers })

/** An address of exactly this length, with labels of at most 63 characters. */
function emailOfLength(length: number, local = 'a'): string {
  const domain = length - local.length - 1
  const labels = 'd'.repeat(domain).replace(/d{63}d/g, `${'d'.repeat(63)}.`)
  const email = `${local}@${labels.slice(0, -4)}.com`
  assert.equal(email.length, length)
  return email
}

/** Written from the specification of the format, not from the code. */
function checksum(text: string): string {
  let crc = 0xffffffff
  for (const byte of Buffer.from(text, 'ascii')) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  let rest = (crc ^ 0xffffffff) >>> 0
  let encoded = ''
  for (let i = 0; i < 6; i++) {
    encoded = digits[rest % 62]! + encoded
    rest = Math.floor(rest / 62)
  }
  return encoded
}

describe('a new address', () => {
  test('201 with the account, the free plan and a key that works; no other fields', async () => {
    const answer = await post({ email: 'Ada.Lovelace@Example.com' })
    assert.equal(answer.status, 201)
    assertApiHeaders(answer)
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    const account = answer.json() as { apiKey: string; keyPrefix: string }
    assertFields(account, {
      accountId: UUID,
      email: 'Ada.Lovelace@Example.com',
      plan: 'free',
      apiKey: KEY,
      keyPrefix: /^dv_live_[0-9A-Za-z]{4}$/,
    })
    assert.equal(account.keyPrefix, account.apiKey.slice(0, 12))
    assert.equal((await usage(service.port, withKey(account.apiKey))).status, 200)
  })

  test('201 with a key whose last six characters are its CRC-32 in base 62', async () => {
    for (let i = 0; i < 5; i++) {
      const { apiKey } = await signUp(service.port)
      assert.equal(apiKey.slice(-6), checksum(apiKey.slice(0, -6)))
    }
  })

  test('201 with a new id and a new key each time', async () => {
    const accounts = await Promise.all(Array.from({ length: 20 }, () => signUp(service.port)))
    assert.equal(new Set(accounts.map(({ accountId }) => accountId)).size, 20)
    assert.equal(new Set(accounts.map(({ apiKey }) => apiKey)).size, 20)
  })

  test('201 regardless of any credentials', async () => {
    const headers = { 'x-api-key': 'dv_live_nonsense', authorization: 'Bearer other', cookie: 'docvet_session=x' }
    assert.equal((await post({ email: newEmail() }, headers)).status, 201)
  })

  test('201 with the address trimmed', async () => {
    const email = newEmail()
    const answer = await post({ email: ` \t${email}  ` })
    assert.equal((answer.json() as { email: string }).email, email)
    assertProblem(await post({ email }), 409, 'email_taken')
  })

  for (const email of [
    emailOfLength(254),
    emailOfLength(150, 'l'.repeat(64)),
    'ada+docvet@sub.example.co.uk',
    "o'brien--or'1'='1@example.com",
    '!#$%&*/=?^_`{|}~@example.com',
    '1@2.example',
    'x@xn--bcher-kva.example',
  ]) {
    test(`201 for ${email.length > 60 ? `an address of ${email.length} characters` : email}, unchanged`, async () => {
      const answer = await post({ email })
      assert.equal(answer.status, 201, answer.body)
      assert.equal((answer.json() as { email: string }).email, email)
    })
  }

  test('201 for 254 characters with spaces around them', async () => {
    assert.equal((await post({ email: `  ${emailOfLength(254, 'spaced')}  ` })).status, 201)
  })
})

describe('a taken address', () => {
  test('409 email_taken regardless of case', async () => {
    await signUp(service.port, 'Grace.Hopper@Example.com')
    for (const email of ['Grace.Hopper@Example.com', 'grace.hopper@example.com', ' GRACE.HOPPER@EXAMPLE.COM ']) {
      assert.deepEqual(fieldsOf(assertProblem(await post({ email }), 409, 'email_taken')), ['email'])
    }
  })

  test('409 without changing the existing account', async () => {
    const { email, apiKey } = await signUp(service.port)
    const refused = await post({ email })
    assertProblem(refused, 409, 'email_taken')
    assert.doesNotMatch(refused.body, /dv_live_/)
    assert.equal((await usage(service.port, withKey(apiKey))).status, 200)
  })

  test('one 201 and nineteen 409 for twenty concurrent sign-ups', async () => {
    const email = newEmail()
    const variants = Array.from({ length: 20 }, (_, i) => (i % 2 ? email.toUpperCase() : email))
    const answers = await Promise.all(variants.map((variant) => post({ email: variant })))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 201)) assertProblem(answer, 409, 'email_taken')
  })
})

describe('an invalid address', () => {
  const REFUSED: Record<string, unknown> = {
    '255 characters': emailOfLength(255),
    '300 characters': emailOfLength(300),
    '60,000 characters': `${'a'.repeat(60_000)}@example.com`,
    'a local part of 65 characters': `${'l'.repeat(65)}@example.com`,
    'a label of 64 characters': `a@${'d'.repeat(64)}.com`,
    'the empty text': '',
    'only spaces': '   ',
    'no at sign': 'example.com',
    'no local part': '@example.com',
    'no domain': 'ada@',
    'a domain without a dot': 'ada@localhost',
    'an empty label': 'ada@example..com',
    'a dot at the end': 'ada@example.com.',
    'a dot at the start': '.ada@example.com',
    'two dots': 'a..da@example.com',
    'two at signs': 'ada@x@example.com',
    'a space inside': 'ada lovelace@example.com',
    'a hyphen at the end of a label': 'ada@example-.com',
    'an address literal': 'ada@[127.0.0.1]',
    'a display name': 'Ada <ada@example.com>',
    'a list': 'ada@example.com,eve@example.com',
    'a comment': 'ada(comment)@example.com',
    'a quoted local part': '"ada"@example.com',
    'a quoted local part with an at sign': '"ada@eve"@example.com',
    'an escaped character': 'ada\\@eve@example.com',
    'a line break and a header': 'ada@example.com\r\nBcc: eve@example.com',
    'a line break in the local part': 'ada\n@example.com',
    'a line break in the domain': 'ada@exam\r\nple.com',
    'a zero byte': 'ada\0@example.com',
    'a bidirectional control': 'ada\u202e@example.com',
    'a zero-width space': 'a\u200bda@example.com',
    'an international domain': 'ada@bücher.example',
    'an international local part': 'ädä@example.com',
    'a Cyrillic letter that looks Latin': 'аda@example.com',
    'a full-width at sign': 'ada＠example.com',
    'half of a surrogate pair': 'ada\ud800@example.com',
  }
  for (const [what, email] of Object.entries(REFUSED)) {
    test(`400 naming the field for ${what}`, async () => {
      assert.deepEqual(fieldsOf(assertProblem(await post({ email }), 400, 'invalid_request')), ['email'])
    })
  }

  test('400 naming the required field if it is missing', async () => {
    const { errors, detail } = assertProblem(await post({}), 400, 'invalid_request')
    assert.deepEqual(errors, [{ field: 'email', message: 'is required' }])
    assert.match(detail, /email/)
  })

  test('400 for a query', async () => {
    const answer = await request(service.port, 'POST', '/api/v1/signup?plan=pro', { body: { email: newEmail() } })
    assert.deepEqual(fieldsOf(assertProblem(answer, 400, 'invalid_request')), ['plan'])
  })

  test('an address is still available after a rejected sign-up', async () => {
    const email = newEmail()
    assertProblem(await post({ email, plan: 'pro' }), 400, 'invalid_request')
    assert.equal((await signUp(service.port, email)).plan, 'free')
  })
})
