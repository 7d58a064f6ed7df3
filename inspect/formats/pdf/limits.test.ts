/** Limits of the PDF analyser, at the limit and one past it. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { PASSES_MAX } from '#inspect/core/piece-budget.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR, pdf } from '#inspect/testing/samples.ts'
import { CHAINS_MAX, ELEMENTS_MAX, REMEMBERED_MAX, WRITTEN_MAX } from './streams/filter-chains.ts'
import { DAMAGED_MAX, RECOVERED_MAX, RECOVERED_TOTAL_MAX } from './streams/flate.ts'
import { ROW_MAX } from './streams/predictor.ts'
import { READS_MAX } from './streams/streams.ts'
import { OBJECTS_MAX } from './syntax/objects.ts'
import { DEFINITIONS_MAX } from './syntax/references.ts'

/** Without it, a file is cut off. */
const END = 'startxref'

const inspector = useInspector()

const FOUND = 'Docvet.Test.Eicar'
const flate = deflateSync(EICAR)
const hex = Buffer.from(`${Buffer.from(EICAR).toString('hex')}>`)

function stream(dictionary: string, data: Uint8Array): string {
  return `<< ${dictionary} /Length ${data.length} >>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`
}

function outcome(objects: readonly string[]): string | undefined {
  const { findings, obstacle } = inspector.inspect(pdf(objects))
  return findings.find(({ severity }) => severity !== 'notice')?.id ?? obstacle?.reason
}

suite('at the limit and one past it', () => {
  test('filters that are remembered', () => {
    const others = (count: number): string[] =>
      Array.from({ length: count }, (_, i) => stream(`/Filter /AHx /DP << /A ${i} >>`, Buffer.from('41>')))
    for (const count of [REMEMBERED_MAX - 1, REMEMBERED_MAX, REMEMBERED_MAX + 1])
      assert.equal(outcome([...others(count), stream('/Filter /AHx', hex)]), FOUND, `${count}`)
  })
  test('characters of filters that are remembered', () => {
    for (const length of [WRITTEN_MAX, WRITTEN_MAX + 1])
      assert.equal(outcome([stream(`/Filter ${'[/AHx'.padEnd(length - 1)}]`, hex)]), FOUND, `${length}`)
  })
  test('bytes recovered from a damaged stream', () => {
    const of = (length: number): string => {
      const content = Buffer.concat([Buffer.alloc(length - EICAR.length), Buffer.from(EICAR)])
      const flushed = deflateRawSync(content, { finishFlush: constants.Z_SYNC_FLUSH })
      const broken = Buffer.concat([Buffer.from([0x78, 0x9c]), flushed, Buffer.alloc(4, 0xff)])
      return stream('/Filter /FlateDecode', broken)
    }
    assert.equal(outcome([of(RECOVERED_MAX)]), FOUND)
    assert.equal(inspector.inspect(pdf([of(RECOVERED_MAX)])).obstacle, null)
    assert.equal(inspector.inspect(pdf([of(RECOVERED_MAX + 1)])).obstacle?.reason, 'too_complex')
  })
  test('bytes recovered from all damaged streams', () => {
    const of = (length: number): string => {
      const flushed = deflateRawSync(Buffer.alloc(length), { finishFlush: constants.Z_SYNC_FLUSH })
      return stream('/Filter /FlateDecode', Buffer.concat([flushed, Buffer.alloc(4, 0xff)]))
    }
    const half = of(RECOVERED_TOTAL_MAX / 2)
    assert.equal(RECOVERED_TOTAL_MAX, RECOVERED_MAX * 2)
    assert.equal(outcome([half, half]), undefined)
    assert.equal(outcome([half, half, of(1)]), 'too_complex')
    assert.equal(outcome([half, stream('/Type /EmbeddedFile', pdf([half, of(1)]))]), 'too_complex')
  })
  test('damaged streams', () => {
    const of = (data: string, count: number): string[] =>
      Array(count).fill(stream('/Filter /Fl', Buffer.from(data, 'hex')))
    // The first gives no data, the second is truncated.
    for (const data of ['789cffff', '789c4a4c4a']) {
      assert.equal(outcome(of(data, DAMAGED_MAX)), undefined, data)
      assert.equal(outcome(of(data, DAMAGED_MAX + 1)), 'too_complex', data)
    }
  })
  test('overlapping data', () => {
    const of = (count: number): Buffer => {
      const start = '%PDF-1.7\n'
      const header = (length: number) => `1 0 obj<</Filter/DCT/Subtype/Image/Length ${length}>>stream\n`
      const size = 100_000
      const headers = Array.from({ length: count }, (_, i) =>
        header(size - start.length - (i + 1) * header(size).length),
      )
      return Buffer.from(`${`${start}${headers.join('')}`.padEnd(size - END.length)}${END}`, 'latin1')
    }
    assert.equal(inspector.inspect(of(PASSES_MAX)).obstacle, null)
    assert.equal(inspector.inspect(of(PASSES_MAX + 1)).obstacle?.reason, 'too_complex')
  })
  test('elements of a filter list', () => {
    const of = (count: number): string => stream(`/Filter [${'null '.repeat(count - 1)}/ASCIIHexDecode]`, hex)
    assert.equal(outcome([of(ELEMENTS_MAX)]), FOUND)
    assert.equal(outcome([of(ELEMENTS_MAX + 1)]), 'too_complex')
  })
  test('filter chains', () => {
    const of = (count: number): string => {
      const others = Array.from({ length: count - 1 }, (_, i) => `/Filter [${'/RunLengthDecode '.repeat(i)}/DCTDecode]`)
      return stream(`/Filter /ASCIIHexDecode ${others.join(' ')}`, hex)
    }
    assert.equal(outcome([of(CHAINS_MAX)]), FOUND)
    assert.equal(outcome([of(CHAINS_MAX + 1)]), 'too_complex')
  })
  test('objects with the number of a filter', () => {
    const of = (count: number): string[] => {
      const updates = '\nendobj\n2 0 obj\n/ASCIIHexDecode'.repeat(count - 1)
      return [stream('/Filter 2 0 R', hex), `/ASCIIHexDecode${updates}`]
    }
    assert.equal(outcome(of(DEFINITIONS_MAX)), FOUND)
    assert.equal(outcome(of(DEFINITIONS_MAX + 1)), 'too_complex')
  })
  test('objects', () => {
    const of = (count: number): string[] => [`1${'\nendobj\n1 0 obj\n1'.repeat(count - 2)}`, stream('', flate)]
    assert.equal(outcome(of(OBJECTS_MAX)), FOUND)
    assert.equal(outcome(of(OBJECTS_MAX + 1)), 'too_complex')
  })
  test('bytes of a row', () => {
    const row = deflateSync(Buffer.concat([Buffer.from([0]), Buffer.from(EICAR)]))
    const of = (columns: number): string =>
      stream(`/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns ${columns} >>`, row)
    assert.equal(outcome([of(ROW_MAX)]), FOUND)
    assert.equal(outcome([of(ROW_MAX + 1)]), 'too_complex')
  })
  test('characters read for dictionaries without an end', () => {
    const headers = 17
    const of = (length: number): Buffer => {
      const start = `%PDF-1.7\n1 0 obj\n${stream('/Filter /FlateDecode', flate)}\nendobj\n`
      const text = `${start}${'2 0 obj<<'.repeat(headers)}(`
      return Buffer.concat([
        Buffer.from(text, 'latin1'),
        Buffer.alloc(length - text.length - END.length, 'a'),
        Buffer.from(END),
      ])
    }
    // Each is read from its header to the end of the file; the dictionary of the stream adds a few characters.
    const read = (length: number): number => {
      const text = of(length).toString('latin1')
      const starts = [...text.matchAll(/2 0 obj<</g)].map(({ index, 0: header }) => index + header.length - 2)
      const other = text.indexOf('>>') + 2 - text.indexOf('<<')
      return starts.reduce((sum, at) => sum + length - at, other)
    }
    let length = Math.floor(READS_MAX / (headers - 1))
    while (read(length) <= length + READS_MAX) length += 1
    const [within, past] = [inspector.inspect(of(length - 1)), inspector.inspect(of(length))]
    assert.deepEqual([within.findings[0]?.id, within.obstacle], [FOUND, null])
    assert.equal(past.obstacle?.reason, 'too_complex')
  })
  test('LZW codes: a full table is kept', () => {
    const codes = [256, ...Buffer.from(`${'a'.repeat(3837)}${EICAR}`, 'latin1'), 257]
    const bits = codes.map((code, i) => code.toString(2).padStart(Math.min(12, 32 - Math.clz32(258 + i - 1)), '0'))
    const packed = bits.join('').match(/.{1,8}/g) ?? []
    const data = Buffer.from(packed.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))
    assert.equal(outcome([stream('/Filter /LZWDecode', data)]), FOUND)
  })
})

test('a stream without a header is found inside one without a filter', () => {
  const inner = `<< >>\nstream\n${flate.toString('latin1')}\nendstream`
  assert.equal(outcome([stream('', Buffer.from(`x ${inner} y`, 'latin1'))]), FOUND)
})

test('a dictionary that ends far from its stream, or not at all, is used', () => {
  const data = hex.toString('latin1')
  for (const gap of [10, 65_536, 200_000]) {
    assert.equal(outcome([`<< /Filter /ASCIIHexDecode >> ${'1 '.repeat(gap)}\nstream\n${data}\nendstream`]), FOUND)
    assert.equal(outcome([`<< /Filter /ASCIIHexDecode ${'/A '.repeat(gap)}\nstream\n${data}\nendstream`]), FOUND)
  }
})

test('stream keywords in a dictionary without an end take little CPU time', () => {
  const bytes = Buffer.alloc(12_000_000, '/A /B/C stream\n')
  bytes.write('%PDF-1.4\n1 0 obj <<')
  assertCheap(() => assert.equal(inspector.inspect(bytes).obstacle?.reason, 'too_complex'))
})
