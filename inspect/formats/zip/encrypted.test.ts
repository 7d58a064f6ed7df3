/** Archives that a given password opens. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Inspector } from '#inspect/inspect.ts'
import { ourInspector, useInspector } from '#inspect/testing/inspector.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'
import { type AesPlan, lockAes, lockTraditional } from '#inspect/testing/zip-lock.ts'
import { type EntryPlan, writeZip } from '#inspect/testing/zip-writer.ts'
import { FAILURES_MAX } from './open.ts'

const inspector = useInspector()

const INFECTED = ['Docvet.Test.Eicar', undefined]
const CLEAN = [undefined, undefined]
const LOCKED = [undefined, 'encrypted']
const GREETING = 'Dear reader'
/** Longer than the blocks in which it is decrypted. */
const LONG = `${'Dear reader, '.repeat(6_000)}${EICAR}`

function outcomeOf(bytes: Uint8Array, passwords = ['secret'], { inspect }: Pick<Inspector, 'inspect'> = inspector) {
  const { findings, obstacle } = inspect(bytes, { passwords })
  return [findings.find(({ severity }) => severity === 'malicious')?.id, obstacle?.reason]
}

type Lock = (content: string | Uint8Array, password?: string | Buffer) => EntryPlan

const KINDS: [string, Lock][] = []
for (const method of ['stored', 'deflated'] as const) {
  for (const streamed of [false, true])
    KINDS.push([
      `ZipCrypto, ${method}${streamed ? ', sizes after the data' : ''}`,
      (content, password = 'secret') => lockTraditional('a', content, { password, method, streamed }),
    ])
  for (const version of [1, 2] as const)
    for (const strength of [1, 2, 3] as const)
      KINDS.push([
        `AE-${version}, ${64 + strength * 64} bits, ${method}`,
        (content, password = 'secret') => lockAes('a', content, { password, method, version, strength }),
      ])
}

for (const [name, lock] of KINDS)
  suite(name, () => {
    test('the right password opens it', () => {
      for (const content of [EICAR, LONG])
        assert.deepEqual(outcomeOf(writeZip([lock(content)]), ['wrong', 'secret']), INFECTED)
      assert.deepEqual(outcomeOf(writeZip([lock(GREETING)])), CLEAN)
      assert.deepEqual(outcomeOf(writeZip([lock('')])), CLEAN)
    })

    test('a wrong or missing password does not', () => {
      for (const passwords of [[], [''], ['Secret'], ['secret ']])
        assert.deepEqual(outcomeOf(writeZip([lock(EICAR)]), passwords), LOCKED)
    })

    test('truncated or changed data never makes it clean', () => {
      const { packed = Buffer.alloc(0), ...entry } = lock(GREETING)
      for (const at of [0, packed.length >> 1, packed.length - 1]) {
        const changed = Buffer.from(packed)
        changed.writeUInt8(changed.readUInt8(at) ^ 0xff, at)
        // The first bytes of ZipCrypto are random and only mix the keys.
        assert.notDeepEqual(outcomeOf(writeZip([{ ...entry, packed: changed }])), INFECTED)
        if (at > 0) assert.notDeepEqual(outcomeOf(writeZip([{ ...entry, packed: changed }])), CLEAN)
      }
      for (const length of [0, 9, 12, 20, packed.length - 1])
        assert.notDeepEqual(outcomeOf(writeZip([{ ...entry, packed: packed.subarray(0, length) }])), CLEAN)
    })
  })

test('one of 600 wrong passwords that passes the short check does not', () => {
  const archive = writeZip([lockTraditional('a', EICAR, { method: 'stored' })])
  assert.deepEqual(
    outcomeOf(
      archive,
      Array.from({ length: 600 }, (_, index) => `wrong${index}`),
    ),
    LOCKED,
  )
})

test('a password that is not ASCII is tried as UTF-8 and as Latin-1', () => {
  for (const encoding of ['utf8', 'latin1'] as const)
    for (const [, lock] of KINDS)
      assert.deepEqual(outcomeOf(writeZip([lock(EICAR, Buffer.from('sésame', encoding))]), ['sésame']), INFECTED)
})

test('a password is also tried as programs of the console and of Windows encode it', () => {
  for (const [password, hex] of [
    ['üä', '8184'],
    ['č', '9f'],
    ['č', 'e8'],
    ['€1', '8031'],
    ['па', 'efe0'],
    ['па', 'afa0'],
  ] as const)
    for (const [, lock] of KINDS)
      assert.deepEqual(outcomeOf(writeZip([lock(EICAR, Buffer.from(hex, 'hex'))]), [password]), INFECTED, password)
  assert.deepEqual(
    outcomeOf(writeZip([lockTraditional('a.txt', EICAR, { password: Buffer.from('8184', 'hex') })]), ['uä']),
    LOCKED,
  )
})

test('entries with and without encryption, and with different passwords, are opened beside each other', () => {
  const entries = [
    { name: 'plain.txt', data: GREETING },
    lockTraditional('b.txt', GREETING, { password: 'one' }),
    lockAes('c.txt', EICAR, { password: 'two' }),
  ]
  assert.deepEqual(outcomeOf(writeZip(entries), ['one', 'two']), INFECTED)
  assert.deepEqual(outcomeOf(writeZip(entries), ['two']), ['Docvet.Test.Eicar', 'encrypted'])
  assert.deepEqual(outcomeOf(writeZip(entries), ['one']), LOCKED)
})

test('documents and archives inside are inspected with the same password', () => {
  const inner = writeZip([lockAes('a.docx', docx({ 'word/media/a.bin': EICAR }))])
  const { findings } = inspector.inspect(writeZip([lockTraditional('inner.zip', inner)]), { passwords: ['secret'] })
  assert.deepEqual(findings[0]?.path, ['inner.zip', 'a.docx', 'word/media/a.bin'])
})

test('contradictory AES fields, strong encryption and other methods stay encrypted', () => {
  const fields = (extra: number[]) => ({ extra: Buffer.from(extra) })
  const entry = lockAes('a', EICAR)
  const weaker = fields([0x01, 0x99, 7, 0, 2, 0, 0x41, 0x45, 1, 8, 0])
  const unknown = fields([0x01, 0x99, 7, 0, 3, 0, 0x41, 0x45, 3, 8, 0])
  for (const [local, central] of [
    [weaker, {}],
    [{}, weaker],
    [unknown, unknown],
    [fields([]), fields([])],
    [fields([0x01, 0x99, 9, 0]), {}],
  ])
    assert.deepEqual(
      outcomeOf(
        writeZip([{ ...entry, local: { ...entry.local, ...local }, central: { ...entry.central, ...central } }]),
      ),
      LOCKED,
    )
  const strong = { flags: 0x41 }
  assert.deepEqual(outcomeOf(writeZip([{ ...lockTraditional('a', EICAR), local: strong, central: strong }])), LOCKED)
  const bzip2 = { flags: 1, method: 12 }
  assert.deepEqual(outcomeOf(writeZip([{ ...lockTraditional('a', EICAR), local: bzip2, central: bzip2 }])), [
    undefined,
    'too_complex',
  ])
})

suite('limits', () => {
  const wrong = (count: number, plan: AesPlan = {}) =>
    Array.from({ length: count }, (_, index) => lockAes(`${index}`, GREETING, { password: 'other', ...plan }))

  test(`${FAILURES_MAX} entries under AES that no password opens; the rest is not tried`, () => {
    const last = lockAes('last', EICAR)
    assert.equal(outcomeOf(writeZip([...wrong(FAILURES_MAX - 1), last]))[0], 'Docvet.Test.Eicar')
    assert.deepEqual(outcomeOf(writeZip([...wrong(FAILURES_MAX), last])), LOCKED)
    assert.equal(outcomeOf(writeZip([...wrong(FAILURES_MAX), lockTraditional('last', EICAR)]))[0], 'Docvet.Test.Eicar')
  })

  test('hash rounds, at the limit and past it', async () => {
    const strict = await ourInspector({ limits: { hashRoundsMax: 3_000 } })
    const archive = (count: number) =>
      writeZip(Array.from({ length: count }, (_, index) => lockAes(`${index}`, GREETING)))
    assert.deepEqual(outcomeOf(archive(3), ['secret'], strict), CLEAN)
    assert.deepEqual(outcomeOf(archive(4), ['secret'], strict), [undefined, 'too_complex'])
    strict.dispose()
  })
})

suite('archives of other programs', () => {
  const FILES = {
    'Info-ZIP, ZipCrypto': [
      'UEsDBAoACQAAAMNLcF08z1FoUAAAAEQAAAAFABwAZS50eHRVVAkAAx7N+moezfpqdXgLAAEEAAAAAAQAAAAAnukoDn0ZkKD/ut11',
      'q1+6EyzXz8D5VV+XjGJIueETJHEde2sEBVld7U8C0OGvgTv0VTqTGb4ryC6GRFl4IcOOoGFOsvZFdaFMiWnVrV5Ck/VQSwcIPM9R',
      'aFAAAABEAAAAUEsBAh4DCgAJAAAAw0twXTzPUWhQAAAARAAAAAUAGAAAAAAAAAAAAKSBAAAAAGUudHh0VVQFAAMezfpqdXgLAAEE',
      'AAAAAAQAAAAAUEsFBgAAAAABAAEASwAAAJ8AAAAAAA==',
    ].join(''),
    '7-Zip, AES-256': [
      'UEsDBDMAAQBjAMRLcF0AAAAAYAAAAEQAAAAFAAsAZS50eHQBmQcAAgBBRQMAAO3m4USOu7pV8cLUMDphD3mjvToQWVigZa5gKd/A',
      'beMNAsq5j2GflGI4T7qyz5u0YwEbT8Dy6d2a52mbxSFlMj+wjNWy4O4FOlk+5oWjxUKXGsHLUTjBz0RSGjWi47ZUvFBLAQI/AzMA',
      'AQBjAMRLcF0AAAAAYAAAAEQAAAAFAC8AAAAAAAAAIICkgQAAAABlLnR4dAoAIAAAAAAAAQAYAJHl1hCtdd0BAAAAAAAAAAAAAAAA',
      'AAAAAAGZBwACAEFFAwAAUEsFBgAAAAABAAEAYgAAAI4AAAAAAA==',
    ].join(''),
  }
  for (const [name, file] of Object.entries(FILES))
    test(name, () => {
      const bytes = Buffer.from(file, 'base64')
      assert.deepEqual(outcomeOf(bytes, ['sesame']), INFECTED)
      assert.deepEqual(outcomeOf(bytes, ['Sesame']), LOCKED)
    })
})
