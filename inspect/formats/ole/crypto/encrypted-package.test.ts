/** Office packages under Excel's default password and other passwords. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import type { Inspection } from '#inspect/inspect.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { ourInspector, useInspector } from '#inspect/testing/inspector.ts'
import { agileStreams, lockAgile, lockStandard } from '#inspect/testing/office-lock.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { ROUNDS_MAX } from './agile.ts'
import { DESCRIPTOR_MAX } from './agile-descriptor.ts'
import { ATTEMPTS_MAX, SLACK_MAX } from './encrypted-package.ts'

const inspector = useInspector()

const harmful = docx({ 'word/media/a.bin': EICAR })
const harmless = docx()
/** Large enough for several segments. */
const large = docx({ 'word/media/noise.bin': randomBytes(10_000), 'word/media/a.bin': EICAR })
const INFECTED = ['Docvet.Test.Eicar', undefined]
const CLEAN = [undefined, undefined]
const LOCKED = [undefined, 'encrypted']
const DAMAGED = [undefined, 'damaged']

function outcome({ findings, obstacle }: Inspection): (string | undefined)[] {
  return [findings.find(({ severity }) => severity === 'malicious')?.id, obstacle?.reason]
}

function outcomeOf(bytes: Uint8Array): (string | undefined)[] {
  return outcome(inspector.inspect(bytes))
}

suite('packages under a given password are inspected', () => {
  const outcomeWith = (bytes: Uint8Array, ...passwords: string[]) => outcome(inspector.inspect(bytes, { passwords }))
  const password = 'sécret'
  for (const [name, locked] of [
    ['agile', lockAgile(harmful, { password })],
    ['standard', lockStandard(harmful, { password })],
    ['in an archive', writeZip([{ name: 'a.docx', data: lockAgile(harmful, { password }) }])],
  ] as const)
    test(name, () => {
      assert.deepEqual(outcomeWith(locked, password), INFECTED)
      assert.deepEqual(outcomeWith(locked, 'wrong', password), INFECTED)
      for (const wrong of [[], ['secret'], ['']]) assert.deepEqual(outcomeWith(locked, ...wrong), LOCKED)
      // The default password is the first attempt.
      const last = Array.from({ length: ATTEMPTS_MAX - 2 }, (_, index) => `wrong${index}`)
      assert.deepEqual(outcomeWith(locked, ...last, password), INFECTED)
      assert.deepEqual(outcomeWith(locked, ...last, 'wrong', password), LOCKED)
    })
  test('a harmless one is clean', () =>
    assert.deepEqual(outcomeWith(lockAgile(harmless, { password }), password), CLEAN))
})

suite('packages under the default password are inspected', () => {
  for (const hash of ['SHA1', 'SHA256', 'SHA384', 'SHA512'] as const)
    for (const keyBits of [128, 192, 256] as const)
      test(`agile, ${hash}, ${keyBits} bits`, () => {
        assert.deepEqual(outcomeOf(lockAgile(harmful, { hash, keyBits })), INFECTED)
        assert.deepEqual(outcomeOf(lockAgile(harmless, { hash, keyBits })), CLEAN)
        assert.deepEqual(outcomeOf(lockAgile(harmless, { hash, keyBits, password: 'secret' })), LOCKED)
      })
  for (const keyBits of [128, 192, 256] as const)
    test(`standard, ${keyBits} bits`, () => {
      assert.deepEqual(outcomeOf(lockStandard(harmful, { keyBits })), INFECTED)
      assert.deepEqual(outcomeOf(lockStandard(harmless, { keyBits })), CLEAN)
      assert.deepEqual(outcomeOf(lockStandard(harmless, { keyBits, password: 'secret' })), LOCKED)
    })
  test('standard, every version', () => {
    for (const major of [2, 3, 4] as const) assert.deepEqual(outcomeOf(lockStandard(harmful, { major })), INFECTED)
  })
  test('in several segments, with the path of the finding', () => {
    const { findings, obstacle } = inspector.inspect(lockAgile(large))
    assert.equal(obstacle, null)
    assert.deepEqual(findings[0]?.path, ['EncryptedPackage', 'word/media/a.bin'])
  })
  test('inside an archive', () => {
    assert.deepEqual(outcomeOf(writeZip([{ name: 'a.xlsx', data: lockAgile(harmful) }])), INFECTED)
  })
  test('next to other streams, which are inspected too', () => {
    const { info, encrypted } = agileStreams(harmless)
    const streams = { EncryptionInfo: info, EncryptedPackage: encrypted, Contents: Buffer.from(EICAR) }
    assert.deepEqual(outcomeOf(writeOle({ streams })), INFECTED)
  })
})

suite('hash rounds', () => {
  test('of one package, at the limit and one past it', () => {
    assert.equal(ROUNDS_MAX, 100_000)
    assert.deepEqual(outcomeOf(lockAgile(harmful, { rounds: ROUNDS_MAX })), INFECTED)
    assert.deepEqual(outcomeOf(lockAgile(harmful, { rounds: ROUNDS_MAX + 1 })), LOCKED)
  })
  test('beyond the limit or invalid take little CPU time', () => {
    for (const count of ['10000000', '4294967295', '-1', '1e9', '0x10', '', ' 1', '99999999999999999999'])
      assertCheapOutcome(
        lockAgile(harmless, { edit: (xml) => xml.replace('spinCount="1000"', `spinCount="${count}"`) }),
      )
  })
  test('of all packages together, at the limit and one past it', async () => {
    const strict = await ourInspector({ limits: { hashRoundsMax: 3000 } })
    const packed = (count: number): (string | undefined)[] =>
      outcome(
        strict.inspect(
          writeZip(Array.from({ length: count }, (_, i) => ({ name: `${i}.xlsx`, data: lockAgile(harmless) }))),
        ),
      )
    assert.deepEqual(packed(3), CLEAN)
    assert.deepEqual(packed(4), [undefined, 'too_complex'])
    strict.dispose()
  })
})

function assertCheapOutcome(bytes: Uint8Array, expected = LOCKED): void {
  assertCheap(() => assert.deepEqual(outcomeOf(bytes), expected))
}

suite('packages with an unsupported header are encrypted', () => {
  const agile = (from: string | RegExp, to: string): Buffer =>
    lockAgile(harmless, {
      edit(xml) {
        assert.match(xml, typeof from === 'string' ? new RegExp(from.replace(/[+.*?]/g, '\\$&')) : from)
        return xml.replace(from, to)
      },
    })
  const changes: [string, string | RegExp, string][] = [
    ['a shorter digest, which would accept any password', /hashSize="\d+"/g, 'hashSize="0"'],
    ['another digest', /"SHA512"/g, '"MD5"'],
    ['another cipher', /"AES"/g, '"RC2"'],
    ['another chaining mode', /"ChainingModeCBC"/g, '"ChainingModeCFB"'],
    ['another block size', /blockSize="16"/g, 'blockSize="8"'],
    ['another salt size', /saltSize="16"/g, 'saltSize="15"'],
    ['a key size that AES does not have', /keyBits="256"/g, 'keyBits="0"'],
    ['two key sizes', /keyBits="256"/, 'keyBits="128"'],
    ['no salt', /saltValue="[^"]*"/g, ''],
    ['an empty salt', /saltValue="[^"]*"/g, 'saltValue=""'],
    ['no verifier', /encryptedVerifierHashInput="[^"]*"/, ''],
    ['a verifier that is too long', 'encryptedVerifierHashInput="', 'encryptedVerifierHashInput="AAAA'],
    ['no key', /encryptedKeyValue="[^"]*"/, 'encryptedKeyValue=""'],
    ['two keys', /(<p:encryptedKey[^>]*>)/, '$1$1'],
    ['two keyData elements', /(<keyData[^>]*>)/, '$1$1'],
    ['a duplicate attribute', '<keyData ', '<keyData saltSize="16" '],
    ['an attribute without quotes', '<keyData ', '<keyData a=b '],
    ['a comment', '<keyData ', '<!-- --><keyData '],
    ['entities', '"AES"', '"A&#69;S"'],
    ['a document type', '<encryption ', '<!DOCTYPE a><encryption '],
    ['an empty descriptor', /.*/gs, ''],
  ]
  for (const [name, from, to] of changes) test(name, () => assert.deepEqual(outcomeOf(agile(from, to)), LOCKED))

  test('length of the descriptor, at the limit and one past it', () => {
    const padded = (length: number) => lockAgile(harmful, { edit: (xml) => xml.padEnd(length) })
    assert.deepEqual(outcomeOf(padded(DESCRIPTOR_MAX)), INFECTED)
    assert.deepEqual(outcomeOf(padded(DESCRIPTOR_MAX + 1)), LOCKED)
  })
  test('hostile descriptors take little CPU time', () => {
    for (const text of ['<', '<keyData a', ' a', 'a=" ', '<a ', '<?xml', '<keyData a="" '])
      assertCheapOutcome(lockAgile(harmless, { edit: () => text.repeat(DESCRIPTOR_MAX / text.length) }))
    for (const text of ['a', 'a ', 'a=', '"'])
      assertCheapOutcome(
        lockAgile(harmless, {
          edit: (xml) => xml.replace('<keyData ', `<keyData ${text.repeat(15_000 / text.length)}`),
        }),
      )
  })
  test('two packages, two headers or no header', () => {
    const { info, encrypted } = agileStreams(harmless)
    const plans: Record<string, Buffer>[] = [
      { EncryptionInfo: info, EncryptedPackage: encrypted, encryptedpackage: encrypted },
      { EncryptionInfo: info, EncryptedPackage: encrypted, Encryptioninfo: info },
      { EncryptedPackage: encrypted },
      { EncryptionInfo: Buffer.alloc(3), EncryptedPackage: encrypted },
    ]
    for (const streams of plans) assert.deepEqual(outcomeOf(writeOle({ streams })), LOCKED)
  })
  test('rights management next to a package under the default password', () => {
    const { info, encrypted } = agileStreams(harmless)
    const streams = { EncryptionInfo: info, EncryptedPackage: encrypted, '\tDRMContent': Buffer.alloc(60) }
    assert.deepEqual(outcomeOf(writeOle({ streams })), LOCKED)
  })

  const FIELDS: [string, number, number][] = [
    ['the major version', 0, 5],
    ['the minor version', 2, 3],
    ['the flags before the header', 4, 0x04],
    ['flags of another provider', 4, 0x34],
    ['the flags in the header', 12, 0x20],
    ['the length of the header', 8, 0xffffffff],
    ['a header that is too short', 8, 31],
    ['the cipher', 20, 0x6801],
    ['the digest', 24, 0x800c],
    ['the size of the key', 28, 0],
    ['the size of the salt', 152, 0],
    ['the size of the verifier', 188, 0],
  ]
  for (const [name, at, value] of FIELDS)
    test(`standard: ${name}`, () => {
      const edit = (info: Buffer): Buffer => {
        if (at < 4) info.writeUInt16LE(value, at)
        else info.writeUInt32LE(value, at)
        return info
      }
      assert.deepEqual(outcomeOf(lockStandard(harmless, { edit })), LOCKED)
    })
  test('standard: equal flags of another cipher or provider', () => {
    for (const flags of [0x04, 0x20, 0x34]) {
      const edit = (info: Buffer): Buffer => {
        for (const at of [4, 12]) info.writeUInt32LE(flags, at)
        return info
      }
      assert.deepEqual(outcomeOf(lockStandard(harmless, { edit })), LOCKED)
    }
  })
  test('standard: truncated at any length', () => {
    for (const length of [0, 1, 4, 8, 12, 44, 100, 151, 160, 200, 223])
      assert.deepEqual(
        outcomeOf(lockStandard(harmless, { edit: (info) => info.subarray(0, length) })),
        LOCKED,
        `${length}`,
      )
    assert.deepEqual(outcomeOf(lockStandard(harmless, { edit: (info) => info.subarray(0, 224) })), CLEAN)
  })
})

suite('decrypted packages that are incomplete are damaged', () => {
  test('a declared size larger than the data', () => {
    const whole = Buffer.concat([harmless, Buffer.alloc((16 - (harmless.length % 16)) % 16)])
    assert.deepEqual(outcomeOf(lockAgile(harmless, { size: whole.length + 1 })), DAMAGED)
    assert.deepEqual(outcomeOf(lockStandard(harmless, { size: whole.length + 1 })), DAMAGED)
    assert.deepEqual(outcomeOf(lockAgile(harmless, { size: 0 })), DAMAGED)
    assert.deepEqual(outcomeOf(lockAgile(harmful, { size: 2 ** 52 })), ['Docvet.Test.Eicar', 'damaged'])
  })
  test('a declared size that truncates the archive', () => {
    assert.deepEqual(outcomeOf(lockAgile(harmless, { size: 30 })), DAMAGED)
    assert.deepEqual(outcomeOf(lockAgile(harmless, { size: 1 })), DAMAGED)
  })
  test('padding, at the limit and one past it', () => {
    const bare = writeZip([{ name: 'a', data: 'x' }])
    const even = writeZip([{ name: 'a', data: 'x' }], { comment: Buffer.alloc(16 - (bare.length % 16)) })
    assert.deepEqual(outcomeOf(lockAgile(even, { slack: SLACK_MAX })), CLEAN)
    assert.deepEqual(outcomeOf(lockAgile(even, { slack: SLACK_MAX + 1 })), DAMAGED)
  })
  test('content that is not an archive', () => {
    assert.deepEqual(outcomeOf(lockAgile(Buffer.from('Good morning'))), DAMAGED)
    assert.deepEqual(outcomeOf(lockAgile(randomBytes(5000))), DAMAGED)
    assert.deepEqual(outcomeOf(lockAgile(Buffer.from(EICAR))), ['Docvet.Test.Eicar', 'damaged'])
  })
  test('no content, or less than the size field', () => {
    const { info } = agileStreams(harmless)
    for (const length of [1, 7, 8, 9])
      assert.deepEqual(
        outcomeOf(writeOle({ streams: { EncryptionInfo: info, EncryptedPackage: Buffer.alloc(length) } })),
        DAMAGED,
      )
  })
  test('the key of another package', () => {
    const { info } = agileStreams(harmless)
    const { encrypted } = agileStreams(harmless)
    assert.deepEqual(outcomeOf(writeOle({ streams: { EncryptionInfo: info, EncryptedPackage: encrypted } })), DAMAGED)
  })
})

test('length of the package, at the remaining budget and one past it', async () => {
  const { info, encrypted } = agileStreams(docx({ 'word/media/noise.bin': randomBytes(5000) }))
  const document = writeOle({ streams: { EncryptedPackage: encrypted, EncryptionInfo: info } })
  for (const [memberBytesMax, expected] of [
    [encrypted.length, undefined],
    [encrypted.length - 1, 'too_complex'],
  ] as const) {
    const strict = await ourInspector({ limits: { memberBytesMax } })
    assert.equal(strict.inspect(document).obstacle?.reason, expected)
    strict.dispose()
  }
})

suite('an infected package is never clean with any byte changed', () => {
  const { info, encrypted } = agileStreams(harmful, { rounds: 10 })
  const changed = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes)
    copy.writeUInt8(bytes.readUInt8(at) ^ 0x04, at)
    return copy
  }
  const assertNotClean = (bytes: Buffer, at: number): void => {
    const { findings, obstacle } = inspector.inspect(bytes)
    assert.ok(findings.length > 0 || obstacle !== null, `${at}`)
    assert.doesNotMatch(obstacle?.detail ?? '', /could not be analysed/)
  }
  test('in the header', () => {
    for (let at = 0; at < info.length; at += 2)
      assertNotClean(writeOle({ streams: { EncryptionInfo: changed(info, at), EncryptedPackage: encrypted } }), at)
  })
  test('in the package', () => {
    for (let at = 0; at < encrypted.length; at += 3)
      assertNotClean(writeOle({ streams: { EncryptionInfo: info, EncryptedPackage: changed(encrypted, at) } }), at)
  })
  test('in the header of standard encryption', () => {
    for (let at = 0; at < 224; at += 21) assertNotClean(lockStandard(harmful, { edit: (all) => changed(all, at) }), at)
  })
})
