import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWanted } from './real.ts'

test('kinds and sizes are named in any order and case', () => {
  const { kinds, sizes, isQuick, namesFiles } = readWanted(['1mb', 'HTML', 'pdf'])
  assert.deepEqual([kinds, sizes], [['pdf', 'html'], ['1MB']])
  assert.deepEqual([isQuick, namesFiles], [true, true])
})

test('without a kind, everything is measured in full', () => {
  assert.deepEqual(readWanted([]), {
    ...{ kinds: [], sizes: [], isQuick: false, namesFiles: false },
    isSaved: false,
  })
  assert.equal(readWanted(['10KB', '--quick']).isQuick, true)
})

test('an unknown name is rejected with the known ones', () => {
  assert.throws(() => readWanted(['html', 'htlm']), /pdf, docx.*10KB.*not html,htlm/)
})
