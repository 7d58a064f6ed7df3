/** Describes one route as an OpenAPI operation. */
import type { RouteOptions } from 'fastify'
import type { ErrorCode } from '#base/errors.ts'
import { exampleOf } from '#http/docs/json-schema.ts'
import type { Credential } from '#http/identify.ts'
import { curlExample } from './curl-example.ts'
import operations from './operations.json' with { type: 'json' }
import { type HeaderName, headerRefs, type ProblemComponents, problemResponses } from './problems.ts'
import type { JsonSchema } from './schemas.ts'

/** Each operation has its texts in operations.json. */
export type OperationId = keyof typeof operations

interface Components extends ProblemComponents {
  refer: (schema: JsonSchema) => JsonSchema
}

/** Possible on every URL, before the route runs or whatever it does. */
const ANYWHERE: ErrorCode[] = [
  'invalid_request',
  'request_timeout',
  'body_too_large',
  'unsupported_content_type',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
]

const KEY = [{ apiKey: [] }, { bearer: [] }]
const SESSION = [{ session: [] }]
const SECURITY: Record<Credential, object[]> = {
  none: [],
  key: KEY,
  session: SESSION,
  'key or session': [...KEY, ...SESSION],
  'key or push token': KEY,
}

function problemsOf({ config, method }: RouteOptions): ErrorCode[] {
  const isUnsafe = method !== 'GET' && method !== 'HEAD'
  const usesSession = config?.ownSite || config?.credential?.includes('session')
  return [
    ...ANYWHERE.filter((code) => code !== 'body_too_large' || !config?.streamed),
    ...(config?.unlimited ? [] : (['rate_limited', 'storage_unavailable'] as const)),
    ...(config?.credential === 'none' ? [] : (['unauthenticated'] as const)),
    ...(config?.scopes ? (['key_scope'] as const) : []),
    ...(config?.role && config.role !== 'person' && config.role !== 'viewer' ? (['role_forbidden'] as const) : []),
    ...(isUnsafe && usesSession ? (['cross_site'] as const) : []),
    ...(config?.problems ?? []),
  ]
}

const schemaOf = (schema: unknown): JsonSchema => schema as JsonSchema

function parametersOf(place: 'path' | 'query' | 'header', schema: unknown, { refer }: Components) {
  const { properties = {}, required = [] } = schemaOf(schema ?? {})
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema: refer(rest),
    example: exampleOf(rest),
  }))
}

function bodyOf({ schema, config }: RouteOptions, { refer }: Components) {
  const body = schemaOf(config?.streamed ?? schema?.body)
  if (body === undefined) return undefined
  const media = config?.streamed
    ? { 'multipart/form-data': { schema: refer(body) } }
    : { 'application/json': { schema: refer(body), example: exampleOf(body) } }
  return { description: body.description, required: !config?.bodyOptional, content: media }
}

function successHeaders(status: string, { config }: RouteOptions): HeaderName[] {
  return [
    'X-Request-Id',
    ...(config?.unlimited ? [] : (['RateLimit-Policy', 'RateLimit'] as const)),
    ...(status === '503' ? (['Retry-After'] as const) : []),
    ...(status === '202' && config?.streamed ? (['Location', 'Preference-Applied', 'Retry-After'] as const) : []),
    ...(config?.startsSession || config?.endsSession ? (['Set-Cookie'] as const) : []),
    ...(config?.endsSession ? (['Clear-Site-Data'] as const) : []),
  ]
}

function responsesOf(route: RouteOptions, { refer }: Components) {
  return Object.fromEntries(
    Object.entries((route.schema?.response ?? {}) as Record<string, JsonSchema>).map(([status, schema]) => {
      const examples = route.config?.examples?.[status]
      const media = {
        schema: refer(schema),
        ...(examples
          ? { examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])) }
          : { example: exampleOf(schema) }),
      }
      const response = {
        description: schema.description,
        headers: headerRefs(successHeaders(status, route)),
        ...(schema.type !== 'null' && {
          content: { ...plainTextOf(route), [route.config?.mediaType ?? 'application/json']: media },
        }),
      }
      return [status, response]
    }),
  )
}

const plainTextOf = ({ config }: RouteOptions) =>
  config?.plainText ? { 'text/plain': { schema: { type: 'string' } } } : {}

export function describeOperation(route: RouteOptions, components: Components) {
  const { config, schema } = route
  const operationId = schema?.operationId as OperationId
  const parameters = [
    ...parametersOf('path', schema?.params, components),
    ...parametersOf('query', schema?.querystring, components),
    ...parametersOf('header', config?.describedHeaders, components),
  ]
  const requestBody = bodyOf(route, components)
  return {
    operationId,
    ...operations[operationId],
    security: SECURITY[config?.credential ?? 'none'],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...problemResponses(problemsOf(route), components), ...responsesOf(route, components) },
    'x-codeSamples': [curlExample(route)],
  }
}
