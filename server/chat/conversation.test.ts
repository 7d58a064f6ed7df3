/** Validation of conversations and removal of invisible characters. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { MESSAGE_LENGTH_MAX, type Message, readConversation, visible } from './conversation.ts'

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })

function refused(messages: Message[], field: string): void {
  assert.throws(
    () => readConversation(messages),
    (error: unknown) =>
      error instanceof AppError && error.code === 'invalid_conversation' && error.errors?.[0]?.field === field,
  )
}

describe('invisible characters', () => {
  const INVISIBLE: [string, string][] = [
    ['zero-width', '\u200b\u200c\u200d\u2060\ufeff'],
    ['direction', '\u202a\u202e\u2066\u2069\u200e\u200f'],
    ['tags', '\u{e0001}\u{e0049}\u{e007f}'],
    ['variation selectors', '\ufe0f\ufe00\u{e0100}\u{e01ef}'],
    ['fillers and blanks', '\u115f\u1160\u3164\uffa0\u2800\u034f\u180e\u00ad'],
    ['control', '\u0000\u0007\u001b\u007f\u0085'],
    ['line and paragraph separators', '\u2028\u2029'],
    ['private and unassigned', '\ue000\u{f0000}\u0378'],
    ['half characters', '\ud800'],
  ]
  for (const [name, characters] of INVISIBLE) {
    test(`${name} are removed`, () => {
      for (const character of characters) assert.equal(visible(`a${character}b`), 'ab', escape(character))
    })
  }

  test('line breaks, tabs and visible characters stay', () => {
    assert.equal(visible(' a\r\nb\tc äß 漢字 ✓ 😀 '), 'a\nb\tc äß 漢字 ✓ 😀')
  })

  test('look-alike letters are normalised', () => {
    assert.equal(visible('ｉｇｎｏｒｅ 𝐚𝐥𝐥 ﬁle'), 'ignore all file')
  })
})

describe('a conversation', () => {
  test('is split into the last message and the earlier ones', () => {
    assert.deepEqual(readConversation([user('a'), assistant('b'), user(' c\u200b ')]), {
      earlier: [user('a'), assistant('b')],
      question: 'c',
    })
  })

  test('must end with a message of the user', () => {
    refused([user('a'), assistant('b')], 'messages.1.role')
    refused([], 'messages.0.role')
  })

  test('is rejected if a message is too long after normalisation', () => {
    const long = 'x'.repeat(MESSAGE_LENGTH_MAX - 3)
    assert.equal(readConversation([user(`${long}…`)]).question, `${long}...`)
    refused([user(`${long}x…`)], 'messages.0.content')
    refused([user('\ufdfa'.repeat(MESSAGE_LENGTH_MAX)), user('a')], 'messages.0.content')
  })

  test('is rejected if a message contains U+0000 or an unpaired surrogate', () => {
    for (const content of ['a\0b', '\0', 'a\ud800b', '\udc00a', '\udc00\ud800']) {
      refused([user(content)], 'messages.0.content')
      refused([user('a'), assistant(content), user('b')], 'messages.1.content')
    }
    assert.equal(readConversation([user('a 😀')]).question, 'a 😀')
  })

  test('is rejected if a message has no visible characters', () => {
    for (const nothing of [' ', '\n\t ', '\u200b', '\u3164\u2800']) {
      refused([user(nothing)], 'messages.0.content')
      refused([user(nothing), user('a')], 'messages.0.content')
    }
  })
})
