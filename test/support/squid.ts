/** Starts Squid with the ICAP services of its page, and asks through it. */
import { spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type ServerProcess, serverProcess } from '#test/support/server-process.ts'
import { findProgram, freePort, temporaryFolder } from '#test/support/service.ts'

const READY_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 5_000

export const findSquid = () => findProgram(['squid'], ['/usr/sbin'])

interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

export interface Squid extends AsyncDisposable, Pick<ServerProcess, 'log'> {
  request(method: string, url: string, body?: Buffer | string, headers?: http.OutgoingHttpHeaders): Promise<Answer>
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1' })
    const settle = (isUp: boolean) => {
      socket.destroy()
      resolve(isUp)
    }
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
  })
}

/** `rules` are lines of its configuration. */
export async function startSquid(rules: string): Promise<Squid> {
  const program = findSquid()
  if (program === null) throw new Error('Squid is not installed')
  const folder = temporaryFolder('squid')
  // As root it changes to an account of its own.
  chmodSync(folder, 0o777)
  const port = await freePort()
  const confFile = path.join(folder, 'squid.conf')
  writeFileSync(
    confFile,
    `http_port 127.0.0.1:${port}
pid_filename none
cache_log ${folder}/cache.log
access_log none
netdb_filename none
coredump_dir ${folder}
cache deny all
memory_cache_shared off
pinger_enable off
shutdown_lifetime 0 seconds
visible_hostname localhost
dns_nameservers 127.0.0.1
http_access allow all
${rules}
`,
  )
  const server = serverProcess({
    name: 'Squid',
    folder,
    // A name of its own, because its shared memory is named after it.
    launch: (log) =>
      spawn(program, ['-N', '-d', '1', '-n', `docvet${port}`, '-f', confFile], { stdio: ['ignore', log, log] }),
    answers: () => accepts(port),
    readyMsMax: READY_TIMEOUT_MS,
    stopMsMax: STOP_TIMEOUT_MS,
    lastSignal: 'SIGTERM',
  })
  await server.start()
  return {
    log: server.log,
    async request(method, url, body, headers = {}) {
      const { host } = new URL(url)
      // A connection of its own, because Squid closes it after a blocked upload.
      const asked = http.request({
        // More than any header that Squid accepts from a web server.
        maxHeaderSize: 131_072,
        ...{ host: '127.0.0.1', port, method, path: url, agent: false },
        headers: { host, ...headers },
      })
      const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
        asked.once('response', resolve).once('error', reject)
      })
      asked.end(body)
      const answer = await answered
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) }
    },
    [Symbol.asyncDispose]: server.close,
  }
}
