/** Which verdict an object is marked with, where several scans have read it, or not all of it. */

import assert from 'node:assert/strict'
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
