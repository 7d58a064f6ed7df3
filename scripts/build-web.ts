/** `npm run build`: builds the dashboard into web/dist, unless the build there is current. */

import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { messageOf } from '#base/message-of.ts'

const ROOT = path.join(import.meta.dirname, '..')
const DIST = path.join(ROOT, 'web/dist')
/** Names the sources that a build was made from. */
const ID_FILE = 'build-id'
const SOURCES = [
  'web/index.html',
  'web/vite.config.ts',
  'web/{public,src}/**/*',
  'docs/connect/*.md',
  'package-lock.json',
]
const COMPRESSED = /\.(?:css|html|js|svg)$/

/** Builds the dashboard if its sources changed. Returns whether it was built. */
async function buildWeb(): Promise<boolean> {
  const id = hashSources()
  if (readId() === id) return false
  // Built beside the final folder and renamed, so that no one ever sees half a build.
  const folder = `${DIST}-${process.pid}`
  try {
    const { build } = await import('vite')
    await build({
      configFile: path.join(ROOT, 'web/vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: folder },
    })
    await compressAll(folder)
    writeFileSync(path.join(folder, ID_FILE), id)
    replaceDist(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return true
}

function hashSources(): string {
  const files = globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(path.relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

function readId(): string | null {
  const file = path.join(DIST, ID_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

async function compressAll(folder: string): Promise<void> {
  const files = globSync('**/*', { cwd: folder }).filter((file) => COMPRESSED.test(file))
  await Promise.all(files.map((file) => compress(path.join(folder, file))))
}

async function compress(file: string): Promise<void> {
  const content = readFileSync(file)
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, options))
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }))
}

function replaceDist(folder: string): void {
  const old = `${folder}-old`
  mkdirSync(DIST, { recursive: true })
  renameSync(DIST, old)
  renameSync(folder, DIST)
  rmSync(old, { recursive: true, force: true })
}

if (import.meta.main) {
  const isOptional = process.argv.includes('--optional')
  const startedAt = performance.now()
  try {
    const isNew = await buildWeb()
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
    if (isNew) console.error(`Built the dashboard in ${seconds} s`)
    else if (!isOptional) console.error('The dashboard is up to date')
  } catch (error) {
    console.error(`The dashboard could not be built: ${messageOf(error)}`)
    if (isOptional) console.error('The service starts without it; the API does not depend on it.')
    else process.exitCode = 1
  }
}
