/** Finds the compiled programs: JavaScript bundled from exactly these sources, so that no process has to strip types. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ENTRIES = {
  service: 'server/service.ts',
  command: 'cli/main.ts',
  worker: 'server/engines/embedded/worker.ts',
  probe: 'server/engines/embedded/sandbox-probe.ts',
  analyser: 'inspect/inspect.ts',
}
type Program = keyof typeof ENTRIES

/** In a bundle the only `import.meta` that names the bundle itself; all others name their source file. */
const HERE = import.meta.filename
const ROOT = path.join(import.meta.dirname, '../..')
/** `npm ci` removes it together with the packages that were bundled. */
export const CACHE = path.join(ROOT, 'node_modules/.cache/docvet')
/** Subfolder for V8's compiled code. */
export const V8_CACHE = 'v8'

const SOURCE_FOLDERS = ['server', 'inspect', 'cli', 'packages/client/src']
const SOURCES = ['web/src/paths.ts', 'scripts/bundle.ts', 'scripts/compile.ts', 'package.json', 'package-lock.json']
const IS_SOURCE = /(?<!\.test)\.(?:ts|json)$/

/** A snapshot of a process of Node, beside the programs: a worker that has loaded the analyser. */
export const SNAPSHOT = { name: 'worker.blob', entry: 'server/engines/embedded/worker-snapshot.ts' }

/** Null where the program was not compiled, or its sources changed since. */
export function compiledProgram(name: Program): string | null {
  return compiledFile(`${name}.mjs`)
}

/** Null also in packages, because a snapshot fits one build of Node only. */
export function compiledSnapshot(): string | null {
  return compiledFile(SNAPSHOT.name)
}

function compiledFile(name: string): string | null {
  // Computed once, so that a process never mixes programs of two versions.
  current ??= HERE.endsWith('.ts') ? compiledFolder() : path.dirname(HERE)
  const file = path.join(current, name)
  return existsSync(file) ? file : null
}

let current: string | undefined

/** Named after the content of all sources: a folder that exists is complete and never changes. */
export function compiledFolder(): string {
  const inFolders = SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => IS_SOURCE.test(name))
      .map((name) => path.join(folder, name)),
  )
  const hash = createHash('sha256').update(`${process.version} ${ROOT}`)
  for (const file of [...inFolders.sort(), ...SOURCES]) {
    const content = readFileSync(path.join(ROOT, file))
    hash.update(`\n${file} ${content.length}\n`).update(content)
  }
  return path.join(CACHE, hash.digest('hex').slice(0, 32))
}
