/** Object stores whose documents are scanned: the file that DOCVET_SOURCES_FILE names. */
import { dirname, resolve } from 'node:path'

const SOURCE_KINDS = ['s3', 'gcs', 'azure'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]

/** A bucket or container of the same store, and what keys begin with there. */
export interface Place {
  bucket: string
  prefix: string
}

export interface ObjectSource {
  name: string
  kind: SourceKind
  /** Without a slash at the end. Of Azure with the path of the account where it has one. */
  endpoint: string
  bucket: string
  /** Empty: the whole bucket. */
  prefixes: readonly string[]
  /** The id of the API key that its scans belong to. */
  keyId: string
  /** The bucket is part of the path, not of the host name. */
  pathStyle: boolean
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
  /** Of Azure: the query of a shared access signature. */
  sas: string
  /** Null: objects are not tagged. */
  tagKey: string | null
  /** Tagged as in progress while it is scanned. */
  inProgress: boolean
  onInfected: 'tag' | 'move' | 'delete'
  onClean: 'tag' | 'move'
  quarantine: Place | null
  cleared: Place | null
  /** Who signs the events that Pub/Sub pushes. */
  push: { audience: string; serviceAccount: string; keysUrl: string } | null
}

const DEFAULT_TAG_KEY = 'docvet-status'
export const GUARDDUTY_TAG_KEY = 'GuardDutyMalwareScanStatus'
export const TAG_KEY_LENGTH_MAX = 128
const SOURCES_MAX = 100
const PREFIXES_MAX = 100
const GOOGLE_KEYS_URL = 'https://www.googleapis.com/oauth2/v3/certs'

const NAME = /^[A-Za-z\d][\w.-]{0,63}$/
const KEY_ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
const BUCKET = /^(?!.*\.\.)[A-Za-z\d$][\w.-]{1,61}[A-Za-z\d]$/
const TAG_KEY = /^[\w +\-./:=]+$/
const REGION = /^[a-z\d-]{1,40}$/
const VISIBLE = /^[\x21-\x7e]{1,4096}$/

const TAG_FIELDS = ['tag', 'tagKey', 'inProgress']
const FIELDS: Readonly<Record<SourceKind, readonly string[]>> = {
  s3: ['region', 'pathStyle', 'accessKeyId', 'secretAccessKeyFile', 'sessionTokenFile', ...TAG_FIELDS],
  gcs: ['accessKeyId', 'secretAccessKeyFile', 'push'],
  azure: ['sasFile', ...TAG_FIELDS],
}
const COMMON = [
  'name',
  'kind',
  'endpoint',
  'bucket',
  'prefixes',
  'keyId',
  'onInfected',
  'onClean',
  'quarantine',
  'cleared',
]

interface SourceReaders {
  /** Throws if it cannot be read. */
  readText: (path: string) => string
  /** Completes "endpoint …", or null if calls to the URL are allowed. */
  refusalOf: (url: string) => string | null
}

/** Ends the reading of one source with a sentence about it. */
class Wrong extends Error {}

function fail(sentence: string): never {
  throw new Wrong(sentence)
}

type Fields = Readonly<Record<string, unknown>>

function textIn(fields: Fields, name: string, form: RegExp, allowed: string): string {
  const value = fields[name]
  if (value === undefined) fail(`has no ${name}. Add ${allowed}`)
  return typeof value === 'string' && form.test(value) ? value : fail(`has a wrong ${name}. Allowed: ${allowed}`)
}

function choiceIn<T extends string>(fields: Fields, name: string, allowed: readonly T[], preset?: T): T {
  const value = fields[name] ?? preset
  const found = allowed.find((each) => each === value)
  return found ?? fail(`has ${value === undefined ? 'no' : 'a wrong'} ${name}. Allowed: ${allowed.join(', ')}`)
}

function flagIn(fields: Fields, name: string, preset: boolean): boolean {
  const value = fields[name] ?? preset
  return typeof value === 'boolean' ? value : fail(`has a wrong ${name}. Allowed: true, false`)
}

function secretIn(fields: Fields, name: string, folder: string, readText: (path: string) => string): string {
  const path = textIn(fields, name, /^[^\0]{1,4096}$/s, 'the path of a file')
  let text: string
  try {
    text = readText(resolve(folder, path)).trim()
  } catch {
    fail(`names a file in ${name} that cannot be read`)
  }
  return VISIBLE.test(text) ? text : fail(`names a file in ${name} without a secret of one line`)
}

function endpointIn(fields: Fields, kind: SourceKind, preset: string | null, readers: SourceReaders): string {
  const text = fields.endpoint ?? preset
  const allowed = 'a URL like https://s3.example.com, without a query'
  if (text === null)
    fail('has no endpoint. Add the URL of the storage account, like https://account.blob.core.windows.net')
  const url = typeof text === 'string' ? URL.parse(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) fail(`has a wrong endpoint. Allowed: ${allowed}`)
  const hasMore = url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== ''
  if (hasMore || (kind !== 'azure' && url.pathname !== '/')) fail(`has a wrong endpoint. Allowed: ${allowed}`)
  const refused = readers.refusalOf(url.href)
  if (refused !== null)
    fail(`has an endpoint that ${refused}. Name its host and port in DOCVET_OUTBOUND_ALLOW if it is your own`)
  return url.href.replace(/\/$/, '')
}

function placeIn(fields: Fields, name: string): Place | null {
  const text = fields[name]
  if (text === undefined) return null
  const [, bucket = '', prefix = ''] = (typeof text === 'string' && /^([^/]+)(?:\/(.*))?$/s.exec(text)) || []
  if (!BUCKET.test(bucket) || prefix.length > 512) fail(`has a wrong ${name}. Allowed: bucket/prefix of the same store`)
  return { bucket, prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/` }
}

function prefixesIn({ prefixes = [] }: Fields): string[] {
  const isList = Array.isArray(prefixes) && prefixes.length <= PREFIXES_MAX
  const isText = (each: unknown) => typeof each === 'string' && each !== '' && each.length <= 1_024
  if (!isList || !prefixes.every(isText)) fail('has wrong prefixes. Allowed: a list of texts')
  const unique: string[] = [...new Set(prefixes)]
  // What another one covers would be listed twice.
  return unique.filter((prefix) => !unique.some((other) => other !== prefix && prefix.startsWith(other)))
}

function pushIn({ push }: Fields, readers: SourceReaders): ObjectSource['push'] {
  if (push === undefined) return null
  const fields: Fields = typeof push === 'object' && push !== null ? (push as Fields) : {}
  const unknown = Object.keys(fields).find((name) => !['audience', 'serviceAccount', 'keysUrl'].includes(name))
  if (unknown !== undefined) fail(`has the unknown field push.${unknown}`)
  const audience = textIn(fields, 'audience', VISIBLE, 'the audience of the push subscription')
  const serviceAccount = textIn(fields, 'serviceAccount', VISIBLE, 'the e-mail address of its service account')
  const keysUrl = fields.keysUrl === undefined ? GOOGLE_KEYS_URL : textIn(fields, 'keysUrl', VISIBLE, 'a URL')
  const refused = readers.refusalOf(keysUrl)
  return refused === null ? { audience, serviceAccount, keysUrl } : fail(`has a push.keysUrl that ${refused}`)
}

function credentialsIn(fields: Fields, kind: SourceKind, folder: string, { readText }: SourceReaders) {
  const none = { accessKeyId: '', secretAccessKey: '', sessionToken: null, sas: '' }
  if (kind === 'azure') {
    const sas = secretIn(fields, 'sasFile', folder, readText).replace(/^\?/, '')
    return /(?:^|&)sig=/.test(sas)
      ? { ...none, sas }
      : fail('names a file in sasFile without a shared access signature')
  }
  return {
    ...none,
    accessKeyId: textIn(fields, 'accessKeyId', /^[\x21-\x2b\x2d-\x2e\x30-\x7e]{1,256}$/, 'an access key id'),
    secretAccessKey: secretIn(fields, 'secretAccessKeyFile', folder, readText),
    ...(fields.sessionTokenFile !== undefined && {
      sessionToken: secretIn(fields, 'sessionTokenFile', folder, readText),
    }),
  }
}

function tagKeyIn(fields: Fields, kind: SourceKind): string | null {
  if (kind === 'gcs' || !flagIn(fields, 'tag', true)) return null
  const allowed = `letters, digits and + - . / : = _, at most ${TAG_KEY_LENGTH_MAX}`
  const key = fields.tagKey === undefined ? DEFAULT_TAG_KEY : textIn(fields, 'tagKey', TAG_KEY, allowed)
  return key.length <= TAG_KEY_LENGTH_MAX ? key : fail(`has a wrong tagKey. Allowed: ${allowed}`)
}

/** What becomes of documents, and where: a place inside the watched one would be scanned for ever. */
function actionsIn(fields: Fields, kind: SourceKind, bucket: string, tagKey: string | null) {
  const onInfected = choiceIn(fields, 'onInfected', ['tag', 'move', 'delete'], tagKey === null ? 'move' : 'tag')
  const onClean = choiceIn(fields, 'onClean', ['tag', 'move'], 'tag')
  const [quarantine, cleared] = [placeIn(fields, 'quarantine'), placeIn(fields, 'cleared')]
  if (onInfected === 'move' && quarantine === null)
    fail('has no quarantine. Add bucket/prefix, to which infected objects are moved')
  if (onClean === 'move' && cleared === null)
    fail('has no cleared. Add bucket/prefix, to which clean objects are moved')
  if (onInfected === 'tag' && tagKey === null)
    fail(
      `cannot tag infected objects${kind === 'gcs' ? ' of Google Cloud Storage' : ''}. Allowed for onInfected: move, delete`,
    )
  for (const [name, place] of [
    ['quarantine', quarantine],
    ['cleared', cleared],
  ] as const) {
    if (place?.bucket === bucket && place.prefix === '') fail(`has a ${name} that is its own bucket. Add a prefix`)
  }
  return { onInfected, onClean, quarantine, cleared }
}

function sourceOf(fields: Fields, folder: string, readers: SourceReaders): ObjectSource {
  const kind = choiceIn(fields, 'kind', SOURCE_KINDS)
  const unknown = Object.keys(fields).find((name) => !COMMON.includes(name) && !FIELDS[kind].includes(name))
  if (unknown !== undefined)
    fail(`has the unknown field ${unknown}. Allowed: ${[...COMMON, ...FIELDS[kind]].join(', ')}`)
  const isAmazon = kind === 's3' && fields.endpoint === undefined
  const preset = isAmazon || fields.region !== undefined ? undefined : 'us-east-1'
  const region =
    kind === 's3' ? textIn({ region: preset, ...fields }, 'region', REGION, 'a region like eu-central-1') : 'auto'
  const presets = { s3: `https://s3.${region}.amazonaws.com`, gcs: 'https://storage.googleapis.com', azure: null }
  const bucket = textIn(fields, 'bucket', BUCKET, 'the name of a bucket or container')
  const tagKey = tagKeyIn(fields, kind)
  return {
    name: textIn(fields, 'name', NAME, 'letters, digits, hyphens, at most 64'),
    kind,
    endpoint: endpointIn(fields, kind, presets[kind], readers),
    bucket,
    prefixes: prefixesIn(fields),
    keyId: textIn(fields, 'keyId', KEY_ID, 'the id of an API key, not its secret'),
    pathStyle: flagIn(fields, 'pathStyle', !isAmazon),
    region,
    tagKey,
    inProgress: flagIn(fields, 'inProgress', false) && tagKey !== null,
    ...credentialsIn(fields, kind, folder, readers),
    ...actionsIn(fields, kind, bucket, tagKey),
    push: pushIn(fields, readers),
  }
}

function listOf(text: string): unknown[] | string {
  try {
    const list: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return Array.isArray(list) && list.length <= SOURCES_MAX
      ? list
      : `the file is not a list of at most ${SOURCES_MAX} sources.`
  } catch (error) {
    const position = /line \d+ column \d+/.exec(String(error))?.[0]
    return `the file is not valid JSON${position ? ` (${position})` : ''}. Allowed: a list of sources.`
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A sentence if it is wrong. */
function readSource(given: unknown, index: number, folder: string, readers: SourceReaders): ObjectSource | string {
  const fields = isFields(given) ? given : {}
  const shown = typeof fields.name === 'string' && NAME.test(fields.name) ? fields.name : index + 1
  try {
    return sourceOf(isFields(given) ? given : fail('is not an object'), folder, readers)
  } catch (error) {
    if (error instanceof Wrong) return `the source ${shown} ${error.message}.`
    throw error
  }
}

type Store = Pick<ObjectSource, 'kind' | 'endpoint'>
const isSameStore = (one: Store, other: Store): boolean => one.kind === other.kind && one.endpoint === other.endpoint

/** An object of both would be scanned and charged for each of them. */
function isOverlapping(one: ObjectSource, other: ObjectSource): boolean {
  if (!isSameStore(one, other) || one.bucket !== other.bucket) return false
  const prefixesOf = ({ prefixes }: ObjectSource) => (prefixes.length > 0 ? prefixes : [''])
  return prefixesOf(one).some((a) => prefixesOf(other).some((b) => a.startsWith(b) || b.startsWith(a)))
}

/** All problems at once, each a sentence without the content of the file, which may be the wrong one and have secrets. */
export function parseSources(
  text: string,
  path: string,
  readers: SourceReaders,
): { sources: ObjectSource[] } | { problems: string[] } {
  const list = listOf(text)
  if (typeof list === 'string') return { problems: [list] }
  const read = list.map((given, index) => readSource(given, index, dirname(resolve(path)), readers))
  const sources = read.filter((each) => typeof each !== 'string')
  const names = sources.map(({ name }) => name)
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  const problems = [
    ...read.filter((each) => typeof each === 'string'),
    ...repeated.map((name) => `the source ${name} has the name of another source.`),
    ...sources.flatMap((source, index) => {
      const other = sources.slice(0, index).find((each) => each.name !== source.name && isOverlapping(each, source))
      return other
        ? [`the source ${source.name} has objects of the source ${other.name}. Give them other prefixes.`]
        : []
    }),
  ]
  return problems.length > 0 ? { problems } : { sources }
}

const isIn = ({ bucket, prefix }: Place, object: { bucket: string; key: string }): boolean =>
  object.bucket === bucket && object.key.startsWith(prefix)

/** What the service has put into a store itself, for one of its sources. */
export const isOwnCopy = (
  sources: readonly ObjectSource[],
  store: Store,
  object: { bucket: string; key: string },
): boolean =>
  sources.some(
    (source) =>
      isSameStore(source, store) &&
      [source.quarantine, source.cleared].some((place) => place !== null && isIn(place, object)),
  )

export const hasPrefix = ({ prefixes }: Pick<ObjectSource, 'prefixes'>, key: string): boolean =>
  prefixes.length === 0 || prefixes.some((prefix) => key.startsWith(prefix))
