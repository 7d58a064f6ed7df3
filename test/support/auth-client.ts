/** A user with a browser session: sign-up, sign-in, and same-origin requests. */

import assert from 'node:assert/strict'
import { type Answer, request } from '#test/support/raw-http.ts'
import { newEmail } from './client.ts'

export const COOKIE = /^docvet_session=([A-Za-z0-9_-]{43}); Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/
export const GOOD_PASSWORD = 'a meadow full of crickets'

export interface Person {
  email: string
  password: string
  /** Value for the Cookie header. */
  cookie: string
}

type Headers = Record<string, string>

export const ownPage = (port: number): Headers => ({ origin: `http://127.0.0.1:${port}` })

export function postAuth(port: number, name: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
  return request(port, 'POST', `/api/v1/auth/${name}`, { headers, body })
}

/** The cookie set by a response. */
export function cookieOf(answer: Answer): string {
  const token = COOKIE.exec(answer.headers['set-cookie'] ?? '')?.[1]
  assert.ok(token, `no cookie: ${answer.status} ${answer.headers['set-cookie']} ${answer.body}`)
  return `docvet_session=${token}`
}

export async function signUpPerson(port: number, email = newEmail(), password = GOOD_PASSWORD): Promise<Person> {
  const answer = await postAuth(port, 'signup', { email, password })
  assert.equal(answer.status, 201, answer.body)
  return { email, password, cookie: cookieOf(answer) }
}

export function signIn(port: number, email: string, password: string, headers: Headers = {}): Promise<Answer> {
  return postAuth(port, 'login', { email, password }, headers)
}

export function me(port: number, cookie: string): Promise<Answer> {
  return request(port, 'GET', '/api/v1/auth/me', { headers: { cookie } })
}

/** As a script on one of the service's pages. */
export function asPage(port: number, cookie: string, method: string, path: string, body?: unknown): Promise<Answer> {
  return request(port, method, path, { headers: { cookie, ...ownPage(port) }, body })
}
