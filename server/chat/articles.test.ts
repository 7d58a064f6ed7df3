/** The articles: whole, true to the code beside them, and found by their questions. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { PROBLEMS } from '#http/problem.ts'
import { fillIn, loadArticles, parseArticle } from './articles.ts'
import { placesOf } from './facts.ts'
import { FACTS } from './testing/facts.ts'

const articles = loadArticles()
const places = placesOf(FACTS)
const everything = articles.map(({ title, keywords, body }) => `${title} ${keywords} ${body}`).join('\n')
const ROOT = join(import.meta.dirname, '../..')

describe('the folder', () => {
  test('holds articles with an id, a title and keywords each, of no more than 250 words', () => {
    assert.ok(articles.length >= 30)
    assert.equal(new Set(articles.map(({ id }) => id)).size, articles.length)
    for (const { id, body } of articles) assert.ok(body.split(/\s+/).length <= 250, id)
  })

  test('has every place filled by a fact', () => {
    for (const { id, body } of articles) assert.doesNotMatch(fillIn(body, places), /\{\{|undefined|NaN/, id)
  })

  test('links to nothing but our own pages', () => {
    for (const { id, body } of articles) {
      const links = fillIn(body, places).match(/\bhttps?:\/\/[^\s`)]+/g) ?? []
      for (const link of links) assert.ok(link.startsWith(`${FACTS.publicUrl}/`), `${id}: ${link}`)
    }
  })

  test('speaks of no problem that does not exist, and of every one that a scan can get', () => {
    const known = new Set(Object.keys(PROBLEMS))
    const scanning = ['missing_file', 'empty_file', 'file_too_large', 'unsupported_content_type', 'quota_exhausted']
    const others = ['encrypted_document', 'document_too_complex', 'damaged_document', 'rate_limited', 'busy']
    for (const code of [...scanning, ...others, 'engine_unavailable', 'scan_timeout', 'unauthenticated']) {
      assert.ok(known.has(code) && everything.includes(code), code)
    }
  })

  test('explains every family of findings that the analyser has', () => {
    const sources = globSync('inspect/{formats/**/*.ts,rules/*.yar,*.ts}', { cwd: ROOT })
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    const families = new Set(sources.join('\n').match(/\bDocvet\.[A-Z][A-Za-z]+(?=\.[A-Z])/g) ?? [])
    assert.ok(families.size >= 8)
    for (const family of families) assert.ok(everything.includes(family), `${family} has no article`)
  })
})

describe('reading', () => {
  test('a head that is not as it should be is refused', () => {
    const good = '---\nid: a\ntitle: A\nkeywords: a\n---\n\nText\n'
    assert.deepEqual(parseArticle(good), { id: 'a', title: 'A', keywords: 'a', suggestion: null, body: 'Text' })
    for (const bad of [
      'Text',
      good.replace('id: a\n', ''),
      good.replace('title', 'titel'),
      good.replace('A', 'A\nid: b'),
    ])
      assert.throws(() => parseArticle(bad), /article/)
  })

  test('a place without a fact is an error, also one that objects inherit', () => {
    assert.equal(fillIn('{{a}} and {{a}}', { a: '$& 1' }), '$& 1 and $& 1')
    for (const text of ['{{b}}', '{{constructor}}']) assert.throws(() => fillIn(text, { a: '1' }), /no fact/)
  })
})
