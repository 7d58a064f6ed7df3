import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ADDRESS_LENGTH_MAX, isAddress, parseMailbox, SENDER_NAME_LENGTH_MAX } from './address.ts'

describe('an address', () => {
  test('can have a public or a local domain', () => {
    for (const text of ['ada@example.com', 'no-reply@localhost', "o'neil+x@a-b.example", 'a.b@c.d.e']) {
      assert.ok(isAddress(text), text)
    }
  })

  test('is exactly one plain address, without names or headers', () => {
    const refused = [
      '',
      '@',
      'ada',
      '@example.com',
      'ada@',
      'ada@example.com,eve@example.com',
      'ada@example.com;eve@example.com',
      'ada@example.com eve@example.com',
      'ada@example.com\r\nBcc: eve@example.com',
      'ada@example.com\n',
      'ada\r@example.com',
      'Ada <ada@example.com>',
      '<ada@example.com>',
      '"ada"@example.com',
      'eve@example.com@example.com',
      'a..b@example.com',
      '.a@example.com',
      'ada@-example.com',
      'ada@example..com',
      'ada@[127.0.0.1]',
      'ädä@example.com',
    ]
    for (const text of refused) assert.ok(!isAddress(text), JSON.stringify(text))
  })

  test('has at most 64 characters before the @ and 254 in total', () => {
    assert.ok(isAddress(`${'a'.repeat(64)}@example.com`))
    assert.ok(!isAddress(`${'a'.repeat(65)}@example.com`))
    const domain = (length: number) => `${'a.'.repeat(120)}${'b'.repeat(length - 240)}`
    assert.equal(`a@${domain(252)}`.length, ADDRESS_LENGTH_MAX)
    assert.ok(isAddress(`a@${domain(252)}`))
    assert.ok(!isAddress(`a@${domain(253)}`))
  })
})

describe('a mailbox', () => {
  test('is an address with an optional name', () => {
    assert.deepEqual(parseMailbox('a@b.example'), { name: '', address: 'a@b.example' })
    assert.deepEqual(parseMailbox('<a@b.example>'), { name: '', address: 'a@b.example' })
    assert.deepEqual(parseMailbox('Docvet <no-reply@localhost>'), { name: 'Docvet', address: 'no-reply@localhost' })
    assert.deepEqual(parseMailbox('"Vet, Doc." <a@b>'), { name: 'Vet, Doc.', address: 'a@b' })
    assert.deepEqual(parseMailbox('Prüfer <a@b>'), { name: 'Prüfer', address: 'a@b' })
  })

  test('cannot contain a list, a line break, a header or a second address', () => {
    const refused = [
      'a@b, c@d',
      'A <a@b>, C <c@d>',
      'A <a@b> C',
      'A <a@b',
      'A a@b>',
      'c@d <a@b>',
      'A\r\nBcc: c@d <a@b>',
      'A <a@b\r\n>',
      'A <a@b>\n',
      'A, C <a@b>',
      'group: <a@b>',
      '"A <a@b>',
      '"A"C" <a@b>',
      '"A\\" <a@b>',
      'A\u202e <a@b>',
      'A\u2028B <a@b>',
    ]
    for (const text of refused) assert.equal(parseMailbox(text), null, JSON.stringify(text))
  })

  test('has a name of at most 100 characters', () => {
    const name = (length: number) => '🐕'.repeat(length)
    assert.equal(parseMailbox(`${name(SENDER_NAME_LENGTH_MAX)} <a@b>`)?.name, name(100))
    assert.equal(parseMailbox(`${name(SENDER_NAME_LENGTH_MAX + 1)} <a@b>`), null)
  })
})
