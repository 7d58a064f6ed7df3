/** The facts say what is configured, and how the engines are now. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loadArticles } from './articles.ts'
import { factsInWords, placesOf } from './facts.ts'
import { createSuggestions, ORDER } from './suggestions.ts'
import { FACTS } from './testing/facts.ts'

describe('facts', () => {
  test('hold every plan with its numbers', () => {
    const text = factsInWords(placesOf(FACTS))
    for (const part of ['`team` has 123,456 scans a month', '42 keys', '0.5 scans a second (burst 7)', '26,214,400'])
      assert.ok(text.includes(part), part)
  })

  test('tell the state of the engines in words', () => {
    assert.match(placesOf(FACTS).engines ?? '', /embedded is up, the engine clamd is up; documents can be scanned/)
    const [embedded] = FACTS.engines
    const down = placesOf({ ...FACTS, engines: [embedded!, { name: 'clamd', status: 'DOWN' }] }).engines ?? ''
    assert.match(down, /embedded is up, the engine clamd is down; documents cannot be scanned/)
    assert.match(placesOf({ ...FACTS, engines: [] }).engines ?? '', /nothing can be scanned/)
  })

  test('follow the policy for what cannot be looked into', () => {
    const policies = (['refuse', 'infected', 'clean'] as const).map(
      (unscannable) => placesOf({ ...FACTS, unscannable }).unscannable,
    )
    assert.equal(new Set(policies).size, 3)
  })
})

describe('suggestions', () => {
  const articles = loadArticles()
  const suggest = createSuggestions(articles)

  test('are at least eight, each article that has one, in a fixed order', () => {
    const ids = suggest(placesOf(FACTS)).map(({ id }) => id)
    assert.ok(ids.length >= 8)
    assert.deepEqual(ids, ORDER)
    const withOne = articles.filter(({ suggestion }) => suggestion !== null).map(({ id }) => id)
    assert.deepEqual([...ids].sort(), withOne.sort())
  })

  test('answer with what is configured', () => {
    const answers = suggest(placesOf(FACTS)).map(({ answer }) => answer)
    assert.ok(answers.some((answer) => answer.includes('123,456')))
    for (const answer of answers)
      assert.ok(answer.length > 40 && !answer.includes('{{') && !answer.includes('\n'), answer)
  })

  test('follow the engines', () => {
    const engines = [{ name: 'embedded', status: 'DOWN' }] as const
    const answer = suggest(placesOf({ ...FACTS, engines })).find(({ id }) => id === 'engines')?.answer ?? ''
    assert.match(answer, /embedded is down/)
    assert.match(suggest(placesOf(FACTS)).find(({ id }) => id === 'engines')?.answer ?? '', /embedded is up/)
  })
})
