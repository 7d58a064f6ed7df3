/** Encoded files as browsers, scripts, XML readers and archive programs decode them. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { EXPANSIONS_MAX, GROWTH_MAX } from '#inspect/codecs/xml-entities.ts'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx, EICAR, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect, outcome } = useInspector()
const FOUND = 'Docvet.Test.Eicar'

const base64 = Buffer.from(EICAR).toString('base64')
const percent = [...EICAR].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')
const hexOf = (char: string): string => char.charCodeAt(0).toString(16)
const referenced = (text: string): string => [...text].map((char) => `&#x${hexOf(char)};`).join('')
const packed = gzipSync(EICAR)
const outcomeOf = (text: string): string | undefined => outcome(Buffer.from(text, 'latin1'))

function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  return (bits.match(/.{1,5}/g) ?? []).map((five) => digits[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

function base85(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    let value = Buffer.concat([bytes.subarray(at, at + 4), Buffer.alloc(4)]).readUInt32BE(0)
    let group = ''
    for (let i = 0; i < 5; i++, value = Math.floor(value / 85)) group = String.fromCharCode(33 + (value % 85)) + group
    text += group
  }
  return text
}

suite('EICAR is found in a page with', () => {
  const link = (url: string): string => `<!doctype html><html><body><a href="${url}">x</a></body></html>`
  const script = (code: string): string => `<!doctype html><html><body><script>${code}</script></body></html>`
  const pages: Record<string, string> = {
    'a named reference in base64': link(`data:a/b;ba&Tab;se64,${base64}`),
    'a named semicolon and comma': link(`data:a/b&semi;base64&comma;${base64}`),
    'a number without a semicolon in data': link(`&#100ata:a/b;base64,${base64}`),
    'a hexadecimal number with zeros in data': link(`&#x00000064;ata:a/b,${percent}`),
    'a tab reference in data': link(`da&#9;ta:a/b,${percent}`),
    'line ends in data': link(`d\r\na\tt\na:a/b,${percent}`),
    'a reference to the colon': link(`data&colon;a/b,${percent}`),
    'percent signs as references': link(`data:a/b,${percent.replaceAll('%', '&percnt;')}`),
    'line ends in the content': link(`data:a/b,${EICAR.replaceAll('%', '%25').replaceAll('-', '-\n')}`),
    'parameters of any length': link(`data:a/b;x=${'y'.repeat(5000)},${percent}`),
    'references in the digits': link(`data:a/b;base64,${base64.replaceAll('=', '&equals;').replaceAll('+', '&plus;')}`),
    'a braced escape': script(`location="data:a/b;\\u{62}ase64,${base64}"`),
    'escapes of both kinds': script(`location="d\\x61t\\u0061:a/b;b\\141se64,${base64}"`),
    'an escape in a reference': link(`javascript:open('data:a/b;&bsol;x62ase64,${base64}')`),
    'strings that are joined': script(
      `location="data:a/b;ba" + 'se64,' + "${base64.slice(0, 40)}" +\n"${base64.slice(40)}"`,
    ),
    'an escape of style sheets': `<style>a{background:url("data:a/b;b\\000061se64,${base64}")}</style>`,
    atob: script(`save(atob("${base64}"))`),
    'atob of joined strings': script(`save(atob("${base64.slice(0, 30)}"+"${base64.slice(30)}"))`),
    'atob of escaped digits': script(
      `save(atob("${[...base64].map((char) => `\\x${char.charCodeAt(0).toString(16)}`).join('')}"))`,
    ),
    'zero bytes in base64': link(`data:a/b;ba\0se64,${base64}`),
    'references in a page in a page': `<html><iframe srcdoc="${referenced(`<a href="${referenced(`data:,${percent}`)}">`)}">`,
    'a list of strings': script(`atob(["${base64.replaceAll(/.{9}/g, '$&","')}"].join(''))`),
    'strings that are appended': script(`x="";x+="${base64.replaceAll(/.{9}/g, '$&";\nx+="')}";atob(x)`),
    'strings that are concatenated': script(`atob("${base64.replaceAll(/.{9}/g, '$&".concat("')}"))`),
    'strings in parentheses and comments': script(`atob(("${base64.replaceAll(/.{9}/g, '$&") /**/ + ("')}"))`),
    'parts of a template': script(`atob(\`${base64.replaceAll(/.{9}/g, '$&\x24{""}')}\`)`),
    'a list of numbers': script(`new Uint8Array([${[...packed].join(', ')}])`),
    'a list of hexadecimal numbers': script(`new Uint8Array([${[...packed].map((byte) => `0x${byte.toString(16)}`)}])`),
    'codes of characters': script(`String.fromCharCode(${[...EICAR].map((char) => char.charCodeAt(0))})`),
  }
  for (const [name, page] of Object.entries(pages)) test(name, () => assert.equal(outcomeOf(page), FOUND))
})

suite('a PDF in an XML data package', () => {
  const content = gzipSync(EICAR)
  const inner = pdf([
    `<< /Type /EmbeddedFile /Length ${content.length} >>\nstream\n${content.toString('latin1')}\nendstream`,
  ])
  const digits = inner.toString('base64')
  const xdp = (chunk: string, before = ''): string =>
    `${before}<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><pdf><document><chunk>${chunk}</chunk></document></pdf></xdp:xdp>`
  const half = digits.length >> 1
  const split = (by: string): string => `${digits.slice(0, half)}${by}${digits.slice(half)}`
  const packages: Record<string, string> = {
    'after line ends': xdp(Buffer.concat([Buffer.from('\n\n'), inner]).toString('base64')),
    'behind a PDF header': xdp(digits, '<!-- %PDF-1.4 -->\n'),
    'with a reference': xdp(`&#${digits.charCodeAt(0)};${digits.slice(1)}`),
    'split by a comment': xdp(split('<!-- </chunk> -->')),
    'split by a comment with an element': xdp(split('<!-- <chunk> -->')),
    'split by an instruction': xdp(split('<?x y?>')),
    'split by a section': xdp(split('<![CDATA[\n]]>')),
    'inside a section': xdp(`<![CDATA[${digits}]]>`),
    'split by spaces': xdp(digits.replaceAll(/.{3}/g, '$& ')),
    'in an element that is not closed': xdp(digits).replaceAll('</chunk>', ''),
    'in an element that another one closes': xdp(digits).replaceAll('</chunk>', '</document>'),
    'in elements that are not closed': xdp(digits.replaceAll(/.{37}/g, '$&\n<chunk>')).replaceAll('</chunk>', ''),
    'in an element of another prefix': xdp(digits).replaceAll('chunk>', 'a:chunk>'),
    'in several elements': xdp(digits.replaceAll(/.{37}/g, '$&</chunk>\n<chunk>')),
    'in elements that are encoded each': xdp(
      (inner.toString('latin1').match(/.{1,50}/gs) ?? [])
        .map((part) => Buffer.from(part, 'latin1').toString('base64'))
        .join('</chunk><chunk>'),
    ),
    'in an entity': `<!DOCTYPE a [<!ENTITY a "${digits.slice(0, 9)}"><!ENTITY b "&a;">]>${xdp(`&b;${digits.slice(9)}`).replaceAll('chunk', 'other')}`,
    'in short lines of another element': xdp(digits.replaceAll(/.{3}/g, '$&\n')).replaceAll('chunk', 'other'),
  }
  for (const [name, document] of Object.entries(packages)) test(name, () => assert.equal(outcomeOf(document), FOUND))
})

test('a type in angle brackets is no element', () => {
  const type = '/** @type {Set<Chunk>} those that were compiled in this pass, in the order of their names */'
  // It is read in several ways, and no two parts are equal.
  const scripts = Array.from(
    { length: 200 },
    (_, i) => `${type}\nvar a${i} = /\\d/, b = ["\\x41" + "b", "c"].join();\n`,
  )
  assert.equal(outcomeOf(scripts.join('')), undefined)
})

test('a data mashup of Power Query is unpacked', () => {
  const zip = writeZip([{ name: 'Formulas/e.com', data: EICAR }])
  const head = Buffer.alloc(8)
  head.writeUInt32LE(zip.length, 4)
  const mashup = Buffer.concat([head, zip, Buffer.alloc(300, 'x')]).toString('base64')
  for (const name of ['DataMashup', 'Other']) {
    const xml = `<?xml version="1.0" encoding="utf-16"?><${name} xmlns="a">${mashup}</${name}>`
    const item = Buffer.from(`\uFEFF${xml}`, 'utf16le')
    assert.equal(outcome(docx({ 'customXml/item1.xml': item })), FOUND, name)
  }
})

test('entities that expand too far are too complex', () => {
  const nested = (depth: number): string =>
    Array.from({ length: depth }, (_, i) => `<!ENTITY e${i + 1} "&e${i};">`)
      .reverse()
      .join('')
  const document = (depth: number): string =>
    `<?xml version="1.0"?><!DOCTYPE a [${nested(depth)}<!ENTITY e0 "${base64.slice(0, 9)}">]><a><b>&e${depth};${base64.slice(9)}</b></a>`
  assert.equal(outcomeOf(document(EXPANSIONS_MAX - 1)), FOUND)
  // The first reference is in a declaration.
  assert.equal(inspect(Buffer.from(document(EXPANSIONS_MAX))).obstacle, null)
  assert.equal(inspect(Buffer.from(document(EXPANSIONS_MAX + 1))).obstacle?.reason, 'too_complex')
  const large = (length: number): string =>
    `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "${' '.repeat(length + 3)}">]><a xmlns="b">&a;</a>`
  assert.equal(outcomeOf(large(GROWTH_MAX)), undefined)
  assert.equal(outcomeOf(large(GROWTH_MAX + 1)), 'too_complex')
})

test('Base64 in data that is no text is decoded', () => {
  for (const before of ['\0', 'GIF89a\x01\0', '{\\rtf1 a}', '%PDF-1.4\n', '\x7f\x01'])
    assert.equal(
      outcome(writeZip([{ name: 'a', data: Buffer.from(`${before}\n${packed.toString('base64')}\n`, 'latin1') }])),
      FOUND,
    )
})

suite('a file that is a text encoding of another', () => {
  const attached = (text: string): Buffer =>
    pdf([`<< /Type /EmbeddedFile /Length ${text.length} >>\nstream\n${text}\nendstream`])
  const hexLine = (type: number, address: number, data: Uint8Array): string => {
    const bytes = [data.length, address >> 8, address & 0xff, type, ...data]
    const sum = -bytes.reduce((total, byte) => total + byte, 0) & 0xff
    return `:${Buffer.from([...bytes, sum])
      .toString('hex')
      .toUpperCase()}\r\n`
  }
  const lines = Array.from({ length: Math.ceil(packed.length / 16) }, (_, i) =>
    hexLine(0, i * 16, packed.subarray(i * 16, i * 16 + 16)),
  )
  const records = (type: number): string => {
    const all = Array.from({ length: Math.ceil(packed.length / 16) }, (_, i) => {
      const data = packed.subarray(i * 16, i * 16 + 16)
      const address = (i * 16).toString(16).padStart((type + 1) * 2, '0')
      const length = (data.length + type + 2).toString(16).padStart(2, '0')
      return `S${type}${length}${address}${data.toString('hex')}00\r\n`
    })
    return all.reverse().join('').toUpperCase()
  }
  const files: Record<string, string> = {
    Base64: packed.toString('base64'),
    'Base64 in short lines': packed.toString('base64').replaceAll(/.{5}/g, '$&\n'),
    'Base64 for URLs': packed.toString('base64url'),
    'Base64 of a text': base64,
    'Intel HEX': `${lines.join('')}:00000001FF\r\n`,
    'Intel HEX with addresses in another order': `${[...lines].reverse().join('')}:00000001FF\r\n`,
    'Base64 before zeros': `${packed.toString('base64').replaceAll(/.{5}/g, '$&\n')}\0\0`,
    Base32: base32(packed),
    Base85: `<~${base85(packed)}~>`,
    'S-records': `S0030000FC\r\n${records(1)}S9030000FC\r\n`,
    'S-records with long addresses': `${records(3)}S70500000000FA\r\n`,
    'Intel HEX with an extended address': `:020000040000FA\r\n${lines.join('')}:00000001FF\r\n`,
  }
  for (const [name, text] of Object.entries(files))
    test(name, () => {
      assert.equal(outcomeOf(text), FOUND)
      assert.equal(outcome(attached(text)), FOUND)
      assert.equal(outcome(writeZip([{ name: 'a.txt', data: text }])), FOUND)
    })
})

test("Word's drawing data is read across the references to line ends in it", () => {
  const digits = docx().toString('base64').replaceAll(/.{76}/g, '$&&#xA;')
  const document = (data: string): Buffer =>
    docx({
      'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="a"><v:shape o:gfxdata="${data}"/></w:document>`,
    })
  assert.equal(outcome(document(digits)), undefined)
  const packed = docx({ 'word/a.bin': EICAR }).toString('base64').replaceAll(/.{76}/g, '$&&#10;')
  assert.equal(outcome(document(packed)), FOUND)
})

suite('levels of encoding', () => {
  const DEEP = 20
  const layered = (layers: number, encode: (text: string) => string): string => {
    let text = EICAR
    for (let i = 0; i < layers; i++) text = encode(text)
    return text
  }
  const percentEncoded = (text: string): string => text.replaceAll(/[%"<>&]/g, (sign) => `%${hexOf(sign)}`)

  for (const [name, property] of [
    ['another word', 'f(t,r){return{metadata:{a:!1},b:t&&r}}'],
    ['a property', 'data:e,t&&r,'],
    ['a property after a line end', 'data: e,\n t&&r,'],
    ['a remainder', 'data:e%3,t,'],
  ] as const)
    test(`a script that has ${name} before a colon many times has one`, () => {
      assert.equal(outcomeOf(`var x={${property.repeat(DEEP * 4)}}`), undefined)
      assert.equal(outcomeOf(JSON.stringify({ sourcesContent: [property.repeat(DEEP * 4)] })), undefined)
    })

  for (const [name, encode] of [
    ['Base64', (text: string) => `data:a/b;base64,${Buffer.from(text).toString('base64')}`],
    ['percent signs', (text: string) => `"data:a/b,${percentEncoded(text)}"`],
  ] as const) {
    test(`of ${name} are read`, () => assert.equal(outcomeOf(layered(8, encode)), FOUND))
    test(`of ${name} that are too many are never clean`, () =>
      assert.equal(outcomeOf(layered(DEEP, encode)), 'too_complex'))
  }
})

suite('hostile repetition takes little CPU time', () => {
  for (const pattern of [
    '&#98;',
    '\\x62',
    '"+"',
    '<!--',
    '-->a',
    'data:,',
    '"data:,%',
    '<chunk><!--',
    `${'A'.repeat(48)}<`,
    ':00000001FF',
    '1,',
    '255, ',
    '"a","b".join(',
    '"            ',
    '>AAAA AAAA\n',
    'srcdoc=&#98;',
    '<!ENTITY a "b">&a;',
    'Uint8Array(1,2,',
    '-----BEGIN A-----\n',
  ])
    test(JSON.stringify(pattern), () => {
      const bytes = Buffer.alloc(8_000_000, pattern, 'latin1')
      bytes.write('<html>', 0, 'latin1')
      assertCheap(() => outcome(bytes))
    })
})
