/** Objects in azurite, and events that Pub/Sub pushes with a signed token. */

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { exportJWK, SignJWT } from 'jose'
import { EICAR } from '#inspect/testing/samples.ts'
import { FORBIDDEN_URLS } from '#test/support/forbidden-urls.ts'
import { cloudEvent, gridEvents, pushEvent } from '#test/support/object-events.ts'
import { eventually, type ObjectService, startObjectService } from '#test/support/object-service.ts'
import { S3_CREDENTIALS, type S3Store, sharedAccess, startAzurite, startS3 } from '#test/support/object-stores.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { query } from '#test/support/scanning.ts'

const AUDIENCE = 'https://scan.example.com/api/v1/events'
const ACCOUNT = 'push@project.iam.gserviceaccount.com'
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 })
const OTHER_KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 })

describe('other stores', () => {
  let azure: Awaited<ReturnType<typeof startAzurite>>
  let s3: S3Store
  let keys: Server
  let service: ObjectService

  before(async () => {
    azure = await startAzurite('uploads', 'quarantine')
    s3 = await startS3('incoming', 'cleared', 'quarantine')
    // Google says the checksum of every object, s3rver of none.
    s3.intercept = async ({ url = '' }, response) => {
      const [, bucket = '', ...key] = new URL(url, s3.url).pathname.split('/')
      const bytes = await s3.get(bucket, key.join('/'))
      if (bytes !== null) response.setHeader('x-goog-hash', `crc32c=${crc32(bytes)}`)
      return false
    }
    const jwk = { ...(await exportJWK(KEYS.publicKey)), kid: 'k1', alg: 'RS256' }
    keys = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] }))).listen(0, '127.0.0.1')
    await once(keys, 'listening')
    const { port } = keys.address() as AddressInfo
    const sources = [
      {
        ...{ name: 'blobs', kind: 'azure', endpoint: azure.url, bucket: 'uploads', sasFile: 'sas' },
        ...{ onInfected: 'move', quarantine: 'quarantine' },
      },
      {
        ...{ name: 'google', kind: 'gcs', endpoint: s3.url, bucket: 'incoming', secretAccessKeyFile: 'secret' },
        ...{ accessKeyId: S3_CREDENTIALS.accessKeyId, onClean: 'move', cleared: 'cleared', quarantine: 'quarantine' },
        push: { audience: AUDIENCE, serviceAccount: ACCOUNT, keysUrl: `http://127.0.0.1:${port}/` },
      },
    ]
    const secrets = { sas: sharedAccess(), secret: S3_CREDENTIALS.secretAccessKey }
    const allowed = [azure.port, s3.port, port].map((each) => `127.0.0.1:${each}`).join()
    service = await startObjectService(sources, secrets, { DOCVET_OUTBOUND_ALLOW: allowed })
  })
  after(async () => {
    keys?.close()
    await service?.[Symbol.asyncDispose]()
    await s3?.[Symbol.asyncDispose]()
    await azure?.[Symbol.asyncDispose]()
  })

  test('azurite: both schemas, tags of others kept, infected blobs moved, a replaced one left alone', async () => {
    for (const [name, shape] of [
      ['grid', gridEvents],
      ['cloud', cloudEvent],
    ] as const) {
      const key = `${name}/a b+ü 100%.txt`
      const etag = await azure.put('uploads', key, 'Dear Ada')
      await azure.setTags('uploads', key, { team: 'a' })
      const report = await service.ended(shape({ bucket: 'uploads', key, etag, account: azure.url }))
      assert.deepEqual([report.status, report.reference], ['clean', `blobs/${key}`])
      const tags = { team: 'a', 'docvet-status': 'clean' }
      await eventually(async () => Object.keys(await azure.tags('uploads', key)).length === 2, 'the tag')
      assert.deepEqual(await azure.tags('uploads', key), tags)
    }
    const etag = await azure.put('uploads', 'bad.txt', EICAR)
    assert.equal(
      (await service.ended(gridEvents({ bucket: 'uploads', key: 'bad.txt', etag, account: azure.url }))).status,
      'infected',
    )
    await eventually(async () => (await azure.get('uploads', 'bad.txt')) === null, 'the end of the original')
    assert.equal(await azure.get('quarantine', 'bad.txt'), EICAR)
    const old = await azure.put('uploads', 'replaced.txt', 'old')
    await azure.put('uploads', 'replaced.txt', EICAR)
    const report = await service.ended(
      gridEvents({ bucket: 'uploads', key: 'replaced.txt', etag: old, account: azure.url }),
    )
    assert.match(report.problem?.detail ?? '', /has been replaced/)
    assert.deepEqual(await azure.tags('uploads', 'replaced.txt'), {})
  })

  test('azurite: a blob that can be written on under its tag is never clean, and its report has the verdict', async () => {
    const PAGE = 512
    for (const [type, content, status, word] of [
      ['AppendBlob', 'Dear Ada', 'clean', 'unsupported'],
      ['PageBlob', 'Dear Ada, '.repeat(PAGE).slice(0, PAGE), 'clean', 'unsupported'],
      ['BlockBlob', 'Dear Ada', 'clean', 'clean'],
      ['AppendBlob', EICAR, 'infected', null],
    ] as const) {
      const key = `${type}-${status}.txt`
      const etag = await azure.put('uploads', key, content, type)
      const event = gridEvents({ bucket: 'uploads', key, etag, account: azure.url, sequencer: key })
      assert.equal((await service.ended(event)).status, status)
      // Infected ones go as all others.
      if (word === null)
        await eventually(async () => (await azure.get('uploads', key)) === null, 'the end of the original')
      else
        await eventually(async () => (await azure.tags('uploads', key))['docvet-status'] === word, `the tag of ${key}`)
    }
    await azure.append('uploads', 'AppendBlob-clean.txt', EICAR)
    assert.deepEqual(await azure.tags('uploads', 'AppendBlob-clean.txt'), { 'docvet-status': 'unsupported' })
  })

  test('a blob of another storage account is not ours, whatever its URL is, and no URL of an event is called', async () => {
    for (const account of ['https://other.blob.core.windows.net', `${azure.url}x`, 'x', ...FORBIDDEN_URLS]) {
      const answer = await service.post(gridEvents({ bucket: 'uploads', key: 'a.txt', account, sequencer: account }))
      assert.equal(answer.status, 200, answer.body)
      assert.match(answer.body, /no source for this bucket/)
    }
  })

  const tokenOf = (
    claims: object,
    {
      kid = 'k1',
      issuer = 'https://accounts.google.com',
      audience = AUDIENCE,
      key = KEYS.privateKey,
      expiry = '1h',
    } = {},
  ) =>
    new SignJWT({ email: ACCOUNT, email_verified: true, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(expiry)
      .sign(key)
  const push = (token: string, body: object) =>
    request(service.port, 'POST', '/api/v1/events', {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  test('Pub/Sub: a token that Google signed for us is a key, and clean objects are moved', async () => {
    await s3.put('incoming', 'in/a.txt', 'fine')
    const answer = await push(await tokenOf({}), pushEvent({ bucket: 'incoming', key: 'in/a.txt' }))
    assert.equal(answer.status, 202, answer.body)
    await eventually(async () => (await s3.get('incoming', 'in/a.txt')) === null, 'the end of the original')
    assert.equal(String(await s3.get('cleared', 'in/a.txt')), 'fine')
    assert.ok(s3.requests.some((each) => /^GET \/incoming\/in\/a\.txt\?generation=1763431200000001$/.test(each)))
    const repeated = await push(await tokenOf({}), pushEvent({ bucket: 'incoming', key: 'in/a.txt' }))
    assert.deepEqual([repeated.status, repeated.body.includes('repeated event')], [200, true])
  })

  test('every other token is 401', async () => {
    const body = pushEvent({ bucket: 'incoming', key: 'in/b.txt' })
    const [head = '', payload = '', signature = ''] = (await tokenOf({})).split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const BAD = [
      await tokenOf({ email: 'other@example.com' }),
      await tokenOf({ email_verified: false }),
      await tokenOf({}, { audience: 'https://other.example.com' }),
      await tokenOf({}, { issuer: 'https://evil.example.com' }),
      await tokenOf({}, { key: OTHER_KEYS.privateKey }),
      await tokenOf({}, { kid: 'k2' }),
      await tokenOf({}, { expiry: '-2h' }),
      `${none}.${payload}.x`,
      `${head}.${payload}.${signature.split('').reverse().join('')}`,
    ]
    for (const token of BAD) assertProblem(await push(token, body), 401, 'unauthenticated')
    // Nor is a good one a key elsewhere.
    const headers = { authorization: `Bearer ${await tokenOf({})}` }
    assertProblem(await request(service.port, 'GET', '/api/v1/keys', { headers }), 401, 'unauthenticated')
  })

  test('no part of a shared access signature, and no token, is in the log or the database', async () => {
    const dump = ['jobs', 'object_scans', 'scans', 'scan_requests'].map((table) =>
      JSON.stringify(query(service, `select * from ${table}`)),
    )
    assert.doesNotMatch(service.output() + dump.join(), /sig=|eyJhbGci|S3RVER/)
  })
})
