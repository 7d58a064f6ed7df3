import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import { EFFECTS } from './effects.ts'

const SENTENCES_MAX = 3
/** Words that only technical people use. */
const JARGON = /\b(?:hash|payload|exploit|credentials|execute|macro virus|URL|DDE|OLE|VBA|script host|server name)\b/i

test('every malicious finding says what the document would have done', () => {
  const malicious = [...CATALOGUE.values()].filter(({ severity }) => severity === 'malicious').map(({ id }) => id)
  assert.deepEqual(
    malicious.filter((id) => !EFFECTS.has(id)),
    [],
    'add them to effects.ts',
  )
  assert.deepEqual(
    [...EFFECTS.keys()].filter((id) => !CATALOGUE.has(id)),
    [],
    'these are not in the catalogue',
  )
})

for (const effect of new Set(EFFECTS.values()))
  test(`in plain words: ${effect.slice(0, 60)}…`, () => {
    assert.doesNotMatch(effect, JARGON)
    assert.match(effect, /^[A-Z].*\.$/)
    assert.ok(effect.split('. ').length <= SENTENCES_MAX)
  })
