import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { CATALOGUE } from './catalogue.ts'

const TITLE_MAX = 60

suite('the catalogue of findings', () => {
  for (const [id, { title, reason, technique, article }] of CATALOGUE)
    test(id, () => {
      assert.match(id, /^Docvet\.[A-Z][A-Za-z0-9]+\.[A-Z][A-Za-z0-9]+$/)
      assert.ok(title.length <= TITLE_MAX)
      assert.match(title, /^[A-Z"].*[^.]$/)
      assert.match(technique ?? 'T1000', /^T\d{4}(\.\d{3})?$/)
      for (const sentence of [reason, article.danger, article.cause ?? 'None.', article.advice])
        assert.match(sentence, /^[A-Z"`].*\.$/s)
    })
})
