/** The format of keys and of their names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { hashKey, isWellFormed, mint } from './key.ts'
import { DEFAULT_NAME, parseKeyName } from './key-name.ts'

test('a minted key has the documented format and parts', () => {
  const key = mint()
  assert.match(key.secret, /^dv_live_[0-9A-Za-z]{38}$/)
  assert.equal(key.prefix, key.secret.slice(0, 12))
  assert.equal(key.lastFour, key.secret.slice(-4))
  assert.equal(key.hash, hashKey(key.secret))
  assert.match(key.hash, /^[0-9a-f]{64}$/)
  assert.ok(isWellFormed(key.secret))
})

test('the checksum of a known key does not change', () => {
  // CRC-32 of "dv_live_" + 32 × "0", computed with Python's zlib.crc32, in base 62 with digits 0-9A-Za-z.
  assert.ok(isWellFormed(`dv_live_${'0'.repeat(32)}03jwYK`))
})

test('the checksum detects any changed character', () => {
  const { secret } = mint()
  for (let i = 8; i < secret.length; i++) {
    const other = secret[i] === 'a' ? 'b' : 'a'
    assert.equal(isWellFormed(secret.slice(0, i) + other + secret.slice(i + 1)), false, `at ${i}`)
  }
})

test('rejects strings of another shape', () => {
  const { secret } = mint()
  for (const wrong of [
    '',
    'dv_live_',
    secret.slice(0, -1),
    `${secret}0`,
    secret.replace('live', 'test'),
    `${secret}\n`,
  ]) {
    assert.equal(isWellFormed(wrong), false, JSON.stringify(wrong))
  }
})

test('characters of keys are uniformly distributed', () => {
  const counts = new Map<string, number>()
  for (let i = 0; i < 5_000; i++) {
    for (const character of mint().secret.slice(8, 40)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  assert.equal(counts.size, 62)
  const expected = (5_000 * 32) / 62
  const deviation = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
  // Chi-squared with 61 degrees of freedom: 130 is exceeded once in a million runs.
  assert.ok(deviation < 130, `chi-squared ${deviation}`)
})

test('names have a default, are trimmed, and have 1 to 100 visible characters', () => {
  assert.equal(parseKeyName(undefined), DEFAULT_NAME)
  assert.equal(parseKeyName('  Build server '), 'Build server')
  assert.equal(parseKeyName('=HYPERLINK("x")'), '=HYPERLINK("x")')
  assert.equal(parseKeyName('x'.repeat(100)).length, 100)
  for (const wrong of ['', '   ', 'x'.repeat(101), 'a\u202Eb', 'a\u0000', 'a\nb', 'a\u200Bb', '\uD800']) {
    assert.throws(
      () => parseKeyName(wrong),
      (error) => error instanceof AppError && error.errors?.[0]?.field === 'name',
    )
  }
})
