/** Workbooks of Excel 95 to 2003 under the default password and other passwords. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Inspection } from '#inspect/inspect.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { ourInspector, useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import {
  type BookPlan,
  bookStreams,
  cryptoApiLock,
  lockBook,
  lockProperties,
  record,
} from '#inspect/testing/xls-lock.ts'
import { decryptWorkbook, SHEETS_MAX } from './workbook.ts'

const inspector = useInspector()

const INFECTED = ['Docvet.Test.Eicar', undefined]
const CLEAN = [undefined, undefined]
const LOCKED = [undefined, 'encrypted']
const GREETING = 'Good morning'
/** EICAR crosses a block boundary at any offset. */
const LONG = `${' '.repeat(900)}${EICAR.repeat(20)}`

function outcome({ findings, obstacle }: Inspection): (string | undefined)[] {
  return [findings.find(({ severity }) => severity === 'malicious')?.id, obstacle?.reason]
}

function outcomeOf(book: Uint8Array, others: Record<string, Uint8Array> = {}): (string | undefined)[] {
  return outcome(inspector.inspect(writeOle({ streams: { Workbook: book, ...others } })))
}

const METHODS: [string, BookPlan][] = [
  ['XOR', { method: 'xor' }],
  ['XOR, Excel 95', { method: 'xor', version: 5 }],
  ['RC4', { method: 'rc4' }],
  ...[40, 56, 64, 128].map((keyBits): [string, BookPlan] => [
    `CryptoAPI RC4, ${keyBits} bits`,
    { method: 'cryptoApi', keyBits },
  ]),
]

suite('workbooks under a given password are inspected', () => {
  for (const [name, plan] of METHODS)
    test(name, () => {
      const password = plan.method === 'xor' ? 'abc' : 'sécret'
      const book = writeOle({ streams: { Workbook: lockBook(EICAR, { ...plan, password }) } })
      assert.deepEqual(outcome(inspector.inspect(book, { passwords: ['wrong', password] })), INFECTED)
      for (const wrong of ['secret', '', 'abcabcabcabcabcabc'])
        assert.deepEqual(outcome(inspector.inspect(book, { passwords: [wrong] })), LOCKED)
    })
})

suite('workbooks under the default password are inspected', () => {
  for (const [name, plan] of METHODS)
    test(name, () => {
      assert.deepEqual(outcomeOf(lockBook(EICAR, plan)), INFECTED)
      assert.deepEqual(outcomeOf(lockBook(LONG, plan)), INFECTED)
      assert.deepEqual(outcomeOf(lockBook(GREETING, plan)), CLEAN)
    })
  for (const [name, plan] of METHODS)
    test(`${name}: equal to the original byte for byte`, () => {
      for (const sheets of [1, 2, 3]) {
        const { plain, locked } = bookStreams(LONG, { ...plan, sheets })
        assert.ok(!locked.includes('Sheet'))
        assert.deepEqual(decryptWorkbook(locked), plain)
      }
    })
  test('with any stream name that Excel accepts', () => {
    for (const name of ['Book', 'WORKBOOK'])
      assert.deepEqual(
        outcome(inspector.inspect(writeOle({ streams: { [name]: lockBook(EICAR, { method: 'rc4' }) } }))),
        INFECTED,
      )
  })
  test('with unencrypted records before the FilePass', () => {
    const plan: BookPlan = { method: 'rc4', before: [record(0x86, Buffer.alloc(0)), record(0x42, Buffer.from(EICAR))] }
    assert.deepEqual(outcomeOf(lockBook(GREETING, plan)), INFECTED)
    assert.deepEqual(outcomeOf(lockBook(EICAR, { ...plan, before: [record(0x86, Buffer.alloc(0))] })), INFECTED)
  })
  test('with unencrypted content', () => {
    const book = Buffer.concat([lockBook(GREETING, { method: 'rc4' }), record(0xec, Buffer.from(EICAR))])
    assert.deepEqual(outcomeOf(book), INFECTED)
  })
  test('next to other streams, which are inspected too', () => {
    assert.deepEqual(outcomeOf(lockBook(GREETING, { method: 'rc4' }), { Contents: Buffer.from(EICAR) }), INFECTED)
  })
  test('truncated at any length without an exception', () => {
    for (const [, plan] of METHODS) {
      const book = lockBook(GREETING, plan)
      for (let length = 0; length < book.length; length++) decryptWorkbook(book.subarray(0, length))
    }
  })
})

suite('workbooks that cannot be decrypted are encrypted', () => {
  test('under another password', () => {
    for (const [, plan] of METHODS.filter(([, { method }]) => method !== 'xor'))
      assert.deepEqual(outcomeOf(lockBook(EICAR, { ...plan, password: 'secret' })), LOCKED)
  })
  test('XOR with another key or verifier', () => {
    for (const version of [5, 8] as const)
      for (const at of [-4, -3, -2, -1]) {
        const edit = (pass: Buffer): Buffer => {
          pass.writeUInt8(pass.at(at)! ^ 1, pass.length + at)
          return pass
        }
        assert.deepEqual(outcomeOf(lockBook(EICAR, { method: 'xor', version, edit })), LOCKED)
      }
  })
  test('of an unsupported version of Excel', () => {
    for (const version of [0, 4, 7]) {
      const book = lockBook(EICAR, { method: 'xor' })
      book.writeUInt8(version, 5)
      assert.deepEqual(outcomeOf(book), LOCKED)
    }
  })
  const FIELDS: [string, number, number][] = [
    ['the type', 0, 0x0002_0002],
    ['the version', 2, 0x0003_0002],
    ['the major version', 2, 0x0002_0005],
    ['the flags before the header', 6, 0x24],
    ['the flags in the header', 14, 0x24],
    ['the length of the header', 10, 0xffffffff],
    ['the cipher', 22, 0x660e],
    ['the digest', 26, 0x8003],
    ['no key', 30, 0],
    ['a key with half a byte', 30, 44],
    ['a key that is too short', 30, 32],
    ['a key that is too long', 30, 136],
  ]
  for (const [name, at, value] of FIELDS)
    test(`CryptoAPI: ${name}`, () => {
      const edit = (pass: Buffer): Buffer => {
        pass.writeUInt32LE(value, at)
        return pass
      }
      assert.deepEqual(outcomeOf(lockBook(EICAR, { method: 'cryptoApi', edit })), LOCKED)
    })
  test('CryptoAPI: equal flags of another cipher or provider', () => {
    for (const flags of [0x00, 0x14, 0x24]) {
      const edit = (pass: Buffer): Buffer => {
        for (const at of [6, 14]) pass.writeUInt32LE(flags, at)
        return pass
      }
      assert.deepEqual(outcomeOf(lockBook(EICAR, { method: 'cryptoApi', edit })), LOCKED)
    }
  })
  test('a truncated header', () => {
    for (const [, plan] of METHODS)
      for (let length = 0; length < 230; length += 3) {
        let isTruncated = true
        const edit = (pass: Buffer): Buffer => {
          isTruncated = length < pass.length
          return pass.subarray(0, length)
        }
        const decrypted = decryptWorkbook(lockBook(EICAR, { ...plan, edit }))
        assert.equal(decrypted === null, isTruncated, `${plan.method} ${length}`)
      }
  })
  test('two FilePass records', () => {
    const second = record(0x2f, Buffer.alloc(6))
    assert.deepEqual(outcomeOf(Buffer.concat([lockBook(GREETING, { method: 'rc4' }), second])), LOCKED)
    assert.deepEqual(outcomeOf(lockBook(GREETING, { method: 'rc4', before: [second] })), LOCKED)
  })
  test('sheet offsets that are not at records', () => {
    assert.deepEqual(outcomeOf(lockBook(GREETING, { method: 'xor', astray: 1 })), LOCKED)
    assert.deepEqual(outcomeOf(lockBook(GREETING, { method: 'xor', astray: -8 })), LOCKED)
  })
  test('sheets, at the limit and one past it', () => {
    assert.notEqual(decryptWorkbook(lockBook(GREETING, { method: 'xor', sheets: SHEETS_MAX })), null)
    assert.equal(decryptWorkbook(lockBook(GREETING, { method: 'xor', sheets: SHEETS_MAX + 1 })), null)
  })
  test('other encrypted streams', () => {
    for (const name of ['_SX_DB_CUR', '_SX_DB', 'Revision Log', 'User Names', 'encryption']) {
      assert.deepEqual(outcomeOf(lockBook(GREETING, { method: 'rc4' }), { [name]: Buffer.alloc(60) }), LOCKED)
      assert.deepEqual(outcomeOf(lockBook(EICAR, { method: 'rc4' }), { [name]: Buffer.alloc(60) }), [
        'Docvet.Test.Eicar',
        'encrypted',
      ])
    }
  })
})

test('length of the workbook, at the remaining budget and one past it', async () => {
  const book = lockBook(GREETING, { method: 'xor', version: 5 })
  const document = writeOle({ streams: { Workbook: book } })
  for (const [unpackedBytesMax, expected] of [
    [book.length * 2, undefined],
    [book.length * 2 - 1, 'too_complex'],
  ] as const) {
    const strict = await ourInspector({ limits: { unpackedBytesMax } })
    assert.equal(strict.inspect(document).obstacle?.reason, expected)
    strict.dispose()
  }
})

test('a large workbook of minimal records takes little CPU time', () => {
  const head = lockBook(GREETING, { method: 'rc4' })
  const book = Buffer.concat([head, Buffer.alloc(26_000_000)])
  assertCheap(() => assert.notEqual(decryptWorkbook(book), null))
})

test('encrypted properties of a workbook are inspected', () => {
  const lock = cryptoApiLock({})
  const book = lockBook(GREETING, { method: 'cryptoApi', lock })
  const outcomeWith = (streams: Record<string, string>) =>
    outcomeOf(book, { encryption: lockProperties({ streams }, lock) })
  assert.deepEqual(outcomeWith({ Summary: 'Title', Other: EICAR }), INFECTED)
  assert.deepEqual(outcomeWith({ Summary: 'Title' }), CLEAN)
})
