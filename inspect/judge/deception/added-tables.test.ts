import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '#inspect/core/limits.ts'
import type { AddedTables, Inspector } from '#inspect/inspect.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { widerOf } from './added-tables.ts'

type Link = [target: string, shown?: string]
const page = (...links: Link[]) =>
  Buffer.from(
    `<!doctype html><html><body><p>Notes</p>${links.map(([target, shown = 'Open']) => `<a href="${target}">${shown}</a>`).join('')}</body></html>`,
  )
/** In a mail, the text of a link counts. */
const mail = (link: Link) =>
  Buffer.concat([
    Buffer.from(
      'From: a@company.example\r\nTo: b@example.net\r\nSubject: Notes\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n',
    ),
    page(link),
  ])
const builtIn = await ourInspector()
const isFound = (inspector: Inspector, bytes: Uint8Array) =>
  inspector.inspect(bytes).findings.some(({ id }) => id === 'Docvet.Link.Deceptive')

const BRAND = { name: 'northwindbank', domains: ['northwindbank.example', 'nwb.example'] }
const TABLES: AddedTables = {
  brands: [BRAND],
  hosts: [{ host: 'freepages.example', kind: 'tunnel' }],
  suffixes: ['pages.example.org'],
  lookalikes: [{ letter: '\u{1f150}', shape: 'a' }],
}

test('a table adds what links are found to pose as, and not the links of its owner', async () => {
  const added = await ourInspector({ tables: TABLES })
  for (const link of [
    ['https://northwindbank.example.collector.test/'],
    ['https://northwindbank-billing.test/'],
    ['https://n0rthwindbank.test/'],
    ['https://northwindbank-login.test:8443/'],
    ['https://www.collector.test/', 'https://www.nwb.example/branches'],
    ['https://a1.freepages.example/?reader=reader@example.net'],
  ] as Link[]) {
    assert.equal(isFound(builtIn, page(link)), false, link[0])
    assert.equal(isFound(added, page(link)), true, link[0])
  }
  const neighbour = mail(['https://b.pages.example.org/', 'https://a.pages.example.org/report'])
  assert.deepEqual([isFound(builtIn, neighbour), isFound(added, neighbour)], [false, true])
  for (const link of [
    ['https://login.northwindbank.example/?reader=reader@example.net'],
    ['https://www.nwb.example/', 'https://www.northwindbank.example/'],
    ['https://a1.freepages.example/'],
    ['https://a.pages.example.org/', 'https://a.pages.example.org/report'],
    ['https://www.company.example/'],
  ] as Link[]) {
    assert.equal(isFound(added, page(link)), false, link[0])
    assert.equal(isFound(added, mail(link)), isFound(builtIn, mail(link)), link[0])
  }
})

test('a page that asks for the password of an added brand is found, and its own is not', async () => {
  const added = await ourInspector({ tables: TABLES })
  const form = (post: string) =>
    Buffer.from(
      `<!doctype html><html><head><title>Northwindbank</title></head><body><form method="post" action="${post}"><input name="user"><input type="password" name="p"><button>Sign in</button></form></body></html>`,
    )
  const poses = (inspector: Inspector, post: string) =>
    inspector.inspect(form(post)).findings.some(({ id }) => id === 'Docvet.Html.FalseLogin')
  assert.equal(poses(builtIn, 'https://collector.test/p.php'), false)
  assert.equal(poses(added, 'https://collector.test/p.php'), true)
  assert.equal(poses(added, 'https://login.northwindbank.example/'), false)
})

const DECEPTIVE: Link[] = [
  ['https://paypal.com.signin.test/'],
  ['https://paypa1.test/'],
  ['https://www.collector.test/a', 'https://www.paypal.com/signin'],
  ['https://www.collector.test/a', 'https://www.other.example/report/1'],
  ['https://netflix-billing.test/'],
  ['https://bit.ly/abc?reader=reader@example.net'],
  ['https://www.paypal.com@collector.test/'],
]

test('no table excuses a link that the built-in tables find', async () => {
  // Each claims the targets, or changes what a name or a domain is.
  const hosts = ['signin.test', 'collector.test', 'paypa1.test', 'netflix-billing.test', 'www.collector.test', 'bit.ly']
  const attempts: AddedTables[] = [
    { brands: [{ name: 'ownerofall', domains: [...hosts, 'other.example'], isCommon: true }] },
    { hosts: hosts.map((host) => ({ host, kind: 'shortener' })) },
    { suffixes: [...hosts, 'com.signin.test', 'other.example'] },
    { lookalikes: [{ letter: '\u{1f150}', shape: 'p' }] },
  ]
  attempts.push(Object.assign({}, ...attempts))
  for (const tables of attempts) {
    const inspector = await ourInspector({ tables })
    for (const link of DECEPTIVE) {
      assert.equal(isFound(builtIn, mail(link)), true, link[0])
      assert.equal(isFound(inspector, mail(link)), true, `${link[0]} with ${Object.keys(tables)}`)
    }
  }
})

test('rows that would accuse everything, or are there already, are refused', () => {
  const refused: [AddedTables, RegExp][] = [
    [{ brands: [{ name: 'login', domains: ['a.example'] }] }, /a word that many hosts have/],
    [{ brands: [{ name: 'paypal', domains: ['a.example'] }] }, /built in/],
    [{ brands: [{ name: 'northwind', domains: ['microsoft.com'] }] }, /that of another brand/],
    [{ hosts: [{ host: 'co.uk', kind: 'tunnel' }] }, /around .*co\.uk, which has an owner/],
    [{ suffixes: ['microsoft.com'] }, /around microsoft\.com/],
    [{ lookalikes: [{ letter: 'ab', shape: 'a' }] }, /not one letter/],
    [{ lookalikes: [{ letter: '\u0301', shape: 'a' }] }, /not one letter/],
    [{ lookalikes: [{ letter: 'а', shape: 'o' }] }, /built in/],
    [{ lookalikes: [{ letter: 'é', shape: 'o' }] }, /accent/],
  ]
  for (const [tables, why] of refused) assert.throws(() => widerOf(tables), why, JSON.stringify(tables))
})

test('the version changes with a table', async () => {
  const [one, other] = await Promise.all([
    ourInspector({ tables: TABLES }),
    ourInspector({ tables: { ...TABLES, suffixes: ['pages.example.net'] } }),
  ])
  assert.notEqual(one.rulesVersion, builtIn.rulesVersion)
  assert.notEqual(one.rulesVersion, other.rulesVersion)
})

test('the largest tables leave a page of many links far below the limit of work', async () => {
  const brands = Array.from({ length: 1_000 }, (_, n) => ({ name: `zbrand${n}x`, domains: [`zbrand${n}x.example`] }))
  const hosts = Array.from({ length: 5_000 }, (_, n) => ({ host: `host${n}.example`, kind: 'tunnel' as const }))
  const suffixes = Array.from({ length: 5_000 }, (_, n) => `suffix${n}.example`)
  const inspector = await ourInspector({ tables: { brands, hosts, suffixes } })
  const links = Array.from(
    { length: 900 },
    (_, n): Link => [`https://${`login${n}-`.repeat(4)}a.${'b.'.repeat(30)}secure${n}.example/x.com/y.org`],
  )
  const document = page(...links)
  assert.ok(document.length > 100_000)
  for (const each of [builtIn, inspector]) assert.equal(each.inspect(document).obstacle, null)
  // Of the least that a document may take.
  assert.ok(inspector.cost.work < LIMITS.workMax / 10, `${builtIn.cost.work} and ${inspector.cost.work}`)
})
