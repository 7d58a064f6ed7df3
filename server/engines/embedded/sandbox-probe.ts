/** The program that tries to break out of a sandbox. It runs inside, so it imports nothing of the service. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'

export const ATTEMPTS = ['read', 'write', 'spawn', 'network', 'signal', 'memory'] as const
export type Attempt = (typeof ATTEMPTS)[number]
/** Null: the attempt succeeded. Otherwise the error that denied it. */
export type ProbeReport = Record<Attempt, string | null>

const CONNECT_MS_MAX = 2_000

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
