/** Asynchronous scans of three replicas, of which one is killed and one paused: each has one final state and is charged once. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EICAR } from '#inspect/testing/samples.ts'
import type { Database } from '#storage/database.ts'
import { withKey } from '#test/support/client.ts'
import { type FakeClamd, startFakeClamd } from '#test/support/fake-clamd.ts'
import { expireLease, until } from '#test/support/jobs.ts'
import { request } from '#test/support/raw-http.ts'
import { FORM_TYPE, filePart, form, plansFile, type ScanService, startScanService } from '#test/support/scanning.ts'
import { openPlace } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

/** Of each kind. */
const SCANS = 100
const CLEAN = 'stream: OK\0'
const FOUND = 'stream: Test.Signature FOUND\0'
/** Longer than a resumed process needs for what it had begun. */
const RESUMED_MS = 3_000
const PATIENCE_MS = 240_000
const LONG_AGO_MS = 60 * 60 * 1_000
const SECRET = Buffer.alloc(32, 's').toString('base64')
const SIGNATURE = 'X-Amz-Signature=5ecre7s1gnature'

interface Report {
  scanId: string
  state: string
  status: string | null
  fileName: string
  problem: { code: string } | null
}

forEachDatabase('asynchronous scans of replicas', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  let peer: Server
  const replicas: ScanService[] = []
  let clamd: FakeClamd
  const fetched: string[] = []
  const events: { id: string; scanId: string; status: string | null }[] = []
  const gate = Promise.withResolvers<void>()

  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
    peer = createServer(async (incoming, response) => {
      const { pathname } = new URL(incoming.url ?? '/', 'http://peer')
      if (incoming.method === 'POST') {
        const body = JSON.parse(Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>)).toString())
        events.push({ id: String(incoming.headers['webhook-id']), ...body.data })
        return response.end()
      }
      fetched.push(pathname)
      await gate.promise
      response.end(pathname.startsWith('/bad') ? EICAR : `fetched ${pathname}`)
    }).listen(0, '127.0.0.1')
    await once(peer, 'listening')
    const held = gate.promise.then(() => {})
    clamd = await startFakeClamd()
    clamd.script.onDocument = async (document) => {
      await held
      return document.includes('EICAR') || document.includes('bad') ? FOUND : CLEAN
    }
    const target = `127.0.0.1:${(peer.address() as AddressInfo).port}`
    const env = {
      ...{ DOCVET_DATABASE_URL: place.url ?? undefined, DOCVET_SECRET_KEY: SECRET, DOCVET_PLANS_FILE: plansFile() },
      ...{ DOCVET_ENGINES: 'embedded,clamd', DOCVET_CLAMD_URL: clamd.url, DOCVET_SCAN_DEADLINE_MS: '60000' },
      ...{ DOCVET_EMBEDDED_CHILDREN: '1', DOCVET_OUTBOUND_ALLOW: target },
    } as const
    for (let n = 0; n < 3; n++) replicas.push(await startScanService(env, { dataDir: place.dataDir }))
  })
  after(async () => {
    gate.resolve()
    for (const each of replicas) await each[Symbol.asyncDispose]()
    peer.closeAllConnections()
    peer.close()
    await clamd.close()
    await database.close()
    await place.release()
  })

  test(`${2 * SCANS} scans, one replica killed, one paused`, { timeout: 3 * PATIENCE_MS }, async () => {
    const [killed, paused, alive] = replicas as [ScanService, ScanService, ScanService]
    const key = await alive.newKey()
    const base = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`
    const made = await request(alive.port, 'POST', '/api/v1/webhooks', {
      headers: withKey(key),
      body: { url: `${base}/` },
    })
    assert.equal(made.status, 201, made.body)
    const accepted: { scanId: string; name: string }[] = []
    const nameOf = (n: number) => `${n % 2 === 0 ? 'bad' : 'good'}-${n}.txt`
    for (let n = 0; n < SCANS; n++) {
      const on = replicas[n % 3] as ScanService
      const headers = { ...withKey(key), prefer: 'respond-async' }
      const answers = await Promise.all([
        request(on.port, 'POST', '/api/v1/scans', { headers, body: { url: `${base}/${nameOf(n)}?${SIGNATURE}` } }),
        // As many as fit into the documents in flight of three processes.
        request(on.port, 'POST', '/api/v1/scan', {
          headers: { ...headers, 'content-type': FORM_TYPE },
          body: form(filePart(`upload ${nameOf(n)}`, { fileName: nameOf(n) })),
        }),
      ])
      for (const answer of answers) {
        assert.equal(answer.status, 202, answer.body)
        accepted.push({ ...(answer.json() as { scanId: string }), name: nameOf(n) })
      }
    }
    await until('as many fetches as an account may have', () => fetched.length >= 4)
    const jobs = JSON.stringify(await database.db.selectFrom('scan_requests').selectAll().execute())
    assert.doesNotMatch(jobs, /5ecre7|X-Amz|127\.0\.0\.1/)

    // On SQLite, a process that is paused while it writes stops all others, which no lease can help.
    const pauses = place.url !== null
    process.kill(paused.pid, pauses ? 'SIGSTOP' : 'SIGKILL')
    await killed.kill()
    // As if time had passed. The live replica renews its own before it gives up those of others.
    await expireLease(database)
    await database.db
      .updateTable('scans')
      .set((eb) => ({ lease_until: eb('lease_until', '-', LONG_AGO_MS) }))
      .where('lease_until', '<', Date.now() + LONG_AGO_MS)
      .execute()
    gate.resolve()

    const reports = async (): Promise<Report[]> => {
      const found: Report[] = []
      for (let cursor = ''; ; ) {
        const path = `/api/v1/scans?limit=100${cursor && `&cursor=${cursor}`}`
        const answer = await request(alive.port, 'GET', path, { headers: withKey(key) })
        const { items, nextCursor } = answer.json() as { items: Report[]; nextCursor: string | null }
        found.push(...items)
        if (nextCursor === null) return found
        cursor = nextCursor
      }
    }
    const isOpen = ({ state }: Report) => state === 'queued' || state === 'running'
    await until('all have ended', async () => !(await reports()).some(isOpen), PATIENCE_MS)
    const ended = await reports()
    if (pauses) process.kill(paused.pid, 'SIGCONT')
    await sleep(RESUMED_MS)

    const last = await reports()
    assert.deepEqual(last, ended, 'a final state has changed')
    const byId = new Map(last.map((report) => [report.scanId, report]))
    assert.equal(last.length, accepted.length)
    const ends = accepted.map(({ scanId, name }, n) => {
      const { state, status, problem } = byId.get(scanId) as Report
      const end = `${state} ${status ?? problem?.code}`
      const verdict = `done ${name.startsWith('bad') ? 'infected' : 'clean'}`
      const isUpload = n % 2 === 1
      assert.ok(end === verdict || (isUpload && end === 'failed scan_lost'), `${name}: ${end}`)
      return end
    })
    const done = last.filter(({ state }) => state === 'done')
    assert.equal(await alive.used(key), done.length)
    const charged = await database.db.selectFrom('usage_ledger').select('scan_id').execute()
    assert.deepEqual(charged.map(({ scan_id: id }) => id).sort(), done.map(({ scanId }) => scanId).sort())
    await until(
      'all are reported',
      () => new Set(events.map(({ scanId }) => scanId)).size === accepted.length,
      PATIENCE_MS,
    )
    const told = new Set(events.map(({ id, scanId, status }) => `${id} ${scanId} ${status}`))
    assert.equal(told.size, accepted.length, 'a scan was reported twice')
    for (const { scanId, status } of events) assert.equal(status, byId.get(scanId)?.status ?? null)
    const counts = Object.entries(Object.groupBy(ends, (end) => end)).map(([end, all]) => `${all?.length} ${end}`)
    assert.ok(ends.includes('failed scan_lost'), 'no upload was lost: the replicas ended too late')
    assert.deepEqual(await database.db.selectFrom('scan_requests').select('scan_id').execute(), [])
    const units = await database.db
      .selectFrom('usage_leases')
      .select('held')
      .where('replica_id', '=', 'queue')
      .execute()
    assert.deepEqual(units, [], 'a scan that has ended still has a reserved unit')
    for (const each of replicas) assert.doesNotMatch(each.output(), /5ecre7|X-Amz/)
    console.log(`  ${counts.join(', ')}; ${fetched.length} fetches`)
  })
})
