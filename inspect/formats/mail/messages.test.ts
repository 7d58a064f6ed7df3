/** CMS and OpenPGP messages that are not encrypted. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateRawSync, deflateSync } from 'node:zlib'
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
  test('compressed and encrypted content is not clean, also inside a signature', () => {
    const content = tlv(0x30, pkcs7(1), tlv(0xa0, tlv(4, deflateSync(EICAR))))
    const compressed = oid('2a864886f70d0109100109')
    assert.equal(outcome(inZip(message(compressed, content))), 'too_complex')
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
  }
  for (const [name, data] of Object.entries(messages))
    test(`${name} is inspected`, () => assert.equal(outcome(inZip(data)), FOUND))
  test('an encrypted message is encrypted', () => {
    const session = newPacket(1, Buffer.concat([Buffer.from([3]), Buffer.alloc(60, 7)]))
    const message = Buffer.concat([session, newPacket(18, Buffer.concat([Buffer.from([1]), Buffer.alloc(90, 9)]))])
    assert.equal(outcome(inZip(message)), 'encrypted')
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
