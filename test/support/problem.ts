/** Assertions on headers and problem details of every response. */

import assert from 'node:assert/strict'
import type { Answer } from '#test/support/raw-http.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const WHOLE_SECONDS = /^[1-9]\d*$/

/** The only text that an internal error shows. */
const SURPRISE = 'The service failed to process this request. The error was logged.'

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  code: string
  requestId: string
  errors?: { field: string; message: string }[]
}

const ON_EVERY_ANSWER = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Headers that no response may carry: software versions, CORS, internals. */
const ON_NO_ANSWER = ['server', 'x-powered-by', 'via', 'access-control-allow-origin', 'set-cookie']

/** All responses except pages and stylesheets, which have their own policy and caching. */
export function assertApiHeaders(answer: Answer): void {
  assertHeaders(answer)
  assert.equal(answer.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
  assert.equal(answer.headers['cache-control'], 'no-store')
}

export function assertHeaders({ headers, rawHeaders }: Answer): void {
  for (const [name, value] of Object.entries(ON_EVERY_ANSWER)) assert.equal(headers[name], value, name)
  for (const name of ON_NO_ANSWER) assert.equal(headers[name], undefined, `${name} is on an answer`)
  assert.match(headers['x-request-id'] ?? '', UUID)
  assert.ok(headers['content-security-policy'], 'an answer without a content security policy')
  assert.doesNotMatch(JSON.stringify(rawHeaders), /fastify|node\.?js|docvet\/\d/i)
  const names = rawHeaders.map(([name]) => name.toLowerCase())
  assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted(), 'a header is sent twice')
}

/** Asserts an RFC 9457 problem and returns its body. */
export function assertProblem(answer: Answer | undefined, status: number, code: string): Problem {
  assert.ok(answer, `no answer where ${status} ${code} was expected`)
  assert.equal(answer.status, status, `expected ${status} ${code}, got ${answer.status} ${answer.body}`)
  assertApiHeaders(answer)
  assertRefusalHeaders(answer)
  const problem = answer.json() as Problem
  const { errors, ...fixed } = problem
  assert.deepEqual(Object.keys(fixed).sort(), ['code', 'detail', 'requestId', 'status', 'title', 'type'])
  assert.equal(problem.code, code, answer.body)
  assert.equal(problem.status, status)
  assert.equal(problem.requestId, answer.headers['x-request-id'])
  assert.equal(new URL(problem.type).pathname, `/problems/${code}`)
  for (const text of [problem.title, problem.detail]) assert.ok(typeof text === 'string' && text.length > 5, text)
  if (errors !== undefined) assertFieldErrors(errors)
  if (status === 500) assert.equal(problem.detail, SURPRISE)
  assertNothingInternal(answer.body)
  return problem
}

/** The same for HEAD, by headers only. */
export function assertBodilessProblem(answer: Answer | undefined, status: number): void {
  assert.equal(answer?.status, status)
  assertApiHeaders(answer)
  assertRefusalHeaders(answer)
  assert.equal(answer.body, '')
}

function assertRefusalHeaders({ status, headers }: Answer): void {
  assert.equal(headers['content-type'], 'application/problem+json')
  if (status === 401) assert.equal(headers['www-authenticate'], 'Bearer realm="docvet"')
  if (status === 405) assert.match(headers.allow ?? '', /^[A-Z]+(, [A-Z]+)*$/)
  if (status === 429 || status === 503) assert.match(headers['retry-after'] ?? '', WHOLE_SECONDS)
  if (status === 429) assert.ok(headers.ratelimit && headers['ratelimit-policy'], '429 without its limits')
}

function assertFieldErrors(errors: unknown[]): void {
  assert.ok(errors.length > 0)
  for (const error of errors as Record<string, unknown>[]) {
    assert.deepEqual(Object.keys(error).sort(), ['field', 'message'])
    for (const text of Object.values(error)) assert.ok(typeof text === 'string' && text.length > 0)
  }
}

/** No stack trace, file name, library name or SQL. */
export function assertNothingInternal(body: string): void {
  assert.doesNotMatch(body, /\bat \w+ \(|node_modules|\.ts\b|\/work\/|\/tmp\/|file:\/\//)
  assert.doesNotMatch(body, /fastify|FST_ERR|ajv|sqlite|postgres|kysely|redis|ECONN|HPE_|\bselect\b.*\bfrom\b/i)
}

export const fieldsOf = (problem: Problem): string[] => (problem.errors ?? []).map(({ field }) => field)
