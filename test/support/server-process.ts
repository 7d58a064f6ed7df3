/** A server program for one test file that can be stopped, killed and frozen; it never outlives the test process. */

import type { ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atExit, exitOf } from '#test/support/service.ts'

const LOG_SHOWN_MAX = 4_000
const POLL_MS = 20
const STOPPED_MS_MAX = 10_000

interface ServerProgram {
  /** For messages. */
  name: string
  /** Removed at the end. */
  folder: string
  /** `log` is a file descriptor for its output. */
  launch(log: number): ChildProcess
  answers(): Promise<boolean>
  readyMsMax: number
  /** After this time, a stop becomes a kill. */
  stopMsMax: number
  /** Signal for the final stop. */
  lastSignal: NodeJS.Signals
  /** For servers with several processes. */
  signal?(server: ChildProcess, name: NodeJS.Signals): void
  /** Runs synchronously before the folder is removed. */
  beforeRemoval?(): void
}

export interface ServerProcess {
  pid(): number | undefined
  log(): string
  start(): Promise<void>
  /** Resolves after exit. A frozen process receives the signal when it continues. */
  end(signal: NodeJS.Signals): Promise<void>
  /** The kernel still accepts connections, but nothing responds. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

export function serverProcess(program: ServerProgram): ServerProcess {
  const { name, folder, signal = (server, sent) => void server.kill(sent) } = program
  const logFile = path.join(folder, 'log')
  const log = openSync(logFile, 'a')
  let server: ChildProcess | null = null
  const send = (sent: NodeJS.Signals) => void (server && signal(server, sent))

  const removeAll = () => {
    send(program.lastSignal)
    send('SIGCONT')
    program.beforeRemoval?.()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const forget = atExit(removeAll)

  async function start(): Promise<void> {
    if (server) return
    const child = program.launch(log)
    // If the test process exits without closing the server, the hook above stops it.
    child.unref()
    child.once('exit', () => {
      if (server === child) server = null
    })
    server = child
    const deadline = Date.now() + program.readyMsMax
    while (!(await program.answers())) {
      if (!server || Date.now() > deadline) throw new Error(`${name} did not start; its log:\n${shownLog()}`)
      await sleep(POLL_MS)
    }
  }

  async function end(sent: NodeJS.Signals): Promise<void> {
    const child = server
    if (!child) return
    child.ref()
    const exited = exitOf(child)
    signal(child, sent)
    signal(child, 'SIGCONT')
    const late = setTimeout(() => signal(child, 'SIGKILL'), program.stopMsMax)
    await exited
    clearTimeout(late)
  }

  const shownLog = () => readFileSync(logFile, 'utf8').slice(-LOG_SHOWN_MAX)
  let closed = false
  return {
    pid: () => server?.pid,
    log: () => readFileSync(logFile, 'utf8'),
    start,
    end,
    freeze() {
      send('SIGSTOP')
      waitUntilStopped(server?.pid)
    },
    thaw: () => send('SIGCONT'),
    async close() {
      if (closed) return
      closed = true
      await end(program.lastSignal)
      forget()
      closeSync(log)
      removeAll()
    },
  }
}

/** A signal stops each thread on its own. Until then, one of them may still accept a connection. */
function waitUntilStopped(pid: number | undefined): void {
  const tasks = `/proc/${pid}/task`
  const runs = (task: string): boolean => {
    try {
      return !/\) [TtXZ] /.test(readFileSync(`${tasks}/${task}/stat`, 'latin1'))
    } catch {
      return false
    }
  }
  const pause = new Int32Array(new SharedArrayBuffer(4))
  const deadline = Date.now() + STOPPED_MS_MAX
  while (existsSync(tasks) && readdirSync(tasks).some(runs)) {
    if (Date.now() > deadline) throw new Error(`Process ${pid} did not stop`)
    Atomics.wait(pause, 0, 0, 1)
  }
}
