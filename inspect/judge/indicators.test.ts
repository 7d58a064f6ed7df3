import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalUrl, HOST_LABELS_MAX, hostKey, hostsOf, urlKey } from '#inspect/codecs/indicator-keys.ts'
import { ourInspector, useInspector } from '#inspect/testing/inspector.ts'
import { qrMatrix, writePng } from '#inspect/testing/qr-writer.ts'
import { docx } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { createIndicators } from './indicators.ts'

const { inspect } = useInspector()
const base64 = (key: string) => Buffer.from(key, 'latin1')
const keyOf = (address: string) => base64(urlKey(canonicalUrl(new URL(address)) ?? ''))
const has = (bytes: Uint8Array, address: string) =>
  inspect(bytes, { wantsIndicators: ['address'] }).indicators?.some(({ addresses }) =>
    addresses.some((keys) => Buffer.from(keys, 'base64').includes(keyOf(address))),
  )

test('nothing is collected unless it is asked for', () => {
  assert.equal(inspect(docx()).indicators, undefined)
  const [first] = inspect(docx(), { wantsIndicators: ['hash'] }).indicators ?? []
  assert.deepEqual([first?.path, first?.addresses], [[], []])
  assert.equal(Buffer.from(first?.hash ?? '', 'base64').length, 16)
})

test('each part has its own hash and addresses', () => {
  const bytes = writeZip([
    { name: 'a.txt', data: 'https://a.example/' },
    { name: 'b.txt', data: 'https://b.example/' },
  ])
  const parts = inspect(bytes, { wantsIndicators: ['address', 'hash'] }).indicators ?? []
  const shown = Object.fromEntries(parts.map((part) => [part.path.join('/'), part.shown]))
  assert.deepEqual(shown['b.txt'], ['hxxps://b[.]example/'])
  assert.equal(new Set(parts.map(({ hash }) => hash)).size, parts.length)
})

test('a code without a scheme is one of either', () => {
  const bytes = docx({ 'word/media/a.png': writePng(qrMatrix('bad.example/a/b')) })
  for (const scheme of ['http', 'https']) assert.ok(has(bytes, `${scheme}://bad.example/a/b`), scheme)
})

test('where a text ends an address is not known', () => {
  for (const text of [
    '(see https://a.example/x).',
    "'https://a.example/x', b",
    '[a](https://a.example/x) b',
    'https://a.example/x',
  ])
    assert.ok(has(Buffer.from(text), 'https://a.example/x'), text)
  assert.ok(has(Buffer.from('https://a.example/x_(y)'), 'https://a.example/x_(y)'))
  assert.ok(!has(Buffer.from('https://a.example/xy'), 'https://a.example/x'))
})

test('an address across the pieces of a long text', () => {
  const text = `${'word '.repeat(4_000)}https://a.example/x and ${'word '.repeat(4_000)}`
  assert.ok(
    has(docx({ 'word/document.xml': `<w:document><w:p><w:t>${text}</w:t></w:p></w:document>` }), 'https://a.example/x'),
  )
})

test('hosts and the domains around them, to the limit of labels', () => {
  assert.deepEqual(hostsOf('a.b.example'), ['a.b.example', 'b.example'])
  assert.deepEqual(hostsOf('192.0.2.1'), ['192.0.2.1'])
  assert.deepEqual(hostsOf('[::1]'), ['[::1]'])
  assert.deepEqual(hostsOf('localhost'), ['localhost'])
  assert.equal(hostsOf(`${'a.'.repeat(HOST_LABELS_MAX - 1)}b`).length, HOST_LABELS_MAX - 1)
  const longest = hostsOf(`${'a.'.repeat(HOST_LABELS_MAX + 5)}b`)
  assert.deepEqual([longest.length, longest[0]?.split('.').length], [HOST_LABELS_MAX - 1, HOST_LABELS_MAX])
  assert.notEqual(hostKey('a.example'), urlKey('a.example'))
})

test('past its size the list is incomplete and says so, at it not', () => {
  const sizeOf = (bytesMax: number, count: number) => {
    const indicators = createIndicators(['address'], bytesMax)
    indicators.within([], () => {
      for (let index = 0; index < count; index++) indicators.note(`https://host${index}.example/`)
    })
    return { isExceeded: indicators.isExceeded(), count: indicators.result()[0]?.addresses.length }
  }
  assert.deepEqual(sizeOf(16_000_000, 100), { isExceeded: false, count: 100 })
  let limit = 202
  while (sizeOf(limit, 100).isExceeded) limit += 50
  while (!sizeOf(limit, 100).isExceeded) limit -= 1
  assert.deepEqual(sizeOf(limit + 1, 100), { isExceeded: false, count: 100 })
  assert.deepEqual(sizeOf(limit, 100), { isExceeded: true, count: 99 })
})

test('a document with more than can be compared is too complex', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `https://host${index}.example/`)
  const limits = { workMax: 100_000_000 }
  const { obstacle } = inspect(Buffer.from(lines.join('\n')), { limits, wantsIndicators: ['address'] })
  assert.equal(obstacle?.reason, 'too_complex')
  assert.equal(inspect(Buffer.from(lines.join('\n')), { limits }).obstacle, null)
})

test('a document at its limit is not refused because it is compared with lists', async () => {
  const script = 'var s = ""; for (var i = 0; i < 3000; i++) { s += i }'
  const bytes = Buffer.from(`<html><script>${script}</script><a href="https://a.example/x">a</a></html>`)
  const inspector = await ourInspector()
  inspector.inspect(bytes)
  const limits = { workMax: inspector.cost.work }
  assert.equal(inspector.inspect(bytes, { limits }).obstacle, null)
  assert.equal(inspector.inspect(bytes, { limits, wantsIndicators: ['address'] }).obstacle, null)
  assert.ok(inspector.cost.work > limits.workMax)
  inspector.dispose()
})
