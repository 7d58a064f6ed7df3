/** The file of object stores: every field, and a sentence for everything that is wrong with it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createOutboundRules } from '#base/outbound-rules.ts'
import { FORBIDDEN_URLS } from '#test/support/forbidden-urls.ts'
import { hasPrefix, isOwnCopy, type ObjectSource, parseSources, TAG_KEY_LENGTH_MAX } from './sources.ts'

const KEY_ID = '0198e0b4-0000-7000-8000-000000000001'
const S3 = {
  ...{ name: 'uploads', kind: 's3', region: 'eu-central-1', bucket: 'uploads', keyId: KEY_ID },
  ...{ accessKeyId: 'AKIAEXAMPLE', secretAccessKeyFile: 'secret' },
}
const GCS = {
  ...{ name: 'g', kind: 'gcs', bucket: 'uploads', keyId: KEY_ID, accessKeyId: 'GOOG1E', secretAccessKeyFile: 'secret' },
  ...{ quarantine: 'quarantine', onClean: 'move', cleared: 'clean' },
}
const AZURE = {
  ...{ name: 'a', kind: 'azure', endpoint: 'https://account.blob.core.windows.net', bucket: 'uploads', keyId: KEY_ID },
  sasFile: 'sas',
}
const FILES: Readonly<Record<string, string>> = {
  '/etc/docvet/secret': 'hunter2/hunter2\n',
  '/etc/docvet/sas': '?sv=2021-12-02&sig=hunter2%3D\n',
  '/etc/docvet/two-lines': 'a\nb',
  '/etc/docvet/empty': '',
}

function readText(path: string): string {
  const text = FILES[path]
  if (text === undefined) throw new Error('ENOENT hunter2')
  return text
}
const rules = createOutboundRules([])
const parse = (list: unknown) =>
  parseSources(typeof list === 'string' ? list : JSON.stringify(list), '/etc/docvet/sources.json', {
    readText,
    refusalOf(url) {
      const target = rules.target(url)
      return target.kind === 'refused' ? target.why : null
    },
  })
function sourceOf(fields: object): ObjectSource {
  const parsed = parse([fields])
  assert.ok('sources' in parsed, JSON.stringify(parsed))
  return parsed.sources[0] as ObjectSource
}
function problemOf(list: unknown): string {
  const parsed = parse(list)
  assert.ok('problems' in parsed, JSON.stringify(list))
  const text = parsed.problems.join('\n')
  assert.doesNotMatch(text, /hunter2/)
  return text
}

describe('a source', () => {
  test('of Amazon needs a region, and has the bucket in its host name', () => {
    assert.deepEqual(sourceOf(S3), {
      ...{ name: 'uploads', kind: 's3', endpoint: 'https://s3.eu-central-1.amazonaws.com', bucket: 'uploads' },
      ...{ prefixes: [], keyId: KEY_ID, pathStyle: false, region: 'eu-central-1', accessKeyId: 'AKIAEXAMPLE' },
      ...{
        secretAccessKey: 'hunter2/hunter2',
        sessionToken: null,
        sas: '',
        tagKey: 'docvet-status',
        inProgress: false,
      },
      ...{ onInfected: 'tag', onClean: 'tag', quarantine: null, cleared: null, push: null },
    })
  })

  test('of another store with an endpoint has a region only if it is named, and the bucket in its path', () => {
    const { region, ...rest } = S3
    const own = sourceOf({ ...rest, endpoint: 'https://minio.example.com/', sessionTokenFile: 'secret' })
    assert.deepEqual(
      [own.endpoint, own.region, own.pathStyle, own.sessionToken],
      ['https://minio.example.com', 'us-east-1', true, 'hunter2/hunter2'],
    )
    assert.deepEqual(sourceOf({ ...S3, endpoint: 'https://a.example', pathStyle: false }).region, region)
  })

  test('of Google Cloud Storage is moved, because its objects have no tags', () => {
    const push = {
      audience: 'https://scan.example.com/api/v1/events',
      serviceAccount: 'push@p.iam.gserviceaccount.com',
    }
    const source = sourceOf({ ...GCS, push })
    assert.deepEqual(
      [source.endpoint, source.region, source.tagKey, source.onInfected, source.quarantine, source.cleared],
      [
        'https://storage.googleapis.com',
        'auto',
        null,
        'move',
        { bucket: 'quarantine', prefix: '' },
        { bucket: 'clean', prefix: '' },
      ],
    )
    assert.deepEqual(source.push, { ...push, keysUrl: 'https://www.googleapis.com/oauth2/v3/certs' })
  })

  test('of Azure has a shared access signature, without its question mark', () => {
    const source = sourceOf({ ...AZURE, endpoint: 'https://account.blob.core.windows.net/', tagKey: 'a:b' })
    assert.deepEqual([source.sas, source.endpoint], ['sv=2021-12-02&sig=hunter2%3D', AZURE.endpoint])
  })

  test('may have prefixes, and places for what was moved', () => {
    const source = sourceOf({
      ...S3,
      prefixes: ['in/'],
      onInfected: 'move',
      quarantine: 'uploads/bad',
      onClean: 'move',
      cleared: 'clean/a/b/',
    })
    assert.deepEqual(
      [source.quarantine, source.cleared],
      [
        { bucket: 'uploads', prefix: 'bad/' },
        { bucket: 'clean', prefix: 'a/b/' },
      ],
    )
    assert.deepEqual(
      [hasPrefix(source, 'in/a'), hasPrefix(source, 'out'), hasPrefix(sourceOf(S3), 'x')],
      [true, false, true],
    )
    const isOwn = (bucket: string, key: string, store: Partial<ObjectSource> = {}) =>
      isOwnCopy([source], { ...source, ...store }, { bucket, key })
    assert.deepEqual(
      [
        isOwn('uploads', 'bad/a'),
        isOwn('clean', 'a/b/c'),
        isOwn('uploads', 'bad'),
        isOwn('clean', 'x'),
        isOwn('uploads', 'bad/a', { kind: 'azure' }),
        isOwn('uploads', 'bad/a', { endpoint: 'https://s3.example.com' }),
      ],
      [true, true, false, false, false, false],
    )
    // What another prefix covers would be listed twice.
    assert.deepEqual(sourceOf({ ...S3, prefixes: ['a/b', 'in/', 'a/', 'in/', 'a/c/'] }).prefixes, ['in/', 'a/'])
  })

  test('may have the tag of GuardDuty, and a key of the largest length', () => {
    assert.equal(sourceOf({ ...S3, tagKey: 'GuardDutyMalwareScanStatus' }).tagKey, 'GuardDutyMalwareScanStatus')
    assert.equal(sourceOf({ ...S3, tagKey: 'a'.repeat(TAG_KEY_LENGTH_MAX) }).tagKey?.length, TAG_KEY_LENGTH_MAX)
    assert.equal(sourceOf({ ...S3, tag: false, onInfected: 'delete' }).tagKey, null)
  })
})

describe('what is wrong', () => {
  const { name: _name, ...nameless } = S3
  const WRONG: [string, unknown, RegExp][] = [
    ['no JSON', '[hunter2]', /not valid JSON/],
    ['no list', {}, /not a list/],
    ['a number', 1, /not a list/],
    ['too many', Array.from({ length: 101 }, () => S3), /at most 100/],
    ['null in the list', [null], /the source 1 is not an object/],
    ['a list in the list', [[]], /the source 1 is not an object/],
    ['no name', [nameless], /the source 1 has no name/],
    ['a name with a blank', [{ ...S3, name: 'a b' }], /the source 1 has a wrong name/],
    ['a repeated name', [S3, S3], /uploads has the name of another source/],
    ['the objects of another source', [S3, { ...S3, name: 'b' }], /the source b has objects of the source uploads/],
    [
      'a prefix below that of another source',
      [
        { ...S3, prefixes: ['x/', 'in/'] },
        { ...S3, name: 'b', prefixes: ['in/a'] },
      ],
      /the source b has objects of the source uploads/,
    ],
    ['an unknown kind', [{ ...S3, kind: 'ftp' }], /wrong kind. Allowed: s3, gcs, azure/],
    ['an unknown field', [{ ...S3, colour: 1 }], /unknown field colour. Allowed: name/],
    ['a field of another kind', [{ ...AZURE, region: 'eu' }], /unknown field region/],
    ['no region', [{ ...S3, region: undefined }], /uploads has no region/],
    ['a region that leaves the host', [{ ...S3, region: 'a.evil/' }], /wrong region/],
    ['no bucket', [{ ...S3, bucket: undefined }], /has no bucket/],
    ['a bucket with a slash', [{ ...S3, bucket: 'a/b' }], /wrong bucket/],
    ['a bucket with dots', [{ ...S3, bucket: 'a..b' }], /wrong bucket/],
    ['a bucket that leaves the host', [{ ...S3, bucket: 'x@evil' }], /wrong bucket/],
    ['no key id', [{ ...S3, keyId: undefined }], /has no keyId. Add the id of an API key/],
    [
      'the secret of a key',
      [{ ...S3, keyId: 'dv_live_hunter2' }],
      /wrong keyId. Allowed: the id of an API key, not its secret/,
    ],
    ['no access key', [{ ...S3, accessKeyId: undefined }], /has no accessKeyId/],
    ['an access key with a slash', [{ ...S3, accessKeyId: 'a/b' }], /wrong accessKeyId/],
    ['no secret', [{ ...S3, secretAccessKeyFile: undefined }], /has no secretAccessKeyFile/],
    [
      'a secret file that does not exist',
      [{ ...S3, secretAccessKeyFile: 'nowhere' }],
      /file in secretAccessKeyFile that cannot be read/,
    ],
    ['a secret of two lines', [{ ...S3, secretAccessKeyFile: 'two-lines' }], /without a secret of one line/],
    ['an empty secret', [{ ...S3, secretAccessKeyFile: 'empty' }], /without a secret of one line/],
    ['no signature in a file', [{ ...AZURE, sasFile: 'secret' }], /without a shared access signature/],
    [
      'Azure without an endpoint',
      [{ ...AZURE, endpoint: undefined }],
      /has no endpoint. Add the URL of the storage account/,
    ],
    ['an endpoint that is no URL', [{ ...S3, endpoint: 'minio' }], /wrong endpoint/],
    ['an endpoint with a query', [{ ...S3, endpoint: 'https://a.example/?a=b' }], /wrong endpoint/],
    ['an endpoint with a user', [{ ...S3, endpoint: 'https://u:hunter2@a.example' }], /wrong endpoint/],
    ['an endpoint of S3 with a path', [{ ...S3, endpoint: 'https://a.example/b' }], /wrong endpoint/],
    [
      'an endpoint without TLS',
      [{ ...S3, endpoint: 'http://a.example' }],
      /does not start with https:.*DOCVET_OUTBOUND_ALLOW/,
    ],
    ['an endpoint on another port', [{ ...S3, endpoint: 'https://a.example:9000' }], /port other than 443/],
    ['prefixes that are no list', [{ ...S3, prefixes: 'in/' }], /wrong prefixes/],
    ['an empty prefix', [{ ...S3, prefixes: [''] }], /wrong prefixes/],
    ['too many prefixes', [{ ...S3, prefixes: Array.from({ length: 101 }, () => 'a') }], /wrong prefixes/],
    ['a tag that is no flag', [{ ...S3, tag: 'yes' }], /wrong tag. Allowed: true, false/],
    ['a mark that is no flag', [{ ...S3, inProgress: 'yes' }], /wrong inProgress. Allowed: true, false/],
    ['a tag key with other characters', [{ ...S3, tagKey: 'a;b' }], /wrong tagKey/],
    ['a tag key that is too long', [{ ...S3, tagKey: 'a'.repeat(TAG_KEY_LENGTH_MAX + 1) }], /wrong tagKey/],
    ['an unknown action', [{ ...S3, onInfected: 'burn' }], /wrong onInfected. Allowed: tag, move, delete/],
    ['a move without a place', [{ ...S3, onInfected: 'move' }], /has no quarantine/],
    ['a move of clean objects without a place', [{ ...S3, onClean: 'move' }], /has no cleared/],
    [
      'its own bucket as the quarantine',
      [{ ...S3, onInfected: 'move', quarantine: 'uploads' }],
      /quarantine that is its own bucket/,
    ],
    [
      'its own bucket for what is clean',
      [{ ...S3, onClean: 'move', cleared: 'uploads/' }],
      /cleared that is its own bucket/,
    ],
    ['a place that is no bucket', [{ ...S3, quarantine: '/x' }], /wrong quarantine/],
    ['a tag without tags', [{ ...S3, tag: false, onInfected: 'tag' }], /cannot tag infected objects/],
    ['a tag in Google Cloud Storage', [{ ...GCS, onInfected: 'tag' }], /cannot tag infected objects of Google/],
    ['a push without its audience', [{ ...GCS, push: { serviceAccount: 'a@b' } }], /has no audience/],
    [
      'a push with an unknown field',
      [{ ...GCS, push: { audience: 'a', serviceAccount: 'a@b', x: 1 } }],
      /unknown field push.x/,
    ],
    [
      'keys of a push elsewhere',
      [{ ...GCS, push: { audience: 'a', serviceAccount: 'a@b', keysUrl: 'http://127.0.0.1/' } }],
      /push.keysUrl that leads/,
    ],
  ]
  for (const [name, list, sentence] of WRONG) test(name, () => assert.match(problemOf(list), sentence))

  test('all problems at once', () => {
    assert.equal(problemOf([{ ...S3, colour: 1 }, { ...S3, name: 'b', kind: '' }, AZURE, null]).split('\n').length, 3)
  })

  for (const url of FORBIDDEN_URLS)
    test(`an endpoint at ${url}`, () => {
      assert.match(problemOf([{ ...S3, endpoint: url }]), /endpoint that leads|wrong endpoint/)
      assert.match(problemOf([{ ...AZURE, endpoint: url }]), /endpoint that leads|wrong endpoint/)
    })
})
