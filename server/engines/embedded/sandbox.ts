/** Sandboxes for worker processes: the command line of each level, from the strongest to the weakest. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { isSea } from 'node:sea'
import type { Writable } from 'node:stream'
import { landlockArguments } from './landlock.ts'
import { librariesOf } from './libraries.ts'
import { seccompFilter } from './seccomp.ts'
import type { Tuning } from './tuning.ts'

/** On top of Node's permission model, which is always on. */
export type Level = 'bwrap+prlimit' | 'prlimit' | 'permission'

/**
 * `unshare` removes the network without bwrap; where it works, it is part of the level `prlimit`. `seccomp` adds a filter of
 * system calls to bwrap. `landlock` takes away the files, and with the filter the network and other processes, where bwrap
 * is not usable, as in most containers; it needs Perl.
 */
export interface Sandbox {
  level: Level
  unshare: boolean
  seccomp?: boolean
  landlock?: boolean
}

export const SANDBOXES: readonly Sandbox[] = [
  { level: 'bwrap+prlimit', unshare: false, seccomp: true },
  { level: 'bwrap+prlimit', unshare: false },
  { level: 'prlimit', unshare: false, landlock: true },
  { level: 'prlimit', unshare: true },
  { level: 'prlimit', unshare: false },
  { level: 'permission', unshare: false },
]

export interface SandboxedProgram {
  file: string
  /** The file is a snapshot of a process that has loaded its program. */
  isSnapshot?: boolean
  args: readonly string[]
  /** The only files and folders it may read; folders end in `/`. */
  read: readonly string[]
  /** False only for a probe of what the sandbox denies without Node's permission model. */
  permission?: boolean
}

const PROGRAM_FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin']
/** Where the libraries of a program are not known. No folder with programs, so that nothing can be started inside. */
const LIBRARY_FOLDERS = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib']

const OPEN_FILES_MAX = 64
/** Node needs a dozen. Counted per worker, because each has its own user namespace. */
const THREADS_MAX = 32
const NOBODY = '65534'

/** Makes glibc return freed memory to the system. Node does not start if it may not read the configuration of OpenSSL. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', OPENSSL_CONF: '/dev/null' }
/** In bytes of WebAssembly executed: past it V8 optimises a function, which takes 30 MB for YARA-X and makes it no faster. */
const WASM_TIERING_BUDGET = 400_000_000

/** Null where a program that the sandbox needs is not installed. */
export function commandLine(sandbox: Sandbox, limits: Tuning, program: SandboxedProgram): string[] | null {
  const node = nodeCommand(limits, program)
  if (sandbox.level === 'permission') return node
  const prlimit = findProgram('prlimit')
  if (prlimit === null) return null
  const limited = [prlimit, ...limitArguments(limits)]
  if (sandbox.level === 'bwrap+prlimit') {
    const bwrap = findProgram('bwrap')
    if (bwrap === null || (sandbox.seccomp && seccompFilter() === null)) return null
    const filter = sandbox.seccomp ? [SECCOMP, String(FILTER_FD)] : []
    return [
      ...limited,
      bwrap,
      ...filter,
      ...bwrapArguments(program, prlimit),
      prlimit,
      `--nproc=${THREADS_MAX}`,
      ...node,
    ]
  }
  const outside = outsideOf(sandbox, program)
  return outside && [...limited, ...outside, ...node]
}

/** The command around Node without bwrap. */
function outsideOf({ landlock, unshare }: Sandbox, program: SandboxedProgram): string[] | null {
  if (!landlock && !unshare) return []
  if (landlock) {
    const perl = findProgram('perl')
    return perl === null ? null : landlockArguments(perl, program)
  }
  const [setpriv, namespaces] = [findProgram('setpriv'), findProgram('unshare')]
  if (setpriv === null || namespaces === null) return null
  // A user namespace without a mapping has no root. `setpriv` comes last: a change of credentials would undo it.
  return [namespaces, '--user', '--net', '--ipc', setpriv, '--pdeathsig', 'KILL', '--no-new-privs']
}

/** Of bwrap, which reads the filter from this descriptor and closes it. */
const SECCOMP = '--seccomp'
const FILTER_FD = 3
const PIPES = ['pipe', 'pipe', 'pipe'] as const

/** In its own process group, without the parent's environment, with nothing but three pipes. */
export function launch(command: readonly string[]): ChildProcessWithoutNullStreams {
  const [file = '', ...args] = command
  const isFiltered = args.includes(SECCOMP)
  const child = spawn(file, args, {
    cwd: '/',
    env: ENVIRONMENT,
    detached: true,
    stdio: isFiltered ? [...PIPES, 'pipe'] : [...PIPES],
  }) as ChildProcessWithoutNullStreams
  // Without a free file descriptor Node returns no streams, contrary to its types, and emits the error later.
  child.on('error', () => {})
  if (child.stdin === undefined) throw new Error('No file descriptor left for a worker')
  if (isFiltered) {
    const filter = child.stdio[FILTER_FD] as Writable
    filter.on('error', () => {})
    filter.end(seccompFilter(process.arch, true))
  }
  return child
}

/** Kills the whole process group. Processes that bwrap moved into another session die with bwrap. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has exited already.
  }
}

/**
 * For a new worker the compiler takes a third of the time of a large document. With these it takes half as long, and the
 * code is as fast: what is inlined is smaller, and only what runs often is compiled a second time.
 */
const COMPILER_FLAGS = ['--max-inlined-bytecode-size-cumulative=200', '--invocation-count-for-turbofan=20000']

/** Options of Node for a worker. */
export const nodeFlags = ({ heapBytes, youngBytes }: Pick<Tuning, 'heapBytes' | 'youngBytes'>): string[] => [
  `--max-old-space-size=${Math.floor(heapBytes / 1024 / 1024)}`,
  `--max-semi-space-size=${Math.floor(youngBytes / 1024 / 1024)}`,
  `--wasm-tiering-budget=${WASM_TIERING_BUDGET}`,
  '--v8-pool-size=1',
  ...COMPILER_FLAGS,
  '--no-warnings',
  '--disallow-code-generation-from-strings',
  '--disable-proto=delete',
]

function nodeCommand(limits: Tuning, { file, args, read, isSnapshot, permission = true }: SandboxedProgram): string[] {
  const permissions = permission ? ['--permission', ...[file, ...read].map((each) => `--allow-fs-read=${each}`)] : []
  const options = [...permissions, ...nodeFlags(limits)]
  // The single-file build takes those of Node only in this form.
  const given = isSea() ? [`--node-options=${options.map(quoted).join(' ')}`] : options
  return [process.execPath, ...given, ...(isSnapshot ? [`--snapshot-blob=${file}`, 'worker'] : [file]), ...args]
}

const quoted = (option: string): string => `"${option.replaceAll(/["\\]/g, '\\$&')}"`

/** `--as` cannot be limited: V8 reserves gigabytes of address space that it never uses. */
function limitArguments({ memoryBytes, cpuSeconds }: Tuning): string[] {
  return [`--data=${memoryBytes}`, `--cpu=${cpuSeconds}`, `--nofile=${OPEN_FILES_MAX}`, '--fsize=0', '--core=0']
}

function bwrapArguments({ file, read }: SandboxedProgram, prlimit: string): string[] {
  const bind = (name: string) => ['--ro-bind', name, name]
  return [
    ...['--unshare-user', '--unshare-all', '--uid', NOBODY, '--gid', NOBODY, '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--new-session', '--clearenv'],
    ...Object.entries(ENVIRONMENT).flatMap((variable) => ['--setenv', ...variable]),
    ...libraryArguments([process.execPath, prlimit]),
    // Node reads its own memory usage here.
    ...['--proc', '/proc'],
    ...[process.execPath, prlimit, file, ...read].flatMap((each) => bind(path.resolve(each))),
    ...['--remount-ro', '/', '--chdir', '/'],
  ]
}

function libraryArguments(programs: readonly string[]): string[] {
  const libraries = librariesOf(programs)
  if (libraries === null) return LIBRARY_FOLDERS.flatMap((folder) => ['--ro-bind-try', folder, folder])
  // Without its cache, the linker would not look into all of their folders.
  const folders = [...new Set(libraries.map((file) => path.dirname(file)))]
  return ['--setenv', 'LD_LIBRARY_PATH', folders.join(':'), ...libraries.flatMap((file) => ['--ro-bind', file, file])]
}

function findProgram(name: string): string | null {
  for (const folder of PROGRAM_FOLDERS) {
    const file = path.join(folder, name)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Try the next folder.
    }
  }
  return null
}
