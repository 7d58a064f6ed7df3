/** Events as object stores send them, with the fields that their documentation shows. */

export interface EventObject {
  bucket: string
  key: string
  size?: number
  etag?: string
  version?: string
  sequencer?: string
  /** Of Azure: the URL of the storage account. */
  account?: string
}

/** As S3 writes it in records: a blank is a plus sign, and a slash is kept. */
const formEncoded = (key: string): string => encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/')

const record = (eventSource: string, eventName: string, key: string, object: EventObject) => {
  const { bucket, size, etag = 'd41d8cd98f00b204e9800998ecf8427e', version, sequencer = '0055AED6DCD90281E5' } = object
  return {
    eventVersion: '2.1',
    eventSource,
    awsRegion: 'eu-central-1',
    eventTime: '2026-11-18T02:00:00.000Z',
    eventName,
    userIdentity: { principalId: 'AIDAJDPLRKLG7UEXAMPLE' },
    requestParameters: { sourceIPAddress: '127.0.0.1' },
    responseElements: { 'x-amz-request-id': 'C3D13FE58DE4C810', 'x-amz-id-2': 'FMyUVURIY8' },
    s3: {
      s3SchemaVersion: '1.0',
      configurationId: 'docvet',
      bucket: { name: bucket, ownerIdentity: { principalId: 'A3NL1KOZZKExample' }, arn: `arn:aws:s3:::${bucket}` },
      object: { key, size, eTag: etag, ...(version && { versionId: version }), sequencer },
    },
  }
}

export const s3Records = (object: EventObject, eventName = 'ObjectCreated:Put') => ({
  Records: [record('aws:s3', eventName, formEncoded(object.key), object)],
})

export const minioEvent = (object: EventObject, eventName = 's3:ObjectCreated:Put') => ({
  EventName: eventName,
  Key: `${object.bucket}/${object.key}`,
  Records: [record('minio:s3', eventName, encodeURIComponent(object.key).replaceAll('%20', '+'), object)],
})

export const bridgeEvent = (object: EventObject, type = 'Object Created') => ({
  version: '0',
  id: '17793124-05d4-b198-2fde-7ededc63b103',
  'detail-type': type,
  source: 'aws.s3',
  account: '111122223333',
  time: '2026-11-18T02:00:00Z',
  region: 'eu-central-1',
  resources: [`arn:aws:s3:::${object.bucket}`],
  detail: {
    version: '0',
    bucket: { name: object.bucket },
    object: {
      key: object.key,
      size: object.size,
      etag: object.etag ?? 'd41d8cd98f00b204e9800998ecf8427e',
      ...(object.version && { 'version-id': object.version }),
      sequencer: object.sequencer ?? '617f08299329d189',
    },
    'request-id': 'N4N7GDK58NMKJ12R',
    requester: '123456789012',
    'source-ip-address': '1.2.3.4',
    reason: 'PutObject',
  },
})

const blobData = ({ bucket, key, size, etag = '0x8D4BCC2E4835CD0', account, sequencer }: EventObject, api: string) => ({
  api,
  clientRequestId: '6d79dbfb-0e37-4fc4-981f-442c9ca65760',
  requestId: '831e1650-001e-001b-66ab-eeb76e000000',
  eTag: etag,
  contentType: 'application/octet-stream',
  contentLength: size,
  blobType: 'BlockBlob',
  url: `${account ?? 'https://account.blob.core.windows.net'}/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`,
  sequencer: sequencer ?? '00000000000004420000000000028963',
  storageDiagnostics: { batchId: 'b68529f3-68cd-4744-baa4-3c0498ec19f0' },
})

const subjectOf = ({ bucket, key }: EventObject) => `/blobServices/default/containers/${bucket}/blobs/${key}`
const TOPIC = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/account'

export const gridEvents = (object: EventObject, api = 'PutBlob', eventType = 'Microsoft.Storage.BlobCreated') => [
  {
    topic: TOPIC,
    subject: subjectOf(object),
    eventType,
    eventTime: '2026-11-18T02:00:00.000Z',
    id: '831e1650-001e-001b-66ab-eeb76e069631',
    data: blobData(object, api),
    dataVersion: '',
    metadataVersion: '1',
  },
]

export const cloudEvent = (object: EventObject, api = 'PutBlob', type = 'Microsoft.Storage.BlobCreated') => ({
  source: TOPIC,
  subject: subjectOf(object),
  type,
  time: '2026-11-18T02:00:00.000Z',
  id: '831e1650-001e-001b-66ab-eeb76e069631',
  data: blobData(object, api),
  specversion: '1.0',
})

export const gridValidation = (validationCode = '512d38b6-c7b8-40c8-89fe-f46f9e9622b6') => [
  {
    id: '2d1781af-3a4c-4d7c-bd0c-e34b19da4e66',
    topic: TOPIC,
    subject: '',
    data: { validationCode, validationUrl: 'https://rp-eastus2.eventgrid.azure.net:553/eventsubscriptions/x/validate' },
    eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
    eventTime: '2026-11-18T02:00:00.000Z',
    metadataVersion: '1',
    dataVersion: '2',
  },
]

export const pushEvent = (
  { bucket, key, size = 8, version = '1763431200000001' }: EventObject,
  type = 'OBJECT_FINALIZE',
) => ({
  message: {
    attributes: {
      bucketId: bucket,
      eventTime: '2026-11-18T02:00:00.000000Z',
      eventType: type,
      notificationConfig: `projects/_/buckets/${bucket}/notificationConfigs/1`,
      objectGeneration: version,
      objectId: key,
      payloadFormat: 'JSON_API_V1',
    },
    data: Buffer.from(
      JSON.stringify({ kind: 'storage#object', name: key, bucket, generation: version, size: `${size}` }),
    ).toString('base64'),
    messageId: '2070443601311540',
    publishTime: '2026-11-18T02:00:00.000Z',
  },
  subscription: 'projects/p/subscriptions/docvet',
})

export const s3TestEvent = (bucket: string) => ({
  Service: 'Amazon S3',
  Event: 's3:TestEvent',
  Time: '2026-11-18T02:00:00.000Z',
  Bucket: bucket,
  RequestId: '5582815E1AEA5ADF',
  HostId: '8cLeGAmw098X5cv4Zkwcmo8vvZa3eH3eKxsPzbB9wrR+YstdA6Knx4Ip8EXAMPLE',
})

/** Bodies that are no event of an object store. */
export const UNKNOWN_SHAPES: readonly unknown[] = [
  {},
  [],
  [{}],
  [1],
  [[]],
  null,
  1,
  'text',
  { Records: {} },
  { Records: 'x' },
  { source: 'aws.ec2', 'detail-type': 'Object Created', detail: {} },
  { source: 'aws.s3' },
  { message: {} },
  { message: { attributes: [] } },
  { message: 'x' },
  { type: 'Microsoft.Storage.BlobCreated' },
  { Event: 's3:Other' },
  { Type: 'Notification', Message: '{}' },
  [{ eventType: 1 }],
  [{ eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent', data: {} }],
  [{ eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent', data: { validationCode: 1 } }],
]
