/** The multipart reader: every rule at its limit and one past it, in one chunk and byte by byte. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { createMultipartReader } from './multipart.ts'
import { MULTIPART_LIMITS, type Part, parseBoundary } from './part-header.ts'

const FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"'
const bytes = (text: string | Buffer) => (typeof text === 'string' ? Buffer.from(text, 'latin1') : text)
const part = (head: string, data: string | Buffer = 'x') =>
  Buffer.concat([bytes(`--b\r\n${head}\r\n\r\n`), bytes(data), bytes('\r\n')])
const body = (...parts: (string | Buffer)[]) => Buffer.concat([...parts.map(bytes), bytes('--b--\r\n')])
const field = (name: string, value = 'v') => part(`Content-Disposition: form-data; name="${name}"`, value)

interface Seen extends Part {
  data: string
}

function read(input: string | Buffer, chunkBytes = Number.POSITIVE_INFINITY, boundary = 'b'): Seen[] {
  const seen: Seen[] = []
  const reader = createMultipartReader(boundary, {
    onPart: (info) => seen.push({ ...info, data: '' }),
    onData: (data) => {
      assert.ok(data.length > 0)
      const last = seen.at(-1) as Seen
      assert.notEqual(last.fileName, null, 'only files are delivered')
      last.data += data.toString('latin1')
    },
  })
  const whole = bytes(input)
  for (let at = 0; at < whole.length; at += chunkBytes) reader.write(whole.subarray(at, at + chunkBytes))
  reader.end()
  return seen
}

const refusal = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code
const isMalformed = refusal('malformed_multipart')

function accepts(input: string | Buffer): Seen[] {
  const whole = read(input)
  for (const size of [1, 2, 3, 7]) assert.deepEqual(read(input, size), whole, `in chunks of ${size}`)
  return whole
}

function refuses(input: string | Buffer): void {
  for (const size of [Number.POSITIVE_INFINITY, 1, 2, 3, 7]) assert.throws(() => read(input, size), isMalformed)
}

const nameOf = (parameters: string) => accepts(body(part(`Content-Disposition: form-data; ${parameters}`)))[0]?.fileName
const refusesDisposition = (value: string) => refuses(body(part(`Content-Disposition: ${value}`)))

describe('parseBoundary', () => {
  const accepted: [string, string][] = [
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data;BOUNDARY="a b:c"', 'a b:c'],
    ['multipart/form-data; charset=utf-8; boundary=----WebKitFormBoundaryX', '----WebKitFormBoundaryX'],
    ['multipart/form-data; boundary====1700000000===', '===1700000000==='],
    ["multipart/form-data; boundary=0aZ'()+_-./:=?", "0aZ'()+_-./:=?"],
    [`multipart/form-data; boundary="0aZ'()+_,-./:=?"`, "0aZ'()+_,-./:=?"],
    ['multipart/form-data; boundary=abc; charset="UTF-8"', 'abc'],
    ['multipart/form-data ; boundary=abc ;', 'abc'],
    [`multipart/form-data; boundary=${'x'.repeat(70)}`, 'x'.repeat(70)],
  ]
  for (const [contentType, boundary] of accepted) {
    test(`accepts ${contentType}`, () => assert.equal(parseBoundary(contentType), boundary))
  }

  const malformed = [
    'multipart/form-data',
    'multipart/form-data;',
    'multipart/form-data; boundary',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    `multipart/form-data; boundary=${'x'.repeat(300)}`,
    'multipart/form-data; boundary=a; boundary=a',
    'multipart/form-data; boundary=a; Boundary=b',
    'multipart/form-data; boundary="a',
    'multipart/form-data; boundary=a"b',
    'multipart/form-data; boundary="a\\b"',
    'multipart/form-data; boundary="a "',
    'multipart/form-data; boundary=a b',
    'multipart/form-data; boundary=a@b',
    'multipart/form-data; boundary=\u00fc',
    'multipart/form-data; boundary="a\u0000"',
    "multipart/form-data; boundary*=utf-8''a",
    'multipart/form-data; boundary*0=a',
    "multipart/form-data; boundary=a; boundary*=utf-8''b",
    'multipart/form-data; boundary = a',
    'multipart/form-data; boundary=a,b',
    'multipart/form-data; xboundary=a; boundary=b',
    'multipart/form-data; boundary=b; x=y',
    'multipart/form-data; charset="; boundary=a"; boundary=b',
    'multipart/form-data, multipart/form-data; boundary=a',
  ]
  for (const contentType of malformed) {
    test(`400 for ${JSON.stringify(contentType.slice(0, 80))}`, () => {
      assert.throws(() => parseBoundary(contentType), isMalformed)
    })
  }

  for (const contentType of [
    undefined,
    '',
    'application/octet-stream',
    'application/json',
    'multipart/mixed; boundary=a',
    'multipart/form-data-x; boundary=a',
    'xmultipart/form-data; boundary=a',
    'multipart/form-data2',
    'text/plain; x=multipart/form-data; boundary=a',
  ]) {
    test(`415 for ${contentType}`, () => {
      assert.throws(() => parseBoundary(contentType), refusal('unsupported_content_type'))
    })
  }
})

describe('framing', () => {
  test('a file with its name and type', () => {
    assert.deepEqual(accepts(body(part(`${FILE}\r\nContent-Type: text/plain`, 'hello'))), [
      { name: 'file', fileName: 'a.txt', type: 'text/plain', length: null, data: 'hello' },
    ])
  })
  test('a field is announced, its value is not delivered', () => {
    assert.deepEqual(accepts(body(field('note', 'hello'))), [
      { name: 'note', fileName: null, type: null, length: null, data: '' },
    ])
  })
  test('a file in one chunk is delivered as that chunk, without a copy', () => {
    const whole = body(part(FILE, 'q'.repeat(5_000)))
    const delivered: Buffer[] = []
    const reader = createMultipartReader('b', { onPart() {}, onData: (data) => delivered.push(data) })
    reader.write(whole)
    reader.end()
    assert.equal(delivered[0]?.buffer, whole.buffer)
    assert.deepEqual(
      delivered.map(({ length }) => length),
      [5_000],
    )
  })
  test('bytes that resemble a delimiter are data', () => {
    for (const data of ['\r\n', '\r\n-', '\r\n--', '\r\n--c', '\r\r\n--c', '\n-b', '\r-', '-b--', '\r\n--\r\n--']) {
      assert.equal(accepts(body(part(FILE, data)))[0]?.data, data, JSON.stringify(data))
    }
  })
  test('refuses a boundary that is not after CR LF, in a file and in a field', () => {
    for (const data of [
      '\n--b',
      '\r--b',
      '\n\r--b',
      '\r\r--b',
      'x--b',
      '\r\n---b',
      '--b',
      '\n--bx',
      'x--b\r\n',
      '\r\n--\n--b',
    ]) {
      refuses(body(part(FILE, data)))
      refuses(body(field('note', data), part(FILE)))
      refuses(body(part(FILE, `${'y'.repeat(100)}${data}${'y'.repeat(100)}`)))
    }
  })
  test('refuses a boundary in a header', () => {
    refuses(body(part(`${FILE}\r\n--b: x`)))
    refuses(body(part(`${FILE}\r\nX: --b`)))
    refuses(body(part('Content-Disposition: form-data; name="file"; filename="--b"')))
    accepts(body(part(`${FILE}\r\nX: -b`)))
  })
  test('binary data with every byte passes unchanged', () => {
    const data = Buffer.from(Array.from({ length: 1_024 }, (_, i) => (i * 7) & 255))
    assert.equal(accepts(body(part(FILE, data)))[0]?.data, data.toString('latin1'))
  })
  test('no data at all, but a line end', () => {
    assert.equal(accepts(body(part(FILE, '')))[0]?.data, '')
    refuses(`--b\r\n${FILE}\r\n\r\n--b--`)
  })
  test('only the closing delimiter is a form without parts', () => {
    assert.deepEqual(accepts('--b--'), [])
    assert.deepEqual(accepts('--b--\r\n'), [])
  })
  test('a boundary of 70 characters and one with a space', () => {
    for (const boundary of ['z'.repeat(70), 'a b']) {
      const whole = `--${boundary}\r\n${FILE}\r\n\r\n\r\n--${boundary.slice(0, -1)}\r\n--${boundary}--`
      for (const size of [1, 5, 1_000]) {
        assert.equal(read(whole, size, boundary)[0]?.data, `\r\n--${boundary.slice(0, -1)}`)
      }
    }
  })
  test('line ends of 1 KiB before and after the form, not one more, and nothing else', () => {
    const form = `--b\r\n${FILE}\r\n\r\nx\r\n--b--\r\n`
    const lineEnds = (bytes: number) => '\r\n'.repeat(bytes / 2)
    // The last one before the form belongs to its boundary, the first one after it to its end.
    assert.equal(accepts(`${lineEnds(1_026)}${form}${lineEnds(1_024)}`)[0]?.data, 'x')
    refuses(`${lineEnds(1_028)}${form}`)
    refuses(`${form}${lineEnds(1_026)}`)
    for (const other of ['x', 'x\r\n', '\n', '\r', '\r\n\n', '\n\r\n', '\r\r\n', ' \r\n', '--', '\0\r\n', '--c\r\n']) {
      refuses(`${other}${form}`)
      refuses(`${form}${other}`)
      refuses(`\r\n${other}${form}`)
      refuses(`${form}\r\n${other}`)
    }
    refuses(`${form}${form}`)
  })
  test('an epilogue begins on a line of its own', () => {
    refuses(`--b\r\n${FILE}\r\n\r\nx\r\n--b--y`)
    refuses(`--b\r\n${FILE}\r\n\r\nx\r\n--b--\r`)
    refuses(`--b\r\n${FILE}\r\n\r\nx\r\n--b--\n`)
    refuses(`--b\r\n${FILE}\r\n\r\nx\r\n--b----`)
  })
  test('refuses another boundary than the declared one', () => {
    refuses(body(part(FILE)).toString('latin1').replaceAll('--b', '--c'))
    refuses(body(part(FILE)).toString('latin1').replaceAll('--b', '-b'))
  })
  test('anything but a line end or two dashes after a delimiter', () => {
    for (const wrong of [' \r\n', '\n', '\rx', '-\r\n', 'x\r\n', '\t', '\r\r\n'])
      refuses(`--b${wrong}${FILE}\r\n\r\nx\r\n--b--`)
    refuses(`--b\r\n${FILE}\r\n\r\nx\r\n--bx\r\n--b--`)
  })
  test('LF-only line ends', () => {
    refuses(body(part(FILE)).toString('latin1').replaceAll('\r\n', '\n'))
    refuses(`--b\r\n${FILE}\n\nx\r\n--b--`)
    refuses(`--b\r\n${FILE}\nX: y\r\n\r\nx\r\n--b--`)
  })
  test('cut anywhere before the closing delimiter is complete', () => {
    const whole = body(field('n'), part(`${FILE}\r\nContent-Type: text/plain`, 'data')).toString('latin1')
    for (let length = 0; length < whole.length - 2; length++) refuses(whole.slice(0, length))
    assert.equal(accepts(whole.slice(0, -2)).length, 2)
    refuses(whole.slice(0, -1))
  })
  test('a failed reader stays failed', () => {
    const reader = createMultipartReader('b', { onPart() {}, onData() {} })
    assert.throws(() => reader.write(bytes('--bx')), isMalformed)
    assert.throws(() => reader.write(body(part(FILE))), isMalformed)
    assert.throws(() => reader.end(), isMalformed)
  })
  test('an error of a handler stops the reader', () => {
    const reason = new Error('enough')
    const handlers = { onPart() {}, onData: () => assert.fail(reason) }
    const reader = createMultipartReader('b', handlers)
    assert.throws(() => reader.write(body(part(FILE))), reason)
    assert.throws(() => reader.end(), reason)
  })
})

describe('limits', () => {
  test('are as documented', () => {
    assert.deepEqual(MULTIPART_LIMITS, {
      partsMax: 5,
      fieldsMax: 4,
      headersMax: 16,
      headerBytesMax: 4_096,
      nameBytesMax: 64,
      valueBytesMax: 1_024,
      lineEndBytesMax: 1_024,
    })
  })
  test('four fields and a file, not five fields', () => {
    assert.equal(accepts(body(field('a'), field('b'), field('c'), field('d'), part(FILE))).length, 5)
    refuses(body(field('a'), field('b'), field('c'), field('d'), field('e')))
  })
  test('five parts, not six', () => {
    assert.equal(accepts(body(...Array.from({ length: 5 }, () => part(FILE)))).length, 5)
    refuses(body(...Array.from({ length: 6 }, () => part(FILE))))
  })
  test('50,000 empty fields are refused at the fifth', () => {
    const many = Buffer.concat(Array.from({ length: 50_000 }, () => field('a', '')))
    let parts = 0
    const reader = createMultipartReader('b', { onPart: () => parts++, onData() {} })
    assert.throws(() => reader.write(many), isMalformed)
    assert.equal(parts, 4)
  })
  test('16 headers, not 17', () => {
    const extra = (count: number) => Array.from({ length: count }, (_, i) => `\r\nX-${i}: y`).join('')
    accepts(body(part(FILE + extra(15))))
    refuses(body(part(FILE + extra(16))))
    refuses(body(part(FILE + extra(5_000))))
  })
  test('4 KiB of headers, not one byte more', () => {
    const head = (length: number) => `${FILE}\r\nX: ${'y'.repeat(length - FILE.length - 7)}`
    assert.equal(head(4_096).length + 2, 4_096)
    accepts(body(part(head(4_096))))
    refuses(body(part(head(4_097))))
    refuses(body(part(head(100_000))))
  })
  test('a file name of 70 kB', () => refusesDisposition(`form-data; name="file"; filename="${'n'.repeat(70_000)}"`))
  test('a field name of 64 bytes, not 65', () => {
    accepts(body(field('n'.repeat(64))))
    refuses(body(field('n'.repeat(65))))
    refuses(body(field('ü'.repeat(65))))
  })
  test('a value of 1 KiB, not one byte more', () => {
    accepts(body(field('a', 'v'.repeat(1_024))))
    refuses(body(field('a', 'v'.repeat(1_025))))
    refuses(body(field('a', '\r\n--'.repeat(300))))
  })
})

describe('part headers', () => {
  test('header names and values are case-insensitive', () => {
    const head = 'CONTENT-disposition: Form-Data; NAME=file; FileName=a.txt\r\ncontent-TRANSFER-encoding: Binary'
    assert.equal(accepts(body(part(head)))[0]?.fileName, 'a.txt')
  })
  test('space around a value is not part of it', () => {
    assert.equal(accepts(body(part(`${FILE}\r\nContent-Type:   text/plain  `)))[0]?.type, 'text/plain')
    assert.equal(
      accepts(body(part(`${FILE}\r\nContent-Type:text/plain; charset=utf-8`)))[0]?.type,
      'text/plain; charset=utf-8',
    )
    assert.equal(accepts(body(part(`${FILE}\r\nContent-Type: `)))[0]?.type, null)
  })
  test('refuses a part without headers or Content-Disposition', () => {
    refuses('--b\r\n\r\nx\r\n--b--')
    refuses(`--b\r\n\r\n${FILE}\r\n\r\nx\r\n--b--`)
    refuses(body(part('Content-Type: text/plain')))
    refuses(`--b\r\n${FILE}\r\n--b--\r\n`)
  })
  test('a leading space, a folded line, a space before the colon, no colon, no name', () => {
    refuses(body(part(` ${FILE}`)))
    refuses(body(part(`\t${FILE}`)))
    refuses(body(part(`${FILE};\r\n x=y`)))
    refuses(body(part(`${FILE}\r\nX: a\r\n\tb`)))
    refuses(body(part(`${FILE}\r\nX : y`)))
    refuses(body(part(`${FILE}\r\nX`)))
    refuses(body(part(`${FILE}\r\n: y`)))
    refuses(body(part(`${FILE}\r\nX\u00fc: y`)))
  })
  test('control characters', () => {
    for (const control of ['\0', '\x01', '\t', '\n', '\r', '\x1f', '\x7f']) {
      refuses(body(part(`${FILE}\r\nX: a${control}b`)))
      refuses(body(part(`${FILE}\r\nX${control}: ab`)))
      refuses(body(part(`${FILE}\r\nContent-Type: text/${control}plain`)))
      refusesDisposition(`form-data; name="fi${control}le"; filename="a"`)
      refusesDisposition(`form-data;${control}name="file"; filename="a"`)
      refusesDisposition(`form-data; name="file"; filename="a"; x="${control}"`)
    }
  })
  test('a declared type that is not ASCII', () => refuses(body(part(`${FILE}\r\nContent-Type: text/pl\u00e4in`))))
  test('refuses a second header where only one is allowed', () => {
    refuses(body(part(`${FILE}\r\n${FILE}`)))
    refuses(body(part(`${FILE}\r\nContent-Type: text/plain\r\nContent-type: text/plain`)))
    refuses(body(part(`${FILE}\r\nContent-Transfer-Encoding: 8bit\r\nContent-Transfer-Encoding: 8bit`)))
    accepts(body(part(`${FILE}\r\nX: a\r\nX: b`)))
  })
  test('accepts only transfer encodings that do not change the bytes', () => {
    for (const encoding of ['7bit', '8bit', 'BINARY'])
      accepts(body(part(`${FILE}\r\nContent-Transfer-Encoding: ${encoding}`)))
    for (const encoding of ['base64', 'quoted-printable', 'x-uuencode', '', '8bit, base64']) {
      refuses(body(part(`${FILE}\r\nContent-Transfer-Encoding: ${encoding}`)))
    }
  })
  test('a compressed part', () => {
    accepts(body(part(`${FILE}\r\nContent-Encoding: identity`)))
    refuses(body(part(`${FILE}\r\nContent-Encoding: gzip`)))
  })
  test('accepts only the right length', () => {
    assert.equal(accepts(body(part(`${FILE}\r\nContent-Length: 5`, 'hello')))[0]?.length, 5)
    accepts(body(part('Content-Disposition: form-data; name="a"\r\nContent-Length: 5', 'hello')))
    for (const length of ['4', '6', '', '+5', '5, 5', '0x5', '-5', '1e1']) {
      refuses(body(part(`${FILE}\r\nContent-Length: ${length}`, 'hello')))
      refuses(body(part(`Content-Disposition: form-data; name="a"\r\nContent-Length: ${length}`, 'hello')))
    }
    refuses(body(part(`${FILE}\r\nContent-Length: 5\r\nContent-Length: 5`, 'hello')))
  })
  test('a multipart in the multipart', () => {
    refuses(body(part(`${FILE}\r\nContent-Type: multipart/mixed; boundary=c`)))
    refuses(body(part(`${FILE}\r\nContent-Type: MULTIPART/form-data; boundary=c`)))
    accepts(body(part(`${FILE}\r\nContent-Type: message/rfc822`)))
  })
})

describe('Content-Disposition', () => {
  test('anything but form-data, or not in its grammar', () => {
    for (const value of [
      '',
      'attachment; name="file"',
      'form-data',
      'form-datax; name="file"',
      'form-data name="file"',
    ]) {
      refusesDisposition(value)
    }
    for (const parameters of [
      'name=',
      'name',
      'name="file',
      'name="file"x',
      'name = "file"',
      '="file"',
      'name="file" filename="x"',
    ]) {
      refusesDisposition(`form-data; ${parameters}`)
    }
    refusesDisposition('form-data; name=fi(le; filename=a')
    refusesDisposition('form-data; name="file"; filename=a b.txt')
    refusesDisposition('form-data; name="file"; filename=\u00fc.txt')
  })
  test('no name, or an empty one', () => {
    refusesDisposition('form-data; filename="a.txt"')
    refusesDisposition('form-data; name=""; filename="a.txt"')
  })
  test('refuses names of prototype properties', () => {
    for (const name of ['__proto__', 'constructor']) {
      refuses(body(field(name)))
      refusesDisposition(`form-data; name=${name}; filename=a`)
    }
    accepts(body(field('proto')))
  })
  test('a parameter twice', () => {
    refusesDisposition('form-data; name="file"; name="file"')
    refusesDisposition('form-data; name="file"; NAME="other"')
    refusesDisposition('form-data; name="file"; filename="a"; filename="a"')
    refusesDisposition("form-data; name=file; filename*=utf-8''a; filename*=utf-8''a")
    refusesDisposition('form-data; name="file"; x=1; x=2')
  })
  test('a semicolon or backslash in other parameters than the file name', () => {
    for (const value of ['a;b', 'a\\"b', 'a\\b']) {
      refusesDisposition(`form-data; name="${value}"`)
      refusesDisposition(`form-data; name="a"; x="${value}"`)
    }
  })
  test('parameters in any order, unknown ones and an empty one ignored', () => {
    assert.equal(nameOf('filename="a;b=c.txt"; x=y; name=file;'), 'a;b=c.txt')
  })
  test('unescapes RFC and browser escapes, and keeps single backslashes', () => {
    assert.equal(nameOf('name=file; filename="a\\"b\\\\c.txt"'), 'a"b\\c.txt')
    assert.equal(nameOf('name=file; filename="a%22b.txt"'), 'a"b.txt')
    assert.equal(nameOf('name=file; filename="a%0D%0Ab%zz%41.txt"'), 'a%0D%0Ab%zz%41.txt')
    assert.equal(nameOf('name=file; filename="C:\\x\\a.exe"'), 'C:\\x\\a.exe')
    assert.equal(nameOf('name=file; filename="a\\%22"'), 'a\\"')
    assert.equal(nameOf('name=file; filename=a%22b'), 'a%22b')
    refusesDisposition('form-data; name=file; filename="a\\"')
  })
  test('an empty file name is still a file', () => assert.equal(nameOf('name="file"; filename=""'), ''))
  test('decodes UTF-8 and replaces invalid bytes', () => {
    assert.equal(nameOf(`name=file; filename="${Buffer.from('報告.pdf').toString('latin1')}"`), '報告.pdf')
    assert.equal(nameOf('name=file; filename="a\xff\xfeb"'), 'a\ufffd\ufffdb')
  })
  test('accepts control characters in a file name, which are not displayed', () => {
    assert.equal(nameOf('name=file; filename="a\x01b\tc"'), 'a\x01b\tc')
    // PHP would end the name there.
    refusesDisposition('form-data; name=file; filename="a\0b"')
    // Django would end it at the quote.
    refusesDisposition('form-data; name=file; filename="a.hta\\";.txt"')
    refusesDisposition('form-data; name=file; filename="a\rb"')
    refusesDisposition('form-data; name=file; filename="a\nb"')
  })
  test('filename* in UTF-8', () => {
    assert.equal(nameOf("name=file; filename*=UTF-8''na%C3%AFve%20%E2%82%AC.txt"), 'naïve €.txt')
    assert.equal(nameOf("name=file; filename*=utf-8'de'a!#$&+.^_`|~-9"), 'a!#$&+.^_`|~-9')
  })
  test('filename* that is anything else', () => {
    for (const value of [
      "iso-8859-1''a",
      "utf8''a",
      "''a",
      'a.txt',
      "utf-8'a",
      "utf-8''%zz",
      "utf-8''%4",
      "utf-8''%ff",
      "utf-8''%C3",
      "utf-8''%ED%A0%80",
      "utf-8''a'b",
      '"utf-8\'\'a"',
    ]) {
      refusesDisposition(`form-data; name=file; filename*=${value}`)
    }
    refusesDisposition('form-data; name=file; filename*0=a; filename*1=b')
    refusesDisposition("form-data; name*=utf-8''file; filename=a")
  })
  test('accepts filename and filename* that agree', () => {
    assert.equal(nameOf("name=file; filename=a.txt; filename*=utf-8''a.txt"), 'a.txt')
    assert.equal(nameOf(`name=file; filename*=utf-8''%C3%BC; filename="\xc3\xbc"`), 'ü')
    // As .NET sends it.
    assert.equal(
      nameOf(`name=file; filename="=?utf-8?B?bmHDr3ZlLnR4dA==?="; filename*=utf-8''na%C3%AFve.txt`),
      'naïve.txt',
    )
    refusesDisposition("form-data; name=file; filename=a.txt; filename*=utf-8''b.txt")
    refusesDisposition("form-data; name=file; filename=na_ve.txt; filename*=utf-8''na%C3%AFve.txt")
    refusesDisposition(`form-data; name=file; filename="=?utf-8?B?bmHDr3ZlLnR4dA==?="; filename*=utf-8''other.txt`)
  })
})
