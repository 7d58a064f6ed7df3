/** Which source an event belongs to where several stores have a bucket of the same name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '#base/principal.ts'
import type { Trx } from '#storage/database.ts'
import { s3Records } from '#test/support/object-events.ts'
import { quietLog } from '#test/support/seed.ts'
import { parseEvents } from './events.ts'
import { createIntake, type QueuedObject } from './intake.ts'
import { parseSources } from './sources.ts'

const keyOf = (digit: number) => `0198e0b4-0000-7000-8000-00000000000${digit}`
const OWNERS: Readonly<Record<string, string>> = { [keyOf(1)]: 'ada', [keyOf(2)]: 'grace', [keyOf(3)]: 'grace' }

/** Each in a store of its own. */
const intakeOf = (...keyIds: readonly string[]) => intakeFor(keyIds.map((keyId) => ({ keyId })))

function intakeFor(given: readonly object[]) {
  const list = given.map((source, index) => ({
    ...{ name: `s${index + 1}`, kind: 's3', endpoint: `https://s${index + 1}.example.com`, bucket: 'uploads' },
    ...{ accessKeyId: 'a', secretAccessKeyFile: 'secret', keyId: keyOf(2), ...source },
  }))
  const parsed = parseSources(JSON.stringify(list), '/sources.json', { readText: () => 'x', refusalOf: () => null })
  assert.ok('sources' in parsed)
  const queued: QueuedObject[] = []
  let asked = 0
  const take = createIntake({
    sources: parsed.sources,
    store: { seen: async () => new Set(), release: async () => [], insert: async () => true },
    async findKey(keyId) {
      asked++
      const accountId = OWNERS[keyId]
      return accountId === undefined ? null : { keyId, accountId }
    },
    async queue(_trx, scans) {
      queued.push(...scans)
      return scans.map((_, index) => `${index}`)
    },
    ...{ wake() {}, transaction: (work) => work({} as Trx), fileNameOf: (key) => key, log: quietLog },
  })
  async function send(keyId: string, records: number, key: string) {
    const principal: Principal = { kind: 'key', keyId, accountId: OWNERS[keyId] ?? 'eve', plan: 'free' }
    const { Records } = s3Records({ bucket: 'uploads', key })
    const parsedEvents = parseEvents({ Records: Array.from({ length: records }, () => Records[0]) })
    assert.ok(parsedEvents?.kind === 'events')
    const { ignored } = await take(parsedEvents.notices, principal, 'r')
    return { queued: queued.splice(0), ignored }
  }
  return {
    /** The names of the sources, or the reasons. */
    async of(keyId: string, records = 1, key = 'a.txt'): Promise<string[]> {
      const sent = await send(keyId, records, key)
      return [...sent.queued.map(({ request }) => request.source), ...sent.ignored.map(({ reason }) => reason)]
    },
    referenceOf: async (key: string) => (await send(keyOf(2), 1, key)).queued[0]?.reference,
    asked: () => asked,
  }
}

test('buckets of the same name in stores of several accounts: the one of the sender', async () => {
  const intake = intakeOf(keyOf(1), keyOf(2))
  assert.deepEqual(await intake.of(keyOf(1)), ['s1'])
  assert.deepEqual(await intake.of(keyOf(2)), ['s2'])
  assert.deepEqual(await intake.of(keyOf(3)), ['s2'])
  assert.deepEqual(await intake.of(keyOf(9)), ['no source for this bucket'])
})

test('in two stores of one account, the one with the key of the sender, else the first', async () => {
  const intake = intakeOf(keyOf(2), keyOf(3))
  assert.deepEqual(await intake.of(keyOf(3)), ['s2'])
  assert.deepEqual(await intake.of(keyOf(2)), ['s1'])
})

test('a source whose key is not active does not hide another one', async () => {
  assert.deepEqual(await intakeOf(keyOf(8), keyOf(2)).of(keyOf(2)), ['s2'])
  assert.deepEqual(await intakeOf(keyOf(8)).of(keyOf(2)), ['the key of the source is not active'])
})

test('the owner of a source is looked up once for all events of a request', async () => {
  const intake = intakeOf(keyOf(1), keyOf(8))
  assert.equal((await intake.of(keyOf(9), 1_000)).length, 1_000)
  assert.equal(intake.asked(), 2)
})

test('the quarantine of one store hides no document of another one whose bucket has the same name', async () => {
  const moving = { bucket: 'incoming', onInfected: 'move', quarantine: 'uploads/bad' }
  const both = intakeFor([moving, { onInfected: 'tag' }])
  assert.deepEqual(await both.of(keyOf(2), 1, 'bad/a.txt'), ['s2'])
  const alone = intakeFor([moving])
  assert.deepEqual(await alone.of(keyOf(2), 1, 'bad/a.txt'), ['quarantine or cleared documents'])
  assert.deepEqual(await alone.of(keyOf(2)), ['no source for this bucket'])
  // Two sources of one store: the copies of one are none of the other's documents.
  const shared = intakeFor([moving, { endpoint: 'https://s1.example.com' }])
  assert.deepEqual(await shared.of(keyOf(2), 1, 'bad/a.txt'), ['quarantine or cleared documents'])
  assert.deepEqual(await shared.of(keyOf(2)), ['s2'])
})

test('a reference is the end of a long name, and never begins with half a character', async () => {
  const intake = intakeOf(keyOf(2))
  assert.equal(await intake.referenceOf('a\u{1f4c4}.pdf'), 's1/a\u{1f4c4}.pdf')
  assert.equal(await intake.referenceOf(`\u{1f4c4}${'a'.repeat(255)}`), `\uFFFD${'a'.repeat(255)}`)
})
