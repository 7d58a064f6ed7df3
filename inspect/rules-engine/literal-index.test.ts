import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '#inspect/core/limits.ts'
import { withinBudget } from '#inspect/core/work.ts'
import { createLiteralIndex } from './literal-index.ts'

test('literals are found at every offset and alignment, in any case', () => {
  const index = createLiteralIndex([['abcd'], null, ['WXYZ-long', 'abcd'], ['\x00\xff\x00\xfe']])
  for (let before = 0; before < 9; before++)
    for (let shift = 0; shift < 4; shift++)
      for (let after = 0; after < 5; after++) {
        const bytesWith = (text: string): Uint8Array =>
          Buffer.from(`${'#'.repeat(shift + before)}${text}${'#'.repeat(after)}`, 'latin1').subarray(shift)
        const where = `${before} ${shift} ${after}`
        assert.deepEqual([...index.find(bytesWith('aBCd'))], [0, 2], where)
        assert.deepEqual([...index.find(bytesWith('wxyz-LONG'))], [2], where)
        assert.deepEqual([...index.find(bytesWith('\x00\xff\x00\xfe'))], [3], where)
        assert.deepEqual([...index.find(bytesWith('abc'))], [], where)
        assert.deepEqual([...index.find(bytesWith('wxyz-lon'))], [], where)
      }
  assert.equal(index.find(new Uint8Array(0)).size, 0)
  assert.equal(createLiteralIndex([]).find(Buffer.from('abcd')).size, 0)
})

test('every comparison with a literal is charged', () => {
  const index = createLiteralIndex([['zzzz-literal']])
  const workOf = (text: string): number => withinBudget(LIMITS, () => index.find(Buffer.alloc(4000, text))).work
  assert.ok(workOf('zzzz-litera') > 2 * workOf('a'))
})
