/** Encrypted and signed mail, and files without a MIME header. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { CHUNKS_MAX } from './signed.ts'

const inspector = useInspector()

const eml = (headers: string, body: string): string =>
  `From: a@example.org\r\nTo: b@example.org\r\nMIME-Version: 1.0\r\n${headers}\r\n\r\n${body}`
const smime = (bytes: Uint8Array, type = ''): string =>
  eml(
    `Content-Type: application/pkcs7-mime;\r\n ${type}name=smime.p7m\r\nContent-Transfer-Encoding: base64`,
    Buffer.from(bytes).toString('base64'),
  )
const noise = Buffer.from(Array.from({ length: 400 }, (_, i) => (i * 73 + 11) & 255))
const cms = (type: string, ...rest: Uint8Array[]): Buffer =>
  Buffer.concat([
    Buffer.from(`308006${(type.length / 2).toString(16).padStart(2, '0')}${type}a0803080020101`, 'hex'),
    ...rest,
  ])

function chunks(content: Uint8Array, size: number): Buffer {
  const all: Uint8Array[] = []
  for (let at = 0; at < content.length; at += size) {
    const piece = content.subarray(at, at + size)
    all.push(Buffer.from([4, piece.length]), piece)
  }
  return Buffer.concat(all)
}
const signed = (content: Uint8Array, head = 'a0802480'): Buffer =>
  cms(
    '2a864886f70d010702',
    Buffer.from(`310f300d06096086480165030402010500308006092a864886f70d010701${head}`, 'hex'),
    content,
    Buffer.alloc(8),
  )

function uuencoded(bytes: Buffer): string {
  let lines = ''
  for (let at = 0; at < bytes.length; at += 45) {
    const piece = bytes.subarray(at, at + 45)
    lines += String.fromCharCode(piece.length + 0x20)
    for (let i = 0; i < piece.length; i += 3) {
      const group = ((piece[i] ?? 0) << 16) | ((piece[i + 1] ?? 0) << 8) | (piece[i + 2] ?? 0)
      for (const shift of [18, 12, 6, 0]) lines += String.fromCharCode(((group >> shift) & 63) + 0x20)
    }
    lines += '\r\n'
  }
  return `begin 644 a.gz\r\n${lines}\`\r\nend\r\n`
}

function outcome(text: string): string | undefined {
  const { findings, obstacle } = inspector.inspect(Buffer.from(text, 'latin1'))
  return findings.find(({ severity }) => severity !== 'notice')?.id ?? obstacle?.reason
}

const PGP =
  '-----BEGIN PGP MESSAGE-----\r\nVersion: 1\r\n\r\nhQEMA1234567890abcdefghijklmnop\r\n=abcd\r\n-----END PGP MESSAGE-----\r\n'

suite('encrypted mail is never clean', () => {
  const mails: [string, string][] = [
    ['S/MIME, by its header', smime(noise, 'smime-type=enveloped-data; ')],
    ['S/MIME with authentication, by its header', smime(noise, 'smime-type="authEnveloped-data"; ')],
    ['S/MIME, by its bytes', smime(cms('2a864886f70d010703', noise))],
    ['S/MIME with authentication, by its bytes', smime(cms('2a864886f70d0109100117', noise))],
    ['OpenPGP with MIME', eml('Content-Type: multipart/encrypted; boundary=b', '--b\r\n\r\nx\r\n--b--\r\n')],
    ['OpenPGP in the text', eml('Content-Type: text/plain', `Hello\r\n${PGP}`)],
    ['OpenPGP without words of its own', eml('Content-Type: text/plain', PGP.replace('Version: 1\r\n', ''))],
    ['OpenPGP in a reply', eml('Content-Type: text/plain', PGP.replaceAll(/^/gm, '> '))],
    ['OpenPGP after the notes of a program', PGP.replace('Version', 'Comment: by a program\r\nVersion')],
    ['OpenPGP without an empty line', PGP.replace('\r\n\r\n', '\r\n')],
    ['OpenPGP in a source', `const SAMPLE = \`\n${PGP}\``],
  ]
  for (const [name, text] of mails) test(name, () => assert.equal(outcome(text), 'encrypted'))
})

suite('EICAR is found', () => {
  const packed = gzipSync(EICAR)
  const inner = Buffer.from(`Content-Transfer-Encoding: base64\r\n\r\n${packed.toString('base64')}\r\n`)
  const mails: [string, string][] = [
    ['in a signed mail in chunks', smime(signed(chunks(inner, 65)))],
    ['in a signed mail in chunks with an end', smime(signed(chunks(inner, 125), 'a0802481ff'))],
    ['in a signed mail in one piece', smime(signed(inner, `a080048200${inner.length.toString(16)}`))],
    ['in uuencode without a header', eml('Content-Type: text/plain', `Hello\r\n\r\n${uuencoded(packed)}Bye\r\n`)],
    ['in the second of two', eml('X: y', `begin 644 a.txt\r\n#86)C\r\n\`\r\nend\r\n${uuencoded(packed)}`)],
  ]
  for (const [name, text] of mails) test(name, () => assert.equal(outcome(text), 'Docvet.Test.Eicar'))
})

suite('never clean', () => {
  test('signed content that cannot be reassembled', () => {
    assert.equal(outcome(smime(signed(Buffer.from('0c0161', 'hex')))), 'too_complex')
    assert.equal(outcome(smime(signed(Buffer.from('0484ffffffff61', 'hex')))), 'too_complex')
  })
  test('signed content in more chunks than the limit', () => {
    const content = gzipSync(EICAR)
    // In chunks, so that it is not found unassembled.
    const pieces = Math.ceil(content.length / 9)
    const of = (count: number): string =>
      smime(signed(Buffer.concat([Buffer.alloc((count - pieces) * 2, '\x04\0'), chunks(content, 9)])))
    assert.equal(outcome(of(CHUNKS_MAX)), 'Docvet.Test.Eicar')
    assert.equal(outcome(of(CHUNKS_MAX + 1)), 'too_complex')
  })
  test('a compressed mail', () => assert.equal(outcome(smime(cms('2a864886f70d0109100109', noise))), 'too_complex'))
  test('yEnc', () =>
    assert.equal(outcome(eml('X: y', '=ybegin line=128 size=3 name=a.com\r\nabc\r\n=yend size=3')), 'too_complex'))
  test('a part of a mail', () =>
    assert.equal(outcome(eml('Content-Type: message/partial; id=a; number=1; total=2', 'abc')), 'too_complex'))
  test('BinHex', () =>
    assert.equal(outcome(eml('X: y', '(This file must be converted with BinHex 4.0)\r\n\r\n:abc:')), 'too_complex'))
})

suite('clean', () => {
  const texts: [string, string][] = [
    ['a signature of its own', smime(cms('2a864886f70d010702', noise), 'smime-type=signed-data; ')],
    ['a signed mail', smime(signed(chunks(Buffer.from('Content-Type: text/plain\r\n\r\nHello'), 10)))],
    [
      'a text about encryption',
      'Use multipart/encrypted or smime-type=enveloped-data.\nIt says -----BEGIN PGP MESSAGE-----\n',
    ],
    [
      'a constant in a source',
      'Const First = "-----BEGIN PGP MESSAGE-----"\n\nDim Tool As New Tool\nSub Encrypt(File)\nEnd Sub\n',
    ],
    [
      'both lines in a source',
      'begin = "-----BEGIN PGP MESSAGE-----"\nreturn lines(begin, "-----END PGP MESSAGE-----")\n\nEverything else\n',
    ],
    ['a manual that leaves out the message', PGP.replace('hQEMA1234567890', 'hQEMA1234567890\r\n[...]\r\n')],
    ['a manual with words for a message', PGP.replace(/hQ.*/, 'the encrypted message')],
    ['a manual with a word for a message', PGP.replace(/hQ.*/, 'YourEncryptedMessageGoesHere')],
    ['a sentence', 'We\nbegin 100 metres from here\nand end there.\n'],
    ['a public key', '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nhQEMA1234567890abcdefghijklmnop\n'],
  ]
  for (const [name, text] of texts) test(name, () => assert.equal(outcome(text), undefined))
})
