/** `Prefer: respond-async`: answered when the document has arrived, with one final state later, which alone is charged. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { withKey } from '#test/support/client.ts'
import { type FakeClamd, startFakeClamd } from '#test/support/fake-clamd.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { FORM_TYPE, filePart, form, part, type ScanService, startScanService, UUID_V7 } from '#test/support/scanning.ts'
import { openPlace as openDatabasePlace } from '#test/support/seed.ts'
import { openDatabaseOf, temporaryFolder } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const LOCKED = writeZip([{ name: 'a.txt', data: 'x', local: { flags: 1 }, central: { flags: 1 } }])
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
/** Longer than a statement may wait for a lock, on both databases. */
const LOCKED_MS = 6_500
const CLEAN = 'stream: OK\0'
const FOUND = 'stream: Test.Signature FOUND\0'

interface Report {
  scanId: string
  state: string
  status: string | null
  threat: string | null
  obstacle: string | null
  problem: { code: string; status: number; title: string; detail: string | null } | null
  reference: string | null
  fileName: string
  detectedType: string | null
}

forEachDatabase('Prefer: respond-async', (openPlace) => {
  let place: DatabasePlace
  let clamd: FakeClamd
  let service: ScanService
  let key: string
  /** Ends the scans that are held. */
  let release = (_answer: string) => {}
  before(async () => {
    place = await openPlace()
    clamd = await startFakeClamd()
    service = await start()
    key = await service.newKey()
  })
  after(async () => {
    release(CLEAN)
    await service[Symbol.asyncDispose]()
    await clamd.close()
    await place.release()
  })

  const start = () =>
    startScanService(
      {
        DOCVET_DATABASE_URL: place.url ?? undefined,
        DOCVET_ENGINES: 'embedded,clamd',
        DOCVET_CLAMD_URL: clamd.url,
        DOCVET_SCAN_DEADLINE_MS: '60000',
      },
      { dataDir: place.dataDir },
    )

  /** Until `release`, no scan ends. */
  function hold(): void {
    const held = Promise.withResolvers<string>()
    clamd.script.onDocument = () => held.promise
    release = held.resolve
  }
  const pass = () => {
    clamd.script.onDocument = () => CLEAN
  }

  const post = (
    content: string | Buffer,
    headers: Record<string, string> = {},
    { fields = [] as [string, string][], on = service, fileName = 'a.txt', type = 'text/plain' } = {},
  ): Promise<Answer> =>
    request(on.port, 'POST', '/api/v1/scan', {
      headers: { ...withKey(key), 'content-type': FORM_TYPE, prefer: 'respond-async', ...headers },
      body: form(
        ...fields.map(([name, value]) => part([`Content-Disposition: form-data; name="${name}"`], value)),
        filePart(content, { fileName, type }),
      ),
    })
  const accepted = (answer: Answer): string => {
    assert.equal(answer.status, 202, answer.body)
    const { scanId } = answer.json() as { scanId: string }
    return scanId
  }
  const read = async (scanId: string): Promise<{ answer: Answer; report: Report }> => {
    const answer = await request(service.port, 'GET', `/api/v1/scans/${scanId}`, { headers: withKey(key) })
    assert.equal(answer.status, 200, answer.body)
    return { answer, report: answer.json() as Report }
  }
  const ended = async (scanId: string): Promise<Report> => {
    for (;;) {
      const { report, answer } = await read(scanId)
      if (report.state !== 'queued' && report.state !== 'running') return report
      assert.equal(answer.headers['retry-after'], '1')
      assert.equal(report.status, null)
      await sleep(50)
    }
  }

  test('202 with the report in Location, which becomes done and is charged then', async () => {
    hold()
    const before = await service.used(key)
    const answer = await post('Dear Ada', {}, { fields: [['reference', 'upload-4711 ü']] })
    const scanId = accepted(answer)
    assert.match(scanId, UUID_V7)
    assert.deepEqual(answer.json(), { scanId, state: 'queued', reference: 'upload-4711 ü' })
    assert.equal(answer.headers.location, `/api/v1/scans/${scanId}`)
    assert.equal(answer.headers['preference-applied'], 'respond-async')
    assert.equal(answer.headers['retry-after'], '1')
    const { report, answer: poll } = await read(scanId)
    assert.equal(poll.headers['retry-after'], '1')
    assert.deepEqual(
      [report.state, report.status, report.threat, report.obstacle, report.problem, report.detectedType],
      ['queued', null, null, null, null, null],
    )
    assert.deepEqual([report.reference, report.fileName], ['upload-4711 ü', 'a.txt'])
    assert.equal(await service.used(key), before)
    release(CLEAN)
    const done = await ended(scanId)
    assert.deepEqual(
      [done.state, done.status, done.problem, done.reference, done.detectedType],
      ['done', 'clean', null, 'upload-4711 ü', 'text/plain'],
    )
    assert.equal(await service.used(key), before + 1)
  })

  test('infected', async () => {
    pass()
    // Not the file itself, which is a canary of clamd.
    const done = await ended(
      accepted(await post(writeZip([{ name: 'a.txt', data: EICAR }]), {}, { fileName: 'a.zip' })),
    )
    assert.deepEqual([done.state, done.status, done.threat], ['done', 'infected', 'Docvet.Test.Eicar'])
    clamd.script.onDocument = () => FOUND
    assert.equal((await ended(accepted(await post('anything')))).threat, 'Test.Signature')
  })

  test('200 with wait= if the verdict is there by then, 202 otherwise', async () => {
    pass()
    const quick = await post('quick', { prefer: 'respond-async, wait=30' })
    assert.equal(quick.status, 200, quick.body)
    const { scanId, status } = quick.json() as Report
    assert.equal(status, 'clean')
    assert.equal(quick.headers['content-location'], `/api/v1/scans/${scanId}`)
    assert.deepEqual((await read(scanId)).report.state, 'done')
    hold()
    const slow = accepted(await post('slow', { prefer: 'wait=1, respond-async' }))
    release(CLEAN)
    assert.equal((await ended(slow)).status, 'clean')
    assertProblem(
      await post(LOCKED, { prefer: 'respond-async, wait=30' }, { fileName: 'a.zip' }),
      422,
      'encrypted_document',
    )
  })

  test('other preferences, and wait alone, change nothing', async () => {
    pass()
    for (const prefer of ['wait=0', 'return=minimal', 'respond-asynchronously']) {
      const answer = await post('as ever', { prefer })
      assert.equal(answer.status, 200, prefer)
      assert.equal(answer.headers['preference-applied'], undefined)
    }
  })

  test('refusals that need no engine are immediate', async () => {
    pass()
    assertProblem(await post('x', { 'x-api-key': 'no' }), 401, 'unauthenticated')
    assertProblem(await post(''), 400, 'empty_file')
    assertProblem(await post('x', {}, { type: 'image/png' }), 415, 'unsupported_content_type')
    assertProblem(await post(Buffer.alloc(26_214_401)), 413, 'file_too_large')
    assertProblem(await post('x', { 'idempotency-key': 'with space' }), 400, 'invalid_request')
    const long = await post('x', {}, { fields: [['reference', 'é'.repeat(257)]] })
    assert.match(assertProblem(long, 400, 'invalid_request').detail, /`reference` must have at most 256 characters/)
    assertProblem(await post('x', {}, { fields: [['reference', 'a\nb']] }), 400, 'invalid_request')
    assertProblem(
      await post(
        'x',
        {},
        {
          fields: [
            ['reference', 'a'],
            ['reference', 'b'],
          ],
        },
      ),
      400,
      'invalid_request',
    )
    await ended(accepted(await post('x', {}, { fields: [['reference', 'é'.repeat(256)]] })))
  })

  test('documents without a verdict are refused with their problem, and not charged', async () => {
    pass()
    const before = await service.used(key)
    const locked = await ended(accepted(await post(LOCKED, {}, { fileName: 'a.zip' })))
    assert.deepEqual(
      [locked.state, locked.status, locked.obstacle, locked.problem],
      [
        'refused',
        null,
        'encrypted',
        { code: 'encrypted_document', status: 422, title: 'Encrypted document', detail: null },
      ],
    )
    const picture = await ended(accepted(await post(PNG)))
    assert.deepEqual(
      [picture.state, picture.obstacle, picture.problem?.code],
      ['refused', 'unsupported', 'unsupported_content_type'],
    )
    clamd.script.onDocument = () => 'stream: Can not allocate memory ERROR\0'
    const failed = await ended(accepted(await post('engine fails')))
    assert.deepEqual(
      [failed.state, failed.status, failed.obstacle, failed.problem?.code],
      ['failed', null, null, 'engine_unavailable'],
    )
    assert.equal(await service.used(key), before)
    pass()
  })

  test('the list has the states, and filters by them', async () => {
    const states = async (query: string) => {
      const answer = await request(service.port, 'GET', `/api/v1/scans?limit=100&${query}`, { headers: withKey(key) })
      return new Set((answer.json() as { items: Report[] }).items.map(({ state }) => state))
    }
    hold()
    const scanId = accepted(await post('listed'))
    for (const state of ['queued', 'done', 'refused', 'failed'])
      assert.deepEqual(await states(`state=${state}`), new Set([state]))
    assert.deepEqual(await states('state=running'), new Set())
    assert.deepEqual(await states(''), new Set(['queued', 'done', 'refused', 'failed']))
    assert.deepEqual(await states('status=refused'), new Set(['refused']))
    assert.deepEqual(await states('status=clean'), new Set(['done']))
    release(CLEAN)
    await ended(scanId)
  })

  test('a repeated request gets the same 202 while it runs, then the result, and is charged once', async () => {
    const before = await service.used(key)
    hold()
    const name = { 'idempotency-key': `async-${place.url === null}` }
    const fields: [string, string][] = [['reference', 'r-1']]
    const scanId = accepted(await post('once', name, { fields }))
    // Also with another reference: the document is the same.
    for (const again of [{ fields }, { fields: [['reference', 'r-2']] as [string, string][] }, {}])
      assert.deepEqual((await post('once', name, again)).json(), { scanId, state: 'queued', reference: 'r-1' })
    assertProblem(await post('another', name), 422, 'idempotency_key_reused')
    assertProblem(await post('once', { ...name, prefer: 'return=minimal' }), 409, 'request_in_progress')
    release(CLEAN)
    await ended(scanId)
    for (const prefer of ['respond-async', 'wait=1']) {
      const answer = await post('once', { ...name, prefer })
      assert.equal(answer.status, 200, answer.body)
      assert.equal((answer.json() as Report).scanId, scanId)
    }
    assert.equal(await service.used(key), before + 1)
  })

  test('a repeated request is scanned again if the first had no verdict', async () => {
    clamd.script.onDocument = () => 'stream: Can not allocate memory ERROR\0'
    const name = { 'idempotency-key': `again-${place.url === null}` }
    const first = accepted(await post('again', name))
    assert.equal((await ended(first)).state, 'failed')
    pass()
    const second = accepted(await post('again', name))
    assert.notEqual(second, first)
    assert.equal((await ended(second)).status, 'clean')
  })

  test('a client that leaves after the document arrived does not end the scan', async () => {
    hold()
    const answer = accepted(await post('left', { connection: 'close' }))
    await sleep(100)
    release(CLEAN)
    assert.equal((await ended(answer)).status, 'clean')
  })

  test('another process that stops while it charges the same key delays the verdict, and loses none', async () => {
    hold()
    const before = await service.used(key)
    const scanId = accepted(await post('Dear Grace'))
    const other = await openDatabasePlace(place)
    await other.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('usage_counters')
        .set((eb) => ({ used: eb.ref('used') }))
        .execute()
      release(CLEAN)
      await sleep(LOCKED_MS)
    })
    const done = await ended(scanId)
    assert.deepEqual([done.state, done.status, done.problem], ['done', 'clean', null])
    assert.equal(await service.used(key), before + 1)
    await other.close()
  })

  test('SIGTERM waits for the verdict', async () => {
    hold()
    const scanId = accepted(await post('stopping'))
    const stopping = service.stop()
    await sleep(500)
    release(CLEAN)
    await stopping
    service = await start()
    assert.equal((await read(scanId)).report.status, 'clean')
  })
})

describe('without reports', () => {
  test('the preference is ignored, because nobody could ask for the verdict', async () => {
    await using service = await startScanService({ DOCVET_SCAN_RETENTION_DAYS: '0' })
    const answer = await request(service.port, 'POST', '/api/v1/scan', {
      headers: { ...withKey(await service.newKey()), 'content-type': FORM_TYPE, prefer: 'respond-async' },
      body: form(filePart('Dear Ada')),
    })
    assert.equal(answer.status, 200, answer.body)
    assert.equal(answer.headers['preference-applied'], undefined)
  })
})

describe('a killed process', () => {
  test('its scan is failed soon, reported to the endpoint, not charged, and can be sent again', async () => {
    const events: string[] = []
    const receiver = createServer(async (incoming, response) => {
      events.push(Buffer.concat(await Array.fromAsync(incoming)).toString())
      response.end()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const target = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
    await using clamd = await startFakeClamd({ onDocument: () => 'hang' })
    const dataDir = temporaryFolder('killed')
    const env = {
      ...{ DOCVET_ENGINES: 'embedded,clamd', DOCVET_CLAMD_URL: clamd.url, DOCVET_OUTBOUND_ALLOW: target },
    } as const
    const first = await startScanService(env, { dataDir })
    const key = await first.newKey()
    const post = (port: number) =>
      request(port, 'POST', '/api/v1/scan', {
        headers: { ...withKey(key), 'content-type': FORM_TYPE, prefer: 'respond-async', 'idempotency-key': 'killed' },
        body: form(filePart('killed')),
      })
    const made = await request(first.port, 'POST', '/api/v1/webhooks', {
      headers: withKey(key),
      body: { url: `http://${target}/`, events: ['scan.failed'] },
    })
    assert.equal(made.status, 201, made.body)
    const accepted = (await post(first.port)).json() as Report
    assert.equal(accepted.state, 'queued')
    await first.kill()

    const database = openDatabaseOf({ dataDir })
    database.prepare("insert into secret_keys values ('other', ?)").run(Date.now() + 60_000)
    database.close()
    await using service = await startScanService(env, { dataDir })
    const health = (await request(service.port, 'GET', '/api/v1/health')).json() as { secretKey?: string }
    assert.match(health.secretKey ?? '', /^Another process of this database has another secret key\./)
    await service.logged(/"level":"error".*another secret key/)
    const report = async (scanId: string): Promise<Report> => {
      for (;;) {
        const answer = await request(service.port, 'GET', `/api/v1/scans/${scanId}`, { headers: withKey(key) })
        const read = answer.json() as Report
        if (read.state !== 'queued' && read.state !== 'running') return read
        await sleep(200)
      }
    }
    assert.equal(((await post(service.port)).json() as Report).scanId, accepted.scanId)
    const lost = await report(accepted.scanId)
    assert.deepEqual([lost.state, lost.status, lost.problem?.code], ['failed', null, 'scan_lost'])
    assert.equal(await service.used(key), 0)
    while (events.length === 0) await sleep(100)
    const { type, data } = JSON.parse(events[0] ?? '') as { type: string; data: Record<string, unknown> }
    assert.deepEqual(
      [type, data.scanId, data.status, data.problem],
      ['scan.failed', accepted.scanId, null, 'scan_lost'],
    )
    receiver.close()
    clamd.script.onDocument = () => CLEAN
    const again = (await post(service.port)).json() as Report
    assert.notEqual(again.scanId, accepted.scanId)
    assert.equal((await report(again.scanId)).status, 'clean')
    assert.equal(await service.used(key), 1)
    rmSync(dataDir, { recursive: true, force: true })
  })
})
