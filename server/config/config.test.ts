/** Every setting with accepted and rejected values, derived fields, warnings and error messages. */

import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { BUILT_IN_PLANS } from '#usage/plan.ts'
import { ConfigError, loadConfig } from './config.ts'
import { LOG_LEVELS, SETTINGS, type Setting } from './settings.ts'

const ED25519_KEY = `-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAhunter2${'A'.repeat(35)}\n-----END PRIVATE KEY-----`

const LISTENER = {
  protocol: 'clamd',
  url: 'tcp://127.0.0.1:3310',
  address: { host: '127.0.0.1', port: 3310 },
  keyId: '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203',
  unscannable: 'error',
  failure: 'error',
  other: 'default',
  from: null,
  tls: null,
}

type Env = Record<string, string | undefined>

const words = (text: string) => text.split(' ')
const numbers = (text: string): [string, number][] => words(text).map((each) => [each, Number(each)])

const FREE = { scansPerMonth: 500, keysPerMonth: 5, scansPerSecond: 1, burst: 10 }

/** Reads from memory; other paths fail like a real file system. */
function files(contents: Record<string, string>) {
  return (path: string) => {
    const text = contents[path]
    if (text === undefined) throw Object.assign(new Error(`ENOENT: no such file, open '${path}'`), { code: 'ENOENT' })
    return text
  }
}

const load = (env: Env, contents: Record<string, string> = {}) => loadConfig(env, files(contents))

function failure(env: Env, contents: Record<string, string> = {}): ConfigError {
  try {
    load(env, contents)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error
  }
  assert.fail(`should have been rejected: ${JSON.stringify(env)}`)
}

function problemOf(env: Env, contents: Record<string, string> = {}): string {
  const { problems } = failure(env, contents)
  assert.equal(problems.length, 1, problems.join('\n'))
  return problems[0] ?? ''
}

describe('engines', () => {
  test('include clamd if its URL is set', () => {
    assert.deepEqual(load({ DOCVET_CLAMD_URL: 'tcp://a:1' }).engines, ['embedded', 'clamd'])
    assert.deepEqual(load({ DOCVET_CLAMD_URL: 'tcp://a:1', DOCVET_ENGINES: 'clamd,embedded' }).engines, [
      'embedded',
      'clamd',
    ])
  })
  test('cannot include clamd without its URL', () => {
    assert.match(problemOf({ DOCVET_ENGINES: 'embedded,clamd' }), /DOCVET_CLAMD_URL/)
  })

  test('requires the root of trust of a channel', () => {
    const channel = { DOCVET_UPDATES: 'https://channel.example/docvet/' }
    assert.match(problemOf(channel), /DOCVET_UPDATES_ROOT is not/)
    assert.equal(load({ ...channel, DOCVET_UPDATES_ROOT: '/root.json' }).updatesUrl, 'https://channel.example/docvet')
  })
  test('warn about an unused clamd and about the policy clean', () => {
    const env = { DOCVET_CLAMD_URL: 'tcp://a:1', DOCVET_ENGINES: 'embedded', DOCVET_UNSCANNABLE: 'clean' }
    const { warnings } = load(env)
    assert.ok(warnings.some((warning) => warning.startsWith('DOCVET_UNSCANNABLE=clean')))
    assert.ok(warnings.some((warning) => warning.startsWith('DOCVET_CLAMD_URL is set')))
    const large = { DOCVET_FETCH_BYTES_MAX: '26214401' }
    assert.deepEqual(load(large).warnings, [])
    assert.match(load({ ...large, DOCVET_CLAMD_URL: 'tcp://a:1' }).warnings.join(), /^DOCVET_FETCH_BYTES_MAX: .*clamd/)
  })
})

describe('the key of stored secrets', () => {
  test('is asked for where replicas may have different ones', () => {
    const env = { DOCVET_DATABASE_URL: 'postgres://db/docvet' }
    assert.match(load(env).warnings.join('\n'), /^DOCVET_SECRET_KEY should be set/m)
    const key = { DOCVET_SECRET_KEY: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=' }
    assert.doesNotMatch(load({ ...env, ...key }).warnings.join('\n'), /SECRET_KEY/)
    assert.doesNotMatch(load({}).warnings.join('\n'), /SECRET_KEY/)
  })
})

describe('mail', () => {
  test('warns about a local sender only with a mail server', () => {
    const smtp = { DOCVET_SMTP_URL: 'smtp://mail' }
    assert.match(load(smtp).warnings.join('\n'), /^DOCVET_MAIL_FROM should be set/)
    assert.deepEqual(load({ ...smtp, DOCVET_MAIL_FROM: 'a@b.example' }).warnings, [])
    assert.deepEqual(load({ DOCVET_MAIL_FROM: 'a@localhost' }).warnings, [])
  })
})

const TENANT = '3b1f7a52-9f1c-4f3b-8d56-0a6f3a1f7c11'
const CLIENT = '6c0e4d0a-2f5e-4a55-9d7c-1f2e3d4c5b6a'
const MICROSOFT = {
  DOCVET_MARKETPLACE: 'microsoft',
  DOCVET_MARKETPLACE_PLANS: '{"docvet/gold":"pro"}',
  DOCVET_MICROSOFT_TENANT_ID: TENANT,
  DOCVET_MICROSOFT_CLIENT_ID: CLIENT.toUpperCase(),
  DOCVET_MICROSOFT_CLIENT_SECRET: 'a~secret.of-ours',
}
const MICROSOFT_NAMES = [
  ...Object.keys(MICROSOFT).filter((name) => name.includes('MICROSOFT')),
  'DOCVET_MICROSOFT_API_URL',
  'DOCVET_MICROSOFT_AUTHORITY_URL',
  'DOCVET_MICROSOFT_KEYS_URL',
  'DOCVET_MICROSOFT_ISSUER',
]

describe('the marketplace', () => {
  const SOLD = Object.fromEntries(['starter', 'pro', 'business', 'enterprise'].map((key) => [`docvet/${key}`, key]))
  const kindAt = (publicUrl: string, env: Env = {}) => load({ DOCVET_PUBLIC_URL: publicUrl, ...env }).marketplace.kind

  test('is the sandbox on loopback and off otherwise', () => {
    for (const url of ['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:9', 'http://127.1.2.3']) {
      assert.equal(kindAt(url), 'sandbox', url)
    }
    for (const url of ['https://127.0.0.1', 'https://scan.example.org', 'http://10.0.0.1', 'http://127.example.org']) {
      assert.equal(kindAt(url), 'off', url)
    }
  })

  test('is the sandbox outside loopback only with sandbox!, with a warning', () => {
    for (const url of ['https://scan.example.org', 'http://scan.example.org', 'https://localhost']) {
      assert.match(
        problemOf({ DOCVET_PUBLIC_URL: url, DOCVET_MARKETPLACE: 'sandbox' }),
        /^DOCVET_MARKETPLACE=sandbox gives/,
      )
      const { marketplace, warnings } = load({ DOCVET_PUBLIC_URL: url, DOCVET_MARKETPLACE: 'sandbox!' })
      assert.deepEqual(marketplace, { kind: 'sandbox', plans: SOLD, isForced: true })
      assert.match(warnings.join(), /for free/)
    }
    assert.deepEqual(load({ DOCVET_MARKETPLACE: 'sandbox!' }).warnings, [])
    // A container accepts connections from outside although its public URL is on loopback.
    for (const DOCVET_HOST of ['0.0.0.0', '::', '192.0.2.1']) {
      const outside = { DOCVET_HOST, DOCVET_PUBLIC_URL: 'http://localhost:8080' }
      assert.deepEqual(load(outside).marketplace, { kind: 'off' })
      const meant = load({ ...outside, DOCVET_MARKETPLACE: 'sandbox' })
      assert.equal(meant.marketplace.kind, 'sandbox')
      assert.match(meant.warnings.join('\n'), /The sandbox marketplace is on/)
    }
  })

  test('microsoft has default URLs that can be changed', () => {
    assert.deepEqual(load(MICROSOFT).marketplace, {
      kind: 'microsoft',
      plans: { 'docvet/gold': 'pro' },
      tenantId: TENANT,
      clientId: CLIENT,
      clientSecret: 'a~secret.of-ours',
      apiUrl: 'https://marketplaceapi.microsoft.com/api',
      authorityUrl: 'https://login.microsoftonline.com',
      keysUrl: null,
      issuers: null,
    })
    const addresses = {
      DOCVET_MICROSOFT_API_URL: 'http://127.0.0.1:1/api/',
      DOCVET_MICROSOFT_AUTHORITY_URL: 'https://a.b/c',
      DOCVET_MICROSOFT_KEYS_URL: 'https://a.b/keys',
      DOCVET_MICROSOFT_ISSUER: 'https://a.b/, http://c.d/v2.0',
    }
    const { marketplace } = load({ ...MICROSOFT, ...addresses })
    assert.ok(marketplace.kind === 'microsoft')
    const { apiUrl, authorityUrl, keysUrl, issuers } = marketplace
    assert.deepEqual([apiUrl, authorityUrl, keysUrl], ['http://127.0.0.1:1/api', 'https://a.b/c', 'https://a.b/keys'])
    assert.deepEqual(issuers, ['https://a.b/', 'http://c.d/v2.0'], 'as they are written')
  })

  test('microsoft names every missing setting', () => {
    for (const name of Object.keys(MICROSOFT).slice(1)) {
      assert.match(problemOf({ ...MICROSOFT, [name]: '' }), new RegExp(name))
    }
    assert.equal(failure({ DOCVET_MARKETPLACE: 'microsoft' }).problems.length, 4)
  })

  const refused: Env[] = [
    ...words('x 3b1f7a52 {3b1f7a52-9f1c-4f3b-8d56-0a6f3a1f7c11}').flatMap((text) => [
      { DOCVET_MICROSOFT_TENANT_ID: text },
      { DOCVET_MICROSOFT_CLIENT_ID: text },
    ]),
    ...['a b', 'ä', 'x'.repeat(1001), 'a\n'].map((text) => ({ DOCVET_MICROSOFT_CLIENT_SECRET: text })),
    ...words('x ftp://a http://a.example https://u:p@a https://a?b https://a#b http://').flatMap((text) => [
      { DOCVET_MICROSOFT_API_URL: text },
      { DOCVET_MICROSOFT_AUTHORITY_URL: text },
      { DOCVET_MICROSOFT_KEYS_URL: text },
    ]),
    ...['x', 'ftp://a', 'https://', 'https://a,', 'https://a b', 'https://a,,https://b'].map((text) => ({
      DOCVET_MICROSOFT_ISSUER: text,
    })),
  ]
  for (const env of refused) {
    test(`rejects ${JSON.stringify(env).slice(0, 80)}`, () => {
      const [name = ''] = Object.keys(env)
      assert.ok(problemOf({ ...MICROSOFT, ...env }).startsWith(`${name} (`))
    })
  }

  test('a client secret of the maximum length is accepted, also from a file, and never shown', () => {
    const secret = 'x'.repeat(1000)
    const { DOCVET_MICROSOFT_CLIENT_SECRET: _left, ...rest } = MICROSOFT
    const { marketplace } = load({ ...rest, DOCVET_MICROSOFT_CLIENT_SECRET_FILE: 's' }, { s: `${secret}\n` })
    assert.ok(marketplace.kind === 'microsoft' && marketplace.clientSecret === secret)
    assert.doesNotMatch(problemOf({ ...MICROSOFT, DOCVET_MICROSOFT_CLIENT_SECRET: 'hidden word' }), /hidden/)
  })

  test('the plan map comes as JSON or from a file', () => {
    const fromFile = load(
      { ...MICROSOFT, DOCVET_MARKETPLACE_PLANS: '/plans' },
      { '/plans': '{"a/b":"free"}' },
    ).marketplace
    assert.ok(fromFile.kind === 'microsoft')
    assert.deepEqual(fromFile.plans, { 'a/b': 'free' })
    const own = load({ DOCVET_MARKETPLACE_PLANS: '{"a/b":"pro"}' }).marketplace
    assert.deepEqual(own, { kind: 'sandbox', plans: { 'a/b': 'pro' }, isForced: false })
  })

  test('an invalid plan map is rejected with all its problems', () => {
    for (const map of ['{', '{}', '{"a":"pro"}', '{"a/b/c":"pro"}', '{"a/b":"gold"}', '{"a/b":1}', '/nowhere']) {
      assert.match(problemOf({ ...MICROSOFT, DOCVET_MARKETPLACE_PLANS: map }), /^DOCVET_MARKETPLACE_PLANS: /)
    }
    assert.equal(failure({ ...MICROSOFT, DOCVET_MARKETPLACE_PLANS: '{"a":"gold"}' }).problems.length, 2)
  })

  test('unused Microsoft credentials cause a warning', () => {
    assert.match(load({ DOCVET_MICROSOFT_CLIENT_ID: CLIENT }).warnings.join(), /^DOCVET_MICROSOFT_… is set/)
  })
})

test('the default plan must exist', () => {
  const plans = { p: JSON.stringify({ free: FREE, team: FREE }) }
  assert.equal(load({ DOCVET_PLANS_FILE: 'p', DOCVET_DEFAULT_PLAN: 'team' }, plans).defaultPlan, 'team')
  for (const plan of ['pro', 'constructor']) {
    assert.equal(
      failure({ DOCVET_PLANS_FILE: 'p', DOCVET_DEFAULT_PLAN: plan }, plans).problems.join(),
      `DOCVET_DEFAULT_PLAN (got "${plan}"): no such plan. Allowed: free, team.`,
    )
  }
})

describe('without any variable', () => {
  test('every setting has a working default', () => {
    assert.deepEqual(load({}), {
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://127.0.0.1:8080',
      listenUrl: 'http://127.0.0.1:8080',
      secure: false,
      isLocal: true,
      dataDir: resolve('data'),
      databaseUrl: null,
      redisUrl: null,
      plans: BUILT_IN_PLANS,
      defaultPlan: 'free',
      signup: 'open',
      addressRatePerMinute: 60,
      keyRatePerMinute: 1200,
      engines: ['embedded'],
      clamdUrls: [],
      clamdListen: null,
      icapListen: null,
      mcp: 'off',
      listeners: [],
      clamdSignaturesAgeMaxHours: null,
      embeddedWorkers: null,
      rulesDir: null,
      ruleScores: { malicious: 80, suspicious: 60 },
      feedsDir: null,
      updatesUrl: null,
      updatesRoot: null,
      updatesProxy: null,
      updatesIntervalMs: 21_600_000,
      sensitivity: 'standard',
      policyFile: null,
      policy: null,
      unscannable: 'refuse',
      allowList: 'own',
      scanDeadlineMs: 30_000,
      scanRetentionDays: 90,
      processes: 1,
      auditRetentionDays: 365,
      ledgerRetentionMonths: 0,
      scanBytesInFlight: 536_870_912,
      fetchBytesMax: 26_214_400,
      smtpUrl: null,
      mailFrom: { name: 'Docvet', address: 'no-reply@localhost' },
      contact: null,
      marketplace: {
        kind: 'sandbox',
        plans: {
          'docvet/starter': 'starter',
          'docvet/pro': 'pro',
          'docvet/business': 'business',
          'docvet/enterprise': 'enterprise',
        },
        isForced: false,
      },
      trustedProxies: [],
      secretKey: null,
      receiptKey: null,
      outboundAllow: [],
      outboundProxy: null,
      sourcesFile: null,
      objectSources: [],
      passwords: 'on',
      operators: null,
      alertMail: null,
      alertUrl: null,
      alertSecret: null,
      signInProviders: [],
      metricsAddress: null,
      otlpUrl: null,
      tracePercent: 100,
      connectionsMax: 8_000,
      connectionsPerAddress: null,
      chatUrl: null,
      chatKey: null,
      chatModel: null,
      chatEnabled: true,
      chatPerDay: 1000,
      logLevel: 'info',
      warnings: [],
    })
  })

  test('an empty value counts as not set', () => {
    const names = Object.values(SETTINGS).flatMap(({ name }) => [name, `${name}_FILE`])
    const empty = Object.fromEntries([...names, 'DOCVET_UNKNOWN'].map((name) => [name, '']))
    assert.deepEqual(load({ ...empty, DOCVET_PORT: undefined }), load({}))
  })

  test('other variables are ignored', () => {
    assert.deepEqual(load({ PORT: 'x', docvet_port: 'x', XDOCVET_PORT: 'x' }), load({}))
  })

  test('the configuration is deeply frozen', () => {
    const config = load({ DOCVET_TRUSTED_PROXIES: '10.0.0.1' })
    for (const part of [config, config.plans, config.plans.free, config.trustedProxies, config.warnings]) {
      assert.ok(Object.isFrozen(part))
    }
    const custom = load({ DOCVET_PLANS_FILE: 'p' }, { p: JSON.stringify({ free: FREE }) })
    assert.ok(Object.isFrozen(custom.plans) && Object.isFrozen(custom.plans.free))
    assert.throws(() => Object.assign(config, { port: 1 }), TypeError)
  })
})

type Case = [name: string, field: keyof ReturnType<typeof load>, good: [string, unknown][], bad: string[]]
const same = (...values: string[]): [string, unknown][] => values.map((value) => [value, value])

const LABEL = 'a'.repeat(63)
const CASES: Case[] = [
  ['DOCVET_PASSWORDS', 'passwords', same('on'), words('no OFF true')],
  [
    'DOCVET_HOST',
    'host',
    same(...words(`0.0.0.0 :: ::1 localhost scan.example.org scan_1 ${LABEL} ${LABEL}.b ${'a.'.repeat(126)}a`)),
    [
      ...words(`[::1] http://a a:80 1.2.3 1.2.3.256 0x7f.1 -a a- a..b a. ä a/b fe80::1%eth0 ${LABEL}a`),
      'a b',
      `${'a.'.repeat(126)}aa`,
    ],
  ],
  [
    'DOCVET_PORT',
    'port',
    numbers('1 8081 65535'),
    [...words('0 65536 -1 80.5 1e3 0x50 080 http 99999999999999999999'), ' 80'],
  ],
  [
    'DOCVET_PUBLIC_URL',
    'publicUrl',
    [
      ...same(...words('https://scan.example.org http://a:8080 https://[::1]:8443 http://10.0.0.1')),
      ['https://scan.example.org/', 'https://scan.example.org'],
      ['HTTPS://Scan.Example.ORG:443', 'https://scan.example.org'],
    ],
    [
      ...words(
        'scan.example.org ftp://a http:a http:// https://a/docvet https://a/? https://a?b=c https://a#b https://a//',
      ),
      ...words('https://u:p@a https://u@a https://a:65536 https://*.example.org https://a\\b https://a/x/..'),
      ...['https://a b', ' https://a', 'https://a\n'],
    ],
  ],
  [
    'DOCVET_DATA_DIR',
    'dataDir',
    [
      ...same('/var/lib/docvet'),
      ['/var/lib/docvet/', '/var/lib/docvet'],
      ['a/../b', resolve('b')],
      ['my data', resolve('my data')],
    ],
    [' ', ' /data', '/data ', '/da\0ta', '/da\nta'],
  ],
  [
    'DOCVET_DATABASE_URL',
    'databaseUrl',
    [
      ...same(
        ...words('postgres://docvet:pa%20ss@db:5432/docvet postgresql://db/docvet?sslmode=require postgres://[::1]/d'),
      ),
      ...same(...words('postgres://%2Frun%2Fpg/d postgres:///d?host=/run/pg postgres://u:p@/d?host=/run/pg')),
      ['POSTGRES://db/D', 'postgres://db/D'],
    ],
    [
      ...words('mysql://db/d db postgres:db postgres:// postgres:///d postgres://u:p@/d postgres://db:99999/d'),
      ...words('postgres://u:p#w@db/d postgres://u:1#w@db/d postgres://u:p%w@db/d postgres://u:%ff@db/d'),
      ...['postgres://db/d ', 'postgres://u:a b@db/d', 'postgres://db/d\n', 'constructor://db'],
    ],
  ],
  [
    'DOCVET_REDIS_URL',
    'redisUrl',
    [
      ...same(...words('redis://cache redis://cache:6379/ rediss://u:p@cache:6380/15 redis://cache?family=6')),
      ['valkey://:pw@cache:6379/1', 'redis://:pw@cache:6379/1'],
      ['Valkey://cache', 'redis://cache'],
    ],
    [
      ...words(
        'http://cache cache:6379 redis:cache redis:// redis:///run/redis.sock redis://cache/name valkeys://cache',
      ),
      ...words('redis://:p#w@cache redis://:p%w@cache redis://:%ff@cache redis://cache:70000'),
      'redis://cache\n',
    ],
  ],
  ['DOCVET_ADDRESS_RATE_PER_MINUTE', 'addressRatePerMinute', numbers('1 1000000'), words('0 1000001 -5 1.5 many')],
  ['DOCVET_KEY_RATE_PER_MINUTE', 'keyRatePerMinute', numbers('1 1000000'), words('0 1000001 -5 1.5 many')],
  [
    'DOCVET_ENGINES',
    'engines',
    [['embedded', ['embedded']]],
    words('clamd clamd,clamd yara embedded,embedded embedded, EMBEDDED embedded,yara'),
  ],
  [
    'DOCVET_CLAMD_URL',
    'clamdUrls',
    [
      ['unix:/run/clamav/clamd.ctl', ['unix:/run/clamav/clamd.ctl']],
      ['tcp://a:3310, unix:/b', ['tcp://a:3310', 'unix:/b']],
    ],
    words('clamd /run/clamd.ctl unix:clamd.ctl tcp://host tcp://host:0 http://host:3310 tcp://a:1,,tcp://b:1'),
  ],
  [
    'DOCVET_CLAMD_LISTEN',
    'clamdListen',
    [[`tcp://127.0.0.1:3310?key=${LISTENER.keyId}`, [LISTENER]]],
    words('3310 127.0.0.1:3310 tcp://127.0.0.1:3310 unix:/run/docvet/clamd.ctl?key=dv_live_secret'),
  ],
  [
    'DOCVET_ICAP_LISTEN',
    'icapListen',
    [[`tcp://127.0.0.1:3310?key=${LISTENER.keyId}`, [{ ...LISTENER, protocol: 'icap', unscannable: 'found' }]]],
    words('1344 icap://127.0.0.1:1344 tcp://127.0.0.1:1344 unix:/run/docvet/icap.ctl?key=dv_live_secret'),
  ],
  [
    'DOCVET_MCP',
    'mcp',
    [
      ['on', 'on'],
      ['off', 'off'],
    ],
    words('yes ON 1 true'),
  ],
  [
    'DOCVET_CLAMD_SIGNATURES_MAX_AGE_HOURS',
    'clamdSignaturesAgeMaxHours',
    numbers('1 72 8760'),
    words('0 8761 -1 1.5 72h'),
  ],
  ['DOCVET_EMBEDDED_CHILDREN', 'embeddedWorkers', numbers('1 256'), words('0 257 two 1.5')],
  ['DOCVET_RULES_DIR', 'rulesDir', [['/rules', '/rules']], [' /rules', '/a\tb']],
  [
    'DOCVET_RULES_SCORE',
    'ruleScores',
    [
      ['90,50', { malicious: 90, suspicious: 50 }],
      ['101,0', { malicious: 101, suspicious: 0 }],
    ],
    words('80 60,80 102,60 80;60 80,-1 a,b 80,60,40 ,'),
  ],
  ['DOCVET_UPDATES', 'updatesUrl', [['off', null]], words('on http://a.example/ ftp://a.example')],
  ['DOCVET_UPDATES_ROOT', 'updatesRoot', [['/root.json', '/root.json']], [' /root.json']],
  [
    'DOCVET_UPDATES_INTERVAL',
    'updatesIntervalMs',
    [
      ['1s', 1_000],
      ['5m', 300_000],
      ['168h', 604_800_000],
    ],
    words('0s 169h 6 h 0h -1h 1.5h 6d'),
  ],
  ['DOCVET_FEEDS_DIR', 'feedsDir', [['/feeds', '/feeds']], [' /feeds', '/a\tb']],
  ['DOCVET_DEFAULT_PLAN', 'defaultPlan', same('free', 'pro'), words('Free -pro a_b')],
  [
    'DOCVET_CONTACT',
    'contact',
    [
      ['it@b.example', 'mailto:it@b.example'],
      ['https://help.b.example/docvet', 'https://help.b.example/docvet'],
    ],
    words('it a@ javascript:alert(1) mailto:a@b.example ftp://b.example https://u:p@b.example a@b.example?cc=x'),
  ],
  ['DOCVET_ALERT_MAIL', 'alertMail', [['Ada@b.example', 'Ada@b.example']], words('a a@ a@b.example,c@d.example')],
  [
    'DOCVET_ALERT_SECRET',
    'alertSecret',
    [[Buffer.alloc(32).toString('base64'), Buffer.alloc(32).toString('base64')]],
    [Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64'), 'whsec_abc'],
  ],
  [
    'DOCVET_OPERATORS',
    'operators',
    [
      ['Ada@b.example', ['ada@b.example']],
      ['a@b.example, c@d.example', ['a@b.example', 'c@d.example']],
      [Array(100).fill('a@b.example').join(), Array(100).fill('a@b.example')],
    ],
    [
      ...words('a a@ a@b.example, ,a@b.example a@b.example;c@d.example'),
      'Ada <a@b.example>',
      Array(101).fill('a@b.example').join(),
    ],
  ],
  ['DOCVET_SIGNUP', 'signup', same('open', 'closed', 'invite'), words('off Open invites')],
  ['DOCVET_SENSITIVITY', 'sensitivity', same('standard', 'strict'), words('high Standard')],
  ['DOCVET_ALLOW_LIST', 'allowList', same('own', 'all', 'off'), words('on Own')],
  ['DOCVET_UNSCANNABLE', 'unscannable', same('refuse', 'infected', 'clean'), words('allow Refuse')],
  ['DOCVET_SCAN_DEADLINE_MS', 'scanDeadlineMs', numbers('1000 600000'), words('999 600001 30s 1e4')],
  [
    'DOCVET_SCAN_BYTES_IN_FLIGHT',
    'scanBytesInFlight',
    numbers('33554432 68719476736'),
    words('33554431 68719476737 512MB'),
  ],
  [
    'DOCVET_SMTP_URL',
    'smtpUrl',
    [
      ...same(...words('smtp://mail smtps://mail.example.org:465/ smtp://u:p%40@mail:25 smtp://[::1]:2525')),
      ...same(...words('smtp://10.0.0.1 smtp://mail:1 smtp://mail:65535')),
      ['SMTPS://mail', 'smtps://mail'],
    ],
    [
      ...words('mail mail:25 http://mail smtp:mail smtp:// smtp:///x smtp://u:p@ smtp://mail:0 smtp://mail:65536'),
      ...words('smtp://mail/x smtp://mail?pool=true smtps://mail/?tls.rejectUnauthorized=false smtp://mail#x'),
      ...words('smtp://u@mail smtp://u:@mail smtp://:p@mail smtp://u:p%w@mail smtp://u:p#w@mail smtp://*.example.org'),
      ...['smtp://mail ', 'smtp://mail\n', 'smtp://u:a b@mail'],
    ],
  ],
  [
    'DOCVET_MAIL_FROM',
    'mailFrom',
    [
      ['a@b.example', { name: '', address: 'a@b.example' }],
      ['Doc Vet <a@b.example>', { name: 'Doc Vet', address: 'a@b.example' }],
      ['"Vet, Doc" <a@b.example>', { name: 'Vet, Doc', address: 'a@b.example' }],
    ],
    [
      ...words('Docvet a@ @b a@b,c@d a@b;c@d <a@b>,<c@d>'),
      ...[
        'a@b c@d',
        'A <a@b',
        'A <a@b\r\nBcc: c@d>',
        'A\r\nBcc: c@d <a@b>',
        'A <a@b>\n',
        ' a@b',
        `${'x'.repeat(101)} <a@b>`,
      ],
    ],
  ],
  [
    'DOCVET_TRUSTED_PROXIES',
    'trustedProxies',
    [
      ['10.0.0.1', ['10.0.0.1']],
      ['10.0.0.0/8, 192.168.1.1/32 ,fd00::/8,::1', ['10.0.0.0/8', '192.168.1.1/32', 'fd00::/8', '::1']],
      ['fc00::/7,::1/128,::ffff:10.0.0.0/104', ['fc00::/7', '::1/128', '10.0.0.0/8']],
    ],
    [
      ...words('* true loopback proxy.example.org 10.0.0.1, , [::1] fe80::1%eth0 10.0.0.1/8/8 10.0.0/8'),
      ...words('0.0.0.0/0 ::/0 10.0.0.0/7 fc00::/6 ::ffff:0.0.0.0/96 ::ffff:0:0/103 ::/8 ::/80'),
      ...words('10.0.0.0/33 ::1/129 10.0.0.0/ 10.0.0.0/08 10.0.0.0/255.0.0.0'),
      '10.0.0.1 10.0.0.2',
    ],
  ],
  [
    'DOCVET_SECRET_KEY',
    'secretKey',
    same('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='),
    [
      ...words('secret AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg=='),
      'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g',
    ],
  ],
  [
    'DOCVET_RECEIPT_KEY',
    'receiptKey',
    same(ED25519_KEY),
    [
      ...['key', `${ED25519_KEY}\n`, ED25519_KEY.replace('MC4C', 'MC4D'), ED25519_KEY.replaceAll('PRIVATE', 'PUBLIC')],
      generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
    ],
  ],
  ...(
    [
      ['DOCVET_OUTBOUND_PROXY', 'outboundProxy'],
      ['DOCVET_UPDATES_PROXY', 'updatesProxy'],
    ] as const
  ).map(([variable, name]): (typeof CASES)[number] => [
    variable,
    name,
    [
      ['http://proxy.internal:3128', 'http://proxy.internal:3128'],
      ['http://10.0.0.1/', 'http://10.0.0.1'],
    ],
    words(
      'proxy.internal:3128 https://proxy.internal http://a:b@proxy.internal http://proxy.internal/path socks5://a:1',
    ),
  ]),
  [
    'DOCVET_OUTBOUND_ALLOW',
    'outboundAllow',
    [
      ['10.1.0.0/16', [{ network: '10.1.0.0/16', port: null }]],
      [
        'minio.internal:9000, [fd00::1]:80,127.0.0.1',
        [
          { name: 'minio.internal', port: 9_000 },
          { network: 'fd00::1', port: 80 },
          { network: '127.0.0.1', port: null },
        ],
      ],
      [
        '10.0.0.0/8,fc00::/7',
        [
          { network: '10.0.0.0/8', port: null },
          { network: 'fc00::/7', port: null },
        ],
      ],
    ],
    words('* 0.0.0.0/0 10.0.0.0/7 ::/0 fc00::/6 http://a a:0 a:65536 a, 1.2.3 fe80::1%eth0 10.0.0.0/33 *.internal'),
  ],
  [
    'DOCVET_METRICS_ADDRESS',
    'metricsAddress',
    [
      ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
      ['[::1]:1', { host: '::1', port: 1 }],
      ['metrics.internal:65535', { host: 'metrics.internal', port: 65_535 }],
    ],
    words(
      '9464 :9464 127.0.0.1 127.0.0.1: 127.0.0.1:0 127.0.0.1:65536 ::1:9464 [127.0.0.1]:9464 [::1] http://a:1 a:1/b',
    ),
  ],
  ['DOCVET_CONNECTIONS', 'connectionsMax', numbers('10 1000000'), words('9 1000001 -1 1e4 all')],
  ['DOCVET_CONNECTIONS_PER_ADDRESS', 'connectionsPerAddress', numbers('1 1000000'), words('0 1000001 half')],
  [
    'DOCVET_CHAT_URL',
    'chatUrl',
    [
      ...same(...words('https://api.example.com/v1 http://127.0.0.1:11434/v1 https://[::1]:8443 http://llm/a/b')),
      ['https://api.example.com/v1/', 'https://api.example.com/v1'],
      ['HTTPS://API.Example.com:443/V1//', 'https://api.example.com/V1'],
    ],
    [
      ...words('api.example.com/v1 ftp://a/v1 https:// https://u:p@a/v1 https://a/v1?x=1 https://a/v1#x https://a\\b'),
      ...['https://a b', ' https://a/v1', 'https://a/v1\n'],
    ],
  ],
  ['DOCVET_CHAT_KEY', 'chatKey', same('sk-a', 'x'.repeat(4_096)), ['sk a', 'schlüssel', 'x'.repeat(4_097)]],
  ['DOCVET_CHAT_MODEL', 'chatModel', same('gpt-4o', 'qwen3:8b', 'org/m', 'x'.repeat(200)), ['a b', 'x'.repeat(201)]],
  [
    'DOCVET_CHAT_ENABLED',
    'chatEnabled',
    [
      ['true', true],
      ['false', false],
    ],
    words('yes no 1 0 TRUE'),
  ],
  [
    'DOCVET_PROCESSES',
    'processes',
    [...numbers('1 2 64'), ['auto', Math.max(1, Math.floor(availableParallelism() / 2))]],
    words('0 65 -1 1.5 all'),
  ],
  ['DOCVET_AUDIT_RETENTION_DAYS', 'auditRetentionDays', numbers('1 365 3650'), words('0 3651 1.5 year')],
  ['DOCVET_LEDGER_RETENTION_MONTHS', 'ledgerRetentionMonths', numbers('0 1 24 120'), words('-1 121 1.5 two')],
  [
    'DOCVET_FETCH_BYTES_MAX',
    'fetchBytesMax',
    numbers('26214400 104857600 268435456'),
    words('26214399 268435457 -1 1.5 256M'),
  ],
  ['DOCVET_SCAN_RETENTION_DAYS', 'scanRetentionDays', numbers('0 90 3650'), words('-1 3651 1.5 ninety')],
  [
    'DOCVET_OTLP_URL',
    'otlpUrl',
    [
      ...same('http://localhost:4318', 'https://otel.example.com/a'),
      ['http://collector:4318/', 'http://collector:4318'],
    ],
    words('localhost:4318 ftp://a https://u:p@a https://a?x=1'),
  ],
  ['DOCVET_TRACE_PERCENT', 'tracePercent', numbers('0 10 100'), words('-1 101 0.5 all')],
  ['DOCVET_CHAT_PER_DAY', 'chatPerDay', numbers('1 10000000'), words('0 10000001 -1 1.5 many')],
  ['DOCVET_MARKETPLACE', 'marketplace', [['off', { kind: 'off' }]], words('on Sandbox sandbox!! microsoft,off')],
  ['DOCVET_LOG_LEVEL', 'logLevel', same(...LOG_LEVELS), ['INFO', 'verbose', 'info ', 'toString']],
]

for (const [name, field, good, bad] of CASES) {
  describe(name, () => {
    for (const [text, expected] of good) {
      test(`accepts ${JSON.stringify(text).slice(0, 60)}`, () => {
        assert.deepEqual(load({ [name]: text })[field], expected)
      })
    }
    for (const text of bad) {
      test(`rejects ${JSON.stringify(text).slice(0, 60)}`, () => {
        const problem = problemOf({ [name]: text })
        assert.ok(problem.startsWith(`${name} (`), problem)
        const setting = Object.values(SETTINGS).find((each) => each.name === name)
        assert.ok(setting && problem.endsWith(`Allowed: ${setting.allowed}.`), problem)
      })
    }
  })
}

test('every declared setting is tested', () => {
  const tested = [
    ...CASES.map(([name]) => name),
    'DOCVET_ALERT_URL',
    'DOCVET_PLANS_FILE',
    'DOCVET_POLICY',
    'DOCVET_SOURCES_FILE',
    'DOCVET_OIDC_PROVIDERS',
    'DOCVET_MARKETPLACE_PLANS',
    ...MICROSOFT_NAMES,
  ]
  assert.deepEqual(
    Object.values(SETTINGS)
      .map(({ name }) => name as string)
      .sort(),
    tested.sort(),
  )
})

describe('host, port and public URL', () => {
  test('the public URL defaults to the URL it listens on', () => {
    assert.equal(load({ DOCVET_HOST: '::1', DOCVET_PORT: '9000' }).publicUrl, 'http://[::1]:9000')
    assert.equal(load({ DOCVET_HOST: 'box', DOCVET_PORT: '9000' }).publicUrl, 'http://box:9000')
    assert.equal(load({ DOCVET_PORT: '80' }).publicUrl, 'http://127.0.0.1')
    assert.equal(
      load({ DOCVET_HOST: '0.0.0.0', DOCVET_PUBLIC_URL: 'https://a.example' }).publicUrl,
      'https://a.example',
    )
  })

  test('only https is secure', () => {
    assert.equal(load({ DOCVET_PUBLIC_URL: 'https://a' }).secure, true)
    assert.equal(load({ DOCVET_PUBLIC_URL: 'http://a' }).secure, false)
  })

  test('an unusable public URL causes a warning', () => {
    for (const DOCVET_HOST of ['0.0.0.0', '::']) {
      assert.match(load({ DOCVET_HOST }).warnings.join('\n'), /DOCVET_PUBLIC_URL/)
      const visited = load({ DOCVET_HOST, DOCVET_PUBLIC_URL: 'https://a.example' })
      assert.doesNotMatch(visited.warnings.join('\n'), /DOCVET_PUBLIC_URL/)
    }
  })

  test('a public URL outside loopback without a mail server causes a warning', () => {
    for (const DOCVET_PUBLIC_URL of [
      'https://a.example',
      'http://127.0.0.1.evil.example',
      'http://localhost.example',
    ]) {
      assert.equal(load({ DOCVET_PUBLIC_URL }).isLocal, false)
      assert.match(load({ DOCVET_PUBLIC_URL }).warnings.join('\n'), /DOCVET_SMTP_URL is not set/)
    }
    for (const DOCVET_PUBLIC_URL of ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:8080']) {
      assert.equal(load({ DOCVET_PUBLIC_URL }).isLocal, true)
      assert.deepEqual(load({ DOCVET_PUBLIC_URL }).warnings, [])
    }
  })

  test('the data folder becomes absolute', () => {
    assert.ok(isAbsolute(load({}).dataDir))
  })

  test('a port set by Kubernetes is explained', () => {
    assert.match(problemOf({ DOCVET_PORT: 'tcp://10.3.2.1:8080' }), /enableServiceLinks/)
  })
})

describe('secrets', () => {
  const SECRETS = Object.values<Setting>(SETTINGS).filter(({ secret }) => secret)
  const GOOD: Env = {
    DOCVET_DATABASE_URL: 'postgres://u:hunter2@db/d',
    DOCVET_REDIS_URL: 'redis://:hunter2@cache',
    DOCVET_SMTP_URL: 'smtp://u:hunter2@mail',
    DOCVET_CHAT_KEY: 'sk-hunter2',
    DOCVET_SECRET_KEY: `hunter2${'A'.repeat(36)}=`,
    DOCVET_ALERT_SECRET: `hunter2${'A'.repeat(36)}=`,
    DOCVET_RECEIPT_KEY: ED25519_KEY,
  }
  /** Keys accept almost any text, so they need their own rejected values. */
  const BAD_KEYS = [' hunter2', 'sk-hunter2 ', 'hunter2\thunter2', 'hunter2ü', 'hunter2'.repeat(600)]

  /** With tests of their own. */
  const OTHERS: string[] = ['DOCVET_MICROSOFT_CLIENT_SECRET', 'DOCVET_OIDC_PROVIDERS']
  test('are the URLs with a password, the keys and the client secret', () => {
    assert.deepEqual(SECRETS.map(({ name }) => name as string).sort(), [...Object.keys(GOOD), ...OTHERS].sort())
  })

  for (const { name } of SECRETS.filter((each) => !OTHERS.includes(each.name))) {
    const value = GOOD[name] ?? ''
    const file = `${name}_FILE`

    test(`${file} is read without its final line break`, () => {
      const direct = load({ [name]: value })
      for (const end of ['', '\n', '\r\n']) assert.deepEqual(load({ [file]: 's' }, { s: value + end }), direct)
      assert.match(problemOf({ [file]: 's' }, { s: `${value}\n\n` }), /white space/)
    })

    test(`${name} and ${file} together are rejected`, () => {
      const problem = problemOf({ [name]: value, [file]: 's' }, { s: value })
      assert.ok(problem.includes(name) && problem.includes(file) && problem.includes('both'), problem)
    })

    test(`${file} must name a readable file that is not empty`, () => {
      const path = 'hunter2/nowhere'
      assert.match(problemOf({ [file]: path }), new RegExp(`^${file} .*does not exist`))
      for (const text of ['', '\n', '\r\n']) assert.match(problemOf({ [file]: 's' }, { s: text }), /empty/)
      assert.doesNotMatch(problemOf({ [file]: path }), /hunter2/)
    })

    test(`${name} is never shown, whatever its source`, () => {
      const badAddresses = [
        'hunter2',
        `x${value}`,
        `${value} `,
        `${value}#`,
        value.replace('hunter2', 'hunter2%'),
        'redis:hunter2',
        '\nhunter2',
      ]
      const bad = name === 'DOCVET_CHAT_KEY' ? BAD_KEYS : badAddresses
      for (const text of bad) {
        for (const error of [failure({ [name]: text }), failure({ [file]: 's' }, { s: text })]) {
          assert.doesNotMatch(`${error.message} ${error.stack} ${JSON.stringify(error)}`, /hunter2/)
        }
      }
    })
  }

  test('files are read from the file system by default', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'docvet-config-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'secret')
    writeFileSync(path, 'redis://cache\n')
    assert.equal(loadConfig({ DOCVET_REDIS_URL_FILE: path }).redisUrl, 'redis://cache')
    assert.throws(() => loadConfig({ DOCVET_REDIS_URL_FILE: folder }), /DOCVET_REDIS_URL_FILE .*folder/)
    assert.throws(() => loadConfig({ DOCVET_REDIS_URL_FILE: join(folder, 'none') }), /does not exist/)
  })

  test('a password in a setting that is not secret is hidden too', () => {
    assert.doesNotMatch(problemOf({ DOCVET_PUBLIC_URL: `https://me:${'hunter2'.repeat(30)}@a` }), /hunter2/)
  })
})

describe('the assistant', () => {
  test('warns about an incomplete configuration', () => {
    const url = { DOCVET_CHAT_URL: 'https://llm.example/v1' }
    assert.match(load(url).warnings.join(), /DOCVET_CHAT_MODEL/)
    assert.match(load({ DOCVET_CHAT_MODEL: 'm' }).warnings.join(), /DOCVET_CHAT_URL/)
    assert.deepEqual(load({ ...url, DOCVET_CHAT_MODEL: 'm', DOCVET_CHAT_KEY: 'k' }).warnings, [])
  })

  test('warns about a key that is sent unencrypted, except on loopback', () => {
    const rest = { DOCVET_CHAT_MODEL: 'm', DOCVET_CHAT_KEY: 'k' }
    for (const host of ['llm.example', '10.0.0.1', '127.0.0.1.example']) {
      assert.match(load({ DOCVET_CHAT_URL: `http://${host}/v1`, ...rest }).warnings.join(), /unencrypted/, host)
    }
    for (const host of ['localhost', '127.0.0.1:8000', '[::1]']) {
      assert.deepEqual(load({ DOCVET_CHAT_URL: `http://${host}/v1`, ...rest }).warnings, [], host)
    }
  })
})

test('DOCVET_ALERT_URL needs a secret, and https beyond loopback', () => {
  const secret = { DOCVET_ALERT_SECRET: Buffer.alloc(32).toString('base64') }
  const url = 'https://alerts.example/docvet'
  assert.equal(load({ DOCVET_ALERT_URL: url, ...secret }).alertUrl, url)
  assert.match(problemOf({ DOCVET_ALERT_URL: url }), /DOCVET_ALERT_SECRET is not/)
  for (const bad of ['http://alerts.example', `${url}?token=1`, 'https://u:p@alerts.example'])
    assert.match(problemOf({ DOCVET_ALERT_URL: bad, ...secret }), /^DOCVET_ALERT_URL/)
})

describe('DOCVET_POLICY', () => {
  const env = { DOCVET_POLICY: '/p.json' }

  test('a valid file is in force from the start, and is watched', () => {
    const { policy, policyFile } = load(env, { '/p.json': '{"macros.auto": "block"}' })
    assert.equal(policyFile, '/p.json')
    assert.equal(policy?.actions.get('Docvet.Vba.AutoStart'), 'block')
  })

  test('a file that is missing or broken is a problem of the configuration, without its content', () => {
    assert.match(problemOf(env), /^DOCVET_POLICY \(got "\/p.json"\): the file does not exist/)
    assert.match(problemOf(env, { '/p.json': '{"macros": hunter2}' }), /^DOCVET_POLICY .*not valid JSON/)
    assert.match(problemOf(env, { '/p.json': '{"macros": "hunter2"}' }), /^DOCVET_POLICY .*"macros" is not an action/)
    assert.match(problemOf(env, { '/p.json': '{"encrypted": "allow"}' }), /^DOCVET_POLICY .*never clean/)
    assert.match(problemOf({ DOCVET_POLICY: ' ' }), /^DOCVET_POLICY .*white space/)
  })
})

describe('DOCVET_OIDC_PROVIDERS and DOCVET_PASSWORDS', () => {
  const client = { clientId: 'c', clientSecret: 'hunter2-secret' }
  const list = JSON.stringify([{ id: 'google', ...client }])
  test('are read, also from a file', () => {
    assert.equal(load({ DOCVET_OIDC_PROVIDERS: list }).signInProviders[0]?.name, 'Google')
    const [read] = load({ DOCVET_OIDC_PROVIDERS_FILE: '/p.json' }, { '/p.json': list }).signInProviders
    assert.equal(read?.clientSecret, 'hunter2-secret')
    assert.equal(load({ DOCVET_OIDC_PROVIDERS: list, DOCVET_PASSWORDS: 'off' }).passwords, 'off')
  })
  test('are refused without showing the secret', () => {
    for (const [value, words] of [
      ['[hunter2', /not valid JSON/],
      ['{}', /not a list/],
      [JSON.stringify([{ id: 'google', clientId: 'hunter2' }]), /provider 1 has no clientSecret/],
      [
        JSON.stringify([{ id: 'own', ...client, name: 'Own', issuer: 'https://10.0.0.1' }]),
        /not on the public internet/,
      ],
    ] as const) {
      const problem = problemOf({ DOCVET_OIDC_PROVIDERS: value })
      assert.match(problem, /^DOCVET_OIDC_PROVIDERS \(value not shown\): /)
      assert.match(problem, words)
      assert.doesNotMatch(problem, /hunter2/)
    }
    assert.match(problemOf({ DOCVET_PASSWORDS: 'off' }), /^DOCVET_OIDC_PROVIDERS .*no provider/)
    assert.match(problemOf({ DOCVET_PASSWORDS: 'no' }), /^DOCVET_PASSWORDS .*Allowed: on or off/)
  })
})

describe('DOCVET_SOURCES_FILE', () => {
  const env = { DOCVET_SOURCES_FILE: '/s.json' }
  const source = {
    ...{ name: 'uploads', kind: 's3', region: 'eu-central-1', bucket: 'uploads', keyId: TENANT, accessKeyId: 'AKIA' },
    secretAccessKeyFile: '/secret',
  }
  const files = (sources: unknown) => ({ '/s.json': JSON.stringify(sources), '/secret': 'hunter2\n' })

  test('names object stores, with secrets from files', () => {
    const [read] = load(env, files([source])).objectSources
    assert.deepEqual([read?.name, read?.secretAccessKey], ['uploads', 'hunter2'])
  })

  test('a file that is missing or wrong is a problem of the configuration, without its content', () => {
    assert.match(problemOf(env), /^DOCVET_SOURCES_FILE \(got "\/s.json"\): the file does not exist/)
    assert.match(problemOf(env, { '/s.json': '[hunter2]' }), /^DOCVET_SOURCES_FILE .*not valid JSON/)
    assert.doesNotMatch(problemOf(env, { '/s.json': '[hunter2]' }), /hunter2/)
    assert.match(problemOf(env, files([{ ...source, x: 1 }])), /the source uploads has the unknown field x/)
    assert.match(problemOf({ DOCVET_SOURCES_FILE: ' ' }), /^DOCVET_SOURCES_FILE .*white space/)
  })

  test('an endpoint of an own network must be named in DOCVET_OUTBOUND_ALLOW', () => {
    const own = files([{ ...source, endpoint: 'http://10.0.0.7:9000' }])
    assert.match(problemOf(env, own), /endpoint that leads to an address that is not on the public internet/)
    assert.equal(load({ ...env, DOCVET_OUTBOUND_ALLOW: '10.0.0.7:9000' }, own).objectSources.length, 1)
  })
})

describe('DOCVET_PLANS_FILE', () => {
  const env = { DOCVET_PLANS_FILE: 'plans.json' }

  test('replaces all plans', () => {
    const text = JSON.stringify({ free: FREE, team: { ...FREE, scansPerSecond: 0.5 } })
    for (const content of [text, `\uFEFF${text}\n`]) {
      assert.deepEqual({ ...load(env, { 'plans.json': content }).plans }, JSON.parse(text))
    }
  })

  test('must be a JSON file', () => {
    assert.match(problemOf(env), /^DOCVET_PLANS_FILE \(got "plans.json"\): .*does not exist/)
    assert.match(problemOf(env, { 'plans.json': '' }), /^DOCVET_PLANS_FILE .*empty/)
    assert.match(problemOf(env, { 'plans.json': '{"free": hunter2}' }), /^DOCVET_PLANS_FILE .*not valid JSON/)
    assert.doesNotMatch(problemOf(env, { 'plans.json': '{"free": hunter2}' }), /hunter2/)
    assert.match(problemOf({ DOCVET_PLANS_FILE: ' ' }), /^DOCVET_PLANS_FILE .*white space/)
  })

  test('reports all problems with the name of the setting', () => {
    const { problems } = failure(env, { 'plans.json': '{"Pro":{},"team":{"burst":0},"__proto__":{"free":{}}}' })
    assert.equal(problems.length, 7, problems.join('\n'))
    for (const problem of problems) assert.match(problem, /^DOCVET_PLANS_FILE \(got "plans.json"\): /)
  })
})

describe('error messages', () => {
  test('list all problems at once', () => {
    const env = Object.fromEntries(CASES.map(([name, , , bad]) => [name, bad[0]]))
    const spaced = Object.fromEntries(
      [
        'DOCVET_ALERT_URL',
        'DOCVET_MARKETPLACE_PLANS',
        'DOCVET_POLICY',
        'DOCVET_SOURCES_FILE',
        'DOCVET_OIDC_PROVIDERS',
        ...MICROSOFT_NAMES,
      ].map((name) => [name, ' x']),
    )
    const error = failure({ ...env, ...spaced, DOCVET_PLANS_FILE: 'p' }, { p: '{"a":{}}' })
    const named = new Set(error.problems.map((problem) => problem.split(' ')[0]))
    assert.deepEqual(
      [...named].sort(),
      Object.values(SETTINGS)
        .map(({ name }) => name as string)
        .sort(),
    )
    const lines = error.message.split('\n')
    assert.equal(lines.length, error.problems.length + 1)
    for (const [index, problem] of error.problems.entries()) assert.equal(lines[index + 1], `  - ${problem}`)
    assert.equal(error.name, 'ConfigError')
  })

  test('show the value, shortened and with control characters escaped', () => {
    assert.match(problemOf({ DOCVET_PORT: 'eighty' }), /^DOCVET_PORT \(got "eighty"\)/)
    const long = problemOf({ DOCVET_PORT: 'x'.repeat(10_000) })
    assert.ok(long.length < 250 && long.includes('…'), long)
    const control = problemOf({ DOCVET_PORT: 'a\u001b[31m\n\u0085\u202e"b' })
    assert.ok(control.includes(String.raw`"a\u001b[31m\n\u0085\u202e\"b"`), control)
    const plan = { p: '{"free":{"\\u001b\\u202e":1}}' }
    for (const problem of failure({ DOCVET_PLANS_FILE: 'p' }, plan).problems)
      assert.doesNotMatch(problem, /[\p{Cc}\p{Cf}]/u)
  })

  test('name every invalid proxy of a list', () => {
    const problem = problemOf({ DOCVET_TRUSTED_PROXIES: `${'10.0.0.1,'.repeat(50)}one,10.0.0.2,0.0.0.0/0` })
    assert.ok(problem.includes('"one"') && problem.includes('"0.0.0.0/0"'), problem)
  })
})

describe('unknown DOCVET_ variables', () => {
  const warningOf = (name: string) => {
    const { warnings } = load({ [name]: 'hunter2' })
    assert.equal(warnings.length, 1, warnings.join('\n'))
    assert.doesNotMatch(warnings.join(), /hunter2/)
    return warnings[0] ?? ''
  }

  test('none for the key that the shell of the README exports', () => {
    assert.deepEqual(load({ DOCVET_KEY: 'dv_live_hunter2' }).warnings, [])
  })

  test('suggest the most similar setting', () => {
    const typos: [string, string][] = [
      ['DOCVET_PROT', 'DOCVET_PORT'],
      ['DOCVET_HOSTS', 'DOCVET_HOST'],
      ['DOCVET_LOGLEVEL', 'DOCVET_LOG_LEVEL'],
      ['DOCVET_TRUSTED_PROXY', 'DOCVET_TRUSTED_PROXIES'],
      ['DOCVET_DATABSE_URL', 'DOCVET_DATABASE_URL'],
      ['DOCVET_REDIS_URL_FLIE', 'DOCVET_REDIS_URL_FILE'],
      ['DOCVET_port', 'DOCVET_PORT'],
    ]
    for (const [typo, name] of typos) assert.equal(warningOf(typo), `${typo} is not a setting. Did you mean ${name}?`)
  })

  test('have no suggestion without a similar setting', () => {
    for (const name of ['DOCVET_BANANA', 'DOCVET_', 'DOCVET_X']) {
      assert.equal(warningOf(name), `${name} is not a setting and has no effect.`)
    }
    const odd = warningOf(`DOCVET_\u001b${'x'.repeat(5000)}`)
    assert.ok(odd.length < 150 && !odd.includes('\u001b'), odd)
  })

  test('include _FILE names of settings that are not secret', () => {
    assert.match(warningOf('DOCVET_PORT_FILE'), /^DOCVET_PORT_FILE .*only secrets/)
  })

  test('cause sorted warnings, not errors', () => {
    const { warnings } = load({ DOCVET_B: '1', DOCVET_A: '1', DOCVET_C: '1' })
    assert.deepEqual(
      warnings.map((warning) => warning.split(' ')[0]),
      ['DOCVET_A', 'DOCVET_B', 'DOCVET_C'],
    )
  })
})

test('names are unique', () => {
  const names: string[] = Object.values(SETTINGS).map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
})
