/** A real Redis (or Valkey) server for one test file, which can be stopped, started again and frozen. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atExit, exitOf, findProgram, freePort, temporaryFolder } from '#test/support/service.ts'

const READY_TIMEOUT_MS = 10_000
const PROGRAMS = ['redis-server', 'valkey-server']

export interface RedisServer extends AsyncDisposable {
  url: string
  /** Nothing is kept: the next start is on the same port, and empty. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Connections stay open and new ones are still accepted by the kernel, but nothing answers. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

export function redisAvailable(): boolean {
  return findProgram(PROGRAMS) !== null
}

export async function startRedis(): Promise<RedisServer> {
  const redis = findProgram(PROGRAMS)
  if (!redis) throw new Error('Redis is not installed')
  const port = await freePort()
  const folder = temporaryFolder('redis')
  const logFile = path.join(folder, 'log')
  const log = openSync(logFile, 'a')
  let server: ChildProcess | null = null

  const removeAll = () => {
    server?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const forget = atExit(removeAll)

  const start = async () => {
    if (server) return
    const settings = { port: String(port), bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' }
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
    const child = spawn(redis, args, { cwd: folder, stdio: ['ignore', log, log] })
    // The test process may end without closing us; the hook above then stops the server.
    child.unref()
    child.once('exit', () => {
      if (server === child) server = null
    })
    server = child
    const deadline = Date.now() + READY_TIMEOUT_MS
    while (!(await answers(port))) {
      if (!server || Date.now() > deadline) {
        throw new Error(`Redis did not start; its log:\n${readFileSync(logFile, 'utf8').slice(-4_000)}`)
      }
      await sleep(20)
    }
  }
  const stop = async () => {
    const child = server
    if (!child) return
    child.ref()
    const exited = exitOf(child)
    child.kill('SIGTERM')
    child.kill('SIGCONT')
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await exited
    clearTimeout(late)
  }
  let closed = false
  const close = async () => {
    if (closed) return
    closed = true
    await stop()
    forget()
    closeSync(log)
    removeAll()
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1')
  try {
    socket.write('PING\r\n')
    const [reply] = await once(socket, 'data', { signal: AbortSignal.timeout(1_000) })
    return String(reply).startsWith('+PONG')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
