/** /api/v1/allowed */
import { Type } from 'typebox'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { AllowList } from './allowed.ts'
import { AllowedDocument, AllowedList, AllowedParams, AllowedQuery, AllowRequest } from './schema.ts'

export function allowedRoutes(server: Server, allowed: AllowList): void {
  const config = { credential: 'key or session', scopes: ['read', 'manage'], role: 'viewer' } as const
  const changing = { ...config, scopes: ['manage'], role: 'admin' } as const
  const path = '/api/v1/allowed/:sha256'

  server.get(
    '/api/v1/allowed',
    {
      config,
      schema: { operationId: 'listAllowed', querystring: AllowedQuery, response: { 200: AllowedList } },
      preValidation(request, _reply, done) {
        // Query values are text. Others than whole numbers are left to the schema.
        const query = request.query as Record<string, unknown>
        if (typeof query.limit === 'string' && /^\d{1,9}$/.test(query.limit)) query.limit = Number(query.limit)
        done()
      },
    },
    (request) => allowed.list(principalOf(request).accountId, request.query),
  )

  server.get(
    path,
    {
      config: { ...config, problems: ['not_found'] },
      schema: { operationId: 'getAllowed', params: AllowedParams, response: { 200: AllowedDocument } },
    },
    (request) => allowed.find(principalOf(request).accountId, request.params.sha256),
  )

  server.put(
    path,
    {
      config: { ...changing, bodyOptional: true, problems: ['allow_list_full'] },
      schema: {
        operationId: 'allowDocument',
        params: AllowedParams,
        body: AllowRequest,
        response: { 200: AllowedDocument },
      },
    },
    (request) => allowed.put(principalOf(request), request.params.sha256, request.body.note),
  )

  server.delete(
    path,
    {
      config: { ...changing, problems: ['not_found'] },
      schema: {
        operationId: 'disallowDocument',
        params: AllowedParams,
        response: { 204: Type.Null({ description: 'The document is no longer on the list.' }) },
      },
    },
    async (request, reply) => {
      await allowed.delete(principalOf(request).accountId, request.params.sha256)
      return reply.code(204).send(null)
    },
  )
}
