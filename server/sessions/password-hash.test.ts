import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  CURRENT_COST,
  formatHash,
  hasCost,
  MEMORY_KIB_MAX,
  PARALLELISM_MAX,
  PASSES_MAX,
  type PasswordHash,
  parseHash,
  SALT_BYTES_MAX,
  SALT_BYTES_MIN,
  TAG_BYTES_MAX,
  TAG_BYTES_MIN,
} from './password-hash.ts'

const SAMPLE: PasswordHash = { ...CURRENT_COST, salt: Buffer.alloc(16, 0xfb), tag: Buffer.alloc(32, 0x5a) }
const TEXT = formatHash(SAMPLE)
const withChange = (change: Partial<PasswordHash>) => parseHash(formatHash({ ...SAMPLE, ...change }))

describe('the text of a hash', () => {
  test('is the PHC string with the parameters that OWASP recommends', () => {
    assert.deepEqual({ ...CURRENT_COST }, { memoryKib: 19_456, passes: 2, parallelism: 1 })
    assert.equal(
      TEXT,
      '$argon2id$v=19$m=19456,t=2,p=1$+/v7+/v7+/v7+/v7+/v7+w$WlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlo',
    )
    assert.deepEqual(parseHash(TEXT), SAMPLE)
  })

  test('round-trips for every allowed length of salt and tag', () => {
    for (let salt = SALT_BYTES_MIN; salt <= SALT_BYTES_MAX; salt++) {
      for (let tag = TAG_BYTES_MIN; tag <= TAG_BYTES_MAX; tag++) {
        const hash = { ...SAMPLE, salt: Buffer.alloc(salt, salt * tag), tag: Buffer.alloc(tag, salt + tag) }
        assert.deepEqual(parseHash(formatHash(hash)), hash)
      }
    }
  })

  test('is rejected in any other form', () => {
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
      // The last character encodes bits beyond the last byte.
      `${head}$${salt.slice(0, -1)}x$${tag}`,
      `${head}$${salt.slice(0, -1)}$${tag}`,
      `${head}$${salt}$${tag.repeat(1_000_000)}`,
    ]) {
      assert.equal(parseHash(text), null, text.slice(0, 120))
    }
  })
})

describe('the bounds of a hash', () => {
  test('limit memory from the minimum of Argon2 to the maximum', () => {
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

  test('limit passes and lanes', () => {
    assert.ok(withChange({ passes: PASSES_MAX }))
    assert.equal(withChange({ passes: PASSES_MAX + 1 }), null)
    assert.equal(withChange({ passes: 0 }), null)
    assert.ok(withChange({ parallelism: PARALLELISM_MAX }))
    assert.equal(withChange({ parallelism: PARALLELISM_MAX + 1 }), null)
    assert.equal(withChange({ parallelism: 0 }), null)
  })

  test('limit the length of salt and tag', () => {
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

test('a hash has a cost only if all parameters and lengths match', () => {
  assert.ok(hasCost(SAMPLE, CURRENT_COST))
  const others: Partial<PasswordHash>[] = [
    { memoryKib: 19_457 },
    { passes: 3 },
    { parallelism: 2 },
    { salt: Buffer.alloc(17) },
    { tag: Buffer.alloc(31) },
  ]
  for (const change of others)
    assert.equal(hasCost({ ...SAMPLE, ...change }, CURRENT_COST), false, JSON.stringify(change))
})
