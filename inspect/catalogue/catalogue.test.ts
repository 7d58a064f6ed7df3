import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CATALOGUE } from './catalogue.ts'

const ID = /['"](Docvet\.[A-Z]\w+\.[A-Z]\w+)['"]/g

const TITLE_MAX = 60

suite('the catalogue of findings', () => {
  for (const [id, { title, reason, technique, article }] of CATALOGUE)
    test(id, () => {
      assert.match(id, /^Docvet\.[A-Z][A-Za-z0-9]+\.[A-Z][A-Za-z0-9]+$/)
      assert.ok(title.length <= TITLE_MAX)
      assert.match(title, /^[A-Z"].*[^.]$/)
      assert.match(technique ?? 'T1000', /^(?:AML\.)?T\d{4}(\.\d{3})?$/)
      for (const sentence of [reason, article.danger, article.cause ?? 'None.', article.advice])
        assert.match(sentence, /^[A-Z"`].*\.$/s)
    })

  test('has every id that a source file or a bundled rule names, once', () => {
    const folder = fileURLToPath(new URL('..', import.meta.url))
    const files = globSync('**/*.ts', { cwd: folder }).filter(
      (file) => !/\.test\.ts$|^(?:catalogue|testing)\//.test(file),
    )
    assert.ok(files.length > 100)
    for (const file of files)
      for (const [, id = ''] of readFileSync(join(folder, file), 'utf8').matchAll(ID))
        assert.ok(CATALOGUE.has(id), `${file}: ${id}`)
  })
})
