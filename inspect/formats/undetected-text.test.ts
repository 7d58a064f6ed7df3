/** Texts that are detected as another type, or not at all, are analysed all the same. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { EICAR, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect, outcome } = useInspector()
const FOUND = 'Docvet.Test.Eicar'

const base64 = Buffer.from(EICAR).toString('base64')

function uuencode(text: string): string {
  const lines = []
  for (let at = 0; at < text.length; at += 45) {
    const part = Buffer.from(text.slice(at, at + 45))
    const digit = (value: number): string => String.fromCharCode(value === 0 ? 0x60 : value + 0x20)
    let line = digit(part.length)
    for (let i = 0; i < part.length; i += 3) {
      const group = ((part[i] ?? 0) << 16) | ((part[i + 1] ?? 0) << 8) | (part[i + 2] ?? 0)
      line += [18, 12, 6, 0].map((shift) => digit((group >> shift) & 63)).join('')
    }
    lines.push(line)
  }
  return [...lines, '`', 'end', ''].join('\r\n')
}

const uu = `begin 644 e.com\r\n${uuencode(EICAR)}`
const page = `<html><body><a href="data:a/b;base64,${base64}">x</a></body></html>`
const flatOpc = `<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage"><pkg:part pkg:name="/word/e.bin"><pkg:binaryData>${base64}</pkg:binaryData></pkg:part></pkg:package>`
const flatOdf = `<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:binary-data>${base64}</office:binary-data></office:document>`
const mail = `From: a@b.example\r\nSubject: hi\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n`

/** `%PDF-1` as three characters in UTF-16. */
const PDF_AS_TEXT = Buffer.from('%PDF-1', 'latin1').toString('utf16le')

const ways: Record<string, (text: string) => Buffer> = {
  'with a ZIP archive after it': (text) =>
    Buffer.concat([Buffer.from(text), writeZip([{ name: 'a.txt', data: 'hello' }])]),
  'with a PDF after it': (text) => Buffer.concat([Buffer.from(text), pdf(['<< >>'])]),
  'with control characters after it': (text) => Buffer.from(`${text}\r\n\0\x01\x02`, 'latin1'),
  'inside a ZIP archive, with control characters after it': (text) =>
    writeZip([{ name: 'a', data: Buffer.from(`${text}\r\n\0\x01\x02`, 'latin1') }]),
}

for (const [name, text] of Object.entries({ uu: `From: a@b\r\n\r\n${uu}`, page, flatOpc, flatOdf, mail }))
  suite(`EICAR is found in ${name}`, () => {
    for (const [way, write] of Object.entries(ways)) test(way, () => assert.equal(outcome(write(text)), FOUND))
  })

suite('EICAR is found in a mail', () => {
  const heads = {
    'with an unusual first header': 'Sender: a@b.example\r\nSubject: %PDF-1.4\r\n',
    'with an invented header': 'X5: y\r\nImportance: %PDF-1.4\r\nFrom: a@b\r\n',
    'with a line in front': '%PDF-1.4\r\nFrom: a@b\r\nSubject: hi\r\n',
    'with a control character': 'From: a@b\r\nSubject: h\0i\r\n',
  }
  for (const [name, head] of Object.entries(heads))
    test(name, () => assert.equal(outcome(Buffer.from(`${head}\r\nhello\r\n${uu}`, 'latin1')), FOUND))
})

suite('EICAR is found in an escaped data URL, whatever surrounds it', () => {
  const url = `data:text/html;b\nase64,${base64.replaceAll(/.{10}/g, '$&\n')}`
  const elements = [
    `<object data="${url}">`,
    `<form action="${url}">`,
    `<button formaction="${url}">`,
    `<iframe/src="${url}">`,
    `<embed\fsrc="${url}">`,
    `<a href\n= "${url}">`,
    `<svg onload="location='${url.replaceAll('\n', '&Tab;')}'">`,
    `<META http-equiv=refresh content="0;url=${url}">`,
  ]
  for (const element of elements)
    test(element.split('"')[0] ?? '', () => {
      const zip = writeZip([{ name: 'a.txt', data: 'hello' }])
      for (const document of [
        Buffer.from(`%PDF-1.4\n${element}`),
        Buffer.from(`{\\rtf1 }\n${element}`),
        Buffer.concat([Buffer.from(element), zip]),
        writeZip([{ name: 'a.htm', data: Buffer.from(`\x01\x02\0${element}`, 'latin1') }]),
      ])
        assert.equal(outcome(document), FOUND)
    })
})

suite('EICAR is found in UTF-16', () => {
  const little = (text: string): Buffer => Buffer.from(text, 'utf16le')
  const big = (text: string): Buffer => little(text).swap16()
  for (const [name, text] of Object.entries({ page, flatOpc, flatOdf })) {
    const withPdf = `<!--${PDF_AS_TEXT}-->${text}`
    for (const [way, document] of Object.entries({
      'with a mark': little(`\uFEFF${withPdf}`),
      'big-endian with a mark': big(`\uFEFF${withPdf}`),
      'without a mark': little(withPdf),
      'big-endian without a mark': big(withPdf),
      'after white space': little(` \r\n${withPdf}`),
      'after other characters': little(`${'\u4e2d\u6587'.repeat(3000)}${text}`),
      'with a ZIP archive after it': Buffer.concat([little(`\uFEFF${text}`), writeZip([{ name: 'a', data: 'hello' }])]),
    }))
      test(`${name} ${way}`, () => {
        assert.equal(outcome(document), FOUND)
        assert.equal(outcome(writeZip([{ name: 'a.xml', data: document }])), FOUND)
      })
  }
  test('UTF-32', () => {
    const wide = (text: string): Buffer => Buffer.concat([...text].map((char) => Buffer.from(`${char}\0`, 'utf16le')))
    assert.equal(outcome(writeZip([{ name: 'a.xml', data: wide(flatOpc) }])), FOUND)
    assert.equal(outcome(writeZip([{ name: 'a.xml', data: wide(flatOpc).swap32() }])), FOUND)
  })
})

suite('uuencoded files with unusual begin lines', () => {
  const body = uuencode(EICAR)
  for (const line of [
    'begin\t644\te.com',
    'begin  644  e.com',
    'begin 644',
    'begin 100644 e.com',
    'begin  e.com',
    ' begin 644 e.com',
    '> begin 644 e.com',
    'begin 00000000000644 e.com',
    'begin 0o644 e.com',
    '\x0cbegin 644 e.com',
  ])
    test(JSON.stringify(line), () => {
      for (const lineEnd of ['\r\n', '\n', '\r'])
        assert.equal(outcome(Buffer.from(`hello\r\n${line}\r\n${body}`.replaceAll('\r\n', lineEnd))), FOUND)
    })
  for (const line of ['begin-base64 644 e.com', 'begin-base64\t644 e.com', 'begin-base64-encoded 644 ZS5jb20='])
    test(line, () => {
      const short = base64.replaceAll(/.{7}/g, '$&\r\n')
      for (const lines of [base64, short])
        assert.equal(outcome(Buffer.from(`From: a@b\r\n\r\n${line}\r\n${lines}\r\n====\r\n`)), FOUND)
    })
  test('xxencode', () => {
    const digits = '+-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const lines = body
      .split('\r\n')
      .map((line) => line.replace(/[ -`]/g, (char) => digits[(char.charCodeAt(0) - 0x20) & 63] ?? ''))
    const text = `begin 644 e.com\r\n${lines.slice(0, -3).join('\r\n')}\r\n+\r\nend\r\n`
    assert.equal(outcome(Buffer.from(`hello\r\n${text}`)), FOUND)
  })
  test('a mail part without a begin line', () => {
    const head = 'From: a@b\r\nContent-Transfer-Encoding: x-uuencode\r\n\r\n'
    assert.equal(outcome(Buffer.from(`${head}${body}`)), FOUND)
  })
  test('a sentence is clean', () => {
    assert.equal(outcome(Buffer.from('We\nbegin 2 hours later.\nbegin-base64 is a word.\n')), undefined)
  })
})

suite('unusual encodings of a text', () => {
  test('quoted-printable with carriage returns as line ends', () => {
    const body = [...EICAR].join('=\r')
    assert.equal(outcome(Buffer.from(`From: a@b\rContent-Transfer-Encoding: quoted-printable\r\r${body}`)), FOUND)
  })
  for (const text of [
    'Given `Accept-Charset: utf-8, utf-7;q=0.5`, the answer is 1 + 1.\n',
    'my %charsets = ("us-ascii" => 1, "utf-7" => 65000, "hz-gb-2312" => 52936); $a+1-~\n',
  ])
    test(`only mentioned: ${text}`, () => {
      const { findings, obstacle, bytesInspected } = inspect(Buffer.from(text))
      assert.deepEqual([findings, obstacle, bytesInspected], [[], null, text.length])
    })
  const shifted = (text: string): string =>
    `+${Buffer.from(text, 'utf16le').swap16().toString('base64').replaceAll('=', '')}-`
  const hidden = `<a href="${shifted('data:a/b;ba')}se64,${base64}">x</a>`
  for (const declaration of [
    '<meta charset="utf-7">',
    '<meta charset=&#117;tf-7>',
    '<meta http-equiv=Content-Type content="text/html; charset = UTF-7">',
    '<?xml version="1.0" encoding="UTF-7"?>',
    'From: a@b\r\nContent-Type: text/html; charset=\r\n\t"unicode-1-1-utf-7"\r\n\r\n',
    'From: a@b\r\nContent-Type: text/html; charset=(seven)utf-7\r\n\r\n',
    '# -*- coding: utf-7 -*-\n',
    'See utf-7 <meta charset=utf-7>',
  ])
    test(`UTF-7: ${declaration}`, () => {
      assert.equal(outcome(Buffer.from(`${declaration}${hidden.replaceAll('+', '+-').replace('+-AG', '+AG')}`)), FOUND)
    })
  const inside = (shift: string, before = ''): Buffer =>
    Buffer.from(
      `${before}<a href="data:a/b;ba${shift}se64,${base64.slice(0, 9)}${shift}${base64.slice(9)}">x</a>`,
      'latin1',
    )
  for (const shift of ['\x1b(B', '\x1b(J\x1b(B', '\x1b$B\x1b(B', '\x1b(B\x0f'])
    test(`ISO 2022: ${JSON.stringify(shift)} inside a word`, () => {
      assert.equal(outcome(inside(shift)), FOUND)
      assert.equal(outcome(writeZip([{ name: 'a.htm', data: inside(shift, '%PDF-1.4\n') }])), FOUND)
    })
  test('ISO 2022, declared in a page with other bytes', () => {
    const head = '<meta charset=iso-2022-jp>\xe4\xf6\xfc'
    assert.equal(outcome(Buffer.concat([inside('\x1b(B', head), Buffer.alloc(100, 0xff)])), FOUND)
  })
  test('HZ in a mail', () => {
    const head = 'From: a@b\r\nContent-Type: text/html; charset=hz-gb-2312\r\n\r\n'
    for (const shift of ['~{~}', '~{VPND~}', '~\n', '~\r\n']) assert.equal(outcome(inside(shift, head)), FOUND, shift)
  })
  test('XML in EBCDIC is too complex', () => {
    assert.equal(outcome(writeZip([{ name: 'a.xml', data: Buffer.from('4c6fa79493406d6e', 'hex') }])), 'too_complex')
  })
  test('UTF-16 after a ZIP archive', () => {
    const zip = writeZip([{ name: 'a.txt', data: 'hello!' }])
    assert.equal(outcome(Buffer.concat([zip, Buffer.alloc(zip.length % 2), Buffer.from(page, 'utf16le')])), FOUND)
  })
  for (const [name, line] of Object.entries({
    'yEnc without a name': '=ybegin line=128 size=3',
    'BinHex in the older notation': '(This file must be converted; you knew that already.)',
    'BinHex by its type': 'Content-Type: application/mac-binhex40',
  }))
    test(`${name} is too complex`, () =>
      assert.equal(outcome(Buffer.from(`hello\r\n${line}\r\nabc\r\n`)), 'too_complex'))
})

test('zlib data is unpacked', () => {
  const inZip = (data: Uint8Array): Buffer => writeZip([{ name: 'a.bin', data }])
  const packed = deflateSync(EICAR)
  assert.equal(outcome(inZip(packed)), FOUND)
  assert.equal(outcome(inZip(packed.subarray(0, -4))), FOUND)
  assert.equal(outcome(inZip(Buffer.from('x^2 + y^2 = z^2'))), undefined)
})

test('a compound file is found behind a PDF header', () => {
  const ole = writeOle({ streams: { Data: gzipSync(EICAR) }, scattered: true })
  const before = Buffer.from('%PDF-1.4 1 0 obj endobj \0')
  assert.equal(outcome(writeZip([{ name: 'a.bin', data: Buffer.concat([before, ole]) }])), FOUND)
})

test('objects of a PDF are read without a header in any document but containers', () => {
  const content = deflateSync(EICAR)
  const objects = Buffer.from(
    `1 0 obj << /Filter /FlateDecode /Length ${content.length} >>\nstream\n${content.toString('latin1')}\nendstream endobj\n`,
    'latin1',
  )
  for (const before of ['{\\rtf1 hello}\n', '\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3'])
    assert.equal(outcome(Buffer.concat([Buffer.from(before, 'latin1'), objects])), FOUND)
  const zip = writeZip([{ name: 'a.txt', data: 'hello' }])
  assert.equal(outcome(Buffer.concat([objects, zip])), FOUND)
})
