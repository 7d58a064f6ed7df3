/** Forms of forbidden URLs, each refused before a connection is made: as they are, as the address of a name, and as a redirect. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { after, describe, test } from 'node:test'
import { ADDRESSES, DISGUISED, inUrl } from '#test/support/forbidden-urls.ts'
import { createConfiguredHttp, createOutboundHttp } from './outbound-http.ts'
import {
  createOutboundRules,
  parseTarget,
  type Resolve,
  redirectOf,
  shownUrl,
  URL_LENGTH_MAX,
} from './outbound-rules.ts'

/** Addresses of the internet next to the forbidden networks. */
const PUBLIC = [
  ...['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0', '192.167.255.255', '192.169.0.0'],
  ...['198.17.255.255', '198.20.0.0', '223.255.255.255', '168.63.129.15', '2600::1', '2606:4700::1111', '2a00:1450::1'],
  ...['2001:200::1', '2003::1', '::ffff:1.1.1.1'],
]

const never: Resolve = async (name) => assert.fail(`${name} was resolved`)
const answering =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
const strict = createOutboundRules([], never)

const refusal = async (url: string, rules = strict) => {
  const refused = await rules.check(url)
  assert.ok(refused, `${url} was allowed`)
  const found = rules.target(url)
  if (found.kind === 'target') assert.notEqual(found.lookup, undefined, `${url} would be connected to`)
  return refused
}

describe('a URL with an address', () => {
  for (const address of ADDRESSES.filter((each) => !each.includes('%'))) {
    test(`${address} is refused`, async () => {
      const refused = await refusal(`https://${inUrl(address)}/`)
      assert.deepEqual([refused.isForm, refused.why], [false, 'leads to an address that is not on the public internet'])
    })
  }
  for (const host of DISGUISED) {
    test(`${host} is refused`, async () => assert.equal((await refusal(`https://${host}/`)).isForm, false))
  }
  for (const address of PUBLIC) {
    test(`${address} is allowed`, async () => {
      assert.equal(await strict.check(`https://${inUrl(address)}/`), null)
      assert.match((await refusal(`https://${inUrl(address)}:8443/`)).why, /port other than 443/)
    })
  }
})

describe('a URL of a form that is never called', () => {
  const FORMS: [string, RegExp][] = [
    ['', /not valid/],
    ['example.com', /not valid/],
    ['//example.com/', /not valid/],
    ['https://', /not valid/],
    ['https://exa mple.com/', /white space/],
    ['https://example.com/\ta', /white space/],
    ['https://example.com\\@10.0.0.1/', /backslash/],
    ['\nhttps://example.com/', /white space/],
    ['https://example.com/\u0000', /control/],
    ['https://[fe80::1%25eth0]/', /not valid/],
    ['https://[::1', /not valid/],
    ['https://256.0.0.1/', /not valid/],
    ['https://1.2.3.4.5/', /not valid/],
    ['https://example.com:65536/', /not valid/],
    ['https://example.com:0/', /out of range/],
    ['ftp://example.com/', /does not start with https/],
    ['file:///etc/passwd', /not valid/],
    ['gopher://example.com/', /does not start with https/],
    ['data:text/plain,a', /not valid/],
    ['javascript:1', /not valid/],
    ['ws://example.com/', /does not start with https/],
    ['https://user@example.com/', /user name/],
    ['https://user:secret@example.com/', /user name/],
    ['https://:secret@example.com/', /user name/],
    ['https://@example.com/', /user name/],
    ['https://example.com@127.0.0.1/', /user name/],
    ['https://example.com/#a', /fragment/],
    ['https://example.com/#', /fragment/],
    [`https://example.com/${'a'.repeat(URL_LENGTH_MAX - 19)}`, /more than 4096/],
  ]
  for (const [url, why] of FORMS) {
    test(`${JSON.stringify(url.slice(0, 50))} is refused`, async () => {
      const refused = await refusal(url)
      assert.equal(refused.isForm, true)
      assert.match(refused.why, why)
    })
  }

  test('the longest one is accepted', async () => {
    const url = `https://example.com/${'a'.repeat(URL_LENGTH_MAX - 20)}`
    assert.equal(await createOutboundRules([], answering('1.1.1.1')).check(url), null)
  })
})

describe('a name', () => {
  for (const address of ADDRESSES) {
    test(`with the address ${address} is refused, also beside a public one`, async () => {
      for (const answers of [[address], ['1.1.1.1', address], [address, '2606:4700::1111']]) {
        const rules = createOutboundRules([], answering(...answers))
        assert.equal((await refusal('https://example.com/', rules)).isForm, false)
        const http = createOutboundHttp({ rules })
        const outcome = await http.open({
          ...{ method: 'GET', url: 'https://example.com/', headers: {}, deadline: AbortSignal.timeout(5_000) },
        })
        assert.equal(outcome.kind, 'refused')
        http.close()
      }
    })
  }

  test('with a public address is allowed, over https and on port 443 only', async () => {
    const rules = createOutboundRules([], answering('1.1.1.1', '2606:4700::1111'))
    assert.equal(await rules.check('https://example.com/a?b=c'), null)
    assert.equal(await rules.check('https://example.com:443/'), null)
    assert.match((await refusal('http://example.com/', rules)).why, /https/)
    assert.match((await refusal('https://example.com:22/', rules)).why, /port/)
    assert.match((await refusal('http://example.com:443/', rules)).why, /https/)
  })

  test('that cannot be resolved is refused', async () => {
    const rules = createOutboundRules([], async () => Promise.reject(new Error('ENOTFOUND')))
    assert.match((await refusal('https://example.com/', rules)).why, /cannot be resolved/)
  })

  test('that changes its address between check and connection is refused, and resolved once for a connection', async () => {
    const answers = ['1.1.1.1', '127.0.0.1']
    let asked = 0
    const rules = createOutboundRules([], async (name) => answering(answers[asked++] ?? '10.0.0.1')(name))
    assert.equal(await rules.check('https://example.com/'), null)
    const http = createOutboundHttp({ rules })
    const request = { method: 'GET', url: 'https://example.com/', headers: {} } as const
    const outcome = await http.open({ ...request, deadline: AbortSignal.timeout(5_000) })
    assert.deepEqual([outcome.kind, asked], ['refused', 2])
    http.close()
  })
})

describe('what the operator allows', () => {
  const allow = (text: string, resolve = never) =>
    createOutboundRules(
      text.split(',').map((each) => parseTarget(each) ?? assert.fail(each)),
      resolve,
    )

  test('a network: with every port, over http and https, and for names that lead to it', async () => {
    const rules = allow('10.1.0.0/16', answering('10.1.2.3'))
    for (const url of [
      'http://10.1.0.1/',
      'https://10.1.0.1:9000/',
      'http://[::ffff:10.1.0.1]:8080/',
      'http://files.corp:8080/',
    ])
      assert.equal(await rules.check(url), null, url)
    for (const url of ['http://10.2.0.1/', 'https://10.0.0.1/', 'http://127.0.0.1/']) await refusal(url, rules)
    const mixed = allow('10.1.0.0/16', answering('10.1.2.3', '10.2.0.1'))
    await refusal('https://files.corp/', mixed)
    const open = allow('10.1.0.0/16', answering('1.1.1.1'))
    assert.equal(await open.check('https://example.com/'), null)
    assert.match((await refusal('http://example.com/', open)).why, /https/)
    assert.match((await refusal('https://example.com:8443/', open)).why, /port/)
  })

  test('a name: with its port, whatever its addresses', async () => {
    const rules = allow('minio.internal:9000,localhost:1', async () => Promise.reject(new Error()))
    for (const url of ['http://minio.internal:9000/', 'https://MINIO.internal.:9000/', 'http://localhost:1/'])
      assert.equal(await rules.check(url), null, url)
    for (const url of [
      'http://minio.internal/',
      'https://minio.internal:9001/',
      'http://a.minio.internal:9000/',
      'http://localhost/',
    ])
      await refusal(url, rules)
    const everyPort = allow('minio.internal')
    for (const url of ['http://minio.internal/', 'https://minio.internal:9001/'])
      assert.equal(await everyPort.check(url), null)
  })

  test('an address with its port', async () => {
    const rules = allow('127.0.0.1:9000,[fd00::1]:9000,fd00::2')
    for (const url of ['http://127.0.0.1:9000/', 'http://[fd00::1]:9000/', 'https://[fd00::2]:1/'])
      assert.equal(await rules.check(url), null, url)
    for (const url of ['http://127.0.0.1:9001/', 'http://[fd00::1]/', 'http://[fd00::3]:9000/'])
      await refusal(url, rules)
  })

  test('is parsed', () => {
    const PARSED: [string, object | null][] = [
      ['10.0.0.0/8', { network: '10.0.0.0/8', port: null }],
      ['10.0.0.1:80', { network: '10.0.0.1', port: 80 }],
      ['fd00::/8', { network: 'fd00::/8', port: null }],
      ['[fd00::1]:65535', { network: 'fd00::1', port: 65_535 }],
      ['[fd00::1]', { network: 'fd00::1', port: null }],
      ['Minio.internal.:9000', { name: 'minio.internal', port: 9_000 }],
      ['minio', { name: 'minio', port: null }],
    ]
    for (const [text, target] of PARSED) assert.deepEqual(parseTarget(text), target, text)
    for (const text of [
      '',
      ':80',
      'a b',
      'a:0',
      'a:65536',
      'a:x',
      '1.2.3',
      '10.0.0.0/33',
      '[a]:1',
      '[10.0.0.1]:1',
      'fe80::1%eth0',
      'https://a',
      'a/b',
      '*.a',
      '10.0.0.0/8/8',
    ])
      assert.equal(parseTarget(text), null, text)
  })

  test('the URLs of settings, and nothing beside them', async () => {
    const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    after(() => server.close())
    const { port } = server.address() as AddressInfo
    const http = createConfiguredHttp(`http://127.0.0.1:${port}/base`)
    const get = (url: string) =>
      http.send({ method: 'GET', url, headers: {}, responseBytesMax: 10, deadline: AbortSignal.timeout(5_000) })
    assert.equal((await get(`http://127.0.0.1:${port}/other`)).kind, 'answered')
    assert.equal((await get(`http://127.0.0.1:${port + 1}/`)).kind, 'refused')
    assert.equal((await get(`http://localhost:${port}/`)).kind, 'refused')
    http.close()
  })
})

describe('a redirect', () => {
  /** `other` counts connections that must not be made. */
  async function following(location: (port: number) => string, redirectsMax = 3) {
    let connections = 0
    const other = createTcpServer((socket) => {
      connections++
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port: otherPort } = other.address() as AddressInfo
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(`${request.url} ${request.headers.authorization ?? '-'}`)
      if (request.url === '/end') return response.end('document')
      const hop = /^\/hop(\d)$/.exec(request.url ?? '')
      const next = hop ? (Number(hop[1]) > 1 ? `/hop${Number(hop[1]) - 1}` : '/end') : location(otherPort)
      return response.writeHead(302, { location: next }).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const http = createOutboundHttp({ rules: createOutboundRules([{ network: '127.0.0.1', port }], never) })
    const outcome = await http.send({
      ...{ method: 'GET', url: `http://127.0.0.1:${port}/start`, headers: { authorization: 'secret' } },
      ...{ responseBytesMax: 100, deadline: AbortSignal.timeout(5_000), redirectsMax },
    })
    http.close()
    server.close()
    other.close()
    return { outcome, seen, connections }
  }

  const FORBIDDEN = [
    ...ADDRESSES.filter((each) => !each.includes('%')).map(inUrl),
    ...DISGUISED.filter((each) => /^[ -~]*$/.test(each)),
  ]
  for (const host of FORBIDDEN) {
    test(`to ${host} is not followed`, async () => {
      const { outcome, connections } = await following((port) => `http://${host}:${port}/`)
      assert.deepEqual([outcome.kind, connections], ['refused', 0])
    })
  }
  for (const location of [
    'file:///etc/passwd',
    'ftp://1.1.1.1/',
    'http://a:b@127.0.0.1/',
    '//10.0.0.1/',
    'http://[',
    'javascript:1',
  ]) {
    test(`to ${location} is not followed`, async () => {
      assert.equal((await following(() => location)).outcome.kind, 'refused')
    })
  }

  test('is followed as often as allowed, relative to its URL, without credentials', async () => {
    const { outcome, seen } = await following(() => 'hop2')
    assert.equal(outcome.kind === 'answered' && outcome.body, 'document')
    assert.deepEqual(seen, ['/start secret', '/hop2 -', '/hop1 -', '/end -'])
    const { outcome: fourth } = await following(() => 'hop3')
    assert.deepEqual([fourth.kind, fourth.kind === 'refused' && fourth.why], ['refused', 'redirects too often'])
    assert.equal((await following(() => '/end', 0)).outcome.kind, 'refused')
  })

  test('from https to http is not followed', () => {
    const from = new URL('https://example.com/a/b?c=d')
    assert.equal(redirectOf(from, '../e#f'), 'https://example.com/e')
    assert.equal(redirectOf(from, 'https://other.example/'), 'https://other.example/')
    for (const to of ['http://example.com/', 'http://1.1.1.1/', 'ftp://example.com/'])
      assert.equal((redirectOf(from, to) as { kind: string }).kind, 'refused')
  })
})

test('a connection has the name in its Host header and goes to the address that was checked', async () => {
  const server = createServer((request, response) => response.end(request.headers.host)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let asked = 0
  const rules = createOutboundRules([{ network: '127.0.0.0/8', port }], async (name) => {
    asked++
    return answering('127.0.0.1')(name)
  })
  const http = createOutboundHttp({ rules })
  const url = `http://files.example:${port}/`
  const outcome = await http.send({
    method: 'GET',
    url,
    headers: {},
    responseBytesMax: 100,
    deadline: AbortSignal.timeout(5_000),
  })
  assert.deepEqual([outcome.kind === 'answered' && outcome.body, asked], [`files.example:${port}`, 1])
  http.close()
  server.close()
})

test('a URL is shown without query, fragment, user and password', () => {
  assert.equal(shownUrl('https://u:p@example.com:8443/a%20b?X-Amz-Signature=s#f'), 'https://example.com:8443/a%20b')
  assert.equal(shownUrl('no'), 'an invalid URL')
})
