/** The shapes of events: which object they name, and what is ignored with which reason. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
import { type CreatedObject, type Ignored, identityOf, parseEvents } from './events.ts'

const KEYS = [
  'a.txt',
  'in/a b+c.txt',
  'ü/100%.pdf',
  'a%20b',
  'q?&=#\'"<>.txt',
  '漢字/😀',
  'a\nb',
  '//',
  '../x',
  'a/./b',
]
const SHAPES: [string, (object: EventObject) => unknown, Partial<CreatedObject>][] = [
  ['MinIO', minioEvent, { kind: 's3', version: 'v1' }],
  ['S3 records', s3Records, { kind: 's3', version: 'v1' }],
  ['EventBridge', bridgeEvent, { kind: 's3', version: 'v1' }],
  ['Event Grid', gridEvents, { kind: 'azure', version: null }],
  ['CloudEvents', cloudEvent, { kind: 'azure', version: null }],
  ['CloudEvents in a batch', (object) => [cloudEvent(object)], { kind: 'azure', version: null }],
]

function noticesOf(body: unknown) {
  const parsed = parseEvents(body)
  assert.equal(parsed?.kind, 'events', JSON.stringify(body))
  return parsed.kind === 'events' ? parsed.notices : []
}
const createdOf = (body: unknown): CreatedObject => {
  const [notice] = noticesOf(body)
  assert.ok(notice && 'created' in notice, JSON.stringify(notice))
  return notice.created
}
const ignoredOf = (body: unknown): Ignored => {
  const [notice] = noticesOf(body)
  assert.ok(notice && 'ignored' in notice, JSON.stringify(notice))
  return notice.ignored
}

describe('events', () => {
  for (const [name, shape, expected] of SHAPES)
    for (const key of KEYS.filter((each) => !each.endsWith('/')))
      test(`${name}: ${JSON.stringify(key)}`, () => {
        const { url, sequencer, ...object } = createdOf(
          shape({ bucket: 'uploads', key, size: 7, etag: 'e1', version: 'v1' }),
        )
        assert.deepEqual(object, { bucket: 'uploads', key, size: 7, etag: 'e1', ...expected })
        assert.equal(url === null, expected.kind !== 'azure')
        assert.ok(sequencer)
      })

  test('Pub/Sub has the generation as its version, and the size as text', () => {
    for (const key of KEYS.filter((each) => !each.endsWith('/')))
      assert.deepEqual(createdOf(pushEvent({ bucket: 'uploads', key, size: 7, version: '17' })), {
        ...{ kind: 'gcs', bucket: 'uploads', key, size: 7, etag: null, version: '17', url: null, sequencer: null },
      })
  })

  const object = { bucket: 'uploads', key: 'a.txt' }
  const IGNORED: [string, unknown, string][] = [
    ...[
      'ObjectRemoved:Delete',
      'ObjectRemoved:DeleteMarkerCreated',
      'ObjectTagging:Put',
      'ObjectRestore:Completed',
    ].map((event): [string, unknown, string] => [event, s3Records(object, event), 'not a creation']),
    ...['PutTagging', 'DeleteTagging', 'PutRetention', 'PutLegalHold'].map((event): [string, unknown, string] => [
      `MinIO ${event}`,
      minioEvent(object, `s3:ObjectCreated:${event}`),
      'not a creation',
    ]),
    ...['s3:ObjectAccessed:Get', 's3:ObjectRemoved:Delete', 's3:ObjectCreated:', 'xs3:ObjectCreated:Put'].map(
      (event): [string, unknown, string] => [`MinIO ${event}`, minioEvent(object, event), 'not a creation'],
    ),
    ...['Object Deleted', 'Object Tags Added', 'Object Access Tier Changed'].map((type): [string, unknown, string] => [
      type,
      bridgeEvent(object, type),
      'not a creation',
    ]),
    ...['CreateFile', 'AppendBlock', 'PutBlock', undefined].map((api): [string, unknown, string] => [
      `Event Grid ${api}`,
      gridEvents(object, api ?? ''),
      'not a creation',
    ]),
    ['Event Grid delete', gridEvents(object, 'DeleteBlob', 'Microsoft.Storage.BlobDeleted'), 'not a creation'],
    ['CloudEvents rename', cloudEvent(object, 'RenameFile', 'Microsoft.Storage.BlobRenamed'), 'not a creation'],
    ['Pub/Sub delete', pushEvent(object, 'OBJECT_DELETE'), 'not a creation'],
    ['Pub/Sub metadata', pushEvent(object, 'OBJECT_METADATA_UPDATE'), 'not a creation'],
    ['the test event of S3', s3TestEvent('uploads'), 'test event'],
    ['a folder', s3Records({ bucket: 'uploads', key: 'a/b/' }), 'folder'],
    ['a record without a name', { Records: [{}] }, 'malformed event'],
    ['a record that is no object', { Records: [null] }, 'malformed event'],
    ['a record without an object', { Records: [{ eventName: 'ObjectCreated:Put' }] }, 'malformed event'],
    [
      'a key that cannot be decoded',
      { Records: [{ eventName: 'ObjectCreated:Put', s3: { bucket: { name: 'b' }, object: { key: '%E0%A4%A' } } }] },
      'malformed event',
    ],
    [
      'a key that is no text',
      { Records: [{ eventName: 'ObjectCreated:Put', s3: { bucket: { name: 'b' }, object: { key: ['a'] } } }] },
      'malformed event',
    ],
    ['a bucket that is no text', bridgeEvent({ bucket: 1 as unknown as string, key: 'a' }), 'malformed event'],
    ['an empty key', bridgeEvent({ bucket: 'b', key: '' }), 'malformed event'],
    ['a key of 1,025 bytes', bridgeEvent({ bucket: 'b', key: 'a'.repeat(1_025) }), 'malformed event'],
    ['a bucket of 256 characters', bridgeEvent({ bucket: 'b'.repeat(256), key: 'a' }), 'malformed event'],
    ['EventBridge without a detail', { source: 'aws.s3', 'detail-type': 'Object Created' }, 'malformed event'],
    [
      'a blob without a URL',
      [
        {
          eventType: 'Microsoft.Storage.BlobCreated',
          subject: '/blobServices/default/containers/c/blobs/b',
          data: { api: 'PutBlob' },
        },
      ],
      'malformed event',
    ],
    [
      'a blob with another subject',
      [
        {
          eventType: 'Microsoft.Storage.BlobCreated',
          subject: '/other',
          data: { api: 'PutBlob', url: 'https://a/c/b' },
        },
      ],
      'malformed event',
    ],
    [
      'a message of Pub/Sub that is no notification',
      { message: { data: 'aGVsbG8=', messageId: '1' }, subscription: 'projects/p/subscriptions/docvet' },
      'not a creation',
    ],
    ['Pub/Sub without a name', { message: { attributes: { eventType: 'OBJECT_FINALIZE' } } }, 'malformed event'],
  ]
  for (const [name, body, reason] of IGNORED)
    test(`${name} is ignored: ${reason}`, () => assert.equal(ignoredOf(body).reason, reason))

  test('keys and buckets of the largest size are accepted', () => {
    for (const character of ['a', 'ü']) {
      const blob = { bucket: 'b'.repeat(63), key: character.repeat(1_024) }
      for (const body of [gridEvents(blob), cloudEvent(blob)]) assert.equal(createdOf(body).key.length, 1_024)
    }
    assert.equal(ignoredOf(gridEvents({ bucket: 'b', key: 'a'.repeat(1_025) })).reason, 'malformed event')
    assert.equal(createdOf(bridgeEvent({ bucket: 'b', key: 'a'.repeat(1_024) })).key.length, 1_024)
    assert.equal(createdOf(bridgeEvent({ bucket: 'b'.repeat(255), key: 'a' })).bucket.length, 255)
  })

  test('several records are several objects, and none is none', () => {
    const { Records } = s3Records(object)
    assert.equal(noticesOf({ Records: [...Records, ...Records, {}] }).length, 3)
    assert.equal(noticesOf({ Records: [] }).length, 0)
    assert.equal(noticesOf([...gridEvents(object), ...gridEvents(object)]).length, 2)
  })

  test('fields that are missing, of another type or too long are unknown, and quotes are removed', () => {
    const of = (fields: object) =>
      createdOf({
        Records: [{ eventName: 'ObjectCreated:Put', s3: { bucket: { name: 'b' }, object: { key: 'k', ...fields } } }],
      })
    const unknown = { size: null, etag: null, version: null, sequencer: null }
    const pick = ({ size, etag, version, sequencer }: CreatedObject) => ({ size, etag, version, sequencer })
    assert.deepEqual(pick(of({})), unknown)
    assert.deepEqual(pick(of({ size: -1, eTag: 5, versionId: {}, sequencer: [] })), unknown)
    assert.deepEqual(pick(of({ size: 1.5, eTag: 'a\r\nb', versionId: 'null', sequencer: '' })), unknown)
    assert.deepEqual(pick(of({ size: '8', eTag: '"a"', versionId: 'v', sequencer: 's' })), {
      ...{ size: 8, etag: 'a', version: 'v', sequencer: 's' },
    })
    assert.equal(of({ eTag: 'a'.repeat(1_025) }).etag, null)
  })

  test('Event Grid gets its code, in both schemas', () => {
    assert.deepEqual(parseEvents(gridValidation('c0de')), { kind: 'validation', code: 'c0de' })
  })

  for (const body of UNKNOWN_SHAPES)
    test(`${JSON.stringify(body)} is no event`, () => assert.equal(parseEvents(body), null))

  test('the same upload has the same identity, another one has another', () => {
    const first = createdOf(s3Records({ bucket: 'b', key: 'k', etag: 'e', version: 'v', sequencer: 's' }))
    const identity = identityOf('source', first)
    assert.equal(
      identityOf('source', createdOf(minioEvent({ bucket: 'b', key: 'k', etag: '"e"', version: 'v', sequencer: 's' }))),
      identity,
    )
    const others = [{ key: 'x' }, { etag: 'x' }, { version: null }, { sequencer: 'x' }].map((change) =>
      identityOf('source', { ...first, ...change }),
    )
    assert.equal(new Set([identity, identityOf('other', first), ...others]).size, 6)
  })
})
