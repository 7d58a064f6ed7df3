/** Starts the service as a process; shared basics for all servers that tests start. */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from '#test/support/raw-http.ts'

/** Generous, because workers compile their rules while other suites run. */
const READY_TIMEOUT_MS = 60_000
/** Each question costs the starting service some milliseconds of CPU time. */
const POLL_MS = 100
const DATABASE_WAIT_MS = 10_000

const ROOT = path.join(import.meta.dirname, '../..')

interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Service extends AsyncDisposable {
  port: number
  url: string
  pid: number
  dataDir: string
  /** Everything written so far to stdout and stderr. */
  output(): string
  /** Waits for the first line that matches. */
  logged(pattern: RegExp): Promise<string>
  stdoutLines(): string[]
  stop(signal?: NodeJS.Signals): Promise<Exit>
  kill(): Promise<Exit>
  exited: Promise<Exit>
}

/** As long as a start may take, which some lines wait for. */
const LOGGED_MS_MAX = READY_TIMEOUT_MS

export interface ServiceOptions {
  port?: number
  /** Not removed when the service stops. */
  dataDir?: string
  keepData?: boolean
  /** `false` returns at once, for tests of a failed start. */
  ready?: boolean
  readyTimeoutMs?: number
  /** For benchmarks: reading the log would slow down the measurement. */
  discardLog?: boolean
  /** The program to start, relative to the repository root. */
  main?: string
  /** Options of Node itself. */
  nodeOptions?: string[]
}

/** As `npm start` runs it. */
export const AS_NPM_START = {
  nodeOptions: ['--max-semi-space-size=4'],
  env: {
    NODE_COMPILE_CACHE: 'node_modules/.cache/docvet/v8',
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '1048576',
    MALLOC_TRIM_THRESHOLD_: '8388608',
  },
}

/** Set by `test/run.ts`: the compiled service, which `server/main.ts` would look for at every start. */
export const COMPILED_SERVICE = 'DOCVET_TEST_SERVICE'

const program = (): string => process.env[COMPILED_SERVICE] ?? 'server/main.ts'

/** The default number of workers, for suites that scan a lot. */
export const ALL_WORKERS = { DOCVET_EMBEDDED_CHILDREN: undefined }

/** A variable set to `undefined` is removed, also if it has a default here. */
export async function startService(
  env: Record<string, string | undefined> = {},
  options: ServiceOptions = {},
): Promise<Service> {
  const port = options.port ?? (await freePort())
  const dataDir = options.dataDir ?? temporaryFolder('data')
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), options.main ?? program()], {
    cwd: ROOT,
    env: {
      ...inheritedEnvironment(),
      DOCVET_HOST: '127.0.0.1',
      DOCVET_PORT: String(port),
      DOCVET_DATA_DIR: dataDir,
      // All tests share one client address and must not throttle each other.
      DOCVET_ADDRESS_RATE_PER_MINUTE: '100000',
      // A worker takes most of a second to start, and most suites scan little.
      DOCVET_EMBEDDED_CHILDREN: '1',
      ...env,
    },
    stdio: ['ignore', options.discardLog ? 'ignore' : 'pipe', 'pipe'],
  })
  let all = ''
  let stdout = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    all += text
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    all += text
  })

  const removeData = () => {
    if (!options.dataDir && !options.keepData) rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
  const forget = atExit(() => {
    child.kill('SIGKILL')
    removeData()
  })
  const exited = exitOf(child)
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  const service: Service = {
    port,
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    dataDir,
    output: () => all,
    async logged(pattern) {
      // Output can arrive after the response that follows it.
      for (const giveUpAt = Date.now() + LOGGED_MS_MAX; Date.now() < giveUpAt; await sleep(10)) {
        const line = all.split('\n').find((each) => pattern.test(each))
        if (line !== undefined) return line
      }
      throw new Error(`${pattern} was not logged; output:\n${all}`)
    },
    stdoutLines: () => stdout.split('\n').filter((line) => line !== ''),
    stop,
    kill: () => stop('SIGKILL'),
    exited,
    async [Symbol.asyncDispose]() {
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await stop()
      clearTimeout(late)
      forget()
      removeData()
    },
  }
  if (options.ready === false) return service
  try {
    await untilReady(service, options.readyTimeoutMs ?? READY_TIMEOUT_MS)
    return service
  } catch (error) {
    await service.kill()
    await service[Symbol.asyncDispose]()
    throw error
  }
}

async function untilReady(service: Service, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs
  let exit: Exit | undefined
  let last = 'no answer'
  service.exited.then((value) => {
    exit = value
  })
  while (Date.now() < deadline && !exit) {
    const answer = await request(service.port, 'GET', '/readyz', { timeoutMs: 2_000 }).catch((error: Error) => error)
    if ('status' in answer && answer.status === 200) return
    last = 'status' in answer ? `${answer.status} ${answer.body}` : answer.message
    await sleep(POLL_MS)
  }
  const how = exit ? `ended with ${exit.signal ?? exit.code}` : `was not ready within ${timeoutMs} ms (${last})`
  throw new Error(`the service ${how}; its output:\n${service.output() || '(none)'}`)
}

function inheritedEnvironment(): NodeJS.ProcessEnv {
  // With NODE_TEST_CONTEXT, a program that uses node:test would report to our runner.
  const kept = ([name]: [string, unknown]) => !name.startsWith('DOCVET_') && name !== 'NODE_TEST_CONTEXT'
  return Object.fromEntries(Object.entries(process.env).filter(kept))
}

/** The SQLite file of a service, which may be writing to it. */
export function openDatabaseOf({ dataDir }: Pick<Service, 'dataDir'>): DatabaseSync {
  return new DatabaseSync(path.join(dataDir, 'docvet.sqlite'), { timeout: DATABASE_WAIT_MS })
}

/** Resolves when the process has exited and its output was read; never rejects. */
export async function exitOf(child: ChildProcess): Promise<Exit> {
  const closed = once(child, 'close').catch(() => [])
  const [code, signal] = await once(child, 'exit').catch(() => [null, null])
  // A grandchild that inherited the output would delay 'close'.
  await Promise.race([closed, sleep(1_000, undefined, { ref: false })])
  return { code, signal }
}

/** Set by `test/run.ts`: a folder with a file for each port that one of the test processes was given. */
export const GIVEN_PORTS = 'DOCVET_TEST_PORTS'

/** Whether no other process of the run was given it: that one may not listen yet, or have stopped its server for a while. */
export function claimPort(port: number, folder = process.env[GIVEN_PORTS]): boolean {
  if (folder === undefined) return true
  try {
    writeFileSync(path.join(folder, String(port)), '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * A free port on loopback below the kernel's ephemeral range: there, a client that retries the port of a stopped server
 * could connect to itself.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(10_000, 32_000)
    if (!claimPort(port)) continue
    const probe = createServer().listen({ port, host: '127.0.0.1', exclusive: true })
    const free = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!free) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
  throw new Error('no free port found')
}

export function temporaryFolder(purpose: string): string {
  return mkdtempSync(path.join(tmpdir(), `docvet-${purpose}-`))
}

/** The first program found in the folders or on PATH. */
export function findProgram(names: string[], folders: string[] = []): string | null {
  const places = [...folders, ...(process.env.PATH ?? '').split(path.delimiter)]
  const candidates = names.flatMap((name) => places.map((folder) => path.join(folder, name)))
  return candidates.find(isExecutable) ?? null
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const cleanups = new Set<() => void>()

/** Runs `cleanup` if the test process exits before it is cancelled: crash, timeout, Ctrl-C. Returns the cancel function. */
export function atExit(cleanup: () => void): () => void {
  if (process.listenerCount('exit', runCleanups) === 0) {
    process.once('exit', runCleanups)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  }
  cleanups.add(cleanup)
  return () => cleanups.delete(cleanup)
}

function runCleanups(): void {
  for (const cleanup of cleanups) cleanup()
}
