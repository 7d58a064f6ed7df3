import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { passwordsIn, textOfPage } from './passwords.ts'

const TRIED = 20

suite('a password in the text of a mail', () => {
  const cases: Record<string, string> = {
    'Password: Xy7!kq': 'Xy7!kq',
    'The password for the attached archive is 4711.': '4711',
    'The archive password is "open sesame", thank you.': 'open sesame',
    'Das Passwort lautet: Sommer2026': 'Sommer2026',
    'Kennwort zum Öffnen der Datei ist «rechnung»': 'rechnung',
    'Mot de passe : azerty12': 'azerty12',
    'La contraseña es 2026abc.': '2026abc',
    'Пароль: 5678': '5678',
    'Пароль к архиву - qwe_123': 'qwe_123',
    '密码：a8b9': 'a8b9',
    'PIN\r\n\r\n  9931\r\n': '9931',
    'Use 77341 as password to open it.': '77341',
    'pw=infected': 'infected',
    'code (for the zip file): [Q2-2026]': 'Q2-2026',
    'password: secret!': 'secret!',
  }
  for (const [text, password] of Object.entries(cases))
    test(text.trim(), () => assert.ok(passwordsIn(text).slice(0, TRIED).includes(password), `${passwordsIn(text)}`))

  test('is found in a page', () => {
    const page = '<style>p { color: red }</style><p>Pass&shy;word &#80;assword:&nbsp;<b>1234</b></p>'
    assert.equal(passwordsIn(textOfPage(page))[0], '1234')
  })

  test('the word after a colon is the first', () => {
    assert.equal(passwordsIn('Your code of conduct, your key people. The password: abc')[0], 'abc')
  })

  test('a text without such a word has none', () => {
    assert.deepEqual(passwordsIn('Dear Anna, see you at 10:30. Compassion and barcode 4711.'), [])
  })

  test('hostile texts take little time', () => {
    for (const piece of ['pin ', 'password:', 'pin "', '<style>', 'пароль '])
      assertCheap(() => passwordsIn(textOfPage(piece.repeat(100_000 / piece.length))), piece)
  })
})
