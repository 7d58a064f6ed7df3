/** Starts rspamd with nothing but its antivirus rules, and has it check mails. */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { request } from '#test/support/raw-http.ts'
import { type ServerProcess, serverProcess } from '#test/support/server-process.ts'
import { findProgram, freePort, temporaryFolder } from '#test/support/service.ts'

/** It compiles the suffixes of all domains first, while other suites run. */
const READY_TIMEOUT_MS = 90_000
const STOP_TIMEOUT_MS = 5_000

export interface Rspamd extends AsyncDisposable, Pick<ServerProcess, 'log'> {
  /** The symbols of a mail. */
  check(mail: string): Promise<string[]>
}

/** `rules` are the sections of its configuration, such as `antivirus { … }`. */
export async function startRspamd(rules: string): Promise<Rspamd> {
  const program = findProgram(['rspamd'])
  if (program === null) throw new Error('rspamd is not installed')
  const folder = temporaryFolder('rspamd')
  const port = await freePort()
  const confFile = path.join(folder, 'rspamd.conf')
  mkdirSync(path.join(folder, 'db'))
  writeFileSync(
    confFile,
    `options {
  pidfile = "${folder}/rspamd.pid"; temp_dir = "${folder}/db"; tempdir = "${folder}/db"; filters = "";
  local_addrs = []; rrd = ""; history_file = ""; cache_file = "${folder}/db/symbols.cache"; hs_cache_dir = "${folder}/db";
  dns { nameserver = ["127.0.0.1:1"]; timeout = 1s; retransmits = 1; }
}
logging { type = "console"; level = "info"; }
worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; task_timeout = 60s; }
modules { path = "/usr/share/rspamd/plugins/antivirus.lua"; path = "/usr/share/rspamd/plugins/external_services.lua"; }
lua = "/usr/share/rspamd/rules/rspamd.lua";
actions { reject = 1000; }
${rules}
`,
  )
  const server = serverProcess({
    name: 'rspamd',
    folder,
    // As root it would need an account of its own.
    launch: (log) =>
      spawn(program, ['--no-fork', '--insecure', '-c', confFile], { cwd: folder, stdio: ['ignore', log, log] }),
    answers: () =>
      request(port, 'GET', '/ping').then(
        ({ status }) => status === 200,
        () => false,
      ),
    readyMsMax: READY_TIMEOUT_MS,
    stopMsMax: STOP_TIMEOUT_MS,
    lastSignal: 'SIGTERM',
  })
  await server.start()
  return {
    log: server.log,
    async check(mail) {
      const answer = await request(port, 'POST', '/checkv2', { body: mail, timeoutMs: 60_000 })
      return Object.keys((answer.json() as { symbols: Record<string, unknown> }).symbols)
    },
    [Symbol.asyncDispose]: server.close,
  }
}

/** A mail with an attachment. */
export function mailWith(attachment: Buffer, id: string): string {
  const base64 = attachment.toString('base64').replace(/.{76}/g, '$&\r\n')
  return [
    'From: a@example.com',
    'To: b@example.com',
    'Subject: Test',
    `Message-ID: <${id}@example.com>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=bb',
    '',
    '--bb',
    'Content-Type: text/plain',
    '',
    'Good morning',
    '--bb',
    'Content-Type: application/octet-stream; name=a.zip',
    'Content-Disposition: attachment; filename=a.zip',
    'Content-Transfer-Encoding: base64',
    '',
    base64,
    '--bb--',
    '',
  ].join('\r\n')
}
