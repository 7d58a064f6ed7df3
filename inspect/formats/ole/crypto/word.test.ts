/** Word documents of Word 97 to 2003 that a given password opens. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { type BookPlan, cryptoApiLock, lockProperties, lockWord } from '#inspect/testing/xls-lock.ts'
import { STREAMS_MAX } from './properties.ts'

const { inspect } = useInspector()

function outcomeOf(streams: Record<string, Buffer>, ...passwords: string[]): (string | undefined)[] {
  const { findings, obstacle } = inspect(writeOle({ streams }), { passwords })
  return [findings.find(({ severity }) => severity === 'malicious')?.id, obstacle?.reason]
}

const LOCKED = [undefined, 'encrypted']
const METHODS: [string, BookPlan][] = [
  ['XOR', { method: 'xor', password: 'abc' }],
  ['RC4', { method: 'rc4' }],
  ['CryptoAPI RC4, 40 bits', { method: 'cryptoApi', keyBits: 40 }],
  ['CryptoAPI RC4, 128 bits', { method: 'cryptoApi', keyBits: 128 }],
]

for (const [name, method] of METHODS)
  suite(name, () => {
    const password = method.password ?? 'sécret'
    const plan = { ...method, password }

    test('the right password opens all streams', () => {
      for (const place of ['WordDocument', '1Table', 'Data'])
        assert.deepEqual(outcomeOf(lockWord({ [place]: EICAR }, plan), 'wrong', password), [
          'Docvet.Test.Eicar',
          undefined,
        ])
      assert.deepEqual(outcomeOf(lockWord({ WordDocument: 'Dear reader' }, plan), password), [undefined, undefined])
    })

    test('fields are judged as in other documents', () => {
      const field = '\x13 DDEAUTO cmd "/k calc" \x14\x15'
      const streams = lockWord({ WordDocument: field }, plan)
      assert.deepEqual(outcomeOf(streams, password), ['Docvet.Doc.DdeField', undefined])
    })

    test('a wrong or missing one does not', () => {
      for (const wrong of [[], ['secret'], ['']])
        assert.deepEqual(outcomeOf(lockWord({ WordDocument: EICAR }, plan), ...wrong), LOCKED)
    })

    test('with encrypted properties, several documents or another table it stays closed', () => {
      const streams = lockWord({ WordDocument: EICAR }, plan)
      const { '1Table': table = Buffer.alloc(0), ...others } = streams
      assert.equal(outcomeOf({ ...streams, EncryptedSummary: Buffer.from('x') }, password)[1], 'encrypted')
      assert.deepEqual(outcomeOf({ ...others, '0Table': table }, password), LOCKED)
      if (plan.method !== 'xor')
        assert.deepEqual(outcomeOf({ ...streams, '1Table': table.subarray(0, 20) }, password), LOCKED)
    })
  })

test('under XOR only the first 15 characters of a password count', () => {
  const streams = lockWord({ WordDocument: EICAR }, { method: 'xor' })
  assert.deepEqual(outcomeOf(streams, 'VelvetSweatshop!'), ['Docvet.Test.Eicar', undefined])
  assert.deepEqual(outcomeOf(streams, 'VelvetSweatsho'), LOCKED)
})

suite('encrypted properties', () => {
  const password = 'sécret'
  const lock = cryptoApiLock({ password })
  const streams = lockWord({ WordDocument: 'Dear reader' }, { method: 'cryptoApi', lock })
  const properties = (plan: Parameters<typeof lockProperties>[0]) =>
    outcomeOf({ ...streams, encryption: lockProperties(plan, lock) }, password)

  test('are inspected', () => {
    assert.deepEqual(properties({ streams: { Summary: 'Title', Other: EICAR } }), ['Docvet.Test.Eicar', undefined])
    assert.deepEqual(properties({ streams: { Summary: 'Title' } }), [undefined, undefined])
  })
  test('stay closed if their list is unreadable, too long or has a storage', () => {
    assert.deepEqual(properties({ streams: { Summary: 'Title' }, count: 2 }), LOCKED)
    assert.deepEqual(properties({ streams: { Summary: 'Title' }, count: 0 }), LOCKED)
    assert.deepEqual(properties({ streams: { Summary: 'Title' }, isStorage: true }), LOCKED)
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`Stream${i}`, 'a']))
    assert.deepEqual(properties({ streams: many(STREAMS_MAX) }), [undefined, undefined])
    assert.deepEqual(properties({ streams: many(STREAMS_MAX + 1) }), LOCKED)
    assert.deepEqual(outcomeOf({ ...streams, encryption: Buffer.alloc(7) }, password), LOCKED)
  })
})
