/** Bundles the programs of the service into plain JavaScript, unless they are up to date. `server/main.ts` runs it. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { CACHE, compiledFolder, compiledProgram, ENTRIES, SNAPSHOT, V8_CACHE } from '#base/compiled.ts'
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
    await makeSnapshot(temporary)
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

/** Workers start without it where it cannot be made, more slowly. */
async function makeSnapshot(folder: string): Promise<void> {
  const program = path.join(folder, 'snapshot.cjs')
  const file = path.join(folder, SNAPSHOT.name)
  writeFileSync(program, await bundle(path.join(ROOT, SNAPSHOT.entry), IN_CHECKOUT, 'cjs'))
  const { status, stderr } = spawnSync(process.execPath, ['--snapshot-blob', file, '--build-snapshot', program], {
    env: {},
    encoding: 'utf8',
  })
  rmSync(program)
  if (status === 0) return
  rmSync(file, { force: true })
  console.error(`The snapshot of a worker could not be made.\n${stderr}`)
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
