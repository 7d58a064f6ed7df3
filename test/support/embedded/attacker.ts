/**
 * A program for tests: what an attacker tries who runs code of his choice in a worker, without Node's permission model. It
 * prints each attempt with the error that denied it, or null. It imports nothing of the service.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { connect, createServer } from 'node:net'
import { getPriority, setPriority } from 'node:os'
import path from 'node:path'

const CONNECT_MS_MAX = 2_000

const [database = '', parent = '', port = '', socket = '', abstract = ''] = process.argv.slice(2)
const ofParent = (name: string): string => `/proc/${parent}/${name}`

async function connected(to: { port: number; host: string } | { path: string }): Promise<void> {
  const opened = connect(to)
  try {
    await once(opened, 'connect', { signal: AbortSignal.timeout(CONNECT_MS_MAX) })
  } finally {
    opened.destroy()
  }
}

async function listening(): Promise<void> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.close()
}

const ATTEMPTS: Record<string, () => unknown> = {
  'read the database': () => fs.readFileSync(database),
  'read the database through its own root': () => fs.readFileSync(`/proc/self/root${database}`),
  'list the data folder': () => fs.readdirSync(path.dirname(database)),
  'write the database': () => fs.appendFileSync(database, 'x'),
  'truncate the database': () => fs.truncateSync(database),
  'change the rights on the database': () => fs.chmodSync(database, 0o640),
  'change the owner of the database': () => fs.chownSync(database, process.getuid?.() ?? 0, process.getgid?.() ?? 0),
  'change the times of the database': () => fs.utimesSync(database, 0, 0),
  'link to the database': () => fs.linkSync(database, `${database}.link`),
  'rename the database': () => fs.renameSync(database, `${database}.gone`),
  "read the service's environment": () => fs.readFileSync(ofParent('environ')),
  "read the service's memory": () => fs.openSync(ofParent('mem'), 'r'),
  "list the service's open files": () => fs.readdirSync(ofParent('fd')),
  "reach the service's folders": () => fs.readdirSync(ofParent('root')),
  'read the settings': () => fs.readFileSync('/etc/passwd'),
  'signal the service': () => process.kill(Number(parent), 'SIGWINCH'),
  "change the service's priority": () => setPriority(Number(parent), getPriority(Number(parent))),
  'connect over TCP': () => connected({ port: Number(port), host: '127.0.0.1' }),
  'connect to a socket in a folder': () => connected({ path: socket }),
  'connect to an abstract socket': () => connected({ path: `\0${abstract}` }),
  'listen on a port': listening,
  'start a shell': () => execFileSync('/bin/sh', ['-c', ':']),
}

const report: Record<string, string | null> = {}
for (const [name, attempt] of Object.entries(ATTEMPTS)) {
  try {
    await attempt()
    report[name] = null
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    report[name] = String(code ?? message)
  }
}
fs.writeSync(1, JSON.stringify({ report, environment: Object.keys(process.env) }))
