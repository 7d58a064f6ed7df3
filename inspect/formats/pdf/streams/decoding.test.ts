/** Stream data about which readers disagree is inspected in every way or never clean. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { ourInspector, useInspector } from '#inspect/testing/inspector.ts'
import { EICAR, pdf } from '#inspect/testing/samples.ts'

const inspector = useInspector()

const flate = deflateSync(EICAR).toString('latin1')
const digits = Buffer.from(EICAR).toString('hex')

function outcomeOf(dictionary: string, data: string): string {
  const { findings, obstacle } = inspector.inspect(
    pdf([`<< ${dictionary} /Length ${data.length} >>\nstream\n${data}\nendstream`]),
  )
  return findings.some(({ id }) => id === 'Docvet.Test.Eicar') ? 'found' : (obstacle?.reason ?? 'clean')
}

suite('the key F of a stream', () => {
  test('may abbreviate Filter', () => {
    for (const filter of ['/AHx', '/AHx /Filter /FlateDecode', '[/AHx]', '/ASCIIHexDecode /DP null', '/#41Hx'])
      assert.equal(outcomeOf(`/F ${filter}`, `${digits}>`), 'found', filter)
    assert.equal(outcomeOf('/F [/AHx /Fl]', `${Buffer.from(flate, 'latin1').toString('hex')}>`), 'found')
  })
  test('may name an external file', () => {
    for (const file of ['(a.bin)', '<< /FS /URL /F (http://a.example) >>', '<612e62>', '9 0 R'])
      assert.equal(outcomeOf(`/F ${file} /FFilter /ASCIIHexDecode`, `${digits}>`), 'too_complex', file)
  })
  test('may be null', () => assert.equal(outcomeOf('/F null', 'Good morning'), 'clean'))
})

suite('data after the end and invalid characters', () => {
  test('hexadecimal', () => {
    for (const data of [`41>${digits}>`, `41 >\n${digits}`])
      assert.equal(outcomeOf('/Filter /ASCIIHexDecode', data), 'found', data)
    for (const data of [`4z1${'41'.repeat(9)}>`, `<${'41'.repeat(9)}>`, '41>4']) {
      assert.equal(outcomeOf('/Filter /ASCIIHexDecode', data), 'clean', data)
      assert.equal(outcomeOf('/Type /EmbeddedFile /Filter /ASCIIHexDecode', data), 'too_complex', data)
    }
    for (const data of ['41>', '41 > \r\n', '4 1\n4 2', '41>\x05\x05\x05\x05\x05', '41>\nendstream endobj 7'])
      assert.equal(outcomeOf('/Filter /ASCIIHexDecode', data), 'clean', data)
  })
  test('Base85', () => {
    for (const data of ['5sdq~>5sdq,~>', '5sdq~5sdq,', '5sdzq,~>', '5sdq,v~>', '5sdq\x80~>']) {
      assert.equal(outcomeOf('/Filter /ASCII85Decode', data), 'clean', data)
      assert.equal(outcomeOf('/Type /EmbeddedFile /Filter /ASCII85Decode', data), 'too_complex', data)
    }
    for (const data of [
      '5sdq,~>',
      '5sdq,zz5sd~ >\r\n',
      '5sdq,',
      '5sd\nq,~',
      '5sdq,~>\x03\x03\x03',
      '5sd~>\nendstream 7',
    ])
      assert.equal(outcomeOf('/Filter /ASCII85Decode', data), 'clean', data)
  })
  test('do not stop the next filters', () => {
    const packed = Buffer.from(flate, 'latin1').toString('hex')
    assert.equal(outcomeOf('/Filter [/ASCIIHexDecode /FlateDecode]', `${packed}> 7`), 'found')
  })
})

suite('deflated data', () => {
  const damaged = (text: string): string =>
    Buffer.concat([
      Buffer.from([0x78, 0x9c]),
      deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }),
      Buffer.alloc(4, 0xff),
    ]).toString('latin1')
  test('is passed to the next filters if damaged', () => {
    assert.equal(outcomeOf('/Filter [/FlateDecode /ASCIIHexDecode]', damaged(digits)), 'found')
    assert.equal(outcomeOf('/Filter [/FlateDecode /ASCIIHexDecode /Zip]', damaged('41')), 'too_complex')
  })
  test('is inflated with a wrong header', () => {
    const body = flate.slice(2)
    for (const header of ['\x78\x9d', '\x7f\x9c', '\n\x78\x9c', '\r\n\x78\x9c', '\n\n\n\x78\xda', '\n'])
      assert.equal(outcomeOf('/Filter /FlateDecode', `${header}${body}`), 'found', JSON.stringify(header))
    assert.equal(outcomeOf('/Filter /FlateDecode', `\x78\x9d${damaged(EICAR).slice(2)}`), 'found')
  })
})

test('output of intermediate filters counts, at the limit and one past it', async () => {
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

test('truncated data that continues for long is too complex', () => {
  // Each is truncated by the keyword inside it and continues over all that follow.
  const header = '1 0 obj\n<< /Filter /Fl >>\nstream\n'
  const block = 60_000
  const length = block + header.length
  const stored = String.fromCharCode(0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff)
  const of = (count: number): string | undefined => {
    const streams = `${header}${stored}${'endstream\n'.padEnd(block)}`.repeat(count)
    return inspector.inspect(Buffer.from(`%PDF-1.7\n${streams}startxref`, 'latin1')).obstacle?.reason
  }
  assert.equal(of(2), undefined)
  assert.equal(of(20), 'too_complex')
})

test('settings of a filter list with null elements are read both ways', () => {
  const settings = '<< /Predictor 12 /Columns 4 >>'
  const rows = deflateSync(Buffer.from(EICAR.replaceAll(/.{4}/g, '\0$&'), 'latin1')).toString('latin1')
  const both = (list: string): string[] =>
    [flate, rows].map((data) => outcomeOf(`/Filter [null /FlateDecode] /DecodeParms ${list}`, data))
  assert.deepEqual(both(`[${settings} null]`), ['found', 'found'])
  assert.deepEqual(both(`[null ${settings}]`), ['found', 'found'])
  assert.deepEqual(both(`[${settings} ${settings}]`), ['clean', 'found'])
})

test('an embedded file with a picture filter is too complex', () => {
  const picture = (more: string): string => outcomeOf(`${more} /Subtype /Image /Filter /DCTDecode`, '\xff\xd8\xff\xe0')
  assert.equal(picture(''), 'clean')
  assert.equal(picture('/Type /EmbeddedFile'), 'too_complex')
})

test('line ends before deflate data without a header are skipped', () => {
  const raw = deflateRawSync(EICAR).toString('latin1')
  for (const lines of ['\n', '\r\n', '\n\n\n', '\r\r\r', '\r\r\n\r\r'])
    assert.equal(outcomeOf('/Filter /FlateDecode', `${lines}${raw}`), 'found', JSON.stringify(lines))
})
