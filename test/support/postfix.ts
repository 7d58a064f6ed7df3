/** Starts Postfix with clamav-milter in folders of their own, and hands mails to it. */
import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { createTransport } from 'nodemailer'
import { type ServerProcess, serverProcess } from '#test/support/server-process.ts'
import { findProgram, freePort, temporaryFolder } from '#test/support/service.ts'

const run = promisify(execFile)
const READY_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 5_000
const SBIN = ['/usr/sbin']
/** Postfix starts as root only; CI may use sudo. */
const AS_ROOT = process.getuid?.() === 0 ? [] : ['sudo', '-n']

function asRoot(program: string, ...args: string[]): [string, string[]] {
  const [first = '', ...rest] = [...AS_ROOT, program, ...args]
  return [first, rest]
}

export interface MailServer extends AsyncDisposable {
  /** The status of SMTP for a mail with this attachment. */
  send(attachment: Buffer | string): Promise<number>
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

/** As the recipe configures it: mails that cannot be scanned are deferred, infected ones are rejected. */
async function startMilter(clamdPort: number, port: number): Promise<ServerProcess> {
  const program = findProgram(['clamav-milter'], SBIN) ?? ''
  const folder = temporaryFolder('milter')
  const confFile = path.join(folder, 'clamav-milter.conf')
  const conf = {
    MilterSocket: `inet:${port}@127.0.0.1`,
    ClamdSocket: `tcp:127.0.0.1:${clamdPort}`,
    OnFail: 'Defer',
    OnInfected: 'Reject',
    MaxFileSize: '25M',
    Foreground: 'yes',
    LogFile: path.join(folder, 'milter.log'),
    TemporaryDirectory: folder,
    ...(process.getuid?.() === 0 && { User: 'root' }),
  }
  writeFileSync(
    confFile,
    Object.entries(conf)
      .map((entry) => `${entry.join(' ')}\n`)
      .join(''),
  )
  const milter = serverProcess({
    name: 'clamav-milter',
    folder,
    launch: (log) => spawn(program, ['-c', confFile], { cwd: folder, stdio: ['ignore', log, log] }),
    answers: () => accepts(port),
    readyMsMax: READY_TIMEOUT_MS,
    stopMsMax: STOP_TIMEOUT_MS,
    lastSignal: 'SIGTERM',
  })
  await milter.start()
  return milter
}

/** Accepted mail is discarded. Needs root, as Postfix does. */
export async function startMailServer(clamdPort: number): Promise<MailServer> {
  const milterPort = await freePort()
  const port = await freePort()
  const milter = await startMilter(clamdPort, milterPort)
  const folder = temporaryFolder('postfix')
  // Its processes run as their own user and have to reach the queue.
  chmodSync(folder, 0o755)
  const [etc, queue, data] = ['etc', 'queue', 'data'].map((name) => path.join(folder, name)) as [string, string, string]
  for (const each of [etc, queue, data]) mkdirSync(each)
  const settings = {
    compatibility_level: '3.6',
    queue_directory: queue,
    data_directory: data,
    inet_interfaces: '127.0.0.1',
    myhostname: 'mail.example.com',
    mydestination: '',
    default_transport: 'discard:',
    relay_transport: 'discard:',
    mynetworks: '127.0.0.0/8',
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
    smtpd_milters: `inet:127.0.0.1:${milterPort}`,
    milter_default_action: 'tempfail',
    message_size_limit: '40000000',
    maillog_file: '/dev/stdout',
    maillog_file_prefixes: '/dev/stdout',
    alias_maps: '',
    alias_database: '',
  }
  writeFileSync(
    path.join(etc, 'main.cf'),
    Object.entries(settings)
      .map((entry) => `${entry.join(' = ')}\n`)
      .join(''),
  )
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'error unix - - n - - error',
    'discard unix - - n - - discard',
    'anvil unix - - n - 1 anvil',
    'proxymap unix - - n - - proxymap',
    'flush unix n - n 1000? 0 flush',
    'postlog unix-dgram n - n - 1 postlogd',
  ]
  writeFileSync(path.join(etc, 'master.cf'), `${services.join('\n')}\n`)
  await run(...asRoot('chown', '-R', 'root:root', etc, queue))
  await run(...asRoot('chown', 'postfix:postfix', data))
  const program = findProgram(['postfix'], SBIN) ?? ''
  const postfix = serverProcess({
    name: 'Postfix',
    folder,
    launch: (log) => spawn(...asRoot(program, '-c', etc, 'start-fg'), { cwd: folder, stdio: ['ignore', log, log] }),
    answers: () => accepts(port),
    readyMsMax: READY_TIMEOUT_MS,
    stopMsMax: STOP_TIMEOUT_MS,
    lastSignal: 'SIGTERM',
  })
  await postfix.start()
  const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true })
  return {
    async send(attachment) {
      const mail = { from: 'a@example.com', to: 'b@example.org', subject: 'Test', text: 'Good morning' }
      try {
        const attachments = [{ filename: 'a.zip', content: attachment }]
        const { response } = await transport.sendMail({ ...mail, attachments })
        return Number.parseInt(response, 10)
      } catch (error) {
        const { responseCode } = error as { responseCode?: number }
        if (responseCode === undefined) throw error
        return responseCode
      }
    },
    async [Symbol.asyncDispose]() {
      transport.close()
      await run(...asRoot(program, '-c', etc, 'stop')).catch(() => {})
      await postfix.close()
      await milter.close()
    },
  }
}
