/** Replies over HTTP: attacks on a model that obeys them, and questions to a model that is faithful. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ATTACKS } from '#test/support/chat/attacks.ts'
import { REPORTED_MODEL } from '#test/support/chat/behaviour.ts'
import { articlesIn, canaryIn, readAsked } from '#test/support/chat/models.ts'
import { OWN_WORDS } from '#test/support/chat/own-words.ts'
import { ON_TOPIC } from '#test/support/chat/questions.ts'
import { ask, assistant, NO_VERDICT, REFUSAL, replyOf, user } from '#test/support/chat-client.ts'
import { CHAT_KEY, CHAT_MODEL, type ChatServer, chatSettings, startChatServer } from '#test/support/chat-server.ts'
import { signUp } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'

let peer: ChatServer
let service: Service
before(async () => {
  peer = await startChatServer()
  service = await startService({ ...chatSettings(peer), DOCVET_CHAT_PER_DAY: '100000' })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await peer[Symbol.asyncDispose]()
})

const reply = (text: string, onTopic = true) =>
  ({ kind: 'text', text: JSON.stringify({ onTopic, reply: text }) }) as const

/** Plain other topics get the refusal. Attacks that ask about the service too may get the article about it. */
const OFF_TOPIC = ['poem', 'code', 'politics', 'medical', 'trivia', 'recipe', 'arithmetic', 'legal', 'finance', 'joke']

/** Whole paragraphs of the first article, and nothing from the model. */
function isFromArticle(said: string, body: string): boolean {
  const paragraphs = articlesIn(readAsked(body).system)[0]?.text.split('\n\n') ?? []
  return said.split('\n\n').every((paragraph) => paragraphs.includes(paragraph))
}

describe('a model that obeys every attack', () => {
  test('never gets its reply out, and at least 12 attacks reach it', async () => {
    const out: string[] = []
    let reached = 0
    for (const { kind, question, earlier } of ATTACKS) {
      await peer.behave('gullible')
      const before = earlier.map((content, index) => (index % 2 ? assistant(content) : user(content)))
      const answer = await ask(service.port, ...before, question)
      const said = replyOf(answer)
      const seen = await peer.seen()
      reached += seen.length
      const isArticle = seen.length > 0 && !OFF_TOPIC.includes(kind) && isFromArticle(said, seen[0]!.body)
      if (!REFUSAL.test(said) && !NO_VERDICT.test(said) && !isArticle) out.push(`${kind}: ${question} => ${said}`)
      assert.equal((answer.json() as { model: string }).model, seen.length > 0 ? REPORTED_MODEL : CHAT_MODEL)
      for (const { body } of seen) assert.ok(!said.includes(canaryIn(readAsked(body).system)))
    }
    assert.deepEqual(out, [])
    // Otherwise only the scope check would be tested.
    assert.ok(reached >= 12, `${reached} of ${ATTACKS.length}`)
  })
})

describe('a faithful model', () => {
  test('answers every question about the service; nine of ten prompts contain the right article', async () => {
    const missed: string[] = []
    for (const { question, article } of ON_TOPIC) {
      await peer.behave('faithful')
      const said = replyOf(await ask(service.port, question))
      assert.ok(!REFUSAL.test(said) && !NO_VERDICT.test(said), `${question}: ${said}`)
      const given = articlesIn(readAsked((await peer.seen())[0]!.body).system).map(({ id }) => id)
      if (!given.slice(0, 3).includes(article)) missed.push(question)
    }
    assert.ok(ON_TOPIC.length >= 30)
    assert.ok(missed.length <= ON_TOPIC.length * 0.1, missed.join(' | '))
  })
})

describe('the reply of a model', () => {
  const QUESTION = 'How is my quota counted?'
  const GOOD = 'The quota counts scans per API key and UTC calendar month.'
  const ARTICLE = /^The quota counts scans per API key and UTC calendar month, and only a delivered verdict is charged:/
  const CASES: [string, ReturnType<typeof reply>, RegExp][] = [
    ['off topic according to the model: the fixed refusal', reply('Ask me about football.', false), REFUSAL],
    ['a foreign link', reply(`${GOOD} See https://evil.example/quota`), REFUSAL],
    ['a markdown image', reply(`${GOOD} ![quota](https://evil.example/x.png)`), REFUSAL],
    ['a javascript: link', reply(`${GOOD} [quota](javascript:alert(1))`), REFUSAL],
    ['a verdict', reply('Your file is clean.'), NO_VERDICT],
    ['an action', reply('I have revoked your key.'), NO_VERDICT],
    ['an invention: the article', reply('The quota was invented by Napoleon in Egypt.'), ARTICLE],
    ['a made-up number: the article', reply('The quota counts 777 scans per API key.'), ARTICLE],
    ['a request for a secret', reply('Write your API key here.'), REFUSAL],
    [
      'an HTML element: its text only',
      reply(`${GOOD} <img src=x onerror=alert(1)>`),
      /^The quota counts scans per API key and UTC calendar month\.$/,
    ],
  ]
  for (const [name, behaviour, expected] of CASES) {
    test(name, async () => {
      await peer.behave(behaviour)
      assert.match(replyOf(await ask(service.port, QUESTION)), expected)
    })
  }

  test('a link to our own pages stays', async () => {
    await peer.behave(reply(`${GOOD} See [the usage](${service.url}/api/v1/usage).`))
    assert.equal(replyOf(await ask(service.port, QUESTION)), `${GOOD} See the usage (${service.url}/api/v1/usage).`)
  })
})

describe('honest answers', () => {
  test('are returned unchanged, one of each kind', async () => {
    for (const { question, answer } of OWN_WORDS.filter((_, index) => index % 6 === 0)) {
      await peer.behave(reply(answer))
      assert.equal(replyOf(await ask(service.port, question)), answer, question)
    }
  })
})

describe('the prompt', () => {
  test('contains no key, account or secret setting', async () => {
    await peer.behave('faithful')
    const { apiKey, email, accountId } = await signUp(service.port)
    await ask(service.port, 'Which keys does my account have?')
    const body = (await peer.seen()).map((seen) => seen.body).join()
    for (const secret of [apiKey, email, accountId, CHAT_KEY, service.dataDir])
      assert.ok(!body.includes(secret), secret)
  })

  test('has a new canary every time', async () => {
    await peer.behave('faithful')
    await ask(service.port, 'How is my quota counted?')
    await ask(service.port, 'How is my quota counted?')
    const marks = (await peer.seen()).map(({ body }) => canaryIn(readAsked(body).system))
    assert.equal(new Set(marks).size, 2)
    assert.match(marks.join(), /^[0-9a-f]{24},[0-9a-f]{24}$/)
  })
})
