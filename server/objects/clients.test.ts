/** Credentials that are replaced while the service runs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '#base/log.ts'
import { createClients } from './clients.ts'
import type { ObjectSource } from './sources.ts'

const OLD: ObjectSource = {
  ...{ name: 'uploads', kind: 's3', endpoint: 'https://s3.example.com', bucket: 'uploads', prefixes: [], keyId: 'k' },
  ...{ pathStyle: true, region: 'us-east-1', accessKeyId: 'OLD', secretAccessKey: 'old-secret', sessionToken: null },
  ...{ sas: '', tagKey: 'docvet-status', inProgress: false, onInfected: 'tag', onClean: 'tag', quarantine: null },
  ...{ cleared: null, push: null },
}
const OBJECT = { bucket: 'uploads', key: 'a.txt', size: null, etag: null, version: null }

function setUp() {
  const state = {
    ...{ now: 0, reads: 0, lines: [] as string[], authorization: '' },
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
        return { kind: 'answered', status: 200, headers: {}, body: '' }
      },
    },
    log: createLog({ level: 'info', stream: { write: (line: string) => void state.lines.push(line) } }),
    now: () => state.now,
  })
  async function usedKey(): Promise<string | undefined> {
    await clientOf('uploads')?.client.head(OBJECT, new AbortController().signal)
    return /Credential=(\w+)\//.exec(state.authorization)?.[1]
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
