/** From the first start to the last: what it prints, what it keeps, how it ends, and that it refuses to start wrongly. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
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
import { findProgram, startService, temporaryFolder } from '#test/support/service.ts'

const run = promisify(execFile)

/** Of a request that is under way when the signal comes. */
const EXIT_WITHIN_MS = 3_000
/** The aim is 2 s; this leaves room for a machine that runs other tests too. */
const SECOND_START_WITHIN_MS = 10_000

let folder: string
before(() => {
  folder = temporaryFolder('lifecycle')
})
after(() => rmSync(folder, { recursive: true, force: true }))

describe('the welcome', () => {
  test('names the address, the docs and a curl line that works when it is pasted into a shell', async () => {
    assert.ok(findProgram(['curl']), 'curl is not installed, and the welcome is for curl: apt-get install curl')
    await using service = await startService()
    const text = service.output()
    assert.ok(text.includes(`listens at ${service.url}\n`), text)
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
})

describe('what is kept', () => {
  test('is readable for its owner only, the folders included', async () => {
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

  test('is there at the next start, which is quick: account, keys and when they were used', async (t) => {
    const dataDir = path.join(folder, 'second-start')
    const first = await startService({}, { dataDir })
    const { apiKey } = await signUp(first.port)
    const other = await createKey(first.port, apiKey, 'other')
    await usage(first.port, withKey(other.apiKey))
    await first[Symbol.asyncDispose]()

    const started = performance.now()
    await using second = await startService({}, { dataDir })
    const tookMs = performance.now() - started
    t.diagnostic(`second start: ready after ${Math.round(tookMs)} ms`)
    assert.ok(tookMs < SECOND_START_WITHIN_MS, `${tookMs} ms`)
    assert.equal((await usage(second.port, withKey(apiKey))).status, 200)
    const [, kept] = await listKeys(second.port, apiKey)
    assert.equal(kept?.name, 'other')
    assert.match(kept?.lastUsedAt ?? '', TIME)
  })

  test('is there after SIGKILL, as far as it was answered', async () => {
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
    test(`${signal}: finishes the request whose body still arrives, takes no new ones, exits 0`, async () => {
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
      const answeredAt = performance.now()
      assert.equal(responses.length, 1)
      assert.equal(responses[0]!.status, 201, responses[0]!.body)
      assert.equal(responses[0]!.headers.connection, 'close')
      assert.equal(closed, true)
      assert.deepEqual(await exited, { code: 0, signal: null })
      assert.ok(performance.now() - answeredAt < EXIT_WITHIN_MS)
    })
  }
})

describe('a start that cannot work', () => {
  test('wrong settings: exit 1 with all of them at once on standard error, and nothing is made', async () => {
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

  test('a port that is taken: exit 1, and the one who has it goes on', async () => {
    await using first = await startService()
    for (const env of [{}, { DOCVET_REDIS_URL: 'redis://127.0.0.1:1' }]) {
      await using second = await startService(env, { port: first.port, ready: false })
      const late = sleep(20_000, { code: 'still running', signal: null }, { ref: false })
      const exit = await Promise.race([second.exited, late])
      if (exit.code !== 0 && exit.code !== 1) await second.kill()
      assert.deepEqual(exit, { code: 1, signal: null })
      assert.match(second.output(), /EADDRINUSE/)
    }
    assert.equal((await request(first.port, 'GET', '/livez')).status, 200)
  })
})
