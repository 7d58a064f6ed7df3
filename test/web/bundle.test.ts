/** The size of the dashboard as browsers load it. */

import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { buildDashboard } from '#test/support/dashboard.ts'

const ASSETS = path.join(import.meta.dirname, '../../web/dist/assets')
const TOTAL_BYTES_MAX = 190_000
const SIGN_IN_BYTES_MAX = 82_000
const CSS_BYTES_MAX = 12_000

const names = (ending: string): string[] => readdirSync(ASSETS).filter((name) => name.endsWith(ending))

function gzipBytes(files: Iterable<string>): number {
  return [...files].reduce((total, name) => total + readFileSync(path.join(ASSETS, `${name}.gz`)).length, 0)
}

/** The file and everything that it imports statically. */
function closure(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const source = readFileSync(path.join(ASSETS, name), 'utf8')
  for (const [, imported = ''] of source.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
    closure(imported, found)
  return found
}

function chunk(prefix: string): string {
  const name = names('.js').find((each) => each.startsWith(prefix))
  assert.ok(name, `no file ${prefix}*.js`)
  return name
}

before(buildDashboard)

test('all scripts together stay small', (t) => {
  const bytes = gzipBytes(names('.js'))
  t.diagnostic(`scripts: ${bytes} bytes gzipped`)
  assert.ok(bytes <= TOTAL_BYTES_MAX, `${bytes}`)
})

test('the sign-in page loads few scripts', (t) => {
  const page = readFileSync(path.join(ASSETS, '../index.html'), 'utf8')
  const [, entry = ''] = /<script type="module"[^>]* src="\/assets\/([^"]+)"/.exec(page) ?? []
  const bytes = gzipBytes(closure(chunk('sign-in-page-'), closure(entry)))
  t.diagnostic(`sign-in: ${bytes} bytes gzipped`)
  assert.ok(bytes <= SIGN_IN_BYTES_MAX, `${bytes}`)
})

test('the style sheet stays small', () => {
  const bytes = gzipBytes(names('.css'))
  assert.ok(bytes <= CSS_BYTES_MAX, `${bytes}`)
})

test('only one file navigates, so that no parameter can name another site', () => {
  const root = path.join(import.meta.dirname, '../..')
  const sources = globSync('web/src/**/*.{ts,tsx}', { cwd: root })
  const navigate = /location\.(?:assign|replace)\(|location(?:\.href)? = |window\.open\(/
  const found = sources.filter((file) => navigate.test(readFileSync(path.join(root, file), 'utf8')))
  assert.deepEqual(found, ['web/src/go-to.ts'])
})
