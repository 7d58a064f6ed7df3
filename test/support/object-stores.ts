/** Real object stores: s3rver in this process, azurite as another one. */

import { spawn } from 'node:child_process'
import { createHmac, hash } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { installPeers } from '#test/support/peers.ts'
import { temporaryFolder } from '#test/support/service.ts'

export interface S3Store extends AsyncDisposable {
  url: string
  port: number
  /** All requests, as `METHOD path`. */
  requests: string[]
  /** Objects on a page of a list: real stores may return fewer than they are asked for. */
  pageSize: number
  /** Answers a request itself if it returns true. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>
  put(bucket: string, key: string, content: string | Buffer, headers?: Record<string, string>): Promise<string>
  /** Null without the object. */
  get(bucket: string, key: string): Promise<Buffer | null>
  /** Of an object, without credentials. */
  urlOf(bucket: string, key: string): string
  tags(bucket: string, key: string): Promise<Record<string, string>>
  setTags(bucket: string, key: string, tags: Record<string, string>): Promise<void>
  stop(): Promise<void>
  start(): Promise<void>
}

export const S3_CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** The URL of an object that needs no further credentials, valid for so many seconds from then on. */
export function presigned(url: string, seconds: number, at = new Date()): string {
  const { host, pathname } = new URL(url)
  const time = at.toISOString().replace(/[:-]|\.\d{3}/g, '')
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`
  const query = Object.entries({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${S3_CREDENTIALS.accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': `${seconds}`,
    'X-Amz-SignedHeaders': 'host',
  })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
  const canonical = ['GET', pathname, query, `host:${host}\n`, 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', canonical, 'hex')].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${S3_CREDENTIALS.secretAccessKey}`)
  return `${url}?${query}&X-Amz-Signature=${hmac(key, text).toString('hex')}`
}

const encodeKey = (key: string) => key.split('/').map(encodeURIComponent).join('/')
const plainText = (text = '') => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
const tagsIn = (xml: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(xml.matchAll(/<Key>(.*?)<\/Key><Value>(.*?)<\/Value>/gs), ([, key, value]) => [
      plainText(key),
      plainText(value),
    ]),
  )
const tagXml = (tags: Record<string, string>): string =>
  Object.entries(tags)
    .map(([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`)
    .join('')

/** s3rver ignores If-Match, which real stores know. */
async function isReplaced({ method, url, headers }: IncomingMessage, base: string): Promise<boolean> {
  const wanted = headers['if-match'] ?? headers['x-amz-copy-source-if-match']
  if (wanted === undefined || (method !== 'GET' && method !== 'DELETE' && method !== 'PUT')) return false
  const copied = headers['x-amz-copy-source']
  const path = typeof copied === 'string' ? copied : (url ?? '').split('?')[0]
  const { status, headers: found } = await fetch(base + path, { method: 'HEAD', headers: { 'x-direct': '1' } })
  return status === 200 && found.get('etag') !== wanted
}

/** s3rver encrypts a token, which nobody uses, with a cipher that OpenSSL no longer has. */
function withoutDes(crypto: typeof import('node:crypto')): void {
  const { createCipheriv } = crypto
  const plain = { update: (text: string) => Buffer.from(text), final: () => Buffer.alloc(0) }
  const replaced = (...args: Parameters<typeof createCipheriv>) => (args[0] === 'des' ? plain : createCipheriv(...args))
  Object.assign(crypto, { createCipheriv: replaced })
}

export async function startS3(...buckets: string[]): Promise<S3Store> {
  const folder = await installPeers('object-stores')
  const load = createRequire(path.join(folder, 'package.json'))
  withoutDes(load('node:crypto'))
  const S3rver = load('s3rver')
  const directory = temporaryFolder('s3')
  const options = { directory, silent: true, vhostBuckets: false, configureBuckets: buckets.map((name) => ({ name })) }
  const s3 = new S3rver(options)
  await s3.configureBuckets()
  const handle = s3.callback()

  const server = createServer(async (request, response) => {
    if (request.headers['x-direct'] === undefined) {
      store.requests.push(`${request.method} ${request.url}`)
      if (await store.intercept(request, response)) return
      if (await isReplaced(request, store.url)) {
        response.writeHead(412).end()
        return
      }
    }
    request.url = request.url?.replace(/max-keys=\d+/, `max-keys=${store.pageSize}`)
    handle(request, response)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const direct = async (
    method: string,
    target: string,
    body?: string | Buffer,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${url}/${target}`, {
      method,
      headers: { 'x-direct': '1', ...headers },
      ...(body !== undefined && { body: new Uint8Array(Buffer.from(body)) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    if (!response.ok && response.status !== 404) throw new Error(`${method} ${target}: ${response.status} ${bytes}`)
    return { status: response.status, headers: response.headers, bytes }
  }

  const store: S3Store = {
    url,
    port,
    requests: [],
    pageSize: 1_000,
    intercept: () => false,
    async put(bucket, key, content, headers) {
      const { headers: answered } = await direct('PUT', `${bucket}/${encodeKey(key)}`, content, headers)
      return (answered.get('etag') ?? '').replaceAll('"', '')
    },
    async get(bucket, key) {
      const { status, bytes } = await direct('GET', `${bucket}/${encodeKey(key)}`)
      return status === 404 ? null : bytes
    },
    urlOf: (bucket, key) => `${url}/${bucket}/${encodeKey(key)}`,
    async tags(bucket, key) {
      return tagsIn((await direct('GET', `${bucket}/${encodeKey(key)}?tagging`)).bytes.toString())
    },
    async setTags(bucket, key, tags) {
      await direct('PUT', `${bucket}/${encodeKey(key)}?tagging`, `<Tagging><TagSet>${tagXml(tags)}</TagSet></Tagging>`)
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
    start: () => listen(port),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      s3.logger.exceptions.unhandle()
      s3.logger.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  return store
}

const ACCOUNT = 'devstoreaccount1'
/** The same for everybody: https://learn.microsoft.com/azure/storage/common/storage-use-azurite */
const ACCOUNT_KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** The query of a shared access signature for everything in the account. */
export function sharedAccess(permissions = 'rwdltc', hours = 1): string {
  const expiry = `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`
  const version = '2021-12-02'
  const text = [ACCOUNT, permissions, 'b', 'sco', '', expiry, '', 'https,http', version, '', ''].join('\n')
  const signature = createHmac('sha256', Buffer.from(ACCOUNT_KEY, 'base64')).update(text).digest('base64')
  const fields = { sv: version, ss: 'b', srt: 'sco', sp: permissions, se: expiry, spr: 'https,http', sig: signature }
  return new URLSearchParams(fields).toString()
}

export async function startAzurite(...containers: string[]) {
  const folder = await installPeers('object-stores')
  const program = path.join(folder, 'node_modules/azurite/dist/src/blob/main.js')
  const options = [
    '--skipApiVersionCheck',
    '--disableTelemetry',
    '--inMemoryPersistence',
    '--silent',
    '--blobPort',
    '0',
  ]
  const child = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'ignore'], cwd: folder })
  let address: string | undefined
  for await (const line of createInterface(child.stdout)) {
    address = /listens on (http:\S+)/.exec(line)?.[1]
    if (address !== undefined) break
  }
  if (address === undefined) throw new Error('azurite did not start')
  const url = `${address}/${ACCOUNT}`
  const sas = sharedAccess()

  async function call(method: string, target: string, body?: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${url}/${target}${target.includes('?') ? '&' : '?'}${sas}`, {
      ...{ method, headers: { 'x-ms-version': '2021-12-02', ...headers } },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    if (!response.ok && response.status !== 404) throw new Error(`${method} ${target}: ${response.status} ${text}`)
    return { status: response.status, headers: response.headers, text }
  }
  for (const container of containers) await call('PUT', `${container}?restype=container`)

  return {
    url,
    port: Number(new URL(url).port),
    async put(container: string, key: string, content: string, type = 'BlockBlob'): Promise<string> {
      const blob = `${container}/${encodeKey(key)}`
      const etagOf = ({ headers }: Awaited<ReturnType<typeof call>>) => (headers.get('etag') ?? '').replaceAll('"', '')
      if (type === 'BlockBlob') return etagOf(await call('PUT', blob, content, { 'x-ms-blob-type': type }))
      const isPage = type === 'PageBlob'
      const size = { 'x-ms-blob-content-length': `${content.length}` }
      await call('PUT', blob, '', { 'x-ms-blob-type': type, ...(isPage && size) })
      if (!isPage) return etagOf(await call('PUT', `${blob}?comp=appendblock`, content))
      const range = { 'x-ms-page-write': 'update', 'x-ms-range': `bytes=0-${content.length - 1}` }
      return etagOf(await call('PUT', `${blob}?comp=page`, content, range))
    },
    async append(container: string, key: string, content: string): Promise<void> {
      await call('PUT', `${container}/${encodeKey(key)}?comp=appendblock`, content)
    },
    async get(container: string, key: string): Promise<string | null> {
      const { status, text } = await call('GET', `${container}/${encodeKey(key)}`)
      return status === 404 ? null : text
    },
    tags: async (container: string, key: string) =>
      tagsIn((await call('GET', `${container}/${encodeKey(key)}?comp=tags`)).text),
    async setTags(container: string, key: string, tags: Record<string, string>): Promise<void> {
      await call('PUT', `${container}/${encodeKey(key)}?comp=tags`, `<Tags><TagSet>${tagXml(tags)}</TagSet></Tags>`)
    },
    async [Symbol.asyncDispose](): Promise<void> {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
