import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { createLog } from '#base/log.ts'
import { createSessionCookie } from '#http/session-cookie.ts'
import { createThrottle, memoryBuckets } from '#http/throttle.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { PATHS } from '#web/src/paths.ts'
import { dashboardRoutes } from './dashboard.ts'
import { createServer, type Server } from './server.ts'

const PUBLIC_URL = 'http://127.0.0.1:8080'
const PAGE = '<!doctype html><title>Docvet</title>'
const SCRIPT = 'export {}'
const FOREVER = 'public, max-age=31536000, immutable'

function serverFor(folder: string): Server {
  const log = createLog({ level: 'silent' })
  const { server } = createServer({
    publicUrl: PUBLIC_URL,
    secure: false,
    trustedProxies: [],
    log,
    cookie: createSessionCookie(false),
    findKey: async () => null,
    findSession: async () => null,
    throttle: createThrottle(memoryBuckets()),
    scanRate: () => ({ perSecond: 1, burst: 1 }),
    addressRatePerMinute: 1,
    keyRatePerMinute: 1,
    connectionsMax: 100,
    connectionsPerAddress: 100,
  })
  dashboardRoutes(server, { folder, settings: {}, log })
  return server
}

describe('a built dashboard', () => {
  let folder: string
  let server: Server
  const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers })

  before(() => {
    folder = temporaryFolder('dashboard')
    mkdirSync(path.join(folder, 'assets'))
    for (const [name, text] of Object.entries({ 'index.html': PAGE, 'theme.js': SCRIPT, 'assets/a-1.js': SCRIPT })) {
      writeFileSync(path.join(folder, name), text)
      writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(text))
      writeFileSync(path.join(folder, `${name}.gz`), gzipSync(text))
    }
    writeFileSync(path.join(folder, 'favicon.svg'), '<svg/>')
    writeFileSync(path.join(folder, 'build-id'), 'secret')
    server = serverFor(folder)
  })
  after(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })

  test('its page is served at every path of the dashboard, revalidated and under a strict policy', async () => {
    for (const url of PATHS) {
      const { statusCode, headers, body } = await get(url)
      assert.deepEqual([statusCode, body, headers['cache-control']], [200, PAGE, 'no-cache'], url)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /^default-src 'none'; script-src 'self';.*require-trusted-types-for 'script'/)
      assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    }
  })

  test('unknown paths keep their problem details', async () => {
    for (const url of ['/nowhere', '/keys//', '/keys/1', '/api/v1/nowhere', '/assets/nowhere.js', '/build-id']) {
      const { statusCode, headers } = await get(url)
      assert.deepEqual([statusCode, headers['content-type']], [404, 'application/problem+json'], url)
    }
  })

  test('a browser that opens an unknown path gets the page that says so', async () => {
    const browser = { 'sec-fetch-mode': 'navigate' }
    for (const url of ['/nothing', '/history/a/b?c=d']) {
      const { statusCode, headers, body } = await get(url, browser)
      assert.equal(statusCode, 404, url)
      assert.match(String(headers['content-type']), /^text\/html/)
      assert.equal(body, PAGE)
    }
    const { statusCode, headers } = await get('/api/v1/nothing', browser)
    assert.equal(statusCode, 404)
    assert.match(String(headers['content-type']), /problem\+json/)
    const posted = await server.inject({ method: 'POST', url: '/keys', headers: browser })
    assert.equal(posted.statusCode, 405)
  })

  test('an asset never escapes its folder', async () => {
    for (const file of ['..%2Findex.html', '%2e%2e%2findex.html', '..%5Cindex.html', '__proto__', 'constructor']) {
      assert.equal((await get(`/assets/${file}`)).statusCode, 404, file)
    }
  })

  test('assets are cached for good, other files are revalidated', async () => {
    assert.equal((await get('/assets/a-1.js')).headers['cache-control'], FOREVER)
    assert.equal((await get('/theme.js')).headers['cache-control'], 'no-cache')
    assert.equal((await get('/favicon.svg')).headers['content-type'], 'image/svg+xml')
  })

  test('the best encoding that the client accepts is used', async () => {
    const cases: [string | undefined, string | undefined][] = [
      ['gzip, deflate, br, zstd', 'br'],
      ['br;q=0.1, gzip', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, GZIP', 'gzip'],
      ['br;q=0.000', undefined],
      ['brotli', undefined],
      [undefined, undefined],
    ]
    for (const [accepted, expected] of cases) {
      const { headers } = await get('/', accepted === undefined ? {} : { 'accept-encoding': accepted })
      assert.deepEqual([headers['content-encoding'], headers.vary], [expected, 'accept-encoding'], accepted)
    }
  })

  test('304 for the current version of each encoding', async () => {
    const etags = new Set<string>()
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { etag } = (await get('/', { 'accept-encoding': encoding })).headers
      etags.add(String(etag))
      const again = await get('/', { 'accept-encoding': encoding, 'if-none-match': String(etag) })
      assert.deepEqual([again.statusCode, again.body], [304, ''])
    }
    assert.equal(etags.size, 3)
  })

  test('loading it is not limited', async () => {
    for (let i = 0; i < 30; i++) assert.equal((await get('/')).statusCode, 200)
  })
})

test('without a build, its pages say so and say what to do', async () => {
  const folder = temporaryFolder('dashboard')
  const server = serverFor(path.join(folder, 'nowhere'))
  for (const url of [...PATHS, '/theme.js']) {
    const { statusCode, body, headers } = await server.inject({ url })
    assert.deepEqual([statusCode, headers['content-type']], [503, 'text/html; charset=utf-8'], url)
    assert.match(body, /has not been built.*npm run build/s)
  }
  assert.equal((await server.inject({ url: '/assets/a-1.js' })).statusCode, 404)
  await server.close()
  rmSync(folder, { recursive: true })
})
