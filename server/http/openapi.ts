/** The description of the interface, made from the schemas of the routes and from nothing else. */
import swagger, { type SwaggerTransform, type SwaggerTransformObject } from '@fastify/swagger'
import type { FastifySchema, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import type { ErrorCode } from '#base/errors.ts'
import { curlExample } from './curl-example.ts'
import type { Credential } from './identify.ts'
import { PROBLEMS } from './problem-kinds.ts'
import type { Server } from './server.ts'
import type { SessionCookie } from './session-cookie.ts'

export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'A page that explains this kind of problem.' }),
    title: Type.String({ description: 'The kind of problem in a few words.' }),
    status: Type.Integer({ description: 'The same as the status of the response.' }),
    detail: Type.String({ description: 'What was wrong this time, and what to do.' }),
    code: Type.String({ description: 'The name of the problem, for programs.' }),
    requestId: Type.String({ format: 'uuid', description: 'Also in the header X-Request-Id.' }),
    errors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), message: Type.String() }), {
        description: 'The fields at fault.',
      }),
    ),
  },
  { description: 'RFC 9457 problem details.' },
)

const COMMON: ErrorCode[] = ['invalid_request', 'rate_limited', 'internal_error', 'storage_unavailable']
const WITH_CREDENTIAL: ErrorCode[] = ['unauthenticated']
const FROM_OWN_SITE: ErrorCode[] = ['cross_site']
const WITH_BODY: ErrorCode[] = ['body_too_large', 'unsupported_content_type']

const API_DESCRIPTION = `Upload a document, get \`clean\` or \`infected\`.

Every failure is \`application/problem+json\` with a \`code\` for programs and a \`detail\` for people.
Every response carries \`X-Request-Id\`. Times are UTC. Unknown fields and query parameters are refused;
where a JSON object names a field twice, the last one counts. Responses are JSON whatever \`Accept\` says.`

function problemsOf({ config, schema, method }: RouteOptions): ErrorCode[] {
  const isUnsafe = method !== 'GET' && method !== 'HEAD'
  if (config?.unlimited) return []
  return [
    ...COMMON,
    ...(config?.credential === 'none' ? [] : WITH_CREDENTIAL),
    ...(schema?.body || config?.streamed ? WITH_BODY : []),
    ...(isUnsafe && (config?.ownSite || config?.credential?.includes('session')) ? FROM_OWN_SITE : []),
    ...(config?.problems ?? []),
  ]
}

/** One response per status; its description lists the codes that come with it. */
function problemResponses(codes: readonly ErrorCode[]): Record<string, unknown> {
  const responses: Record<string, unknown> = {}
  for (const status of [...new Set(codes.map((code) => PROBLEMS[code].status))].sort()) {
    const names = codes.filter((code) => PROBLEMS[code].status === status).map((code) => `\`${code}\``)
    responses[status] = {
      description: names.join(', '),
      content: { 'application/problem+json': { schema: Problem } },
    }
  }
  return responses
}

const WITH_KEY = [{ apiKey: [] }, { bearer: [] }]
const WITH_SESSION = [{ session: [] }]
const SECURITY: Record<Credential, object[]> = {
  none: [],
  key: WITH_KEY,
  session: WITH_SESSION,
  'key or session': [...WITH_KEY, ...WITH_SESSION],
}

const transform: SwaggerTransform = ({ schema, url, route }) => {
  if (!schema || schema.hide) return { schema, url }
  const { querystring: _none, ...shown } = schema as FastifySchema & Record<string, unknown>
  const security = SECURITY[route.config?.credential ?? 'none']
  const response = { ...problemResponses(problemsOf(route)), ...(schema.response as object) }
  const form = route.config?.streamed && { body: route.config.streamed, consumes: ['multipart/form-data'] }
  return {
    url,
    schema: {
      ...shown,
      ...form,
      ...(route.config?.describedHeaders && { headers: route.config.describedHeaders }),
      security,
      response,
      'x-codeSamples': [curlExample(route)],
      ...(route.config?.bodyOptional && { [BODY_OPTIONAL]: true }),
    } as FastifySchema,
  }
}

/** The generator calls every body required. Marked on the way in, corrected on the way out. */
const BODY_OPTIONAL = 'x-body-optional'

const transformObject: SwaggerTransformObject = (found) => {
  if (!('openapiObject' in found)) return found.swaggerObject
  const { openapiObject } = found
  for (const path of Object.values(openapiObject.paths ?? {})) {
    for (const operation of Object.values(path ?? {}) as Record<string, unknown>[]) {
      if (!operation[BODY_OPTIONAL]) continue
      delete operation[BODY_OPTIONAL]
      operation.requestBody = { ...(operation.requestBody as object), required: false }
    }
  }
  return openapiObject
}

export async function describeApi(server: Server, publicUrl: string, cookie: SessionCookie): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Docvet',
        version: 'v1',
        description: API_DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } as { name: string },
      },
      servers: [{ url: publicUrl }],
      tags: [
        { name: 'Scan', description: 'What all the rest is for.' },
        { name: 'Accounts', description: 'Come in.' },
        { name: 'Sessions', description: 'For people: sign in with a password, and get a new one.' },
        { name: 'Keys', description: 'What programs present instead of a password.' },
        { name: 'Usage', description: 'What was scanned, and what can still be.' },
        { name: 'Marketplace', description: 'Subscriptions that are bought in a cloud marketplace.' },
        { name: 'Chat', description: 'Answers about the service, and only about it.' },
        { name: 'Health', description: 'For monitors and orchestrators.' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: { type: 'http', scheme: 'bearer', description: 'The same API key.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: cookie.name,
            description: 'The session of someone who signed in. What changes something must come from our own pages.',
          },
        },
      },
    },
    transform,
    transformObject,
  })
}
