/** Needs of the dashboard beyond scans and keys: reports, usage by day, sessions, and deleting the account. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { firstIdAt } from '#base/ids.ts'
import { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { createFindings } from '#scan/findings.ts'
import { createReportStore } from '#scan/report-store.ts'
import { createReports } from '#scan/reports.ts'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'
import {
  asPage,
  cookieOf,
  GOOD_PASSWORD,
  me,
  ownPage,
  type Person,
  postAuth,
  signIn,
  signUpPerson,
} from '#test/support/auth-client.ts'
import { assertFields, type KeySummary, newEmail, TIME, UNKNOWN_ID, usage, withKey } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { FORM_TYPE, filePart, form, scan, scanned, UUID_V7 } from '#test/support/scanning.ts'
import { openPlace, quietLog } from '#test/support/seed.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const FRESH_MS = 10 * 60 * 1_000
const MINUTE_MS = 60_000
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const LOCKED = writeZip([{ name: 'a.txt', data: 'x', method: 'stored', local: { flags: 1 }, central: { flags: 1 } }])

interface Finding {
  id: string
  severity: string
  path: string[]
}

interface Report {
  scanId: string
  status: string | null
  obstacle: string | null
  keyId: string
  fileName: string | null
  fileSize: number
  detectedType: string | null
  sha256: string | null
}

forEachDatabase('pages of an account', (openUrl) => {
  let place: DatabasePlace
  let service: Service
  let database: Database
  before(async () => {
    place = await openUrl()
    const env = { DOCVET_DATABASE_URL: place.url ?? undefined }
    service = await startService(env, { dataDir: place.dataDir })
    database = await openPlace(place)
  })
  after(async () => {
    await database.close()
    await service[Symbol.asyncDispose]()
    await place.release()
  })

  const get = (person: Person, path: string) => asPage(service.port, person.cookie, 'GET', path)
  const remove = (person: Person, path: string, body?: unknown) =>
    asPage(service.port, person.cookie, 'DELETE', path, body)
  const scanAs = (person: Person, content: string | Buffer, headers = {}, fileName = 'a.txt'): Promise<Answer> =>
    request(service.port, 'POST', '/api/v1/scan', {
      headers: { cookie: person.cookie, 'content-type': FORM_TYPE, ...ownPage(service.port), ...headers },
      body: form(filePart(content, { fileName })),
    })
  const sendForm = (
    person: Person,
    body: Buffer | string,
    headers: Record<string, string> = { 'content-type': FORM_TYPE },
  ) =>
    request(service.port, 'POST', '/api/v1/scan', {
      headers: { cookie: person.cookie, ...ownPage(service.port), ...headers },
      body,
    })
  const list = async (person: Person, query = '') => {
    const answer = await get(person, `/api/v1/scans${query}`)
    assert.equal(answer.status, 200, answer.body)
    return answer.json() as { items: Report[]; nextCursor: string | null }
  }
  const newKey = async (person: Person, name: string) => {
    const answer = await asPage(service.port, person.cookie, 'POST', '/api/v1/keys', { name })
    assert.equal(answer.status, 201, answer.body)
    return answer.json() as { id: string; apiKey: string }
  }

  describe('reports', () => {
    test('an infected document: the fields of its result, and more', async () => {
      const person = await signUpPerson(service.port)
      const answer = await scanAs(person, EICAR)
      const result = scanned(answer)
      assert.equal(answer.headers['content-location'], `/api/v1/scans/${result.scanId}`)
      const report = (await get(person, answer.headers['content-location'] ?? '')).json() as Record<string, unknown>
      const { engines, findings, durationMs, ...rest } = report
      assertFields(rest, {
        ...result,
        ...{
          state: 'done',
          problem: null,
          reference: null,
          obstacle: null,
          keyId: UUID_V7,
          sha256: /^[0-9a-f]{64}$/,
          detectedType: 'text/plain',
        },
      })
      const [{ title, reason, effect, ...found }] = findings as [Record<string, unknown>]
      assert.deepEqual(found, {
        ...{ id: 'Docvet.Test.Eicar', severity: 'malicious', technique: null, path: [], detail: null },
        ...{ engine: 'embedded', article: `${service.url}/findings/Docvet.Test.Eicar` },
      })
      assert.match(String(effect), /^Nothing\. It contains the harmless EICAR test file/)
      for (const text of [title, reason]) assert.match(String(text), /EICAR/)
      assert.ok(Number(durationMs) >= 0)
      const [engine] = engines as Record<string, unknown>[]
      assert.deepEqual(Object.keys(engine ?? {}), ['name', 'version', 'signatures', 'ms'])
      assert.ok(Number(engine?.ms) >= 0)
      assert.deepEqual((await list(person)).items, [report])
    })

    test('a clean document carries its notices, and an infected one everything that was found', async () => {
      const person = await signUpPerson(service.port)
      const noticed = Buffer.concat([writeZip([{ name: 'a.txt', data: 'Dear reader' }]), Buffer.from('more')])
      const infected = writeZip([
        { name: 'a.txt', data: EICAR },
        { name: 'b.zip', data: noticed },
      ])
      const found = async (content: Buffer) => {
        const { scanId, status } = scanned(await scanAs(person, content, {}, 'a.zip'))
        const report = (await get(person, `/api/v1/scans/${scanId}`)).json() as { findings: Finding[] }
        return [status, ...report.findings.map(({ id, severity, path }) => [id, severity, path.join('/')])]
      }
      const notice = ['Docvet.Zip.DataAfter', 'notice']
      assert.deepEqual(await found(noticed), ['clean', [...notice, '']])
      const threat = ['Docvet.Test.Eicar', 'malicious', 'a.txt']
      assert.deepEqual(await found(infected), ['infected', threat, [...notice, 'b.zip']])
    })

    test('a refused document has no verdict, and is listed with its obstacle', async () => {
      const person = await signUpPerson(service.port)
      assertProblem(await scanAs(person, LOCKED), 422, 'encrypted_document')
      const { items } = await list(person)
      assert.deepEqual(
        items.map(({ status, obstacle }) => [status, obstacle]),
        [[null, 'encrypted']],
      )
      assert.deepEqual((await list(person, '?status=clean')).items, [])
      assert.deepEqual((await list(person, '?status=refused')).items, items)
      assert.equal(((await get(person, '/api/v1/usage')).json() as { scansUsed: number }).scansUsed, 0)
    })

    test('documents that are not inspected are listed as well, with what is known about them', async () => {
      const person = await signUpPerson(service.port)
      assertProblem(await scanAs(person, PNG, {}, 'photo.pdf'), 415, 'unsupported_content_type')
      const declared = form(filePart('not read', { fileName: 'b.png', type: 'image/png' }))
      assertProblem(await sendForm(person, declared), 415, 'unsupported_content_type')
      assertProblem(await scanAs(person, '', {}, 'c.txt'), 400, 'empty_file')
      const large = form(filePart(Buffer.alloc(DOCUMENT_BYTES_MAX + 1), { fileName: 'd.bin' }))
      assertProblem(await sendForm(person, large), 413, 'file_too_large')
      const larger = { 'content-type': FORM_TYPE, 'content-length': String(2 * DOCUMENT_BYTES_MAX) }
      assertProblem(await sendForm(person, 'x', larger), 413, 'file_too_large')
      // Without a file, there is nothing to list.
      assertProblem(await sendForm(person, 'x', { 'content-type': 'text/plain' }), 415, 'unsupported_content_type')
      assertProblem(await sendForm(person, form()), 400, 'missing_file')

      const { items } = await list(person)
      const sha256 = createHash('sha256').update(PNG).digest('hex')
      assert.deepEqual(
        items
          .toReversed()
          .map((each) => [each.status, each.obstacle, each.fileName, each.fileSize, each.detectedType, each.sha256]),
        [
          [null, 'unsupported', 'photo.pdf', PNG.length, 'image/png', sha256],
          [null, 'unsupported', 'b.png', declared.length, null, null],
          [null, 'empty', 'c.txt', 0, null, null],
          [null, 'too_large', 'd.bin', large.length, null, null],
          [null, 'too_large', null, 2 * DOCUMENT_BYTES_MAX, null, null],
        ],
      )
      assert.deepEqual((await list(person, '?status=refused')).items, items)
      assert.deepEqual((await get(person, `/api/v1/scans/${items[0]?.scanId}`)).json(), items[0])
      assert.equal(((await get(person, '/api/v1/usage')).json() as { scansUsed: number }).scansUsed, 0)
    })

    test('a document that the dashboard did not upload is listed as too large, for sessions of this site only', async () => {
      const person = await signUpPerson(service.port)
      const note = (
        body: object,
        headers: Record<string, string> = { cookie: person.cookie, ...ownPage(service.port) },
      ) => request(service.port, 'POST', '/dashboard/too-large', { headers, body })
      const large = { fileName: 'films/holi\u200bday.pdf', fileSize: DOCUMENT_BYTES_MAX + 1 }
      assert.equal((await note(large)).status, 204)
      assertProblem(await note({ ...large, fileSize: DOCUMENT_BYTES_MAX }), 400, 'invalid_request')
      assertProblem(await note({ ...large, fileName: '' }), 400, 'invalid_request')
      assertProblem(await note({ ...large, fileName: 'x'.repeat(256) }), 400, 'invalid_request')
      assertProblem(await note(large, {}), 401, 'unauthenticated')
      const foreign = { cookie: person.cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
      assert.equal((await note(large, foreign)).status, 403)
      const { items } = await list(person)
      assert.deepEqual(
        items.map((each) => [each.status, each.obstacle, each.fileName, each.fileSize, each.sha256]),
        [[null, 'too_large', 'holiday.pdf', DOCUMENT_BYTES_MAX + 1, null]],
      )
    })

    test('by a part of the name, in any case and without wildcards', async () => {
      const person = await signUpPerson(service.port)
      for (const name of ['Übersicht 2026.txt', 'invoice_1.txt', 'INVOICE%2.txt', 'other.txt'])
        await scanAs(person, name, {}, name)
      const named = async (name: string) =>
        (await list(person, `?name=${encodeURIComponent(name)}`)).items.map(({ fileName }) => fileName)
      assert.deepEqual(await named('invoice'), ['INVOICE%2.txt', 'invoice_1.txt'])
      assert.deepEqual(await named('übersicht'), ['Übersicht 2026.txt'])
      assert.deepEqual(await named('BERSICHT 2'), ['Übersicht 2026.txt'])
      assert.deepEqual(await named('e_1'), ['invoice_1.txt'])
      assert.deepEqual(await named('%2'), ['INVOICE%2.txt'])
      assert.deepEqual(await named('\\'), [])
      assert.deepEqual(await named("'; drop table scans"), [])
      assert.equal((await get(person, `/api/v1/scans?name=${'x'.repeat(200)}`)).status, 200)
      for (const name of ['', 'x'.repeat(201)])
        assertProblem(await get(person, `/api/v1/scans?name=${name}`), 400, 'invalid_request')
    })

    test('newest first in pages, by filter, and the same for a key of the account', async () => {
      const person = await signUpPerson(service.port)
      const key = await newKey(person, 'Mine')
      const ids = [
        scanned(await scanAs(person, 'one')).scanId,
        scanned(await scan(service.port, key.apiKey, EICAR)).scanId,
        scanned(await scanAs(person, 'three')).scanId,
      ].toReversed()
      const idsOf = async (query: string) => (await list(person, query)).items.map(({ scanId }) => scanId)
      assert.deepEqual(await idsOf(''), ids)
      const first = await list(person, '?limit=2')
      const second = await list(person, `?limit=2&cursor=${first.nextCursor}`)
      assert.deepEqual(
        [...first.items, ...second.items].map(({ scanId }) => scanId),
        ids,
      )
      assert.equal(second.nextCursor, null)
      assert.equal((await list(person, '?limit=3')).nextCursor, null)
      assert.deepEqual(await idsOf(`?keyId=${key.id.toUpperCase()}`), [ids[1]])
      assert.deepEqual(await idsOf('?status=infected'), [ids[1]])
      assert.deepEqual(await idsOf('?threat=Docvet.Test.Eicar'), [ids[1]])
      const { sha256, scannedAt } = (await get(person, `/api/v1/scans/${ids[0]}`)).json() as Record<string, string>
      assert.deepEqual(await idsOf(`?sha256=${sha256?.toUpperCase()}`), [ids[0]])
      assert.deepEqual(await idsOf(`?from=${scannedAt}`), [ids[0]])
      assert.deepEqual(await idsOf(`?to=${scannedAt}`), ids.slice(1))
      const byKey = await request(service.port, 'GET', '/api/v1/scans', { headers: withKey(key.apiKey) })
      assert.equal((byKey.json() as { items: Report[] }).items.length, 3)
    })

    test('400 for a limit out of range, an unknown filter and an invalid cursor', async () => {
      const person = await signUpPerson(service.port)
      assert.equal((await get(person, '/api/v1/scans?limit=100')).status, 200)
      for (const query of ['limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'x=1', 'cursor=x', 'status=ok', 'from=now'])
        assertProblem(await get(person, `/api/v1/scans?${query}`), 400, 'invalid_request')
    })

    test('404 for the scan of another account, and for an unknown one', async () => {
      const [owner, other] = [await signUpPerson(service.port), await signUpPerson(service.port)]
      const { scanId } = scanned(await scanAs(owner, 'mine'))
      assert.equal((await get(owner, `/api/v1/scans/${scanId.toUpperCase()}`)).status, 200)
      for (const id of [scanId, UNKNOWN_ID]) assertProblem(await get(other, `/api/v1/scans/${id}`), 404, 'not_found')
      assert.deepEqual((await list(other)).items, [])
    })

    test('reports are deleted after the retention period, and the charges stay', async () => {
      const person = await signUpPerson(service.port)
      const old = scanned(await scanAs(person, 'old')).scanId
      const young = scanned(await scanAs(person, 'young')).scanId
      const setId = (id: string, agedMs: number) =>
        database.db
          .updateTable('scans')
          .set({ id: firstIdAt(Date.now() - agedMs) })
          .where('id', '=', id)
          .execute()
      await setId(old, 90 * DAY_MS + MINUTE_MS)
      await setId(young, 90 * DAY_MS - MINUTE_MS)
      const reports = createReports({
        store: createReportStore(database),
        findings: createFindings(CATALOGUE, service.url),
        retentionDays: 90,
        log: quietLog,
      })
      await reports.sweep()
      await reports.close()
      assert.equal((await list(person)).items.length, 1)
      assert.equal(((await get(person, '/api/v1/usage')).json() as { scansUsed: number }).scansUsed, 2)
    })
  })

  describe('usage of a month', () => {
    const period = new Date().toISOString().slice(0, 7)
    interface Month {
      scansUsed: number
      days: { date: string; scansUsed: number }[]
      keys: { id: string; name: string; status: string; scansUsed: number; scansByDay: number[] }[]
    }
    const month = async (person: Person, of = period) => (await get(person, `/api/v1/usage/${of}`)).json() as Month

    test('by day and by key; a key sees only itself', async () => {
      const person = await signUpPerson(service.port)
      const key = await newKey(person, 'Mine')
      await scanAs(person, 'one')
      await scan(service.port, key.apiKey, 'two')
      await scan(service.port, key.apiKey, 'three')
      const today = new Date().getUTCDate() - 1
      const found = await month(person)
      assert.equal(found.scansUsed, 3)
      assert.equal(found.days.length, new Date(Date.UTC(+period.slice(0, 4), +period.slice(5), 0)).getUTCDate())
      assert.deepEqual(found.days[today], { date: new Date().toISOString().slice(0, 10), scansUsed: 3 })
      assert.deepEqual(
        found.keys.map(({ name, status, scansUsed, scansByDay }) => [name, status, scansUsed, scansByDay[today]]),
        [
          ['Mine', 'active', 2, 2],
          ['Dashboard', 'active', 1, 1],
        ],
      )
      const own = await request(service.port, 'GET', `/api/v1/usage/${period}`, { headers: withKey(key.apiKey) })
      assert.deepEqual((own.json() as Month).keys, [found.keys[0]])
    })

    test('a month without scans has only zeros, and no revoked key', async () => {
      const person = await signUpPerson(service.port)
      const { id } = await newKey(person, 'Short')
      assert.deepEqual(
        (await month(person, '2024-02')).keys.map((key) => key.id),
        [id],
      )
      await remove(person, `/api/v1/keys/${id}`)
      const { scansUsed, days, keys } = await month(person, '2024-02')
      assert.deepEqual([scansUsed, days.length, days.at(-1), keys], [0, 29, { date: '2024-02-29', scansUsed: 0 }, []])
    })

    test('400 for a period that is no month', async () => {
      const person = await signUpPerson(service.port)
      for (const wrong of ['2026-00', '2026-13', '2026', '2026-1', '2026-011'])
        assertProblem(await get(person, `/api/v1/usage/${wrong}`), 400, 'invalid_request')
    })
  })

  describe('sessions', () => {
    const sessions = async (person: Person) =>
      ((await get(person, '/api/v1/auth/sessions')).json() as { items: Record<string, unknown>[] }).items

    test('are listed with their browser, and can be ended one by one or all others at once', async () => {
      const person = await signUpPerson(service.port)
      const others: Person[] = []
      for (const agent of ['Phone', 'Laptop', 'x'.repeat(301)]) {
        const answer = await signIn(service.port, person.email, person.password, { 'user-agent': agent })
        others.push({ ...person, cookie: cookieOf(answer) })
      }
      const [phone, laptop] = others as [Person, Person]
      const found = await sessions(person)
      assert.equal(found.length, 4)
      const { current, ...own } = found.find((each) => each.current) ?? {}
      assert.equal(current, true)
      assertFields(own, { id: UUID_V7, userAgent: null, createdAt: TIME, lastSeenAt: TIME })
      assert.ok(found.some(({ userAgent }) => userAgent === 'x'.repeat(300)))
      const { id } = found.find(({ userAgent }) => userAgent === 'Phone') as { id: string }
      assert.equal((await remove(person, `/api/v1/auth/sessions/${id}`)).status, 204)
      assertProblem(await me(service.port, phone.cookie), 401, 'unauthenticated')
      assertProblem(await remove(person, `/api/v1/auth/sessions/${id}`), 404, 'not_found')
      assert.equal((await remove(person, '/api/v1/auth/sessions')).status, 204)
      assertProblem(await me(service.port, laptop.cookie), 401, 'unauthenticated')
      assert.equal((await sessions(person)).length, 1)
    })

    test('404 for the session of another account, which stays', async () => {
      const [person, other] = [await signUpPerson(service.port), await signUpPerson(service.port)]
      const [session] = await sessions(other)
      assertProblem(await remove(person, `/api/v1/auth/sessions/${session?.id}`), 404, 'not_found')
      assert.equal((await me(service.port, other.cookie)).status, 200)
    })
  })

  describe('deleting the account', () => {
    const PATH = '/api/v1/auth/me'
    const buy = async (person: Person) => {
      const sold = await request(service.port, 'POST', '/sandbox/purchases', {
        body: { planId: 'pro', email: person.email },
      })
      const token = new URL((sold.json() as { landingUrl: string }).landingUrl).searchParams.get('token')
      const linked = await asPage(service.port, person.cookie, 'POST', '/api/v1/marketplace/resolve', { token })
      assert.equal(linked.status, 200, linked.body)
      return linked.json() as { subscriptionId: string }
    }

    /** Every row of every table, as text. */
    async function everything(): Promise<string> {
      const { rows } = await (database.kind === 'sqlite'
        ? sql<{ name: string }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
        : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
      ).execute(database.db)
      assert.ok(rows.length > 15, 'all tables are read')
      const tables = rows.map(({ name }) =>
        database.db
          .selectFrom(name as keyof Tables)
          .selectAll()
          .execute(),
      )
      return JSON.stringify(await Promise.all(tables))
    }

    test('erases everything personal in every table, and keeps the anonymous ledger', async () => {
      const person = await signUpPerson(service.port, newEmail())
      const key = await newKey(person, 'Very personal key')
      const scanName = `invoice-${person.email}`
      await scanAs(person, EICAR, { 'idempotency-key': 'one' }, `${scanName}.txt`)
      const { scanId } = scanned(await scan(service.port, key.apiKey, 'x', { fileName: `very-personal-${scanName}` }))
      await postAuth(service.port, 'forgot-password', { email: person.email })
      await postAuth(service.port, 'login', { email: person.email, password: 'a wrong password' })
      await buy(person)
      const [summary] = (await get(person, '/api/v1/keys')).json() as KeySummary[]
      const traces = [
        person.email,
        'Very personal key',
        `very-personal-${scanName}`,
        `${scanName}.txt`,
        `"${summary?.lastFour}"`,
      ]
      const before = await everything()
      for (const trace of traces) assert.ok(before.includes(trace), trace)

      const answer = await remove(person, PATH, { password: GOOD_PASSWORD })
      assert.equal(answer.status, 204, answer.body)
      assert.match(answer.headers['set-cookie'] ?? '', /Max-Age=0/)
      const after = await everything()
      for (const trace of traces) assert.ok(!after.includes(trace), trace)
      assertProblem(await me(service.port, person.cookie), 401, 'unauthenticated')
      assertProblem(await usage(service.port, withKey(key.apiKey)), 401, 'unauthenticated')
      assertProblem(await signIn(service.port, person.email, GOOD_PASSWORD), 401, 'invalid_credentials')
      const ledger = database.db.selectFrom('usage_ledger').selectAll().where('scan_id', '=', scanId)
      assert.equal((await ledger.execute()).length, 1)
      assert.equal((await signUpPerson(service.port, person.email)).email, person.email, 'the address is free again')
    })

    test('needs the password, or a session of the last 10 minutes', async () => {
      const person = await signUpPerson(service.port)
      const age = (ms: number) =>
        database.db
          .updateTable('sessions')
          .set((eb) => ({ created_at: eb('created_at', '-', ms) }))
          .where('account_id', 'in', (eb) => eb.selectFrom('accounts').select('id').where('email', '=', person.email))
          .execute()
      await age(FRESH_MS)
      assertProblem(await remove(person, PATH), 401, 'invalid_credentials')
      assertProblem(await remove(person, PATH, { password: 'a wrong password' }), 401, 'invalid_credentials')
      assertProblem(await remove(person, PATH, { password: '' }), 400, 'invalid_request')
      await age(-MINUTE_MS)
      assert.equal((await remove(person, PATH)).status, 204)
    })

    test('409 while a marketplace subscription is billed', async () => {
      const person = await signUpPerson(service.port)
      const body = await buy(person)
      const { subscriptionId } = body
      const active = await asPage(service.port, person.cookie, 'POST', '/api/v1/marketplace/activate', {
        subscriptionId,
      })
      assert.equal(active.status, 200, active.body)
      assertProblem(await remove(person, PATH, { password: GOOD_PASSWORD }), 409, 'subscription_conflict')
      assert.equal((await me(service.port, person.cookie)).status, 200)
      await request(service.port, 'POST', `/sandbox/purchases/${subscriptionId}/cancel`, { body: {} })
      assert.equal((await remove(person, PATH, { password: GOOD_PASSWORD })).status, 204)
    })
  })
})
