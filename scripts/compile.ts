/** Bundles the programs of the service into plain JavaScript, unless they are up to date. `server/main.ts` runs it. */

import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CACHE, compiledFolder, compiledProgram, ENTRIES, V8_CACHE } from '#base/compiled.ts'
import { bundle, IN_CHECKOUT } from './bundle.ts'

const ROOT = path.join(import.meta.dirname, '..')
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
      writeFileSync(path.join(temporary, `${name}.mjs`), await bundle(path.join(ROOT, entry), IN_CHECKOUT), {
        flush: true,
      })
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
