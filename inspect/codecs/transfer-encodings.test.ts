import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeBase64Variants } from './transfer-encodings.ts'

const ALPHABET = 'ABCXYZabcxyz0189+/+/ \r\n\t!\u0000\u0080\u00ff<&;'

/** A linear congruential generator, so that a failure can be repeated. */
function* numbers(seed: number): Generator<number> {
  for (let value = seed; ; ) {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0
    yield value >>> 8
  }
}

test('bodies without padding decode alike by both decoders', () => {
  const random = numbers(7)
  const next = (below: number): number => (random.next().value as number) % below
  for (let round = 0; round < 2_000; round++) {
    const body = Array.from({ length: next(60) }, () => ALPHABET[next(ALPHABET.length)]).join('')
    const padded = Buffer.from(body + '='.repeat(next(3)), 'latin1')
    // Mail programs skip a hyphen, and it keeps the body from Node's decoder.
    const tolerant = decodeBase64Variants(Buffer.concat([Buffer.from('-'), padded]))
    assert.deepEqual(decodeBase64Variants(padded), tolerant, JSON.stringify(body))
  }
})

test('decodes past padding, and skips the digits of other alphabets', () => {
  const [bytes] = decodeBase64Variants(Buffer.from('SGk=IHRoZXJl'))
  assert.equal(Buffer.from(bytes ?? []).toString('latin1'), 'Hi there')
  assert.equal(Buffer.from(decodeBase64Variants(Buffer.from('S-G_k'))[0] ?? []).toString(), 'Hi')
})
