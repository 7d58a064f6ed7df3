/** A Redis (or Valkey) server for one test file that can be stopped, restarted and frozen. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { type ServerProcess, serverProcess } from '#test/support/server-process.ts'
import { findProgram, freePort, temporaryFolder } from '#test/support/service.ts'

const READY_TIMEOUT_MS = 10_000
const STOP_TIMEOUT_MS = 5_000
const PROGRAMS = ['redis-server', 'valkey-server']

export interface RedisServer extends Omit<ServerProcess, 'end'>, AsyncDisposable {
  url: string
  /** A restart uses the same port and is empty. */
  stop(): Promise<void>
}

export function redisAvailable(): boolean {
  return findProgram(PROGRAMS) !== null
}

export async function startRedis(): Promise<RedisServer> {
  const redis = findProgram(PROGRAMS)
  if (!redis) throw new Error('Redis is not installed')
  const port = await freePort()
  const folder = temporaryFolder('redis')
  const settings = { port: String(port), bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no' }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const server = serverProcess({
    name: 'Redis',
    folder,
    launch: (log) => spawn(redis, args, { cwd: folder, stdio: ['ignore', log, log] }),
    answers: () => answers(port),
    readyMsMax: READY_TIMEOUT_MS,
    stopMsMax: STOP_TIMEOUT_MS,
    lastSignal: 'SIGKILL',
  })
  await server.start()
  return {
    ...server,
    url: `redis://127.0.0.1:${port}`,
    stop: () => server.end('SIGTERM'),
    [Symbol.asyncDispose]: server.close,
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
