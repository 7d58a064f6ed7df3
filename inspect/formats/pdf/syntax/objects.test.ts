/** Objects of a PDF are found wherever they stand, and counted. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { readDictionary, referenceAt } from './dictionary.ts'
import { headBefore, LINE_MAX, NO_NUMBER, NUMBER_MAX } from './head.ts'
import { OBJECTS_MAX, objectsOf } from './objects.ts'
import { createOwners, OWNER_READS_MAX } from './owners.ts'
import { DEFINITIONS_MAX, LINK_MAX } from './references.ts'

suite('objects', () => {
  test('are found by their heads', () => {
    const text =
      '%PDF-1.7\n1 0 obj\n<< >>\nendobj 12\x000\tobj[1]endobj 3 0obj%x\n/A endobj 4 %\n0%\nobj << >> (5 0 object)'
    const found = objectsOf(text)?.all.map(({ object, generation, at }) => [object, generation, text.slice(at, at + 2)])
    assert.deepEqual(found, [
      [1, 0, '<<'],
      [12, 0, '[1'],
      [3, 0, '/A'],
      [0, 0, '<<'],
      [5, 0, 'ec'],
    ])
  })
  test('all that a reference may mean', () => {
    const objects = objectsOf('9 0 obj 1 endobj 8 0 obj 2 endobj 9 0 obj 3 endobj')
    assert.deepEqual(
      objects?.resolve('9 %\n0 R').map((value) => value[0]),
      ['1', '3'],
    )
    assert.deepEqual(objects?.resolve('7 0 R'), [])
    assert.deepEqual(objects?.resolve('/Name'), ['/Name'])
  })
  test('at most so many', () => {
    const meant = (count: number) => objectsOf('9 0 obj 1 '.repeat(count))?.resolve('9 0 R').length
    assert.deepEqual([meant(DEFINITIONS_MAX), meant(DEFINITIONS_MAX + 1)], [DEFINITIONS_MAX, 0])
    assert.equal(OBJECTS_MAX, 500_000)
    assert.equal(objectsOf('1 0 obj '.repeat(5), 5)?.all.length, 5)
    assert.equal(objectsOf('1 0 obj '.repeat(6), 5), null)
  })
  test('a comment full of heads is passed over once', () => {
    assertCheap(() => assert.equal(objectsOf('1 0 obj%'.repeat(400_000))?.all.length, 400_000))
  })
})

suite('heads', () => {
  const headOf = (text: string) => {
    const head = headBefore(`${text}obj`, text.length)
    return head && [head.object, head.generation]
  }
  test('with any white space, and any number of digits', () => {
    assert.deepEqual(headOf(`x00000000000005${' '.repeat(5000)}\0\r\n000003 `), [5, 3])
    assert.deepEqual(headOf('% a\n5 0'), [5, 0])
    for (const text of ['', '5', '5 ', 'a 5 ', '0', '(5 0 % 5 x\n) ']) assert.equal(headOf(text), null, text)
  })
  test('that leave the number open', () => {
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
      assert.deepEqual(headOf(text), [NO_NUMBER, 0], text)
    // In a text the word goes on.
    assert.equal(headBefore('5 0 %\nobject', 6), null)
  })
  test('at the limit, and one past it', () => {
    assert.deepEqual(headOf(`${NUMBER_MAX} 0 `), [NUMBER_MAX, 0])
    assert.deepEqual(headOf(`${NUMBER_MAX + 1} 0 `), [NO_NUMBER, 0])
    const line = (length: number) => headOf(`\n${'a'.repeat(length - 2)} 5\n0 `)
    assert.deepEqual(line(LINE_MAX), [5, 0])
    assert.deepEqual(line(LINE_MAX + 1), [NO_NUMBER, 0])
  })
})

suite('references', () => {
  const meant = (text: string, reference: string) => {
    const objects = objectsOf(text)
    const found = objects?.follow(referenceAt(reference, 0)?.object ?? 0)
    assert.equal(objects?.isUnclear(reference) && found !== null, false)
    return found?.map(({ at }) => text.slice(at, at + 3)) ?? 'unclear'
  }
  test('an object whose number is open may be meant by any', () => {
    assert.deepEqual(meant('5 0 obj(a) 7 %\n0 obj(b) 6 0 obj(c)', '5 0 R'), ['(a)', '(b)'])
    assert.deepEqual(meant('5 0 obj(a) 7 %\n0 obj(b)', '9 0 R'), ['(b)'])
  })
  test('one leads to another, and in a circle to nothing', () => {
    assert.deepEqual(meant('1 0 obj 2 0 R 2 0 obj 3 %\n0 R 3 0 obj(c) 1 0 obj(d)', '1 0 R'), ['(d)', '(c)'])
    assert.deepEqual(meant('1 0 obj 2 0 R 2 0 obj 1 0 R', '1 0 R'), [])
  })
  test('numbers that readers take in different ways', () => {
    for (const reference of ['+1 0 R', '1.0 0 R', `${NUMBER_MAX + 1} 0 R`])
      assert.equal(meant('1 0 obj(a)', reference), 'unclear', reference)
    for (const reference of ['001 0 R', '1 000000 R', '1 +0 R', `${NUMBER_MAX} 0 R`])
      assert.notEqual(meant('1 0 obj(a)', reference), 'unclear', reference)
  })
  test('at the limit, and one past it', () => {
    const chain = (length: number) =>
      meant(
        Array.from({ length }, (_, i) => `${i + 1} 0 obj ${i + 1 === length ? '(a)' : `${i + 2} 0 R`} `).join(''),
        '1 0 R',
      )
    assert.deepEqual([chain(DEFINITIONS_MAX), chain(DEFINITIONS_MAX + 1)], [['(a)'], 'unclear'])
    const link = (length: number) => meant(`1 0 obj ${'2'.padEnd(length - 3)}0 R 2 0 obj(a)`, '1 0 R')
    assert.deepEqual([link(LINK_MAX), link(LINK_MAX + 1)], [['(a)'], 'unclear'])
  })
})

test('characters read for what a place belongs to, at the limit and one past it', () => {
  const of = (length: number) => {
    const text = '1 0 obj[2 0 obj['.padEnd(length)
    return createOwners(objectsOf(text) ?? assert.fail())(length)?.length
  }
  // Both are read to the end, from behind the first seven and fifteen characters.
  assert.deepEqual([of(OWNER_READS_MAX + 7 + 15), of(OWNER_READS_MAX + 7 + 15 + 1)], [1, undefined])
})

suite('dictionaries', () => {
  const values = (text: string) => [...(readDictionary(text, 0)?.values ?? [])]
  test('inner ones, strings and comments hide nothing', () => {
    assert.deepEqual(values('<</A<</B/C>>/D(/E\\)( )/F)/G%/H\n[1/I<<>>]/J<4b>/#4b 1 %\n0 R/L true>> stream'), [
      ['A', ['<</B/C>>']],
      ['D', ['(/E\\)( )/F)']],
      ['G', ['[1/I<<>>]']],
      ['J', ['<4b>']],
      ['K', ['1 %\n0 R']],
      ['L', ['true']],
    ])
  })
  test('a key that stands there twice has two values', () => {
    assert.deepEqual(values('<< /A 1 /B 2 /A 3 >>'), [
      ['A', ['1', '3']],
      ['B', ['2']],
    ])
  })
  test('what is no key is passed over, and what has no end is none', () => {
    assert.deepEqual(values('<< ) 1 /A 2 >>'), [['A', ['2']]])
    for (const text of ['<< /A (', '<< /A [ >>', '<< /A', '', '< /A >>']) assert.equal(readDictionary(text, 0), null)
  })
})
