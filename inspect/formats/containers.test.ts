/** EICAR and programs in every container, and containers that cannot be opened. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { docx, EICAR, pdf, program } from '#inspect/testing/samples.ts'
import { AES, LZMA2, writeSevenZip } from '#inspect/testing/seven-zip-writer.ts'
import { writeTar } from '#inspect/testing/tar-writer.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const inspector = useInspector()

function mail(encoding: string, body: string): Buffer {
  const part = `Content-Type: application/octet-stream; name="eicar.com"\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`
  return Buffer.from(
    `From: a@example.org\r\nTo: b@example.org\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n${part}\r\n--x--\r\n`,
  )
}

function stream(dictionary: string, data: Uint8Array): string {
  return `<< ${dictionary} /Length ${data.length} >>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`
}

const base64 = Buffer.from(EICAR).toString('base64')
const hex = Buffer.from(EICAR).toString('hex')
const scattered = Buffer.concat([Buffer.alloc(500), Buffer.from(EICAR), Buffer.alloc(600)])

suite('EICAR is found', () => {
  const holders: [string, Uint8Array, string[]][] = [
    ['unpacked', Buffer.from(EICAR), []],
    ['in the middle of a text', Buffer.from(`Good morning ${EICAR} to you`), []],
    ['in UTF-16', Buffer.from(`\ufeff${EICAR}`, 'utf16le'), ['(as UTF-8)']],
    ['in a docx', docx({ 'word/media/image1.png': EICAR }), ['word/media/image1.png']],
    [
      'in a zip in a docx',
      docx({ 'word/embeddings/a.bin': writeZip([{ name: 'x', data: EICAR }]) }),
      ['word/embeddings/a.bin', 'x'],
    ],
    ['in gzip in a zip', writeZip([{ name: 'a.gz', data: gzipSync(EICAR) }]), ['a.gz', '(content)']],
    [
      'in the second member of a gzip file',
      writeZip([{ name: 'a.gz', data: Buffer.concat([gzipSync('a'), gzipSync(EICAR)]) }]),
      ['a.gz', '(content)'],
    ],
    ['in tar in a zip', writeZip([{ name: 'a.tar', data: writeTar('eicar.com', EICAR) }]), ['a.tar', 'eicar.com']],
    ['in Base64 in a mail', mail('base64', base64), ['eicar.com']],
    ['in Base64 after padding in a mail', mail('base64', `QQ==\r\n${base64}`), ['eicar.com']],
    ['in quoted-printable in a mail', mail('quoted-printable', EICAR.replaceAll('$', '=24')), ['eicar.com']],
    [
      'in a zip in a mail',
      mail('base64', writeZip([{ name: 'x', data: EICAR }]).toString('base64')),
      ['eicar.com', 'x'],
    ],
    ['in a Flate stream of a PDF', pdf([stream('/Filter /FlateDecode', deflateSync(EICAR))]), ['object 1']],
    ['under a name in hexadecimal', pdf([stream('/Filter /Fl#61teDecode', deflateSync(EICAR))]), ['object 1']],
    [
      'in two filters',
      pdf([stream('/Filter [/ASCIIHexDecode /FlateDecode]', Buffer.from(`${deflateSync(EICAR).toString('hex')}>`))]),
      ['object 1'],
    ],
    ['in hexadecimal in a PDF', pdf([stream('/Filter /ASCIIHexDecode', Buffer.from(hex))]), ['object 1']],
    ['in a stream that hides its filter', pdf([stream('/Filter 9 0 R', deflateSync(EICAR))]), ['object 1']],
    [
      'in a zip in a PDF',
      pdf([stream('/Type /EmbeddedFile /Filter /FlateDecode', deflateSync(writeZip([{ name: 'x', data: EICAR }])))]),
      ['object 1', 'x'],
    ],
    [
      'in the scattered sectors of a compound file',
      writeOle({ streams: { Data: scattered }, scattered: true }),
      ['Data'],
    ],
    ['in a zip after a PDF', Buffer.concat([pdf(['<< >>']), writeZip([{ name: 'x', data: EICAR }])]), ['x']],
  ]
  for (const [name, bytes, path] of holders) {
    test(name, () => {
      const { findings } = inspector.inspect(bytes)
      const found = findings.find(({ id }) => id === 'Docvet.Test.Eicar')
      assert.deepEqual(found?.path, path)
      assert.equal(found.severity, 'malicious')
    })
  }
})

suite('programs', () => {
  test('in a document they are malicious at any offset', () => {
    const holders = [
      docx({ 'word/media/image1.png': program() }),
      docx({ 'word/media/image1.png': Buffer.concat([Buffer.alloc(100, 1), program()]) }),
      Buffer.concat([pdf(['<< >>']), program()]),
      writeOle({ streams: { Data: program() } }),
      writeZip([
        { name: 'invoice.pdf.exe', data: program() },
        { name: 'a.txt', data: 'x' },
      ]),
      writeZip([{ name: 'setup.exe', data: program() }]),
    ]
    for (const bytes of holders) assert.equal(inspector.inspect(bytes).findings[0]?.id, 'Docvet.Embedded.Executable')
  })
  test('in an archive with other files they are suspicious', () => {
    const { findings } = inspector.inspect(
      writeZip([
        { name: 'tool.exe', data: program() },
        { name: 'read.me', data: 'x' },
      ]),
    )
    assert.deepEqual(
      findings.map(({ id, severity }) => [id, severity]),
      [['Docvet.Archive.Executable', 'suspicious']],
    )
  })
  test('MZ alone is clean', () => {
    assert.deepEqual(inspector.inspect(docx({ 'a.bin': Buffer.from(`\x01MZ${'\0MZ'.repeat(500)}`) })).findings, [])
  })
})

suite('never clean', () => {
  test('unsupported archives inside', () => {
    for (const magic of [
      '377abcaf271c0004',
      '526172211a070100',
      'fd377a585a00',
      '4d5343460000000000',
      '425a6839314159265359',
    ]) {
      const { obstacle } = inspector.inspect(
        writeZip([{ name: 'inner', data: Buffer.from(magic.padEnd(64, '0'), 'hex') }]),
      )
      assert.deepEqual([obstacle?.reason, obstacle?.path], ['too_complex', ['inner']])
    }
  })
  test('damaged gzip and tar inside', () => {
    const packed = gzipSync('Good morning, good morning')
    const cut = writeTar('a', 'x'.repeat(400)).subarray(0, 700)
    for (const data of [packed.subarray(0, -14), packed.subarray(0, 11), cut])
      assert.equal(inspector.inspect(writeZip([{ name: 'inner', data }])).obstacle?.reason, 'damaged')
  })
  test('encrypted OpenDocument, rights-managed and encrypted Office', () => {
    const manifest = '<manifest:manifest><manifest:encryption-data manifest:checksum=""/></manifest:manifest>'
    const word = Buffer.alloc(600)
    word.writeUInt16LE(0x0100, 10)
    const book = Buffer.from('09081000000000000000000000000000000000002f00060000000000', 'hex')
    const documents = [
      writeZip([
        { name: 'content.xml', data: 'x' },
        { name: 'META-INF/manifest.xml', data: manifest },
      ]),
      writeOle({ streams: { EncryptedPackage: Buffer.alloc(600, 7), EncryptionInfo: Buffer.alloc(60) } }),
      writeOle({ streams: { '\tDRMContent': Buffer.alloc(60) } }),
      writeOle({ streams: { WordDocument: word } }),
      writeOle({ streams: { Workbook: book } }),
    ]
    for (const [i, bytes] of documents.entries())
      assert.equal(inspector.inspect(bytes).obstacle?.reason, 'encrypted', `${i}`)
  })
  test('a password-protected workbook, regardless of the records before the FilePass', () => {
    const of = (records: number): Buffer =>
      Buffer.from(`09080000${'42000000'.repeat(records - 2)}2f000000${'00'.repeat(64)}`, 'hex')
    for (const records of [2, 64, 65, 10_000])
      assert.equal(inspector.inspect(writeOle({ streams: { Workbook: of(records) } })).obstacle?.reason, 'encrypted')
  })
  test('the second of two password-protected documents', () => {
    const word = Buffer.alloc(600)
    word.writeUInt16LE(0x0100, 10)
    const streams = { WordDocument: Buffer.alloc(600), Worddocument: word }
    assert.equal(inspector.inspect(writeOle({ streams })).obstacle?.reason, 'encrypted')
  })
  test('7z is encrypted if its directory says so, otherwise too complex', () => {
    const packed = Buffer.alloc(160, 7)
    const inZip = (data: Buffer) => inspector.inspect(writeZip([{ name: 'a.7z', data }])).obstacle?.reason
    for (const coders of [[AES], [LZMA2, AES]])
      assert.equal(inZip(writeSevenZip({ packed, content: null, coders })), 'encrypted')
    const readable = writeSevenZip({ packed, content: packed })
    assert.equal(inZip(readable), 'too_complex')
    // The same four bytes in the content are not a directory.
    assert.equal(inZip(writeSevenZip({ packed: Buffer.from(AES.id), content: Buffer.from(AES.id) })), 'too_complex')
    const astray = Buffer.from(readable)
    astray.writeBigUInt64LE(2n ** 64n - 1n, 12)
    for (const broken of [astray, readable.subarray(0, 6), readable.subarray(0, 31), readable.subarray(0, 33)])
      assert.equal(inZip(broken), 'too_complex')
  })
  test('compound files with an ambiguous limit for small streams', () => {
    const file = writeOle({ streams: { WordDocument: Buffer.alloc(600) } })
    for (const [table, expected] of [
      [0xfffffffe, undefined],
      [0, 'damaged'],
    ] as const) {
      file.writeUInt32LE(table, 60)
      assert.equal(inspector.inspect(file).obstacle?.reason, expected)
    }
  })
  test('unreadable compound files', () => {
    const whole = writeOle({ streams: { WordDocument: Buffer.alloc(600) } })
    assert.equal(inspector.inspect(whole).obstacle, null)
    for (const length of [8, 511, 512, 1024])
      assert.equal(inspector.inspect(whole.subarray(0, length)).obstacle?.reason, 'damaged')
  })
})
