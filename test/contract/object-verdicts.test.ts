/** Which verdict an object is marked with, where several scans have read it, or not all of it. */

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, describe, test } from 'node:test'
import { EICAR } from '#inspect/testing/samples.ts'
import { type EventObject, s3Records } from '#test/support/object-events.ts'
import { eventually, makeDue, type ObjectService, startObjectService } from '#test/support/object-service.ts'
import { S3_CREDENTIALS, type S3Store, startS3 } from '#test/support/object-stores.ts'
import { openDatabaseOf } from '#test/support/service.ts'

const SECRETS = { secret: S3_CREDENTIALS.secretAccessKey }
/** As long as the test file, so that one can stand for the other. */
const HARMLESS = 'Dear Ada, '.repeat(10).slice(0, EICAR.length)

describe('verdicts of objects', () => {
  let store: S3Store
  let service: ObjectService

  before(async () => {
    store = await startS3('uploads', 'guard', 'plain', 'cleared')
    const source = {
      ...{ kind: 's3', endpoint: store.url, accessKeyId: S3_CREDENTIALS.accessKeyId, secretAccessKeyFile: 'secret' },
    }
    const sources = [
      { ...source, name: 'uploads', bucket: 'uploads', inProgress: true },
      { ...source, name: 'guard', bucket: 'guard', tagKey: 'GuardDutyMalwareScanStatus' },
      {
        ...{ ...source, name: 'plain', bucket: 'plain', tag: false, onInfected: 'move', quarantine: 'cleared/bad' },
        ...{ onClean: 'move', cleared: 'cleared/good' },
      },
    ]
    service = await startObjectService(sources, SECRETS, { DOCVET_OUTBOUND_ALLOW: `127.0.0.1:${store.port}` })
  })
  after(async () => {
    await service?.[Symbol.asyncDispose]()
    await store?.[Symbol.asyncDispose]()
  })
  afterEach(() => {
    store.intercept = () => false
  })

  let uploads = 0
  async function uploaded(bucket: string, key: string, content = HARMLESS): Promise<EventObject> {
    const etag = await store.put(bucket, key, content)
    return { bucket, key, etag, size: content.length }
  }
  /** One more event of the same upload, as of another sender. */
  const eventOf = (object: EventObject) => s3Records({ ...object, sequencer: String(++uploads).padStart(16, '0') })

  for (const [bucket, tagKey, infected, inProgress] of [
    ['uploads', 'docvet-status', 'infected', true],
    ['guard', 'GuardDutyMalwareScanStatus', 'THREATS_FOUND', false],
  ] as const)
    test(`a verdict whose tag was late does not replace a newer one of the same bytes: ${tagKey}`, async () => {
      const key = 'late.txt'
      const object = await uploaded(bucket, key)
      let failures = 0
      store.intercept = async ({ method, url = '' }, response) => {
        if (
          method !== 'PUT' ||
          !url.includes(`${key}?tagging`) ||
          ((await store.tags(bucket, key))[tagKey] === undefined && inProgress)
        )
          return false
        failures++
        response.writeHead(503).end()
        return true
      }
      const older = await service.ended(eventOf(object))
      assert.equal(older.status, 'clean')
      await eventually(async () => failures > 0, 'the failure')
      // The engine knows more by now.
      store.intercept = ({ method, url = '' }, response) => {
        const isRead = method === 'GET' && url.endsWith(`/${key}`)
        if (isRead) response.writeHead(200, { etag: `"${object.etag}"`, 'content-length': EICAR.length }).end(EICAR)
        return isRead
      }
      const newer = await service.ended(eventOf(object))
      assert.equal(newer.status, 'infected')
      await service.logged(new RegExp(`${newer.scanId}.*Object marked`))
      assert.equal((await store.tags(bucket, key))[tagKey], infected)
      await eventually(async () => makeDue(service.dataDir, 1), 'the next attempt')
      await service.logged(new RegExp(`${older.scanId}.*Object marked`))
      assert.equal((await store.tags(bucket, key))[tagKey], infected)
    })

  test('without tags, a late verdict does not clear what a newer one has not', async () => {
    const key = 'late.txt'
    const object = await uploaded('plain', key)
    const scanIds: string[] = []
    let isDown = true
    for (const [status, content] of [
      ['clean', HARMLESS],
      ['infected', EICAR],
    ] as const) {
      store.intercept = ({ method, url = '' }, response) => {
        const fails = isDown && method === 'HEAD' && url.includes(key)
        if (fails) response.writeHead(503).end()
        const isRead = method === 'GET' && url.endsWith(`/plain/${key}`)
        if (isRead) response.writeHead(200, { etag: `"${object.etag}"`, 'content-length': content.length }).end(content)
        return fails || isRead
      }
      const report = await service.ended(eventOf(object))
      assert.equal(report.status, status)
      scanIds.push(report.scanId)
    }
    const [older = '', newer = ''] = scanIds
    using database = openDatabaseOf(service)
    const delay = (scanId: string, ms: number) =>
      database
        .prepare("update jobs set due_at = ? where kind = 'mark-object' and claimed_by is null and data like ?")
        .run(Date.now() + ms, `%${scanId}%`).changes
    await eventually(async () => delay(newer, 20_000), 'an attempt at the newer one')
    isDown = false
    await eventually(async () => delay(older, 0), 'an attempt at the older one')
    await service.logged(new RegExp(`${older}.*Object marked`))
    assert.equal(await store.get('cleared', `good/${key}`), null)
    delay(newer, 0)
    await eventually(async () => (await store.get('plain', key)) === null, 'the end of the original')
    assert.ok(await store.get('cleared', `bad/${key}`))
  })

  type Answer = (response: ServerResponse, content: string, headers: Record<string, string>) => void
  const CUT = 20
  /** Without a length and without chunks: the end of the connection is the end of the body. */
  const unframed: Answer = (response, content, headers) => {
    response.useChunkedEncodingByDefault = false
    response.writeHead(200, headers).write(content)
    response.end()
  }
  const chunked: Answer = (response, content, headers) => {
    response.writeHead(200, headers).write(content)
    response.end()
  }
  const ranged =
    (total: number): Answer =>
    (response, content, headers) =>
      response.writeHead(200, { ...headers, 'content-range': `bytes 0-${content.length - 1}/${total}` }).end(content)
  const whole: Answer = (response, content, headers) => response.writeHead(200, headers).end(content)
  const cut =
    (headersOf: (content: string) => Record<string, string | number>): Answer =>
    (response, content, headers) => {
      response.writeHead(200, { ...headers, ...headersOf(content) }).write(content.slice(0, CUT))
      setTimeout(() => response.destroy(), 50)
    }
  const part = HARMLESS.slice(0, CUT)
  const WRONG: [string, Answer, string, Partial<EventObject>?][] = [
    ['cut, without a length', unframed, part],
    ['cut, without a length, and an event without a size', unframed, part, { size: undefined as never }],
    ['cut, without a length, and an event with the size of the part', unframed, part, { size: CUT }],
    ['cut to nothing', unframed, ''],
    ['longer, without a length', unframed, `${HARMLESS}x`],
    ['cut in whole chunks', chunked, part],
    ['cut in whole chunks, and an event with the size of the part', chunked, part, { size: CUT }],
    ['cut, with the length of the part', whole, part],
    ['cut to nothing, with its length', whole, ''],
    ['longer, with its length', whole, `${HARMLESS}x`],
    ['a range as if it were all', ranged(HARMLESS.length), part, { size: CUT }],
    ['cut, with the length of all', cut(({ length }) => ({ 'content-length': length })), HARMLESS],
    ['cut in a chunk', cut(() => ({})), HARMLESS],
  ]
  /** Answers the only GET of the object. */
  function answerWith(object: EventObject, answer: Answer, content: string): void {
    store.intercept = ({ method, url = '' }, response) => {
      const isRead = method === 'GET' && url.endsWith(`/${object.key}`)
      if (isRead) answer(response, content, { etag: `"${object.etag}"` })
      return isRead
    }
  }

  for (const [index, [name, answer, content, more]] of WRONG.entries())
    test(`an object that does not arrive as long as its store says is read again: ${name}`, async () => {
      const object = await uploaded('guard', `wrong-${index}.txt`)
      answerWith(object, answer, content)
      const [scanId = ''] = ((await service.post(eventOf({ ...object, ...more }))).json() as { scanIds: string[] })
        .scanIds
      await eventually(async () => makeDue(service.dataDir, 1), 'a failed attempt')
      assert.deepEqual(await store.tags('guard', object.key), {})
      assert.equal((await service.report(scanId)).status, null)
      store.intercept = () => false
      const status = await eventually(async () => (await service.report(scanId)).status, 'the verdict')
      assert.equal(status, 'clean')
    })

  test('an object that never arrives as long as its store says has failed', async () => {
    const object = await uploaded('uploads', 'never.txt')
    answerWith(object, unframed, part)
    const event = eventOf(object)
    const [scanId = ''] = ((await service.post(event)).json() as { scanIds: string[] }).scanIds
    await eventually(async () => makeDue(service.dataDir, 1), 'a failed attempt')
    using database = openDatabaseOf(service)
    const last =
      "update jobs set attempts = 13, due_at = 0 where kind = 'scan-object' and claimed_by is null and data like ?"
    await eventually(async () => database.prepare(last).run(`%${scanId}%`).changes, 'one more failed attempt')
    await eventually(async () => (await store.tags('uploads', object.key))['docvet-status'] === 'failed', 'the tag')
    const { state, status, problem } = await service.report(scanId)
    assert.deepEqual([state, status, problem?.code], ['failed', null, 'fetch_failed'])
    assert.match(problem?.detail ?? '', /another length/)
    // Its sender may try again.
    store.intercept = () => false
    assert.equal((await service.ended(event)).status, 'clean')
  })

  const RIGHT: [string, Answer, Partial<EventObject>][] = [
    ['without a length', unframed, {}],
    ['in chunks', chunked, {}],
    ['with a range that is all of it', ranged(HARMLESS.length), {}],
    // Of some stores, for objects that were uploaded in parts.
    ['and an event says that it is empty', whole, { size: 0 }],
    // What the event says is compared with what the store says.
    ['and an event says that it is larger', whole, { size: HARMLESS.length + 1 }],
    ['and an event says that it is too large', whole, { size: 26_214_401 }],
    ['and an event does not say its size', chunked, { size: undefined as never }],
  ]
  for (const [index, [name, answer, more]] of RIGHT.entries())
    test(`an object that arrives as long as its store says is scanned: ${name}`, async () => {
      const object = await uploaded('guard', `right-${index}.txt`)
      answerWith(object, answer, HARMLESS)
      const { status, fileSize } = await service.ended(eventOf({ ...object, ...more }))
      assert.deepEqual([status, fileSize], ['clean', HARMLESS.length])
    })

  test('infected stays infected for the same bytes, also while they are read, until somebody removes the tag', async () => {
    const key = 'again.txt'
    const object = await uploaded('uploads', key)
    await store.setTags('uploads', key, { team: 'a', 'docvet-status': 'infected' })
    let seen: Record<string, string> | undefined
    store.intercept = async ({ method, url = '' }) => {
      if (method === 'GET' && url.endsWith(`/${key}`)) seen = await store.tags('uploads', key)
      return false
    }
    const { status, scanId } = await service.ended(eventOf(object))
    assert.equal(status, 'clean')
    await service.logged(new RegExp(`${scanId}.*"marked":"unchanged".*Object marked`))
    const kept = { team: 'a', 'docvet-status': 'infected' }
    assert.deepEqual([seen, await store.tags('uploads', key)], [kept, kept])
    await store.setTags('uploads', key, { team: 'a' })
    await service.ended(eventOf(object))
    await eventually(async () => (await store.tags('uploads', key))['docvet-status'] === 'clean', 'the tag')
    // Other bytes have no tag when they are stored; s3rver keeps it.
    const infected = await uploaded('uploads', 'other.txt', EICAR)
    await service.ended(eventOf(infected))
    await eventually(async () => (await store.tags('uploads', 'other.txt'))['docvet-status'] === 'infected', 'the tag')
    const harmless = await uploaded('uploads', 'other.txt')
    await store.setTags('uploads', 'other.txt', {})
    await service.ended(eventOf(harmless))
    await eventually(async () => (await store.tags('uploads', 'other.txt'))['docvet-status'] === 'clean', 'the tag')
  })
})
