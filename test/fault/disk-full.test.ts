/** A full disk: scans are 503, readiness and health say so, and everything recovers when space is free again. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { isStorageUnavailable } from '#base/errors.ts'
import { openDatabase } from '#storage/database.ts'
import { serverUser, startPostgres } from '#test/support/postgres.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { until } from '#test/support/scan-process.ts'
import { assertClean, type ScanService, startScanService } from '#test/support/scanning.ts'
import { quietLog } from '#test/support/seed.ts'
import { smallDisk } from '#test/support/small-disk.ts'
import { needs } from '#test/support/suite.ts'

const READY_MS_MAX = 30_000

const disk = smallDisk(16)
/** Some containers permit no mounts. The tests that limit the file size and make PostgreSQL read-only need none. */
function testOnSmallDisk(name: string, run: () => Promise<void>): void {
  if (disk.isMounted) test(name, run)
  else console.log(`NOT RUN, because this system permits no mounts: ${name}`)
}

/** Makes every write to a file of the process fail; needs no privilege. */
function limitFileSize(pid: number): () => void {
  const limit = (soft: string) => execFileSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:unlimited`])
  limit('0')
  return () => limit('unlimited')
}

describe('a disk that accepts no writes', () => {
  let service: ScanService
  let key: string
  before(async () => {
    service = await startScanService({ DOCVET_EMBEDDED_CHILDREN: '1' }, { dataDir: disk.folder })
    key = await service.newKey()
  })
  after(async () => {
    assert.equal((await service.stop()).code, 0, service.output())
    await service[Symbol.asyncDispose]()
    disk.remove()
  })

  const get = (route: string) => request(service.port, 'GET', route)
  const count = (message: string) => service.output().split(`"msg":"${message}"`).length - 1

  async function loseAndRegain(lose: () => () => void, detail: string): Promise<void> {
    const lost = count('Storage does not accept writes')
    const usedBefore = await service.used(key)
    assertClean(await service.scan(key, 'Good morning'))

    const regain = lose()
    try {
      for (let i = 0; i < 5; i++) assertProblem(await service.scan(key, 'Good morning'), 503, 'storage_unavailable')
      const ready = await get('/readyz')
      assert.equal(ready.status, 503)
      assert.match(ready.headers['retry-after'] ?? '', /^[1-9]\d*$/)
      assert.deepEqual(ready.json(), { status: 'DOWN', storage: 'DOWN', engine: 'UP', detail })
      const health = await get('/api/v1/health')
      assert.equal(health.status, 503)
      const { status, engine } = health.json() as Record<string, string>
      assert.deepEqual([status, engine], ['DOWN', 'UP'])
      assert.equal((await get('/livez')).status, 200)
      assert.equal(await service.used(key), usedBefore + 1, 'reads work')
    } finally {
      regain()
    }

    assert.notEqual(await until(async () => (await get('/readyz')).status === 200, READY_MS_MAX), null)
    assert.equal((await get('/api/v1/health')).status, 200)
    assertClean(await service.scan(key, 'Good morning'))
    assert.equal(await service.used(key), usedBefore + 2)
    const isLogged = () => count('Storage accepts writes again') === lost + 1
    assert.notEqual(await until(isLogged, READY_MS_MAX, 10), null)
    assert.equal(count('Storage does not accept writes'), lost + 1, 'logged once')
  }

  testOnSmallDisk('because it is full: 503 until space is free', () =>
    loseAndRegain(disk.fill, 'The storage does not accept writes: the disk is full.'),
  )

  test('because files cannot grow: 503 until they can', () =>
    loseAndRegain(() => limitFileSize(service.pid), 'The storage does not accept writes.'))
})

describe('PostgreSQL on a full disk', needs('postgres'), () => {
  testOnSmallDisk('is reported by a failed write, and the check succeeds only when there is space', async () => {
    const space = smallDisk(16)
    const { uid = 0, gid = 0 } = serverUser() ?? {}
    chownSync(space.folder, uid, gid)
    await using postgres = await startPostgres()
    await postgres.administer(`create tablespace small location '${space.folder}'`)
    await postgres.administer('create database small tablespace small template template0')
    const url = postgres.url.replace(/docvet$/, 'small')
    const database = await openDatabase({ databaseUrl: url, dataDir: '/nowhere', log: quietLog })
    const { db, writes } = database
    const write = (id: string) => db.insertInto('replicas').values({ id, seen_at: 1 }).execute()

    const regain = space.fill()
    // Existing pages have room for some rows.
    await assert.rejects(async () => {
      for (let i = 0; ; i++) await write(`${'x'.repeat(1_000)}${i}`)
    }, isStorageUnavailable)
    const full = 'The storage does not accept writes: the disk is full.'
    assert.equal(await database.problem(), full)
    await assert.rejects(database.probeSpace(), isStorageUnavailable)
    await db.deleteFrom('replicas').where('id', 'like', '%0').execute()
    assert.equal(await database.problem(), full, 'a write that needs no space proves nothing')

    regain()
    await database.probeSpace()
    writes.succeeded()
    assert.equal(await database.problem(), null)
    await write('y'.repeat(1_000))
    await database.close()
    await postgres.close()
    space.remove()
  })
})
