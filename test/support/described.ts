/** Reads the OpenAPI document as a client would, and checks responses against it. */

import assert from 'node:assert/strict'
import type { Answer } from '#test/support/raw-http.ts'
import { TIME, UUID } from './client.ts'

interface Schema {
  /** True: fields of others, which are not described. */
  additionalProperties?: boolean | object
  type?: string | string[]
  format?: string
  minLength?: number
  maxLength?: number
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
}

interface Media {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

interface Response {
  description: string
  headers: Record<string, { description: string; schema: Schema }>
  content?: Record<string, Media>
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: { in: string; name: string; required: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
  'x-codeSamples': { lang: string; source: string }[]
}

export interface Description {
  openapi: string
  info: { title: string; version: string; description: string; license: { name: string } }
  servers: { url: string }[]
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, Record<string, string>> }
  paths: Record<string, Record<string, Operation>>
}

/** Replaces every local `$ref` by its target. */
export function dereferenced<T>(document: T, node: unknown = document): T {
  if (Array.isArray(node)) return node.map((item) => dereferenced(document, item)) as T
  if (typeof node !== 'object' || node === null) return node as T
  if ('$ref' in node) {
    const steps = String(node.$ref).split('/').slice(1)
    const target = steps.reduce<unknown>((from, step) => (from as Record<string, unknown>)[step], document)
    assert.ok(target, `${node.$ref} does not exist`)
    return dereferenced(document, target)
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, dereferenced(document, value)])) as T
}

export function operationsOf({ paths }: Description): { method: string; path: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** Headers that are part of the interface; the others are the same on every response. */
const DOCUMENTED = /^(x-request-id|retry-after|ratelimit|ratelimit-policy|www-authenticate|set-cookie|clear-site-data)$/

/** The status, the content type and the headers are documented, and the body conforms to its schema. */
export function assertAsDescribed({ operationId, responses }: Operation, answer: Answer): void {
  const where = `${operationId} ${answer.status}`
  const response = responses[answer.status]
  assert.ok(response, `${where} is not documented: ${answer.body}`)
  const headers = Object.keys(response.headers).map((name) => name.toLowerCase())
  for (const name of Object.keys(answer.headers).filter((each) => DOCUMENTED.test(each))) {
    assert.ok(headers.includes(name), `${where}: the header ${name} is not documented`)
  }
  assert.ok(answer.headers['x-request-id'], where)
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';')
  if (response.content === undefined) {
    assert.deepEqual([type, answer.body], ['', ''], where)
    return
  }
  const { schema } = response.content[type] ?? {}
  assert.ok(schema, `${where} is not documented as ${type}`)
  assert.equal(faultOf(schema, answer.json(), where), null)
}

const FORMATS: Record<string, (text: string) => boolean> = {
  uuid: (text) => UUID.test(text),
  'date-time': (text) => TIME.test(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text),
  uri: URL.canParse,
  int64: () => true,
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** The first violation of the schema, undocumented fields included; null if there is none. */
export function faultOf(schema: Schema, value: unknown, where: string): string | null {
  if (schema.anyOf) {
    const faults = schema.anyOf.map((each) => faultOf(each, value, where))
    return faults.includes(null) ? null : faults.join('; or ')
  }
  const type = typeOf(value)
  if (schema.type !== undefined && ![schema.type].flat().includes(type)) return `${where}: ${type}, not ${schema.type}`
  if (schema.enum && !schema.enum.includes(value)) return `${where}: ${value} is none of ${schema.enum}`
  if (schema.const !== undefined && schema.const !== value) return `${where}: ${value} is not ${schema.const}`
  if (value !== null && schema.format && !FORMATS[schema.format]?.(String(value)))
    return `${where}: ${value} is not ${schema.format}`
  if (type === 'array') return firstFault((value as unknown[]).map((item) => faultOf(schema.items ?? {}, item, where)))
  return type === 'object' ? faultOfFields(schema, value as Record<string, unknown>, where) : null
}

function faultOfFields(
  { properties = {}, required = [], additionalProperties }: Schema,
  value: Record<string, unknown>,
  where: string,
) {
  const missing = required.find((name) => !(name in value))
  if (missing) return `${where}: no ${missing}`
  const fields = Object.entries(value).map(([name, field]) => {
    const schema = properties[name]
    if (schema) return faultOf(schema, field, `${where}.${name}`)
    return additionalProperties === true ? null : `${where}.${name} is not documented`
  })
  return firstFault(fields)
}

const firstFault = (faults: (string | null)[]): string | null => faults.find((fault) => fault !== null) ?? null
