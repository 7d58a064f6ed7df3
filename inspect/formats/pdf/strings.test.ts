/** Scripts and URLs in encoded PDF strings are decoded for the rules. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR, pdf } from '#inspect/testing/samples.ts'
import { DECRYPTIONS_MAX, OCCURRENCES_MAX, STRING_PASSES_MAX, STRINGS_MAX, stringsOf } from './strings.ts'
import { findObjects } from './syntax/objects.ts'
import { DEFINITIONS_MAX } from './syntax/references.ts'
import { readString } from './syntax/values.ts'

const inspector = useInspector()

const octal = [...EICAR].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')
const hex = Buffer.from(EICAR).toString('hex')
const utf16 = Buffer.from(`\uFEFF${EICAR}`, 'utf16le')
const escaped = (bytes: Buffer): string => bytes.toString('latin1').replaceAll(/[()\\]/g, '\\$&')

function outcome(...objects: string[]): string {
  const { findings, obstacle } = inspector.inspect(pdf(objects))
  return findings.some(({ id }) => id === 'Docvet.Test.Eicar') ? 'found' : (obstacle?.reason ?? 'clean')
}

suite('a script in a string is found', () => {
  const strings: [string, string][] = [
    ['with escapes', `(${octal})`],
    ['with escaped line ends', `(${escaped(Buffer.from(EICAR)).replaceAll(/[A-Z-]{5}/g, '$&\\\r\n')})`],
    ['in hexadecimal', `<${hex}>`],
    ['in hexadecimal with line ends and other characters', `<${hex.replaceAll(/.{7}/g, '$&\n x')}>`],
    ['in UTF-16LE', `(${escaped(utf16)})`],
    ['in UTF-16BE', `(${escaped(Buffer.from(utf16).swap16())})`],
    ['in hexadecimal UTF-16', `<${Buffer.from(utf16).swap16().toString('hex')}>`],
  ]
  for (const [name, string] of strings) {
    test(name, () => {
      assert.equal(outcome(`<< /S /JavaScript /JS ${string} >>`), 'found')
      assert.equal(outcome(`<< /#4a#53%\n${string} >>`), 'found')
      assert.equal(outcome('<< /S /JavaScript /JS 2 0 R >>', string), 'found')
      assert.equal(outcome(`<< /S /URI /URI ${string} >>`), 'found')
      const packed = deflateSync(Buffer.from(`9 0 << /JS ${string} >>`, 'latin1')).toString('latin1')
      const objects = `<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length} >>`
      assert.equal(outcome(`${objects}\nstream\n${packed}\nendstream`), 'found')
    })
  }
})

test('a script in UTF-16 without escapes is decoded', () => {
  // EICAR has characters that need an escape.
  const text = 'powershell -EncodedCommand mshta vbscript:CreateObject'
  const little = Buffer.from(`\uFEFF${text}`, 'utf16le')
  for (const bytes of [little, Buffer.from(little).swap16()]) {
    const objects = findObjects(pdf([`<< /JS (${bytes.toString('latin1')}) >>`]).toString('latin1'))
    assert.equal(objects && Buffer.from(stringsOf(objects, null).bytes).toString(), `${text}\n`)
  }
})

test('a literal string is decoded with all escapes', () => {
  const read = (value: string) => readString(value)?.toString('latin1')
  assert.equal(read('(a\\n\\r\\t\\b\\f\\(\\)\\\\\\x)'), 'a\n\r\t\b\f()\\x')
  assert.equal(read('(\\1018\\7z\\08\\501)'), 'A8\x07z\x008A')
  assert.equal(read('(a\\\r\nb\\\nc\\\rd\\\n\re)'), 'abcd\re')
  assert.equal(read('(a(b)c)d)'), 'a(b)c')
  for (const value of ['(a', '(a\\)', '(a\\', 'a']) assert.equal(read(value), undefined, value)
})

test('a long string takes little CPU time', () => {
  for (const long of ['\\a'.repeat(8_000_000), `${'('.repeat(8_000_000)}${')'.repeat(8_000_000)}`]) {
    const length = long.startsWith('(') ? 16_000_000 : 8_000_000
    assertCheap(() => assert.equal(readString(`(${long})`)?.length, length))
  }
})

suite('a script in another object', () => {
  const script = `(${octal})`
  const headers = [
    '00000000000002 0 obj',
    '2 000000 obj',
    `2${' '.repeat(70)}0 obj`,
    '2 %c\n0 obj',
    '2 0 %\nobj',
    '2.0 0 obj',
  ]
  for (const header of headers)
    test(`with the header ${JSON.stringify(header.replace(/ +/, ' '))}`, () => {
      assert.equal(outcome(`<< /JS 2 0 R >> endobj ${header} ${script}`), 'found')
      assert.equal(outcome(`<< /JS 2 0 R >> endobj 2 0 obj (a) endobj ${header} ${script}`), 'found')
    })
  test('through other references', () => {
    assert.equal(outcome('<< /JS 2 0 R >>', '3 0 R', '4 0 R', script), 'found')
    const packed = deflateSync(`4 0 ${script}`).toString('latin1')
    const objects = `<< /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed}\nendstream`
    assert.equal(outcome('<< /JS 2 0 R >>', '4 0 R', objects), 'found')
  })
  test('with the number of many, at the limit and one past it', () => {
    const of = (count: number): string =>
      outcome(`<< /JS 2 0 R >> ${'endobj 2 0 obj (a) '.repeat(count - 1)} endobj 2 0 obj ${script}`)
    assert.equal(of(DEFINITIONS_MAX), 'found')
    assert.equal(of(DEFINITIONS_MAX + 1), 'too_complex')
  })
  test('by an ambiguous reference', () => assert.equal(outcome('<< /JS +2 0 R >>', '(a)'), 'too_complex'))
  test('that is missing', () => assert.equal(outcome('<< /JS 2 0 R >>'), 'clean'))
})

test('started programs, opened files and form values are found', () => {
  const keys = ['/Win << /F (cmd.exe) /P', '/F << /Unix', '/F << /DOS', '/F << /Mac', '/FT /Tx << /V', '<< /FlashVars']
  for (const key of keys) assert.equal(outcome(`<< ${key} (${octal}) >> >>`), 'found', key)
})

test('overlapping strings, at the limit and one past it', () => {
  // Each extends to the end of the file.
  const of = (count: number): string => {
    const document = Buffer.concat([
      Buffer.from(`%PDF-1.7\n1 0 obj<<${'/JS('.repeat(count)}`),
      Buffer.alloc(10_000, 'a'),
      Buffer.from('startxref'),
    ])
    return inspector.inspect(document).obstacle?.reason ?? 'clean'
  }
  assert.equal(of(STRING_PASSES_MAX), 'clean')
  assert.equal(of(STRING_PASSES_MAX + 1), 'too_complex')
})

suite('keys in the data of a stream', () => {
  const packed = deflateSync(Buffer.alloc(99)).toString('latin1')
  const stream = (filter: string, data: string): string =>
    `<< ${filter} /Length ${data.length} >>\nstream\n${data}\nendstream`
  test('are a coincidence if it is packed', () => {
    for (const key of ['/P(', '/F (', '/V<', '/P\n('])
      assert.equal(outcome(stream('/Filter /FlateDecode', `${packed}${`${key}\x01\xfe`.repeat(99)}`)), 'clean', key)
  })
  test('count if it is not, or if they are in an object of their own', () => {
    const script = `<< /JS (${octal}) >>`
    assert.equal(outcome(stream('', script)), 'found')
    assert.equal(outcome(stream('/Filter /FlateDecode', `${packed} 7 0 obj ${script} endobj`)), 'found')
    assert.equal(outcome(stream('/Filter /FlateDecode', packed), script), 'found')
    assert.equal(outcome(`${stream('/Filter /FlateDecode', packed)} ${script}`), 'found')
    assert.equal(outcome(`<< /Filter /FlateDecode >> ${script} stream`), 'found')
  })
})

test('a comment with many keys takes little CPU time and is never clean', () => {
  for (const entry of ['/F 1 %', '/F %']) {
    assertCheap(() => assert.equal(outcome(`<< ${entry.repeat(100_000)}\n2 0 R >>`), 'too_complex'), entry)
  }
})

test('a script with many references is read once', () => {
  assert.equal(outcome(`[${'<< /JS 2 0 R >>'.repeat(50)}]`, `(\\\\${'a'.repeat(10_000)})`), 'clean')
})

test('occurrences of keys, and strings, at the limit and one past it', () => {
  const of = (entry: string, count: number) => {
    const objects = findObjects(`1 0 obj << ${entry.repeat(count)} >> 2 0 obj 1`) ?? assert.fail()
    return stringsOf(objects, null).obstacle
  }
  for (const entry of ['/F 1', '/P 2 0 R', '/V()']) assert.equal(of(entry, OCCURRENCES_MAX + 1), 'too_complex', entry)
  for (const entry of ['/F 1', '/P 2 0 R']) assert.equal(of(entry, OCCURRENCES_MAX), null, entry)
  assert.equal(of('/V()', STRINGS_MAX), null)
  assert.equal(of('/V()', STRINGS_MAX + 1), 'too_complex')
})

test('decrypted strings, at the limit and one past it', () => {
  const of = (count: number) => {
    const objects = findObjects(`1 0 obj << ${'/F(a)'.repeat(count)} >>`) ?? assert.fail()
    return stringsOf(objects, (_object, _generation, data) => data).obstacle
  }
  assert.equal(of(DECRYPTIONS_MAX), null)
  assert.equal(of(DECRYPTIONS_MAX + 1), 'too_complex')
})
