/** Starts the real service as a process of its own, and holds the basics that every server started by a test needs. */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from '#test/support/raw-http.ts'

/** A busy machine takes its time: children of the engine compile their rules. */
const READY_TIMEOUT_MS = 60_000

const ROOT = path.join(import.meta.dirname, '../..')

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface Service extends AsyncDisposable {
  port: number
  url: string
  pid: number
  dataDir: string
  /** Everything written so far, stdout and stderr as they came. */
  output(): string
  /** The first line with it, waited for. */
  logged(pattern: RegExp): Promise<string>
  stdoutLines(): string[]
  stop(signal?: NodeJS.Signals): Promise<Exit>
  kill(): Promise<Exit>
  exited: Promise<Exit>
}

const LOGGED_MS_MAX = 5_000

export interface ServiceOptions {
  port?: number
  /** A folder that outlives this service: it is never removed here. */
  dataDir?: string
  keepData?: boolean
  /** `false` for tests of a refused start: returns at once, the test waits for `exited`. */
  ready?: boolean
  readyTimeoutMs?: number
  /** For measurements: reading a busy log would slow down whoever measures. */
  discardLog?: boolean
  /** What is started, from the root of the repository. */
  main?: string
}

/** As many children of the embedded engine as the service has by itself, where scanning is what is tried. */
export const ALL_CHILDREN = { DOCVET_EMBEDDED_CHILDREN: undefined }

/** A variable set to `undefined` is left out, also when it has a default here. */
export async function startService(
  env: Record<string, string | undefined> = {},
  options: ServiceOptions = {},
): Promise<Service> {
  const port = options.port ?? (await freePort())
  const dataDir = options.dataDir ?? temporaryFolder('data')
  const child = spawn(process.execPath, [options.main ?? 'server/main.ts'], {
    cwd: ROOT,
    env: {
      ...inheritedEnvironment(),
      DOCVET_HOST: '127.0.0.1',
      DOCVET_PORT: String(port),
      DOCVET_DATA_DIR: dataDir,
      // Every test comes from the same address; the suites must not throttle each other.
      DOCVET_ADDRESS_RATE_PER_MINUTE: '100000',
      // A child costs most of a second to start, and most suites scan little or nothing.
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
      // What was said before an answer may be read after it.
      for (const giveUpAt = Date.now() + LOGGED_MS_MAX; Date.now() < giveUpAt; await sleep(10)) {
        const line = all.split('\n').find((each) => pattern.test(each))
        if (line !== undefined) return line
      }
      throw new Error(`${pattern} was not logged:\n${all}`)
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
    await sleep(25)
  }
  const how = exit ? `ended with ${exit.signal ?? exit.code}` : `was not ready within ${timeoutMs} ms (${last})`
  throw new Error(`the service ${how}; its output:\n${service.output() || '(none)'}`)
}

function inheritedEnvironment(): NodeJS.ProcessEnv {
  // NODE_TEST_CONTEXT would make a program that happens to use node:test talk to our runner.
  const kept = ([name]: [string, unknown]) => !name.startsWith('DOCVET_') && name !== 'NODE_TEST_CONTEXT'
  return Object.fromEntries(Object.entries(process.env).filter(kept))
}

/** Resolves when the process is gone and its output read; never rejects. */
export async function exitOf(child: ChildProcess): Promise<Exit> {
  const closed = once(child, 'close').catch(() => [])
  const [code, signal] = await once(child, 'exit').catch(() => [null, null])
  // A grandchild that inherited the output would hold 'close' back.
  await Promise.race([closed, sleep(1_000, undefined, { ref: false })])
  return { code, signal }
}

/**
 * A port on loopback that nobody listens on, from below the kernel's range for outgoing connections: there, a client
 * retrying a stopped server's port can be given that very port and be connected to itself.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(10_000, 32_000)
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

/** The first of the programs that exists in one of the folders or on PATH. */
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

/** Runs when the test process ends without having cleaned up: a crash, a timeout, Ctrl-C. Returns how to call it off. */
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
