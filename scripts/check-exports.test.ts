import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unusedExports } from './check-exports.ts'

const check = (files: Record<string, string>) => unusedExports(new Map(Object.entries(files))).map(({ name }) => name)

const SOURCE =
  'export const a = 1\nexport class B {}\nexport function c() {}\nexport async function* d() {}\nconst e = 2\n'

test('reports values that no other file imports', () => {
  assert.deepEqual(check({ 'x.ts': SOURCE, 'y.ts': "import { a, B } from './x.ts'" }), ['c', 'd'])
  assert.deepEqual(check({ 'x.ts': SOURCE, 'y.ts': 'const a = B + c + d' }), ['a', 'B', 'c', 'd'])
})

test('accepts values that only a test imports, and namespace imports', () => {
  assert.deepEqual(check({ 'x.ts': 'export const A_MAX = 1', 'x.test.ts': "import { A_MAX } from './x.ts'" }), [])
  assert.deepEqual(check({ 'x.ts': SOURCE, 'y.ts': "import * as x from './x.ts'" }), [])
})
