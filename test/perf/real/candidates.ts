/** Real files of this machine: the corpus, and packages that are installed anyway. */

import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { CORPUS, ROOT } from '#test/perf/corpus-files.ts'
import type { Kind } from './kinds.ts'
import type { Candidate } from './selection.ts'

interface Source {
  /** Beginning of the label of its files. */
  name: string
  folder: string
}

/** Harmless documents of the corpus. Those of `accused` once were too slow or too complex. */
const ARCHIVES: Readonly<Record<string, string>> = { documents: 'benign', large: 'benign', accused: 'accused' }
const INSTALLED: readonly Source[] = [
  { name: 'node_modules', folder: path.join(ROOT, 'node_modules') },
  ...[
    '/usr/lib/python3',
    '/usr/include',
    '/usr/share/perl',
    '/usr/share/perl5',
    '/usr/share/doc',
    '/usr/share/iso-codes',
    '/usr/lib/go/src',
    '/var/log/apt',
    '/var/lib/dpkg',
  ].map((folder) => ({ name: folder.slice(1), folder })),
  { name: 'var/log', folder: '/var/log' },
]
/** Not recursive: other folders have logs of services, which are not everyone's to read. */
const FLAT = new Set(['var/log', 'var/lib/dpkg'])
/** Outside of `docvet`, where the compiler keeps only its last programs. */
const UNPACKED = path.join(ROOT, 'node_modules/.cache/docvet-bench')
const SKIPPED = /(?:^|\/)(?:\.cache|\.git|__pycache__)\//

/** Unpacked once for each state of the archive, because that takes longer than a short run. */
function unpack(archive: string): string {
  const { size, mtimeMs } = statSync(archive)
  const name = path.basename(archive, '.tar.xz')
  const folder = path.join(UNPACKED, `${name}-${size}-${Math.round(mtimeMs)}`)
  if (existsSync(folder)) return folder
  const temporary = `${folder}.${process.pid}`
  mkdirSync(temporary, { recursive: true })
  execFileSync('tar', ['-xJf', archive, '-C', temporary])
  for (const old of readdirSync(UNPACKED).filter((each) => each.startsWith(`${name}-`) && !temporary.endsWith(each)))
    rmSync(path.join(UNPACKED, old), { recursive: true, force: true })
  renameSync(temporary, folder)
  return folder
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function filesIn({ name, folder }: Source, kinds: readonly Kind[]): Candidate[] {
  const entries = readdirSync(folder, { recursive: !FLAT.has(name), withFileTypes: true })
  return entries.flatMap((entry) => {
    const file = path.join(entry.parentPath, entry.name)
    const inside = path.relative(folder, file)
    const isWanted = entry.isFile() && kinds.some(({ files }) => files.test(entry.name)) && !SKIPPED.test(inside)
    return isWanted && isReadable(file) ? [{ file, label: `${name}/${inside}`, bytes: statSync(file).size }] : []
  })
}

interface Found {
  candidates: Candidate[]
  /** Sources that this machine does not have. */
  missing: string[]
}

export function findCandidates(kinds: readonly Kind[]): Found {
  const missing: string[] = []
  const sources: Source[] = []
  for (const [name, inside] of Object.entries(ARCHIVES)) {
    const archive = path.join(CORPUS, `${name}.tar.xz`)
    if (existsSync(archive)) sources.push({ name: `corpus/${name}`, folder: path.join(unpack(archive), inside) })
    else missing.push(`corpus/${name}`)
  }
  for (const source of INSTALLED) {
    if (existsSync(source.folder)) sources.push(source)
    else missing.push(source.name)
  }
  return { candidates: sources.flatMap((source) => filesIn(source, kinds)), missing }
}
