/** Starts a program under Landlock, and a filter of system calls, with `setpriv` of util-linux 2.40 or newer. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { librariesOf } from './libraries.ts'
import { seccompFilter } from './seccomp.ts'

/** Null where `setpriv` does not know Landlock, or the libraries of Node are not known. */
export function landlockArguments(
  setpriv: string,
  { file, read }: { file: string; read: readonly string[] },
): string[] | null {
  const libraries = librariesOf([process.execPath])
  if (libraries === null || !knowsLandlock(setpriv)) return null
  const rule = (rights: string) => (each: string) => ['--landlock-rule', `path-beneath:${rights}:${path.resolve(each)}`]
  const others = ['/dev/null', '/etc/ld.so.cache', ...packageFiles(file)].filter((each) => existsSync(each))
  const filter = writtenFilter()
  return [
    ...[setpriv, '--no-new-privs', '--pdeathsig', 'KILL', '--landlock-access', 'fs'],
    ...[process.execPath, ...libraries].flatMap(rule('execute,read-file')),
    ...[file, ...read.filter((each) => !each.endsWith('/')), ...others].flatMap(rule('read-file')),
    // Node reads its own memory usage in `/proc/self`.
    ...['/proc/self', ...read.filter((each) => each.endsWith('/'))].flatMap(rule('read-file,read-dir')),
    ...(filter === null ? [] : ['--seccomp-filter', filter]),
  ]
}

/** Node looks for the type of a module in all of them, and does not start if it may not read one. */
function packageFiles(file: string): string[] {
  const folder = path.dirname(path.resolve(file))
  const own = path.join(folder, 'package.json')
  return folder === path.dirname(folder) ? [own] : [own, ...packageFiles(folder)]
}

const knowing = new Map<string, boolean>()

function knowsLandlock(setpriv: string): boolean {
  const known =
    knowing.get(setpriv) ?? spawnSync(setpriv, ['--help'], { encoding: 'utf8' }).stdout.includes('--landlock-rule')
  knowing.set(setpriv, known)
  return known
}

let filterFile: string | null | undefined

/** The path of the filter: `setpriv` reads only files. Null without one, or without a place for it. */
function writtenFilter(): string | null {
  const filter = seccompFilter()
  if (filterFile !== undefined || filter === null) return filterFile ?? null
  try {
    const folder = mkdtempSync(path.join(tmpdir(), 'docvet-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    filterFile = path.join(folder, 'seccomp')
    writeFileSync(filterFile, filter, { mode: 0o400 })
  } catch {
    filterFile = null
  }
  return filterFile
}
