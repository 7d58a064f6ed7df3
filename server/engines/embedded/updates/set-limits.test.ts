/** Sets at each limit, and one past it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rule } from '#test/support/tuf-repository.ts'
import { contentsOf } from './contents.ts'
import { parseSet } from './update-set.ts'

const parse = (content: object) =>
  parseSet(JSON.stringify({ version: 1, publishedAt: '2026-11-18T00:00:00Z', rules: [], ...content }))
const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
const list = (count: number, name = 'hosts') => ({
  ...{ name, kind: 'host', action: 'malicious', source: 'test' },
  indicators: many(count, (n) => `h${n}.example`),
})
const brand = (n: number) => ({ name: `brand${n}`, domains: [`brand${n}.example`] })
const tables = (content: object) => ({ tables: content })

const LIMITS: [string, object, object][] = [
  ['brands', tables({ brands: many(1_000, brand) }), tables({ brands: many(1_001, brand) })],
  [
    'domains of a brand',
    tables({ brands: [{ name: 'brand', domains: many(50, (n) => `b${n}.example`) }] }),
    tables({ brands: [{ name: 'brand', domains: many(51, (n) => `b${n}.example`) }] }),
  ],
  [
    'hosts',
    tables({ hosts: many(5_000, (n) => ({ host: `h${n}.example`, kind: 'tunnel' })) }),
    tables({ hosts: many(5_001, (n) => ({ host: `h${n}.example`, kind: 'tunnel' })) }),
  ],
  [
    'suffixes',
    tables({ suffixes: many(5_000, (n) => `s${n}.example`) }),
    tables({ suffixes: many(5_001, (n) => `s${n}.example`) }),
  ],
  [
    'lookalikes',
    tables({ lookalikes: many(5_000, (n) => ({ letter: String.fromCharCode(0x4e00 + n), shape: 'a' })) }),
    tables({ lookalikes: many(5_001, (n) => ({ letter: String.fromCharCode(0x4e00 + n), shape: 'a' })) }),
  ],
  ['lists', { lists: many(50, (n) => list(1, `l${n}`)) }, { lists: many(51, (n) => list(1, `l${n}`)) }],
  ['indicators', { lists: [list(200_000)] }, { lists: [list(200_001)] }],
  ['indicators of two lists', { lists: [list(199_999), list(1, 'b')] }, { lists: [list(200_000), list(1, 'b')] }],
  ['rules', { rules: many(1_000, (n) => rule(`r${n}`, 'a')) }, { rules: many(1_001, (n) => rule(`r${n}`, 'a')) }],
]
for (const [name, most, more] of LIMITS)
  test(`limit of ${name}`, () => {
    assert.ok(parse(most))
    assert.throws(() => parse(more), /wrong shape|more than 200000 indicators/)
  })

test('what is no row of its table is refused', () => {
  for (const content of [
    tables({ brands: [{ name: '.*', domains: ['a.example'] }] }),
    tables({ brands: [{ name: '(a+)+', domains: ['a.example'] }] }),
    tables({ brands: [{ name: 'brand', domains: ['*.example'] }] }),
    tables({ brands: [{ name: 'brand', domains: [] }] }),
    tables({ hosts: [{ host: 'com', kind: 'tunnel' }] }),
    tables({ hosts: [{ host: 'a.example', kind: 'trusted' }] }),
    tables({ suffixes: ['a..example'] }),
    tables({ suffixes: ['A.example'] }),
    tables({ lookalikes: [{ letter: 'a', shape: 'b' }] }),
    tables({ lookalikes: [{ letter: 'а', shape: '.*' }] }),
    tables({ others: [] }),
    { lists: [{ ...list(1), action: 'allow' }] },
    { lists: [{ ...list(1), name: '../a' }] },
    { lists: [list(1), list(1)] },
    { lists: [list(0)] },
    {},
    tables({}),
    tables({ brands: [] }),
  ])
    assert.throws(() => parse(content), /wrong shape|is empty|same name/, JSON.stringify(content))
})

test('a list with a row that is no indicator is refused as a whole', async () => {
  const of = (kind: string, ...indicators: string[]) => contentsOf(parse({ lists: [{ ...list(1), kind, indicators }] }))
  await assert.rejects(of('host', 'a.example', 'com'), /row 2 of the list hosts is no host/)
  await assert.rejects(of('url', 'javascript:a'), /row 1 of the list hosts is no url/)
  await assert.rejects(of('sha256', 'ab'), /is no sha256/)
  const { lists, setup } = await of('host', 'a.example', 'b.example')
  assert.equal(lists[0]?.keys.size, 2)
  assert.deepEqual(
    setup.hashed?.map(({ name }) => name),
    ['update/lists.json'],
  )
})
