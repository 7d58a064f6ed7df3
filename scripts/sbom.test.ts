import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { renderSbom } from './sbom.ts'

const LOCK = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package-lock.json'), 'utf8'))

test('lists every package of an installation and of the dashboard, none of development, each with licence and hash', () => {
  const { components } = renderSbom(LOCK)
  const names = components.map(({ name }) => name)
  for (const name of Object.keys(LOCK.packages[''].dependencies)) assert.ok(names.includes(name), name)
  for (const name of ['react', 'scheduler', '@fontsource-variable/geist']) assert.ok(names.includes(name), name)
  for (const name of ['typescript', 'playwright-core', 'express', 'vite', 'rolldown'])
    assert.ok(!names.includes(name), name)
  for (const { name, licenses, hashes, scope, purl } of components) {
    assert.ok(licenses, name)
    // The lock file has no hash of programs for other platforms.
    if (scope === 'required') assert.match(hashes ? (hashes[0]?.content ?? '') : '', /^[0-9a-f]{128}$/, name)
    assert.match(purl, /^pkg:npm\/(?:%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/)
  }
})

test('every package for Linux on x64 and arm64 has a hash in the lock file', () => {
  type Locked = { integrity?: string; os?: string[]; cpu?: string[] }
  const isElsewhere = ({ os, cpu }: Locked) =>
    (os !== undefined && !os.includes('linux')) || (cpu !== undefined && !cpu.includes('x64') && !cpu.includes('arm64'))
  const gaps = Object.entries(LOCK.packages as Record<string, Locked>).filter(([, { integrity }]) => !integrity)
  assert.deepEqual(
    gaps.filter(([name, locked]) => name !== '' && !isElsewhere(locked)).map(([name]) => name),
    [],
  )
})

test('refers only to listed packages, each listed once', () => {
  const { components, dependencies, metadata } = renderSbom(LOCK)
  const listed = new Set([...components.map((component) => component['bom-ref']), metadata.component['bom-ref']])
  const needed = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn))
  assert.deepEqual(
    [...needed].filter((reference) => !listed.has(reference)),
    [],
  )
  assert.equal(dependencies.length, listed.size)
})

test('finds the nearest version of a package that is installed twice', () => {
  const packages = {
    '': { dependencies: { a: '1', b: '2' } },
    'node_modules/a': { version: '1.0.0', dependencies: { b: '1' } },
    'node_modules/a/node_modules/b': { version: '1.0.0', dependencies: { c: '1' } },
    'node_modules/b': { version: '2.0.0' },
    'node_modules/c': { version: '1.0.0' },
    'node_modules/d': { version: '1.0.0', dev: true },
  }
  const { dependencies } = renderSbom({ name: 'docvet', version: '0.1.0', packages })
  assert.deepEqual(Object.fromEntries(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn])), {
    'pkg:npm/docvet@0.1.0': ['pkg:npm/a@1.0.0', 'pkg:npm/b@2.0.0'],
    'pkg:npm/a@1.0.0': ['pkg:npm/b@1.0.0'],
    'pkg:npm/b@1.0.0': ['pkg:npm/c@1.0.0'],
    'pkg:npm/b@2.0.0': [],
    'pkg:npm/c@1.0.0': [],
  })
})
