/** Faults of archives after other data in a member or stream are reported. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'
import { type EntryPlan, writeZip } from '#inspect/testing/zip-writer.ts'

const inspector = useInspector()

function reason(bytes: Uint8Array): string | undefined {
  return inspector.inspect(bytes).obstacle?.reason
}

const TEXT: EntryPlan = { name: 'a.txt', data: 'Good morning, good morning' }
const behind = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from('\x01stub', 'latin1'), bytes])
const LYING: [string, Buffer][] = [
  ['methods that differ', writeZip([{ ...TEXT, central: { method: 0 } }])],
  ['sizes that differ', writeZip([{ ...TEXT, central: { packed: 3 } }])],
  ['a wrong checksum', writeZip([{ ...TEXT, central: { crc: 1 } }])],
  ['no entry where the directory says', writeZip([{ ...TEXT, central: { at: 3 } }])],
  ['encryption that is said once', writeZip([{ ...TEXT, local: { flags: 1 } }])],
  ['a wrong number of entries', writeZip([TEXT, { ...TEXT, name: 'b' }], { end: { entries: 1 } })],
]

suite('a contradictory archive after other data is damaged', () => {
  for (const [name, archive] of LYING) {
    test(`in a member: ${name}`, () => {
      assert.equal(reason(writeZip([{ name: 'inner', data: behind(archive) }])), 'damaged')
      assert.equal(reason(docx({ 'word/media/a.jpg': behind(archive) })), 'damaged')
    })
    test(`in the attachment of a mail: ${name}`, () => {
      for (const bytes of [archive, behind(archive)])
        assert.equal(reason(writeOle({ streams: { '__substg1.0_37010102': bytes } })), 'damaged')
    })
    test(`after a compound file: ${name}`, () => {
      const file = writeOle({ streams: { WordDocument: Buffer.alloc(600) } })
      assert.equal(reason(Buffer.concat([file, archive])), 'damaged')
    })
  }
  test('a damaged unlisted entry in an archive that is a whole stream', () => {
    const archive = writeZip([TEXT, { name: 'b', packed: Buffer.alloc(9, 0xff), unlisted: true }])
    assert.equal(reason(writeOle({ streams: { Package: archive } })), 'damaged')
  })
})

suite('clean', () => {
  const archive = writeZip([TEXT, { ...TEXT, name: 'b', streamed: true }])
  test('a valid archive', () => {
    for (const bytes of [archive, behind(archive), Buffer.concat([behind(archive), Buffer.alloc(500)])]) {
      assert.equal(reason(docx({ 'word/media/a.jpg': bytes })), undefined)
      assert.equal(reason(writeOle({ streams: { '__substg1.0_37010102': bytes } })), undefined)
    }
  })
  test('an archive split into records by an Office stream', () => {
    const cut = Buffer.concat([behind(archive.subarray(0, 60)), Buffer.alloc(8, 7), archive.subarray(60)])
    for (const name of ['Workbook', 'PowerPoint Document'])
      assert.equal(reason(writeOle({ streams: { [name]: cut } })), undefined)
  })
  test('archives that Project replaced by others and in part overwrote', () => {
    const store = (data: string): Buffer => {
      const whole = writeZip([{ ...TEXT, data }])
      const rest = writeZip([TEXT, { ...TEXT, name: 'b' }]).fill(7, 40, 90)
      return writeOle({ streams: { Var2Data: Buffer.concat([behind(whole), behind(rest), Buffer.alloc(99)]) } })
    }
    assert.equal(reason(store('Good morning')), undefined)
    assert.equal(inspector.outcome(store(EICAR)), 'Docvet.Test.Eicar')
  })
})
