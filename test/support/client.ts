/** Client helpers: accounts, keys and exact response shapes. */

import assert from 'node:assert/strict'
import { type Answer, request, send } from '#test/support/raw-http.ts'

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
export const KEY = /^dv_live_[0-9A-Za-z]{38}$/
export const UNKNOWN_ID = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'

/** A well-formed key that does not exist, so that only the database can reject it. */
export const UNKNOWN_KEY = 'dv_live_0000000000000000000000000000000003jwYK'

interface Account {
  accountId: string
  email: string
  plan: string
  apiKey: string
  keyPrefix: string
}

interface CreatedKey {
  id: string
  name: string
  apiKey: string
  keyPrefix: string
}

export interface KeySummary {
  id: string
  name: string
  keyPrefix: string
  lastFour: string
  status: string
  createdAt: string
  lastUsedAt: string | null
  /** Only for the key of the dashboard. */
  dashboard?: true
  /** Only where they are set. */
  scopes?: string[]
  expiresAt?: string
  allowedAddresses?: string[]
  lastUsedAddress?: string
  rolledInto?: string
}

let people = 0
export const newEmail = (): string => `person${++people}.${process.pid}@example.com`

export const withKey = (key: string): { 'x-api-key': string } => ({ 'x-api-key': key })

function expected<T>(answer: Answer, status: number): T {
  assert.equal(answer.status, status, answer.body)
  return answer.json() as T
}

export async function signUp(port: number, email = newEmail()): Promise<Account> {
  return expected(await request(port, 'POST', '/api/v1/signup', { body: { email } }), 201)
}

export function postKey(port: number, key: string, body?: unknown): Promise<Answer> {
  return request(port, 'POST', '/api/v1/keys', { headers: withKey(key), body })
}

export async function createKey(port: number, key: string, name?: string): Promise<CreatedKey> {
  return expected(await postKey(port, key, name === undefined ? undefined : { name }), 201)
}

export async function listKeys(port: number, key: string): Promise<KeySummary[]> {
  return expected(await request(port, 'GET', '/api/v1/keys', { headers: withKey(key) }), 200)
}

export function revokeKey(port: number, key: string, id: string): Promise<Answer> {
  return request(port, 'DELETE', `/api/v1/keys/${id}`, { headers: withKey(key) })
}

export function usage(port: number, headers: Record<string, string>): Promise<Answer> {
  return request(port, 'GET', '/api/v1/usage', { headers })
}

/** Sends these bytes as the whole request and returns the only response. */
export async function sendOne(port: number, bytes: string | Buffer, timeoutMs = 30_000): Promise<Answer> {
  const { responses, rest } = await send(port, bytes, { timeoutMs })
  assert.deepEqual([responses.length, rest], [1, ''], `one answer to ${JSON.stringify(String(bytes).slice(0, 200))}`)
  return responses[0]!
}

/** A request with exactly these header lines, and `Connection: close`. */
export function rawRequest(line: string, headerLines: string[] = [], body: string | Buffer = ''): Buffer {
  const head = [`${line} HTTP/1.1`, 'Host: docvet.test', 'Connection: close', ...headerLines, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)])
}

type Expected = string | number | null | RegExp

/** Asserts exactly these fields; values are compared or matched by expression. */
export function assertFields(value: unknown, fields: Record<string, Expected>): void {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), `not an object: ${value}`)
  assert.deepEqual(Object.keys(value).sort(), Object.keys(fields).sort())
  for (const [name, found] of Object.entries(value)) {
    const wanted = fields[name]!
    if (wanted instanceof RegExp) {
      assert.equal(typeof found, 'string', name)
      assert.match(found, wanted, name)
    } else assert.equal(found, wanted, name)
  }
}
