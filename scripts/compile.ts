/** Bundles the programs of the service into plain JavaScript, unless they are up to date. `server/main.ts` runs it. */

import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { CACHE, compiledFolder, compiledProgram, ENTRIES, V8_CACHE } from '#base/compiled.ts'

const ROOT = path.join(import.meta.dirname, '..')
/** It looks for the programs beside the bundle that it is part of. */
const FINDER = path.join(ROOT, 'server/base/compiled.ts')
/** Including those of older sources, for services that still run them. */
const FOLDERS_KEPT = 5

async function compile(): Promise<void> {
  const folder = compiledFolder()
  if (compiledProgram('service') !== null) return
  const temporary = path.join(CACHE, `new-${process.pid}`)
  mkdirSync(temporary, { recursive: true })
  try {
    for (const [name, entry] of Object.entries(ENTRIES)) {
      // On disk before the folder gets its name, because an empty program would end without an error.
      writeFileSync(path.join(temporary, `${name}.mjs`), await bundle(path.join(ROOT, entry)), { flush: true })
    }
    if (compiledFolder() !== folder) throw new Error('The sources changed while they were compiled')
    renameSync(temporary, folder)
  } catch (error) {
    // Another process was faster.
    if (compiledProgram('service') === null) throw error
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  removeOld()
}

async function bundle(entry: string): Promise<string> {
  const build = await rolldown({
    input: entry,
    cwd: ROOT,
    platform: 'node',
    // Here and below: the compiler would also remove calls of which only the exception matters, such as decodeURIComponent.
    treeshake: false,
    plugins: [{ name: 'import-meta', transform: (code, file) => ({ code: withSourcePaths(code, file, entry) }) }],
  })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false, minify: false })
  await build.close()
  return output[0].code
}

/** The sources find their data files by their own place, which a bundle does not share. */
function withSourcePaths(code: string, file: string, entry: string): string {
  if (!file.endsWith('.ts') || file === FINDER) return code
  return code
    .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
    .replaceAll('import.meta.filename', JSON.stringify(file))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
    .replaceAll('import.meta.main', String(file === entry))
}

function removeOld(): void {
  const folders = readdirSync(CACHE)
    .filter((name) => name !== V8_CACHE)
    .map((name) => ({ name, changedMs: statSync(path.join(CACHE, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.changedMs - a.changedMs)
  const old = folders.slice(FOLDERS_KEPT).map(({ name }) => name)
  // V8's cache of the older programs goes with them; the next process fills it again.
  for (const name of [...old, V8_CACHE]) rmSync(path.join(CACHE, name), { recursive: true, force: true })
}

await compile()
