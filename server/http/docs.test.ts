/** The documentation pages: content, delivery and escaping. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { accountRoutes } from '#accounts/routes.ts'
import { PROBLEMS } from '#base/errors.ts'
import { createLog } from '#base/log.ts'
import { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import { keyRoutes } from '#keys/routes.ts'
import { urlScanRoutes } from '#scan/by-url/routes.ts'
import { scanRoutes } from '#scan/routes.ts'
import { usageRoutes } from '#usage/routes.ts'
import { webhookRoutes } from '#webhooks/routes.ts'
import { renderCollection } from './docs/collection.ts'
import { toText } from './docs/html.ts'
import { exampleOf } from './docs/json-schema.ts'
import { codesOf, operationsOf, readReference } from './docs/reference.ts'
import { renderReference } from './docs/render.ts'
import { docsRoutes } from './docs.ts'
import { healthRoutes } from './health.ts'
import { describeApi, type OpenApi } from './openapi/document.ts'
import { BEFORE_ROUTING } from './openapi/problems.ts'
import { createServer, type Server } from './server.ts'
import { createSessionCookie } from './session-cookie.ts'

const PUBLIC_URL = 'https://docvet.test'
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
const CODES = Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[]

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const textOf = (page: string): string => unescaped(page.replace(/<[^>]*>/g, ''))

const TAG = /<\/?([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*\/?>/g

/** Parses the page strictly, so that an injected value is noticed. */
function assertNothingInline(page: string): void {
  const rest = page.replace('<!doctype html>', '').replace(TAG, '')
  assert.doesNotMatch(rest, /[<>]/, 'injected markup')
  for (const [tag, name, attributes = ''] of page.matchAll(TAG)) {
    assert.ok(name !== 'style' && name !== 'base' && name !== 'iframe', tag)
    for (const [, attribute = '', value = ''] of attributes.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/g)) {
      assert.doesNotMatch(attribute, /^(style|on.*|action|formaction|srcdoc)$/i, tag)
      if (attribute === 'src' || attribute === 'href') assert.match(value, /^[/#]/, tag)
    }
    if (name === 'script') assert.ok(tag === '</script>' || tag === '<script src="/docs/docs.js">', tag)
  }
  assert.ok(page.includes('<script src="/docs/docs.js"></script>'))
}

async function listeningServer() {
  const taken = { allowed: true, remaining: 1, retryAfterSeconds: 1 }
  const cookie = createSessionCookie(true)
  const { server } = createServer({
    publicUrl: PUBLIC_URL,
    secure: true,
    trustedProxies: [],
    connectionsMax: 100,
    connectionsPerAddress: null,
    log: createLog({ level: 'silent' }),
    findKey: async () => null,
    findSession: async () => null,
    cookie,
    throttle: async () => ({ ...taken, headers: { 'ratelimit-policy': '', ratelimit: '' } }),
    addressRatePerMinute: 60,
    scanRate: () => ({ perSecond: 1, burst: 1 }),
    keyRatePerMinute: 60,
  })
  const unused = (): never => assert.fail('not called by the pages')
  const openApi = describeApi(server, PUBLIC_URL, cookie.name)
  accountRoutes(server, unused)
  const keys = {
    identify: unused,
    list: unused,
    issue: unused,
    roll: unused,
    rollFor: unused,
    revoke: unused,
    prepareFor: unused,
    prepareFirst: unused,
    ofSession: unused,
    identifyById: unused,
  }
  keyRoutes(server, keys)
  usageRoutes(server, { report: unused, month: unused, settleOwed: unused, reserve: unused })
  await scanRoutes(server, { scan: unused, meteredKey: unused, keepsReports: true, onEnded: unused })
  urlScanRoutes(
    server,
    { scan: unused, meteredKey: unused, keepsReports: true, onEnded: unused },
    { open: unused },
    unused,
  )
  webhookRoutes(server, {
    ...{ create: unused, list: unused, find: unused, change: unused, delete: unused, rotate: unused, test: unused },
    ...{ deliveries: unused, retry: unused },
  })
  healthRoutes(server, { storageProblem: unused, engines: unused })
  docsRoutes(server, { publicUrl: PUBLIC_URL, openApi, catalogue: CATALOGUE })
  await server.listen({ host: '127.0.0.1', port: 0 })
  return { server, openApi }
}

describe('served pages', () => {
  let server: Server
  let openApi: () => OpenApi
  let origin: string
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(origin + path, { headers, redirect: 'manual' })
  const pageAt = async (path: string): Promise<string> => (await get(path)).text()

  before(async () => {
    ;({ server, openApi } = await listeningServer())
    origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  })
  after(() => server.close())

  for (const path of ['/docs', '/problems', '/findings']) {
    test(`${path}/ is the same page as ${path}`, async () => {
      const response = await get(`${path}/`)
      assert.deepEqual([response.status, await response.text()], [200, await pageAt(path)])
    })
  }

  test('every page has a content security policy without inline code or other hosts', async () => {
    const findings = [...CATALOGUE.keys()].map((id) => `/findings/${id}`)
    const problems = CODES.map((code) => `/problems/${code}`)
    for (const path of ['/docs', '/problems', '/findings', ...problems, ...findings]) {
      const response = await get(path)
      assert.equal(response.headers.get('content-security-policy'), POLICY, path)
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8', path)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff', path)
      assertNothingInline(await response.text())
    }
  })

  test('every finding is listed, and its page has all of its texts', async () => {
    const index = await pageAt('/findings')
    for (const [id, { title, reason, technique, article }] of CATALOGUE) {
      assert.ok(index.includes(`href="/findings/${id}"`), `no link leads to ${id}`)
      const text = textOf(await pageAt(`/findings/${id}`))
      for (const words of [id, title, reason, technique, article.danger, article.cause, article.advice])
        assert.ok(words === null || text.includes(words.replaceAll('`', '')), `${id}: ${words}`)
    }
  })

  test('every linked file is served with its type', async () => {
    const asked = [...(await pageAt('/docs')).matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path ?? '')
    const types = new Map<string, string | null>()
    for (const path of asked) {
      const response = await get(path)
      assert.equal(response.status, 200, path)
      assert.ok((await response.text()).length > 100, path)
      types.set(path, response.headers.get('content-type'))
    }
    assert.deepEqual(Object.fromEntries(types), {
      '/docs/favicon.svg': 'image/svg+xml',
      '/docs/docs.css': 'text/css; charset=utf-8',
      '/docs/docs.js': 'text/javascript; charset=utf-8',
      '/docs/collection.json': 'application/json; charset=utf-8',
    })
  })

  test('304 without a body for the current version', async () => {
    for (const path of ['/docs', '/docs/docs.css', '/docs/docs.js', '/docs/favicon.svg', '/problems']) {
      const first = await get(path)
      const etag = first.headers.get('etag') ?? ''
      assert.match(etag, /^"[\w-]{22}"$/, path)
      assert.equal(first.headers.get('cache-control'), 'no-cache', path)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get(path, { 'if-none-match': known })
        assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag], path)
      }
      assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200, path)
    }
  })

  test('every operation is shown with its method, path, description, example and codes', async () => {
    const page = await pageAt('/docs')
    const operations = operationsOf(readReference(openApi()))
    assert.ok(operations.length >= 8, 'the document has lost operations')
    for (const operation of operations) {
      const { id, method, path, summary, description, responses } = operation
      const start = page.indexOf(`<section class="operation" id="${id}"`)
      assert.ok(start > 0, `${method} ${path} is missing`)
      const section = page.slice(start, page.indexOf('</section>', start))
      const text = textOf(section)
      assert.ok(text.includes(summary) && text.includes(description.replaceAll('`', '')), `words of ${id}`)
      assert.ok(text.includes(method.toUpperCase() + path), `${method} ${path}`)
      assert.ok(page.includes(`href="#${id}"`), `no link leads to ${id}`)
      const [sample] = operation['x-codeSamples']
      assert.ok(sample && text.includes(sample.source.replaceAll('$DOCVET_URL', PUBLIC_URL)), `example of ${id}`)
      for (const code of Object.values(responses)
        .flatMap(codesOf)
        .filter((each) => !BEFORE_ROUTING.includes(each))) {
        assert.ok(section.includes(`href="/problems/${code}"`), `${id} does not link to ${code}`)
      }
    }
    assert.ok(!textOf(page).includes('$DOCVET_URL'), 'an example that does not work as copied')
  })

  test('a response example is JSON with every field', async () => {
    const page = await pageAt('/docs')
    const start = page.indexOf('id="op-getUsage"')
    const figure = page.slice(page.indexOf('Response 200<', start))
    const shown = JSON.parse(textOf(figure.slice(figure.indexOf('<pre>'), figure.indexOf('</pre>'))))
    assert.deepEqual(shown, { plan: 'free', period: '2026-11', scansUsed: 12, scansQuota: 500, scansRemaining: 488 })
  })

  test('the panel to try an operation is hidden and has a key field and a body', async () => {
    const page = await pageAt('/docs')
    const section = page.slice(page.indexOf('id="op-createKey"'), page.indexOf('id="op-revokeKey"'))
    assert.match(section, /<details class="try" data-try hidden>/)
    assert.match(section, /<form data-method="POST" data-path="\/api\/v1\/keys" data-type="application\/json"/)
    assert.match(section, /<input type="password" data-key autocomplete="off"/)
    assert.match(unescaped(section), /<textarea [^>]*>\n\{\n {2}"name": "Build server"\n\}<\/textarea>/)
    // A field with a name could end up in a URL.
    assert.doesNotMatch(page, /<(input|textarea)(?! type="radio")[^>]*\sname=/)
    const signUp = page.slice(page.indexOf('id="op-signUp"'), page.indexOf('id="tag-Keys"'))
    assert.doesNotMatch(signUp, /data-key/, 'sign-up requires no key')
  })

  test('headings are in order, and ids and anchors match', async () => {
    for (const path of ['/docs', '/problems', '/problems/', '/problems/rate_limited']) {
      const page = await pageAt(path)
      const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
      assert.equal(levels.filter((level) => level === 1).length, 1, path)
      levels.forEach((level, i) => {
        assert.ok(level <= (levels[i - 1] ?? 0) + 1, `${path}: h${levels[i - 1]} is followed by h${level}`)
      })
      const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
      assert.equal(new Set(ids).size, ids.length, `${path}: an id is there twice`)
      for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) assert.ok(ids.includes(target), `${path}#${target}`)
    }
  })

  test('every problem has a page and is in both lists', async () => {
    const lists = [await pageAt('/docs'), await pageAt('/problems')]
    for (const code of CODES) {
      const { status, title, help } = PROBLEMS[code]
      const response = await get(`/problems/${code}`)
      assert.equal(response.status, 200, code)
      const page = await response.text()
      const text = textOf(page)
      assert.ok(page.includes(`<h1>${title}</h1>`), code)
      for (const part of [String(status) + code, help.replaceAll('`', '')]) assert.ok(text.includes(part), code)
      const pre = textOf(page.slice(page.indexOf('<pre>'), page.indexOf('</pre>')))
      const body = JSON.parse(pre.slice(pre.indexOf('{')))
      assert.deepEqual([body.type, body.status, body.code], [`${PUBLIC_URL}/problems/${code}`, status, code])
      for (const list of lists) assert.ok(list.includes(`href="/problems/${code}"`), code)
    }
  })

  test('a problem page lists the operations that return it', async () => {
    assert.match(await pageAt('/problems/email_taken'), /href="\/docs#op-signUp"/)
    const general = await pageAt('/problems/expectation_failed')
    assert.doesNotMatch(general, /href="\/docs#op-/)
    assert.match(general, /Any request can fail/)
  })

  test('404 with problem details for an unknown code', async () => {
    for (const code of ['nonsense', 'constructor', '__proto__', '%3Cb%3E']) {
      const response = await get(`/problems/${code}`)
      assert.equal(response.status, 404, code)
      assert.equal(response.headers.get('content-type'), 'application/problem+json')
      assert.equal(((await response.json()) as { code: string }).code, 'not_found')
    }
  })

  test('the OpenAPI document omits the pages', async () => {
    const { paths } = (await (await get('/openapi.json')).json()) as { paths: object }
    assert.deepEqual(
      Object.keys(paths).filter((path) => /docs|problems|openapi|^\/$/.test(path)),
      [],
    )
  })
})

describe('an OpenAPI document', () => {
  const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>\`</code><svg/onload=alert(3)>\``
  const base = { info: { title: 'A', version: 'v1', description: 'A.' }, tags: [{ name: 'Scan', description: 'A.' }] }
  const components = { schemas: {}, securitySchemes: {} }
  const operation = { operationId: 'scan', tags: ['Scan'], summary: 'Scan', description: 'A.', security: [] }

  test('cannot inject markup', () => {
    const schema = {
      type: 'object',
      required: [HOSTILE],
      description: HOSTILE,
      properties: {
        [HOSTILE]: { type: HOSTILE, format: HOSTILE, description: HOSTILE, pattern: HOSTILE },
        other: { enum: [HOSTILE], examples: [HOSTILE] },
      },
    }
    const content = { [HOSTILE]: { schema, examples: { [HOSTILE]: { value: HOSTILE } } } }
    const document = {
      info: { title: HOSTILE, version: HOSTILE, description: `${HOSTILE}\n\n${HOSTILE}` },
      tags: [{ name: HOSTILE, description: HOSTILE }],
      components: {
        schemas: { Problem: schema },
        securitySchemes: { [HOSTILE]: { type: 'apiKey', in: 'header', name: HOSTILE, description: HOSTILE } },
      },
      paths: {
        [`/${HOSTILE}`]: {
          post: {
            operationId: HOSTILE,
            tags: [HOSTILE],
            summary: HOSTILE,
            description: HOSTILE,
            security: [{ [HOSTILE]: [] }],
            parameters: [
              { name: HOSTILE, in: HOSTILE, required: true, description: HOSTILE, schema },
              { name: HOSTILE, in: 'path', required: false, description: HOSTILE, schema },
            ],
            requestBody: { description: HOSTILE, required: true, content },
            responses: {
              [HOSTILE]: { description: HOSTILE, content },
              200: { description: HOSTILE, content: { 'application/json': { schema } } },
              400: { description: HOSTILE, content: { 'application/problem+json': content[HOSTILE] } },
            },
            'x-codeSamples': [{ label: HOSTILE, source: HOSTILE }],
          },
        },
      },
    }
    const page = toText(renderReference(readReference(document), PUBLIC_URL))
    assertNothingInline(page)
    assert.ok(page.includes('&lt;script&gt;alert(1)&lt;/script&gt;'), 'the text itself is missing')
  })

  test('may contain references', () => {
    const document = {
      ...base,
      components: {
        ...components,
        schemas: {
          Outer: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Inner' } } },
          Inner: { type: 'integer', examples: [7] },
        },
        responses: {
          Done: {
            description: 'Done.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Outer' } } },
          },
        },
      },
      paths: {
        '/x': {
          get: { ...operation, responses: { 200: { $ref: '#/components/responses/Done' } }, 'x-codeSamples': [] },
        },
      },
    }
    const reference = readReference(document)
    const [found] = operationsOf(reference)
    const schema = found?.responses[200]?.content?.['application/json']?.schema
    assert.deepEqual(exampleOf(schema ?? {}), { inner: 7 })
    assert.match(toText(renderReference(reference, PUBLIC_URL)), /<\/html>\n$/)
  })

  test('has a style for the program of every language', () => {
    const { length } = readdirSync(new URL('docs/examples', import.meta.url))
    const rules = readFileSync(new URL('docs/examples.css', import.meta.url), 'utf8').match(
      /:checked ~ \.program:nth-of-type/g,
    )
    assert.equal(rules?.length, length)
  })

  test('may accept a file in a form', () => {
    const file = { type: 'string', format: 'binary', description: 'The document.' }
    const schema = { type: 'object', required: ['file'], properties: { file, note: { type: 'string' } } }
    const requestBody = { description: 'A form.', required: true, content: { 'multipart/form-data': { schema } } }
    const post = { ...operation, requestBody, responses: {}, 'x-codeSamples': [] }
    const document = { ...base, components, paths: { '/api/v1/scan': { post } } }
    const page = toText(renderReference(readReference(document), PUBLIC_URL))
    assert.match(page, /data-type="multipart\/form-data"/)
    assert.match(page, /<input type="file" data-part="file" /)
    assert.match(page, /<input type="text" data-part="note" autocomplete/)
    assert.match(textOf(page), /file file required\n?.*The document\./s)
  })
})

test('the collection for Postman and Bruno has every operation once, with a key where one is accepted', () => {
  const openApi = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
  const reference = readReference(openApi)
  const { item, variable } = JSON.parse(renderCollection(reference, PUBLIC_URL))
  const requests = item.flatMap((group: { item: { request: CollectionRequest }[] }) =>
    group.item.map((each) => each.request),
  )
  assert.deepEqual(
    requests.map(({ method, url }: CollectionRequest) => `${method} ${url.raw}`).sort(),
    Object.entries<object>(openApi.paths)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} {{url}}${path}`))
      .map((each) => each.replaceAll(/\{(\w+)\}/g, (name) => (name === '{url}' ? name : `:${name.slice(1, -1)}`)))
      .sort(),
  )
  assert.deepEqual(variable[0], { key: 'url', value: PUBLIC_URL })
  const find = (raw: string) => requests.find((each: CollectionRequest) => `${each.method} ${each.url.raw}` === raw)
  const scan = find('POST {{url}}/api/v1/scan')
  assert.ok(scan.header.some(({ value }: { value: string }) => value === '{{key}}'))
  assert.deepEqual(scan.body.formdata[0], { key: 'file', type: 'file', src: [] })
  assert.equal(JSON.parse(find('POST {{url}}/api/v1/keys').body.raw).name, 'Build server')
  assert.ok(!JSON.stringify(find('POST {{url}}/api/v1/auth/login').header).includes('{{key}}'))
  const namesOf = (raw: string) => find(raw).header.map(({ key }: { key: string }) => key)
  assert.deepEqual(namesOf('POST {{url}}/api/v1/auth/logout'), ['Origin'])
  assert.deepEqual(namesOf('GET {{url}}/api/v1/auth/me'), [])
  assert.ok(!namesOf('POST {{url}}/api/v1/scan').includes('Origin'), 'a key needs none, and the URL may be another')
  const items: { request: CollectionRequest; protocolProfileBehavior?: object }[] = item.flatMap(
    (group: { item: object[] }) => group.item,
  )
  const start = items.find(
    ({ request }) => request.url.raw.endsWith('/oidc/:provider/start') && request.method === 'GET',
  )
  assert.deepEqual(start?.protocolProfileBehavior, { followRedirects: false })
})

interface CollectionRequest {
  method: string
  url: { raw: string }
}
