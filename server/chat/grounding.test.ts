/** Whose words a reply is made of. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ECHOES_MAX, GIVEN_OF_ALL_MIN, isGrounded, STRANGERS_IN_A_ROW_MAX } from './grounding.ts'
import { vocabularyOf } from './words.ts'

describe('grounding', () => {
  const vocabulary = vocabularyOf(
    'The quota counts scans per key and month. A larger plan has a larger quota. Details.',
  )
  const grounded = (reply: string, question = '') =>
    isGrounded(reply, { vocabulary, given: vocabulary, asked: vocabularyOf(question) })

  test('strangers in a row: at the limit, and one past it', () => {
    const row = (count: number) =>
      `The quota counts scans per key and month, larger plan, larger quota, ${'zebra '.repeat(count)}`
    assert.equal(grounded(row(STRANGERS_IN_A_ROW_MAX)), true)
    assert.equal(grounded(row(STRANGERS_IN_A_ROW_MAX + 1)), false)
  })

  test('nothing is too short', () => {
    for (const reply of ['Yes.', 'No.', 'I do not know.', 'Yes, the quota counts.', 'It depends.', 'Quota.'])
      assert.equal(grounded(reply), true, reply)
    for (const reply of ['Zebras.', 'Yes, zebras.', 'Zebra quota.']) assert.equal(grounded(reply), false, reply)
  })

  test('one strange sentence spoils a good reply', () => {
    const good = 'The quota counts scans per key and month. A larger plan has a larger quota.'
    assert.equal(grounded(good), true)
    for (const bad of ['Paris.', 'The answer is 42.', 'Zebras run.', '巴黎是首都', 'UGFyaXM=']) {
      assert.equal(grounded(`${good} ${bad}`), false, bad)
      assert.equal(grounded(`${bad}\n${good}`), false, bad)
    }
  })

  test('a name that we do not have weighs double', () => {
    assert.equal(grounded('The quota counts scans and zebras.'), true)
    assert.equal(grounded('The quota counts scans and Zebras.'), false)
  })

  test('the marks of a list, and a digit alone, are no words', () => {
    assert.equal(grounded('1. Scans\n2. Keys\n10. Plans\n- Quota\n* Months'), true)
    assert.equal(grounded('The quota counts 2 scans.'), true)
    assert.equal(grounded('Zebras 2'), false)
  })

  test('words of the desk count for nothing, in either direction', () => {
    assert.equal(grounded('Unfortunately, the quota typically decreases afterwards.'), true)
    assert.equal(grounded('Unfortunately, the zebra typically decreases afterwards.'), false)
  })

  test('but some of all words must be in what was given: at the limit, and one past it', () => {
    assert.equal(GIVEN_OF_ALL_MIN, 1 / 4)
    assert.equal(grounded('Avoid trouble, believe: quota.'), true)
    assert.equal(grounded('Avoid trouble, believe, respect: quota.'), false)
    assert.equal(grounded('Avoid trouble, believe, respect, improve.'), false)
    assert.equal(
      grounded('I do not know whether it is possible to convert documentation.', 'convert documentation'),
      true,
    )
  })

  test('words of the question that we do not have: with as many of ours, up to the limit', () => {
    assert.equal(ECHOES_MAX, 2)
    const asked = 'Is there a quota for striped zebras, lions and tigers?'
    assert.equal(grounded('The quota counts striped zebras per key.', asked), true)
    assert.equal(grounded('The quota counts zebras.', 'a quota for keys'), false)
    assert.equal(grounded('Striped zebras.', asked), false)
    assert.equal(grounded('Quota: striped zebras.', asked), false)
    assert.equal(grounded('The quota counts striped zebras.', asked), true)
    assert.equal(grounded('The quota counts striped zebras, lions.', asked), false)
    // However much is ours: what is past the limit is strange.
    assert.equal(grounded('The quota counts scans per month: striped zebras, lions, tigers.', asked), false)
    assert.equal(grounded('The quota counts scans per month, striped lions per scan.', asked), true)
    assert.equal(grounded('The quota counts scans per month, striped zebras, lions, tigers.', asked), false)
  })

  test('who does not know may name it, and who does not say so may not', () => {
    const asked = 'Does the quota work with Salesforce?'
    for (const reply of [
      'I do not know whether it works with Salesforce.',
      'The articles do not mention Salesforce.',
      "I'm not sure about Salesforce.",
      "I don't have details about Salesforce.",
    ])
      assert.equal(grounded(reply, asked), true, reply)
    assert.equal(grounded('It works with Salesforce.', asked), false)
    assert.equal(grounded('The quota counts scans with Salesforce.', asked), false)
    assert.equal(grounded('The quota counts scans with salesforce.', asked), true)
    assert.equal(grounded('I do not know anything about zebras.', asked), false)
  })

  test('words of other articles are ours, but most must be in what the model was given', () => {
    const given = vocabularyOf('The quota counts')
    const judged = (reply: string) => isGrounded(reply, { vocabulary, given, asked: new Set() })
    assert.equal(judged('The quota counts: scans, keys, months.'), true)
    assert.equal(judged('The quota counts: scans, keys, months, plans.'), false)
  })
})
