/** Start and stop of the process: its output, its stored data, its signals, and starts that must fail. */

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SETTINGS } from '#config/settings.ts'
import {
  assertFields,
  createKey,
  KEY,
  listKeys,
  newEmail,
  signUp,
  TIME,
  UUID,
  usage,
  withKey,
} from '#test/support/client.ts'
import { request, send } from '#test/support/raw-http.ts'
import { findProgram, freePort, startService, temporaryFolder } from '#test/support/service.ts'

const run = promisify(execFile)
const ROOT = path.join(import.meta.dirname, '../..')

let folder: string
before(() => {
  folder = temporaryFolder('lifecycle')
})
after(() => rmSync(folder, { recursive: true, force: true }))

describe('the startup banner', () => {
  test('names the URL, the documentation and a curl command that works as printed', async () => {
    assert.ok(findProgram(['curl']), 'curl is not installed: apt-get install curl')
    await using service = await startService()
    const text = service.output()
    assert.ok(text.includes(`Docvet is listening on ${service.url}\n`), text)
    assert.doesNotMatch(text, /Public URL/)
    assert.ok(text.includes(`Dashboard: ${service.url}/\n`), text)
    assert.ok(text.includes(`Mail: ${service.dataDir}/outbox, because DOCVET_SMTP_URL is not set\n`), text)
    const docs = /https?:\/\/\S+\/docs\b/.exec(text)?.[0]
    assert.equal(docs, `${service.url}/docs`)
    assert.equal((await request(service.port, 'GET', new URL(docs).pathname)).status, 200)
    const line = text.split('\n').find((each) => each.trim().startsWith('curl '))
    assert.ok(line, text)
    const { stdout } = await run('bash', ['-c', line])
    assertFields(JSON.parse(stdout), {
      accountId: UUID,
      email: 'you@example.com',
      plan: 'free',
      apiKey: KEY,
      keyPrefix: /^dv_live_/,
    })
    assert.equal(service.stdoutLines().filter((each) => !each.startsWith('{')).length, 0, 'stdout is for JSON lines')
  })

  test('names the URL it listens on, and the public URL if that differs', async () => {
    await using service = await startService({ DOCVET_PUBLIC_URL: 'https://scan.example.org' })
    const text = service.output()
    assert.ok(text.includes(`Docvet is listening on ${service.url}\n`), text)
    assert.match(text, /Public URL: https:\/\/scan\.example\.org\n/)
    assert.match(text, /https:\/\/scan\.example\.org\/docs/)
  })

  test('follows readable log lines on a terminal', async () => {
    assert.ok(findProgram(['script']), 'script is not installed: apt-get install bsdutils')
    const env = { ...process.env, NO_COLOR: '1', DOCVET_PORT: String(await freePort()), DOCVET_DATA_DIR: folder }
    const terminal = spawn('script', ['-qec', `exec '${process.execPath}' server/main.ts`, '/dev/null'], {
      cwd: ROOT,
      env,
    })
    let text = ''
    terminal.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    const exited = once(terminal, 'exit')
    while (!text.includes('you@example.com') && terminal.exitCode === null) await sleep(50)
    terminal.kill('SIGTERM')
    await exited
    assert.match(text, /^\d\d:\d\d:\d\d INFO {2}Listening host=127\.0\.0\.1 port=\d+ /m)
    assert.match(text, /Docvet is listening on/)
    assert.doesNotMatch(text, /^\{/m)
  })
})

describe('the command line', () => {
  const start = (...args: string[]) => run(process.execPath, ['server/main.ts', ...args], { cwd: ROOT })

  test('--help lists the options and every setting', async () => {
    const { stdout, stderr } = await start('--help')
    assert.match(stdout, /^Usage: npm start/)
    for (const { name } of Object.values(SETTINGS)) assert.match(stdout, new RegExp(`^ {2}${name} \\(default: .`, 'm'))
    assert.equal(stderr, '')
    assert.equal((await start('-h')).stdout, stdout)
    assert.ok((await run('npm', ['start', '--', '--help'], { cwd: ROOT })).stdout.includes(stdout))
  })

  test('--version prints the version', async () => {
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
    for (const option of ['--version', '-v']) assert.equal((await start(option)).stdout, `${version}\n`)
  })

  test('unknown arguments are an error with exit code 2', async () => {
    for (const argument of ['--port=1', '--helpme', '-x', 'start']) {
      const error = await start(argument).catch((failure) => failure)
      assert.equal(error.code, 2, argument)
      assert.equal(error.stdout, '')
      assert.match(error.stderr, /--help/)
    }
  })
})

describe('stored data', () => {
  test('is readable by its owner only, including the folders', async () => {
    const dataDir = path.join(folder, 'made', 'by', 'us')
    await using service = await startService({}, { dataDir })
    await signUp(service.port)
    for (const made of [path.join(folder, 'made'), path.join(folder, 'made', 'by'), dataDir]) {
      assert.equal(statSync(made).mode & 0o777, 0o700, made)
    }
    const files = readdirSync(dataDir)
    assert.ok(files.includes('docvet.sqlite'))
    for (const file of files) assert.equal(statSync(path.join(dataDir, file)).mode & 0o777, 0o600, file)
  })

  test('survives a restart: account, keys and when they were last used', async () => {
    const dataDir = path.join(folder, 'second-start')
    const first = await startService({}, { dataDir })
    const { apiKey } = await signUp(first.port)
    const other = await createKey(first.port, apiKey, 'other')
    await usage(first.port, withKey(other.apiKey))
    await first[Symbol.asyncDispose]()

    await using second = await startService({}, { dataDir })
    assert.equal((await usage(second.port, withKey(apiKey))).status, 200)
    const [, kept] = await listKeys(second.port, apiKey)
    assert.equal(kept?.name, 'other')
    assert.match(kept?.lastUsedAt ?? '', TIME)
  })

  test('survives SIGKILL if the request was answered', async () => {
    const dataDir = path.join(folder, 'killed')
    const first = await startService({}, { dataDir })
    const accounts = await Promise.all(Array.from({ length: 10 }, () => signUp(first.port)))
    await first.kill()
    await using second = await startService({}, { dataDir })
    for (const { apiKey } of accounts) assert.equal((await usage(second.port, withKey(apiKey))).status, 200)
  })
})

describe('a signal', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal}: finishes a request whose body is still arriving, accepts no new ones, exits 0`, async () => {
      await using service = await startService()
      const body = JSON.stringify({ email: newEmail() })
      const head = `POST /api/v1/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
      const parts = [`${head}Content-Length: ${body.length}\r\n\r\n{`, ...body.slice(1)].map((part) =>
        Buffer.from(part),
      )
      const slow = send(service.port, parts, { pauseMsBetweenChunks: 20, keepOpen: true, timeoutMs: 10_000 })
      const idle = net.connect(service.port, '127.0.0.1').on('error', () => {})
      await once(idle, 'connect')
      const idleClosed = new Promise((resolve) => idle.once('close', resolve))
      await sleep(200)

      const exited = service.stop(signal)
      await idleClosed
      await assert.rejects(send(service.port, 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'), { code: 'ECONNREFUSED' })
      const { responses, closed } = await slow
      assert.equal(responses.length, 1)
      assert.equal(responses[0]!.status, 201, responses[0]!.body)
      assert.equal(responses[0]!.headers.connection, 'close')
      assert.equal(closed, true)
      assert.deepEqual(await exited, { code: 0, signal: null })
    })
  }
})

describe('DOCVET_HOST=localhost', () => {
  const isServed = (host: string, port: number) =>
    fetch(`http://${host}:${port}/livez`).then(
      ({ status }) => status === 200,
      () => false,
    )

  for (const processes of ['1', '2']) {
    test(`listens on both loopback addresses with ${processes} processes, with the same limits, and stops on both`, async () => {
      await using service = await startService({ DOCVET_HOST: 'localhost', DOCVET_PROCESSES: processes })
      assert.ok(service.output().includes(`Docvet is listening on http://localhost:${service.port}\n`))
      const { port } = service
      assert.deepEqual(await Promise.all(['127.0.0.1', '[::1]', 'localhost'].map((host) => isServed(host, port))), [
        true,
        true,
        true,
      ])
      // Invalid HTTP is answered by the same code, and a client that half-closes gets its answer.
      const socket = net.connect({ port, host: '::1' })
      socket.end('nonsense\r\n\r\n')
      const chunks = await socket.toArray()
      assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 400 .*problem\+json.*"code":"invalid_request"/s)
      assert.deepEqual(await service.stop(), { code: 0, signal: null })
      assert.deepEqual(await Promise.all(['127.0.0.1', '[::1]'].map((host) => isServed(host, port))), [false, false])
    })
  }

  test('fails if another program uses one of them', async () => {
    const other = net.createServer().listen(await freePort(), '::1')
    await once(other, 'listening')
    const { port } = other.address() as net.AddressInfo
    await using service = await startService({ DOCVET_HOST: 'localhost' }, { port, ready: false })
    assert.deepEqual(await service.exited, { code: 1, signal: null })
    assert.match(service.output(), /port \d+ on localhost is already in use/)
    other.close()
  })
})

describe('an older Node', () => {
  const wanted = /^Docvet needs Node 24 or newer, but this is Node 20\.1\.0\. [^\n]*\n$/
  /** The files see this version instead of the real one. */
  const fake = path.join(ROOT, 'test/support/older-node.cjs')

  test('npm start and the command print one sentence', async () => {
    const { scripts, bin } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
    for (const command of [scripts.start, `node ${bin.docvet} scan README.md`, `node ${bin.docvet}`]) {
      const env = {
        ...process.env,
        NODE_OPTIONS: `--require ${fake}`,
        DOCVET_PORT: String(await freePort()),
        DOCVET_DATA_DIR: folder,
      }
      const failure = await run('sh', ['-c', command], { cwd: ROOT, env, timeout: 60_000 }).catch((error) => error)
      assert.equal(failure.code, 1, command)
      assert.match(failure.stderr, wanted)
      assert.equal(failure.stdout, '')
    }
  })
})

describe('a start that must fail', () => {
  test('invalid settings: exit 1, all problems on standard error, no data folder created', async () => {
    const dataDir = path.join(folder, 'refused')
    const wrong = {
      DOCVET_PORT: '70000',
      DOCVET_HOST: 'not a host',
      DOCVET_PUBLIC_URL: 'docvet.example',
      DOCVET_DATABASE_URL: 'mysql://x',
      DOCVET_REDIS_URL: 'http://x',
      DOCVET_PLANS_FILE: '/nowhere/plans.json',
      DOCVET_ADDRESS_RATE_PER_MINUTE: '0',
      DOCVET_KEY_RATE_PER_MINUTE: 'many',
      DOCVET_TRUSTED_PROXIES: '0.0.0.0/0',
      DOCVET_LOG_LEVEL: 'loud',
    }
    await using service = await startService(wrong, { dataDir, ready: false })
    assert.deepEqual(await service.exited, { code: 1, signal: null })
    assert.deepEqual(service.stdoutLines(), [])
    assert.match(service.output(), /10 problems/)
    for (const name of Object.keys(wrong)) assert.match(service.output(), new RegExp(`- ${name} .*Allowed:`))
    assert.doesNotMatch(service.output(), /\n\s+at /)
    assert.equal(existsSync(dataDir), false)
  })

  test('a port in use: exit 1, and the process that uses it continues', async () => {
    await using first = await startService()
    for (const env of [{}, { DOCVET_PROCESSES: '2' }, { DOCVET_REDIS_URL: 'redis://127.0.0.1:1' }]) {
      await using second = await startService(env, { port: first.port, ready: false })
      const late = sleep(60_000, { code: 'still running', signal: null }, { ref: false })
      const exit = await Promise.race([second.exited, late])
      if (exit.code !== 0 && exit.code !== 1) await second.kill()
      assert.deepEqual(exit, { code: 1, signal: null })
      const sentence = `Docvet failed to start: port ${first.port} on 127.0.0.1 is already in use. Set DOCVET_PORT to a free port.`
      assert.equal(second.output().split(sentence).length, 2)
      assert.doesNotMatch(second.output(), /EADDRINUSE|"level":"fatal"|\bat /)
    }
    assert.equal((await request(first.port, 'GET', '/livez')).status, 200)
  })
})
