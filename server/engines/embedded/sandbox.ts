/** How a child is locked in: the command line of each level of isolation, from the strongest to the weakest. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'

/** What is on top of Node's own permission model, which is always there. */
export type Level = 'bwrap+prlimit' | 'prlimit' | 'permission'

/** `unshare` is a way to have no network without bwrap; where it works, it is part of the level `prlimit`. */
export interface Cage {
  level: Level
  unshare: boolean
}

export const CAGES: readonly Cage[] = [
  { level: 'bwrap+prlimit', unshare: false },
  { level: 'prlimit', unshare: true },
  { level: 'prlimit', unshare: false },
  { level: 'permission', unshare: false },
]

export interface Limits {
  /** Data of one child: heap, buffers and WebAssembly together. */
  memoryBytes: number
  heapBytes: number
  /** Over the whole life of a child. The parent's clock is what ends a scan; this ends a child that lost its parent. */
  cpuSeconds: number
}

export interface Program {
  file: string
  args: readonly string[]
  /** Files and folders it may read; folders end in `/`. Nothing else is readable. */
  read: readonly string[]
  /** False only for a probe, to see what the outer walls hold by themselves. */
  permission?: boolean
}

const PROGRAM_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin']
/** For the dynamic linker. No folder with programs among them: inside there is nothing to start. */
const LIBRARY_FOLDERS = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib']

const OPEN_FILES_MAX = 64
/** Node needs a dozen. Counted for this child alone, because it has a user namespace of its own. */
const THREADS_MAX = 32
const NOBODY = '65534'

/** Null where a program that the cage needs is not installed. */
export function commandLine(cage: Cage, limits: Limits, program: Program): string[] | null {
  const node = nodeCommand(limits, program)
  if (cage.level === 'permission') return node
  const prlimit = findProgram('prlimit')
  if (prlimit === null) return null
  const limited = [prlimit, ...limitArguments(limits)]
  if (cage.level === 'bwrap+prlimit') {
    const bwrap = findProgram('bwrap')
    if (bwrap === null) return null
    return [...limited, bwrap, ...bwrapArguments(program, prlimit), prlimit, `--nproc=${THREADS_MAX}`, ...node]
  }
  if (!cage.unshare) return [...limited, ...node]
  const unshare = findProgram('unshare')
  const setpriv = findProgram('setpriv')
  if (unshare === null || setpriv === null) return null
  // In a user namespace without a mapping nobody is root. `setpriv` comes last: a change of credentials would undo it.
  const outside = [unshare, '--user', '--net', '--ipc', setpriv, '--pdeathsig', 'KILL', '--no-new-privs']
  return [...limited, ...outside, ...node]
}

/** Its own process group, no environment, nothing but the three pipes. */
export function launch(command: readonly string[]): ChildProcessWithoutNullStreams {
  const [file = '', ...args] = command
  const child = spawn(file, args, { cwd: '/', env: {}, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  // Without a free file descriptor Node gives no streams, against its types; the error comes in the next tick.
  child.on('error', () => {})
  if (child.stdin === undefined) throw new Error('There is no file descriptor left for a child')
  return child
}

/** Everything in its process group. What bwrap moved into another session dies with bwrap. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

function nodeCommand(limits: Limits, { file, args, read, permission = true }: Program): string[] {
  const flags = [
    `--max-old-space-size=${Math.floor(limits.heapBytes / 1024 / 1024)}`,
    '--v8-pool-size=1',
    '--no-warnings',
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
  ]
  const permissions = permission ? ['--permission', ...[file, ...read].map((each) => `--allow-fs-read=${each}`)] : []
  return [process.execPath, ...permissions, ...flags, file, ...args]
}

/** `--as` cannot be limited: V8 reserves gigabytes of addresses that it never uses. */
function limitArguments({ memoryBytes, cpuSeconds }: Limits): string[] {
  return [`--data=${memoryBytes}`, `--cpu=${cpuSeconds}`, `--nofile=${OPEN_FILES_MAX}`, '--fsize=0', '--core=0']
}

function bwrapArguments({ file, read }: Program, prlimit: string): string[] {
  const bind = (name: string) => ['--ro-bind', name, name]
  return [
    ...['--unshare-user', '--unshare-all', '--uid', NOBODY, '--gid', NOBODY, '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--new-session', '--clearenv'],
    ...LIBRARY_FOLDERS.flatMap((folder) => ['--ro-bind-try', folder, folder]),
    // Node asks here for its own memory.
    ...['--proc', '/proc'],
    ...[process.execPath, prlimit, file, ...read].flatMap((each) => bind(path.resolve(each))),
    ...['--remount-ro', '/', '--chdir', '/'],
  ]
}

function findProgram(name: string): string | null {
  for (const folder of PROGRAM_FOLDERS) {
    const file = path.join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // In the next folder, perhaps.
    }
  }
  return null
}
