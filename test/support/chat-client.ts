/** A client of the assistant. */
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

export function postChat(port: number, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return request(port, 'POST', '/api/v1/chat', { headers, body, timeoutMs: 60_000 })
}

/** Settings of a service that accepts X-Forwarded-For from the tests, so that questions come from many addresses. */
export const TRUSTING = { DOCVET_TRUSTED_PROXIES: '127.0.0.1' }
export const from = (address: number): Record<string, string> => ({ 'x-forwarded-for': `203.0.113.${address}` })
export const askFrom = (port: number, address: number, question: string): Promise<Answer> =>
  postChat(port, { messages: [user(question)] }, from(address))

export const ask = (port: number, ...messages: (string | ChatMessage)[]): Promise<Answer> =>
  postChat(port, { messages: messages.map((each) => (typeof each === 'string' ? user(each) : each)) })

/** The reply of a 200. */
export function replyOf(answer: Answer): string {
  assert.equal(answer.status, 200, answer.body)
  return (answer.json() as { reply: string }).reply
}
