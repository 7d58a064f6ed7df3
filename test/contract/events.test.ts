/** Events of scans for a SIEM: OCSF, one per line, with a cursor. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Compile, type Validator } from 'typebox/schema'
import { runAdmin } from '#admin/admin.ts'
import { newId } from '#base/ids.ts'
import { loadConfig } from '#config/config.ts'
import type { Engine } from '#engines/engine.ts'
import type { Database } from '#storage/database.ts'
import { startApp } from '#test/support/app.ts'
import { createKey, signUp, withKey } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { cleanEngine, plansFile, scan, scanned } from '#test/support/scanning.ts'
import { openPlace, quietLog } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const CLASSES = JSON.parse(readFileSync(new URL('../support/ocsf-classes.json', import.meta.url), 'utf8'))
const SCHEMAS: Readonly<Record<number, Validator>> = { 6007: Compile(CLASSES[6007]), 2004: Compile(CLASSES[2004]) }
/** Long enough for what a test stores late. */
const LAG_MS = 1_500

const engine: Engine = {
  ...cleanEngine,
  async inspect({ chunks }) {
    const text = Buffer.concat(chunks).toString()
    if (text.includes('a threat'))
      return { kind: 'detected', threat: 'Test.Threat', path: [], beneath: { kind: 'clean' } }
    if (text.includes('a lock'))
      return { kind: 'unscannable', obstacle: 'encrypted', detail: 'Encrypted.', isLocked: true }
    return { kind: 'clean' }
  },
}

type Tree = Record<string, unknown>
interface Event extends Tree {
  class_uid: number
  scan?: { uid: string }
  finding_info?: { uid: string; title: string }
  unmapped: { cursor: string; keyId: string }
  evidences?: { file: { name: string; hashes: { value: string }[] } }[]
  malware?: Tree[]
}

/** Valid by the schema of its class; the type is that of the class and activity. */
function assertOcsf(event: Event): void {
  const [isValid, errors] = SCHEMAS[event.class_uid]?.Errors(event) ?? [false, 'no class']
  assert.ok(isValid, `${JSON.stringify(errors)} in ${JSON.stringify(event)}`)
  assert.equal(event.type_uid, event.class_uid * 100 + Number(event.activity_id))
}

forEachDatabase('events of scans', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  let app: Awaited<ReturnType<typeof startApp>>
  before(async () => {
    place = await openUrl()
    const env = {
      DOCVET_DATABASE_URL: place.url ?? undefined,
      DOCVET_DATA_DIR: place.dataDir,
      DOCVET_PLANS_FILE: plansFile(),
    }
    app = await startApp({}, env, { engines: [engine], eventLagMs: LAG_MS })
    database = await openPlace(place)
  })
  after(async () => {
    await database.close()
    await app[Symbol.asyncDispose]()
    await place.release()
  })

  async function read(key: string, query = '') {
    const answer = await request(app.port, 'GET', `/api/v1/events${query}`, { headers: withKey(key) })
    assert.equal(answer.status, 200, answer.body)
    assert.equal(answer.headers['content-type'], 'application/x-ndjson; charset=utf-8')
    const events = answer.body
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Event)
    for (const event of events) assertOcsf(event)
    const next = new URL(/^<([^>]+)>; rel="next"$/.exec(answer.headers.link ?? '')?.[1] ?? 'none:')
    return { events, next: next.search }
  }
  const idsOf = (events: Event[]) => events.flatMap(({ scan: job }) => (job ? [job.uid] : []))
  /** All events of the account until this many scans are there. */
  async function readAll(key: string, count: number, query = '?limit=3') {
    const all: Event[] = []
    for (const giveUpAt = Date.now() + 30_000; idsOf(all).length < count; ) {
      assert.ok(Date.now() < giveUpAt, `${idsOf(all).length} of ${count}`)
      const { events, next } = await read(key, query)
      all.push(...events)
      query = next
      if (events.length === 0) await sleep(50)
    }
    return { all, query }
  }

  test('one per scan and one more per threat, with what OCSF requires; nothing of other accounts', async () => {
    const [{ apiKey, accountId }, other] = [await signUp(app.port), await signUp(app.port)]
    scanned(await scan(app.port, other.apiKey, 'of another'))
    const clean = scanned(await scan(app.port, apiKey, 'nothing', { fileName: 'clean.txt' }))
    const infected = scanned(await scan(app.port, apiKey, 'a threat', { fileName: 'bad.txt' }))
    assert.equal((await scan(app.port, apiKey, 'a lock')).status, 422)
    const { all } = await readAll(apiKey, 3)
    assert.deepEqual(
      all.map((event) => [event.class_uid, event.activity_id, event.severity_id]),
      [
        [6007, 2, 1],
        [6007, 2, 4],
        [2004, 1, 4],
        [6007, 6, 1],
      ],
    )
    assert.deepEqual(idsOf(all).slice(0, 2), [clean.scanId, infected.scanId])
    const [, , finding] = all
    assert.equal(finding?.finding_info?.uid, infected.scanId)
    assert.equal(finding?.evidences?.[0]?.file.name, 'bad.txt')
    assert.equal(finding?.malware?.[0]?.name, 'Test.Threat')
    assert.ok(!JSON.stringify(all).includes(accountId))
    const { all: unnamed } = await readAll(apiKey, 3, '?names=off')
    assert.ok(!JSON.stringify(unnamed).includes('bad.txt'))
    const { events } = await read(apiKey, `?cursor=${all[0]?.unmapped.cursor}`)
    assert.deepEqual(idsOf(events), idsOf(all).slice(1))
    assert.deepEqual((await read(apiKey, '?from=2100-01-01T00:00:00Z')).events, [])
  })

  test('the operator exports those of all accounts by periods that neither leave a gap nor overlap', async () => {
    const [{ apiKey, accountId }, other] = [await signUp(app.port), await signUp(app.port)]
    const ids: string[] = []
    for (const key of [apiKey, other.apiKey, apiKey])
      ids.push(scanned(await scan(app.port, key, 'a threat', { fileName: 'secret plan.txt' })).scanId)
    // The command waits a minute for what is stored late, as the end of its period.
    const [first = '', second = '', third = ''] = ids
    const times = [first, second, third].map((_id, index) => Date.parse('2026-01-01T00:00:00Z') + index * 1_000)
    for (const [index, id] of ids.entries())
      await database.db
        .updateTable('scans')
        .set({ finished_at: times[index] ?? 0 })
        .where('id', '=', id)
        .execute()
    const env = { DOCVET_DATABASE_URL: place.url ?? undefined, DOCVET_DATA_DIR: place.dataDir }
    const run = (...args: string[]) =>
      runAdmin(['export', '--format', 'ocsf', ...args], {
        ...{ config: () => loadConfig(env), startEngines: async () => [], log: quietLog },
      })
    async function exported(...args: string[]) {
      const { exitCode, stdout, stderr } = await run(...args)
      assert.equal(exitCode, 0, stderr)
      const events = stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Event)
      for (const event of events) assertOcsf(event)
      return { ids: idsOf(events), stdout, next: /Next: (--since) (\S+)/.exec(stderr)?.slice(1) ?? [] }
    }
    const part = await exported('--since', '2026-01-01', '--until', '2026-01-01T00:00:01Z')
    assert.deepEqual(part.ids, [first])
    const rest = await exported(...part.next, '--until', '2026-01-02')
    assert.deepEqual(rest.ids.toSorted(), [second, third].toSorted())
    assert.ok(rest.stdout.includes(accountId) && !rest.stdout.includes('secret plan'))
    assert.ok((await exported('--until', '2026-01-02', '--names', 'on')).stdout.includes('secret plan.txt'))
    // What may still be written late is left to the next call.
    const until = Date.parse((await exported('--until', '2100-01-01')).next[1] ?? '')
    assert.ok(until < Date.now())
    for (const wrong of [
      ['--format', 'stix'],
      ['--since', 'yesterday'],
      ['--names', 'yes'],
    ])
      assert.equal((await run(...wrong)).exitCode, 2)
  })

  test('a cursor resumes without a gap or a repetition while scans run', async () => {
    const { apiKey } = await signUp(app.port)
    const sent = Promise.all(
      Array.from({ length: 4 }, async () => {
        const ids: string[] = []
        for (let i = 0; i < 10; i++) ids.push(scanned(await scan(app.port, apiKey, `${i}`)).scanId)
        return ids
      }),
    )
    const { all } = await readAll(apiKey, 40)
    assert.deepEqual(idsOf(all).sort(), (await sent).flat().sort())
  })

  test('a verdict that is stored late is not missed', async () => {
    const { apiKey } = await signUp(app.port)
    const first = scanned(await scan(app.port, apiKey, 'first'))
    const { all, query } = await readAll(apiKey, 1)
    assert.deepEqual(idsOf(all), [first.scanId])
    const row = await database.db
      .selectFrom('scans')
      .selectAll()
      .where('id', '=', first.scanId)
      .executeTakeFirstOrThrow()
    const endedAt = Date.now()
    const after = scanned(await scan(app.port, apiKey, 'second'))
    const { next: early } = await read(apiKey, query)
    // A process that was slow stores what ended before the second one.
    const late = { ...row, id: newId(), finished_at: endedAt }
    await database.db.insertInto('scans').values(late).execute()
    const { all: next } = await readAll(apiKey, 2, early)
    assert.deepEqual(idsOf(next), [late.id, after.scanId])
  })

  test('limits, and who may read', async () => {
    const { apiKey } = await signUp(app.port)
    const ask = (query: string, key = apiKey) =>
      request(app.port, 'GET', `/api/v1/events${query}`, { headers: withKey(key) })
    assert.equal((await ask('?limit=1000')).status, 200)
    for (const bad of [
      '?limit=1001',
      '?limit=0',
      '?cursor=x',
      '?format=stix',
      '?names=no',
      `?cursor=${'x'.repeat(201)}`,
    ])
      assertProblem(await ask(bad), 400, 'invalid_request')
    const body = { name: 'scanner', scopes: ['scan'] }
    const made = await request(app.port, 'POST', '/api/v1/keys', { headers: withKey(apiKey), body })
    assertProblem(await ask('', (made.json() as { apiKey: string }).apiKey), 403, 'key_scope')
    assert.equal((await ask('', (await createKey(app.port, apiKey)).apiKey)).status, 200)
  })
})
