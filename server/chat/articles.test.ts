/** The articles: well-formed, in agreement with the code, and found by their questions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PROBLEMS } from '#base/errors.ts'
import { HEADER_BYTES_MAX } from '#http/headers.ts'
import { JSON_BODY_BYTES_MAX } from '#http/json-body.ts'
import { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import { LIMITS } from '#inspect/core/limits.ts'
import { STATUSES } from '#marketplace/state.ts'
import { REMEMBERED_MS } from '#scan/idempotency.ts'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '#sessions/password-rules.ts'
import { RESET_MINUTES } from '#sessions/reset-store.ts'
import { IDLE_MS_MAX, LIFE_MS_MAX } from '#sessions/store.ts'
import { FACTS } from '#test/support/chat/facts.ts'
import { CANARY } from '#test/support/chat/judge.ts'
import { fillIn, loadArticles, parseArticle } from './articles.ts'
import { MESSAGE_LENGTH_MAX, MESSAGES_MAX } from './conversation.ts'
import { CALLER_SHARE } from './daily-limit.ts'
import { type Facts, placeholdersOf } from './facts.ts'
import { createFindingArticles, withArticles } from './finding-articles.ts'
import { judgeReply } from './guard.ts'
import { readKnowledge } from './knowledge.ts'
import { CALLS_PER_CALLER_MAX } from './model-call.ts'
import { buildPrompt } from './prompt.ts'
import { ARTICLES_MAX, judgeQuestion } from './scope.ts'
import { createSearch } from './search.ts'

const articles = loadArticles()
const values = placeholdersOf(FACTS)

describe('the folder', () => {
  test('contains articles with id, title and keywords, of at most 250 words', () => {
    assert.ok(articles.length >= 30)
    assert.equal(new Set(articles.map(({ id }) => id)).size, articles.length)
    for (const { id, body } of articles) assert.ok(body.split(/\s+/).length <= 250, id)
  })

  test('has a value for every placeholder', () => {
    for (const { id, body } of articles) assert.doesNotMatch(fillIn(body, values), /\{\{|undefined|NaN/, id)
  })

  test('links only to our own pages', () => {
    for (const { id, body } of articles) {
      const links = fillIn(body, values).match(/\bhttps?:\/\/[^\s`)]+/g) ?? []
      for (const link of links) assert.ok(link.startsWith(`${FACTS.publicUrl}/`), `${id}: ${link}`)
    }
  })

  const CODE = /`([a-z]+(?:_[a-z]+)+)`/g
  const known: ReadonlyMap<string, { status: number }> = new Map(Object.entries(PROBLEMS))

  test('names only existing error codes, each with its status', () => {
    for (const { id, body, keywords } of articles) {
      const filled = fillIn(body, values)
      for (const [, code = ''] of filled.matchAll(CODE)) assert.ok(known.has(code), `${id}: ${code}`)
      for (const [, status, code = ''] of filled.matchAll(/\b([45]\d\d) `([a-z_]+)`/g))
        assert.equal(known.get(code)?.status, Number(status), `${id}: ${status} ${code}`)
      for (const [word] of keywords.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g))
        assert.ok(known.has(word) || word === 'dv_live', `${id}: ${word}`)
    }
  })

  test('explains every error code, in an article that the code finds', () => {
    const search = createSearch(articles)
    for (const code of known.keys()) {
      const found = search
        .find(`What does the error ${code} mean?`, 3)
        .map(({ article }) => fillIn(article.body, values))
      assert.ok(
        found.some((text) => text.includes(`\`${code}\``)),
        code,
      )
    }
  })

  test('agrees with the limits in the code', () => {
    const bodyOf = (id: string) => articles.find((article) => article.id === id)?.body ?? ''
    const million = (bytes: number) => `${bytes / 1_000_000} MB`
    const days = (ms: number) => `${ms / 86_400_000} days`
    const SAID: [string, string][] = [
      ['archives', `${LIMITS.depthMax} levels of nesting`],
      ['archives', `${LIMITS.entriesMax.toLocaleString('en-US')} entries`],
      ['archives', `${million(LIMITS.unpackedBytesMax)} unpacked`],
      ['archives', `${million(LIMITS.memberBytesMax)} for one member`],
      ['finding-bomb', `over ${LIMITS.bombRatioMin} bytes`],
      ['sign-in', `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`],
      ['sign-in', `${RESET_MINUTES} minutes`],
      ['sign-in', `${days(IDLE_MS_MAX)} without use`],
      ['sign-in', `after ${days(LIFE_MS_MAX)} in any case`],
      ['idempotency', `${REMEMBERED_MS / 3_600_000} hours`],
      ['request-errors', `${JSON_BODY_BYTES_MAX.toLocaleString('en-US')} bytes`],
      ['request-errors', `${HEADER_BYTES_MAX / 1024} KiB`],
      ['assistant', `${MESSAGES_MAX} messages of 1 to ${MESSAGE_LENGTH_MAX.toLocaleString('en-US')} characters`],
      ['rate-limit', `and ${CALLS_PER_CALLER_MAX} at once`],
      ['operator-assistant', `a tenth of them, and ${CALLS_PER_CALLER_MAX} at once`],
      ...STATUSES.map((status): [string, string] => ['marketplace', `\`${status}\``]),
    ]
    for (const [id, words] of SAID) assert.ok(bodyOf(id).includes(words), `${id}: ${words}`)
    assert.equal(CALLER_SHARE, 1 / 10)
  })

  test('explains every finding that a question names', () => {
    const findingArticles = createFindingArticles(CATALOGUE)
    const known = readKnowledge(articles, FACTS)
    const search = createSearch(articles)
    for (const [id, { title, article }] of CATALOGUE) {
      const question = `What does ${id} mean?`
      const named = findingArticles(question)
      const scope = judgeQuestion(search, { question, earlier: [] }, named)
      assert.ok(scope.inScope && scope.isSure && scope.hits.length <= ARTICLES_MAX, id)
      const [{ body } = { body: '' }] = named
      const reply = fillIn(body, known.values)
      for (const text of [article.danger, article.advice]) assert.ok(reply.includes(text), id)
      const prompt = buildPrompt({ question, earlier: [] }, named, known.values, CANARY)
      const judged = judgeReply(JSON.stringify({ onTopic: true, reply }), {
        prompt,
        known: withArticles(known, named),
        quotable: body,
      })
      assert.equal(judged.kind, 'answer', `${id} (${title}): ${JSON.stringify(judged)}`)
    }
    assert.deepEqual(findingArticles('What is Docvet.Nothing.Real or docvet.test?'), [])
    assert.equal(findingArticles('docvet.test.eicar, DOCVET.TEST.EICAR').length, 1)
    assert.equal(findingArticles([...CATALOGUE.keys()].join(' ')).length, 2)
  })
})

describe('in every configuration', () => {
  const POLICIES = ['refuse', 'infected', 'clean'] as const
  const MARKETS = ['off', 'sandbox', 'microsoft'] as const
  const ways = POLICIES.flatMap((unscannable) =>
    MARKETS.map((kind): Facts => ({ ...FACTS, unscannable, marketplace: { kind } })),
  )
  const bodyOf = (id: string, facts: Partial<Facts>) =>
    fillIn(articles.find((article) => article.id === id)?.body ?? '', placeholdersOf({ ...FACTS, ...facts }))

  test('the guard accepts every article', () => {
    for (const facts of ways) {
      const known = readKnowledge(articles, facts)
      for (const article of articles) {
        const prompt = buildPrompt({ question: article.title, earlier: [] }, [article], known.values, CANARY)
        const reply = fillIn(article.body, known.values)
        const judged = judgeReply(JSON.stringify({ onTopic: true, reply }), { prompt, known })
        assert.equal(judged.kind, 'answer', `${article.id}, ${facts.unscannable}: ${JSON.stringify(judged)}`)
      }
    }
  })

  test('documents that cannot be scanned are described according to the policy', () => {
    for (const id of ['verdict', 'what-is-docvet', 'no-verdict', 'formats', 'security']) {
      assert.match(
        bodyOf(id, { unscannable: 'refuse' }),
        /is rejected with an error and a reason, and gets no verdict/,
        id,
      )
      assert.match(bodyOf(id, { unscannable: 'infected' }), /is reported as `infected` in this installation/, id)
      assert.match(
        bodyOf(id, { unscannable: 'clean' }),
        /is reported as `clean` in this installation, at the risk of/,
        id,
      )
    }
    for (const id of ['archives', 'no-verdict']) {
      assert.match(
        bodyOf(id, { unscannable: 'refuse' }),
        /password(?: is needed)?, the answer is 422 `encrypted_document`/,
        id,
      )
      assert.match(bodyOf(id, { unscannable: 'infected' }), /`Docvet\.Unscannable\.Encrypted`/, id)
      assert.doesNotMatch(bodyOf(id, { unscannable: 'infected' }), /the answer is 422|None of them is charged/, id)
      assert.doesNotMatch(bodyOf(id, { unscannable: 'clean' }), /the answer is 422|None of them is charged/, id)
    }
    assert.match(bodyOf('verdict', { unscannable: 'infected' }), /scanned the whole document/)
    assert.doesNotMatch(bodyOf('verdict', { unscannable: 'clean' }), /scanned the whole document/)
  })

  test('the marketplace is described as configured', () => {
    assert.match(bodyOf('marketplace', { marketplace: { kind: 'off' } }), /^No marketplace is connected/)
    assert.match(bodyOf('marketplace', { marketplace: { kind: 'sandbox' } }), /^This installation uses a sandbox/)
    assert.match(bodyOf('marketplace', { marketplace: { kind: 'microsoft' } }), /Microsoft's commercial marketplace/)
    assert.match(bodyOf('plans', { marketplace: { kind: 'off' } }), /ask its operator for a larger plan/)
    assert.doesNotMatch(bodyOf('plans', { marketplace: { kind: 'off' } }), /subscription/)
    assert.match(bodyOf('plans', { marketplace: { kind: 'sandbox' } }), /\/sandbox, where purchases are free/)
  })

  test('links in mail are in the log only on a local installation', () => {
    for (const id of ['health', 'sign-in']) {
      assert.match(bodyOf(id, { isLocal: true }), /the log contains its file name and links/, id)
      assert.match(bodyOf(id, {}), /the log contains its file name\./, id)
      assert.match(bodyOf(id, { smtpUrl: 'smtp://mail.example', isLocal: true }), /sent through the mail server/, id)
    }
  })

  test('no text contains a secret of the configuration', () => {
    const texts = Object.values(placeholdersOf({ ...FACTS, smtpUrl: 'smtp://user:hunter2@mail.example' }))
    assert.doesNotMatch(texts.join(), /hunter2|mail\.example/)
  })
})

describe('reading', () => {
  test('invalid front matter is rejected', () => {
    const good = '---\nid: a\ntitle: A\nkeywords: a\nphrases: b c, d\n---\n\nText\n'
    assert.deepEqual(parseArticle(good), {
      id: 'a',
      title: 'A',
      keywords: 'a',
      phrases: ['b c', 'd'],
      suggestion: null,
      order: 0,
      body: 'Text',
    })
    for (const bad of [
      'Text',
      good.replace('id: a\n', ''),
      good.replace('title', 'titel'),
      good.replace('A', 'A\nid: b'),
    ])
      assert.throws(() => parseArticle(bad), /article/)
  })

  test('an unknown placeholder is an error, also one that objects inherit', () => {
    assert.equal(fillIn('{{a}} and {{a}}', { a: '$& 1' }), '$& 1 and $& 1')
    for (const text of ['{{b}}', '{{constructor}}'])
      assert.throws(() => fillIn(text, { a: '1' }), /unknown placeholder/)
  })
})
