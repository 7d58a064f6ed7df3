import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createRepository, rule, setOf } from '#test/support/tuf-repository.ts'
import { ChannelRefused, type ReadChannel, readChannel } from './channel.ts'
import { fromFolder, fromServer, recording } from './sources.ts'
import { NO_UPDATES, readState, SET_BYTES_MAX, writeState } from './update-set.ts'

const repository = createRepository()
const { root, keys } = repository
const first = repository.publish({ set: setOf(1, rule('one', 'word')), version: 1 })
const second = repository.publish({ set: setOf(2, rule('two', 'word')), version: 2 })
type Files = typeof first
const reading =
  (files: Files): ReadChannel =>
  async (name) =>
    files.get(name) ?? null
const look = (files: Files, metadata = {}, allowExpired = false) =>
  readChannel({ metadata, root, read: reading(files), allowExpired })
const changed = (files: Files, wanted: RegExp, change: (bytes: Buffer) => Buffer | null): Files =>
  new Map(
    [...files].flatMap(([name, bytes]) => {
      const now = wanted.test(name) ? change(bytes) : bytes
      return now === null ? [] : [[name, now] as const]
    }),
  )
const refuses = (promise: Promise<unknown>, why: RegExp) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof ChannelRefused, String(error))
    assert.match(error.message, why)
    return true
  })

test('a set with valid signatures is read, and a newer one after it', async () => {
  const { set, metadata } = await look(first)
  assert.deepEqual(set, setOf(1, rule('one', 'word')))
  assert.equal((await look(first, metadata)).set.version, 1)
  assert.equal((await look(second, metadata)).set.version, 2)
})

test('a rotated root counts if enough keys of the old and the new one signed it', async () => {
  const roles = { ...keys, root: [repository.newKey(), repository.newKey(), repository.newKey()] }
  const rotated = (signers: Parameters<typeof repository.rootOf>[2]) =>
    new Map([...first, ['metadata/2.root.json', repository.rootOf(2, roles, signers)]])
  const [old, fresh] = [keys.root.slice(0, 2), roles.root.slice(0, 2)]
  const { metadata } = await look(rotated([...old, ...fresh]))
  assert.match(metadata.root ?? '', /"version":2/)
  await refuses(look(rotated(old)), /signed by/)
  await refuses(look(rotated(fresh)), /signed by/)
  await refuses(look(rotated([...old.slice(1), ...fresh])), /signed by/)
  await refuses(look(rotated([old[0], old[0], ...fresh] as typeof old)), /signed by|[Mm]ultiple|duplicate/)
})

describe('is refused, and nothing of it is kept:', () => {
  const expired = repository.publish({ set: setOf(3, rule('x', 'word')), version: 3, expiresInDays: -1 })
  const other = createRepository().publish({ set: setOf(9, rule('x', 'word')), version: 9 })
  const weak = repository.publish({
    set: setOf(3, rule('x', 'word')),
    version: 3,
    targetsKeys: keys.targets.slice(0, 1),
  })
  const twice = [keys.targets[0], keys.targets[0]] as typeof keys.targets
  const flip = (bytes: Buffer) => {
    const now = Buffer.from(bytes)
    now[now.length >> 1] = (now[now.length >> 1] ?? 0) ^ 1
    return now
  }
  const cases: [string, Files, RegExp][] = [
    ['a changed set', changed(first, /rules\.json$/, flip), /hash/i],
    ['a set that was cut', changed(first, /rules\.json$/, (bytes) => bytes.subarray(0, -1)), /length|size/i],
    [
      'a set with more behind it',
      changed(first, /rules\.json$/, (bytes) => Buffer.concat([bytes, bytes])),
      /too large/i,
    ],
    ['changed metadata', changed(first, /targets\.json$/, flip), /./],
    ['a changed timestamp', changed(first, /timestamp\.json$/, flip), /./],
    ['an endless timestamp', changed(first, /timestamp\.json$/, () => Buffer.alloc(5_000_000, 0x20)), /too large/i],
    ['a missing timestamp', changed(first, /timestamp\.json$/, () => null), /no such file/i],
    ['a missing set', changed(first, /rules\.json$/, () => null), /no such file/i],
    ['expired metadata', expired, /expired/i],
    ['the keys of somebody else', other, /signed by/i],
    ['one signature where two are needed', weak, /signed by/i],
    [
      'one key that signed twice',
      repository.publish({ set: setOf(3), version: 3, targetsKeys: twice }),
      /signed by|[Mm]ultiple|duplicate/,
    ],
    [
      'metadata of two versions',
      new Map([...second, ['metadata/2.targets.json', first.get('metadata/1.targets.json') as Buffer]]),
      /hash|length|version/i,
    ],
    ['a set that is none', repository.publish({ set: { version: 1 }, version: 3 }), /wrong shape/],
    ['a set that is not JSON', repository.publish({ set: '{', version: 3 }), /JSON/],
    ['an empty set', repository.publish({ set: setOf(3), version: 3 }), /is empty/],
    [
      'a rule file with a path',
      repository.publish({ set: setOf(3, { name: '../a.yar', text: '' }), version: 3 }),
      /wrong shape/,
    ],
    [
      'a set that is too large',
      repository.publish({ set: ' '.repeat(SET_BYTES_MAX + 1), version: 3 }),
      /more than 16777216 bytes/,
    ],
  ]
  for (const [name, files, why] of cases) test(name, () => refuses(look(files), why))

  test('an older set than the last one (rollback)', async () => {
    const { metadata } = await look(second)
    await refuses(look(first, metadata), /less than/)
  })

  test('an old timestamp that goes on for too long (freeze)', async () => {
    const { metadata } = await look(expired, {}, true)
    await refuses(look(expired, metadata), /expired/i)
  })

  test('an older snapshot under a newer timestamp (mix)', async () => {
    const { metadata } = await look(second)
    const mixed = repository.publish({ set: setOf(1, rule('one', 'word')), version: 3 })
    const files = changed(mixed, /3\.snapshot\.json$/, () => first.get('metadata/1.snapshot.json') as Buffer)
    await refuses(look(files, metadata), /hash|length|version/i)
  })

  test('an older one also if what has expired is accepted', async () => {
    const { metadata } = await look(second)
    await refuses(look(first, metadata, true), /less than/)
    assert.equal((await look(expired, metadata, true)).set.version, 3)
  })
})

describe('a server', () => {
  let server: Server
  let answer: (name: string, reply: import('node:http').ServerResponse) => void = () => {}
  before(async () => {
    server = createServer((request, reply) => answer(request.url?.slice(3) ?? '', reply))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/c`
  const serve = (files: Files) => {
    answer = (name, reply) => {
      const bytes = files.get(name)
      reply.writeHead(bytes === undefined ? 404 : 200).end(bytes)
    }
  }

  test('is read, and what it sent is read again from a folder', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'docvet-channel-'))
    try {
      serve(first)
      const recorded = recording(fromServer(url()))
      const { set } = await readChannel({ metadata: {}, root, read: recorded.read })
      await recorded.writeTo(folder)
      const carried = await readChannel({ metadata: {}, root, read: fromFolder(folder) })
      assert.deepEqual(carried.set, set)
      writeFileSync(path.join(folder, 'metadata/timestamp.json'), '{}')
      await refuses(readChannel({ metadata: {}, root, read: fromFolder(folder) }), /./)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  for (const [name, how, why] of [
    [
      'that sends slowly',
      (reply: import('node:http').ServerResponse) => reply.writeHead(200).write('{'),
      /takes too long/,
    ],
    ['that never answers', () => {}, /takes too long/],
    [
      'that sends without end',
      (reply: import('node:http').ServerResponse) => {
        reply.writeHead(200)
        const more = (): void => {
          if (!reply.destroyed && reply.write(' '.repeat(65_536))) setImmediate(more)
          else reply.once('drain', more)
        }
        more()
      },
      /too large/,
    ],
    ['that fails', (reply: import('node:http').ServerResponse) => reply.writeHead(500).end(), /500/],
    [
      'that redirects',
      (reply: import('node:http').ServerResponse) => reply.writeHead(302, { location: '/x' }).end(),
      /302/,
    ],
  ] as const)
    test(`${name} is given up`, async () => {
      answer = (_, reply) => how(reply)
      await refuses(readChannel({ metadata: {}, root, read: fromServer(url(), null, 500) }), why)
    })
})

test('the state is written at once, and a broken one is an error, not the absence of one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvet-state-'))
  try {
    assert.deepEqual(await readState(path.join(folder, 'none')), NO_UPDATES)
    const state = { ...NO_UPDATES, ...(await look(first)), current: setOf(1, rule('one', 'word')) }
    await writeState(path.join(folder, 'some'), {
      metadata: state.metadata,
      current: state.current,
      previous: null,
      refused: null,
    })
    assert.equal((await readState(path.join(folder, 'some'))).current?.version, 1)
    mkdirSync(path.join(folder, 'broken'))
    for (const text of ['', '{}', '{"metadata":{}}']) {
      writeFileSync(path.join(folder, 'broken/state.json'), text)
      await assert.rejects(readState(path.join(folder, 'broken')), /state of the updates/)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
