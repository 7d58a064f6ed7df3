/** What object stores send when something happens to an object: five shapes, read into one. */
import { hash } from 'node:crypto'
import type { SourceKind } from './sources.ts'

/** An object as an event names it. Its store may have replaced it since. */
export interface ObjectVersion {
  /** The bucket, or the container of Azure. */
  bucket: string
  key: string
  size: number | null
  /** Without quotes. */
  etag: string | null
  /** The version, or the generation of Google Cloud Storage. */
  version: string | null
}

/** Of Azure, where containers of several accounts have the same name, with the URL of the blob. */
export interface CreatedObject extends ObjectVersion {
  kind: SourceKind
  url: string | null
  /** Distinguishes two uploads of the same bytes: the second one has replaced the tags. Where there is none, the time. */
  sequencer: string | null
}

export type IgnoredReason =
  | 'test event'
  | 'not a creation'
  | 'malformed event'
  | 'no source for this bucket'
  | 'outside the prefixes of the source'
  | 'quarantine or cleared documents'
  | 'folder'
  | 'the key of the source is not active'
  | 'repeated event'

export interface Ignored {
  reason: IgnoredReason
  bucket: string | null
  key: string | null
}

export type Notice = { created: CreatedObject } | { ignored: Ignored }

type Parsed =
  | { kind: 'events'; notices: Notice[] }
  /** Event Grid asks whether it may send events. */
  | { kind: 'validation'; code: string }
  /** Not a shape that we know. */
  | null

/** In bytes; of Azure in characters. */
const KEY_SIZE_MAX = 1_024
const BUCKET_LENGTH_MAX = 255
const TEXT_LENGTH_MAX = 1_024

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): Json => (isObject(value) ? value : {})
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= TEXT_LENGTH_MAX ? value : null

/** Pub/Sub writes it as text. */
function sizeOf(value: unknown): number | null {
  const size = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null
}

/** Some senders write the quotes of the header, some do not. */
export const plainEtag = (etag: string): string => etag.replace(/^(?:W\/)?"(.*)"$/, '$1')

const etagOf = (value: unknown): string | null => {
  const etag = plainEtag(textOf(value) ?? '')
  return /^[\x21\x23-\x7e]+$/.test(etag) ? etag : null
}

/** `null` is the version of a bucket that has none. */
export const versionOf = (value: unknown): string | null => {
  const version = textOf(value)
  return version === null || version === 'null' || !/^[\x21-\x7e]+$/.test(version) ? null : version
}

const ignored = (reason: IgnoredReason, bucket: string | null = null, key: string | null = null): Notice => ({
  ignored: { reason, bucket, key },
})

function created({ bucket, key, ...object }: Omit<CreatedObject, 'bucket' | 'key'> & Json): Notice {
  const isBucket = typeof bucket === 'string' && bucket !== '' && bucket.length <= BUCKET_LENGTH_MAX
  if (!isBucket) return ignored('malformed event')
  const sizeOfKey = (text: string) => (object.kind === 'azure' ? text.length : Buffer.byteLength(text))
  const isKey = typeof key === 'string' && key !== '' && sizeOfKey(key) <= KEY_SIZE_MAX
  if (!isKey) return ignored('malformed event', bucket)
  return key.endsWith('/') ? ignored('folder', bucket, key) : { created: { ...object, bucket, key } }
}

/** In records of S3 a blank is a plus sign. */
function formDecoded(text: unknown): string | null {
  try {
    return typeof text === 'string' ? decodeURIComponent(text.replaceAll('+', ' ')) : null
  } catch {
    return null
  }
}

/** MinIO calls tags and retention creations too, and our own tag must not cause a scan. */
const CREATED_RECORD = /^(?:s3:)?ObjectCreated:(?:Put|Post|Copy|CompleteMultipartUpload)$/

/** Of S3, MinIO, Ceph and those that forward them. */
function recordNotice(record: unknown): Notice {
  const { eventName, eventTime, s3 } = objectOf(record)
  const { bucket, object } = objectOf(s3)
  const { name } = objectOf(bucket)
  const { key: encoded, size, eTag, versionId, sequencer } = objectOf(object)
  const key = formDecoded(encoded)
  if (typeof eventName !== 'string') return ignored('malformed event', textOf(name), key)
  if (!CREATED_RECORD.test(eventName)) return ignored('not a creation', textOf(name), key)
  return created({
    ...{ kind: 's3', bucket: name, key, size: sizeOf(size), etag: etagOf(eTag), version: versionOf(versionId) },
    ...{ url: null, sequencer: textOf(sequencer) ?? textOf(eventTime) },
  })
}

/** Amazon's own, whose keys are not encoded. */
function bridgeNotice({ 'detail-type': type, detail, time }: Json): Notice {
  const { bucket, object } = objectOf(detail)
  const { name } = objectOf(bucket)
  const { key, size, etag, 'version-id': version, sequencer } = objectOf(object)
  if (type !== 'Object Created') return ignored('not a creation', textOf(name), textOf(key))
  return created({
    ...{ kind: 's3', bucket: name, key, size: sizeOf(size), etag: etagOf(etag), version: versionOf(version) },
    ...{ url: null, sequencer: textOf(sequencer) ?? textOf(time) },
  })
}

const VALIDATION = 'Microsoft.EventGrid.SubscriptionValidationEvent'
const CREATED_BLOB = 'Microsoft.Storage.BlobCreated'
/** The others are steps of an upload that has not ended, or are not written by a client. */
const BLOB_CALLS: ReadonlySet<unknown> = new Set([
  'PutBlob',
  'PutBlockList',
  'CopyBlob',
  'FlushWithClose',
  'SftpCommit',
])
const SUBJECT = /^\/blobServices\/default\/containers\/([^/]{1,255})\/blobs\/(.+)$/s

/** `eventType` in the schema of Event Grid, `type` in that of CloudEvents. */
const gridType = (event: Json): unknown => event.eventType ?? event.type

function gridNotice(event: unknown): Notice {
  const { subject, data, ...rest } = objectOf(event)
  const type = gridType(rest)
  const { api, url, contentLength, eTag, sequencer } = objectOf(data)
  // Not encoded, unlike the URL.
  const [, bucket = null, key = null] = SUBJECT.exec(typeof subject === 'string' ? subject : '') ?? []
  if (typeof type !== 'string') return ignored('malformed event', bucket, key)
  if (type !== CREATED_BLOB || !BLOB_CALLS.has(api)) return ignored('not a creation', bucket, key)
  if (typeof url !== 'string') return ignored('malformed event', bucket, key)
  return created({
    ...{ kind: 'azure', bucket, key, size: sizeOf(contentLength), etag: etagOf(eTag), version: null },
    ...{ url, sequencer: textOf(sequencer) ?? textOf(rest.eventTime) ?? textOf(rest.time) },
  })
}

function gridEvents(events: readonly unknown[]): Parsed {
  const validation = events.map(objectOf).find((event) => gridType(event) === VALIDATION)
  if (validation === undefined) return { kind: 'events', notices: events.map(gridNotice) }
  const code = textOf(objectOf(validation.data).validationCode)
  return code === null ? null : { kind: 'validation', code }
}

function jsonOf(data: unknown): Json {
  try {
    return typeof data === 'string' ? objectOf(JSON.parse(Buffer.from(data, 'base64').toString())) : {}
  } catch {
    return {}
  }
}

/** Google Cloud Storage, pushed by Pub/Sub. */
function pushNotice({ attributes, data }: Json): Notice {
  const { eventType, bucketId, objectId, objectGeneration } = objectOf(attributes)
  if (eventType !== 'OBJECT_FINALIZE') return ignored('not a creation', textOf(bucketId), textOf(objectId))
  return created({
    ...{ kind: 'gcs', bucket: bucketId, key: objectId, size: sizeOf(jsonOf(data).size), etag: null },
    ...{
      version: /^\d+$/.test(String(objectGeneration)) ? textOf(objectGeneration) : null,
      url: null,
      sequencer: null,
    },
  })
}

const isGrid = (event: unknown): boolean => typeof gridType(objectOf(event)) === 'string'

export function parseEvents(body: unknown): Parsed {
  if (Array.isArray(body)) return body.length > 0 && body.every(isGrid) ? gridEvents(body) : null
  if (!isObject(body)) return null
  if (Array.isArray(body.Records)) return { kind: 'events', notices: body.Records.map(recordNotice) }
  if (body.Event === 's3:TestEvent') return { kind: 'events', notices: [ignored('test event', textOf(body.Bucket))] }
  if (body.source === 'aws.s3' && 'detail-type' in body) return { kind: 'events', notices: [bridgeNotice(body)] }
  if (isObject(body.message) && (isObject(body.message.attributes) || typeof body.subscription === 'string'))
    return { kind: 'events', notices: [pushNotice(body.message)] }
  return isGrid(body) && 'specversion' in body ? gridEvents([body]) : null
}

/** The same for events that are about the same upload. Null if an event does not say which: then it is never a repeated one. */
export function identityOf(source: string, { key, version, etag, sequencer }: CreatedObject): string | null {
  if (version === null && etag === null && sequencer === null) return null
  return hash('sha256', JSON.stringify([source, key, version, etag, sequencer]), 'hex')
}
