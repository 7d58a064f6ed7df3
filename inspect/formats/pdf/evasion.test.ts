/** PDF streams that readers decode differently are decoded in every way or never clean. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR, pdf } from '#inspect/testing/samples.ts'
import { LENGTHS_MAX } from './streams/streams.ts'
import { DEFINITIONS_MAX } from './syntax/references.ts'

const inspector = useInspector()

const flate = deflateSync(EICAR).toString('latin1')
const hex = `${Buffer.from(EICAR).toString('hex')}>`

function outcome(document: Uint8Array): string {
  const { findings, obstacle } = inspector.inspect(document)
  return findings.some(({ id }) => id === 'Docvet.Test.Eicar') ? 'found' : (obstacle?.reason ?? 'clean')
}

suite('the data of a stream starts', () => {
  const of = (between: string, data: string, filter: string): Buffer =>
    pdf([`<< /Filter /${filter} /Length ${data.length} >>\nstream${between}${data}\nendstream`])
  for (const between of ['', ' ', '%c\n', ' xyz\r\n', '\0\n', '\f\r', ` ${'x'.repeat(70_000)}\n`]) {
    test(`after ${JSON.stringify(between.slice(0, 9))}`, () => {
      assert.equal(outcome(of(between, hex, 'ASCIIHexDecode')), 'found')
      assert.equal(outcome(of(between, flate, 'FlateDecode')), 'found')
    })
  }
  test('not after the word in a text', () => {
    const text = '(a stream of words, one stream) Tj'
    assert.equal(outcome(pdf([`<< /Length ${text.length} >>\nstream\n${text}\nendstream`])), 'clean')
  })
})

suite('duplicate entries', () => {
  const row = deflateSync(Buffer.from([1, ...Buffer.from(EICAR).map((byte, i, all) => byte - (all[i - 1] ?? 0))]))
  const stream = (dictionary: string, data: string): string => `<< ${dictionary} >>\nstream\n${data}\nendstream`
  const predicted = (parameters: string): string =>
    outcome(pdf([stream(`/Filter /FlateDecode ${parameters}`, row.toString('latin1')), '12']))
  const columns = `/Columns ${EICAR.length}`
  test('settings of a filter', () => {
    assert.equal(predicted(`/DecodeParms << /Predictor 12 ${columns} >>`), 'found')
    assert.equal(predicted(`/DecodeParms << /Predictor 12 ${columns} /Predictor 12 >>`), 'found')
    for (const twice of [
      `/Predictor 12 ${columns} /Predictor 1`,
      `/Predictor 1 ${columns} /Predictor 12`,
      `/Predictor 12 ${columns} /Columns 1`,
      `/Predictor 2 0 R ${columns}`,
    ])
      assert.equal(predicted(`/DecodeParms << ${twice} >>`), 'too_complex', twice)
  })
  test('settings under both names', () => {
    const settings = `<< /Predictor 12 ${columns} >>`
    for (const both of [`/DecodeParms null /DP ${settings}`, `/DP null /DecodeParms ${settings}`])
      assert.equal(predicted(both), 'found', both)
  })
  test('the code width of LZW', () => {
    const lzw = stream('/Filter /LZW /DecodeParms << /EarlyChange 0 /EarlyChange 1 >>', '\x80\x0b\x60\x50')
    assertCheap(() => assert.equal(outcome(pdf([lzw])), 'too_complex'))
  })
  test('the name of a cipher', () => {
    const crypt = '/Filter /Crypt /DecodeParms << /Name /Own /Name /Identity >>'
    assert.equal(outcome(pdf([stream(crypt, 'cipher')])), 'encrypted')
  })
  suite('lengths', () => {
    // A run contains `endstream`, so that the shorter length is plausible. Its characters are not hexadecimal digits, so
    // the document is never clean.
    const runs = [...hex].map((digit) => `\0${digit}`).join('')
    const data = `\x0agendstreamg${runs}\x80`
    const of = (length: string, more = ''): string =>
      outcome(pdf([stream(`/Filter [/RunLengthDecode /ASCIIHexDecode] ${length}`, data), `${data.length}${more}`]))
    test('are all tried', () => {
      assert.equal(of('/Length 2'), 'too_complex')
      assert.equal(of(`/Length ${data.length}`), 'found')
      assert.equal(of(`/Length ${data.length} /Length 2`), 'found')
      assert.equal(of(`/Length 2 /Length ${data.length}`), 'found')
      assert.equal(of('/Length 2 0 R', '\nendobj\n2 0 obj\n2'), 'found')
    })
    test('at the limit, and past it the longest', () => {
      const lengths = (count: number) => Array.from({ length: count }, (_, i) => `/Length ${i + 90} 0 R`).join(' ')
      assert.equal(of(`/Length 2 ${lengths(LENGTHS_MAX - 1)}`), 'too_complex')
      assert.equal(of(`/Length 2 ${lengths(LENGTHS_MAX)}`), 'found')
      const defined = (count: number) => of('/Length 3 0 R', '\nendobj\n3 0 obj\n2'.repeat(count))
      assert.equal(defined(DEFINITIONS_MAX), 'too_complex')
      assert.equal(defined(DEFINITIONS_MAX + 1), 'found')
    })
  })
})

suite('picture filters', () => {
  const of = (dictionary: string): string =>
    outcome(pdf([`<< ${dictionary} /Length 4 >>\nstream\n\x26\xa0\x5f\x08\nendstream`]))
  for (const filter of ['CCITTFaxDecode', 'CCF', 'JBIG2Decode', 'DCTDecode', 'JPXDecode']) {
    test(filter, () => {
      assert.equal(of(`/Filter /${filter}`), 'too_complex')
      assert.equal(of(`/Subtype /text#2Fplain /Filter [/${filter}]`), 'too_complex')
      assert.equal(of(`/Subtype /Image /Subtype /XML /Filter /${filter}`), 'too_complex')
      assert.equal(of(`/Subtype /Im#61ge /Filter /${filter}`), 'clean')
      assert.equal(of(`/Width 9 /Height 9 /ColorSpace /DeviceGray /Filter /${filter}`), 'clean')
    })
  }
})

suite('an attachment without a type', () => {
  const of = (dictionary: string, data: Buffer): string =>
    outcome(pdf([`<< ${dictionary} /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`]))
  test('is found in UTF-16', () => {
    assert.equal(of('', Buffer.from(`\uFEFF${EICAR}`, 'utf16le')), 'found')
    assert.equal(of('', Buffer.from(`\uFEFF${EICAR}`, 'utf16le').swap16()), 'found')
    assert.equal(of('', Buffer.from(EICAR, 'utf16le')), 'found')
  })
})

test('Base85 with a prefix is decoded', () => {
  const groups = Buffer.from(EICAR).toString('latin1').match(/.{4}/g) ?? []
  const digits = groups.map((group) => {
    let value = Buffer.from(group).readUInt32BE()
    let text = ''
    for (let i = 0; i < 5; i++, value = Math.floor(value / 85)) text = String.fromCharCode(33 + (value % 85)) + text
    return text
  })
  for (const start of ['', '<~', ' \n<~', '\0 '])
    assert.equal(
      outcome(pdf([`<< /Filter /ASCII85Decode >>\nstream\n${start}${digits.join('')}~>\nendstream`])),
      'found',
      start,
    )
})

test('a PDF with another header or none is inspected', () => {
  const body = pdf([`<< /Filter /ASCIIHexDecode >>\nstream\n${hex}\nendstream`]).subarray('%PDF-1.7\n'.length)
  for (const header of ['%!PS-Adobe-3.0 PDF-1.4\n', '', `${'% x\n'.repeat(400)}`])
    assert.equal(outcome(Buffer.concat([Buffer.from(header), body])), 'found', header.slice(0, 30))
  assert.equal(outcome(Buffer.from('An obj in a stream, and 2 objects in 1 object.\n')), 'clean')
})
