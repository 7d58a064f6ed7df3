/** PostgreSQL stops, crashes, freezes and returns under load: 503 meanwhile, never a crash. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type PostgresServer, startPostgres } from '#test/support/postgres.ts'
import { type Service, startService } from '#test/support/service.ts'
import { needs } from '#test/support/suite.ts'

const RECOVERY_MS = 5_000

interface Seen {
  at: number
  status: number
  code: string | undefined
}

describe('losing PostgreSQL', needs('postgres'), () => {
  let postgres: PostgresServer
  let service: Service
  let apiKey: string

  before(async () => {
    postgres = await startPostgres()
    service = await startService({ DOCVET_DATABASE_URL: postgres.url, DOCVET_KEY_RATE_PER_MINUTE: '1000000' })
    const response = await fetch(`${service.url}/api/v1/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com' }),
    })
    apiKey = ((await response.json()) as { apiKey: string }).apiKey
  })
  after(async () => {
    const { code } = await service.stop()
    assert.equal(code, 0, service.output())
    await service[Symbol.asyncDispose]()
    await postgres.close()
  })

  async function ask(): Promise<Seen> {
    const response = await fetch(`${service.url}/api/v1/usage`, { headers: { 'x-api-key': apiKey } })
    const body = (await response.json()) as { code?: string; detail?: string }
    if (response.status === 503) {
      assert.equal(response.headers.get('content-type'), 'application/problem+json')
      assert.ok(Number(response.headers.get('retry-after')) >= 1)
      assert.doesNotMatch(JSON.stringify(body), /postgres|127\.0\.0\.1:(?!\d+\/problems)|ECONN|pg_/i)
    }
    return { at: performance.now(), status: response.status, code: body.code }
  }

  /** Three clients that send requests all the time. */
  function keepAsking() {
    const seen: Seen[] = []
    let stopped = false
    const callers = Array.from({ length: 3 }, async () => {
      while (!stopped) {
        seen.push(await ask())
        await sleep(10)
      }
    })
    return {
      seen,
      async stop() {
        stopped = true
        await Promise.all(callers)
      },
    }
  }

  async function lose(lose: () => Promise<void> | void, regain: () => Promise<void> | void): Promise<void> {
    assert.equal((await ask()).status, 200)
    const asking = keepAsking()
    await sleep(300)
    await lose()
    const lostAt = performance.now()
    await sleep(3_000)
    assert.equal((await fetch(`${service.url}/readyz`)).status, 503)
    assert.equal((await fetch(`${service.url}/livez`)).status, 200)
    await regain()
    const regainedAt = performance.now()
    await sleep(RECOVERY_MS)
    await asking.stop()

    const statuses = new Set(asking.seen.map(({ status, code }) => `${status} ${code ?? ''}`.trim()))
    assert.deepEqual([...statuses].sort(), ['200', '503 storage_unavailable'])
    const meanwhile = asking.seen.filter(({ at }) => at > lostAt && at < regainedAt)
    assert.ok(
      meanwhile.some(({ status }) => status === 503),
      'nothing was refused during the outage',
    )
    const recovered = asking.seen.find(({ at, status }) => at > regainedAt && status === 200)
    assert.ok(recovered, 'it did not recover')
    assert.equal(asking.seen.at(-1)?.status, 200)
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  }

  test('stopped and started', () =>
    lose(
      () => postgres.stop('fast'),
      () => postgres.start(),
    ))

  test('crashed and recovered', () =>
    lose(
      () => postgres.stop('immediate'),
      () => postgres.start(),
    ))

  test('frozen and thawed', () =>
    lose(
      () => postgres.freeze(),
      () => postgres.thaw(),
    ))

  test('that becomes read-only: reads succeed, writes and readiness do not, until it accepts writes', async () => {
    const signUp = async () => {
      const body = JSON.stringify({ email: `${randomUUID()}@example.com` })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(`${service.url}/api/v1/signup`, { method: 'POST', headers, body })).status
    }
    const setReadOnly = async (value: 'on' | 'off') => {
      await postgres.administer(`alter system set default_transaction_read_only = ${value}`)
      await postgres.administer('select pg_reload_conf()')
    }
    const ready = async () => (await fetch(`${service.url}/readyz`)).status
    await setReadOnly('on')
    // Sessions read the setting when they are idle.
    while ((await signUp()) !== 503) await sleep(20)
    const response = await fetch(`${service.url}/readyz`)
    assert.equal(response.status, 503)
    const detail = 'The storage does not accept writes: it is read-only.'
    assert.deepEqual(await response.json(), { status: 'DOWN', storage: 'DOWN', engine: 'UP', detail })
    assert.equal((await ask()).status, 200)
    await service.logged(/"msg":"Storage does not accept writes"/)

    await setReadOnly('off')
    while ((await ready()) !== 200) await sleep(50)
    assert.equal(await signUp(), 201)
    await service.logged(/"msg":"Storage accepts writes again"/)
  })

  test('unavailable at start: the service waits for it', async () => {
    await postgres.stop()
    await using late = await startService({ DOCVET_DATABASE_URL: postgres.url }, { ready: false })
    const until = async (condition: () => boolean | Promise<boolean>) => {
      while (!(await condition())) await sleep(50)
    }
    await until(() => late.output().includes('Database is not available yet'))
    await postgres.start()
    await until(() =>
      fetch(`${late.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    assert.equal((await late.stop()).code, 0)
  })

  test('four replicas that start together on an empty database migrate it once', async () => {
    const url = await postgres.createDatabase()
    const replicas = await Promise.all(Array.from({ length: 4 }, () => startService({ DOCVET_DATABASE_URL: url })))
    const migrated = replicas.filter((replica) => replica.output().includes('Database migrated'))
    assert.equal(migrated.length, 1)
    for (const replica of replicas) assert.equal((await replica.stop()).code, 0)
  })
})
