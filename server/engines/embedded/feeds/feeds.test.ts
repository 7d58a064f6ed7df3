import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { createLog } from '#base/log.ts'
import { canonicalUrl, HOST_LABELS_MAX, hashKey, hostKey, urlKey } from '#inspect/codecs/indicator-keys.ts'
import { KEY_OF, SIDE_CAR_BYTES_MAX } from './feed.ts'
import { FEEDS_MAX, INDICATORS_MAX, LIST_BYTES_MAX, listFeeds, readFeed } from './feed-files.ts'
import { createFeeds } from './feeds.ts'
import { createKeyTable } from './key-table.ts'
import { JSON_BYTES_MAX, LINE_MAX } from './lines.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvet-feeds-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const put = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
const sideCar = (name: string, settings: Record<string, unknown> = {}) =>
  put(
    `${name}.feed.json`,
    JSON.stringify({ kind: 'host', action: 'malicious', maxAgeHours: 24, source: 'ours', ...settings }),
  )
async function load() {
  const logged: string[] = []
  const log = createLog({ level: 'debug', stream: { write: (line) => logged.push(line) } })
  const feeds = createFeeds({ folder, signal: new AbortController().signal, log })
  await feeds.load()
  return feeds
}
const has = (feeds: Awaited<ReturnType<typeof load>>, key: string) =>
  feeds.inUse().some(({ keys }) => keys.has(Buffer.from(key, 'latin1'), 0))
async function hostsIn(name: string, text: string, settings: Record<string, unknown> = {}) {
  sideCar(name.replace(/\.\w+$/, ''), settings)
  put(name, text)
  const feeds = await load()
  return { feeds, problem: feeds.problem(), hasHost: (host: string) => has(feeds, hostKey(host)) }
}

describe('a table of keys', () => {
  test('has every key that was added, once, and no other', () => {
    const table = createKeyTable()
    const keys = Array.from({ length: 70_000 }, (_, index) => hostKey(`host${index}.example`))
    for (const key of [...keys, keys[0] as string, '\0'.repeat(16)]) table.add(key)
    const built = table.build()
    assert.equal(built.size, keys.length)
    for (const key of keys) assert.ok(built.has(Buffer.from(key, 'latin1'), 0))
    for (let index = 0; index < 10_000; index++)
      assert.ok(!built.has(Buffer.from(hostKey(`other${index}.example`), 'latin1'), 0))
    assert.ok(!built.has(Buffer.alloc(16), 0))
    assert.ok(
      !createKeyTable()
        .build()
        .has(Buffer.from(keys[0] as string, 'latin1'), 0),
    )
  })
})

describe('the key of an address', () => {
  const same = (text: string) => urlKey(canonicalUrl(new URL(text)) ?? '')
  for (const text of [
    'http://a.example/',
    'https://a-b.example.com/x/y.z?q=1&r=/../',
    'http://a.example/a./b',
    'http://a.example/../b',
    'http://a.example/a/./b',
    'http://a.example/a/.',
    'http://a.example/.well-known/a',
    'http://a.example/?',
    'http://1.2.3.4/a',
    'http://0x7f.1/a',
    'http://a.example:80/a',
    'http://a.example:8080/a',
    'http://A.Example/a',
    'http://a.example/a b',
    "http://a.example/a'b?c'd",
    'http://a.example/%c3',
    'http://xn--bcher-kva.example/',
    'http://bücher.example/ä',
  ])
    test(text, () => assert.equal(KEY_OF.url(text), same(text)))

  for (const text of ['', 'a.example/b', 'javascript:alert(1)', 'http://', 'mailto:a@b.example', 'http://[::1'])
    test(`none: ${text}`, () => assert.equal(KEY_OF.url(text), null))
})

test('hosts of lists, and what is none', () => {
  for (const [text, host] of [
    ['A.Example', 'a.example'],
    ['.a.example', 'a.example'],
    ['*.a.example', 'a.example'],
    ['a.example.', 'a.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8::1', '[2001:db8::1]'],
    [`${'a.'.repeat(HOST_LABELS_MAX - 1)}example`, `${'a.'.repeat(HOST_LABELS_MAX - 1)}example`],
  ] as const)
    assert.equal(KEY_OF.host(text), hostKey(host), text)
  const tooLong = `${'a.'.repeat(HOST_LABELS_MAX)}example`
  for (const text of ['', 'com', 'localhost', 'a.example/b', 'a.example:80', 'u@a.example', 'a b', '-', tooLong])
    assert.equal(KEY_OF.host(text), null, text)
})

describe('a file', () => {
  test('with comments, a byte order mark, and addresses in front', async () => {
    const { problem, hasHost } = await hostsIn(
      'a.txt',
      '\uFEFFfirst.example\r\n# x.example\n; y.example\n\n0.0.0.0  second.example # why\n::1 third.example\nlast.example',
    )
    assert.equal(problem, null)
    for (const host of ['first.example', 'second.example', 'third.example', 'last.example'])
      assert.ok(hasHost(host), host)
    for (const host of ['x.example', 'y.example']) assert.ok(!hasHost(host), host)
  })

  for (const [name, text, column] of [
    ['a header in a comment', '# list\n# id,host\n"1","a.example"\n', 'host'],
    ['a header', 'id,host\n1,a.example\n', 'host'],
    ['a column that came later', 'id,"last, seen",host\n1,"now, or ""then""",a.example\n', 'host'],
    ['a number', '1, "a.example" ,x\n', 2],
    ['no column', 'a.example,1\n', undefined],
  ] as const)
    test(`as a table with ${name}`, async () => {
      const { problem, hasHost } = await hostsIn('a.csv', text, { column })
      assert.equal(problem, null)
      assert.ok(hasHost('a.example'))
    })

  for (const [name, value, column] of [
    ['texts', ['a.example']],
    ['a warning list', { name: 'x', list: ['.a.example'], version: 3 }],
    ['objects', [{ host: 'a.example', seen: 'b.example' }], 'host'],
    ['objects by number', { 1: [{ host: 'a.example' }] }, 'host'],
  ] as const)
    test(`as JSON with ${name}`, async () => {
      const { problem, hasHost } = await hostsIn('a.json', JSON.stringify(value), { column })
      assert.equal(problem, null)
      assert.ok(hasHost('a.example'))
    })

  test('of hashes', async () => {
    const sha256 = 'AB'.repeat(32)
    const { feeds } = await hostsIn('a.txt', `${sha256}\n`, { kind: 'sha256' })
    assert.ok(has(feeds, hashKey(sha256.toLowerCase())))
  })
})

describe('a list is rejected', () => {
  const good = { kind: 'host', action: 'malicious', maxAgeHours: 24, source: 'ours' }
  for (const [why, file, text, settings] of [
    ['without a side-car', 'a.txt', 'a.example', null],
    ['with a side-car that is not JSON', 'a.txt', 'a.example', '{'],
    ['with another kind', 'a.txt', 'a.example', { ...good, kind: 'md5' }],
    ['with an unknown field', 'a.txt', 'a.example', { ...good, maxAge: 1 }],
    ['without an age', 'a.txt', 'a.example', { ...good, maxAgeHours: undefined }],
    ['without a source', 'a.txt', 'a.example', { ...good, source: undefined }],
    ['with a large side-car', 'a.txt', 'a.example', JSON.stringify(good) + ' '.repeat(SIDE_CAR_BYTES_MAX)],
    ['when it is empty', 'a.txt', '', good],
    ['with comments only', 'a.txt', '# nothing\n', good],
    ['with more wrong lines than right ones', 'a.txt', '<html>\n<b>\na.example\n', good],
    ['without its column', 'a.csv', 'id,name\n1,a.example\n', { ...good, column: 'host' }],
    ['with JSON that is none', 'a.json', '["a.example"', good],
    ['with JSON without indicators', 'a.json', '{"a": 1}', good],
    ['with a name that is none', 'a b.txt', 'a.example', good],
  ] as const)
    test(why, async () => {
      const beside = `${file.replace(/\.\w+$/, '')}.feed.json`
      if (settings !== null) put(beside, typeof settings === 'string' ? settings : JSON.stringify(settings))
      put(file, text)
      const feeds = await load()
      assert.match(feeds.problem() ?? '', new RegExp(`^${file} `))
      assert.deepEqual(feeds.inUse(), [])
    })

  test('which is a pipe, a folder, a device or missing', async () => {
    for (const name of ['a', 'b', 'c', 'd']) sideCar(name)
    execFileSync('mkfifo', [path.join(folder, 'a.txt')])
    mkdirSync(path.join(folder, 'b.txt'))
    symlinkSync('/dev/zero', path.join(folder, 'c.txt'))
    assert.equal(
      (await load()).problem(),
      'a.txt is not a file, b.txt is not a file, c.txt is not a file, d.feed.json has no list',
    )
  })

  test('of two with one name, both', async () => {
    sideCar('a')
    for (const name of ['a.txt', 'a.csv']) put(name, 'a.example')
    const said = 'a.csv has the name of another list, a.txt has the name of another list'
    assert.equal((await load()).problem(), said)
  })

  test('past the limits of files, lines, bytes and indicators, and not at them', async () => {
    for (let index = 0; index <= FEEDS_MAX; index++) {
      sideCar(`list${index}`)
      put(`list${index}.txt`, 'a.example')
    }
    const feeds = await load()
    assert.equal(feeds.inUse().length, FEEDS_MAX)
    assert.match(feeds.problem() ?? '', /^list99\.txt exceeds the limit of 100 lists$/)
    const [entry] = await listFeeds(folder)
    assert.ok(entry)
    const at = { bytes: entry.bytes, indicators: 1 }
    assert.equal(typeof (await readFeed(folder, entry, at)), 'object')
    assert.match(String(await readFeed(folder, entry, { ...at, bytes: entry.bytes - 1 })), /bytes for all lists/)
    assert.match(String(await readFeed(folder, entry, { ...at, indicators: 0 })), /indicators for all lists/)
    assert.deepEqual([LIST_BYTES_MAX, INDICATORS_MAX], [536_870_912, 5_000_000])
  })

  test('of more JSON than is read', async () => {
    const { problem } = await hostsIn('a.json', '["a.example"]')
    assert.equal(problem, null)
    truncateSync(path.join(folder, 'a.json'), JSON_BYTES_MAX + 1)
    assert.match((await load()).problem() ?? '', /bytes of JSON/)
  })
})

test('a line is read up to its limit, and none of it past that', async () => {
  const line = (length: number) => `a.example${' '.repeat(length - 9)}`
  const { problem } = await hostsIn('a.txt', line(LINE_MAX))
  assert.equal(problem, null)
  put('a.txt', `${line(LINE_MAX + 1)}\nb.example`)
  const feeds = await load()
  assert.ok(!has(feeds, hostKey('a.example')) && has(feeds, hostKey('b.example')))
})

test('the version changes with a list, and without lists there is none', async () => {
  assert.equal((await load()).version(), '')
  const { feeds } = await hostsIn('a.txt', 'a.example')
  put('a.txt', 'a.example\nb.example')
  const version = feeds.version()
  await feeds.load()
  assert.match(version, /^[0-9a-f]{12}$/)
  assert.notEqual(feeds.version(), version)
})
