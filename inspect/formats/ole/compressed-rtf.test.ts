/** The compressed text of mails of Outlook: expanded, and looked into. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ourInspector, useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { EICAR } from '#inspect/testing/samples.ts'

const inspector = useInspector()

/** Bytes that stand for themselves, but for `{\rtf1`, which stands in the dictionary. Its end is marked. */
function compress(text: string, mark = true): Buffer {
  const body = text.replace(/^\{\\rtf1/, '')
  const units: number[][] = [[0x00, 0x04], ...literals(body)]
  if (mark) {
    const write = (207 + 6 + body.length) % 4096
    units.push([write >> 4, (write & 15) << 4])
  }
  return pack(units, body.length + 6)
}

const literals = (text: string): number[][] => Array.from(Buffer.from(text, 'latin1'), (byte) => [byte])

/** One byte stands for itself, two for a place in the dictionary and a length. */
function pack(units: number[][], length: number): Buffer {
  const parts: number[] = []
  for (let at = 0; at < units.length; at += 8) {
    const eight = units.slice(at, at + 8)
    parts.push(
      eight.reduce((flags, unit, i) => flags | (unit.length === 2 ? 1 << i : 0), 0),
      ...eight.flat(),
    )
  }
  const header = Buffer.alloc(16)
  header.writeUInt32LE(parts.length + 12, 0)
  header.writeUInt32LE(length, 4)
  header.write('LZFu', 8)
  return Buffer.concat([header, Buffer.from(parts)])
}

function outcome(stream: Uint8Array): string | undefined {
  const { findings, obstacle } = inspector.inspect(writeOle({ streams: { '__substg1.0_10090102': stream } }))
  return findings.find(({ severity }) => severity === 'malicious')?.id ?? obstacle?.reason
}

const object = (data: string | Uint8Array): string =>
  `{\\rtf1{\\object{\\*\\objdata ${Buffer.from(data).toString('hex')}}}}`

suite('a compressed text', () => {
  test('is looked into, with the mark of its end or without', () => {
    for (const mark of [true, false]) {
      assert.equal(outcome(compress(object(gzipSync(EICAR)), mark)), 'Docvet.Test.Eicar')
      assert.equal(outcome(compress(`{\\rtf1 ${EICAR}}`, mark)), 'Docvet.Test.Eicar')
      assert.equal(outcome(compress('{\\rtf1 Good morning}', mark)), undefined)
    }
  })
  test('that is not compressed is looked into as well', () => {
    const text = '{\\rtf1{\\field{\\*\\fldinst {DDE}{AUTO x y}}}}'
    const header = Buffer.alloc(16)
    header.write('MELA', 8)
    assert.equal(outcome(Buffer.concat([header, Buffer.from(text)])), 'Docvet.Rtf.DdeField')
    assert.equal(outcome(header), undefined)
  })
  test('refers to itself past the end of its dictionary', () => {
    const [before, around, behind] = [EICAR.slice(0, 30), EICAR.slice(30, 38), EICAR.slice(38)]
    const filled = 'a'.repeat(4096 - 4 - 207 - 6)
    const units = [[0x00, 0x04], ...literals(filled + around + before), [4092 >> 4, ((4092 & 15) << 4) | 6]]
    const length = 6 + filled.length + around.length + EICAR.length
    assert.equal(outcome(pack([...units, ...literals(behind)], length)), 'Docvet.Test.Eicar')
  })
  test('is damaged where it breaks off', () => {
    const whole = compress('{\\rtf1 Good morning}')
    for (const length of [whole.length - 4, 30, 17]) assert.equal(outcome(whole.subarray(0, length)), 'damaged')
  })
  test('is too complex where it unpacks to more than there is room for', async () => {
    const few = await ourInspector({ limits: { memberBytesMax: 1000 } })
    const of = (length: number) => few.inspect(compress('{\\rtf1'.padEnd(length))).obstacle?.reason
    assert.equal(of(1000), undefined)
    assert.equal(of(1001), 'too_complex')
    few.dispose()
  })
  test('that refers to itself all the time is expanded within seconds', () => {
    const bytes = Buffer.alloc(12_000_000, 'ff000f000f000f000f000f000f000f000f', 'hex')
    bytes.write('LZFu', 8)
    const before = process.cpuUsage()
    inspector.inspect(bytes)
    const { user, system } = process.cpuUsage(before)
    assert.ok(user + system < 3_000_000, `${(user + system) / 1e6} s`)
  })
})
