/** Credentials that are replaced while the service runs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '#base/log.ts'
import { StoreFault } from './client.ts'
import { createClients, FORMER_MS } from './clients.ts'
import type { ObjectSource } from './sources.ts'

const OLD: ObjectSource = {
  ...{ name: 'uploads', kind: 's3', endpoint: 'https://s3.example.com', bucket: 'uploads', prefixes: [], keyId: 'k' },
  ...{ pathStyle: true, region: 'us-east-1', accessKeyId: 'OLD', secretAccessKey: 'old-secret', sessionToken: null },
  ...{ sas: '', tagKey: 'docvet-status', inProgress: false, onInfected: 'tag', onClean: 'tag', quarantine: null },
  ...{ cleared: null, push: null },
}
const OBJECT = { bucket: 'uploads', key: 'a.txt', size: null, etag: null, version: null }

const keyOf = (authorization: string): string | undefined => /Credential=(\w+)\//.exec(authorization)?.[1]

function setUp() {
  const state = {
    ...{ now: 0, reads: 0, lines: [] as string[], authorization: '', isKnown: (_authorization: string) => true },
    read: { sources: [OLD] } as ReturnType<Parameters<typeof createClients>[0]['reread']>,
  }
  const clientOf = createClients({
    sources: [OLD],
    reread() {
      state.reads++
      return state.read
    },
    http: {
      open: () => assert.fail(),
      async send({ headers, url }) {
        state.authorization = `${new URL(url).host} ${headers?.authorization}`
        const status = state.isKnown(state.authorization) ? 200 : 403
        return { kind: 'answered', status, headers: {}, body: '' }
      },
    },
    log: createLog({ level: 'info', stream: { write: (line: string) => void state.lines.push(line) } }),
    now: () => state.now,
  })
  async function usedKey(): Promise<string | undefined> {
    await clientOf('uploads')?.client.head(OBJECT, new AbortController().signal)
    return keyOf(state.authorization)
  }
  return { state, clientOf, usedKey }
}

test('new credentials are used a second later, and nothing else of the file', async () => {
  const { state, usedKey, clientOf } = setUp()
  state.read = {
    sources: [
      { ...OLD, accessKeyId: 'NEW', secretAccessKey: 'new-secret', endpoint: 'https://other.example.com' },
      { ...OLD, name: 'another' },
    ],
  }
  state.now = 999
  assert.equal(await usedKey(), 'OLD')
  state.now = 1_000
  assert.equal(await usedKey(), 'NEW')
  assert.match(state.authorization, /^s3\.example\.com /)
  assert.equal(clientOf('another'), undefined)
  assert.doesNotMatch(state.lines.join(), /secret/)
})

test('a file that is wrong for a while changes nothing, and is reported once', async () => {
  const { state, usedKey } = setUp()
  state.read = { problems: ['the file does not exist.'] }
  for (state.now = 1_000; state.now < 5_000; state.now += 1_000) assert.equal(await usedKey(), 'OLD')
  assert.equal(state.reads, 4)
  assert.equal(state.lines.filter((line) => line.includes('Failed to read')).length, 1)
  state.read = { sources: [] }
  assert.equal(await usedKey(), 'OLD')
})

test('where new credentials are denied, the former ones are used for an hour, also if their files are replaced one by one', async () => {
  const { state, usedKey } = setUp()
  const both = { ...OLD, accessKeyId: 'NEW', secretAccessKey: 'new-secret' }
  for (const [read, tried] of [
    [{ ...OLD, secretAccessKey: 'new-secret' }, ['OLD', 'OLD']],
    [both, ['NEW', 'OLD', 'OLD']],
  ] as const) {
    const asked: string[] = []
    state.isKnown = (authorization) => asked.push(authorization) === tried.length
    state.read = { sources: [read] }
    state.now += 1_000
    await usedKey()
    assert.deepEqual(asked.map(keyOf), tried)
    // Those of one key are with different secrets.
    assert.equal(new Set(asked).size, tried.length)
  }
  state.isKnown = () => true
  assert.equal(await usedKey(), 'NEW')
  state.isKnown = (authorization) => keyOf(authorization) === 'OLD'
  state.now = 1_999 + FORMER_MS
  assert.equal(await usedKey(), 'OLD')
  state.now = 2_000 + FORMER_MS
  await assert.rejects(usedKey(), (error) => error instanceof StoreFault && error.kind === 'denied')
})

test('what all credentials are denied is denied, and without a replacement nothing is asked twice', async () => {
  const { state, usedKey } = setUp()
  const asked: string[] = []
  state.isKnown = (authorization) => {
    asked.push(keyOf(authorization) ?? '')
    return false
  }
  await assert.rejects(usedKey(), /access denied/)
  state.read = { sources: [{ ...OLD, accessKeyId: 'NEW', secretAccessKey: 'new-secret' }] }
  state.now = 1_000
  await assert.rejects(usedKey(), /access denied/)
  assert.deepEqual(asked, ['OLD', 'NEW', 'OLD'])
})
