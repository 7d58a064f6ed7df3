/** Generates documents that repeat what the analysers search for, to measure their cost. */

import { deflateRawSync, gzipSync } from 'node:zlib'
import { randomFrom } from './random.ts'
import { writeZip } from './zip-writer.ts'

export interface HostileDocument {
  name: string
  create(): Buffer
}

/** Signatures and keywords that make an analyser do something, in Latin-1. */
const TOKENS: readonly string[] = [
  // PDF
  '%PDF-1.7\n',
  'ObjStm',
  '1 0 obj',
  ' obj<<',
  '1 0 obj<</Type/ObjStm/N 9/First 9>>stream',
  '1 0 obj<</Type/ObjStm/N 1/First 4>>stream\n1 0 1\nendstream\n',
  '1 0 obj<</Filter/FlateDecode>>stream\n',
  '1 0 obj<</Filter[/LZW/A85/AHx/RL]/Length 9>>stream\r\nxyz~>endstream endobj\n',
  'stream\n',
  'endstream',
  '/First ',
  '/EF<</F 1 0 R>>',
  '/JS 1 0 R',
  '/XFA[',
  '/Contents 2 0 R ',
  '/Encrypt 1 0 R',
  '<</Filter/Standard/V 1/R 2/O(a)/U(b)/P 1>>',
  '<<',
  '>>',
  '((',
  '\\)',
  '<41>',
  '(\\101)',
  '%\n',
  '[1 0 R ',
  // Mail
  'Content-Transfer-Encoding: base64\n\n',
  'Content-Transfer-Encoding: quoted-printable\n\n=\n',
  'Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n',
  '--a\nContent-Transfer-Encoding: base64\n\nUEsDBBQA\n--a--\n',
  'From a\n\nFrom ',
  '=ybegin ',
  'begin 644 a\n#0V%T\n`\nend\n',
  'begin-base64 644 a\n',
  '-----BEGIN PGP MESSAGE-----\n',
  'multipart/signed; protocol="application/pkcs7-signature"\n',
  'MIAGCSqGSIb3DQEHAqCA',
  '\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02',
  '\xcb\x0ab\x00\0\0\0\0',
  // Base64 and URLs
  ';base64,',
  ';base64,AAAA',
  ';base64,UEsDBBQA',
  ';encoding=b:',
  `${'UEsDBBQAAAAA'.padEnd(64, 'A')}.`,
  `${'TVqQAAAAAAAA'.padEnd(64, 'A')} `,
  'JVBERi0xLjcK\n',
  'A',
  `${'A'.repeat(48)}.`,
  `${'A'.repeat(48)}=.`,
  'A=',
  `>${'QUJD'.repeat(12)}<`,
  'data:,%41',
  'data:text/html,<p>%41</p>"',
  '<binData>QUJD</binData>',
  '<pkg:binaryData>',
  ':10000000000000000000000000000000000000F0\n',
  // Notebooks
  '{"cells":[{"cell_type":"code","source":"!a"}]}',
  // Markup
  '<html>',
  '<script>',
  '&#100;',
  '&amp;',
  '&semi;',
  '\\u0064',
  '\\x64',
  '\\64 ',
  '"+"',
  '<!--',
  '-->A',
  '<![CDATA[',
  ']]>A',
  '<?a?>A',
  '<!ENTITY a "&b;">',
  '&a;',
  '<Relationship Target="http://a" TargetMode="External"/>',
  '<w:hyperlink r:id="a"><w:t>www.a.example</w:t></w:hyperlink>',
  '<w:instrText>DDEAUTO</w:instrText>',
  '<w:fldSimple w:instr="',
  'href="',
  'xmlns="',
  // RTF
  '{\\rtf1',
  '{\\object\\objdata 01050000',
  '{\\*\\objdata d0cf11e0a1b11ae1}',
  '\\bin9 ',
  "\\'41",
  '\\u65 ?',
  '{\\field{\\*\\fldinst DDE}}',
  '{',
  '}',
  // Containers
  'PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\x01\0\0\0a\x03\0',
  'PK\x03\x04',
  'PK\x01\x02',
  'PK\x05\x06',
  'PK\x05\x06\0\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\0\0',
  'PK\x07\x08',
  '\x1f\x8b\x08\0\0\0\0\0\0\x03',
  '\x1f\x8b\x08\x08\0\0\0\0\0\x03a',
  '\x78\x9c',
  '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
  'MSCF\0\0\0\0',
  '7z\xbc\xaf\x27\x1c',
  'Rar!\x1a\x07\0',
  'BZh91AY&SY',
  '\xfd7zXZ\0\0\x04',
  '\x28\xb5\x2f\xfd\x20\x08\0\0',
  '\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0',
  '\x04\x22\x4d\x18\x64\x40',
  'LZIP\x01\x0c',
  'ITSF\x03',
  'FWS\x09',
  'CWS\x09',
  'LZFu',
  'ActiveMime',
  'MZ',
  'MZ\x90\0PE\0\0',
  'PE\0\0\x64\x86',
  '\x4c\0\0\0\x01\x14\x02\0\0\0\0\0\xc0\0\0\0\0\0\0\x46',
  '\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3',
  '\xe7\x16\xe3\xbd\x65\x26\x11\x45\xa4\xc4\x8d\x4d\x0b\x7a\x9e\xac\x01\0\0\0\0\0\0\0',
  'ustar\x0000',
  'CD001',
  'conectix',
  // Words of the rules
  'EICAR-STANDARD-ANTIVIRUS-TEST-FILE',
  'WScript.Shell',
  'powershell',
  'ms-msdt:',
  'msSaveOrOpenBlob',
  // Bytes
  '\0',
  ' ',
  '\n',
  '\xff',
  '.',
]

/** Separators of repetitions. */
const JOINTS = ['', '', '\n', ' ', '\0', '\n\n', '>', '"', ';', '.', '/']
const STARTS = [
  '',
  '',
  '',
  '%PDF-1.7\n',
  '<html>',
  '{\\rtf1 ',
  '<?xml version="1.0"?><a>',
  'From: a\nTo: b\n',
  'PK\x03\x04',
  '\ufeff',
]

interface Size {
  /** Of a document that is not packed. */
  plainBytes: number
  /** Of each member, and how many there are. */
  memberBytes: number
  members: number
}

/** Near the limits of a document. */
const FULL_SIZE: Size = { plainBytes: 24_000_000, memberBytes: 130_000_000, members: 3 }

/** The content of a file of this length. */
type Content = (bytes: number) => Buffer

/** The last member is incompressible, so that the expansion ratio of the document is not that of a bomb. */
function zipOf(content: Content, { memberBytes, members }: Size): Buffer {
  const data = content(memberBytes)
  const packed = deflateRawSync(data, { level: 1 })
  const filler = noise(Math.ceil((memberBytes * members) / 400) - packed.length * members)
  return writeZip([
    ...Array.from({ length: members }, (_, i) => ({ name: `${i}`, data, packed })),
    { name: 'filler', data: filler, method: 'stored' },
  ])
}

function noise(bytes: number): Buffer {
  const random = randomFrom(bytes)
  return Buffer.from(Uint8Array.from({ length: Math.max(1, bytes) }, () => random(256)))
}

const SHAPES: Readonly<Record<string, (content: Content, size: Size) => Buffer>> = {
  plain: (content, { plainBytes }) => content(plainBytes),
  zip: zipOf,
  'zip of 18 MB': (content, size) => zipOf(content, { ...size, memberBytes: Math.min(size.memberBytes, 18_000_000) }),
  'zip of 3,000': (content, { memberBytes }) =>
    zipOf(content, { plainBytes: 0, memberBytes: memberBytes / 1000, members: 3000 }),
  nested: (content, size) => writeZip([{ name: 'a.zip', data: zipOf(content, size), method: 'stored' }]),
  gzip: (content, { memberBytes }) => gzipSync(content(memberBytes), { level: 1 }),
  wide: (content, { plainBytes }) => Buffer.from(`\ufeff${content(plainBytes / 2).toString('latin1')}`, 'utf16le'),
  truncated: (content, size) => zipOf(content, { ...size, members: 1 }).subarray(0, -size.memberBytes / 700),
}

export function hostileDocument(shape: string, start: string, unit: string, size: Size): HostileDocument {
  const content: Content = (bytes) =>
    Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(Math.floor(bytes), unit, 'latin1')])
  const shown = [start, unit].filter((text) => text !== '').map((text) => JSON.stringify(text))
  return { name: `${shape}: ${shown.join(' then ')}`, create: () => SHAPES[shape]?.(content, size) ?? content(0) }
}

/** Every token alone. */
export function* everyToken(shape: string, size = FULL_SIZE): Generator<HostileDocument> {
  for (const token of TOKENS) yield hostileDocument(shape, '', token, size)
}

/** Endless: one to three tokens with a separator, after one of the starts, in any shape. */
export function* randomDocuments(seed: number, size = FULL_SIZE): Generator<HostileDocument> {
  const random = randomFrom(seed)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  for (;;) {
    const joint = pick(JOINTS)
    const unit = Array.from({ length: 1 + random(3) }, () => pick(TOKENS) + joint).join('')
    yield hostileDocument(pick(Object.keys(SHAPES)), pick(STARTS), unit, size)
  }
}
