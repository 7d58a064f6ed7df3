/** The proxies of `deploy/` in front of a service on loopback, with their files as they are but for addresses and certificates. */

import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { makeCertificate } from '#test/support/certificate.ts'
import { serverProcess } from '#test/support/server-process.ts'
import { freePort, temporaryFolder } from '#test/support/service.ts'
import { findCaddy, findHaproxy, findNginx } from '#test/support/suite.ts'

const DEPLOY = path.join(import.meta.dirname, '../../deploy')
const HOST = '127.0.0.1'

interface Place {
  folder: string
  httpPort: number
  httpsPort: number
  /** Of the service, one for each replica. */
  replicas: readonly number[]
  /** Also answers plain HTTP, for clients that cannot do more; only HAProxy. */
  plain?: boolean
}

/** Replaces each text, which must be there: a file that says something else is not what the test tries. */
function changed(file: string, changes: readonly (readonly [string, string])[]): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${file} does not contain ${JSON.stringify(from)}`)
      return text.replaceAll(from, to)
    },
    readFileSync(path.join(DEPLOY, file), 'utf8'),
  )
}

const lines = (ports: readonly number[], line: (port: number, index: number) => string): string =>
  ports.map(line).join('\n')

function haproxy({ folder, httpPort, httpsPort, replicas, plain }: Place): [string, string[]] {
  const text = changed('haproxy.cfg', [
    ['scan.example.com', 'localhost'],
    // The folder of the test belongs to the user who runs it, and there is no log.
    ['  user haproxy\n  group haproxy\n  chroot /var/lib/haproxy\n  log /dev/log local0\n', ''],
    ...(plain ? [['  http-request redirect scheme https code 308 unless { ssl_fc }\n', ''] as const] : []),
    ['bind :80', `bind ${HOST}:${httpPort}`],
    ['bind :443 ssl crt /etc/haproxy/docvet.pem', `bind ${HOST}:${httpsPort} ssl crt ${folder}/both.pem`],
    ['abns@docvet-none', `unix@${folder}/none.sock`],
    ['  server replica1 127.0.0.1:8080', lines(replicas, (port, i) => `  server replica${i} ${HOST}:${port}`)],
  ])
  writeFileSync(path.join(folder, 'haproxy.cfg'), text)
  return [findHaproxy() ?? '', ['-db', '-f', path.join(folder, 'haproxy.cfg')]]
}

/** Debian's main file, in short. */
const nginxMain = (folder: string) => `
daemon off; pid ${folder}/pid; error_log stderr;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  include ${folder}/docvet.conf;
}`

function nginx({ folder, httpPort, httpsPort, replicas }: Place): [string, string[]] {
  const text = changed('nginx.conf', [
    ['scan.example.com', 'localhost'],
    ['  listen [::]:80;\n', ''],
    ['  listen [::]:443 ssl http2;\n', ''],
    ['listen 80;', `listen ${HOST}:${httpPort};`],
    ['listen 443 ssl', `listen ${HOST}:${httpsPort} ssl`],
    ['/etc/nginx/docvet.crt', `${folder}/cert.pem`],
    ['/etc/nginx/docvet.key', `${folder}/key.pem`],
    ['  server 127.0.0.1:8080;', lines(replicas, (port) => `  server ${HOST}:${port};`)],
  ])
  writeFileSync(path.join(folder, 'docvet.conf'), text)
  writeFileSync(path.join(folder, 'nginx.conf'), nginxMain(folder))
  return [findNginx() ?? '', ['-e', 'stderr', '-p', folder, '-c', path.join(folder, 'nginx.conf')]]
}

function caddy({ folder, httpPort, httpsPort, replicas }: Place): [string, string[]] {
  const text = changed('Caddyfile', [
    ['scan.example.com {', `localhost {\n\ttls ${folder}/cert.pem ${folder}/key.pem\n\tbind ${HOST}`],
    ['scan.example.com', 'localhost'],
    ['\n{\n', `\n{\n\tadmin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n`],
    ['127.0.0.1:8080', replicas.map((port) => `${HOST}:${port}`).join(' ')],
  ])
  writeFileSync(path.join(folder, 'Caddyfile'), text)
  return [findCaddy() ?? '', ['run', '--adapter', 'caddyfile', '--config', path.join(folder, 'Caddyfile')]]
}

const PROXIES = { haproxy, nginx, caddy }
export type ProxyName = keyof typeof PROXIES

async function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, HOST)
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  const accepted = await promise
  socket.destroy()
  return accepted
}

export async function startProxy(name: ProxyName, replicas: readonly number[], how: { plain?: boolean } = {}) {
  const folder = temporaryFolder(name)
  const [httpPort, httpsPort] = [await freePort(), await freePort()]
  const { key, cert } = makeCertificate()
  for (const [file, text] of Object.entries({ 'cert.pem': cert, 'key.pem': key, 'both.pem': cert + key }))
    writeFileSync(path.join(folder, file), text)
  const [program, args] = PROXIES[name]({ folder, httpPort, httpsPort, replicas, ...how })
  mkdirSync(path.join(folder, 'home'))
  const env = { ...process.env, HOME: path.join(folder, 'home'), XDG_DATA_HOME: '', XDG_CONFIG_HOME: '' }
  const server = serverProcess({
    ...{ name, folder, readyMsMax: 10_000, stopMsMax: 5_000, lastSignal: 'SIGTERM' },
    launch: (log) => spawn(program, args, { stdio: ['ignore', log, log], env }),
    answers: async () => (await accepts(httpPort)) && (await accepts(httpsPort)),
  })
  await server.start()
  return {
    httpPort,
    httpsPort,
    /** To trust it. */
    certFile: path.join(folder, 'cert.pem'),
    log: server.log,
    [Symbol.asyncDispose]: server.close,
  }
}

const run = promisify(execFile)
/** After the body, which is empty or one line. */
const WRITTEN = '\n%{http_code}\n%{http_version}\n%{header_json}'

/** The output of curl; it fails if curl does. */
export async function curl(...args: string[]) {
  const { stdout } = await run('curl', ['--silent', '--show-error', '--write-out', WRITTEN, ...args])
  const [, body = '', status, version, headers = ''] = /^(.*?)\n(\d+)\n([\d.]+)\n(\{.*\})\s*$/s.exec(stdout) ?? []
  const parsed = Object.entries(JSON.parse(headers) as Record<string, string[]>)
  return {
    status: Number(status),
    version,
    body,
    headers: Object.fromEntries(parsed.map(([name, values]) => [name, values.join(', ')])),
    json: () => JSON.parse(body) as Record<string, unknown>,
  }
}
