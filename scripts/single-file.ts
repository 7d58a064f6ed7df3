/** `node scripts/single-file.ts [FOLDER]`: the command in one file that needs neither Node nor packages, for this platform. */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { VERSION } from '#base/version.ts'
import { installPeers } from '#test/support/peers.ts'
import { readArguments } from './arguments.ts'
import { pack } from './pack.ts'

const ROOT = path.join(import.meta.dirname, '..')
const YARA = 'node_modules/@virustotal/yara-x'
/** Where Node looks for it, and the mark that says that it is there. */
const BLOB = 'NODE_SEA_BLOB'
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** Files below a folder, by the names that they have when they are unpacked. */
function assetsOf(folder: string, as: string): [string, string][] {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => {
    const file = path.join(parentPath, name)
    return [path.join(as, path.relative(folder, file)), file]
  })
}

/** Returns the file. */
export async function buildSingleFile(folder: string): Promise<string> {
  const work = path.join(folder, 'single-file')
  mkdirSync(work, { recursive: true })
  await pack('command', work)
  const node = path.join(ROOT, 'node_modules/node/bin/node')
  const [license = ''] = globSync('node_modules/node/node_modules/node-*/LICENSE', { cwd: ROOT })
  const assets = [
    ...assetsOf(path.join(work, 'command'), 'node_modules/docvet'),
    ...assetsOf(path.join(ROOT, YARA), YARA),
    ['LICENSE-node', path.join(ROOT, license)] as [string, string],
  ].sort()
  const hash = createHash('sha256')
  for (const [name, file] of assets) hash.update(`${name}\n`).update(readFileSync(file))
  const nameFile = path.join(work, 'name')
  writeFileSync(nameFile, `${VERSION}-${hash.digest('hex').slice(0, 32)}`)
  const [config, blob] = [path.join(work, 'config.json'), path.join(work, 'blob')]
  const settings = {
    ...{ main: path.join(ROOT, 'scripts/single-file-main.cjs'), output: blob },
    ...{ disableExperimentalSEAWarning: true, execArgvExtension: 'cli' },
    assets: Object.fromEntries([...assets, ['name', nameFile]]),
  }
  writeFileSync(config, JSON.stringify(settings))
  execFileSync(node, ['--experimental-sea-config', config], { stdio: 'pipe' })
  const file = path.join(folder, `docvet-${VERSION}-${process.platform}-${process.arch}`)
  copyFileSync(node, file)
  chmodSync(file, 0o755)
  const load = createRequire(path.join(await installPeers('single-file'), 'package.json'))
  await load('postject').inject(file, BLOB, readFileSync(blob), { sentinelFuse: FUSE })
  rmSync(work, { recursive: true })
  return file
}

if (import.meta.main) {
  const [given = 'dist-packages'] = readArguments('node scripts/single-file.ts [FOLDER]', { max: 1 }).positionals
  const folder = path.resolve(given)
  mkdirSync(folder, { recursive: true })
  console.log(await buildSingleFile(folder))
}
