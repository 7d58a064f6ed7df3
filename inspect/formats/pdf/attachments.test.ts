/** Files, scripts and forms with picture filters are never clean, because some readers decode them. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR, pdf } from '#inspect/testing/samples.ts'
import { CHANCES_MAX, MENTIONS_MAX, VALUE_MAX, VALUES_TOTAL_MAX } from './attachments.ts'

const inspector = useInspector()

const picture = '<< /Subtype /Image /Filter /DCTDecode /Length 4 >>\nstream\n\xff\xd8\xff\xe0\nendstream'

function outcome(...objects: string[]): string {
  const { findings, obstacle } = inspector.inspect(pdf([picture, ...objects]))
  const [threat] = findings.filter(({ severity }) => severity !== 'notice')
  return obstacle?.reason ?? threat?.id ?? 'clean'
}

suite('a picture that is referenced as', () => {
  const references: [string, string[]][] = [
    ['a file', ['<< /Type /Filespec /F (a) /EF << /F 1 0 R >> >>']],
    ['a file by UF', ['<< /EF<</UF 1 0 R/F 9 0 R>> >>']],
    ['a file with escaped names and comments', ['<< /#45F %\n<< /#46 1 %x\n0 %\rR >> >>']],
    ['a file through another object', ['<< /EF 3 0 R >>', '<< /F 1 0 R >>']],
    ['a related file', ['<< /RF << /F [(a) 1 0 R] >> >>']],
    ['a script', ['<< /S /JavaScript /JS 1 0 R >>']],
    ['a file after a string with a percent sign', ['<< /EF << /X (%) /F 1 0 R >> >>']],
    ['a file after a hexadecimal string with a percent sign', ['<< /EF << /X <2%5> /F 1 0 R >> >>']],
    ['a file by a number with leading zeros', ['<< /EF << /F 0001 000000 R >> >>']],
    ['a file by a number that readers interpret differently', ['<< /EF << /F 1.0 0 R >> >>']],
    ['a file through two other objects', ['<< /EF 3 0 R >>', '4 0 R', '<< /F 1 0 R >>']],
    ['a file by a reference to a reference', ['<< /EF << /F 3 0 R >> >>', '1 0 R']],
    ['a file through an object with an ambiguous header', ['<< /EF 9 0 R >> endobj 9 %\n0 obj << /F 1 0 R >>']],
    ['a file by one of too many objects', [`<< /EF 3 0 R >>${' endobj 3 0 obj << /F 4 0 R >>'.repeat(33)}`]],
    ['a related file through a list', ['<< /RF 3 0 R >>', '<< /F 4 0 R >>', '[(a) 1 0 R]']],
    ['a form', ['<< /XFA [(a) 9 0 R (b) 1 0 R] >>']],
    ['a form through another object', ['<< /XFA 3 0 R >>', '[(a) 1 0 R]']],
  ]
  for (const [name, objects] of references) test(name, () => assert.equal(outcome(...objects), 'too_complex'))
  test('a file by a packed object', () => {
    const objects = '9 0 << /EF << /F 1 0 R >> >>'
    const data = deflateSync(objects).toString('latin1')
    const of = (text: string): string =>
      outcome(
        `<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${text.length} >>\nstream\n${text}\nendstream`,
      )
    assert.equal(of(data), 'too_complex')
    assert.equal(of(deflateSync(objects.replace('EF', 'XO')).toString('latin1')), 'clean')
  })
  test('only a picture is clean', () => {
    assert.equal(outcome('<< /XObject << /F 1 0 R >> /EF << /F 9 0 R >> /JS (1 0 R) >>'), 'clean')
    assert.equal(outcome('<< /EF << /X (1 0 R) /F 3 0 R >> /XObject << /F 1 0 R >> >>', '(1 0 R)'), 'clean')
  })
})

test('an attachment without a type and a filter is inspected', () => {
  const digits = Buffer.from(EICAR).toString('base64').replaceAll(/.{5}/g, '$&\n')
  const stream = `<< /Length ${digits.length} >>\nstream\n${digits}\nendstream`
  assert.equal(outcome(stream, '<< /EF << /F 2 0 R >> >>'), 'Docvet.Test.Eicar')
})

test('a damaged stream is only reported if it is an attachment', () => {
  const broken = '<< /Filter /FlateDecode >>\nstream\n\x78\xda\xff\xff\xff\xff\nendstream'
  assert.equal(outcome(broken), 'clean')
  assert.equal(outcome(broken, '<< /EF << /F 2 0 R >> >>'), 'damaged')
})

test('objects with many references are read once', () => {
  const definitions = `9 0 obj <<${'/F 5 0 R '.repeat(440)}>> endobj `.repeat(31)
  assertCheap(() => assert.equal(outcome(`[${'/EF 9 0 R '.repeat(2000)}] endobj ${definitions}`), 'clean'))
})

suite('a key in compressed data', () => {
  const noise = createHash('shake256', { outputLength: 9000 })
    .update('noise')
    .digest()
    .toString('latin1')
    .replaceAll(/[[\]<>()]|stream/g, '!')
  const after = (data: string): string => outcome(`<< /Length ${data.length} >>\nstream\n${data}\nendstream`)
  const keys = (count: number): string => after(`${'/RF['.repeat(count)}${noise}`)
  test('is a coincidence', () => {
    assert.equal(keys(1), 'clean')
    assert.equal(after(`${noise}/EF<<${noise}`), 'clean')
  })
  test('is not assumed for text, or outside a stream', () => {
    assert.equal(after(`/RF[${'a '.repeat(VALUE_MAX)}${noise}`), 'too_complex')
    assert.equal(outcome(`<< /RF[${noise}] >>`), 'too_complex')
    assert.equal(outcome(`<< >>\nstream\nendstream endobj 5 0 obj << /RF[${noise}] >>`), 'too_complex')
  })
  test('is one of few', () => {
    assert.equal(keys(CHANCES_MAX), 'clean')
    assert.equal(keys(CHANCES_MAX + 1), 'too_complex')
  })
})

suite('at the limit and one past it', () => {
  test('occurrences of keys', () => {
    const of = (count: number): string => outcome(`<< ${'/JS () '.repeat(count)} >>`)
    assert.equal(of(MENTIONS_MAX), 'clean')
    assert.equal(of(MENTIONS_MAX + 1), 'too_complex')
  })
  test('characters of all values', () => {
    const of = (count: number, more: string): string =>
      outcome(`[${`/EF${'['.padEnd(VALUE_MAX - 1)}]`.repeat(count)} ${more}]`)
    assert.equal(VALUES_TOTAL_MAX % VALUE_MAX, 0)
    assert.equal(of(VALUES_TOTAL_MAX / VALUE_MAX, ''), 'clean')
    assert.equal(of(VALUES_TOTAL_MAX / VALUE_MAX, '/EF/A'), 'too_complex')
  })
  test('characters of one value', () => {
    const of = (length: number): string => outcome(`<< /EF${'<<'.padEnd(length - 2)}>> >>`)
    assert.equal(of(VALUE_MAX), 'clean')
    assert.equal(of(VALUE_MAX + 1), 'too_complex')
    assert.equal(outcome(`<< /JS (${'a'.repeat(VALUE_MAX)}) >>`), 'clean')
    assert.equal(outcome(`<< /JS <${'a'.repeat(VALUE_MAX)}> >>`), 'clean')
  })
})
