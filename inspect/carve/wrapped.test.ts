/** Files encoded as text or embedded in records. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import { PASSES_MAX } from '#inspect/core/piece-budget.ts'
import { READ_AGAIN_MAX } from '#inspect/formats/rtf/rtf.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { ourInspector, useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { docx, EICAR, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { PARAMETERS_MAX } from './base64/bodies.ts'
import { TINY_COUNT_MAX, TINY_MAX } from './base64/pieces.ts'
import { LINE_MIN } from './base64/runs.ts'

const inspector = useInspector()

function outcome(document: string | Uint8Array): string | undefined {
  const { findings, obstacle } = inspector.inspect(
    typeof document === 'string' ? Buffer.from(document, 'latin1') : document,
  )
  return findings.find(({ severity }) => severity === 'malicious')?.id ?? obstacle?.reason
}

const FOUND = 'Docvet.Test.Eicar'
const packed = gzipSync(EICAR)
const base64 = packed.toString('base64')
const hex = packed.toString('hex')
const escaped = (code: (byte: string) => string): string => [...base64].map(code).join('')
const codeOf = (char: string): number => char.charCodeAt(0)

/** A OneNote section with one file, padded to eight bytes. */
function section(data: Uint8Array, length = data.length): Buffer {
  const [mark, head, foot] = [
    'e4525c7b8cd8a74daeb15378d02996d3',
    'e716e3bd65261145a4c48d4d0b7a9eac',
    '22a7fb71790f0b4abb13899256426b24',
  ].map((each) => Buffer.from(each, 'hex')) as [Buffer, Buffer, Buffer]
  const size = Buffer.alloc(20)
  size.writeBigUInt64LE(BigInt(length))
  return Buffer.concat([mark, head, size, data, Buffer.alloc(-data.length & 7), foot, Buffer.alloc(40)])
}

suite('packed EICAR is found', () => {
  const page = (address: string): string => `<!DOCTYPE html><html><a href="${address}">x</a></html>`
  const half = base64.length >> 1
  // Lines so short that only the declaration identifies them.
  const broken = base64.replaceAll(/.{5}/g, '$&\n ')
  const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0')
  const calendar = `BEGIN:VCALENDAR\r\nATTACH;ENCODING=BASE64;VALUE=BINARY;X-NAME=a:${base64.slice(0, 60)}\r\n ${base64.slice(60)}\r\nEND:VCALENDAR\r\n`
  const ole = writeOle({ streams: { Data: packed } })
  const flate = deflateSync(EICAR)
  const inner = pdf([
    `<< /Filter /FlateDecode /Length ${flate.length} >>\nstream\n${flate.toString('latin1')}\nendstream`,
  ])
  const middle = packed.toString('latin1', 10, 20)
  const inBraces = writeZip([{ name: '}}}', data: packed }]).toString('latin1')
  const documents: [string, string | Uint8Array][] = [
    ['in a data URL', page(`data:application/gzip;base64,${base64}`)],
    ['in a data URL with a name', page(`data:application/gzip;name=a.gz;BASE64,${base64}`)],
    ['in a data URL with spaces', page(`data:a/b; base64 ,${base64.slice(0, half)}\r\n  ${base64.slice(half)}`)],
    ['in a data URL after another', page(`data:,;base64,QUI use data:a/b;base64,${base64}`)],
    ['in Base64 with percent-encoding', page(`data:a/b;base64,${escaped((char) => `%${codeOf(char).toString(16)}`)}`)],
    ['in Base64 with character references', page(`data:a/b;base64,${escaped((char) => `&#${codeOf(char)};`)}`)],
    [
      'in Base64 with hexadecimal references',
      page(`data:a/b;base64,${escaped((char) => `&#x00${codeOf(char).toString(16)};`)}`),
    ],
    ['in Base64 with named line ends', page(`data:a/b;base64,${escaped((char) => `${char}&NewLine;`)}`)],
    ['in JSON', JSON.stringify({ a: `data:a/b;base64,${base64.replaceAll(/.{20}/g, '$&\r\n')}` })],
    ['in an SVG in a docx', docx({ 'word/media/a.svg': `<svg><image href='data:a/b;base64,${base64}'/></svg>` })],
    ['in a page in UTF-16', Buffer.from(`\ufeff${page(`data:a/b;base64,${base64}`)}`, 'utf16le')],
    [
      'in a page in a mail',
      `From: a\r\nTo: b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${page(`data:a/b;base64,${base64}`).replaceAll('=', '=3D')}`,
    ],
    ['in a flat OpenDocument', `<?xml version="1.0"?><office:binary-data>\n${base64}\n</office:binary-data>`],
    ['in a flat Office document', `<?xml version="1.0"?><pkg:binaryData a="b">${base64}</pkg:binaryData>`],
    ['in an old Office document', `<?xml version="1.0"?><w:binData w:name="a">${base64}</w:binData>`],
    ['in a calendar', calendar],
    ['in a contact card', `BEGIN:VCARD\nKEY;ENCODING=b:${base64}\nEND:VCARD\n`],
    ['in a CDATA section', `<?xml version="1.0"?><pkg:binaryData><![CDATA[${base64}]]></pkg:binaryData>`],
    ['in an element after a processing instruction', `<?xml version="1.0"?><w:binData><?x?>${broken}</w:binData>`],
    [
      'in an element around a comment',
      `<?xml version="1.0"?><w:binData>${broken.replace('\n', '<!--a-->')}</w:binData>`,
    ],
    ['in an element with > in a value', `<?xml version="1.0"?><w:binData w:name="a>b">${broken}</w:binData>`],
    ['in an entity', `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "${base64}">]><a>&a;</a>`],
    ...[
      ';base64&#44;',
      ';base64&comma;',
      ';base&#54;4,',
      ';b&#x61;se64,',
      ';bas\ne64,',
      '&semi;base64,',
      ';ba\\x73e64,',
    ].map((mark): [string, string] => [`after ${JSON.stringify(mark)}`, page(`data:a/b${mark}${broken}`)]),
    ['after a CSS escape', `<html><style>a{b:url("data:a/b;b\\61 se64,${broken}")}</style></html>`],
    ['in a percent-encoded data URL', page(`data:a/b,${[...packed].map((byte) => `%${hexOf(byte)}`).join('')}`)],
    ['in a script', `<html><script>save(atob("${base64}"))</script></html>`],
    ['in a text without a declaration', `Here it is:\n\n${base64.replaceAll(/.{76}/g, '$&\n')}\n`],
    ...[60, 40, 20].map((width): [string, string] => [
      `in a text in lines of ${width}`,
      `Here it is\n\n${base64.replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\n')}\nGood bye\n`,
    ]),
    ['in a calendar with folded words', `BEGIN:VCALENDAR\r\nATTACH;ENCO\r\n DING=BA\r\n SE64:${broken}\r\n`],
    ['in a calendar with a colon in quotes', `BEGIN:VCALENDAR\r\nATTACH;ENCODING=BASE64;X="a:b":${broken}\r\n`],
    ['in an old contact card', `BEGIN:VCARD\r\nPHOTO;JPEG;BASE64:${broken}\r\n\r\nEND:VCARD\r\n`],
    ['in RTF', `{\\rtf1{\\object{\\*\\objdata ${hex}}}}`],
    ['in RTF in lines', `{\\rtf1{\\object{\\*\\objdata\r\n${hex.replaceAll(/.{9}/g, '$&\r\n')}}}}`],
    ['in RTF among control words', `{\\rtf1{\\object{\\*\\objdata ${hex.replaceAll(/.{9}/g, "$&\\x-1 \\'41\\*")}}}}`],
    ['in RTF among groups', `{\\rtf1{\\object{\\*\\objdata ${hex.replaceAll(/.{9}/g, '$&{abc}')}}}}`],
    ['in groups of RTF', `{\\rtf1{\\object{\\*\\objdata ${hex.replaceAll(/.{9}/g, '{$&}')}}}}`],
    ['in RTF without an end', `{\\rtf1{\\object{\\*\\objdata ${hex}`],
    ['in RTF after a parameter', `{\\rtf1{\\object{\\*\\objdata0 ${hex}}}}`],
    ['in RTF after a negative parameter', `{\\rtf1{\\object{\\*\\objdata-12 ${hex}}}}`],
    ['in RTF partly as bytes', `{\\rtf1{\\object{\\*\\objdata ${hex.slice(0, 20)}\\bin10 ${middle}${hex.slice(40)}}}}`],
    ['in RTF as bytes with braces', `{\\rtf1{\\object{\\*\\objdata \\bin${inBraces.length} ${inBraces}}}}`],
    ['in RTF after a single digit', `{\\rtf1{\\object{\\*\\objdata ${hex.slice(0, 20)}f\\'41${hex.slice(20)}}}}`],
    ['in RTF after a digit in a group', `{\\rtf1{\\object{\\*\\objdata ${hex.slice(0, 20)}{4}${hex.slice(20)}}}}`],
    [
      'in RTF with a group that is known and one that is not',
      `{\\rtf1{\\object{\\*\\objdata ${hex.slice(0, 20)}{\\*\\zz 4}{${hex.slice(20, 24)}}${hex.slice(24)}}}}`,
    ],
    ['in the data of a document in RTF', `{\\rtf1{\\*\\datastore ${ole.toString('hex')}}}`],
    ['in the theme of RTF', `{\\rtf1{\\*\\themedata ${docx({ 'theme/a.bin': packed }).toString('hex')}}}`],
    ['in a compound file in RTF', `{\\rtf1{\\object{\\*\\objdata 0105${ole.toString('hex')}}}}`],
    ['in OneNote', section(packed)],
    ['in truncated OneNote', section(packed, 1_000_000)],
    ['in OneNote with length zero', section(packed, 0)],
    ['in OneNote with a length too short', section(packed, 8)],
    ['in OneNote in OneNote', section(section(packed))],
    ['in OneNote in a zip', writeZip([{ name: '(attached file)', data: section(packed), method: 'stored' }])],
    ['in packed OneNote in a zip', writeZip([{ name: '(attached file)', data: section(packed) }])],
    ['in a compound file after other data', docx({ 'word/a.bin': Buffer.concat([Buffer.from('x'), ole]) })],
    ['in a PDF far after a text', Buffer.concat([Buffer.alloc(5000, 'a\n'), inner])],
  ]
  for (const [name, document] of documents) test(name, () => assert.equal(outcome(document), FOUND))
})

suite('never clean', () => {
  test('a truncated file in OneNote', () => {
    const mark = Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex')
    for (const behind of [0, 1, 19, 20, 30])
      assert.equal(outcome(docx({ 'a.one': Buffer.concat([mark, Buffer.alloc(behind, 7)]) })), 'damaged')
    const whole = section(Buffer.alloc(100, 'a'))
    for (const missing of [0, 40]) assert.equal(outcome(whole.subarray(0, whole.length - missing)), undefined)
    for (const missing of [41, 56, 100]) assert.equal(outcome(whole.subarray(0, whole.length - missing)), 'damaged')
  })
  test('a file in OneNote with a wrong length', () => {
    const text = Buffer.alloc(100, 'a')
    for (const length of [97, 100, 104]) assert.equal(outcome(section(text, length)), undefined, `${length}`)
    for (const length of [0, 1, 96, 105, 2 ** 40]) assert.equal(outcome(section(text, length)), 'damaged', `${length}`)
    assert.equal(outcome(section(Buffer.alloc(0))), undefined)
  })
  test('a damaged compound file after other data, except in streams of another', () => {
    const ruins = Buffer.from(`78d0cf11e0a1b11ae1${'07'.repeat(600)}`, 'hex')
    assert.equal(outcome(docx({ 'word/a.bin': ruins })), 'damaged')
    assert.equal(outcome(writeOle({ streams: { Data: ruins } })), undefined)
  })
  test('RTF binary data shorter than declared', () => {
    const of = (length: number | string): string => `{\\rtf1{\\object{\\*\\objdata \\bin${length} abc}}}`
    assert.equal(outcome(of(6)), undefined)
    for (const length of [7, 2 ** 32, '9'.repeat(400)]) assert.equal(outcome(of(length)), 'damaged')
  })
  test('long ambiguous objects in RTF', () => {
    const of = (length: number): string => `{\\rtf1{\\objdata${`{4}${hex}`.padEnd(length)}}}`
    assert.equal(outcome(of(READ_AGAIN_MAX)), FOUND)
    assert.equal(outcome(of(READ_AGAIN_MAX + 1)), 'too_complex')
  })
  test('an entity in Base64', () => {
    const text = `<!DOCTYPE a [<!ENTITY a "x">]><w:binData>QUJD&a;QUJD</w:binData>`
    assert.equal(outcome(`<?xml version="1.0"?>${text}`), 'too_complex')
    assert.equal(outcome(`<?xml version="1.0"?>${text.replace('&a;', '&#65;')}`), undefined)
  })
  test('data URLs that are not in Base64', () => {
    const percent = (text: string): string => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')
    const partly = [...EICAR].map((char, i) => (i % 3 === 0 || '%"<>#'.includes(char) ? percent(char) : char)).join('')
    const references = [...EICAR].map((char) => `&#${char.charCodeAt(0)};`).join('')
    for (const content of [percent(EICAR), partly, references, `'<b>${percent(EICAR)}`])
      assert.equal(outcome(`<a href="data:text/plain,${content}">x</a>`), FOUND, content)
    assert.equal(outcome(`<a href='data:text/plain,"<b>${percent(EICAR)}'>x</a>`), FOUND)
  })
  test('overlapping pieces past four passes', () => {
    // Each extends to the end, from nearly the same offset.
    const of = (objects: number): string => `{\\rtf1${'\\objdata'.repeat(objects)} ${hex}${'00'.repeat(50_000)}`
    assert.equal(outcome(of(PASSES_MAX)), FOUND)
    assert.equal(inspector.inspect(Buffer.from(of(PASSES_MAX))).obstacle, null)
    assert.equal(inspector.inspect(Buffer.from(of(PASSES_MAX + 1))).obstacle?.reason, 'too_complex')
  })
})

suite('at the limit, and one past it', () => {
  test('tiny pieces are scanned together, others are charged', async () => {
    const few = await ourInspector({ limits: { entriesMax: 1 } })
    const page = (length: number): Buffer =>
      Buffer.from(
        ['A', 'B']
          .map((digit) => `<img src="data:a/b;base64,${digit.repeat(length)}">`)
          .join('')
          .padStart(500),
      )
    assert.equal(few.inspect(page(TINY_MAX)).obstacle, null)
    assert.equal(few.inspect(page(TINY_MAX + 1)).obstacle?.reason, 'too_complex')
    few.dispose()
    const tiny = `<html>data:a/b;base64,${Buffer.from('4c0000000114020000000000c000000000000046', 'hex').toString('base64')}</html>`
    assert.equal(outcome(tiny), 'Docvet.Embedded.Shortcut')
  })
  test('tiny pieces', async () => {
    const none = await ourInspector({ limits: { entriesMax: 0 } })
    const page = (count: number): Buffer => Buffer.from(`<html>${';base64,QUJD'.repeat(count)}</html>`)
    assert.equal(none.inspect(page(TINY_COUNT_MAX)).obstacle, null)
    assert.equal(none.inspect(page(TINY_COUNT_MAX + 1)).obstacle?.reason, 'too_complex')
    none.dispose()
  })
  test('contiguous digits at the start of a file', () => {
    const of = (first: number): string => `x(${base64.slice(0, first)}\n${base64.slice(first)})`
    assert.equal(outcome(of(LINE_MIN)), FOUND)
    assert.equal(outcome(of(LINE_MIN - 1)), undefined)
  })
  test('characters between the encoding and the colon', () => {
    const of = (length: number): string => {
      const more = ';X="a:b":'
      return `BEGIN:VCARD\nKEY;ENCODING=b${';'.padEnd(length - more.length, 'Y')}${more}${base64.replaceAll(/.{5}/g, '$&\n ')}`
    }
    assert.equal(outcome(of(PARAMETERS_MAX)), FOUND)
    assert.equal(outcome(of(PARAMETERS_MAX + 1)), 'too_complex')
  })
})

suite('clean', () => {
  const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const documents: [string, string | Uint8Array][] = [
    ['a picture in a data URL', `<html><img src="data:image/png;base64,${picture.toString('base64')}"></html>`],
    ['a script that builds data URLs', '<html><script>a("data:image/png;base64," + b, ";encoding=b")</script></html>'],
    ['thousands of pictures', `<html>${`<img src="data:image/gif;base64,${'R0lG'.repeat(8)}">`.repeat(12_000)}</html>`],
    ['Base64 that begins like a program', `{"a":"TVqQAA${'QUJD'.repeat(40)}"}`],
    ['a percent-encoded picture', '<html><img src="data:image/svg+xml,%3Csvg%20a%3D%22b%22%2F%3E"></html>'],
    ['a picture in RTF', `{\\rtf1{\\pict\\pngblip ${picture.toString('hex')}}}`],
    ['an object in RTF', `{\\rtf1{\\object{\\*\\objdata ${picture.toString('hex')}}}}`],
    ['a text about PDF', 'A PDF begins with %PDF-1.4. '.repeat(200)],
    ['a zip with documents', writeZip([{ name: 'a.pdf', data: pdf(['<< >>']), method: 'stored' }])],
  ]
  for (const [name, document] of documents) {
    test(name, () => {
      const { findings, obstacle } = inspector.inspect(Buffer.from(document as string, 'latin1'))
      assert.deepEqual([findings.filter(({ severity }) => severity !== 'notice'), obstacle], [[], null])
    })
  }
})

suite('hostile repetition takes little CPU time', () => {
  for (const [start, pattern] of [
    ['', ';base64,'],
    [';base64,', '&#65;'],
    [';base64,', '%41'],
    ['', '<binary-data '],
    ['', ';encoding=b'],
    ['', '\\objdata{4'],
    ['\\objdata    ', "\\'44{\\*4}{4}"],
    ['\\objdata', '\\bin1 a'],
    ['\\objdata', '{\n\n\n\n'],
    ['', '\xe7\x16\xe3\xbd\x65\x26\x11\x45\xa4\xc4\x8d\x4d\x0b\x7a\x9e\xac\0\0\0\x01\0\0\0\0'],
    ['x', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ] as const) {
    test(JSON.stringify(start + pattern), () => {
      const bytes = Buffer.alloc(8_000_000, pattern, 'latin1')
      bytes.write(start, 0, 'latin1')
      assertCheap(() => inspector.inspect(bytes))
    })
  }
})
