/** A PostgreSQL server for tests that can be stopped, restarted and frozen. */

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chownSync, existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { type ServerProcess, serverProcess } from '#test/support/server-process.ts'
import { findProgram, freePort, temporaryFolder } from '#test/support/service.ts'

const execute = promisify(execFile)

const READY_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 20_000

export interface PostgresServer extends Omit<ServerProcess, 'end'>, PostgresDatabases, AsyncDisposable {
  /** The database `docvet`; tests that share the server use `createDatabase`. */
  url: string
  /** For `databasesOf` in another process. */
  serverUrl: string
  /** `fast` shuts down cleanly, `immediate` simulates a crash. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** Runs a statement as the administrator. */
  administer(sql: string): Promise<void>
}

interface PostgresOptions {
  /** Use fsync. Without it, a crash of the server loses nothing, only a crash of the machine would. */
  durable?: boolean
  connectionsMax?: number
}

export interface PostgresDatabases {
  createDatabase(name?: string): Promise<string>
  /** Fails if a connection is still open. */
  dropDatabase(url: string): Promise<void>
}

export function postgresAvailable(): boolean {
  return program('postgres') !== null && program('initdb') !== null && serverUser() !== null
}

export async function startPostgres({
  durable = false,
  connectionsMax = 100,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const user = serverUser()
  const postgres = program('postgres')
  const initdb = program('initdb')
  if (!user || !postgres || !initdb) throw new Error('PostgreSQL is not installed')

  const port = await freePort()
  const folder = temporaryFolder('postgres')
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = path.join(folder, 'data')
  const place = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } }
  const urlOf = (database: string) => `postgres://docvet@127.0.0.1:${port}/${database}`

  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`]
  settings.push(`max_connections=${connectionsMax}`)
  // In the folder, so that a killed server leaves nothing in shared memory.
  settings.push('dynamic_shared_memory_type=mmap')
  if (!durable) settings.push('fsync=off', 'full_page_writes=off')

  const server = serverProcess({
    name: 'PostgreSQL',
    folder,
    launch(log) {
      const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
      return spawn(postgres, args, { ...place, stdio: ['ignore', log, log] })
    },
    answers: () => answers(urlOf('postgres')),
    readyMsMax: READY_TIMEOUT_MS,
    stopMsMax: STOP_TIMEOUT_MS,
    lastSignal: 'SIGQUIT',
    signal,
    // A server that is shutting down still writes to the folder; wait up to a second.
    beforeRemoval() {
      const pidFile = path.join(data, 'postmaster.pid')
      for (let i = 0; i < 100 && existsSync(pidFile); i++)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    },
  })
  await execute(
    initdb,
    ['--no-sync', '-U', 'docvet', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-D', data],
    place,
  )
  await server.start()
  await query(urlOf('postgres'), 'CREATE DATABASE docvet TEMPLATE template0')

  return {
    ...server,
    ...databasesOf(urlOf('postgres')),
    url: urlOf('docvet'),
    serverUrl: urlOf('postgres'),
    stop: (mode = 'fast') => server.end(mode === 'fast' ? 'SIGINT' : 'SIGQUIT'),
    administer: (sql) => query(urlOf('postgres'), sql),
    [Symbol.asyncDispose]: server.close,
  }
}

let databasesCreated = 0

/** Names contain the process id, because test files share a server. */
export function databasesOf(serverUrl: string): PostgresDatabases {
  return {
    async createDatabase(name = `test_${process.pid}_${++databasesCreated}`) {
      await query(serverUrl, `CREATE DATABASE "${name}" TEMPLATE template0`)
      const url = new URL(serverUrl)
      url.pathname = `/${name}`
      return url.href
    },
    async dropDatabase(url) {
      await query(serverUrl, `DROP DATABASE "${new URL(url).pathname.slice(1)}"`)
    },
  }
}

function program(name: string): string | null {
  const version = (folder: string) => Number(folder.split('/').at(-2))
  return findProgram(
    [name],
    globSync('/usr/lib/postgresql/*/bin').sort((a, b) => version(b) - version(a)),
  )
}

/** PostgreSQL refuses to run as root, so root uses the account of the package. Null without one. */
export function serverUser(): { uid?: number; gid?: number } | null {
  if (process.getuid?.() !== 0) return {}
  const account = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return account && { uid: Number(account[1]), gid: Number(account[2]) }
}

/** Signals the server first, so that it starts no new sessions, then the sessions. */
function signal(server: ChildProcess, name: NodeJS.Signals): void {
  if (!server.pid || server.exitCode !== null || server.signalCode !== null) return
  const pid = server.pid
  // In a fast shutdown the server ends its sessions itself.
  for (const target of name === 'SIGINT' ? [pid] : [pid, ...childrenOf(pid)]) {
    try {
      process.kill(target, name)
    } catch {
      // It exited after it was listed.
    }
  }
}

/** Each session has its own process group, so they are found in /proc. */
function childrenOf(parent: number): number[] {
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.map(Number).filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
    } catch {
      return false
    }
  })
}

async function query(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  // The query reports a lost server.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

function answers(url: string): Promise<boolean> {
  return query(url, 'SELECT 1').then(
    () => true,
    () => false,
  )
}
