import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import {
  checkPassword,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  PRODUCT_AFFIX_MAX,
  readCommonPasswords,
} from './password-rules.ts'

const EMAIL = 'Ada.Lovelace@example.com'
const accept = (password: string, email = EMAIL) => checkPassword(password, email)

function refuse(password: string, message: RegExp, email = EMAIL) {
  assert.throws(
    () => checkPassword(password, email),
    (error) => {
      assert.ok(error instanceof AppError)
      assert.equal(error.code, 'invalid_request')
      assert.equal(error.errors?.length, 1)
      assert.equal(error.errors?.[0]?.field, 'password')
      assert.match(error.errors?.[0]?.message ?? '', message)
      assert.match(error.message, /8 to 256 characters/, 'says what is allowed')
      return true
    },
    JSON.stringify(password),
  )
}

describe('the length of a password', () => {
  test('has the documented limits', () => {
    assert.deepEqual([PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX], [8, 256])
  })

  test('is accepted from 8 to 256 and rejected otherwise', () => {
    accept('kx7#mQ2z')
    accept('é'.repeat(256))
    refuse('kx7#mQ2', /must have 8 to 256 characters$/)
    refuse('é'.repeat(257), /must have 8 to 256 characters$/)
    refuse('', /must have/)
    refuse('x'.repeat(60_000), /must have/)
  })

  test('is counted in code points: an emoji is one, not two', () => {
    accept('🦉'.repeat(8))
    refuse('🦉'.repeat(7), /must have/)
    accept('🦉'.repeat(256))
    refuse('🦉'.repeat(257), /must have/)
  })

  test('counts spaces anywhere and does not normalise the text', () => {
    accept('  kx7#  ')
    refuse('  kx7# ', /must have/)
    // Seven visible characters, fourteen code points.
    accept('e\u0301'.repeat(7))
    accept('nul\0\0\0\0\0')
  })
})

test('an unpaired surrogate is rejected anywhere; a pair is accepted', () => {
  for (const broken of ['\ud83eabcdefgh', 'abcd\udd89efgh', 'abcdefgh\ud83e', '\udd89\ud83eabcdefgh']) {
    refuse(broken, /well-formed Unicode/)
  }
  accept('\ud83e\udd89abcdefgh')
  // The replacement character is an ordinary character.
  accept('\ufffdabcdefgh')
})

describe('common passwords', () => {
  const common = readCommonPasswords()

  test('are 3,000 different ones in lower case, each long enough to be a password', () => {
    assert.equal(common.length, 3_000)
    assert.equal(new Set(common).size, 3_000)
    for (const password of common) {
      const { length } = [...password]
      assert.ok(length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX, password)
      assert.equal(password, password.toLowerCase())
      assert.ok(password.isWellFormed())
    }
  })

  test('start with the best-known ones', () => {
    assert.deepEqual(common.slice(0, 3), ['password', '12345678', '123456789'])
    for (const known of ['qwertyuiop', 'iloveyou', 'password123', 'p@ssw0rd', '00000000', 'jennifer', 'trustno1']) {
      assert.ok(common.includes(known), known)
    }
  })

  test('are all rejected, ignoring letter case', () => {
    for (const password of common) refuse(password, /too common/)
    refuse('PASSWORD', /too common/)
    refuse('P@ssw0rd', /too common/)
    refuse('QwertyUIOP', /too common/)
  })

  test('are accepted with characters added', () => {
    accept('password 🦉')
    accept(' password')
    accept('trustno1trustno1')
  })

  test('do not include the comments of the list', () => {
    assert.ok(common.every((password) => !password.startsWith('#')))
    accept('# Permission is hereby granted')
  })
})

describe('the e-mail address', () => {
  test('is rejected as a whole and up to the @, ignoring letter case and surrounding spaces', () => {
    for (const email of [EMAIL, EMAIL.toLowerCase(), `  ${EMAIL}\n`]) {
      refuse('ada.lovelace@example.com', /e-mail address/, email)
      refuse('ADA.LOVELACE@EXAMPLE.COM', /e-mail address/, email)
      refuse('ada.lovelace', /e-mail address/, email)
      refuse('Ada.Lovelace', /e-mail address/, email)
    }
  })

  test('reports a local part of 8 characters as such, and one of 7 as too short', () => {
    refuse('adalovel', /e-mail address/, 'adalovel@example.com')
    refuse('adalove', /must have/, 'adalove@example.com')
  })

  test('is accepted inside a longer password, and so is its domain', () => {
    accept('ada.lovelace wrote this')
    accept('example.com')
    accept('ada.lovelace', 'ada.lovelace2@example.com')
  })
})

describe('the product name', () => {
  test('is rejected with digits and punctuation, repeated, and with common substitutions', () => {
    for (const password of [
      'docvet123',
      'docvet2026!',
      'Docvet2026!',
      'DOCVET!!',
      '123docvet',
      '12docvet34',
      'docvetdocvet',
      'Docvet-Docvet',
      'd0cv3t2020',
      'docvet 1',
    ]) {
      refuse(password, /name of this service/)
    }
    refuse('docvet', /must have/)
  })

  test(`is rejected with up to ${PRODUCT_AFFIX_MAX} other characters`, () => {
    refuse(`docvet${'83024417'}`, /name of this service/)
    accept(`docvet${'830244179'}`)
    refuse(`8302docvet4417docvet`, /name of this service/)
    accept(`8302docvet44179docvet`)
    refuse(`docvet${'🦉'.repeat(8)}`, /name of this service/)
    accept(`docvet${'🦉'.repeat(9)}`)
  })

  test('is accepted with other letters', () => {
    accept('docvet owl')
    accept('mydocvet1')
    accept('docvetы12')
  })
})
