/** Signature Version 4 of Amazon S3, which MinIO, Ceph, R2, Wasabi, Backblaze and Google Cloud Storage accept too. */
import { createHmac, hash } from 'node:crypto'

interface Credentials {
  region: string
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string | undefined
}

interface SignedRequest {
  method: string
  /** With a path and query as `encodePath` and `encodeQuery` write them. */
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const SERVICE = 's3'

/** `encodeURIComponent` leaves more characters as they are than the signature does. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

/** Each segment is encoded once; a lone surrogate, which no URL can hold, becomes U+FFFD. */
export const encodePath = (path: string): string => path.toWellFormed().split('/').map(encode).join('/')

/** Sorted by encoded name, as the signature wants it. */
export const encodeQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => [encode(name), encode(value.toWellFormed())] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Of the last request: they have the same key all day. */
let derived: { from: string; key: string | Buffer } | undefined

function keyOf(secret: string, scope: string): string | Buffer {
  const from = `${secret} ${scope}`
  if (derived?.from !== from) derived = { from, key: scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`) }
  return derived.key
}

/** The headers to send, with those given: all of them are signed. */
export function signed(
  { method, url, headers = {}, body = '' }: SignedRequest,
  { region, accessKeyId, secretAccessKey, sessionToken }: Credentials,
  at: Date = new Date(),
): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  const time = at.toISOString().replace(/[:-]|\.\d{3}/g, '')
  const scope = `${time.slice(0, 8)}/${region}/${SERVICE}/aws4_request`
  const payload = hash('sha256', body, 'hex')
  const sent = {
    ...headers,
    host,
    'x-amz-content-sha256': payload,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  }
  const lines = Object.entries(sent)
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ {2,}/g, ' ')] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const names = lines.map(([name]) => name).join(';')
  const head = lines.map(([name, value]) => `${name}:${value}\n`).join('')
  const canonical = [method, pathname, search.slice(1), head, names, payload].join('\n')
  const text = [ALGORITHM, time, scope, hash('sha256', canonical, 'hex')].join('\n')
  const signature = createHmac('sha256', keyOf(secretAccessKey, scope)).update(text).digest('hex')
  const { host: _host, ...rest } = sent
  return {
    ...rest,
    authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope},SignedHeaders=${names},Signature=${signature}`,
  }
}
