/** `POST /api/v1/events`: shapes, credentials, what is ignored; and objects in s3rver that are scanned, tagged and moved. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { parseSources } from '#objects/sources.ts'
import { withKey } from '#test/support/client.ts'
import {
  bridgeEvent,
  cloudEvent,
  type EventObject,
  gridEvents,
  gridValidation,
  minioEvent,
  pushEvent,
  s3Records,
  s3TestEvent,
  UNKNOWN_SHAPES,
} from '#test/support/object-events.ts'
import { eventually, makeDue, type ObjectService, startObjectService } from '#test/support/object-service.ts'
import { presigned, S3_CREDENTIALS, type S3Store, startS3 } from '#test/support/object-stores.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { query, storedBytes } from '#test/support/scanning.ts'

const SECRETS = { secret: S3_CREDENTIALS.secretAccessKey }
const LOCKED = writeZip([{ name: 'a.txt', data: 'x', local: { flags: 1 }, central: { flags: 1 } }])

describe('object storage', () => {
  let store: S3Store
  let service: ObjectService

  before(async () => {
    store = await startS3('uploads', 'guard', 'moved', 'deleted', 'quarantine', 'cleared', 'other')
    const source = {
      ...{ kind: 's3', endpoint: store.url, accessKeyId: S3_CREDENTIALS.accessKeyId, secretAccessKeyFile: 'secret' },
    }
    const sources = [
      { ...source, name: 'uploads', bucket: 'uploads' },
      { ...source, name: 'guard', bucket: 'guard', prefixes: ['in/'], tagKey: 'GuardDutyMalwareScanStatus' },
      {
        ...{ ...source, name: 'moved', bucket: 'moved', tag: false, onInfected: 'move', quarantine: 'quarantine/bad' },
        ...{ onClean: 'move', cleared: 'cleared' },
      },
      { ...source, name: 'deleted', bucket: 'deleted', onInfected: 'delete', inProgress: true },
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
  /** Stores it, and returns the event of it. */
  async function uploaded(bucket: string, key: string, content: string | Buffer): Promise<EventObject> {
    const etag = await store.put(bucket, key, content)
    return { bucket, key, etag, size: content.length, sequencer: String(++uploads).padStart(16, '0') }
  }
  const tagOf = (bucket: string, key: string, name = 'docvet-status') =>
    eventually(
      async () => [(await store.tags(bucket, key))[name]].find((value) => value !== 'in_progress'),
      `the tag of ${bucket}/${key}`,
    )

  test('every shape of S3 is a scan of the right object, which gets its tag and keeps those of others', async () => {
    const SHAPES: [string, (object: EventObject) => unknown][] = [
      ['minio', minioEvent],
      ['records', s3Records],
      ['bridge', bridgeEvent],
    ]
    for (const [name, shape] of SHAPES) {
      const key = `${name}/a b+ü 100%.txt`
      const object = await uploaded('uploads', key, `Dear ${name}`)
      await store.setTags('uploads', key, { team: 'a', cost: 'b & c'.replaceAll('&', '&amp;') })
      const report = await service.ended(shape(object))
      assert.deepEqual(
        [report.state, report.status, report.fileName, report.reference],
        ['done', 'clean', 'a b+ü 100%.txt', `uploads/${key}`],
      )
      assert.equal(await tagOf('uploads', key), 'clean')
      assert.deepEqual(await store.tags('uploads', key), { team: 'a', cost: 'b & c', 'docvet-status': 'clean' })
    }
  })

  test('words: infected, unscannable, unsupported, empty, in ours and in those of GuardDuty', async () => {
    const WORDS: [string, string | Buffer, string, string][] = [
      ['infected.txt', EICAR, 'infected', 'THREATS_FOUND'],
      ['locked.zip', LOCKED, 'unscannable', 'UNSUPPORTED'],
      ['image.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'unsupported', 'UNSUPPORTED'],
      ['empty.txt', '', 'empty', 'UNSUPPORTED'],
      ['clean.txt', 'fine', 'clean', 'NO_THREATS_FOUND'],
    ]
    for (const [key, content, word, guardDuty] of WORDS) {
      await service.post(s3Records(await uploaded('uploads', key, content)))
      assert.equal(await tagOf('uploads', key), word)
      await service.post(s3Records(await uploaded('guard', `in/${key}`, content)))
      assert.equal(await tagOf('guard', `in/${key}`, 'GuardDutyMalwareScanStatus'), guardDuty)
    }
  })

  test('an object that may not be read is failed, with a reason', async () => {
    const object = await uploaded('guard', 'in/denied.txt', 'x')
    const own = await uploaded('uploads', 'denied.txt', 'x')
    store.intercept = ({ method, url = '' }, response) => {
      const isDenied = method === 'GET' && /denied\.txt(?:$|\?versionId)/.test(url)
      if (isDenied) response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
      return isDenied
    }
    const report = await service.ended(s3Records(object))
    assert.deepEqual([report.state, report.status, report.problem?.code], ['failed', null, 'fetch_failed'])
    assert.match(report.problem?.detail ?? '', /access denied/)
    assert.equal(await tagOf('guard', 'in/denied.txt', 'GuardDutyMalwareScanStatus'), 'ACCESS_DENIED')
    await service.post(s3Records(own))
    assert.equal(await tagOf('uploads', 'denied.txt'), 'failed')
  })

  test('an object with ten tags of others keeps them, and the job is failed with a reason', async () => {
    const object = await uploaded('uploads', 'ten.txt', 'x')
    const tags = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`k${index}`, 'v']))
    await store.setTags('uploads', 'ten.txt', tags)
    const nine = await uploaded('uploads', 'nine.txt', 'x')
    const { k9: _k9, ...fewer } = tags
    await store.setTags('uploads', 'nine.txt', fewer)
    const { scanId } = await service.ended(s3Records(object))
    const line = await service.logged(new RegExp(`${scanId}.*Object could not be marked`))
    assert.match(line, /the object has 10 tags of others/)
    assert.deepEqual(await store.tags('uploads', 'ten.txt'), tags)
    await service.post(s3Records(nine))
    assert.equal(await tagOf('uploads', 'nine.txt'), 'clean')
    assert.equal(Object.keys(await store.tags('uploads', 'nine.txt')).length, 10)
  })

  test('infected objects are moved or deleted, clean ones are moved, and our own copies are ignored', async () => {
    const bad = await uploaded('moved', 'in/bad.txt', EICAR)
    assert.equal((await service.ended(bridgeEvent(bad))).status, 'infected')
    await eventually(async () => (await store.get('moved', 'in/bad.txt')) === null, 'the end of the original')
    assert.equal(String(await store.get('quarantine', 'bad/in/bad.txt')), EICAR)
    await service.post(bridgeEvent(await uploaded('moved', 'in/good.txt', 'good')))
    await eventually(async () => (await store.get('moved', 'in/good.txt')) === null, 'the end of the original')
    assert.equal(String(await store.get('cleared', 'in/good.txt')), 'good')
    for (const copy of [
      { bucket: 'quarantine', key: 'bad/in/bad.txt' },
      { bucket: 'cleared', key: 'in/good.txt' },
    ]) {
      const answer = await service.post(s3Records(copy, 'ObjectCreated:Copy'))
      assert.deepEqual(
        [answer.status, answer.json()],
        [200, { scanIds: [], ignored: [{ reason: 'quarantine or cleared documents', ...copy }] }],
      )
    }
    await service.post(bridgeEvent(await uploaded('deleted', 'bad.txt', EICAR)))
    await eventually(async () => (await store.get('deleted', 'bad.txt')) === null, 'the end of the object')
    await service.post(bridgeEvent(await uploaded('deleted', 'good.txt', 'x')))
    assert.equal(await tagOf('deleted', 'good.txt'), 'clean')
  })

  test('an infected object goes also if it cannot be tagged, unless it was replaced', async () => {
    const tags = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`k${index}`, 'v']))
    const full = await uploaded('deleted', 'full.txt', EICAR)
    await store.setTags('deleted', 'full.txt', tags)
    await service.post(bridgeEvent(full))
    await eventually(async () => (await store.get('deleted', 'full.txt')) === null, 'the end of the object')
    // Clean ones stay, with the tags of others.
    const clean = await uploaded('deleted', 'full.txt', 'x')
    await store.setTags('deleted', 'full.txt', tags)
    const { scanId } = await service.ended(bridgeEvent(clean))
    await service.logged(new RegExp(`${scanId}.*Object could not be marked`))
    assert.deepEqual(await store.tags('deleted', 'full.txt'), tags)
    const denied = await uploaded('deleted', 'denied.txt', EICAR)
    const replaced = await uploaded('deleted', 'replaced.txt', EICAR)
    let isReplaced = false
    store.intercept = async ({ method, url = '' }, response) => {
      if (!url.includes('tagging')) return false
      if (method === 'PUT' && url.includes('replaced.txt') && !isReplaced) {
        isReplaced = true
        await store.put('deleted', 'replaced.txt', 'newer')
      }
      if (method === 'PUT') response.writeHead(403).end()
      return method === 'PUT'
    }
    await service.post(bridgeEvent(denied))
    await eventually(async () => (await store.get('deleted', 'denied.txt')) === null, 'the end of the object')
    await service.ended(bridgeEvent(replaced))
    await eventually(async () => isReplaced, 'the newer object')
    assert.equal(String(await store.get('deleted', 'replaced.txt')), 'newer')
  })

  test('a source can ask for a tag while its objects are scanned; others have none', async () => {
    for (const [bucket, before] of [
      ['deleted', { team: 'a', 'docvet-status': 'in_progress' }],
      ['uploads', { team: 'a' }],
    ] as const) {
      const object = await uploaded(bucket, 'slow.txt', 'x')
      await store.setTags(bucket, 'slow.txt', { team: 'a' })
      let seen: Record<string, string> | undefined
      store.intercept = async ({ method, url = '' }) => {
        if (method === 'GET' && url.endsWith('/slow.txt')) seen = await store.tags(bucket, 'slow.txt')
        return false
      }
      assert.equal((await service.ended(s3Records(object))).status, 'clean')
      assert.deepEqual(seen, before)
      await eventually(async () => (await store.tags(bucket, 'slow.txt'))['docvet-status'] === 'clean', 'the tag')
      assert.equal((await store.tags(bucket, 'slow.txt')).team, 'a')
    }
    // One that cannot be tagged is scanned all the same.
    const object = await uploaded('deleted', 'untagged.txt', 'x')
    store.intercept = ({ url = '' }, response) => {
      if (url.includes('tagging')) response.writeHead(403).end()
      return url.includes('tagging')
    }
    assert.equal((await service.ended(s3Records(object))).status, 'clean')
  })

  test('presigned URLs are scanned; expired ones are fetch_failed', async () => {
    const scanned = async (url: string) => {
      const headers = { ...withKey(service.secret), 'content-type': 'application/json' }
      return await request(service.port, 'POST', '/api/v1/scans', { headers, body: JSON.stringify({ url }) })
    }
    const before = await service.used(service.secret)
    for (const key of ['plain.txt', 'a b.txt', 'a+b.txt', 'ü.txt', '100%.txt', 'in/%41.txt']) {
      await store.put('other', key, EICAR)
      const url = presigned(store.urlOf('other', key), 300)
      const asked = store.requests.length
      const answer = await scanned(url)
      assert.equal(answer.status, 200, `${key}: ${answer.body}`)
      const { status, fileName } = answer.json() as { status: string; fileName: string }
      assert.deepEqual([status, fileName], ['infected', key.split('/').at(-1)])
      // A GET only: the signature allows nothing else.
      const ofOther = store.requests.slice(asked).filter((each) => each.includes(' /other/'))
      assert.deepEqual(
        ofOther.map((each) => each.split(' ')[0]),
        ['GET'],
      )
      const expired = presigned(store.urlOf('other', key), 60, new Date(Date.now() - 3_600_000))
      const refused = await scanned(expired)
      assertProblem(refused, 424, 'fetch_failed')
      assert.match(refused.body, /status 4xx/)
      assert.doesNotMatch(refused.body, /X-Amz|expired/i)
    }
    assert.equal(await service.used(service.secret), before + 6)
    assert.doesNotMatch(service.output(), /X-Amz/)
  })

  test('the same event twice, also at once and by another sender, is one scan and one charge', async () => {
    const before = await service.used(service.secret)
    const object = await uploaded('uploads', 'twice.txt', 'x')
    const body = { Records: [...s3Records(object).Records, ...s3Records(object).Records] }
    const answers = await Promise.all(
      [body, minioEvent(object), s3Records(object), body].map((each) => service.post(each)),
    )
    const taken = answers.map((answer) => answer.json() as { scanIds: string[]; ignored: { reason: string }[] })
    assert.equal(taken.flatMap(({ scanIds }) => scanIds).length, 1, JSON.stringify(taken))
    assert.deepEqual(
      [...new Set(taken.flatMap(({ ignored }) => ignored.map(({ reason }) => reason)))],
      ['repeated event'],
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 202])
    assert.equal(await tagOf('uploads', 'twice.txt'), 'clean')
    const again = await service.post(s3Records(object))
    assert.deepEqual([again.status, (again.json() as { scanIds: string[] }).scanIds], [200, []])
    assert.equal(await service.used(service.secret), before + 1)
    // The same bytes again are another upload, which has lost the tag.
    assert.equal((await service.post(s3Records(await uploaded('uploads', 'twice.txt', 'x')))).status, 202)
  })

  test('an object that was replaced gets the verdict of the newer one', async () => {
    const older = await uploaded('uploads', 'replaced.txt', 'harmless')
    const newer = await uploaded('uploads', 'replaced.txt', EICAR)
    const report = await service.ended(s3Records(older))
    assert.deepEqual([report.state, report.problem?.code], ['failed', 'fetch_failed'])
    assert.match(report.problem?.detail ?? '', /has been replaced/)
    assert.deepEqual(await store.tags('uploads', 'replaced.txt'), {})
    assert.equal((await service.ended(s3Records(newer))).status, 'infected')
    assert.equal(await tagOf('uploads', 'replaced.txt'), 'infected')
  })

  test('replaced after the scan, or while the tag is written, the newer one never has the word of the older', async () => {
    for (const [key, moment] of [
      ['after.txt', /^HEAD \/uploads\/after\.txt/],
      ['between.txt', /^PUT \/uploads\/between\.txt\?tagging/],
    ] as const) {
      const object = await uploaded('uploads', key, 'harmless')
      let isReplaced = false
      store.intercept = async ({ method, url }) => {
        if (!isReplaced && moment.test(`${method} ${url}`)) {
          isReplaced = true
          await store.put('uploads', key, EICAR)
        }
        return false
      }
      const { scanId, status } = await service.ended(s3Records(object))
      assert.equal(status, 'clean')
      await service.logged(new RegExp(`${scanId}.*"marked":"unchanged".*Object marked`))
      if (key === 'after.txt') assert.deepEqual(await store.tags('uploads', key), {})
      // Its own word may have been overwritten, so it is scanned again.
      else assert.equal(await tagOf('uploads', key), 'infected')
    }
  })

  test('replaced while the tag is written by a process that dies then, the newer one loses the word of the older', async () => {
    const key = 'crash.txt'
    const object = await uploaded('uploads', key, 'harmless')
    let step: 'before' | 'replaced' | 'dead' = 'before'
    store.intercept = async ({ method, url = '' }, response) => {
      if (!url.startsWith(`/uploads/${key}`)) return false
      if (step === 'before' && method === 'PUT') {
        step = 'replaced'
        await store.put('uploads', key, EICAR)
        return false
      }
      // As if the process had not come to this.
      const isLate = step === 'replaced' && method === 'HEAD'
      if (isLate) step = 'dead'
      if (isLate) response.writeHead(503).end()
      return isLate
    }
    assert.equal((await service.ended(s3Records(object))).status, 'clean')
    await eventually(async () => step === 'dead', 'the end of the first attempt')
    assert.deepEqual(await store.tags('uploads', key), { 'docvet-status': 'clean' })
    await eventually(async () => makeDue(service.dataDir, 1), 'the next attempt')
    await eventually(async () => (await store.tags('uploads', key))['docvet-status'] === 'infected', 'its own word')
  })

  test('in a bucket with versions, the one that was scanned is tagged and deleted, also if its event has none', async () => {
    const object = await uploaded('deleted', 'version.txt', EICAR)
    const asked = store.requests.length
    store.intercept = (_request, response) => {
      response.setHeader('x-amz-version-id', 'v_1+2')
      return false
    }
    await service.ended(s3Records(object))
    await eventually(async () => (await store.get('deleted', 'version.txt')) === null, 'the end of the object')
    const changes = store.requests.slice(asked).filter((each) => /^(?:PUT|DELETE) \/deleted\/version\.txt/.test(each))
    assert.deepEqual([...new Set(changes)].sort(), [
      'DELETE /deleted/version.txt?versionId=v_1%2B2',
      'PUT /deleted/version.txt?tagging=&versionId=v_1%2B2',
    ])
  })

  test('an event without an ETag is about the object that is read first', async () => {
    const { Records } = s3Records(await uploaded('uploads', 'plain.txt', 'x'))
    const { eTag: _eTag, sequencer: _sequencer, ...object } = Records[0]?.s3.object ?? {}
    const { bucket } = Records[0]?.s3 ?? {}
    const report = await service.ended({ Records: [{ eventName: 'ObjectCreated:Put', s3: { bucket, object } }] })
    assert.equal(report.status, 'clean')
    assert.equal(await tagOf('uploads', 'plain.txt'), 'clean')
    // Nothing says that the next one is a repeat: it may be another upload.
    await store.put('uploads', 'plain.txt', EICAR)
    const again = await service.ended({ Records: [{ eventName: 'ObjectCreated:Put', s3: { bucket, object } }] })
    assert.equal(again.status, 'infected')
    const timed = (time: string) => ({
      Records: [{ eventName: 'ObjectCreated:Put', eventTime: time, s3: { bucket, object } }],
    })
    const statuses = []
    for (const time of ['2026-11-18T02:00:00Z', '2026-11-18T02:00:00Z', '2026-11-18T02:00:01Z'])
      statuses.push((await service.post(timed(time))).status)
    assert.deepEqual(statuses, [202, 200, 202])
  })

  test('a store that is down is asked again, and the object gets its tag', async () => {
    const object = await uploaded('uploads', 'down.txt', 'x')
    let failures = 0
    store.intercept = ({ method, url = '' }, response) => {
      const fails =
        (method === 'GET' && url.endsWith('/down.txt') && failures < 1) || (method === 'PUT' && failures === 1)
      if (!fails) return false
      failures++
      if (method === 'GET') response.destroy()
      else response.writeHead(503).end()
      return true
    }
    assert.equal((await service.ended(s3Records(object))).status, 'clean')
    assert.equal(await tagOf('uploads', 'down.txt'), 'clean')
    assert.equal(failures, 2)
  })

  test('a store that is down for more than five minutes is asked again and again, and then the object is scanned', async () => {
    const FIVE_MINUTES_MS = 300_000
    const before = await service.used(service.secret)
    const object = await uploaded('uploads', 'away.txt', 'x')
    let isDown = true
    store.intercept = ({ url = '' }, response) => {
      if (isDown && url.includes('away.txt')) response.destroy()
      return isDown && url.includes('away.txt')
    }
    const scanning = service.ended(s3Records(object))
    // The clock of the queue runs faster: what has to wait is due at once, and the pauses are added up.
    let waitedMs = 0
    for (let attempts = 1; waitedMs < FIVE_MINUTES_MS; attempts++) {
      const pauseMs = await eventually(async () => makeDue(service.dataDir, attempts), `attempt ${attempts}`)
      waitedMs += pauseMs
      isDown = waitedMs < FIVE_MINUTES_MS
    }
    const report = await scanning
    assert.deepEqual([report.state, report.status], ['done', 'clean'])
    assert.equal(await tagOf('uploads', 'away.txt'), 'clean')
    assert.equal(await service.used(service.secret), before + 1)
  })

  test('objects stored with a coding, which browsers undo, are failed', async () => {
    for (const [coding, status] of [
      ['gzip', null],
      ['br', null],
      ['identity', 'clean'],
      ['aws-chunked', 'clean'],
    ] as const) {
      const key = `${coding}.txt`
      const etag = await store.put('uploads', key, 'plain')
      store.intercept = ({ method, url = '' }, response) => {
        if (method !== 'GET' || !url.endsWith(key)) return false
        response.writeHead(200, { 'content-encoding': coding, etag: `"${etag}"` }).end('plain')
        return true
      }
      const report = await service.ended(s3Records({ bucket: 'uploads', key, etag }))
      assert.deepEqual([report.status, report.problem?.code], [status, status === null ? 'fetch_failed' : undefined])
      assert.equal(await tagOf('uploads', key), status ?? 'failed')
    }
  })

  test('too large by its header, before it is read', async () => {
    const object = await uploaded('uploads', 'large.txt', 'x')
    const size = 26_214_401
    let sent = 0
    store.intercept = ({ method, url = '' }, response) => {
      if (!url.endsWith('/large.txt') || method === 'PUT') return false
      response.writeHead(200, { etag: `"${object.etag}"`, 'content-length': size })
      if (method === 'HEAD') response.end()
      else {
        response.write('x')
        response.on('drain', () => sent++)
      }
      return true
    }
    const report = await service.ended(s3Records({ ...object, size }))
    assert.deepEqual([report.state, report.obstacle, report.fileSize], ['refused', 'too_large', size])
    assert.equal(sent, 0)
    assert.equal(await tagOf('uploads', 'large.txt'), 'too_large')
  })

  test('what is none of our business is 200 with a reason, and causes no request', async () => {
    const object = { bucket: 'uploads', key: 'a.txt' }
    const IGNORED: [unknown, string][] = [
      [s3TestEvent('uploads'), 'test event'],
      [s3Records(object, 'ObjectRemoved:Delete'), 'not a creation'],
      [minioEvent(object, 's3:ObjectCreated:PutTagging'), 'not a creation'],
      [s3Records({ bucket: 'other', key: 'a.txt' }), 'no source for this bucket'],
      [s3Records({ bucket: 'guard', key: 'out/a.txt' }), 'outside the prefixes of the source'],
      [s3Records({ bucket: 'uploads', key: 'folder/' }), 'folder'],
      [gridEvents({ bucket: 'uploads', key: 'a.txt' }), 'no source for this bucket'],
      [cloudEvent({ bucket: 'uploads', key: 'a.txt' }), 'no source for this bucket'],
      [pushEvent({ bucket: 'uploads', key: 'a.txt' }), 'no source for this bucket'],
      [{ Records: [{}] }, 'malformed event'],
    ]
    // Objects of other tests may still get their tags.
    const asked = () => store.requests.filter((each) => /\/(?:a\.txt|folder\/)(?:$|\?)/.test(each)).length
    const before = asked()
    for (const [body, reason] of IGNORED) {
      const answer = await service.post(body)
      assert.equal(answer.status, 200, answer.body)
      const { scanIds, ignored } = answer.json() as { scanIds: string[]; ignored: { reason: string }[] }
      assert.deepEqual([scanIds, ignored.map((each) => each.reason)], [[], [reason]])
    }
    assert.deepEqual((await service.post({ Records: [] })).json(), { scanIds: [], ignored: [] })
    assert.equal(asked(), before)
  })

  test('handshakes of Event Grid, in both schemas', async () => {
    const answer = await service.post(gridValidation('c0de'), { 'aeg-event-type': 'SubscriptionValidation' })
    assert.deepEqual([answer.status, answer.json()], [200, { validationResponse: 'c0de' }])
    const options = (origin?: string) =>
      request(service.port, 'OPTIONS', '/api/v1/events', {
        headers: origin ? { 'webhook-request-origin': origin } : {},
      })
    const { status, headers } = await options('eventgrid.azure.net')
    assert.deepEqual(
      [status, headers['webhook-allowed-origin'], headers.allow],
      [204, 'eventgrid.azure.net', 'OPTIONS, POST'],
    )
    assert.equal((await options()).headers['webhook-allowed-origin'], undefined)
    assert.equal((await options('a b<>')).headers['webhook-allowed-origin'], undefined)
    const types = ['application/cloudevents+json; charset=utf-8', 'application/cloudevents-batch+json']
    const [one, batch] = [cloudEvent({ bucket: 'b', key: 'k' }), [cloudEvent({ bucket: 'b', key: 'k' })]]
    assert.equal((await service.post(one, { 'content-type': types[0] as string })).status, 200)
    assert.equal((await service.post(batch, { 'content-type': types[1] as string })).status, 200)
    const other = await request(service.port, 'POST', '/api/v1/webhooks', {
      headers: { ...withKey(service.secret), 'content-type': types[0] as string },
      body: '{"url":"https://example.com/"}',
    })
    assertProblem(other, 415, 'unsupported_content_type')
  })

  test('bad input is refused', async () => {
    for (const body of UNKNOWN_SHAPES) assertProblem(await service.post(body), 400, 'invalid_request')
    for (const body of ['', '{', '[', 'text', '{"__proto__":1}', '\ufffe'])
      assertProblem(await service.post(body), 400, 'invalid_request')
    assertProblem(
      await service.post({ Records: [] }, { 'content-type': 'text/plain' }),
      415,
      'unsupported_content_type',
    )
    const page = JSON.stringify({ Records: [], padding: 'x'.repeat(1_048_576 - 27) })
    assert.equal(Buffer.byteLength(page), 1_048_576)
    assert.equal((await service.post(page)).status, 200)
    assertProblem(await service.post(`${page} `), 413, 'body_too_large')
  })

  test('without a key, with a wrong one and with a token that nobody signed it is 401; a key of another account is no owner', async () => {
    const object = await uploaded('uploads', 'foreign.txt', 'x')
    const body = JSON.stringify(s3Records(object))
    const send = (headers: Record<string, string>) =>
      request(service.port, 'POST', '/api/v1/events', {
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
    for (const headers of [{}, withKey('dv_live_wrong'), { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.x' }])
      assertProblem(await send(headers), 401, 'unauthenticated')
    const answer = await send(withKey(await service.newKey()))
    assert.deepEqual(
      (answer.json() as { ignored: { reason: string }[] }).ignored[0]?.reason,
      'no source for this bucket',
    )
    assert.equal((await send({ authorization: `Bearer ${service.secret}` })).status, 202)
  })

  test('the page leads from its own examples to a tagged object', async () => {
    const page = readFileSync(new URL('../../docs/object-storage.md', import.meta.url), 'utf8')
    const examples = Array.from(page.matchAll(/```json\n(.*?)```/gs), ([, text = '']) => JSON.parse(text))
    const lists = examples.filter(Array.isArray)
    assert.equal(lists.length, 2)
    for (const list of lists) {
      const readers = { readText: () => 'secret', refusalOf: () => null }
      assert.ok('sources' in parseSources(JSON.stringify(list), '/sources.json', readers))
    }
    const [, command = ''] = /(curl -H "X-API-Key.*?}')/s.exec(page) ?? []
    await store.put('uploads', 'invoice.pdf', 'Dear Ada')
    const shell = command.replace('http://127.0.0.1:8080', service.url)
    const env = { ...process.env, DOCVET_KEY: service.secret }
    const { stdout } = await promisify(execFile)('bash', ['-c', `${shell} -s`], { env })
    assert.equal((JSON.parse(stdout) as { scanIds: string[] }).scanIds.length, 1, stdout)
    assert.equal(await tagOf('uploads', 'invoice.pdf'), 'clean')
  })

  test('no secret, and nothing of a signature, is in the log or the database', async () => {
    const rows = query<{ sealed: string }>(service, 'select sealed from scan_requests')
    assert.ok(rows.every(({ sealed }) => !sealed.includes('uploads')))
    const text = service.output() + storedBytes(service)
    assert.doesNotMatch(text, /S3RVER|X-Amz|AWS4-HMAC|AccessDenied/i)
  })
})

test('the policies of the page are of a form that their stores evaluate', () => {
  type Policy = {
    Statement: { Effect: string; Principal?: string; Condition: Record<string, Record<string, string>> }[]
  }
  const page = readFileSync(new URL('../../docs/object-storage.md', import.meta.url), 'utf8')
  const examples = Array.from(page.matchAll(/```json\n(.*?)```/gs), ([, text = '']) => JSON.parse(text))
  const policies: Policy[] = examples.filter((each) => 'Statement' in each)
  assert.equal(policies.length, 2)
  const [bucket, reader] = policies
  // A NotPrincipal without its account locks Docvet out, and a role cannot be named by it.
  assert.doesNotMatch(JSON.stringify(policies), /NotPrincipal/)
  for (const { Effect, Principal, Condition } of bucket?.Statement ?? []) {
    assert.deepEqual({ Effect, Principal }, { Effect: 'Deny', Principal: '*' })
    assert.ok(Condition.ArnNotEquals?.['aws:PrincipalArn'])
  }
  // MinIO asks the policy of a bucket only for requests without a key.
  const [read] = reader?.Statement ?? []
  assert.deepEqual(
    { effect: read?.Effect, principal: read?.Principal, condition: read?.Condition },
    {
      ...{ effect: 'Allow', principal: undefined },
      condition: { StringEquals: { 's3:ExistingObjectTag/docvet-status': 'clean' } },
    },
  )
})
