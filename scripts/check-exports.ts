/** Reports symbols, types included, that are exported but imported nowhere. */

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Loaded by path at run time. */
const LOADED_BY_PATH = [
  'test/support/embedded/fake-analyser.ts',
  'test/support/together.ts',
  'test/openapi-tools/client.ts',
]
const EXPORT = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm
const SPECIFIER = /'((?:\.{1,2}\/|#)[^']+\.tsx?)'/g

/** What others import from the published client. */
const PUBLISHED = /^packages\/client\/src\/(?:index|express|fastify|web)\.ts$/

/** The types of the API are generated for every operation, also for those that no page uses yet. */
const isExempt = (file: string): boolean =>
  LOADED_BY_PATH.includes(file) || PUBLISHED.test(file) || file === 'web/src/api/schema.ts'

export function unusedExports(files: ReadonlyMap<string, string>): { file: string; name: string }[] {
  const importers = importersIn(files)
  return [...files].flatMap(([file, source]) => {
    const names = [...source.matchAll(EXPORT)].map(([, name = '']) => name)
    const texts = [...(importers.get(file) ?? [])].map((other) => files.get(other) ?? '')
    const isUsed = (name: string) => texts.some((text) => new RegExp(`\\b${name}\\b|\\* as `).test(text))
    return names.filter((name) => !isUsed(name)).map((name) => ({ file, name }))
  })
}

/** The files that import each file. */
function importersIn(files: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>()
  for (const [other, text] of files)
    for (const [, specifier = ''] of text.matchAll(SPECIFIER)) {
      const file = resolve(other, specifier)
      if (file !== other) importers.set(file, (importers.get(file) ?? new Set()).add(other))
    }
  return importers
}

/** As `imports` in package.json does. */
function resolve(from: string, specifier: string): string {
  if (!specifier.startsWith('#')) return path.posix.join(path.posix.dirname(from), specifier)
  if (specifier.startsWith('#client/')) return specifier.replace('#client/', 'packages/client/src/')
  return /^#(?:test|inspect|web)\//.test(specifier) ? specifier.slice(1) : `server/${specifier.slice(1)}`
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '..')
  const paths = globSync('{server,inspect,cli,packages,test,scripts,web}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })
  const checked = paths.sort()
  const files = new Map(checked.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
  const found = unusedExports(files).filter(({ file }) => !isExempt(file))
  for (const { file, name } of found) console.log(`${file}: ${name} is exported but not imported anywhere`)
  if (found.length === 0) console.log(`OK: every exported symbol of ${checked.length} files is imported`)
  else process.exitCode = 1
}
