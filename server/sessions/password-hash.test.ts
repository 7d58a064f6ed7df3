/** The text form of a password hash, and what is refused in it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  formatHash,
  isMadeWith,
  MEMORY_KIB_MAX,
  PARALLELISM_MAX,
  PASSES_MAX,
  type PasswordHash,
  parseHash,
  SALT_BYTES_MAX,
  SALT_BYTES_MIN,
  TAG_BYTES_MAX,
  TAG_BYTES_MIN,
  TODAY,
} from './password-hash.ts'

const SAMPLE: PasswordHash = { ...TODAY, salt: Buffer.alloc(16, 0xfb), tag: Buffer.alloc(32, 0x5a) }
const TEXT = formatHash(SAMPLE)
const withChange = (change: Partial<PasswordHash>) => parseHash(formatHash({ ...SAMPLE, ...change }))

describe('the text of a hash', () => {
  test('is the PHC form, at the cost that OWASP recommends', () => {
    assert.deepEqual({ ...TODAY }, { memoryKib: 19_456, passes: 2, parallelism: 1 })
    assert.equal(
      TEXT,
      '$argon2id$v=19$m=19456,t=2,p=1$+/v7+/v7+/v7+/v7+/v7+w$WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo',
    )
    assert.deepEqual(parseHash(TEXT), SAMPLE)
  })

  test('is read back as it was, for every length of salt and tag that is allowed', () => {
    for (let salt = SALT_BYTES_MIN; salt <= SALT_BYTES_MAX; salt++) {
      for (let tag = TAG_BYTES_MIN; tag <= TAG_BYTES_MAX; tag++) {
        const hash = { ...SAMPLE, salt: Buffer.alloc(salt, salt * tag), tag: Buffer.alloc(tag, salt + tag) }
        assert.deepEqual(parseHash(formatHash(hash)), hash)
      }
    }
  })

  test('is refused when it is anything else', () => {
    const [salt, tag] = TEXT.split('$').slice(4) as [string, string]
    const head = '$argon2id$v=19$m=19456,t=2,p=1'
    for (const text of [
      '',
      ' ',
      'plain text',
      '$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW',
      TEXT.replace('argon2id', 'argon2i'),
      TEXT.replace('argon2id', 'ARGON2ID'),
      TEXT.replace('v=19', 'v=16'),
      TEXT.replace('$v=19', ''),
      TEXT.replace('m=19456,t=2', 't=2,m=19456'),
      TEXT.replace('m=19456', 'm=019456'),
      TEXT.replace('m=19456', 'm=-19456'),
      TEXT.replace('m=19456', 'm=1e4'),
      TEXT.replace('m=19456', 'm='),
      TEXT.replace('p=1', 'p=1,keyid=AAAA'),
      TEXT.slice(1),
      `${TEXT}\n`,
      ` ${TEXT}`,
      `${TEXT}=`,
      `${TEXT}$`,
      `${head}$${salt}`,
      `${head}$$${tag}`,
      `${head}$${salt}==$${tag}`,
      `${head}$${salt.replaceAll('+', '-').replaceAll('/', '_')}$${tag}`,
      // The last character spells bits that no byte has.
      `${head}$${salt.slice(0, -1)}x$${tag}`,
      `${head}$${salt.slice(0, -1)}$${tag}`,
      `${head}$${salt}$${tag.repeat(1_000_000)}`,
    ]) {
      assert.equal(parseHash(text), null, text.slice(0, 120))
    }
  })
})

describe('what a hash may ask for', () => {
  test('memory up to the limit, and not less than Argon2 needs', () => {
    assert.equal(MEMORY_KIB_MAX, 65_536)
    assert.ok(withChange({ memoryKib: MEMORY_KIB_MAX }))
    assert.equal(withChange({ memoryKib: MEMORY_KIB_MAX + 1 }), null)
    assert.equal(withChange({ memoryKib: 4_194_304 }), null)
    assert.equal(withChange({ memoryKib: 2 ** 32 }), null)
    assert.ok(withChange({ memoryKib: 8 }))
    assert.equal(withChange({ memoryKib: 7 }), null)
    assert.ok(withChange({ memoryKib: 16, parallelism: 2 }))
    assert.equal(withChange({ memoryKib: 15, parallelism: 2 }), null)
  })

  test('passes and lanes up to the limit', () => {
    assert.ok(withChange({ passes: PASSES_MAX }))
    assert.equal(withChange({ passes: PASSES_MAX + 1 }), null)
    assert.equal(withChange({ passes: 0 }), null)
    assert.ok(withChange({ parallelism: PARALLELISM_MAX }))
    assert.equal(withChange({ parallelism: PARALLELISM_MAX + 1 }), null)
    assert.equal(withChange({ parallelism: 0 }), null)
  })

  test('a salt and a tag of a sensible length', () => {
    for (const [name, min, max] of [
      ['salt', SALT_BYTES_MIN, SALT_BYTES_MAX],
      ['tag', TAG_BYTES_MIN, TAG_BYTES_MAX],
    ] as const) {
      for (const [length, allowed] of [
        [min - 1, false],
        [min, true],
        [max, true],
        [max + 1, false],
      ] as const) {
        assert.equal(withChange({ [name]: Buffer.alloc(length, 1) }) !== null, allowed, `${name} of ${length}`)
      }
    }
  })
})

test('a hash is made at a cost when all of it agrees, the lengths too', () => {
  assert.ok(isMadeWith(SAMPLE, TODAY))
  const others: Partial<PasswordHash>[] = [
    { memoryKib: 19_457 },
    { passes: 3 },
    { parallelism: 2 },
    { salt: Buffer.alloc(17) },
    { tag: Buffer.alloc(31) },
  ]
  for (const change of others) assert.equal(isMadeWith({ ...SAMPLE, ...change }, TODAY), false, JSON.stringify(change))
})
