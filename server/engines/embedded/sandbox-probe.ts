/** Selects the strongest sandbox that works on this machine, by running a probe that tries to break out of each. */
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Log } from '#base/log.ts'
import { commandLine, type Level, SANDBOXES, type Sandbox } from './sandbox.ts'
import type { Tuning } from './tuning.ts'

export const ATTEMPTS = ['read', 'write', 'spawn', 'network', 'signal', 'memory'] as const
type Attempt = (typeof ATTEMPTS)[number]
/** Null: the attempt succeeded. Otherwise the error that denied it. */
type ProbeReport = Record<Attempt, string | null>

export interface SelectedSandbox {
  sandbox: Sandbox
  /** For operators: the level, and what it does not deny. */
  description: string
}

/** Attempts that each level must deny, with Node's permission model and (`alone`) without it. */
const MUST_DENY: Record<Level, { complete: readonly Attempt[]; alone: readonly Attempt[] }> = {
  'bwrap+prlimit': { complete: ATTEMPTS, alone: ['read', 'write', 'network', 'signal', 'memory'] },
  prlimit: { complete: ['read', 'write', 'spawn', 'memory'], alone: [] },
  permission: { complete: ['read', 'write', 'spawn'], alone: [] },
}

const PROBE = import.meta.filename
const PROBE_IMPORTS = [path.join(import.meta.dirname, 'sandbox.ts')]
const PROBE_MS_MAX = 10_000
const PROBE_OUTPUT_BYTES_MAX = 4_096
const CONNECT_MS_MAX = 2_000

/** Rejects if not even Node's permission model holds: then no document may be inspected here. */
export async function selectSandbox(limits: Tuning, log: Log, sandboxes = SANDBOXES): Promise<SelectedSandbox> {
  for (const sandbox of sandboxes) {
    const { level } = sandbox
    const notDenied = await tryOut(sandbox, limits)
    if (typeof notDenied === 'string') {
      log.debug({ sandbox: level, reason: notDenied }, 'Sandbox not usable')
      continue
    }
    if (level === 'bwrap+prlimit') log.info({ sandbox: level }, 'Workers are sandboxed')
    else log.warn({ sandbox: level, notDenied }, 'Sandbox degraded: bubblewrap is not usable here')
    const description = `sandbox ${level}${notDenied.length === 0 ? '' : ` (not denied: ${notDenied.join(', ')})`}`
    return { sandbox, description }
  }
  throw new Error('No sandbox is usable for the workers of the embedded engine')
}

/** A reason if the sandbox does not hold; otherwise the attempts that it does not deny. */
async function tryOut(sandbox: Sandbox, limits: Tuning): Promise<string | Attempt[]> {
  const { complete, alone } = MUST_DENY[sandbox.level]
  const report = await runProbe(sandbox, limits, true)
  if (typeof report === 'string') return report
  const succeeded = complete.find((attempt) => report[attempt] === null)
  if (succeeded !== undefined) return `${succeeded} was not denied`
  if (sandbox.unshare && report.network === null) return 'network was not denied'
  if (alone.length > 0) {
    const bare = await runProbe(sandbox, limits, false)
    if (typeof bare === 'string') return bare
    const missing = alone.find((attempt) => bare[attempt] === null)
    if (missing !== undefined) return `${missing} was denied only by Node`
  }
  return ATTEMPTS.filter((attempt) => report[attempt] === null)
}

/** A reason if the probe gave no report. */
export async function runProbe(sandbox: Sandbox, limits: Tuning, permission: boolean): Promise<ProbeReport | string> {
  // Accepts connections, so that a refused one cannot pass for a denied one.
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const writable = path.join(tmpdir(), `docvet-probe-${process.pid}`)
    const args = [port, process.pid, limits.memoryBytes, writable].map(String)
    const command = commandLine(sandbox, limits, { file: PROBE, args, read: PROBE_IMPORTS, permission })
    return command === null ? 'a program that it needs is not installed' : await outputOf(command)
  } finally {
    server.close()
  }
}

async function outputOf([file = '', ...args]: readonly string[]): Promise<ProbeReport | string> {
  const options = { timeout: PROBE_MS_MAX, killSignal: 'SIGKILL', maxBuffer: PROBE_OUTPUT_BYTES_MAX } as const
  try {
    const { stdout } = await promisify(execFile)(file, args, { cwd: '/', env: {}, ...options })
    const report = JSON.parse(stdout)
    return ATTEMPTS.every((attempt) => attempt in report) ? report : 'the report of the probe is incomplete'
  } catch (error) {
    return `the probe did not answer: ${String(error).slice(0, 500)}`
  }
}

// From here on the probe itself, which runs inside the sandbox.

async function probe(port: number, parent: number, memoryBytes: number, writable: string): Promise<ProbeReport> {
  return {
    read: await attempt(() => readFileSync('/etc/passwd')),
    write: (await attempt(() => write(writable))) && (await attempt(() => write(`/${path.basename(writable)}`))),
    spawn: await attempt(() => {
      const { error } = spawnSync(process.execPath, ['--version'])
      if (error) throw error
    }),
    network: await attempt(() => connectTo(port)),
    signal: await attempt(() => process.kill(parent, 0)),
    memory: await attempt(() => new ArrayBuffer(memoryBytes)),
  }
}

async function attempt(action: () => unknown): Promise<string | null> {
  try {
    await action()
    return null
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    return String(code ?? message)
  }
}

function write(file: string): void {
  try {
    writeFileSync(file, 'x')
  } finally {
    // A denied write may leave an empty file; a failed removal does not make it a denied write.
    void attempt(() => rmSync(file, { force: true }))
  }
}

async function connectTo(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS_MAX) })
  } finally {
    socket.destroy()
  }
}

if (import.meta.main) {
  const [port, parent, memoryBytes, writable = ''] = process.argv.slice(2)
  writeSync(1, JSON.stringify(await probe(Number(port), Number(parent), Number(memoryBytes), writable)))
}
