/** Data of PDF streams about which readers disagree: all of it is looked at, or the document is never clean. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { ourInspector, useInspector } from '#inspect/testing/inspector.ts'
import { EICAR, pdf } from '#inspect/testing/samples.ts'

const inspector = useInspector()

const flate = deflateSync(EICAR).toString('latin1')
const digits = Buffer.from(EICAR).toString('hex')

function of(dictionary: string, data: string): string {
  const { findings, obstacle } = inspector.inspect(
    pdf([`<< ${dictionary} /Length ${data.length} >>\nstream\n${data}\nendstream`]),
  )
  return findings.some(({ id }) => id === 'Docvet.Test.Eicar') ? 'found' : (obstacle?.reason ?? 'clean')
}

suite('the key F of a stream', () => {
  test('is short for its filters', () => {
    for (const filter of ['/AHx', '/AHx /Filter /FlateDecode', '[/AHx]', '/ASCIIHexDecode /DP null', '/#41Hx'])
      assert.equal(of(`/F ${filter}`, `${digits}>`), 'found', filter)
    assert.equal(of('/F [/AHx /Fl]', `${Buffer.from(flate, 'latin1').toString('hex')}>`), 'found')
  })
  test('or names a file that has the data', () => {
    for (const file of ['(a.bin)', '<< /FS /URL /F (http://a.example) >>', '<612e62>', '9 0 R'])
      assert.equal(of(`/F ${file} /FFilter /ASCIIHexDecode`, `${digits}>`), 'too_complex', file)
  })
  test('or says nothing', () => assert.equal(of('/F null', 'Good morning'), 'clean'))
})

suite('text behind its end, and characters that do not belong there', () => {
  test('hexadecimal', () => {
    for (const data of [`41>${digits}>`, `41 >\n${digits}`, `4z1${'41'.repeat(9)}>`, `<${'41'.repeat(9)}>`])
      assert.equal(of('/Filter /ASCIIHexDecode', data), 'too_complex', data)
    for (const data of ['41>', '41 > \r\n', '4 1\n4 2', '41>\x05\x05\x05\x05\x05', '41>\nendstream endobj 7'])
      assert.equal(of('/Filter /ASCIIHexDecode', data), 'clean', data)
  })
  test('Base85', () => {
    for (const data of ['5sdq~>5sdq,~>', '5sdq~5sdq,', '5sdzq,~>', '5sdq,v~>', '5sdq\x80~>'])
      assert.equal(of('/Filter /ASCII85Decode', data), 'too_complex', data)
    for (const data of [
      '5sdq,~>',
      '5sdq,zz5sd~ >\r\n',
      '5sdq,',
      '5sd\nq,~',
      '5sdq,~>\x03\x03\x03',
      '5sd~>\nendstream 7',
    ])
      assert.equal(of('/Filter /ASCII85Decode', data), 'clean', data)
  })
  test('do not end the filters', () => {
    const packed = Buffer.from(flate, 'latin1').toString('hex')
    assert.equal(of('/Filter [/ASCIIHexDecode /FlateDecode]', `${packed}> 7`), 'found')
  })
})

suite('deflated data', () => {
  const broken = (text: string): string =>
    Buffer.concat([
      Buffer.from([0x78, 0x9c]),
      deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }),
      Buffer.alloc(4, 0xff),
    ]).toString('latin1')
  test('that breaks goes through the other filters', () => {
    assert.equal(of('/Filter [/FlateDecode /ASCIIHexDecode]', broken(digits)), 'found')
    assert.equal(of('/Filter [/FlateDecode /ASCIIHexDecode /Zip]', broken('41')), 'too_complex')
  })
  test('with another header than it should have', () => {
    const body = flate.slice(2)
    for (const header of ['\x78\x9d', '\x7f\x9c', '\n\x78\x9c', '\r\n\x78\x9c', '\n\n\n\x78\xda', '\n'])
      assert.equal(of('/Filter /FlateDecode', `${header}${body}`), 'found', JSON.stringify(header))
    assert.equal(of('/Filter /FlateDecode', `\x78\x9d${broken(EICAR).slice(2)}`), 'found')
  })
})

test('bytes that filters make one after the other count, at the limit and one past it', async () => {
  const small = await ourInspector({ limits: { unpackedBytesMax: 1000 } })
  const between = (length: number): string | undefined => {
    const inner = deflateSync('a')
    const data = deflateSync(Buffer.concat([inner, Buffer.alloc(length - inner.length)])).toString('latin1')
    const stream = `<< /Filter [/Fl /Fl] /Length ${data.length} >>\nstream\n${data}\nendstream`
    return small.inspect(pdf([stream])).obstacle?.reason
  }
  assert.equal(between(999), undefined)
  assert.equal(between(1000), 'too_complex')
  small.dispose()
})

test('cut off data that goes on for long in vain is given up', () => {
  // Each is cut off by the keyword in it, and swallows all that follow.
  const head = '1 0 obj\n<< /Filter /Fl >>\nstream\n'
  const block = 60_000
  const length = block + head.length
  const stored = String.fromCharCode(0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff)
  const of = (count: number): string | undefined => {
    const streams = `${head}${stored}${'endstream\n'.padEnd(block)}`.repeat(count)
    return inspector.inspect(Buffer.from(`%PDF-1.7\n${streams}`, 'latin1')).obstacle?.reason
  }
  assert.equal(of(2), undefined)
  assert.equal(of(20), 'too_complex')
})

test('settings of a list of filters with null in it, in both ways', () => {
  const settings = '<< /Predictor 12 /Columns 4 >>'
  const rows = deflateSync(Buffer.from(EICAR.replaceAll(/.{4}/g, '\0$&'), 'latin1')).toString('latin1')
  const both = (list: string): string[] =>
    [flate, rows].map((data) => of(`/Filter [null /FlateDecode] /DecodeParms ${list}`, data))
  assert.deepEqual(both(`[${settings} null]`), ['found', 'found'])
  assert.deepEqual(both(`[null ${settings}]`), ['found', 'found'])
  assert.deepEqual(both(`[${settings} ${settings}]`), ['clean', 'found'])
})

test('a file that has the filter of a picture, and says that it is both', () => {
  const picture = (more: string): string => of(`${more} /Subtype /Image /Filter /DCTDecode`, '\xff\xd8\xff\xe0')
  assert.equal(picture(''), 'clean')
  assert.equal(picture('/Type /EmbeddedFile'), 'too_complex')
})

test('lines in front of data without a header', () => {
  const raw = deflateRawSync(EICAR).toString('latin1')
  for (const lines of ['\n', '\r\n', '\n\n\n', '\r\r\r', '\r\r\n\r\r'])
    assert.equal(of('/Filter /FlateDecode', `${lines}${raw}`), 'found', JSON.stringify(lines))
})
