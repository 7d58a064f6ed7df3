/** Selects the strongest sandbox that works on this machine, by running a probe that tries to break out of each. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { compiledProgram } from '#base/compiled.ts'
import type { Log } from '#base/log.ts'
import { commandLine, killGroup, type Level, launch, SANDBOXES, type Sandbox } from './sandbox.ts'
import { ATTEMPTS, type Attempt, type ProbeReport } from './sandbox-probe.ts'
import type { Tuning } from './tuning.ts'

export interface SelectedSandbox {
  sandbox: Sandbox
  /** For operators: the level, and what it does not deny. */
  description: string
}

/** Attempts that each level must deny, with Node's permission model and (`alone`) without it. Landlock must deny as much as bwrap. */
const MUST_DENY: Record<Level, { complete: readonly Attempt[]; alone: readonly Attempt[] }> = {
  'bwrap+prlimit': { complete: ATTEMPTS, alone: ['read', 'write', 'network', 'signal', 'memory'] },
  prlimit: { complete: ['read', 'write', 'spawn', 'memory'], alone: [] },
  permission: { complete: ['read', 'write', 'spawn'], alone: [] },
}

export const STRONGEST: Level = 'bwrap+prlimit'

const PROBE = path.join(import.meta.dirname, 'sandbox-probe.ts')
const PROBE_MS_MAX = 10_000
/** A slow machine is no reason for a weaker sandbox: the probe has this time when it is run again. */
const SLOW_PROBE_MS_MAX = 60_000
const LATE = 'the probe did not answer in time'
const PROBE_OUTPUT_BYTES_MAX = 4_096

/** Rejects if not even Node's permission model holds: then no document may be inspected here. */
export async function selectSandbox(limits: Tuning, log: Log, sandboxes = SANDBOXES): Promise<SelectedSandbox> {
  for (const sandbox of sandboxes) {
    const { level } = sandbox
    const notDenied = await tryOut(sandbox, limits)
    if (typeof notDenied === 'string') {
      if (notDenied === LATE) log.warn({ sandbox: level, reason: notDenied }, 'Sandbox not usable')
      else log.debug({ sandbox: level, reason: notDenied }, 'Sandbox not usable')
      continue
    }
    const name = level + (sandbox.seccomp ? '+seccomp' : sandbox.landlock ? '+landlock' : '')
    if (!isWeak(sandbox)) log.info({ sandbox: name }, 'Workers are sandboxed')
    else log.warn({ sandbox: name, notDenied }, 'Sandbox degraded: neither bubblewrap nor Landlock is usable here')
    const description = `sandbox ${name}${notDenied.length === 0 ? '' : ` (not denied: ${notDenied.join(', ')})`}`
    return { sandbox, description }
  }
  throw new Error('No sandbox is usable for the workers of the embedded engine')
}

/** Only Node itself keeps the workers from files, or nothing keeps them from the network. */
export const isWeak = ({ level, landlock }: Sandbox): boolean => level !== STRONGEST && !landlock

/** A reason if the sandbox does not hold; otherwise the attempts that it does not deny. */
async function tryOut(sandbox: Sandbox, limits: Tuning): Promise<string | Attempt[]> {
  const { complete, alone } = MUST_DENY[sandbox.landlock ? STRONGEST : sandbox.level]
  // At once, because each takes as long as Node takes to start.
  const [report, bare] = await Promise.all([
    runProbe(sandbox, limits, true),
    alone.length > 0 ? runProbe(sandbox, limits, false) : null,
  ])
  if (typeof report === 'string') return report
  const succeeded = complete.find((attempt) => report[attempt] === null)
  if (succeeded !== undefined) return `${succeeded} was not denied`
  if (sandbox.unshare && report.network === null) return 'network was not denied'
  if (bare !== null) {
    if (typeof bare === 'string') return bare
    const missing = alone.find((attempt) => bare[attempt] === null)
    if (missing !== undefined) return `${missing} was denied only by Node`
  }
  return ATTEMPTS.filter((attempt) => report[attempt] === null)
}

/** A reason if the probe gave no report. */
export async function runProbe(sandbox: Sandbox, limits: Tuning, permission: boolean): Promise<ProbeReport | string> {
  // Accepts connections, so that a refused one cannot pass for a denied one.
  const server = createServer((socket) => socket.destroy()).listen({ port: 0, host: '127.0.0.1', exclusive: true })
  await once(server, 'listening')
  try {
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const writable = path.join(tmpdir(), `docvet-probe-${process.pid}-${permission ? 'complete' : 'alone'}`)
    const args = [port, process.pid, limits.memoryBytes, writable].map(String)
    const file = compiledProgram('probe') ?? PROBE
    const command = commandLine(sandbox, limits, { file, args, read: [], permission })
    if (command === null) return 'a program that it needs is not installed'
    const report = await outputOf(command, PROBE_MS_MAX)
    return report === LATE ? await outputOf(command, SLOW_PROBE_MS_MAX) : report
  } finally {
    server.close()
  }
}

async function outputOf(command: readonly string[], msMax: number): Promise<ProbeReport | string> {
  const child = launch(command)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    killGroup(child.pid)
  }, msMax)
  const said: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
      if (said[name].length > PROBE_OUTPUT_BYTES_MAX) killGroup(child.pid)
    })
  try {
    await once(child, 'close')
    const report = JSON.parse(said.stdout)
    return ATTEMPTS.every((attempt) => attempt in report) ? report : 'the report of the probe is incomplete'
  } catch (error) {
    if (isLate) return LATE
    return `the probe did not answer: ${String(error).slice(0, 200)} ${said.stderr.slice(0, 300)}`
  } finally {
    clearTimeout(timer)
  }
}
