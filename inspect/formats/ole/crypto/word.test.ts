/** Word documents of Word 97 to 2003 that a given password opens. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { type BookPlan, lockWord } from '#inspect/testing/xls-lock.ts'

const { inspect } = useInspector()

function outcomeOf(streams: Record<string, Buffer>, ...passwords: string[]): (string | undefined)[] {
  const { findings, obstacle } = inspect(writeOle({ streams }), { passwords })
  return [findings.find(({ severity }) => severity === 'malicious')?.id, obstacle?.reason]
}

const LOCKED = [undefined, 'encrypted']
const METHODS: [string, BookPlan][] = [
  ['RC4', { method: 'rc4' }],
  ['CryptoAPI RC4, 40 bits', { method: 'cryptoApi', keyBits: 40 }],
  ['CryptoAPI RC4, 128 bits', { method: 'cryptoApi', keyBits: 128 }],
]

for (const [name, method] of METHODS)
  suite(name, () => {
    const plan = { ...method, password: 'sécret' }

    test('the right password opens all streams', () => {
      for (const place of ['WordDocument', '1Table', 'Data'])
        assert.deepEqual(outcomeOf(lockWord({ [place]: EICAR }, plan), 'wrong', 'sécret'), [
          'Docvet.Test.Eicar',
          undefined,
        ])
      assert.deepEqual(outcomeOf(lockWord({ WordDocument: 'Dear reader' }, plan), 'sécret'), [undefined, undefined])
    })

    test('fields are judged as in other documents', () => {
      const field = '\x13 DDEAUTO cmd "/k calc" \x14\x15'
      const streams = lockWord({ WordDocument: field }, plan)
      assert.deepEqual(outcomeOf(streams, 'sécret'), ['Docvet.Doc.DdeField', undefined])
    })

    test('a wrong or missing one does not', () => {
      for (const wrong of [[], ['secret'], ['']])
        assert.deepEqual(outcomeOf(lockWord({ WordDocument: EICAR }, plan), ...wrong), LOCKED)
    })

    test('with encrypted properties, several documents or another table it stays closed', () => {
      const streams = lockWord({ WordDocument: EICAR }, plan)
      const { '1Table': table = Buffer.alloc(0), ...others } = streams
      assert.equal(outcomeOf({ ...streams, EncryptedSummary: Buffer.from('x') }, 'sécret')[1], 'encrypted')
      assert.deepEqual(outcomeOf({ ...others, '0Table': table }, 'sécret'), LOCKED)
      assert.deepEqual(outcomeOf({ ...streams, '1Table': table.subarray(0, 20) }, 'sécret'), LOCKED)
      const obfuscated = Buffer.from(streams.WordDocument ?? '')
      obfuscated.writeUInt16LE(0x8300, 10)
      assert.deepEqual(outcomeOf({ ...streams, WordDocument: obfuscated }, 'sécret'), LOCKED)
    })
  })
