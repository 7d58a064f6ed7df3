/** Reports functions, constants and classes that are exported but imported nowhere. */

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Loaded by path at run time. */
const LOADED_BY_PATH = ['test/support/embedded/fake-analyser.ts']
const EXPORT = /^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm

export function unusedExports(files: ReadonlyMap<string, string>): { file: string; name: string }[] {
  return [...files].flatMap(([file, source]) => {
    const names = [...source.matchAll(EXPORT)].map(([, name = '']) => name)
    const importers = names.length === 0 ? [] : importersOf(file, files)
    const isUsed = (name: string) => importers.some((text) => new RegExp(`\\b${name}\\b|\\* as `).test(text))
    return names.filter((name) => !isUsed(name)).map((name) => ({ file, name }))
  })
}

/** By file name only: a file of the same name in another folder can hide an unused export, but never cause a report. */
function importersOf(file: string, files: ReadonlyMap<string, string>): string[] {
  const ending = `/${path.posix.basename(file)}'`
  return [...files].filter(([other, text]) => other !== file && text.includes(ending)).map(([, text]) => text)
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '..')
  const paths = globSync('{server,inspect,test,scripts}/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] })
  const checked = paths.filter((file) => !LOADED_BY_PATH.includes(file)).sort()
  const found = unusedExports(new Map(checked.map((file) => [file, readFileSync(path.join(root, file), 'utf8')])))
  for (const { file, name } of found) console.log(`${file}: ${name} is exported but not imported anywhere`)
  if (found.length === 0) console.log(`OK: every exported value of ${checked.length} files is imported`)
  else process.exitCode = 1
}
