/** Answers of object stores, also of those that are not what they should be. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { elements, textIn } from './xml.ts'

test('elements of one name, with attributes, empty ones and names that begin alike', () => {
  const xml = '<TagSet><Tag a="1"><Key>a&amp;b</Key></Tag><Tag/><Tag></Tag></TagSet>'
  assert.deepEqual(elements(xml, 'Tag'), ['<Key>a&amp;b</Key>', '', ''])
  assert.deepEqual([textIn(xml, 'Key'), textIn(xml, 'Value')], ['a&b', null])
})

test('an answer that is cut off has the elements before its end', () => {
  for (const rest of ['<Key', '<Key>b', '<Key a="b"', '<Key/'])
    assert.deepEqual(elements(`<Key>a</Key>${rest}`, 'Key'), ['a'])
})

test('an answer of elements without an end is read once', () => {
  for (const part of ['<Key ', '<Keys', '<Key/'])
    for (const end of ['', '>', '/>', '</Key>']) assert.ok(elements(part.repeat(500_000) + end, 'Key').length <= 1)
})
