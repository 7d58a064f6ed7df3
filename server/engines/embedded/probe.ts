/** A program that attempts what a child must not be able to do, and says how each attempt ended. */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'

export const ATTEMPTS = ['read', 'write', 'spawn', 'network', 'signal', 'memory'] as const
export type Attempt = (typeof ATTEMPTS)[number]
/** Null: it succeeded. Otherwise what it was refused with. */
export type ProbeReport = Record<Attempt, string | null>

const CONNECT_MS_MAX = 2_000

function attempt(action: () => void): string | null {
  try {
    action()
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
    attempt(() => rmSync(file, { force: true }))
  }
}

function connectTo(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: CONNECT_MS_MAX })
    const end = (result: string | null) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => end(null))
    socket.once('timeout', () => end('timeout'))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
}

async function probe(port: number, parent: number, memoryBytes: number, writable: string): Promise<ProbeReport> {
  return {
    read: attempt(() => readFileSync('/etc/passwd')),
    write: attempt(() => write(writable)) && attempt(() => write(`/${path.basename(writable)}`)),
    spawn: attempt(() => {
      const { error } = spawnSync(process.execPath, ['--version'])
      if (error) throw error
    }),
    network: await connectTo(port).catch(String),
    signal: attempt(() => process.kill(parent, 0)),
    memory: attempt(() => new ArrayBuffer(memoryBytes)),
  }
}

if (import.meta.main) {
  const [port, parent, memoryBytes, writable = ''] = process.argv.slice(2)
  writeSync(1, JSON.stringify(await probe(Number(port), Number(parent), Number(memoryBytes), writable)))
}
