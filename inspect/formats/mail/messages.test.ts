/** CMS and OpenPGP messages that are not encrypted. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { PACKETS_MAX } from './openpgp.ts'

const { outcome } = useInspector()
const FOUND = 'Docvet.Test.Eicar'

const inZip = (data: Uint8Array): Buffer =>
  writeZip([
    { name: 'a.p7m', data },
    { name: 'b.txt', data: 'x' },
  ])
const chunks: Buffer[] = []
for (let at = 0; at < EICAR.length; at += 10) chunks.push(Buffer.from(EICAR.slice(at, at + 10)))

suite('CMS', () => {
  const tlv = (tag: number, ...parts: Uint8Array[]): Buffer => {
    const body = Buffer.concat(parts)
    return Buffer.concat([
      body.length < 128
        ? Buffer.from([tag, body.length])
        : Buffer.from([tag, 0x82, body.length >> 8, body.length & 0xff]),
      body,
    ])
  }
  const endless = (tag: number, ...parts: Uint8Array[]): Buffer =>
    Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.alloc(2)])
  const oid = (hex: string): Buffer => tlv(6, Buffer.from(hex, 'hex'))
  const pkcs7 = (type: number): Buffer => oid(`2a864886f70d0107${type.toString(16).padStart(2, '0')}`)
  const version = Buffer.from([2, 1, 0])
  const compressed = oid('2a864886f70d0109100109')
  const chunked = endless(0x24, ...chunks.map((chunk) => tlv(4, chunk)))
  const message = (type: Buffer, content: Buffer, wrap = tlv): Buffer =>
    wrap(0x30, type, wrap(0xa0, wrap(0x30, version, content)))

  const types: Record<string, Buffer> = {
    signed: pkcs7(2),
    digested: pkcs7(5),
    authenticated: oid('2a864886f70d0109100102'),
  }
  for (const [name, type] of Object.entries(types))
    for (const [inner, content] of Object.entries({ data: pkcs7(1), 'content of another type': oid('2a0304') }))
      test(`${name} ${inner} in chunks is inspected`, () => {
        const encapsulated = endless(0x30, content, endless(0xa0, chunked))
        assert.equal(outcome(inZip(message(type, encapsulated))), FOUND)
        assert.equal(outcome(inZip(message(type, encapsulated, endless))), FOUND)
      })
  test('compressed content is inspected', () => {
    const packed = deflateSync(EICAR)
    const content = (data: Uint8Array): Buffer => tlv(0x30, pkcs7(1), tlv(0xa0, tlv(4, data)))
    assert.equal(outcome(inZip(message(compressed, content(packed)))), FOUND)
    for (const damaged of [packed.subarray(0, -9), packed.subarray(2), Buffer.alloc(90, 7)])
      assert.equal(outcome(inZip(message(compressed, content(damaged)))), 'too_complex')
    assert.equal(outcome(inZip(message(compressed, content(deflateSync('hello'))))), undefined)
  })
  test('lengths in more bytes than needed are read', () => {
    const long = (tag: number, ...parts: Uint8Array[]): Buffer => {
      const body = Buffer.concat(parts)
      return Buffer.concat([Buffer.from([tag, 0x87, 0, 0, 0, 0, 0, body.length >> 8, body.length & 0xff]), body])
    }
    const longType = Buffer.concat([Buffer.from([6, 0x81]), pkcs7(1).subarray(1)])
    const content = long(0x30, longType, long(0xa0, endless(0x24, ...chunks.map((chunk) => long(4, chunk)))))
    assert.equal(outcome(inZip(message(pkcs7(2), content, long))), FOUND)
  })
  test('types with long lengths are read', () => {
    const long = (type: Buffer, ...length: number[]): Buffer =>
      Buffer.concat([Buffer.from([6, ...length]), type.subarray(1)])
    for (const length of [[0x81], [0x82, 0], [0x84, 0, 0, 0], [0xff, ...Buffer.alloc(126)]]) {
      const content = endless(0x30, long(pkcs7(1), ...length), endless(0xa0, chunked))
      assert.equal(outcome(inZip(message(long(pkcs7(5), ...length), content))), FOUND)
      assert.equal(outcome(inZip(message(long(pkcs7(3), ...length), version))), 'encrypted')
    }
    const other = tlv(6, Buffer.alloc(90, 0x2a))
    assert.equal(outcome(inZip(message(pkcs7(2), endless(0x30, other, endless(0xa0, chunked))))), FOUND)
  })
  test('tags in several bytes are read', () => {
    const wide = (data: Buffer, ...padding: number[]): Buffer => {
      const [tag = 0] = data
      return Buffer.concat([Buffer.from([tag | 0x1f, ...padding, tag & 0x1f]), data.subarray(1)])
    }
    for (const padding of [[], [0x80, 0x80]]) {
      const wrap = (tag: number, ...parts: Uint8Array[]): Buffer => wide(tlv(tag, ...parts), ...padding)
      const octets = wrap(0x24, ...chunks.map((chunk) => wrap(4, chunk)))
      const content = wrap(0x30, wide(pkcs7(1), ...padding), wrap(0xa0, octets))
      assert.equal(outcome(inZip(message(wide(pkcs7(2), ...padding), content, wrap))), FOUND)
      assert.equal(outcome(inZip(message(pkcs7(2), tlv(0x30, pkcs7(1), wrap(0xa0, chunked))))), FOUND)
      assert.equal(outcome(inZip(message(pkcs7(3), version, wrap))), 'encrypted')
    }
  })
  test('time-stamped content is inspected', () => {
    const type = oid('2a864886f70d010910011f')
    const address = tlv(0x16, Buffer.from('http://example.org/'))
    const metadata = tlv(0x30, Buffer.from([1, 1, 0]))
    const evidence = tlv(0xa0, tlv(0x30, tlv(0x30)))
    for (const before of [[], [address], [metadata], [address, metadata]])
      for (const wrap of [tlv, endless])
        assert.equal(outcome(inZip(message(type, Buffer.concat([...before, chunked, evidence]), wrap))), FOUND)
    assert.equal(outcome(inZip(message(type, Buffer.concat([address, evidence])))), undefined)
    const open = endless(0x30, Buffer.from([1, 1, 0]))
    assert.equal(outcome(inZip(message(type, Buffer.concat([open, chunked, evidence])))), 'too_complex')
  })
  test('compressed and encrypted content that cannot be read is not clean, also inside a signature', () => {
    const signed = (type: Buffer): Buffer => message(pkcs7(2), tlv(0x30, type, tlv(0xa0, tlv(4, Buffer.from('abc')))))
    assert.equal(outcome(inZip(signed(compressed))), 'too_complex')
    assert.equal(outcome(inZip(signed(pkcs7(3)))), 'encrypted')
    assert.equal(outcome(inZip(signed(pkcs7(1)))), undefined)
  })
})

suite('OpenPGP', () => {
  const literal = (data: Uint8Array): Buffer => Buffer.concat([Buffer.from('b\x05a.com\0\0\0\0', 'latin1'), data])
  const body = literal(Buffer.from(EICAR))
  const oldPacket = (tag: number, data: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from([0x80 | (tag << 2), data.length]), data])
  const newPacket = (tag: number, data: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from([0xc0 | tag, data.length]), data])
  const openPacket = (tag: number, data: Uint8Array): Buffer => Buffer.concat([Buffer.from([0x83 | (tag << 2)]), data])
  /** Parts of 16 bytes. */
  const parts = (tag: number, data: Uint8Array): Buffer => {
    const list = [Buffer.from([0xc0 | tag])]
    let at = 0
    for (; at + 16 < data.length; at += 16) list.push(Buffer.from([0xe4]), Buffer.from(data.subarray(at, at + 16)))
    return Buffer.concat([...list, Buffer.from([data.length - at]), data.subarray(at)])
  }
  const packed = (algorithm: number, data: Uint8Array): Buffer => Buffer.concat([Buffer.from([algorithm]), data])
  const onePass = newPacket(4, Buffer.from('0300080112345678123456780100'.slice(0, 26), 'hex'))
  const messages: Record<string, Buffer> = {
    'literal data in parts': parts(11, body),
    'literal data after a signature header, in parts': Buffer.concat([onePass, parts(11, body)]),
    'compressed data': openPacket(8, packed(1, deflateRawSync(oldPacket(11, body)))),
    'compressed data with a zlib header': newPacket(8, packed(2, deflateSync(newPacket(11, body)))),
    'compressed data in parts': parts(8, packed(1, deflateRawSync(parts(11, body)))),
    'stored compressed data in parts': parts(8, packed(0, parts(11, body))),
    'literal data of an unknown format': parts(11, Buffer.concat([Buffer.from('x'), body.subarray(1)])),
    ...Object.fromEntries(
      [6, 12, 13, 21, 60, 61, 63].map((tag) => [
        `literal data after a packet ${tag}`,
        Buffer.concat([newPacket(tag, Buffer.from('abc')), newPacket(60, Buffer.alloc(0)), parts(11, body)]),
      ]),
    ),
  }
  // Packets of tag 9 have no version.
  for (const tag of [1, 2, 3, 4, 9, 10, 18, 20])
    for (const skipped of ['', '\0abcdefg', '\x09abcdefgh', 'XYZ'])
      if (tag !== 9 || skipped === '')
        messages[`compressed data after a packet ${tag} of ${JSON.stringify(skipped)}`] = Buffer.concat([
          newPacket(tag, Buffer.from(skipped)),
          openPacket(8, packed(1, deflateRawSync(parts(11, body)))),
        ])
  const unfinished = deflateRawSync(newPacket(11, body), { finishFlush: constants.Z_SYNC_FLUSH })
  messages['compressed data with a corrupt end'] = openPacket(
    8,
    packed(1, Buffer.concat([unfinished, Buffer.from('07ffff', 'hex')])),
  )
  for (const [name, data] of Object.entries(messages))
    test(`${name} is inspected`, () => assert.equal(outcome(inZip(data)), FOUND))
  test('an encrypted message is encrypted', () => {
    const session = newPacket(1, Buffer.concat([Buffer.from([3]), Buffer.alloc(60, 7)]))
    const message = Buffer.concat([session, newPacket(18, Buffer.concat([Buffer.from([1]), Buffer.alloc(90, 9)]))])
    assert.equal(outcome(inZip(message)), 'encrypted')
    assert.equal(outcome(inZip(Buffer.concat([newPacket(60, Buffer.from('abc')), message]))), 'encrypted')
    assert.equal(outcome(inZip(Buffer.concat([newPacket(10, Buffer.from('PGP')), message.subarray(63)]))), 'encrypted')
  })
  test('other data that consists of packets is clean', () => {
    assert.equal(outcome(inZip(Buffer.alloc(PACKETS_MAX * 2 + 4, '\xc5\0', 'latin1'))), undefined)
    assert.equal(outcome(inZip(Buffer.from('ffc0c901aa', 'hex'))), undefined)
  })
  test('a packet in parts is read up to a limit', () => {
    const many = (count: number): Buffer =>
      Buffer.concat([
        Buffer.from([0xcb]),
        Buffer.from('\xe0b\xe0\0'.padEnd(count * 2 - 2, '\xe0a'), 'latin1'),
        Buffer.from([0]),
      ])
    assert.equal(outcome(inZip(many(PACKETS_MAX))), undefined)
    assert.equal(outcome(inZip(many(PACKETS_MAX + 1))), 'too_complex')
  })
  test('other compression is too complex', () => {
    assert.equal(outcome(inZip(newPacket(8, packed(3, Buffer.from('BZh91AY&SY\0\0'))))), 'too_complex')
  })
})

suite('armor', () => {
  const literal = Buffer.concat([Buffer.from([0xcb, EICAR.length + 6]), Buffer.from('b\0\0\0\0\0'), Buffer.from(EICAR)])
  const packet = Buffer.concat([Buffer.from([0xa3, 1]), deflateRawSync(literal)])
  const hidden = Buffer.concat([
    Buffer.from('308006092a864886f70d010701a0802480', 'hex'),
    ...chunks.flatMap((chunk) => [Buffer.from([4, chunk.length]), chunk]),
    Buffer.alloc(6),
  ])
  const lines = (data: Uint8Array, width: number): string =>
    Buffer.from(data)
      .toString('base64')
      .replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\n')
  const armor = (label: string, data: Uint8Array, headers = '', width = 64): string =>
    `-----BEGIN ${label}-----\n${headers}\n${lines(data, width)}\n=abcd\n-----END ${label}-----\n`
  const texts: Record<string, string> = {
    'a PEM block': armor('CMS', hidden),
    'a PEM block in a text': `Hello\n\n${armor('PKCS7', hidden).replace('\n\n', '\n')}`,
    'a PEM block of short lines': armor('CERTIFICATE', hidden, '', 5),
    'an OpenPGP message': armor('PGP MESSAGE', packet),
    'an OpenPGP message with a header without a space': armor('PGP MESSAGE', packet, 'Hash:SHA1\n'),
    'an OpenPGP message with a long header': armor('PGP MESSAGE', packet, `Comment: ${'x'.repeat(500)}\n`),
    'an OpenPGP message with a header of digits': armor('PGP MESSAGE', packet, 'abc\n'),
    'a part of an OpenPGP message': armor('PGP MESSAGE, PART 1/1', packet),
    'an OpenPGP message in a reply': armor('PGP MESSAGE', packet).replaceAll(/^/gm, '> '),
    'an armored file': armor('PGP ARMORED FILE', packet),
    'an OpenPGP message without an end': armor('PGP MESSAGE', packet).replace(/=abcd.*/s, ''),
    'a clear-signed text':
      '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n' +
      `Content-Transfer-Encoding: base64\n\n${lines(Buffer.from(EICAR), 6)}`.replaceAll(/^/gm, '- '),
  }
  for (const [name, text] of Object.entries(texts))
    for (const lineEnd of ['\n', '\r\n', '\r'])
      test(`${name} is decoded, with line end ${JSON.stringify(lineEnd)}`, () =>
        assert.equal(outcome(Buffer.from(text.replaceAll('\n', lineEnd))), FOUND))
  test('keys and mentions are clean', () => {
    assert.equal(outcome(Buffer.from(armor('PUBLIC KEY', Buffer.alloc(200, 7)))), undefined)
    assert.equal(outcome(Buffer.from('The line -----BEGIN PGP MESSAGE----- is first.\n')), undefined)
  })
})
