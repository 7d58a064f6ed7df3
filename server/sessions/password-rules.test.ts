/** Which passwords are taken, and which are refused. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import {
  checkPassword,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  PRODUCT_DRESSING_MAX,
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
  test('has the promised limits', () => {
    assert.deepEqual([PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX], [8, 256])
  })

  test('8 and 256 are taken, 7 and 257 are not, nor none nor very many', () => {
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

  test('spaces count, wherever they stand, and nothing is composed before counting', () => {
    accept('  kx7#  ')
    refuse('  kx7# ', /must have/)
    // Seven letters as seen, fourteen as received.
    accept('e\u0301'.repeat(7))
    accept('nul\0\0\0\0\0')
  })
})

test('half of a surrogate pair is refused, wherever it stands; a whole pair is not', () => {
  for (const broken of ['\ud83eabcdefgh', 'abcd\udd89efgh', 'abcdefgh\ud83e', '\udd89\ud83eabcdefgh']) {
    refuse(broken, /whole in Unicode/)
  }
  accept('\ud83e\udd89abcdefgh')
  // The character that stands for what could not be read is a character like any other.
  accept('\ufffdabcdefgh')
})

describe('common passwords', () => {
  const common = readCommonPasswords()

  test('are 3,000, all different, in lower case, and each long enough to be tried', () => {
    assert.equal(common.length, 3_000)
    assert.equal(new Set(common).size, 3_000)
    for (const password of common) {
      const { length } = [...password]
      assert.ok(length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX, password)
      assert.equal(password, password.toLowerCase())
      assert.ok(password.isWellFormed())
    }
  })

  test('are the well-known ones, the worst first', () => {
    assert.deepEqual(common.slice(0, 3), ['password', '12345678', '123456789'])
    for (const known of ['qwertyuiop', 'iloveyou', 'password123', 'p@ssw0rd', '00000000', 'jennifer', 'trustno1']) {
      assert.ok(common.includes(known), known)
    }
  })

  test('every one is refused, in any case', () => {
    for (const password of common) refuse(password, /most common/)
    refuse('PASSWORD', /most common/)
    refuse('P@ssw0rd', /most common/)
    refuse('QwertyUIOP', /most common/)
  })

  test('only as a whole: with something added they pass', () => {
    accept('password 🦉')
    accept(' password')
    accept('trustno1trustno1')
  })

  test('what tells where the list comes from is not part of it', () => {
    assert.ok(common.every((password) => !password.startsWith('#')))
    accept('# Permission is hereby granted')
  })
})

describe('the e-mail address', () => {
  test('is refused, whole and before its @, in any case and with spaces around the address', () => {
    for (const email of [EMAIL, EMAIL.toLowerCase(), `  ${EMAIL}\n`]) {
      refuse('ada.lovelace@example.com', /e-mail address/, email)
      refuse('ADA.LOVELACE@EXAMPLE.COM', /e-mail address/, email)
      refuse('ada.lovelace', /e-mail address/, email)
      refuse('Ada.Lovelace', /e-mail address/, email)
    }
  })

  test('a part before the @ of 8 characters is refused as such; one of 7 is refused for its length', () => {
    refuse('adalovel', /e-mail address/, 'adalovel@example.com')
    refuse('adalove', /must have/, 'adalove@example.com')
  })

  test('may be part of a longer password, and its domain may be one', () => {
    accept('ada.lovelace wrote this')
    accept('example.com')
    accept('ada.lovelace', 'ada.lovelace2@example.com')
  })
})

describe('the name of the product', () => {
  test('is refused with digits and signs around it, repeated, and with the usual exchanges', () => {
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

  test(`with ${PRODUCT_DRESSING_MAX} other characters it is refused, with one more it is taken`, () => {
    refuse(`docvet${'83024417'}`, /name of this service/)
    accept(`docvet${'830244179'}`)
    refuse(`8302docvet4417docvet`, /name of this service/)
    accept(`8302docvet44179docvet`)
    refuse(`docvet${'🦉'.repeat(8)}`, /name of this service/)
    accept(`docvet${'🦉'.repeat(9)}`)
  })

  test('is taken with other letters', () => {
    accept('docvet owl')
    accept('mydocvet1')
    accept('docvetы12')
  })
})
