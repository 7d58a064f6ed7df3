/** A server program for one test file: started until it answers, stopped, killed and frozen, and gone with the test process. */

import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atExit, exitOf } from '#test/support/service.ts'

const LOG_SHOWN_MAX = 4_000
const POLL_MS = 20

export interface ServerProgram {
  /** For messages. */
  name: string
  /** Where it lives; removed at the end. */
  folder: string
  /** What it writes goes to `log`, a file descriptor. */
  launch(log: number): ChildProcess
  answers(): Promise<boolean>
  readyMsMax: number
  /** After this, a stop becomes a kill. */
  stopMsMax: number
  /** How it is ended when nobody needs it any more. */
  lastSignal: NodeJS.Signals
  /** Where one process is not all of it. */
  signal?(server: ChildProcess, name: NodeJS.Signals): void
  /** What has to be waited for, without a turn of the event loop, before the folder can go. */
  beforeRemoval?(): void
}

export interface ServerProcess {
  pid(): number | undefined
  log(): string
  start(): Promise<void>
  /** Resolves when it is gone. What was frozen takes the signal first of all when it goes on. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Connections stay open and new ones are still accepted by the kernel, but nothing answers. */
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
    // The test process may end without closing us; the hook above then stops the server.
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
    freeze: () => send('SIGSTOP'),
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
