/** Scripts and addresses of a PDF in strings that are written in unusual ways: the rules see them as readers do. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR, pdf } from '#inspect/testing/samples.ts'
import { DECRYPTIONS_MAX, PLACES_MAX, STRING_READINGS_MAX, STRINGS_MAX, stringsOf } from './strings.ts'
import { objectsOf } from './syntax/objects.ts'
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

suite('a script in a string', () => {
  const strings: [string, string][] = [
    ['with escapes', `(${octal})`],
    ['with line ends that do not count', `(${escaped(Buffer.from(EICAR)).replaceAll(/[A-Z-]{5}/g, '$&\\\r\n')})`],
    ['in hexadecimal', `<${hex}>`],
    ['in hexadecimal, in lines, with characters between', `<${hex.replaceAll(/.{7}/g, '$&\n x')}>`],
    ['in UTF-16', `(${escaped(utf16)})`],
    ['in UTF-16, the other way round', `(${escaped(Buffer.from(utf16).swap16())})`],
    ['in hexadecimal of UTF-16', `<${Buffer.from(utf16).swap16().toString('hex')}>`],
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

test('a script in UTF-16 without a single escape, either way round', () => {
  // EICAR has characters that need one.
  const text = 'powershell -EncodedCommand mshta vbscript:CreateObject'
  const little = Buffer.from(`\uFEFF${text}`, 'utf16le')
  for (const bytes of [little, Buffer.from(little).swap16()]) {
    const objects = objectsOf(pdf([`<< /JS (${bytes.toString('latin1')}) >>`]).toString('latin1'))
    assert.equal(objects && Buffer.from(stringsOf(objects, null).bytes).toString(), `${text}\n`)
  }
})

test('a literal string, with all of its escapes', () => {
  const read = (value: string) => readString(value)?.toString('latin1')
  assert.equal(read('(a\\n\\r\\t\\b\\f\\(\\)\\\\\\x)'), 'a\n\r\t\b\f()\\x')
  assert.equal(read('(\\1018\\7z\\08\\501)'), 'A8\x07z\x008A')
  assert.equal(read('(a\\\r\nb\\\nc\\\rd\\\n\re)'), 'abcd\re')
  assert.equal(read('(a(b)c)d)'), 'a(b)c')
  for (const value of ['(a', '(a\\)', '(a\\', 'a']) assert.equal(read(value), undefined, value)
})

test('a long string takes little time', () => {
  for (const long of ['\\a'.repeat(8_000_000), `${'('.repeat(8_000_000)}${')'.repeat(8_000_000)}`]) {
    const start = process.cpuUsage()
    assert.equal(readString(`(${long})`)?.length, long.startsWith('(') ? 16_000_000 : 8_000_000)
    const { user, system } = process.cpuUsage(start)
    assert.ok(user + system < 1_000_000, `${user + system}`)
  }
})

suite('a script in another object', () => {
  const script = `(${octal})`
  const heads = [
    '00000000000002 0 obj',
    '2 000000 obj',
    `2${' '.repeat(70)}0 obj`,
    '2 %c\n0 obj',
    '2 0 %\nobj',
    '2.0 0 obj',
  ]
  for (const head of heads)
    test(`${JSON.stringify(head.replace(/ +/, ' '))} is its head`, () => {
      assert.equal(outcome(`<< /JS 2 0 R >> endobj ${head} ${script}`), 'found')
      assert.equal(outcome(`<< /JS 2 0 R >> endobj 2 0 obj (a) endobj ${head} ${script}`), 'found')
    })
  test('by way of others', () => {
    assert.equal(outcome('<< /JS 2 0 R >>', '3 0 R', '4 0 R', script), 'found')
    const packed = deflateSync(`4 0 ${script}`).toString('latin1')
    const objects = `<< /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed}\nendstream`
    assert.equal(outcome('<< /JS 2 0 R >>', '4 0 R', objects), 'found')
  })
  test('one of many, at the limit and one past it', () => {
    const of = (count: number): string =>
      outcome(`<< /JS 2 0 R >> ${'endobj 2 0 obj (a) '.repeat(count - 1)} endobj 2 0 obj ${script}`)
    assert.equal(of(DEFINITIONS_MAX), 'found')
    assert.equal(of(DEFINITIONS_MAX + 1), 'too_complex')
  })
  test('that nobody can tell', () => assert.equal(outcome('<< /JS +2 0 R >>', '(a)'), 'too_complex'))
  test('that is not there', () => assert.equal(outcome('<< /JS 2 0 R >>'), 'clean'))
})

test('what is started, opened and filled in', () => {
  const keys = ['/Win << /F (cmd.exe) /P', '/F << /Unix', '/F << /DOS', '/F << /Mac', '/FT /Tx << /V', '<< /FlashVars']
  for (const key of keys) assert.equal(outcome(`<< ${key} (${octal}) >> >>`), 'found', key)
})

test('strings that lie in each other, at the limit and past it', () => {
  // Each goes on to the end of the file, from hardly further on.
  const of = (count: number): string => {
    const document = Buffer.concat([
      Buffer.from(`%PDF-1.7\n1 0 obj<<${'/JS('.repeat(count)}`),
      Buffer.alloc(10_000, 'a'),
    ])
    return inspector.inspect(document).obstacle?.reason ?? 'clean'
  }
  assert.equal(of(STRING_READINGS_MAX), 'clean')
  assert.equal(of(STRING_READINGS_MAX + 1), 'too_complex')
})

test('a comment with many keys in it takes little time, and is never clean', () => {
  for (const place of ['/F 1 %', '/F %']) {
    const start = process.cpuUsage()
    assert.equal(outcome(`<< ${place.repeat(100_000)}\n2 0 R >>`), 'too_complex', place)
    const { user, system } = process.cpuUsage(start)
    assert.ok(user + system < 3_000_000, `${place} ${user + system}`)
  }
})

test('a script that many places refer to is read once', () => {
  assert.equal(outcome(`[${'<< /JS 2 0 R >>'.repeat(50)}]`, `(\\\\${'a'.repeat(10_000)})`), 'clean')
})

test('places of strings, and strings, at the limit and one past it', () => {
  const of = (place: string, count: number) => {
    const objects = objectsOf(`1 0 obj << ${place.repeat(count)} >> 2 0 obj 1`) ?? assert.fail()
    return stringsOf(objects, null).obstacle
  }
  for (const place of ['/F 1', '/P 2 0 R', '/V()']) assert.equal(of(place, PLACES_MAX + 1), 'too_complex', place)
  for (const place of ['/F 1', '/P 2 0 R']) assert.equal(of(place, PLACES_MAX), null, place)
  assert.equal(of('/V()', STRINGS_MAX), null)
  assert.equal(of('/V()', STRINGS_MAX + 1), 'too_complex')
})

test('strings that are decrypted, at the limit and one past it', () => {
  const of = (count: number) => {
    const objects = objectsOf(`1 0 obj << ${'/F(a)'.repeat(count)} >>`) ?? assert.fail()
    return stringsOf(objects, (_object, _generation, data) => data).obstacle
  }
  assert.equal(of(DECRYPTIONS_MAX), null)
  assert.equal(of(DECRYPTIONS_MAX + 1), 'too_complex')
})
