import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, mock, test } from 'node:test'
import { createLog } from '#base/log.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { renderSelfCheck } from '#test/support/self-check.ts'
import { createRepository, rule, setOf } from '#test/support/tuf-repository.ts'
import { selfCheckDocuments } from './self-check.ts'
import { readState } from './update-set.ts'
import { createUpdates, goBack, receive } from './updates.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvet-updates-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const log = createLog({ level: 'fatal', stream: { write: () => {} } })
const repository = createRepository()
const reading = (files: ReturnType<typeof repository.publish>) => async (name: string) => files.get(name) ?? null
const passes = async () => {}
const fails = async () => {
  throw new Error('it hits')
}
const publish = (version: number) => repository.publish({ set: setOf(version, rule('one', 'word')), version })
const get = (version: number, prove = passes) =>
  receive({ folder, root: repository.root, read: reading(publish(version)), prove })

test('the self-check has more than 200 documents without a finding that counts', async () => {
  const documents = selfCheckDocuments()
  assert.ok(documents.length > 200)
  assert.equal(new Set(documents.map(([, bytes]) => bytes.toString('base64'))).size, documents.length)
  const inspector = await ourInspector()
  for (const [name, bytes] of documents) {
    const { kind, findings, obstacle } = inspector.inspect(bytes)
    assert.deepEqual([findings.filter(({ severity }) => severity !== 'notice'), obstacle], [[], null], name)
    assert.notEqual(kind, null, name)
  }
  assert.ok(renderSelfCheck().length < 100_000)
})

test('the set before is kept, and a set that fails is not used and not tried again', async () => {
  await get(1)
  await get(2)
  assert.equal((await get(3, fails)).refused, 'it hits')
  let state = await readState(folder)
  assert.deepEqual([state.current?.version, state.previous?.version, state.refused?.version], [2, 1, 3])
  await get(3, async () => assert.fail('tried again'))
  assert.equal((await readState(folder)).refused?.version, 3)
  await get(4)
  state = await readState(folder)
  assert.deepEqual([state.current?.version, state.previous?.version, state.refused], [4, 2, null])
})

test('a set that is taken back is not used again, and the next one is', async () => {
  assert.equal(await goBack(folder), null)
  await get(1)
  assert.equal(await goBack(folder), null)
  await get(2)
  assert.deepEqual(await goBack(folder), { from: 2, to: 1 })
  await get(2, async () => assert.fail('tried again'))
  let state = await readState(folder)
  assert.deepEqual([state.current?.version, state.refused?.version], [1, 2])
  await assert.rejects(get(1), /less than/)
  await get(3)
  state = await readState(folder)
  assert.deepEqual([state.current?.version, state.previous?.version, state.refused], [3, 1, null])
})

test('a set that is taken back while the channel is asked stays taken back', async () => {
  await get(1)
  await get(2)
  const files = publish(2)
  let isBack = false
  const read = async (name: string) => {
    if (!isBack) assert.deepEqual(await goBack(folder), { from: 2, to: 1 })
    isBack = true
    return files.get(name) ?? null
  }
  await receive({ folder, root: repository.root, read, prove: passes })
  await get(2)
  const state = await readState(folder)
  assert.deepEqual([state.current?.version, state.refused?.version], [1, 2])
})

test('a set that failed still makes older ones too old', async () => {
  await get(5, fails)
  await assert.rejects(get(4), /less than/)
})

test('a state that cannot be read stops updates and names the reason, and the set in use stays', async () => {
  await get(1)
  const signal = new AbortController().signal
  const updates = createUpdates({
    folder,
    url: null,
    proxy: null,
    rootFile: null,
    intervalMs: 1,
    prove: passes,
    signal,
    log,
  })
  await updates.load()
  writeFileSync(path.join(folder, 'state.json'), '{')
  await updates.load()
  assert.match(updates.problem() ?? '', /state of the updates is not JSON/)
  assert.equal(updates.current()?.version, 1)
  await assert.rejects(get(2), /state of the updates/)
})

test('no connection is opened without a channel, and one is with it', async () => {
  const connecting = mock.method(net.Socket.prototype, 'connect', () => {
    throw new Error('denied')
  })
  try {
    const rootFile = path.join(folder, 'root.json')
    writeFileSync(rootFile, repository.root)
    for (const [url, isExpected] of [
      [null, false],
      ['http://127.0.0.1:9/c', true],
    ] as const) {
      const closing = new AbortController()
      const options = {
        folder,
        url,
        proxy: null,
        rootFile,
        intervalMs: 60_000,
        prove: passes,
        signal: closing.signal,
        log,
      }
      const updates = createUpdates(options)
      await updates.load()
      const following = updates.follow()
      await new Promise((resolve) => setTimeout(resolve, 200))
      closing.abort()
      await following
      assert.equal(connecting.mock.callCount() > 0, isExpected, String(url))
      assert.equal(updates.problem() !== null, isExpected)
    }
  } finally {
    connecting.mock.restore()
  }
})
