/** No statement of a scan or of the list of scans reads a whole table or index. */
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import http from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, mock, test } from 'node:test'
import pg from 'pg'
import type { Engine } from '#engines/engine.ts'
import { SQLITE_FILE } from '#storage/database.ts'
import { startApp } from '#test/support/app.ts'
import { signUp, withKey } from '#test/support/client.ts'
import { request } from '#test/support/raw-http.ts'
import { scan } from '#test/support/scanning.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const engine: Engine = {
  name: 'test',
  async inspect({ chunks }) {
    const text = Buffer.concat(chunks).toString()
    if (text.includes('threat')) return { kind: 'detected', threat: 'Test.Threat', path: [] }
    if (text.includes('locked')) return { kind: 'unscannable', obstacle: 'encrypted', detail: 'Encrypted.' }
    return { kind: 'clean' }
  },
  health: () => ({
    ...{ name: 'test', status: 'UP', version: '1', signatures: null, signaturesAt: null, detail: null },
  }),
  version: () => ({ version: '1', signatures: null }),
  close: async () => {},
}

interface Statement {
  text: string
  values: unknown[]
}

/** One row, or one for each running process. */
const SMALL = new Set(['audit_head', 'replicas', 'marketplace_rounds', 'chat_days'])

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  Plans?: Node[]
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

forEachDatabase('statements', (openUrl) => {
  let place: DatabasePlace
  let app: Awaited<ReturnType<typeof startApp>>
  const seen = new Map<string, Statement>()
  /** Set while a request is served: sweepers may read whole tables, and run when they are due. */
  const serving = new AsyncLocalStorage<true>()
  const see = (text: string, values: unknown[] = []) => {
    if (serving.getStore() && /^(?:with|select|update|delete)\b/i.test(text)) seen.set(text, { text, values })
  }

  before(async () => {
    place = await openUrl()
    const { emit } = http.Server.prototype as { emit(...given: unknown[]): boolean }
    mock.method(http.Server.prototype, 'emit', function (this: http.Server, ...given: unknown[]) {
      const pass = () => emit.apply(this, given)
      return given[0] === 'request' ? serving.run(true, pass) : pass()
    })
    const { prepare } = DatabaseSync.prototype
    mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, text: string) {
      see(text)
      return prepare.call(this, text)
    })
    const { query } = pg.Client.prototype as unknown as { query(...given: unknown[]): unknown }
    mock.method(pg.Client.prototype, 'query', function (this: unknown, ...given: unknown[]) {
      const [first, values] = given as [string | Statement, unknown[] | undefined]
      if (typeof first === 'object') see(first.text, first.values)
      else see(String(first), Array.isArray(values) ? values : [])
      return query.apply(this, given)
    })
    app = await startApp({}, { DOCVET_DATABASE_URL: place.url ?? undefined }, { engines: [engine] })
  })
  after(async () => {
    mock.restoreAll()
    await app[Symbol.asyncDispose]()
    await place.release()
  })

  /** The tables that a statement reads whole, and the text of its plan. */
  function planOnSqlite({ text }: Statement) {
    const file = new DatabaseSync(join(app.dataDir, SQLITE_FILE), { readOnly: true })
    const steps = file.prepare(`explain query plan ${text}`).all() as { detail: string }[]
    file.close()
    const isWhole = /^SCAN (?!CONSTANT ROW|candidates)(\w+)/
    return { whole: steps.flatMap(({ detail }) => isWhole.exec(detail)?.[1] ?? []), plan: JSON.stringify(steps) }
  }

  async function planOnPostgres({ text, values }: Statement) {
    const client = new pg.Client(place.url ?? '')
    await client.connect()
    // The tables are almost empty, so that the planner would not use an index otherwise.
    await client.query('set enable_seqscan = off; set enable_bitmapscan = off')
    const { rows } = await client.query(`explain (format json) ${text}`, values)
    await client.end()
    const nodes = nodesOf((rows[0]['QUERY PLAN'] as [{ Plan: Node }])[0].Plan)
    const whole = nodes.filter((node) => node['Node Type'] !== 'ModifyTable' && node['Index Cond'] === undefined)
    return { whole: whole.flatMap((node) => node['Relation Name'] ?? []), plan: JSON.stringify(nodes) }
  }

  async function assertNoneWhole(): Promise<void> {
    assert.ok(seen.size > 0)
    for (const statement of seen.values()) {
      const { whole, plan } = await (place.url === null ? planOnSqlite(statement) : planOnPostgres(statement))
      const large = whole.filter((name) => !SMALL.has(name))
      assert.deepEqual(large, [], statement.text)
      if (statement.text.includes("'clean'")) assert.match(plan, /scans_not_clean/, statement.text)
    }
    seen.clear()
  }

  test('of a scan', async () => {
    const { apiKey } = await signUp(app.port)
    seen.clear()
    for (const content of ['Good morning', 'a threat', 'locked']) {
      await scan(app.port, apiKey, content)
      const repeated = { headers: { 'idempotency-key': content.replace(' ', '-') } }
      await scan(app.port, apiKey, content, repeated)
      await scan(app.port, apiKey, content, repeated)
    }
    await assertNoneWhole()
  })

  test('of the list, with each filter', async () => {
    const { apiKey } = await signUp(app.port)
    const { scanId } = (await scan(app.port, apiKey, 'a threat')).json() as { scanId: string }
    const list = async (query: string) => {
      const answer = await request(app.port, 'GET', `/api/v1/scans${query}`, { headers: withKey(apiKey) })
      assert.equal(answer.status, 200, answer.body)
    }
    seen.clear()
    const time = '2026-11-01T00:00:00Z'
    const filters = ['status=clean', 'status=infected', 'status=refused', `keyId=${scanId}`, 'threat=Test.Threat']
    filters.push(`sha256=${'a'.repeat(64)}`, `from=${time}`, `to=${time}`, `from=${time}&to=${time}`)
    for (const filter of filters) {
      await list(`?${filter}`)
      await list(`?${filter}&cursor=${Buffer.from(scanId).toString('base64url')}`)
    }
    await list('')
    await assertNoneWhole()
  })
})
