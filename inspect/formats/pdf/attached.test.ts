/** Files, scripts and forms in a PDF that say that they are pictures: never clean, because some readers undo the filters. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { useInspector } from '#inspect/testing/inspector.ts'
import { pdf } from '#inspect/testing/samples.ts'
import { LEADS_MAX, LEADS_TOTAL_MAX, MENTIONS_MAX } from './attached.ts'

const inspector = useInspector()

const picture = '<< /Subtype /Image /Filter /DCTDecode /Length 4 >>\nstream\n\xff\xd8\xff\xe0\nendstream'

function outcome(...objects: string[]): string {
  const { findings, obstacle } = inspector.inspect(pdf([picture, ...objects]))
  return findings[0]?.id ?? obstacle?.reason ?? 'clean'
}

suite('a picture that is', () => {
  const leads: [string, string[]][] = [
    ['a file', ['<< /Type /Filespec /F (a) /EF << /F 1 0 R >> >>']],
    ['a file by its other name', ['<< /EF<</UF 1 0 R/F 9 0 R>> >>']],
    ['a file, spelled otherwise', ['<< /#45F %\n<< /#46 1 %x\n0 %\rR >> >>']],
    ['a file by way of another object', ['<< /EF 3 0 R >>', '<< /F 1 0 R >>']],
    ['a related file', ['<< /RF << /F [(a) 1 0 R] >> >>']],
    ['a script', ['<< /S /JavaScript /JS 1 0 R >>']],
    ['a file behind a string with the sign of a comment', ['<< /EF << /X (%) /F 1 0 R >> >>']],
    ['a file behind digits with the sign of a comment', ['<< /EF << /X <2%5> /F 1 0 R >> >>']],
    ['a file with zeros', ['<< /EF << /F 0001 000000 R >> >>']],
    ['a file by a number that readers take in different ways', ['<< /EF << /F 1.0 0 R >> >>']],
    ['a file by way of two other objects', ['<< /EF 3 0 R >>', '4 0 R', '<< /F 1 0 R >>']],
    ['a file by a reference to a reference', ['<< /EF << /F 3 0 R >> >>', '1 0 R']],
    ['a file by way of an object whose number is open', ['<< /EF 9 0 R >> endobj 9 %\n0 obj << /F 1 0 R >>']],
    ['a file by one of too many objects', [`<< /EF 3 0 R >>${' endobj 3 0 obj << /F 4 0 R >>'.repeat(33)}`]],
    ['a related file by way of a list', ['<< /RF 3 0 R >>', '<< /F 4 0 R >>', '[(a) 1 0 R]']],
    ['a form', ['<< /XFA [(a) 9 0 R (b) 1 0 R] >>']],
    ['a form by way of another object', ['<< /XFA 3 0 R >>', '[(a) 1 0 R]']],
  ]
  for (const [name, objects] of leads) test(name, () => assert.equal(outcome(...objects), 'too_complex'))
  test('a file of which a packed object tells', () => {
    const objects = '9 0 << /EF << /F 1 0 R >> >>'
    const data = deflateSync(objects).toString('latin1')
    const of = (text: string): string =>
      outcome(
        `<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${text.length} >>\nstream\n${text}\nendstream`,
      )
    assert.equal(of(data), 'too_complex')
    assert.equal(of(deflateSync(objects.replace('EF', 'XO')).toString('latin1')), 'clean')
  })
  test('a picture', () => {
    assert.equal(outcome('<< /XObject << /F 1 0 R >> /EF << /F 9 0 R >> /JS (1 0 R) >>'), 'clean')
    assert.equal(outcome('<< /EF << /X (1 0 R) /F 3 0 R >> /XObject << /F 1 0 R >> >>', '(1 0 R)'), 'clean')
  })
})

test('a file that does not say that it is one, and is damaged', () => {
  const broken = '<< /Filter /FlateDecode >>\nstream\n\x78\xda\xff\xff\xff\xff\nendstream'
  assert.equal(outcome(broken), 'clean')
  assert.equal(outcome(broken, '<< /EF << /F 2 0 R >> >>'), 'damaged')
})

test('what many places refer to is read once', () => {
  const definitions = `9 0 obj <<${'/F 5 0 R '.repeat(440)}>> endobj `.repeat(31)
  const start = process.cpuUsage()
  assert.equal(outcome(`[${'/EF 9 0 R '.repeat(2000)}] endobj ${definitions}`), 'clean')
  const { user, system } = process.cpuUsage(start)
  assert.ok(user + system < 2_000_000)
})

suite('at the limit, and one past it', () => {
  test('places that lead to files', () => {
    const of = (count: number): string => outcome(`<< ${'/JS () '.repeat(count)} >>`)
    assert.equal(of(MENTIONS_MAX), 'clean')
    assert.equal(of(MENTIONS_MAX + 1), 'too_complex')
  })
  test('characters of all that leads there', () => {
    const of = (count: number, more: string): string =>
      outcome(`[${`/EF${'['.padEnd(LEADS_MAX - 1)}]`.repeat(count)} ${more}]`)
    assert.equal(LEADS_TOTAL_MAX % LEADS_MAX, 0)
    assert.equal(of(LEADS_TOTAL_MAX / LEADS_MAX, ''), 'clean')
    assert.equal(of(LEADS_TOTAL_MAX / LEADS_MAX, '/EF/A'), 'too_complex')
  })
  test('characters of what leads there', () => {
    const of = (length: number): string => outcome(`<< /EF${'<<'.padEnd(length - 2)}>> >>`)
    assert.equal(of(LEADS_MAX), 'clean')
    assert.equal(of(LEADS_MAX + 1), 'too_complex')
    assert.equal(outcome(`<< /JS (${'a'.repeat(LEADS_MAX)}) >>`), 'clean')
    assert.equal(outcome(`<< /JS <${'a'.repeat(LEADS_MAX)}> >>`), 'clean')
  })
})
