/** The assistant as a client sees it. */
import assert from 'node:assert/strict'
import { type Answer, request } from '#test/support/raw-http.ts'

export interface ChatMessage {
  role: string
  content: string
}

export const REFUSAL = /^I can only help with Docvet\b/
export const NO_VERDICT = /^I cannot say whether a particular file is clean or infected\b/

export const user = (content: string): ChatMessage => ({ role: 'user', content })
export const assistant = (content: string): ChatMessage => ({ role: 'assistant', content })

export function postChat(port: number, body: unknown, timeoutMs = 60_000): Promise<Answer> {
  return request(port, 'POST', '/api/v1/chat', { body, timeoutMs })
}

export const ask = (port: number, ...messages: (string | ChatMessage)[]): Promise<Answer> =>
  postChat(port, { messages: messages.map((each) => (typeof each === 'string' ? user(each) : each)) })

/** The reply of a 200. */
export function replyOf(answer: Answer): string {
  assert.equal(answer.status, 200, answer.body)
  return (answer.json() as { reply: string }).reply
}
