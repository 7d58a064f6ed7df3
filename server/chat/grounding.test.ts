/** Which words a reply may consist of. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GIVEN_SHARE_MIN, isGrounded, REPLY_SHARE_MIN, SENTENCE_SHARE_MIN } from './grounding.ts'
import { vocabularyOf } from './words.ts'

describe('grounding', () => {
  const vocabulary = vocabularyOf('The quota counts 500 scans per key and month. A larger plan has a larger quota.')
  const grounded = (reply: string, question = '') =>
    isGrounded(reply, { vocabulary, given: vocabulary, asked: vocabularyOf(question) })

  test('short replies pass if their words are ours', () => {
    for (const reply of ['Yes.', 'No.', 'I do not know.', 'Yes, the quota counts.', 'It depends.', 'Quota.'])
      assert.equal(grounded(reply), true, reply)
    for (const reply of ['Zebras.', 'Yes, zebras.']) assert.equal(grounded(reply), false, reply)
  })

  test('half of the words of a sentence may be unknown, but not more', () => {
    assert.equal(SENTENCE_SHARE_MIN, 1 / 2)
    const rest = 'The quota counts scans per key and month. A larger plan has a larger quota.'
    assert.equal(grounded(`${rest} Zebra quota.`), true)
    assert.equal(grounded(`${rest} Zebra lion quota.`), false)
    for (const bad of ['Paris.', 'Zebras run.', '巴黎是首都', 'UGFyaXM='])
      for (const reply of [`${rest} ${bad}`, `${bad}\n${rest}`]) assert.equal(grounded(reply), false, reply)
  })

  test('three of ten words of the whole reply may be unknown, but not more', () => {
    assert.equal(REPLY_SHARE_MIN, 0.7)
    const known = 'quota quota quota quota quota quota'
    assert.equal(grounded(`${known} quota zebra lion tiger`), true)
    assert.equal(grounded(`${known} zebra lion tiger`), false)
  })

  test('a quarter of all words must be in the prompt', () => {
    assert.equal(GIVEN_SHARE_MIN, 1 / 4)
    const given = vocabularyOf('quota')
    const judged = (reply: string) => isGrounded(reply, { vocabulary, given, asked: new Set() })
    assert.equal(judged('quota scans keys months'), true)
    assert.equal(judged('quota scans keys months plans'), false)
    assert.equal(grounded('Avoid trouble, believe: quota.'), true)
    assert.equal(grounded('Avoid trouble, believe, respect: quota.'), false)
  })

  test('generic words are neutral', () => {
    assert.equal(grounded('Unfortunately, the quota typically decreases afterwards.'), true)
    assert.equal(grounded('Unfortunately, the zebra typically decreases afterwards.'), false)
  })

  test('numbers must be ours or in the question; list numbers and single digits do not count', () => {
    assert.equal(grounded('The quota counts 500 scans.'), true)
    assert.equal(grounded('The quota counts 777 scans.'), false)
    assert.equal(grounded('The quota counts 777 scans.', 'Are 777 scans in the quota?'), true)
    assert.equal(grounded('1. Scans\n2. Keys\n10. Plans\n- Quota\n* Months'), true)
    assert.equal(grounded('The quota counts 2 scans.'), true)
  })
})
