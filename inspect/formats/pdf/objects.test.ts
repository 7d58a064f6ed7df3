/** Objects of a PDF are found wherever they stand, and counted. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readDictionary } from './dictionary.ts'
import { DEFINITIONS_MAX, OBJECTS_MAX, objectsOf } from './objects.ts'

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
    const start = performance.now()
    assert.equal(objectsOf('1 0 obj%'.repeat(400_000))?.all.length, 400_000)
    assert.ok(performance.now() - start < 5000)
  })
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
