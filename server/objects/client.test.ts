/** The client of object stores, against s3rver and azurite. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createOutboundHttp } from '#base/outbound-http.ts'
import { createOutboundRules, parseTarget } from '#base/outbound-rules.ts'
import { ADDRESSES } from '#test/support/forbidden-urls.ts'
import { S3_CREDENTIALS, type S3Store, sharedAccess, startAzurite, startS3 } from '#test/support/object-stores.ts'
import { createStoreClient, StoreFault } from './client.ts'
import type { ObjectVersion } from './events.ts'
import type { ObjectSource } from './sources.ts'

/** Never aborts: files of one process are loaded long before their tests run. */
const SIGNAL = new AbortController().signal
const KEYS = [
  ...['a.txt', 'in/a b.txt', 'a+b.txt', 'ü/ß.txt', '100%.txt', "q'()!*~.txt", 'a&<b>.txt', '%41.txt', '%2e%2e/a.txt'],
  ...['a?b.txt', 'a?tagging', 'a#b.txt', 'a;b=c.txt', 'a:b@c.txt', 'a/.../b.txt', '文/😀.txt', 'e\u0301.txt'],
  // As long as a key may be.
  `${'ü'.repeat(100)}/`.repeat(5) + 'k'.repeat(19),
]

const SOURCE: ObjectSource = {
  ...{ name: 'uploads', kind: 's3', endpoint: '', bucket: 'uploads', prefixes: [], keyId: '', pathStyle: true },
  ...{
    region: 'us-east-1',
    ...S3_CREDENTIALS,
    sessionToken: null,
    sas: '',
    tagKey: 'docvet-status',
    inProgress: false,
  },
  ...{ onInfected: 'tag', onClean: 'tag', quarantine: null, cleared: null, push: null },
}

const objectOf = (key: string, more: Partial<ObjectVersion> = {}): ObjectVersion => ({
  ...{ bucket: 'uploads', key, size: null, etag: null, version: null },
  ...more,
})

function clientOf(source: ObjectSource, port: number) {
  const allowed = parseTarget(`127.0.0.1:${port}`)
  assert.ok(allowed)
  const http = createOutboundHttp({ rules: createOutboundRules([allowed]), keepsConnections: true })
  after(() => http.close())
  return createStoreClient(source, http)
}

async function contentOf(client: ReturnType<typeof clientOf>, object: ObjectVersion): Promise<string> {
  const { stream } = await client.open(object, SIGNAL)
  return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString()
}

const faultKind = (kind: string) => (error: unknown) => {
  assert.ok(error instanceof StoreFault, String(error))
  assert.equal(error.kind, kind)
  return true
}

interface Store {
  put(bucket: string, key: string, content: string): Promise<string>
  get(bucket: string, key: string): Promise<Buffer | string | null>
  tags(bucket: string, key: string): Promise<Record<string, string>>
  setTags(bucket: string, key: string, tags: Record<string, string>): Promise<void>
}

/** `copied`: keys that the store can copy. */
function behaviour(
  opened: () => { store: Store; client: ReturnType<typeof clientOf> },
  copied: (key: string) => boolean,
) {
  for (const key of KEYS)
    test(`reads, tags, copies and removes ${JSON.stringify(key)}`, async () => {
      const { store, client } = opened()
      const etag = await store.put('uploads', key, `content of ${key}`)
      const object = objectOf(key, { etag })
      assert.equal(await contentOf(client, object), `content of ${key}`)
      const size = Buffer.byteLength(`content of ${key}`)
      assert.deepEqual(await client.head(object, SIGNAL), {
        etag,
        size,
        version: null,
        checksum: null,
        isAppendable: false,
      })
      assert.deepEqual(await client.readTags(object, SIGNAL), new Map())
      const tags = new Map([
        ['team', 'a b+c:d/e=f.g_h-i'],
        ['docvet-status', 'clean'],
      ])
      await client.writeTags(object, tags, SIGNAL)
      assert.deepEqual(await store.tags('uploads', key), Object.fromEntries(tags))
      assert.deepEqual(await client.readTags(object, SIGNAL), tags)
      if (copied(key)) {
        await client.copy(object, { bucket: 'quarantine', key: `q/${key}` }, SIGNAL)
        assert.equal(String(await store.get('quarantine', `q/${key}`)), `content of ${key}`)
      }
      await client.remove(object, SIGNAL)
      assert.equal(await store.get('uploads', key), null)
      await assert.rejects(client.open(objectOf(key), SIGNAL), faultKind('gone'))
      await assert.rejects(client.head(object, SIGNAL), faultKind('gone'))
    })

  test('an object that was replaced is neither read, copied nor removed', async () => {
    const { store, client } = opened()
    const object = objectOf('replaced.txt', { etag: await store.put('uploads', 'replaced.txt', 'old') })
    await store.put('uploads', 'replaced.txt', 'new')
    await assert.rejects(client.open(object, SIGNAL), faultKind('changed'))
    await assert.rejects(client.copy(object, { bucket: 'quarantine', key: 'x' }, SIGNAL), faultKind('changed'))
    await assert.rejects(client.remove(object, SIGNAL), faultKind('changed'))
    assert.equal(String(await store.get('uploads', 'replaced.txt')), 'new')
    assert.equal(await store.get('quarantine', 'x'), null)
  })

  test('lists in pages, from where it ended', async () => {
    const { store, client } = opened()
    const keys = KEYS.map((key) => `list/${key}`).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    for (const key of [...keys, 'lisu']) await store.put('uploads', key, 'x')
    const { objects, next } = await client.list({ bucket: 'uploads', prefix: 'list/' }, null, SIGNAL)
    assert.deepEqual(objects.map(({ key }) => key).sort(), [...keys].sort())
    assert.equal(next, null)
    for (const { size, etag, changedAt } of objects) {
      assert.equal(size, 1)
      assert.match(etag, /^[\w-]+$/)
      assert.ok(Math.abs(Date.now() - changedAt) < 600_000)
    }
  })

  test('keys that a URL would shorten are never sent', async () => {
    const { client } = opened()
    for (const key of ['../quarantine/x', 'a/../b', './a', 'a/.', '..', '%2e%2e/%2e'])
      if (!key.includes('%')) {
        await assert.rejects(client.open(objectOf(key), SIGNAL), faultKind('permanent'))
        await assert.rejects(client.remove(objectOf(key), SIGNAL), faultKind('permanent'))
        await assert.rejects(client.writeTags(objectOf(key), new Map(), SIGNAL), faultKind('permanent'))
        await assert.rejects(client.copy(objectOf('a'), { bucket: 'quarantine', key }, SIGNAL))
      }
  })
}

describe('a store whose name leads to', () => {
  for (const address of ADDRESSES)
    test(`${address} is never called`, async () => {
      const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
      const http = createOutboundHttp({ rules: createOutboundRules([], resolve), keepsConnections: true })
      for (const kind of ['s3', 'azure'] as const) {
        const client = createStoreClient({ ...SOURCE, kind, endpoint: 'https://store.example.com' }, http)
        await assert.rejects(client.open(objectOf('a'), SIGNAL), faultKind('permanent'))
        await assert.rejects(client.writeTags(objectOf('a'), new Map([['a', 'b']]), SIGNAL), faultKind('permanent'))
        await assert.rejects(client.list({ bucket: 'uploads', prefix: '' }, null, SIGNAL), faultKind('permanent'))
      }
      http.close()
    })
})

describe('s3rver', () => {
  let store: S3Store
  let client: ReturnType<typeof clientOf>
  before(async () => {
    store = await startS3('uploads', 'quarantine')
    client = clientOf({ ...SOURCE, endpoint: store.url }, store.port)
  })
  after(() => store[Symbol.asyncDispose]())
  // s3rver decodes the source of a copy as a whole URL, in which these mean something.
  behaviour(
    () => ({ store, client }),
    (key) => !/[+&%?#;:@=]/.test(key),
  )

  test('a list of two pages', async () => {
    const keys = ['many/a', 'many/b c', 'many/c', 'many/ü']
    for (const key of keys) await store.put('uploads', key, 'x')
    store.pageSize = 2
    const first = await client.list({ bucket: 'uploads', prefix: 'many/' }, null, SIGNAL)
    assert.deepEqual([first.objects.map(({ key }) => key), first.next], [keys.slice(0, 2), 'many/b c'])
    const second = await client.list({ bucket: 'uploads', prefix: 'many/' }, first.next, SIGNAL)
    assert.deepEqual([second.objects.map(({ key }) => key), second.next], [keys.slice(2), null])
    store.pageSize = 1_000
  })

  const STATUSES: [number, string][] = [
    ...[401, 403].map((status): [number, string] => [status, 'denied']),
    ...[408, 409, 429, 500, 502, 503, 504].map((status): [number, string] => [status, 'temporary']),
    ...[204, 206, 301, 302, 304, 307, 400, 405].map((status): [number, string] => [status, 'permanent']),
    // Of a proxy before the store, or a bucket that is missing.
    ...[404, 410].map((status): [number, string] => [status, 'temporary']),
    [412, 'changed'],
  ]
  test('an object is gone only where the store says so', async () => {
    const cases: [string, Record<string, string>, string][] = [
      ['<Error><Code>NoSuchKey</Code></Error>', {}, 'gone'],
      ['<Error><Code>NoSuchVersion</Code></Error>', {}, 'gone'],
      ['', { 'x-ms-error-code': 'BlobNotFound' }, 'gone'],
      ['<Error><Code>NoSuchBucket</Code></Error>', {}, 'temporary'],
      ['', { 'x-ms-error-code': 'ContainerNotFound' }, 'temporary'],
      ['404 page not found', {}, 'temporary'],
    ]
    for (const [body, headers, kind] of cases) {
      store.intercept = ({ method }, response) => {
        response.writeHead(404, headers).end(method === 'HEAD' ? '' : body)
        return true
      }
      await assert.rejects(client.open(objectOf('a'), SIGNAL), faultKind(kind), body)
      await assert.rejects(client.head(objectOf('a'), SIGNAL), faultKind(kind), body)
    }
  })

  test('statuses of a store, whose words are never kept', async () => {
    for (const [status, kind] of STATUSES) {
      store.intercept = (_request, response) => {
        response
          .writeHead(status, { location: 'http://127.0.0.1/secret' })
          .end(status === 204 || status === 304 ? '' : 'secret')
        return true
      }
      await assert.rejects(client.open(objectOf('a'), SIGNAL), (error) => {
        faultKind(kind)(error)
        assert.doesNotMatch(String(error), /secret/)
        return true
      })
    }
  })

  test('a store or cache that ignores If-Match gives no bytes of another object', async () => {
    store.intercept = (_request, response) => {
      response.writeHead(200, { etag: '"newer"' }).end('newer')
      return true
    }
    await assert.rejects(client.open(objectOf('a', { etag: 'older' }), SIGNAL), faultKind('changed'))
    assert.equal(await contentOf(client, objectOf('a', { etag: 'newer' })), 'newer')
    assert.equal(await contentOf(client, objectOf('a')), 'newer')
    store.intercept = () => false
  })

  test('a list that goes on behind no object is not taken for the last one', async () => {
    const answer = '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>'
    store.intercept = (_request, response) => {
      response.writeHead(200, { 'content-length': answer.length }).end(answer)
      return true
    }
    await assert.rejects(client.list({ bucket: 'uploads', prefix: '' }, null, SIGNAL), faultKind('permanent'))
    store.intercept = () => false
  })

  for (const [what, hashes, kept] of [
    ['the same bytes', ['crc32c=AAAAAA==, md5=1', 'crc32c=AAAAAA=='], true],
    ['other bytes of the same size', ['crc32c=AAAAAA==', 'crc32c=BBBBBB=='], false],
    ['unknown bytes of the same size', ['crc32c=AAAAAA==', ''], false],
    ['bytes that the store does not describe', ['', ''], false],
  ] as const)
    test(`Google copies the object that is there: ${what}`, async () => {
      const google = clientOf({ ...SOURCE, kind: 'gcs', endpoint: store.url }, store.port)
      const seen: unknown[] = []
      store.intercept = ({ method = '', url = '', headers }, response) => {
        if (method !== 'HEAD') seen.push([method, headers['x-amz-copy-source-if-match']])
        const hash = hashes[url.startsWith('/quarantine') ? 1 : 0]
        const size = method === 'HEAD' && { 'content-length': 3 }
        response.writeHead(200, { etag: '"e"', ...size, ...(hash !== '' && { 'x-goog-hash': hash }) })
        response.end(method === 'HEAD' ? '' : '<CopyObjectResult><ETag>"e"</ETag></CopyObjectResult>')
        return true
      }
      const copied = google.copy(objectOf('a', { version: '17' }), { bucket: 'quarantine', key: 'a' }, SIGNAL)
      await (kept ? copied : assert.rejects(copied, faultKind('temporary')))
      // The copy of another object goes: it was not scanned.
      assert.deepEqual(seen, [['PUT', '"e"'], ...(kept ? [] : [['DELETE', undefined]])])
      store.intercept = () => false
    })

  test('answers of another kind are no tags, no list and no copy', async () => {
    const answers = ['', '<html></html>', '<Error><Code>InternalError</Code></Error>', '{}']
    for (const answer of answers) {
      store.intercept = (_request, response) => {
        response.writeHead(200, { 'content-length': Buffer.byteLength(answer) }).end(answer)
        return true
      }
      await assert.rejects(client.readTags(objectOf('a'), SIGNAL), faultKind('permanent'))
      await assert.rejects(client.list({ bucket: 'uploads', prefix: '' }, null, SIGNAL), faultKind('permanent'))
      await assert.rejects(client.copy(objectOf('a'), { bucket: 'b', key: 'c' }, SIGNAL), faultKind('temporary'))
    }
    store.intercept = () => false
  })
})

describe('azurite', () => {
  let store: Awaited<ReturnType<typeof startAzurite>>
  let client: ReturnType<typeof clientOf>
  const source: ObjectSource = { ...SOURCE, kind: 'azure', sas: sharedAccess() }
  before(async () => {
    store = await startAzurite('uploads', 'quarantine')
    client = clientOf({ ...source, endpoint: store.url }, store.port)
  })
  after(() => store[Symbol.asyncDispose]())
  behaviour(
    () => ({ store, client }),
    () => true,
  )

  test('a signature that is expired, changed or lacks a right is no access', async () => {
    const etag = await store.put('uploads', 'rights.txt', 'x')
    const object = objectOf('rights.txt', { etag })
    for (const sas of [sharedAccess('rwdltc', -1), `${sharedAccess()}0`, sharedAccess('l')]) {
      const other = clientOf({ ...source, endpoint: store.url, sas }, store.port)
      await assert.rejects(other.open(object, SIGNAL), faultKind('denied'))
      await assert.rejects(other.writeTags(object, new Map([['a', 'b']]), SIGNAL), faultKind('denied'))
    }
  })
})
