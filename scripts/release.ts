/**
 * The steps of a release, each of which works offline:
 * `version X.Y.Z` writes the version everywhere and cuts the changelog, `check TAG` compares them with a tag,
 * `notes` prints the changelog of this version, `build FOLDER` makes everything that is released, with checksums.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readArguments, refuse } from './arguments.ts'

const ROOT = path.join(import.meta.dirname, '..')
const SEMVER = /^\d+\.\d+\.\d+$/
const PYTHON = 'python3'
const USAGE = 'node scripts/release.ts version X.Y.Z | check TAG | notes | build FOLDER'

/** `package.json` is the one place; these repeat it, and each pattern matches what comes before and after the version. */
const COPIES: readonly [file: string, patterns: readonly RegExp[]][] = [
  ['package.json', [/^( {2}"version": ")[^"]+(")/m]],
  ['package-lock.json', [/^( {2}"version": ")[^"]+(")/m, /("": \{\s+"name": "docvet",\s+"version": ")[^"]+(")/]],
  ['packages/python/src/docvet/__init__.py', [/^(__version__ = ")[^"]+(")/m]],
  ['packages/action/action.yml', [/^( {4}default: docvet@)\S+()$/m]],
  ['deploy/helm/docvet/Chart.yaml', [/^(version: )\S+()$/m, /^(appVersion: ")[^"]+(")/m]],
]

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')
const versionOfPackage = (): string => JSON.parse(read('package.json')).version

export function withVersion(text: string, patterns: readonly RegExp[], version: string): string {
  return patterns.reduce((changed, pattern) => {
    if (!pattern.test(changed)) throw new Error(`There is no version that matches ${pattern}`)
    return changed.replace(pattern, (_all, before: string, after: string) => before + version + after)
  }, text)
}

/** What is unreleased becomes that of a version. */
export function cutChangelog(text: string, version: string, date: string): string {
  const heading = '## [Unreleased]\n'
  if (text.includes(`## [${version}]`)) throw new Error(`The changelog has ${version} already`)
  if (!text.includes(heading)) throw new Error(`The changelog has no ${heading.trim()}`)
  return text.replace(heading, `${heading}\n## [${version}] - ${date}\n`)
}

function partOf(text: string, name: string): string | undefined {
  const [, rest] = text.split(`## [${name}]`)
  return rest
    ?.split(/^## \[/m)[0]
    ?.split('\n')
    .slice(1)
    .join('\n')
    .trim()
}

/** Notes of a tag name all that is in it. */
export function requireCut(text: string): void {
  if (partOf(text, 'Unreleased')) throw new Error('The changelog has unreleased changes: cut it with `version X.Y.Z`')
}

/** The part of a version, without its heading. */
export function notesOf(text: string, version: string): string {
  const notes = partOf(text, version)
  if (!notes) throw new Error(`The changelog has nothing about ${version}`)
  return `${notes}\n`
}

/** The files whose version is not that of `package.json`. */
export function differing(version = versionOfPackage()): string[] {
  return COPIES.filter(([file, patterns]) => withVersion(read(file), patterns, version) !== read(file)).map(
    ([file]) => file,
  )
}

function check(tag: string): void {
  const version = versionOfPackage()
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, and the version ${version}`)
  const others = differing()
  if (others.length > 0) throw new Error(`Another version is in ${others.join(', ')}`)
  requireCut(read('CHANGELOG.md'))
  notesOf(read('CHANGELOG.md'), version)
}

/** As `sha256sum --check` reads them. */
export function checksums(folder: string): string {
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(path.join(folder, name)))
      .digest('hex')
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'SHA256SUMS',
  )
  return names
    .map(({ name }) => `${digest(name)}  ${name}\n`)
    .sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1))
    .join('')
}

async function build(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const { NAMES, pack } = await import('./pack.ts')
  const work = path.join(folder, 'work')
  mkdirSync(work, { recursive: true })
  for (const name of NAMES) {
    const archive = await pack(name, work)
    writeFileSync(path.join(folder, path.basename(archive)), readFileSync(archive))
  }
  execFileSync(PYTHON, [path.join(ROOT, 'packages/python/build.py'), folder])
  const npmSbom = ['sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx']
  writeFileSync(
    path.join(folder, 'docvet.cdx.json'),
    execFileSync('npm', npmSbom, { cwd: ROOT, maxBuffer: 64 * 2 ** 20 }),
  )
  writeFileSync(path.join(folder, 'NOTES.md'), notesOf(read('CHANGELOG.md'), versionOfPackage()))
  execFileSync('rm', ['-r', work])
  writeFileSync(path.join(folder, 'SHA256SUMS'), checksums(folder))
}

function setVersion(version: string): void {
  if (!SEMVER.test(version)) throw new Error(`${version} is not a version such as 0.2.0`)
  for (const [file, patterns] of COPIES)
    writeFileSync(path.join(ROOT, file), withVersion(read(file), patterns, version))
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(path.join(ROOT, 'CHANGELOG.md'), cutChangelog(read('CHANGELOG.md'), version, today))
}

if (import.meta.main) {
  const { positionals } = readArguments(USAGE, { max: 2 })
  const [step, argument = ''] = positionals
  if (step === 'version') setVersion(argument)
  else if (step === 'check') check(argument)
  else if (step === 'notes') process.stdout.write(notesOf(read('CHANGELOG.md'), versionOfPackage()))
  else if (step === 'build') await build(path.resolve(argument || 'release'))
  else refuse(step === undefined ? 'Name a step' : `There is no step '${step}'`, USAGE)
}
