/** What a review tried, all the way from the question to what gets out. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FOLLOW_UPS, REVIEW_ATTACKS, REVIEW_HONEST, SMALL_TALK } from '#test/support/chat/reviewed.ts'
import type { Message } from './conversation.ts'
import { answered, judge, promptFor } from './testing/judge.ts'

describe('attempts', () => {
  for (const [question, reply] of REVIEW_ATTACKS) {
    test(`${question.slice(0, 60)} ${reply.slice(0, 80)}`, () => assert.notEqual(answered(question, reply), 'answer'))
  }

  test('markup that is no element any more may get out, as text', () => {
    for (const reply of [
      'The service scans documents. <scan onclick=key() ',
      'The service scans documents. <picture>docs</picture> <plaintext>',
      'The service scans documents. ![image][docs] and ![image](data(1)/docvet.png)',
    ]) {
      const judged = judge(reply, promptFor('How do I scan a document with an example?'))
      assert.ok(judged.kind !== 'answer' || !/<|!\[|\]\(/.test(judged.text), JSON.stringify(judged))
    }
  })
})

describe('honest questions', () => {
  for (const [question, answer] of REVIEW_HONEST) {
    test(`${question.slice(0, 60)} ${answer.slice(0, 40)}`, () => assert.equal(answered(question, answer), 'answer'))
  }

  const ROTATE: Message[] = [
    { role: 'user', content: 'How do I rotate an API key?' },
    { role: 'assistant', content: 'Create a new key, put it into your program, then revoke the old one.' },
  ]
  const SAID = 'Create a new key, put it into your program, and then revoke the old one.'
  for (const question of FOLLOW_UPS) {
    test(`follow-up: ${question}`, () => assert.equal(answered(question, SAID, ROTATE), 'answer'))
  }
  for (const question of SMALL_TALK) {
    test(`small talk: ${question}`, () => assert.equal(answered(question, SAID, ROTATE), 'no model'))
  }
})
