/** The files for TLS proxies in `deploy/`, each with the real proxy, and curl as the client. */

import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parse } from 'yaml'
import { PROBLEMS } from '#base/errors.ts'
import { SERVER_LIMITS } from '#http/server.ts'
import { UNKNOWN_KEY, UUID } from '#test/support/client.ts'
import { until } from '#test/support/scan-process.ts'
import { FILE_BYTES_MAX, type ScanService, startScanService, textOf } from '#test/support/scanning.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { needs } from '#test/support/suite.ts'
import { curl, type ProxyName, startProxy } from '#test/support/tls-proxy.ts'

const DEPLOY = path.join(import.meta.dirname, '../../deploy')
const MUCH_TOO_LARGE = 40_000_000
const SMALL = 1_000
const VERSIONS = { '--http1.1': '1.1', '--http2': '2' }

const folder = temporaryFolder('uploads')
const file = (bytes: number): string => path.join(folder, `${bytes}.txt`)
before(() => {
  for (const bytes of [SMALL, FILE_BYTES_MAX, FILE_BYTES_MAX + 1, MUCH_TOO_LARGE])
    writeFileSync(file(bytes), textOf(bytes))
})
after(() => rmSync(folder, { recursive: true }))

for (const name of ['haproxy', 'nginx', 'caddy'] as const satisfies ProxyName[]) {
  describe(name, needs(name), () => {
    const stack = new AsyncDisposableStack()
    let service: ScanService
    let proxy: Awaited<ReturnType<typeof startProxy>>
    let key: string
    before(async () => {
      const env = { DOCVET_TRUSTED_PROXIES: '127.0.0.1', DOCVET_PUBLIC_URL: 'https://localhost' }
      service = stack.use(await startScanService({ ...env, DOCVET_ADDRESS_RATE_PER_MINUTE: '60' }))
      key = await service.newKey()
      proxy = stack.use(await startProxy(name, [service.port]))
    })
    after(() => stack.disposeAsync())

    const get = (url: string, ...args: string[]) =>
      curl('--cacert', proxy.certFile, ...args, `https://localhost:${proxy.httpsPort}${url}`)
    // On a loaded machine, curl would otherwise begin to send before a refusal arrives.
    const PATIENT = ['--expect100-timeout', '30']
    const upload = (bytes: number, option: string, apiKey = key) =>
      get('/api/v1/scan', '--form', `file=@${file(bytes)}`, '--header', `X-API-Key: ${apiKey}`, option, ...PATIENT)

    for (const [option, version] of Object.entries(VERSIONS)) {
      test(`probes and pages are answered over HTTP/${version}`, async () => {
        for (const url of ['/livez', '/readyz', '/api/v1/health', '/docs']) {
          const answer = await get(url, option)
          assert.deepEqual([answer.status, answer.version], [200, version], `${url} ${proxy.log()}`)
        }
      })

      test(`25 MB are scanned over HTTP/${version}, and one byte more is refused by the service`, async () => {
        const largest = await upload(FILE_BYTES_MAX, option)
        assert.equal(largest.status, 200, largest.body)
        const { status, fileSize } = largest.json()
        assert.deepEqual([status, fileSize, largest.version], ['clean', FILE_BYTES_MAX, version])
        const larger = await upload(FILE_BYTES_MAX + 1, option)
        assert.deepEqual([larger.status, larger.json().code], [413, 'file_too_large'], larger.body)
      })

      // Caddy ends the request of a client that is still sending, which may then miss the response.
      if (name === 'caddy') continue
      test(`a refusal is not lost while a document is sent over HTTP/${version}`, async () => {
        const large = await upload(MUCH_TOO_LARGE, option)
        assert.deepEqual([large.status, large.json().code], [413, 'file_too_large'], large.body)
        const unknown = await upload(FILE_BYTES_MAX, option, UNKNOWN_KEY)
        assert.deepEqual([unknown.status, unknown.json().code], [401, 'unauthenticated'], unknown.body)
      })
    }

    test('sends plain HTTP to https, with the method and the path', async () => {
      const { status, headers } = await curl(`http://localhost:${proxy.httpPort}/docs?a=b`)
      assert.equal(status, 308)
      assert.match(headers.location ?? '', /^https:\/\/localhost(:\d+)?\/docs\?a=b$/)
    })

    test('passes on the address of the client, not the one that it claims', async () => {
      const left = async (from: string, claimed: string) => {
        const { headers } = await get('/api/v1/health', '--interface', from, '--header', `X-Forwarded-For: ${claimed}`)
        return Number(/r=(\d+)/.exec(headers.ratelimit ?? '')?.[1])
      }
      const first = await left('127.0.0.2', '203.0.113.1')
      assert.ok((await left('127.0.0.2', '203.0.113.2')) < first)
      assert.equal(await left('127.0.0.3', '203.0.113.2'), first)
    })

    test('has the https headers of the service', async () => {
      const { headers } = await get('/docs')
      assert.match(headers['strict-transport-security'] ?? '', /^max-age=\d+/)
    })

    test('answers 503 with a code while the service is stopped', async () => {
      await service.stop('SIGTERM')
      await until(async () => (await get('/livez')).status === 503, 30_000)
      for (const [option, version] of Object.entries(VERSIONS)) {
        const answer = await upload(SMALL, option)
        assert.deepEqual([answer.status, answer.version], [503, version], answer.body)
        assert.equal(answer.headers['content-type'], 'application/problem+json')
        assert.match(answer.headers['retry-after'] ?? '', /^[1-9]\d*$/)
        assert.equal(answer.headers['cache-control'], 'no-store')
        const { detail, requestId, ...rest } = answer.json()
        const { status, title } = PROBLEMS.service_unavailable
        const type = 'https://localhost/problems/service_unavailable'
        assert.deepEqual(rest, { type, title, status, code: 'service_unavailable' })
        assert.match(String(detail), /may have been charged/)
        assert.match(String(requestId), UUID)
        assert.equal(answer.headers['x-request-id'], requestId)
        assert.ok(!('x-of-proxy' in answer.headers))
      }
    })
  })
}

describe('the files', () => {
  const read = (name: string): string => readFileSync(path.join(DEPLOY, name), 'utf8')
  const FILES = ['haproxy.cfg', 'nginx.conf', 'Caddyfile', 'traefik/docvet.yaml']

  test('name the port of the service, and a host to replace', () => {
    for (const name of FILES) {
      assert.match(read(name), /127\.0\.0\.1:8080\b/, name)
      assert.match(read(name), /scan\.example\.com/, name)
    }
  })

  test('close idle connections to the service before it does', () => {
    const seconds = {
      'nginx.conf': /^ {2}keepalive_timeout (\d+)s;/m,
      Caddyfile: /^\s*keepalive (\d+)s$/m,
      'traefik/docvet.yaml': /idleConnTimeout: (\d+)s$/m,
    }
    for (const [name, pattern] of Object.entries(seconds))
      assert.ok(Number(pattern.exec(read(name))?.[1]) * 1_000 < SERVER_LIMITS.keepAliveTimeoutMs, name)
    assert.match(read('haproxy.cfg'), /^ {2}option http-server-close$/m)
  })

  // Traefik is no package of Debian: its files are only read.
  test('Traefik: an entry point has longer for an upload than the service, and the names agree', () => {
    const { entryPoints, providers } = parse(read('traefik/traefik.yaml'))
    const { http } = parse(read('traefik/docvet.yaml'))
    assert.deepEqual(Object.keys(entryPoints), ['web', 'websecure'])
    assert.equal(entryPoints.web.http.redirections.entryPoint.to, 'websecure')
    const { readTimeout } = entryPoints.websecure.transport.respondingTimeouts
    assert.ok(Number.parseInt(readTimeout, 10) * 1_000 > SERVER_LIMITS.requestTimeoutMs)
    assert.equal(path.basename(providers.file.filename), 'docvet.yaml')
    const { entryPoints: used, service } = http.routers.docvet
    assert.deepEqual(used, ['websecure'])
    assert.ok(http.serversTransports[http.services[service].loadBalancer.serversTransport])
  })
})
