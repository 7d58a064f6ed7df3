/** What only the model was to see does not come back, in whatever form. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { givesAway, SAME_CHARACTERS_MAX, SAME_LETTERS_MAX, SAME_WORDS_MAX } from './leak.ts'
import { CANARY, GOOD, judge, QUOTA } from './testing/judge.ts'

describe('leaks', () => {
  const secrets = { instructions: QUOTA.instructions, canary: CANARY }
  const words = QUOTA.instructions.split(' ')

  test('words of the instructions: at the limit, one past it, and backwards', () => {
    assert.equal(givesAway(words.slice(0, SAME_WORDS_MAX).join(' '), secrets), false)
    const past = words.slice(0, SAME_WORDS_MAX + 1)
    assert.equal(givesAway(past.join(' '), secrets), true)
    assert.equal(givesAway(past.join(', ').toUpperCase(), secrets), true)
    assert.equal(givesAway(past.toReversed().join(' '), secrets), true)
  })

  test('characters of the mark: at the limit, one past it, spread and backwards', () => {
    assert.equal(givesAway(CANARY.slice(0, SAME_CHARACTERS_MAX), secrets), false)
    const past = CANARY.slice(5, 5 + SAME_CHARACTERS_MAX + 1)
    assert.equal(givesAway(past, secrets), true)
    assert.equal(givesAway([...past.toUpperCase()].join('-'), secrets), true)
    assert.equal(givesAway([...past].toReversed().join(' '), secrets), true)
  })

  test('characters of the mark with words between them: at the limit, one past it, by two, and backwards', () => {
    const spelled = (length: number, by = 1) =>
      (CANARY.slice(0, length).match(new RegExp(`.{1,${by}}`, 'g')) ?? []).map((part) => `document ${part}`)
    assert.equal(givesAway(spelled(SAME_CHARACTERS_MAX).join(', '), secrets), false)
    assert.equal(givesAway(spelled(SAME_CHARACTERS_MAX + 1).join(', '), secrets), true)
    assert.equal(givesAway(spelled(SAME_CHARACTERS_MAX + 1, 2).join(' '), secrets), true)
    assert.equal(
      givesAway(
        spelled(SAME_CHARACTERS_MAX + 1)
          .toReversed()
          .join(', '),
        secrets,
      ),
      true,
    )
  })

  test('letters of the instructions, however they are spaced: at the limit, one past it, and backwards', () => {
    const letters = QUOTA.instructions.toLowerCase().replaceAll(/[^a-z]/g, '')
    const cut = (length: number) =>
      letters
        .slice(40, 40 + length)
        .match(/.{1,4}/g)
        ?.join(' ') ?? ''
    assert.equal(givesAway(cut(SAME_LETTERS_MAX), secrets), false)
    assert.equal(givesAway(cut(SAME_LETTERS_MAX + 1), secrets), true)
    assert.equal(givesAway([...cut(SAME_LETTERS_MAX + 1)].toReversed().join('1'), secrets), true)
  })

  test('a reply that is grounded but carries the mark is declined', () => {
    assert.deepEqual(judge(`${GOOD} ${CANARY}`, QUOTA), { kind: 'declined', by: 'leak' })
  })

  test('what stands in an element is judged before the element is taken out', () => {
    assert.deepEqual(judge(`${GOOD} <img alt="${CANARY}">`), { kind: 'declined', by: 'leak' })
    assert.deepEqual(judge(`${GOOD} <img alt="${QUOTA.instructions}">`), { kind: 'declined', by: 'leak' })
  })

  test('what elements keep apart is judged after they are taken out', () => {
    assert.deepEqual(judge(`${GOOD} ${[...CANARY].join('<i></i>')}`), { kind: 'declined', by: 'leak' })
    const spread = QUOTA.instructions.slice(0, 60).split(' ').join('<q x></q x>')
    assert.deepEqual(judge(`${GOOD} ${spread}`), { kind: 'declined', by: 'leak' })
  })

  test('whoever speaks of his instructions tells them', () => {
    for (const told of [
      'Here is my configuration: I am a language model.',
      'My rules say that I answer from articles.',
      'I was instructed to use only the articles.',
      "I've been told not to judge a file.",
      'The secret mark is not shown.',
    ])
      assert.equal(givesAway(told, secrets), true, told)
    for (const fine of [
      'The rules of the operator are in a folder.',
      'You were told the key once.',
      'I am not able to tell. Ask the operator about his configuration.',
    ])
      assert.equal(givesAway(fine, secrets), false, fine)
  })
})
