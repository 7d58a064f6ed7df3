import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withBuiltins } from './bundle.ts'

const of = (name: string): string => `globalThis.process.getBuiltinModule("${name}")`
const CASES: [before: string, after: string][] = [
  ['import { once } from "node:events";', `const { once } = ${of('node:events')};`],
  ['import { get as get$1, a } from "node:http";', `const { get: get$1, a } = ${of('node:http')};`],
  ['import dns from "node:dns/promises";', `const dns = ${of('node:dns/promises')};`],
  ['import path, { join } from "node:path";', `const path = ${of('node:path')}, { join } = ${of('node:path')};`],
  ['import { a } from "yara";', 'import { a } from "yara";'],
  ['const text = `\nimport { a } from "node:fs";`', 'const text = `\nimport { a } from "node:fs";`'],
]

for (const [before, after] of CASES)
  test(`modules of Node in a bundle: ${before.replace('\n', ' ')}`, () => {
    assert.equal(
      withBuiltins(`import { b } from "node:os";\n${before}\n`),
      `const { b } = ${of('node:os')};\n${after}\n`,
    )
  })

test('each is what an import gives', async () => {
  const { default: path, join } = await import('node:path')
  const builtin = process.getBuiltinModule('node:path')
  assert.deepEqual([builtin, builtin.join], [path, join])
})
