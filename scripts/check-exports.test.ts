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

test('reports types', () => {
  const source = 'export interface A {}\nexport type B = A\n'
  assert.deepEqual(check({ 'x.ts': source, 'y.ts': "import type { A } from './x.ts'" }), ['B'])
})

test('distinguishes files of the same name', () => {
  const files = { 'server/a/store.ts': 'export const x = 1', 'server/b/store.ts': 'export const y = 1' }
  assert.deepEqual(check({ ...files, 'server/a/use.ts': "import { x } from './store.ts'\nconst y = 1" }), ['y'])
  assert.deepEqual(
    check({ ...files, 'test/use.ts': "import { x } from '#a/store.ts'\nimport { y } from '../server/b/store.ts'" }),
    [],
  )
})
