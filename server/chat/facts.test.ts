/** The facts describe the configuration and the current state of the engines. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FACTS } from '#test/support/chat/facts.ts'
import { loadArticles } from './articles.ts'
import { factsInWords, placeholdersOf } from './facts.ts'
import { readKnowledge } from './knowledge.ts'

describe('facts', () => {
  test('contain every plan with its numbers', () => {
    const text = factsInWords(placeholdersOf(FACTS))
    for (const part of ['`team` has 123,456 scans a month', '42 keys', '0.5 scans a second (burst 7)', '26,214,400'])
      assert.ok(text.includes(part), part)
  })

  test('describe the state of the engines', () => {
    assert.match(
      placeholdersOf(FACTS).engines ?? '',
      /embedded is up, the engine clamd is up; documents can be scanned/,
    )
    const [embedded] = FACTS.engines
    const down = placeholdersOf({ ...FACTS, engines: [embedded!, { name: 'clamd', status: 'DOWN' }] }).engines ?? ''
    assert.match(down, /embedded is up, the engine clamd is down; documents cannot be scanned/)
    assert.match(placeholdersOf({ ...FACTS, engines: [] }).engines ?? '', /nothing can be scanned/)
  })

  test('follow the policy for documents that cannot be scanned', () => {
    const policies = (['refuse', 'infected', 'clean'] as const).map(
      (unscannable) => placeholdersOf({ ...FACTS, unscannable }).unscannable,
    )
    assert.equal(new Set(policies).size, 3)
  })
})

describe('suggestions', () => {
  const articles = loadArticles()
  const suggest = (facts = FACTS) => readKnowledge(articles, facts).suggestions
  const ORDER = [
    'what-is-docvet',
    'scan-a-document',
    'verdict',
    'plans',
    'scan-from-php',
    'no-verdict',
    'delete-account',
    'formats',
    'sign-up',
    'privacy',
    'quota',
    'rate-limit',
    'errors',
    'keys',
    'eicar',
    'engines',
    'marketplace',
    'self-hosting',
    'security',
    'assistant',
  ]

  test('are at least eight, one for each article that has one, in a fixed order', () => {
    const ids = suggest().map(({ id }) => id)
    assert.ok(ids.length >= 8)
    assert.deepEqual(ids, ORDER)
    const withOne = articles.filter(({ suggestion }) => suggestion !== null).map(({ id }) => id)
    assert.deepEqual([...ids].sort(), withOne.sort())
  })

  test('contain the configured values', () => {
    const answers = suggest().map(({ answer }) => answer)
    assert.ok(answers.some((answer) => answer.includes('123,456')))
    for (const answer of answers)
      assert.ok(answer.length > 40 && !answer.includes('{{') && !answer.includes('\n'), answer)
  })

  test('follow the state of the engines', () => {
    const engines = [{ name: 'embedded', status: 'DOWN' }] as const
    const answer = suggest({ ...FACTS, engines }).find(({ id }) => id === 'engines')?.answer ?? ''
    assert.match(answer, /embedded is down/)
    assert.match(suggest().find(({ id }) => id === 'engines')?.answer ?? '', /embedded is up/)
  })
})
