/** Valid, damaged, encrypted, contradictory and hostile archives. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import type { Inspection } from '#inspect/inspect.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { type ArchivePlan, type EntryPlan, writeZip } from '#inspect/testing/zip-writer.ts'
import { FOLDERS_MAX, LINK_MAX } from './links.ts'

const inspector = useInspector()

const TEXT: EntryPlan = { name: 'a.txt', data: 'Good morning' }
const BAD: EntryPlan = { name: 'eicar.com', data: EICAR }

function inspect(entries: readonly EntryPlan[], plan?: ArchivePlan): Inspection {
  return inspector.inspect(writeZip(entries, plan))
}

function ids({ findings }: Inspection): string[] {
  return findings.map(({ id }) => id)
}

suite('readable archives', () => {
  test('stored, deflated, streamed, ZIP64, commented and empty archives are clean', () => {
    const good: [readonly EntryPlan[], ArchivePlan?][] = [
      [[TEXT, { ...TEXT, name: 'b.txt', method: 'stored' }, { ...TEXT, name: 'c.txt', streamed: true }]],
      [[TEXT, { name: 'folder/' }], { zip64: true }],
      [[TEXT], { comment: Buffer.from('a comment') }],
      [[]],
      [[{ name: 'empty.txt', data: '' }]],
    ]
    for (const [entries, plan] of good) {
      const { kind, findings, obstacle } = inspect(entries, plan)
      assert.deepEqual({ kind, findings, obstacle }, { kind: 'zip', findings: [], obstacle: null })
    }
  })

  test('a program whose name is shown backwards is malicious, a document is not', () => {
    assert.ok(ids(inspect([TEXT, { name: 'Scan_\u202efdp.scr', data: 'x' }])).includes('Docvet.Zip.ReversedName'))
    assert.ok(ids(inspect([TEXT, { name: 'a/\u202dx\u202efdp.js', data: 'x' }])).includes('Docvet.Zip.ReversedName'))
    assert.deepEqual(ids(inspect([TEXT, { name: '\u202e\u05d0\u05d1.pdf.txt', data: 'x' }])), [])
  })

  test('a finding names the member it is in', () => {
    for (const plan of [{}, { method: 'stored' }, { streamed: true }] as const) {
      const { findings, obstacle, entries } = inspect([TEXT, { ...BAD, ...plan }])
      assert.equal(obstacle, null)
      assert.equal(entries, 2)
      assert.deepEqual(
        findings.map(({ id, path }) => [id, path]),
        [['Docvet.Test.Eicar', ['eicar.com']]],
      )
    }
  })

  test('names lose control characters and are truncated to 255', () => {
    const { findings } = inspect([{ ...BAD, name: `a\u202e\u0007${'b'.repeat(400)}` }])
    assert.equal(findings[0]?.path[0], `a${'b'.repeat(253)}…`)
  })
})

suite('encrypted: everything else is inspected', () => {
  const marks: [string, Partial<EntryPlan>][] = [
    ['traditional', { local: { flags: 1 }, central: { flags: 1 } }],
    ['strong', { local: { flags: 0x41 }, central: { flags: 0x41 } }],
    ['AES', { local: { flags: 1, method: 99 }, central: { flags: 1, method: 99 } }],
  ]
  for (const [name, mark] of marks) {
    test(name, () => {
      const locked = { ...TEXT, ...mark }
      const alone = inspect([locked])
      assert.deepEqual([alone.obstacle?.reason, alone.obstacle?.path], ['encrypted', ['a.txt']])
      const beside = inspect([locked, BAD])
      assert.deepEqual([ids(beside), beside.obstacle?.reason], [['Docvet.Test.Eicar'], 'encrypted'])
    })
  }
  test('an encryption flag in only one header is damage, and the data is inspected', () => {
    const result = inspect([{ ...BAD, central: { flags: 1 } }])
    assert.deepEqual([ids(result), result.obstacle?.reason], [['Docvet.Test.Eicar'], 'damaged'])
  })
})

suite('too complex', () => {
  test('an unsupported method', () => {
    const { obstacle } = inspect([{ ...TEXT, local: { method: 9 }, central: { method: 9 } }])
    assert.equal(obstacle?.reason, 'too_complex')
    assert.match(obstacle.detail, /Deflate64/)
  })
})

suite('damaged: the readable part is inspected', () => {
  const broken: [string, readonly EntryPlan[], ArchivePlan?][] = [
    ['no end record', [BAD], { withoutEnd: true }],
    ['an end record with an invalid offset', [BAD], { end: { offset: 5, size: 7 } }],
    ['a wrong number of entries', [BAD], { end: { entries: 7 } }],
    ['a wrong checksum', [{ ...BAD, local: { crc: 1 }, central: { crc: 1 } }]],
    ['a size that is too small', [{ ...BAD, local: { unpacked: 9 }, central: { unpacked: 9 } }]],
    ['a size that is too large', [{ ...BAD, local: { unpacked: 999 }, central: { unpacked: 999 } }]],
    ['different sizes in the two headers', [{ ...BAD, local: { unpacked: 9 } }]],
    ['different methods in the two headers', [{ ...BAD, local: { method: 0 } }]],
    ['data past the end', [{ ...BAD, local: { packed: 9999 }, central: { packed: 9999 } }]],
  ]
  for (const [name, entries, plan] of broken) {
    test(name, () => {
      const result = inspect(entries, plan)
      assert.deepEqual([ids(result), result.obstacle?.reason], [['Docvet.Test.Eicar'], 'damaged'])
    })
  }
  test('a missing entry', () => {
    assert.equal(inspect([{ ...TEXT, central: { at: 3 } }]).obstacle?.reason, 'damaged')
  })
  test('corrupt and truncated data', () => {
    const packed = deflateRawSync('Good morning, good morning, good morning to you')
    for (const bytes of [Buffer.alloc(9, 0xff), packed.subarray(0, -4)])
      assert.equal(inspect([{ ...TEXT, packed: bytes }]).obstacle?.reason, 'damaged')
  })
  test('a truncated archive is never clean', () => {
    const whole = writeZip([TEXT, BAD])
    for (let length = 30; length < whole.length; length++) {
      const { findings, obstacle } = inspector.inspect(whole.subarray(0, length))
      assert.ok(findings.length > 0 || obstacle !== null, `cut at ${length}`)
    }
  })
})

suite('oddities are reported, and everything is inspected', () => {
  const odd: [string, string, readonly EntryPlan[], ArchivePlan?][] = [
    [
      'Docvet.Zip.HiddenEntry',
      'a local entry that is not listed',
      [TEXT, { ...BAD, unlisted: true }, { ...TEXT, name: 'z' }],
    ],
    ['Docvet.Zip.HiddenEntry', 'the same, streamed', [{ ...BAD, unlisted: true, streamed: true }, TEXT]],
    ['Docvet.Zip.NameMismatch', 'two names', [{ ...BAD, local: { name: 'other.com' } }]],
    ['Docvet.Zip.DuplicateName', 'one name for two', [BAD, { ...TEXT, name: 'eicar.com' }]],
    ['Docvet.Zip.DataBefore', 'data before', [BAD], { before: Buffer.from('\x01stub') }],
    ['Docvet.Zip.DataAfter', 'data after', [TEXT], { after: Buffer.from(`\n${EICAR}`) }],
    ['Docvet.Zip.PathTraversal', 'a way out', [{ ...BAD, name: '../../eicar.com' }]],
    ['Docvet.Zip.PathTraversal', 'a root', [{ ...BAD, name: '/etc/eicar.com' }]],
    ['Docvet.Zip.PathTraversal', 'a drive', [{ ...BAD, name: 'C:\\eicar.com' }]],
    ['Docvet.Zip.SymbolicLink', 'a link', [BAD, { name: 'link', data: '/etc/passwd', mode: 0o120777 }]],
  ]
  for (const [id, name, entries, plan] of odd) {
    test(`${id}: ${name}`, () => {
      const result = inspect(entries, plan)
      assert.ok(ids(result).includes('Docvet.Test.Eicar'), ids(result).join())
      assert.ok(ids(result).includes(id), ids(result).join())
      assert.equal(result.obstacle, null)
    })
  }
  suite('a link', () => {
    const found = (...links: [name: string, target: string][]): string[] => {
      const entries = links.map(([name, data]): EntryPlan => ({ name, data, mode: 0o120777 }))
      return [...new Set(ids(inspect([TEXT, ...entries])))]
    }
    const inside: [string, string][] = [
      ['README', 'a.txt'],
      ['docs/README', '../a.txt'],
      ['a/b/c', '../../d/e'],
      ['a/b', './c'],
      ['a/b', '..'],
      ['a/b', 'c/'],
    ]
    for (const [name, target] of inside)
      test(`${name} to ${target} is harmless`, () => assert.deepEqual(found([name, target]), []))
    const outside: [string, string][] = [
      ['a', '/etc/passwd'],
      ['a', '..'],
      ['a/b', '../../c'],
      ['a/b', 'c/../../..'],
      ['a/b', 'c/../d'],
      ['a', 'C:/Windows'],
      ['a', '\\\\host\\a'],
      ['a', 'b'.repeat(LINK_MAX + 1)],
      ['a', ''],
    ]
    for (const [name, target] of outside)
      test(`${name} to ${target.slice(0, 20)}`, () =>
        assert.deepEqual(found([name, target]), ['Docvet.Zip.SymbolicLink']))
    test('of the greatest length is harmless', () => assert.deepEqual(found(['a', 'b'.repeat(LINK_MAX)]), []))
    test('in too many folders', () => {
      assert.deepEqual(found([`${'a/'.repeat(FOLDERS_MAX - 1)}b`, 'c']), [])
      assert.deepEqual(found([`${'a/'.repeat(FOLDERS_MAX)}b`, 'c']), ['Docvet.Zip.SymbolicLink'])
    })
    test('behind another', () => assert.deepEqual(found(['a', 'x'], ['a/b/c', '../..']), ['Docvet.Zip.SymbolicLink']))
    test('that is locked', () => {
      const link: EntryPlan = { name: 'a', data: 'b', mode: 0o120777, local: { flags: 1 }, central: { flags: 1 } }
      assert.deepEqual(ids(inspect([TEXT, link])), ['Docvet.Zip.SymbolicLink'])
    })
  })
  test('a name twice matters only if it stands for different contents', () => {
    const other: EntryPlan = { ...TEXT, name: 'b' }
    for (const entries of [
      [TEXT, { name: '__MACOSX/', data: '' }, other, { name: '__MACOSX/', data: '' }],
      [TEXT, other, TEXT],
    ])
      assert.deepEqual(ids(inspect(entries)), [])
    assert.deepEqual(ids(inspect([TEXT, other, { ...TEXT, data: 'Good evening' }])), ['Docvet.Zip.DuplicateName'])
    assert.deepEqual(ids(inspect([{ ...TEXT, data: '' }, TEXT])), ['Docvet.Zip.DuplicateName'])
  })
  test('two archives in one file are both inspected', () => {
    const both = Buffer.concat([writeZip([BAD]), writeZip([TEXT])])
    assert.ok(ids(inspector.inspect(both)).includes('Docvet.Test.Eicar'))
    const other = Buffer.concat([writeZip([TEXT]), writeZip([BAD])])
    assert.ok(ids(inspector.inspect(other)).includes('Docvet.Test.Eicar'))
  })
  test('an archive in the comment of another', () => {
    const result = inspect([TEXT], { comment: writeZip([BAD]) })
    assert.ok(ids(result).includes('Docvet.Test.Eicar'), ids(result).join())
  })
})
