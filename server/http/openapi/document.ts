/** The OpenAPI document, generated from the schemas and options of the routes. */
import type { FastifyInstance, RouteOptions } from 'fastify'
import { HEADERS } from './headers.ts'
import { describeOperation } from './operation.ts'
import { PROBLEM_SCHEMAS, type ProblemComponents } from './problems.ts'
import { createSchemas } from './schemas.ts'

const DESCRIPTION = `Upload a document, get \`clean\` or \`infected\`.

Every error is \`application/problem+json\` with a \`code\` for programs and a \`detail\` for people. Every response carries
\`X-Request-Id\`. Times are UTC. Unknown fields and query parameters are rejected; if a JSON object repeats a name, the last
value applies. Responses are JSON regardless of \`Accept\`.

Call the API from a server. Cross-origin requests from browsers are not supported, because an API key in a web page is
visible to every visitor.`

const TAGS = [
  { name: 'Scan', description: 'Scan documents for malware.' },
  { name: 'Accounts', description: 'Sign up for an API key.' },
  { name: 'Sessions', description: 'Sign in to the dashboard with a password, and reset the password.' },
  { name: 'Keys', description: 'Create, list and revoke API keys.' },
  { name: 'Usage', description: 'Scans used and left in the current month.' },
  { name: 'Marketplace', description: 'Subscriptions bought in a cloud marketplace.' },
  { name: 'Chat', description: 'An assistant that answers questions about the service.' },
  { name: 'Health', description: 'Status for monitoring and orchestration.' },
]

const securitySchemes = (cookieName: string) => ({
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key, which begins with `dv_live_`. Signing up returns the first one.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same API key as a Bearer token.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName,
    description:
      'The session cookie set by signing in. The name is `__Host-docvet_session` over HTTPS. Requests that change data must come from the pages of the service.',
  },
})

export type OpenApi = Record<string, unknown>

const openApiPath = (url: string): string => url.replace(/:(\w+)/g, '{$1}')

function build(routes: readonly RouteOptions[], publicUrl: string, cookieName: string): OpenApi {
  const { components: schemas, refer } = createSchemas()
  const problems: ProblemComponents = { responses: {}, examples: {} }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const methods = paths[openApiPath(route.url)] ?? {}
    paths[openApiPath(route.url)] = methods
    methods[String(route.method).toLowerCase()] = describeOperation(route, { refer, ...problems })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Docvet',
      version: 'v1',
      summary: 'A document malware scanning service that you run yourself.',
      description: DESCRIPTION,
      contact: { name: 'Docvet contributors' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl, description: 'This installation.' }],
    tags: TAGS,
    paths,
    components: {
      schemas: { ...schemas, ...PROBLEM_SCHEMAS },
      ...problems,
      headers: HEADERS,
      securitySchemes: securitySchemes(cookieName),
    },
  }
}

/** Collects all routes registered after this call. The document is built on first use. */
export function describeApi(server: FastifyInstance, publicUrl: string, cookieName: string): () => OpenApi {
  const routes: RouteOptions[] = []
  let document: OpenApi | undefined
  server.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && route.schema && !('hide' in route.schema)) routes.push(route)
  })
  return () => {
    document ??= build(routes, publicUrl, cookieName)
    return document
  }
}
