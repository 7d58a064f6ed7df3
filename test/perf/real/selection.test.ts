import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KINDS, type Kind, type SizeClass } from './kinds.ts'
import { type Candidate, selectMix, selectRow } from './selection.ts'

const SIZE: SizeClass = { name: 'small', from: 10, to: 20, count: 2 }
const KIND: Kind = { name: 'notes', files: /\.txt$/, sizes: [SIZE], ratioMax: () => 1 }

/** Files with their content in place of their path. */
const candidate = (label: string, content: string): Candidate => ({ file: content, label, bytes: content.length })
const read = (file: string): Buffer => Buffer.from(file)
const select = (candidates: readonly Candidate[], kind: Kind = KIND, size = SIZE) =>
  selectRow(kind, size, candidates, read)

test('files of the kind and size are selected, whatever the order in which they were found', () => {
  const found = ['a/1.txt', 'a/2.txt', 'b/3.txt', 'b/4.txt', 'c/5.txt'].map((label) =>
    candidate(label, `content ${label}`),
  )
  const others = [
    candidate('a/6.md', 'another kind'),
    candidate('a/7.txt', 'short'),
    candidate('a/8.txt', 'x'.repeat(21)),
  ]
  const row = select([...found, ...others])
  assert.equal(row?.documents.length, SIZE.count)
  assert.equal(row?.how, 'single')
  const again = select([...others, ...found].reverse())
  assert.deepEqual(again, row)
})

test('the limits of a size belong to it', () => {
  const labelsOf = (bytes: number) => select([candidate('a.txt', 'x'.repeat(bytes))])?.documents.length
  assert.deepEqual([9, 10, 20, 21].map(labelsOf), [undefined, 1, 1, undefined])
})

test('copies of a file count once', () => {
  const row = select(['a.txt', 'b.txt', 'c.txt'].map((label) => candidate(label, 'the same text')))
  assert.equal(row?.documents.length, 1)
})

test('the fingerprint tells other contents apart', () => {
  const [one, other] = ['the first text', 'the other text'].map((text) => select([candidate('a.txt', text)]))
  assert.notEqual(one?.fingerprint, other?.fingerprint)
})

test('small files are joined only where there is no large one, and the row says so', () => {
  const size: SizeClass = { name: 'large', from: 100, to: 200, count: 2 }
  const kind: Kind = { ...KIND, isJoined: true }
  const small = Array.from({ length: 20 }, (_, i) => candidate(`${i}.txt`, `file ${String(i).padStart(2)} `))
  const row = select(small, kind, size)
  assert.equal(row?.how, 'joined')
  assert.match(row?.documents[0]?.label ?? '', /^\d+ joined files$/)
  assert.ok((row?.bytes ?? 0) >= size.from && (row?.bytes ?? 0) <= size.to, `${row?.bytes}`)
  assert.equal(row?.documents[0]?.fileName, 'joined.txt')
  assert.equal(select([...small, candidate('large.txt', 'x'.repeat(100))], kind, size)?.how, 'single')
  assert.equal(select(small, KIND, size), null)
  assert.equal(select(small.slice(0, 3), kind, size), null)
})

test('a log that is too large is cut, and the row says so', () => {
  const row = select([candidate('a.txt', 'x'.repeat(50))], { ...KIND, isCut: true })
  assert.equal(row?.how, 'cut')
  assert.equal(row?.bytes, 15)
  assert.equal(select([candidate('a.txt', 'x'.repeat(50))]), null)
})

test('a file is of one kind only', () => {
  const names = [
    'a.pdf',
    'a.DOCX',
    'b.dotx',
    'a.xlsm',
    'a.doc',
    'a.html',
    'README',
    'a.txt',
    'README.md',
    'dpkg.log',
    'status',
  ]
  for (const name of [...names, 'a.mjs', 'a.d.ts', 'a.py', 'a.h', 'A.pm', 'a.go'])
    assert.equal(KINDS.filter(({ files }) => files.test(name)).length, 1, name)
})

test('a mix has documents of all kinds in turn, as many of each size as wanted', () => {
  const kinds = [KIND, { ...KIND, name: 'pages', files: /\.html$/ }]
  const sizes = [SIZE, { name: 'large', from: 30, to: 40, count: 3 }]
  const found = Array.from({ length: 9 }, (_, i) => [
    candidate(`${i}.txt`, `small text ${i}`),
    candidate(`${i}.html`, `small page ${i}`),
    candidate(`large-${i}.txt`, `${i}`.repeat(35)),
  ]).flat()
  const endings = selectMix(kinds, sizes, found, read).map(({ fileName, content }) => [
    fileName.split('.')[1],
    content.length,
  ])
  assert.deepEqual(endings, [
    ['txt', 12],
    ['html', 12],
    ['txt', 35],
    ['txt', 35],
    ['txt', 35],
  ])
})
