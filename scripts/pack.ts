/** `npm run pack [FOLDER]`: builds the packages that are published, and packs them. Needs no network. */

import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { ENTRIES } from '#base/compiled.ts'
import { VERSION } from '#base/version.ts'
import { readArguments } from './arguments.ts'
import { bundle, IN_PACKAGE } from './bundle.ts'

const ROOT = path.join(import.meta.dirname, '..')
const SOURCES = path.join(ROOT, 'packages')
export const NAMES = ['command', 'server', 'client'] as const
type Name = (typeof NAMES)[number]

/** Read by programs at run time, beside their sources. */
const ANALYSER_DATA = [
  'inspect/judge/signatures.json',
  'server/engines/canaries.json',
  'server/engines/embedded/updates/self-check.json',
]
const SERVICE_DATA = [
  'server/**/*.{css,html,js,json,md,sql,svg,txt}',
  'server/http/docs/callbacks/*',
  'server/http/docs/examples/*',
  'web/dist/**/*',
  'web/src/styles/tokens.css',
]
const CLIENT_ENTRIES = ['index', 'express', 'fastify', 'web']

function copy(patterns: readonly string[], target: string): void {
  const files = globSync([...patterns], { cwd: ROOT, withFileTypes: true, exclude: ['**/*.test.ts'] })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
  for (const file of files) cpSync(path.join(ROOT, file), path.join(target, file))
}

async function writePrograms(names: readonly (keyof typeof ENTRIES)[], target: string): Promise<void> {
  mkdirSync(path.join(target, 'dist'))
  for (const name of names)
    writeFileSync(path.join(target, 'dist', `${name}.mjs`), await bundle(path.join(ROOT, ENTRIES[name]), IN_PACKAGE))
}

const BUILD: Record<Name, (target: string) => Promise<void>> = {
  async command(target) {
    await writePrograms(['command', 'worker', 'probe', 'analyser'], target)
    copy(ANALYSER_DATA, target)
    const command = [path.join(target, 'dist/command.mjs'), 'help', '--man']
    writeFileSync(path.join(target, 'docvet.1'), execFileSync(process.execPath, command))
  },
  async server(target) {
    execFileSync(process.execPath, [path.join(ROOT, 'scripts/build-web.ts')], { stdio: 'inherit' })
    await writePrograms(['service', 'worker', 'probe', 'analyser'], target)
    copy([...ANALYSER_DATA, ...SERVICE_DATA], target)
  },
  async client(target) {
    rmSync(path.join(target, 'src'), { recursive: true })
    await writeClient(path.join(target, 'dist'))
  },
}

/** It has nothing that runs, so modules of both kinds can share its file. */
const ONLY_TYPES = 'api'

/** ESM and CommonJS, and the types of both. */
async function writeClient(target: string): Promise<void> {
  const source = path.join(SOURCES, 'client/src')
  const input = Object.fromEntries(CLIENT_ENTRIES.map((name) => [name, path.join(source, `${name}.ts`)]))
  const build = await rolldown({ input, platform: 'node' })
  const { output } = await build.write({
    ...{ dir: target, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'shared-[name].cjs' },
    ...{
      exports: 'named',
      minify: { compress: false, mangle: { toplevel: false }, codegen: { removeWhitespace: true } },
    },
  })
  // Of the same modules, so that a program that loads both kinds has each class once.
  for (const chunk of output)
    if (chunk.type === 'chunk' && chunk.isEntry)
      writeFileSync(
        path.join(target, `${chunk.name}.js`),
        `export { ${chunk.exports.join(', ')} } from './${chunk.fileName}'\n`,
      )
  await build.close()
  const flags = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--rootDir', source, '--outDir', target]
  const options = ['--target', 'esnext', '--module', 'nodenext', '--allowImportingTsExtensions', '--types', 'node']
  const files = Object.values(input)
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  execFileSync(
    process.execPath,
    [tsc, '--ignoreConfig', '--strict', '--skipLibCheck', ...options, ...flags, ...files],
    {
      stdio: 'inherit',
    },
  )
  for (const file of globSync('*.d.ts', { cwd: target })) {
    const text = readFileSync(path.join(target, file), 'utf8')
    const withEnding = (ending: string) =>
      text.replaceAll(/from '\.\/(\w+)\.ts'/g, (_, name) => `from './${name}.${name === ONLY_TYPES ? 'cjs' : ending}'`)
    writeFileSync(path.join(target, file.replace('.d.ts', '.d.cts')), withEnding('cjs'))
    if (file === `${ONLY_TYPES}.d.ts`) rmSync(path.join(target, file))
    else writeFileSync(path.join(target, file), withEnding('js'))
  }
}

/** npm accepts a provenance only from the repository that the manifest names, which the workflow knows. */
export function repositoryOf(name: Name, { GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv) {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY) return {}
  const url = `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git`
  return { repository: { type: 'git', url, directory: `packages/${name}` } }
}

/** The version is that of the repository. */
function writeManifest(target: string, name: Name): void {
  const file = path.join(target, 'package.json')
  const manifest = { ...JSON.parse(readFileSync(file, 'utf8')), version: VERSION, ...repositoryOf(name, process.env) }
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Returns the archive. */
export async function pack(name: Name, folder: string): Promise<string> {
  const target = path.join(folder, name)
  rmSync(target, { recursive: true, force: true })
  cpSync(path.join(SOURCES, name), target, { recursive: true, filter: (file) => !file.endsWith('.test.ts') })
  writeManifest(target, name)
  cpSync(path.join(ROOT, 'LICENSE'), path.join(target, 'LICENSE'))
  await BUILD[name](target)
  const flags = ['pack', '--json', '--silent', '--offline', '--ignore-scripts', '--pack-destination', folder]
  const [packed] = JSON.parse(execFileSync('npm', flags, { cwd: target, encoding: 'utf8' })) as { filename: string }[]
  return path.join(folder, packed?.filename ?? '')
}

if (import.meta.main) {
  const [given = 'dist-packages'] = readArguments('npm run pack [-- FOLDER]', { max: 1 }).positionals
  const folder = path.resolve(given)
  mkdirSync(folder, { recursive: true })
  for (const name of NAMES) console.log(await pack(name, folder))
}
