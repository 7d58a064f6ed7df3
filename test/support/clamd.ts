/** Starts a real clamd with test signatures, which can be stopped, restarted and frozen. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { type ServerProcess, serverProcess } from '#test/support/server-process.ts'
import { findProgram, freePort, temporaryFolder } from '#test/support/service.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const READY_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 5_000

/** A document that contains these bytes is detected as `Docvet.Test.Marker.UNOFFICIAL`. */
export const CLAMD_MARKER = 'docvet-test-marker-5c1f0e'
const EICAR_HEX =
  '58354f2150254041505b345c505a58353428505e2937434329377d2445494341522d5354414e444152442d414e544956495255532d544553542d46494c452124482b482a'

export interface ClamdOptions {
  /** Name of its folder. */
  name?: string
  /** Replaces settings of deploy/clamd.conf or adds some; `null` removes one. */
  conf?: Record<string, string | null>
  /** The files of the database; by default EICAR and the marker, anywhere in a file. */
  signatures?: Record<string, string>
}

export interface ClamdServer extends Omit<ServerProcess, 'start' | 'end' | 'pid'>, AsyncDisposable {
  /** `unix:/path` of its socket. */
  url: string
  /** The same clamd as `tcp://127.0.0.1:port`. */
  tcpUrl: string
  readonly pid: number | undefined
  /** Where it unpacks files. */
  temporaryDirectory: string
  databaseDirectory: string
  stop(): Promise<void>
  /** On the same endpoints; settings given here apply from now on. */
  start(conf?: Record<string, string | null>): Promise<void>
  /** Like a crash: nothing is finished or answered. */
  kill(): Promise<void>
}

export function clamdAvailable(): boolean {
  return findProgram(['clamd'], ['/usr/sbin']) !== null
}

export async function startClamd(options: ClamdOptions = {}): Promise<ClamdServer> {
  const clamd = findProgram(['clamd'], ['/usr/sbin'])
  if (!clamd) throw new Error('clamd is not installed')
  const folder = temporaryFolder(options.name ?? 'clamd')
  const socket = path.join(folder, 'socket')
  const confFile = path.join(folder, 'clamd.conf')
  const temporaryDirectory = path.join(folder, 'tmp')
  const databaseDirectory = path.join(folder, 'database')
  mkdirSync(temporaryDirectory)
  mkdirSync(databaseDirectory)
  for (const [name, text] of Object.entries(options.signatures ?? defaultSignatures())) {
    writeFileSync(path.join(databaseDirectory, name), text)
  }
  const port = await freePort()
  let settings: Record<string, string | null> = {
    LocalSocket: socket,
    LocalSocketGroup: null,
    TCPAddr: '127.0.0.1',
    TCPSocket: String(port),
    // Its own account could not write into our folder, and it reads only our own files here.
    User: null,
    DatabaseDirectory: databaseDirectory,
    TemporaryDirectory: temporaryDirectory,
    ...options.conf,
  }
  const server = serverProcess({
    name: 'clamd',
    folder,
    launch: (log) => spawn(clamd, ['--foreground', '-c', confFile], { cwd: folder, stdio: ['ignore', log, log] }),
    answers: () => answers(port),
    readyMsMax: READY_TIMEOUT_MS,
    stopMsMax: STOP_TIMEOUT_MS,
    // On SIGTERM it would finish its scans first, which no test needs.
    lastSignal: 'SIGKILL',
  })
  const start = async (conf: Record<string, string | null> = {}) => {
    settings = { ...settings, ...conf }
    writeFileSync(confFile, configuration(settings))
    await server.start()
  }
  await start()
  return {
    get pid() {
      return server.pid()
    },
    log: server.log,
    freeze: server.freeze,
    thaw: server.thaw,
    close: server.close,
    url: `unix:${socket}`,
    tcpUrl: `tcp://127.0.0.1:${port}`,
    temporaryDirectory,
    databaseDirectory,
    start,
    stop: () => server.end('SIGTERM'),
    kill: () => server.end('SIGKILL'),
    [Symbol.asyncDispose]: server.close,
  }
}

export function defaultSignatures(): Record<string, string> {
  const marker = Buffer.from(CLAMD_MARKER).toString('hex')
  return { 'docvet.ndb': `Docvet.Test.Eicar:0:*:${EICAR_HEX}\nDocvet.Test.Marker:0:*:${marker}\n` }
}

/** The recommended configuration, which is tested thereby, with some settings replaced. */
function configuration(settings: Record<string, string | null>): string {
  const lines = readFileSync(path.join(ROOT, 'deploy/clamd.conf'), 'utf8').split('\n')
  const kept = lines.filter((line) => !line.startsWith('#') && !Object.hasOwn(settings, line.split(' ')[0] ?? ''))
  const own = Object.entries(settings).flatMap(([name, value]) => (value === null ? [] : [`${name} ${value}`]))
  return [...kept, ...own, ''].join('\n')
}

async function answers(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1')
  try {
    socket.write('zPING\0')
    const [reply] = await once(socket, 'data', { signal: AbortSignal.timeout(1_000) })
    return String(reply) === 'PONG\0'
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
