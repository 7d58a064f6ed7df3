/** `npm run -s sbom`: prints a software bill of materials (CycloneDX 1.6) of the packages that an installation contains. */

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readArguments } from './arguments.ts'

interface LockedPackage {
  version?: string
  license?: string
  integrity?: string
  /** Set for packages that only development needs. */
  dev?: boolean
  devOptional?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
type Packages = Record<string, LockedPackage>

const ROOT_KEY = ''
const FOLDER = 'node_modules/'
/** An SPDX expression has operators; a single identifier has not. */
const isExpression = (license: string): boolean => /\s/.test(license)

const nameOf = (key: string): string => key.slice(key.lastIndexOf(FOLDER) + FOLDER.length)
const referenceOf = (key: string, { version }: LockedPackage): string => purlOf(nameOf(key), version ?? '')
const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Where Node finds a dependency of a package: in its own folder of packages, or in one further up. */
function resolve(packages: Packages, from: string, name: string): string | null {
  const own = `${from === ROOT_KEY ? '' : `${from}/`}${FOLDER}${name}`
  if (packages[own]) return own
  if (from === ROOT_KEY) return null
  const above = from.lastIndexOf(`/${FOLDER}`)
  return resolve(packages, above < 0 ? ROOT_KEY : from.slice(0, above), name)
}

/** Packages of development of which the built dashboard has a copy. */
const BUILT_IN = [
  'react',
  'react-dom',
  '@tanstack/react-query',
  'wouter',
  '@fontsource-variable/geist',
  '@fontsource-variable/geist-mono',
]

/** The packages that these need, and themselves. */
function withNeeded(packages: Packages, keys: readonly string[], known = new Set<string>()): Set<string> {
  for (const key of keys) {
    if (known.has(key)) continue
    known.add(key)
    const needed = Object.keys(packages[key]?.dependencies ?? {}).map((name) => resolve(packages, key, name))
    withNeeded(
      packages,
      needed.filter((found) => found !== null),
      known,
    )
  }
  return known
}

export function renderSbom(lock: { name: string; version: string; packages: Packages }) {
  const { packages } = lock
  const builtIn = BUILT_IN.map((name) => `${FOLDER}${name}`).filter((key) => key in packages)
  const shippedInside = withNeeded(packages, builtIn)
  const installed = Object.entries(packages).filter(
    ([key, { dev, devOptional }]) => key !== ROOT_KEY && ((!dev && !devOptional) || shippedInside.has(key)),
  )
  // A version that is installed in several folders is one component.
  const shipped = [...new Map(installed.map((each) => [referenceOf(...each), each])).values()]
  const known = new Set(installed.map(([key]) => key))
  const root = purlOf(lock.name, lock.version)
  const purlAt = (key: string): string => referenceOf(key, packages[key] ?? {})
  const dependsOn = (key: string, { dependencies, optionalDependencies }: LockedPackage): string[] =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .map((name) => resolve(packages, key, name))
      .filter((found): found is string => found !== null && known.has(found))
      .map((found) => referenceOf(found, packages[found] ?? {}))
      .sort()
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': root, name: lock.name, version: lock.version, purl: root },
    },
    components: shipped.map(([key, locked]) => componentOf(key, locked)),
    dependencies: [
      { ref: root, dependsOn: [...dependsOn(ROOT_KEY, packages[ROOT_KEY] ?? {}), ...builtIn.map(purlAt)].sort() },
      ...shipped.map(([key, locked]) => ({ ref: referenceOf(key, locked), dependsOn: dependsOn(key, locked) })),
    ],
  }
}

function componentOf(key: string, locked: LockedPackage) {
  const { version, license, integrity, optional } = locked
  const reference = referenceOf(key, locked)
  const [algorithm, digest] = integrity?.split('-') ?? []
  return {
    type: 'library',
    'bom-ref': reference,
    name: nameOf(key),
    version,
    purl: reference,
    scope: optional ? 'optional' : 'required',
    ...(license && { licenses: [isExpression(license) ? { expression: license } : { license: { id: license } }] }),
    ...(algorithm === 'sha512' &&
      digest && { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
  }
}

if (import.meta.main) {
  readArguments('npm run -s sbom')
  const lock = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package-lock.json'), 'utf8'))
  console.log(JSON.stringify(renderSbom(lock), null, 2))
}
