/** Problem responses of the OpenAPI document. */
import { type ErrorCode, PROBLEMS, type ProblemKind } from '#base/errors.ts'
import base from './base.json' with { type: 'json' }

/** Rejections before routing, possible for any request. */
export const BEFORE_ROUTING: readonly string[] = ['request_timeout', 'expectation_failed', 'headers_too_large']

const CODES = Object.keys(PROBLEMS) as ErrorCode[]
const STATUSES = [...new Set(CODES.map((code) => PROBLEMS[code].status))].sort((a, b) => a - b)

export const REQUEST_ID = '5f0c2b1e-3d7a-4c58-9e46-8b1f0a2d3c4e'
/** Fixed, so that the document does not depend on the installation. */
const EXAMPLE_URL = 'https://docvet.example.com'

const { schemas } = base.components
const { properties } = schemas.Problem
export const PROBLEM_SCHEMAS = {
  ErrorCode: { ...schemas.ErrorCode, enum: CODES },
  Problem: { ...schemas.Problem, properties: { ...properties, status: { ...properties.status, enum: STATUSES } } },
  FieldError: schemas.FieldError,
}

export type HeaderName = keyof typeof base.components.headers

export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text

/** A problem as a client receives it. */
export function problemExample(code: string, { status, title, help }: ProblemKind, url = EXAMPLE_URL) {
  const errors = code === 'invalid_request' ? [{ field: 'email', message: 'is required' }] : undefined
  return {
    type: `${url}/problems/${code}`,
    title,
    status,
    detail: errors ? 'Invalid request: `email` is required.' : firstSentence(help),
    code,
    requestId: REQUEST_ID,
    ...(errors && { errors }),
  }
}

/** These occur before the rate limit, which all other problems may follow. */
const BEFORE_RATE_LIMIT = [408, 417, 431]
const WITH_RETRY: readonly ErrorCode[] = ['quota_exhausted', 'request_in_progress', 'rate_limited']

function headersOf(status: number, codes: readonly ErrorCode[]): HeaderName[] {
  const names: HeaderName[] = ['X-Request-Id']
  if (status === 503 || codes.some((code) => WITH_RETRY.includes(code))) names.push('Retry-After')
  if (!BEFORE_RATE_LIMIT.includes(status)) names.push('RateLimit-Policy', 'RateLimit')
  if (status === 401) names.push('WWW-Authenticate')
  return names
}

function responseOf(status: number, codes: readonly ErrorCode[]) {
  const [only] = codes
  const lines = codes.map((code) => `- \`${code}\`: ${firstSentence(PROBLEMS[code].help)}`)
  return {
    description: codes.length === 1 && only ? `\`${only}\`: ${PROBLEMS[only].help}` : lines.join('\n'),
    headers: headerRefs(headersOf(status, codes)),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

const componentName = (code: string): string =>
  code.replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())

export interface ProblemComponents {
  responses: Record<string, unknown>
  examples: Record<string, unknown>
}

/** One response per status. Adds the examples to the components, and the responses of statuses with a single code. */
export function problemResponses(codes: readonly ErrorCode[], { responses, examples }: ProblemComponents) {
  for (const code of codes) {
    examples[code] ??= { summary: PROBLEMS[code].title, value: problemExample(code, PROBLEMS[code]) }
  }
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))]
  return Object.fromEntries(
    statuses.map((status) => {
      const same = [...new Set(codes.filter((code) => PROBLEMS[code].status === status))]
      const [only] = same
      if (same.length > 1 || only === undefined) return [status, responseOf(status, same)]
      responses[componentName(only)] ??= responseOf(status, same)
      return [status, { $ref: `#/components/responses/${componentName(only)}` }]
    }),
  )
}
