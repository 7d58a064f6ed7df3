/** RTF bodies compressed by Outlook are expanded and inspected. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { ourInspector, useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { EICAR } from '#inspect/testing/samples.ts'

const inspector = useInspector()

/** Writes literals only, except for `{\rtf1`, which is in the preset dictionary. */
function compress(text: string, endMarker = true): Buffer {
  const body = text.replace(/^\{\\rtf1/, '')
  const units: number[][] = [[0x00, 0x04], ...literals(body)]
  if (endMarker) {
    const write = (207 + 6 + body.length) % 4096
    units.push([write >> 4, (write & 15) << 4])
  }
  return pack(units, body.length + 6)
}

const literals = (text: string): number[][] => Array.from(Buffer.from(text, 'latin1'), (byte) => [byte])

/** One byte is a literal, two are a dictionary reference. */
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

suite('a compressed RTF body', () => {
  test('is inspected with or without an end marker', () => {
    for (const endMarker of [true, false]) {
      assert.equal(outcome(compress(object(gzipSync(EICAR)), endMarker)), 'Docvet.Test.Eicar')
      assert.equal(outcome(compress(`{\\rtf1 ${EICAR}}`, endMarker)), 'Docvet.Test.Eicar')
      assert.equal(outcome(compress('{\\rtf1 Good morning}', endMarker)), undefined)
    }
  })
  test('stored uncompressed is inspected', () => {
    const text = '{\\rtf1{\\field{\\*\\fldinst {DDE}{AUTO x y}}}}'
    const header = Buffer.alloc(16)
    header.write('MELA', 8)
    assert.equal(outcome(Buffer.concat([header, Buffer.from(text)])), 'Docvet.Rtf.DdeField')
    assert.equal(outcome(header), undefined)
  })
  test('may contain references that wrap around the dictionary', () => {
    const [start, wrapped, rest] = [EICAR.slice(0, 30), EICAR.slice(30, 38), EICAR.slice(38)]
    const filled = 'a'.repeat(4096 - 4 - 207 - 6)
    const units = [[0x00, 0x04], ...literals(filled + wrapped + start), [4092 >> 4, ((4092 & 15) << 4) | 6]]
    const length = 6 + filled.length + wrapped.length + EICAR.length
    assert.equal(outcome(pack([...units, ...literals(rest)], length)), 'Docvet.Test.Eicar')
  })
  test('is damaged if truncated', () => {
    const whole = compress('{\\rtf1 Good morning}')
    for (const length of [whole.length - 4, 30, 17]) assert.equal(outcome(whole.subarray(0, length)), 'damaged')
  })
  test('is too complex if it exceeds the unpacking limit', async () => {
    const few = await ourInspector({ limits: { memberBytesMax: 1000 } })
    const of = (length: number) => few.inspect(compress('{\\rtf1'.padEnd(length))).obstacle?.reason
    assert.equal(of(1000), undefined)
    assert.equal(of(1001), 'too_complex')
    few.dispose()
  })
  test('full of references takes little CPU time', () => {
    const bytes = Buffer.alloc(12_000_000, 'ff000f000f000f000f000f000f000f000f', 'hex')
    bytes.write('LZFu', 8)
    assertCheap(() => inspector.inspect(bytes))
  })
})
