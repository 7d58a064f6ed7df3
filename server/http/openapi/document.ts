/** The OpenAPI document: base.json and operations.json, with the schemas and options of the routes. */
import type { FastifyInstance, RouteOptions } from 'fastify'
import base from './base.json' with { type: 'json' }
import { describeOperation } from './operation.ts'
import { PROBLEM_SCHEMAS, type ProblemComponents } from './problems.ts'
import { createSchemas } from './schemas.ts'

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
  const { headers, securitySchemes } = base.components
  return {
    openapi: base.openapi,
    info: base.info,
    servers: [{ url: publicUrl, description: 'This installation.' }],
    tags: base.tags,
    paths,
    components: {
      schemas: { ...schemas, ...PROBLEM_SCHEMAS },
      ...problems,
      headers,
      securitySchemes: { ...securitySchemes, session: { ...securitySchemes.session, name: cookieName } },
    },
  }
}

/** Collects all routes with an operation id registered after this call. The document is built on first use. */
export function describeApi(server: FastifyInstance, publicUrl: string, cookieName: string): () => OpenApi {
  const routes: RouteOptions[] = []
  let document: OpenApi | undefined
  server.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && route.schema?.operationId) routes.push(route)
  })
  return () => {
    document ??= build(routes, publicUrl, cookieName)
    return document
  }
}
