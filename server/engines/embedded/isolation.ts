/** Finds the strongest isolation that works on this machine, by letting a probe try to break out of each. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Log } from '#base/log.ts'
import { ATTEMPTS, type Attempt, type ProbeReport } from './probe.ts'
import { CAGES, type Cage, commandLine, killGroup, type Level, type Limits, launch } from './sandbox.ts'

export interface Isolation {
  cage: Cage
  /** For operators: the level, and what it does not deny. */
  description: string
}

const PROBE = path.join(import.meta.dirname, 'probe.ts')
const PROBE_MS_MAX = 10_000
const PROBE_OUTPUT_BYTES_MAX = 4_096

/** What must be denied for a level to be that level, with Node's permission model and (for the walls) without it. */
const MUST_DENY: Record<Level, { complete: readonly Attempt[]; walls: readonly Attempt[] }> = {
  'bwrap+prlimit': { complete: ATTEMPTS, walls: ['read', 'write', 'network', 'signal', 'memory'] },
  prlimit: { complete: ['read', 'write', 'spawn', 'memory'], walls: [] },
  permission: { complete: ['read', 'write', 'spawn'], walls: [] },
}

/** Rejects if not even Node's own permission model holds: then no document may be looked at here. */
export async function findIsolation(limits: Limits, log: Log, cages: readonly Cage[] = CAGES): Promise<Isolation> {
  for (const cage of cages) {
    const found = await tryCage(cage, limits)
    if (typeof found !== 'string') return report(found, log)
    log.debug({ isolation: cage.level, reason: found }, 'this isolation does not work here')
  }
  throw new Error('No isolation works for the children of the embedded engine')
}

function report({ cage, open }: { cage: Cage; open: Attempt[] }, log: Log): Isolation {
  const description = `isolation ${cage.level}${open.length === 0 ? '' : ` (not denied: ${open.join(', ')})`}`
  if (cage.level === 'bwrap+prlimit')
    log.info({ isolation: cage.level }, 'children of the embedded engine are isolated')
  else
    log.warn(
      { isolation: cage.level, open },
      'children are isolated less than they could be: a bubblewrap that works here would help',
    )
  return { cage, description }
}

/** A sentence if the cage does not hold; otherwise what it leaves open. */
async function tryCage(cage: Cage, limits: Limits): Promise<string | { cage: Cage; open: Attempt[] }> {
  const { complete, walls } = MUST_DENY[cage.level]
  const inside = await runProbe(cage, limits, true)
  if (typeof inside === 'string') return inside
  const escaped = complete.find((attempt) => inside[attempt] === null)
  if (escaped !== undefined) return `${escaped} was not denied`
  // A cage that was asked to have no network and has one is not that cage.
  if (cage.unshare && inside.network === null) return 'network was not denied'
  if (walls.length > 0) {
    const bare = await runProbe(cage, limits, false)
    if (typeof bare === 'string') return bare
    const broken = walls.find((attempt) => bare[attempt] === null)
    if (broken !== undefined) return `${broken} was denied only by Node`
  }
  return { cage, open: ATTEMPTS.filter((attempt) => inside[attempt] === null) }
}

/** A sentence if it gave no report. */
export async function runProbe(cage: Cage, limits: Limits, permission: boolean): Promise<ProbeReport | string> {
  // The probe has somewhere to connect to, so that a refused connection cannot pass for a denied one.
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const writable = path.join(tmpdir(), `docvet-probe-${process.pid}`)
    const args = [port, process.pid, limits.memoryBytes, writable].map(String)
    const command = commandLine(cage, limits, { file: PROBE, args, read: [], permission })
    return command === null ? 'a program that it needs is not installed' : await outputOf(command)
  } finally {
    server.close()
  }
}

async function outputOf(command: readonly string[]): Promise<ProbeReport | string> {
  const child = launch(command)
  let output = ''
  let complaint = ''
  child.on('error', (error) => {
    complaint += error.message
  })
  child.stdin.on('error', () => {}).end()
  child.stdout.on('data', (chunk) => {
    output = (output + chunk).slice(0, PROBE_OUTPUT_BYTES_MAX)
  })
  child.stderr.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(0, PROBE_OUTPUT_BYTES_MAX)
  })
  const timer = setTimeout(() => killGroup(child.pid), PROBE_MS_MAX)
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  try {
    const value = JSON.parse(output)
    return ATTEMPTS.every((attempt) => attempt in value) ? value : 'the probe left something out'
  } catch {
    return `the probe did not answer: ${complaint.trim().slice(0, 500)}`
  }
}
