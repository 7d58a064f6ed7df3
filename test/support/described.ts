/** Reads the OpenAPI description as a client would, and holds real answers against it. */

import assert from 'node:assert/strict'
import type { Answer } from '#test/support/raw-http.ts'
import { TIME, UUID } from './client.ts'

export interface Schema {
  type?: string
  format?: string
  contentMediaType?: string
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

export interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: { in: string; name: string; required: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>
  'x-codeSamples': { lang: string; source: string }[]
}

export interface Description {
  openapi: string
  info: { title: string; version: string; description: string; license: { name: string } }
  servers: { url: string }[]
  components: { securitySchemes: Record<string, Record<string, string>> }
  paths: Record<string, Record<string, Operation>>
}

export function operationsOf({ paths }: Description): { method: string; path: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** The status is documented, with this content type, and the body is as its schema says. */
export function assertAsDescribed({ operationId, responses }: Operation, answer: Answer): void {
  const where = `${operationId} ${answer.status}`
  const response = responses[answer.status]
  assert.ok(response, `${where} is not documented: ${answer.body}`)
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';')
  if (response.content === undefined) {
    assert.deepEqual([type, answer.body], ['', ''], where)
    return
  }
  const { schema } = response.content[type] ?? {}
  assert.ok(schema, `${where} is not documented as ${type}`)
  const fault = faultOf(schema, answer.json(), where)
  assert.equal(fault, null)
}

const FORMATS: Record<string, (text: string) => boolean> = {
  uuid: (text) => UUID.test(text),
  'date-time': (text) => TIME.test(text),
  uri: URL.canParse,
  int64: () => true,
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** What of the value is not as the schema says; undocumented fields are a fault too. Null when all is well. */
function faultOf(schema: Schema, value: unknown, where: string): string | null {
  if (schema.anyOf) {
    const faults = schema.anyOf.map((each) => faultOf(each, value, where))
    return faults.includes(null) ? null : faults.join('; or ')
  }
  const type = typeOf(value)
  if (type !== schema.type && !(type === 'integer' && schema.type === 'number')) {
    return `${where}: ${type}, not ${schema.type}`
  }
  if (schema.enum && !schema.enum.includes(value)) return `${where}: ${value} is none of ${schema.enum}`
  if (schema.const !== undefined && schema.const !== value) return `${where}: ${value} is not ${schema.const}`
  if (schema.format && !FORMATS[schema.format]?.(String(value))) return `${where}: ${value} is not ${schema.format}`
  if (type === 'array') return firstFault((value as unknown[]).map((item) => faultOf(schema.items ?? {}, item, where)))
  return type === 'object' ? faultOfFields(schema, value as Record<string, unknown>, where) : null
}

function faultOfFields({ properties = {}, required = [] }: Schema, value: Record<string, unknown>, where: string) {
  const missing = required.find((name) => !(name in value))
  if (missing) return `${where}: no ${missing}`
  const fields = Object.entries(value).map(([name, field]) => {
    const schema = properties[name]
    return schema ? faultOf(schema, field, `${where}.${name}`) : `${where}.${name} is not documented`
  })
  return firstFault(fields)
}

const firstFault = (faults: (string | null)[]): string | null => faults.find((fault) => fault !== null) ?? null
