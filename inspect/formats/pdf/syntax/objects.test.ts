/** PDF objects, headers, references and dictionaries. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { readDictionary, referenceAt } from './dictionary.ts'
import { createEnclosing, ENCLOSING_READS_MAX } from './enclosing-objects.ts'
import { headerBefore, LINE_MAX, NUMBER_MAX, UNKNOWN_NUMBER } from './object-header.ts'
import { findObjects, OBJECTS_MAX } from './objects.ts'
import { DEFINITIONS_MAX, LINK_MAX } from './references.ts'

suite('objects', () => {
  test('are found by their headers', () => {
    const text =
      '%PDF-1.7\n1 0 obj\n<< >>\nendobj 12\x000\tobj[1]endobj 3 0obj%x\n/A endobj 4 %\n0%\nobj << >> (5 0 object)'
    const found = findObjects(text)?.all.map(({ object, generation, at }) => [
      object,
      generation,
      text.slice(at, at + 2),
    ])
    assert.deepEqual(found, [
      [1, 0, '<<'],
      [12, 0, '[1'],
      [3, 0, '/A'],
      [0, 0, '<<'],
      [5, 0, 'ec'],
    ])
  })
  test('are all returned for a reference', () => {
    const objects = findObjects('9 0 obj 1 endobj 8 0 obj 2 endobj 9 0 obj 3 endobj')
    assert.deepEqual(
      objects?.resolve('9 %\n0 R').map((value) => value[0]),
      ['1', '3'],
    )
    assert.deepEqual(objects?.resolve('7 0 R'), [])
    assert.deepEqual(objects?.resolve('/Name'), ['/Name'])
  })
  test('at the limit and one past it', () => {
    const meant = (count: number) => findObjects('9 0 obj 1 '.repeat(count))?.resolve('9 0 R').length
    assert.deepEqual([meant(DEFINITIONS_MAX), meant(DEFINITIONS_MAX + 1)], [DEFINITIONS_MAX, 0])
    assert.equal(OBJECTS_MAX, 500_000)
    assert.equal(findObjects('1 0 obj '.repeat(5), 5)?.all.length, 5)
    assert.equal(findObjects('1 0 obj '.repeat(6), 5), null)
  })
  test('in one comment take little CPU time', () => {
    assertCheap(() => assert.equal(findObjects('1 0 obj%'.repeat(400_000))?.all.length, 400_000))
  })
})

suite('headers', () => {
  const headerOf = (text: string) => {
    const header = headerBefore(`${text}obj`, text.length)
    return header && [header.object, header.generation]
  }
  test('may have any white space and any number of digits', () => {
    assert.deepEqual(headerOf(`x00000000000005${' '.repeat(5000)}\0\r\n000003 `), [5, 3])
    assert.deepEqual(headerOf('% a\n5 0'), [5, 0])
    for (const text of ['', '5', '5 ', 'a 5 ', '0', '(5 0 % 5 x\n) ']) assert.equal(headerOf(text), null, text)
  })
  test('may be ambiguous', () => {
    for (const text of [
      '5 %\n0 ',
      '5%a\r0 ',
      '5 0 %a\n',
      '5 0%a\n%b\n',
      '5.0 0 ',
      '+5 0 ',
      '5 +0 ',
      '1e1 0 ',
      '5 %\n%\n0 ',
    ])
      assert.deepEqual(headerOf(text), [UNKNOWN_NUMBER, 0], text)
    // The word is longer than `obj`.
    assert.equal(headerBefore('5 0 %\nobject', 6), null)
  })
  test('at the limit and one past it', () => {
    assert.deepEqual(headerOf(`${NUMBER_MAX} 0 `), [NUMBER_MAX, 0])
    assert.deepEqual(headerOf(`${NUMBER_MAX + 1} 0 `), [UNKNOWN_NUMBER, 0])
    const line = (length: number) => headerOf(`\n${'a'.repeat(length - 2)} 5\n0 `)
    assert.deepEqual(line(LINE_MAX), [5, 0])
    assert.deepEqual(line(LINE_MAX + 1), [UNKNOWN_NUMBER, 0])
  })
})

suite('references', () => {
  const targets = (text: string, reference: string) => {
    const objects = findObjects(text)
    const found = objects?.follow(referenceAt(reference, 0)?.object ?? 0)
    assert.equal(objects?.isAmbiguous(reference) && found !== null, false)
    return found?.map(({ at }) => text.slice(at, at + 3)) ?? 'ambiguous'
  }
  test('may mean any object with an ambiguous header', () => {
    assert.deepEqual(targets('5 0 obj(a) 7 %\n0 obj(b) 6 0 obj(c)', '5 0 R'), ['(a)', '(b)'])
    assert.deepEqual(targets('5 0 obj(a) 7 %\n0 obj(b)', '9 0 R'), ['(b)'])
  })
  test('are followed, and circular ones have no target', () => {
    assert.deepEqual(targets('1 0 obj 2 0 R 2 0 obj 3 %\n0 R 3 0 obj(c) 1 0 obj(d)', '1 0 R'), ['(d)', '(c)'])
    assert.deepEqual(targets('1 0 obj 2 0 R 2 0 obj 1 0 R', '1 0 R'), [])
  })
  test('are ambiguous if readers interpret the number differently', () => {
    for (const reference of ['+1 0 R', '1.0 0 R', `${NUMBER_MAX + 1} 0 R`])
      assert.equal(targets('1 0 obj(a)', reference), 'ambiguous', reference)
    for (const reference of ['001 0 R', '1 000000 R', '1 +0 R', `${NUMBER_MAX} 0 R`])
      assert.notEqual(targets('1 0 obj(a)', reference), 'ambiguous', reference)
  })
  test('at the limit and one past it', () => {
    const chain = (length: number) =>
      targets(
        Array.from({ length }, (_, i) => `${i + 1} 0 obj ${i + 1 === length ? '(a)' : `${i + 2} 0 R`} `).join(''),
        '1 0 R',
      )
    assert.deepEqual([chain(DEFINITIONS_MAX), chain(DEFINITIONS_MAX + 1)], [['(a)'], 'ambiguous'])
    const link = (length: number) => targets(`1 0 obj ${'2'.padEnd(length - 3)}0 R 2 0 obj(a)`, '1 0 R')
    assert.deepEqual([link(LINK_MAX), link(LINK_MAX + 1)], [['(a)'], 'ambiguous'])
  })
})

test('characters read for enclosing objects, at the limit and one past it', () => {
  const of = (length: number) => {
    const text = '1 0 obj[2 0 obj['.padEnd(length)
    return createEnclosing(findObjects(text) ?? assert.fail())(length)?.length
  }
  // Both are read to the end, starting after 7 and 15 characters.
  assert.deepEqual([of(ENCLOSING_READS_MAX + 7 + 15), of(ENCLOSING_READS_MAX + 7 + 15 + 1)], [1, undefined])
})

suite('dictionaries', () => {
  const values = (text: string) => [...(readDictionary(text, 0)?.values ?? [])]
  test('are read with nested dictionaries, strings and comments', () => {
    assert.deepEqual(values('<</A<</B/C>>/D(/E\\)( )/F)/G%/H\n[1/I<<>>]/J<4b>/#4b 1 %\n0 R/L true>> stream'), [
      ['A', ['<</B/C>>']],
      ['D', ['(/E\\)( )/F)']],
      ['G', ['[1/I<<>>]']],
      ['J', ['<4b>']],
      ['K', ['1 %\n0 R']],
      ['L', ['true']],
    ])
  })
  test('have two values for a duplicate key', () => {
    assert.deepEqual(values('<< /A 1 /B 2 /A 3 >>'), [
      ['A', ['1', '3']],
      ['B', ['2']],
    ])
  })
  test('may contain other tokens, but need an end', () => {
    assert.deepEqual(values('<< ) 1 /A 2 >>'), [['A', ['2']]])
    for (const text of ['<< /A (', '<< /A [ >>', '<< /A', '', '< /A >>']) assert.equal(readDictionary(text, 0), null)
  })
})
