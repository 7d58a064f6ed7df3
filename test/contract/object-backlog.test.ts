/** `docvet objects`: lists a store in pages, queues, can be killed and continued, and sums up. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { runAdmin } from '#admin/admin.ts'
import { loadConfig } from '#config/config.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { eventually, type ObjectService, startObjectService } from '#test/support/object-service.ts'
import { S3_CREDENTIALS, type S3Store, startS3 } from '#test/support/object-stores.ts'
import { query } from '#test/support/scanning.ts'
import { quietLog } from '#test/support/seed.ts'
import { openDatabaseOf } from '#test/support/service.ts'

const ROOT = path.join(import.meta.dirname, '../..')

describe('docvet objects', () => {
  let store: S3Store
  let service: ObjectService

  before(async () => {
    store = await startS3('backlog', 'quarantine')
    store.pageSize = 3
    const source = {
      ...{ name: 'backlog', kind: 's3', endpoint: store.url, bucket: 'backlog', secretAccessKeyFile: 'secret' },
      ...{ accessKeyId: S3_CREDENTIALS.accessKeyId, onInfected: 'move', quarantine: 'backlog/bad' },
    }
    const secrets = { secret: S3_CREDENTIALS.secretAccessKey }
    service = await startObjectService([source], secrets, { DOCVET_OUTBOUND_ALLOW: `127.0.0.1:${store.port}` })
  })
  after(async () => {
    await service?.[Symbol.asyncDispose]()
    await store?.[Symbol.asyncDispose]()
  })

  function start(...args: string[]) {
    const { plan: _plan, ...settings } = service.settings
    const env = { ...process.env, ...settings, DOCVET_DATA_DIR: service.dataDir }
    const child = spawn(process.execPath, ['server/main.ts', 'objects', ...args], { cwd: ROOT, env })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (text) => (stdout += text))
    child.stderr.on('data', (text) => (stderr += text))
    const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr }))
    return { child, ended }
  }
  const run = (...args: string[]) => start(...args).ended

  test('every object is scanned once, tagged or moved, and counted; what it has moved is left out', async () => {
    const keys = Array.from({ length: 7 }, (_, index) => `in/${index}.txt`)
    for (const key of keys) await store.put('backlog', key, `text ${key}`)
    await store.put('backlog', 'in/eicar.txt', EICAR)
    await store.put('backlog', 'in/folder/', '')
    const before = await service.used(service.secret)
    const { code, stdout, stderr } = await run('backlog', '--json')
    assert.equal(code, 0, stderr)
    const summary = { source: 'backlog', prefix: '', listed: 9, queued: 8, clean: 7, infected: 1 }
    assert.deepEqual(JSON.parse(stdout), summary)
    assert.match(stderr, /\[####################\] 100 %: 8 of 8 scanned \(1 infected\), 9 listed/)
    for (const key of keys) assert.deepEqual(await store.tags('backlog', key), { 'docvet-status': 'clean' })
    assert.equal(await store.get('backlog', 'in/eicar.txt'), null)
    assert.equal(String(await store.get('backlog', 'bad/in/eicar.txt')), EICAR)
    assert.equal(await service.used(service.secret), before + 8)
    assert.equal(query(service, 'select 1 from object_scans').length, 0)
    // A list that was scanned to its end is not continued, but made again, without the quarantine.
    const again = JSON.parse((await run('backlog', '--prefix', 'bad/', '--json')).stdout)
    assert.deepEqual(again, { source: 'backlog', prefix: 'bad/', listed: 1, queued: 0 })
    const later = await run('backlog', '--since', '2999-01-01', '--json')
    assert.deepEqual([JSON.parse(later.stdout).listed, JSON.parse(later.stdout).queued], [8 + 1, 0])
  })

  test('new credentials are used for the next page; killed, it continues there, and nothing is scanned twice', async () => {
    const keys = Array.from({ length: 12 }, (_, index) => `more/${String(index).padStart(2, '0')}.txt`)
    for (const key of keys) await store.put('backlog', key, `text ${key}`)
    const before = await service.used(service.secret)
    const lists = () => store.requests.filter((each) => /list-type=2.*prefix=more/.test(each)).length
    const first = start('backlog', '--prefix', 'more/', '--rate', '2')
    await eventually(async () => lists() >= 1, 'the first page')
    const { sourcesFile } = service
    const sources = readFileSync(sourcesFile, 'utf8')
    const listedWith = new Set<string | undefined>()
    store.intercept = ({ url, headers }) => {
      if (url?.includes('list-type=2')) listedWith.add(/Credential=(\w+)/.exec(headers.authorization ?? '')?.[1])
      return false
    }
    writeFileSync(sourcesFile, sources.replace(S3_CREDENTIALS.accessKeyId, 'ROTATED'))
    // The store does not know them: the former ones are asked next.
    await eventually(async () => listedWith.has('ROTATED'), 'a page with new credentials')
    store.intercept = () => false
    writeFileSync(sourcesFile, sources)
    first.child.kill('SIGKILL')
    await first.ended
    const { code, stdout, stderr } = await run('backlog', '--prefix', 'more/', '--json')
    assert.equal(code, 0, stderr)
    assert.deepEqual(JSON.parse(stdout), { source: 'backlog', prefix: 'more/', listed: 12, queued: 12, clean: 12 })
    assert.equal(await service.used(service.secret), before + 12)
    assert.ok(lists() <= 7, `${lists()} pages were listed`)
  })

  test('an object that could not be tagged is tagged by a retry of its job', async () => {
    await store.put('backlog', 'full/a.txt', 'x')
    const tags = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`k${index}`, 'v']))
    await store.setTags('backlog', 'full/a.txt', tags)
    const { stdout } = await run('backlog', '--prefix', 'full/', '--json')
    assert.deepEqual(JSON.parse(stdout), { source: 'backlog', prefix: 'full/', listed: 1, queued: 1, unmarked: 1 })
    await store.setTags('backlog', 'full/a.txt', { team: 'a' })
    const { plan: _plan, ...settings } = service.settings
    const env = { ...process.env, ...settings, DOCVET_DATA_DIR: service.dataDir }
    const admin = (...args: string[]) =>
      runAdmin(args, { config: () => loadConfig(env), startEngines: async () => [], log: quietLog })
    const listed = await eventually(async () => {
      const jobs = JSON.parse((await admin('jobs', 'list', '--state', 'failed', '--json')).stdout) as { id: string }[]
      return jobs.length > 0 && jobs
    }, 'the failed job')
    await admin('jobs', 'retry', listed[0]?.id ?? '')
    await eventually(async () => (await store.tags('backlog', 'full/a.txt'))['docvet-status'] === 'clean', 'the tag')
    await eventually(async () => query(service, 'select 1 from scan_requests').length === 0, 'the end of its job')
    const again = await run('backlog', '--prefix', 'full/', '--json')
    assert.deepEqual(JSON.parse(again.stdout).clean, 1)
  })

  test('admin check names the store, its key, and a store that denies access', async () => {
    const { plan: _plan, ...settings } = service.settings
    const env = { ...process.env, ...settings, DOCVET_DATA_DIR: service.dataDir }
    const check = async () => {
      const installation = { config: () => loadConfig(env), startEngines: async () => [], log: quietLog }
      const { stdout } = await runAdmin(['check', '--json'], installation)
      const found = (JSON.parse(stdout) as { part: string; status: string; detail: string }[]).find(
        ({ part }) => part === 'source backlog',
      )
      return [found?.status, found?.detail]
    }
    assert.deepEqual(await check(), ['OK', `backlog at ${store.url}, key ${service.keyId}`])
    store.intercept = (_request, response) => {
      response.writeHead(403).end()
      return true
    }
    const [status, detail] = await check()
    store.intercept = () => false
    assert.equal(status, 'WARNING')
    assert.match(detail ?? '', /cannot be listed: access denied/)
  })

  test('with another secret key than the service nothing is queued', async () => {
    const { plan: _plan, ...settings } = service.settings
    const env = { ...process.env, ...settings, DOCVET_DATA_DIR: service.dataDir }
    using database = openDatabaseOf(service)
    database.prepare("insert into secret_keys values ('other', ?)").run(Date.now())
    const installation = { config: () => loadConfig(env), startEngines: async () => [], log: quietLog }
    const { exitCode, stderr } = await runAdmin(['objects', 'backlog'], installation)
    database.exec("delete from secret_keys where name = 'other'")
    assert.equal(exitCode, 1)
    assert.match(stderr, /could not read what is queued here\. .*the same DOCVET_SECRET_KEY/)
  })

  test('mistakes are explained', async () => {
    const WRONG: [string[], number, RegExp][] = [
      [['nowhere'], 1, /DOCVET_SOURCES_FILE has no source "nowhere". It has: backlog\./],
      [['backlog', '--since', 'yesterday'], 2, /--since must be a date/],
      [['backlog', '--rate', '0'], 2, /--rate must be a number/],
    ]
    for (const [args, expected, sentence] of WRONG) {
      const { code, stderr } = await run(...args)
      assert.equal(code, expected, stderr)
      assert.match(stderr, sentence)
    }
    store.intercept = (_request, response) => {
      response.writeHead(403).end()
      return true
    }
    const denied = await run('backlog', '--prefix', 'x')
    store.intercept = () => false
    assert.equal(denied.code, 1)
    assert.match(denied.stderr, /access denied/)
  })
})
