/** What gets out over HTTP: attacks with a model that obeys, questions with one that is faithful. Rows C2, C4 to C7. */

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

/** Row C4: never anything but the refusal. For the others, the article on what they pretend to ask is an answer too. */
const OFF_TOPIC = ['poem', 'code', 'politics', 'medical', 'trivia', 'recipe', 'arithmetic', 'legal', 'finance', 'joke']

/** Whole paragraphs of the first article, and not a word of the model's. */
function isFromArticle(said: string, body: string): boolean {
  const paragraphs = articlesIn(readAsked(body).system)[0]?.text.split('\n\n') ?? []
  return said.split('\n\n').every((paragraph) => paragraphs.includes(paragraph))
}

describe('a model that obeys whatever it is asked', () => {
  for (const { kind, question, earlier } of ATTACKS) {
    test(`${kind}: ${question.slice(0, 70)}`, async () => {
      await peer.behave('gullible')
      const before = earlier.map((content, index) => (index % 2 ? assistant(content) : user(content)))
      const answer = await ask(service.port, ...before, question)
      const said = replyOf(answer)
      const seen = await peer.seen()
      const isOwn = seen.length > 0 && !OFF_TOPIC.includes(kind) && isFromArticle(said, seen[0]!.body)
      assert.ok(REFUSAL.test(said) || NO_VERDICT.test(said) || isOwn, said)
      assert.equal((answer.json() as { model: string }).model, seen.length > 0 ? REPORTED_MODEL : CHAT_MODEL)
      for (const { body } of seen) assert.ok(!said.includes(canaryIn(readAsked(body).system)))
    })
  }

  test('enough of them reached the model: the check on the question is not all there is', async () => {
    let reached = 0
    for (const { question, earlier } of ATTACKS) {
      await peer.behave('gullible')
      const before = earlier.map((content, index) => (index % 2 ? assistant(content) : user(content)))
      await ask(service.port, ...before, question)
      reached += (await peer.seen()).length
    }
    assert.ok(reached >= 12, `${reached} of ${ATTACKS.length}`)
  })
})

describe('a model that is faithful', () => {
  test('answers every question about the service, with the right article in the prompt', async () => {
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

describe('what a model says', () => {
  const QUESTION = 'How is my quota counted?'
  const GOOD = 'The quota counts scans per API key and UTC calendar month.'
  const ARTICLE = /^The quota counts scans per API key and UTC calendar month, and only a delivered verdict is charged:/
  const CASES: [string, ReturnType<typeof reply>, RegExp][] = [
    ['off topic by its own word: the fixed refusal', reply('Ask me about football.', false), REFUSAL],
    ['a foreign link', reply(`${GOOD} See https://evil.example/quota`), REFUSAL],
    ['a markdown image', reply(`${GOOD} ![quota](https://evil.example/x.png)`), REFUSAL],
    ['a javascript: link', reply(`${GOOD} [quota](javascript:alert(1))`), REFUSAL],
    ['a verdict', reply('Your file is clean.'), NO_VERDICT],
    ['an action', reply('I have revoked your key.'), NO_VERDICT],
    ['something it made up: our article', reply('The quota was invented by Napoleon in Egypt.'), ARTICLE],
    ['a number of its own: our article', reply('The quota counts 777 scans per API key.'), ARTICLE],
    ['a secret wanted', reply('Write your API key here.'), REFUSAL],
    [
      'an element: its text only',
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

describe('honest answers in words of their own', () => {
  test('get out as they are, one of each kind', async () => {
    for (const { question, answer } of OWN_WORDS.filter((_, index) => index % 6 === 0)) {
      await peer.behave(reply(answer))
      assert.equal(replyOf(await ask(service.port, question)), answer, question)
    }
  })
})

describe('what a model sees', () => {
  test('no key, no account, no setting that is secret', async () => {
    await peer.behave('faithful')
    const { apiKey, email, accountId } = await signUp(service.port)
    await ask(service.port, 'Which keys does my account have?')
    const body = (await peer.seen()).map((seen) => seen.body).join()
    for (const secret of [apiKey, email, accountId, CHAT_KEY, service.dataDir])
      assert.ok(!body.includes(secret), secret)
  })

  test('a new mark in every prompt', async () => {
    await peer.behave('faithful')
    await ask(service.port, 'How is my quota counted?')
    await ask(service.port, 'How is my quota counted?')
    const marks = (await peer.seen()).map(({ body }) => canaryIn(readAsked(body).system))
    assert.equal(new Set(marks).size, 2)
    assert.match(marks.join(), /^[0-9a-f]{24},[0-9a-f]{24}$/)
  })
})
