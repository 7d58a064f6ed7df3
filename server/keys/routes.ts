/** /api/v1/keys */
import { Type } from 'typebox'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { Keys } from './keys.ts'
import { CreatedKeyResponse, CreateKeyRequest, KeyParams, KeySummary, RollKeyRequest } from './schema.ts'

type Listed = Awaited<ReturnType<Keys['list']>>[number]

const iso = (ms: number): string => new Date(ms).toISOString()

function statusOf({ revokedAt, isExpired }: Listed) {
  if (revokedAt !== null) return 'revoked' as const
  return isExpired ? ('expired' as const) : ('active' as const)
}

/** Only where they are set, so that other keys are listed as ever. */
function limitsOf({ limits, rolledInto, lastUsedAddress }: Listed) {
  const { scopes, expiresAt, allowedAddresses } = limits ?? {}
  return {
    ...(scopes && { scopes: [...scopes] }),
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
    ...(allowedAddresses && { allowedAddresses: [...allowedAddresses] }),
    ...(lastUsedAddress !== null && { lastUsedAddress }),
    ...(rolledInto !== null && { rolledInto }),
  }
}

export function keyRoutes(server: Server, keys: Keys): void {
  const config = { credential: 'key or session', scopes: ['manage'], role: 'member' } as const

  server.get(
    '/api/v1/keys',
    {
      config,
      schema: {
        operationId: 'listKeys',
        response: { 200: Type.Array(KeySummary, { description: 'The API keys of the account, oldest first.' }) },
      },
    },
    async (request) => {
      const records = await keys.list(principalOf(request))
      return records.map((key) => ({
        id: key.id,
        name: key.name,
        keyPrefix: key.prefix,
        lastFour: key.lastFour,
        status: statusOf(key),
        createdAt: iso(key.createdAt),
        lastUsedAt: key.lastUsedAt === null ? null : iso(key.lastUsedAt),
        ...(key.dashboard === 1 && { dashboard: true as const }),
        ...(key.test === 1 && { test: true as const }),
        ...limitsOf(key),
        ...(key.createdBy !== null && { createdBy: key.createdBy }),
      }))
    },
  )

  server.post(
    '/api/v1/keys',
    {
      config: { ...config, bodyOptional: true, problems: ['key_limit_reached'] },
      schema: { operationId: 'createKey', body: CreateKeyRequest, response: { 201: CreatedKeyResponse } },
    },
    async (request, reply) => {
      const key = await keys.issue(principalOf(request), request.body)
      reply.code(201)
      return { id: key.id, name: key.name, apiKey: key.secret, keyPrefix: key.prefix }
    },
  )

  server.post(
    '/api/v1/keys/:id/roll',
    {
      config: { ...config, bodyOptional: true, problems: ['not_found'] },
      schema: {
        operationId: 'rollKey',
        params: KeyParams,
        body: RollKeyRequest,
        response: { 201: CreatedKeyResponse },
      },
    },
    async (request, reply) => {
      const { graceSeconds = 0 } = request.body
      const key = await keys.roll(principalOf(request), request.params.id.toLowerCase(), graceSeconds)
      reply.code(201)
      return { id: key.id, name: key.name, apiKey: key.secret, keyPrefix: key.prefix }
    },
  )

  server.delete(
    '/api/v1/keys/:id',
    {
      config: { ...config, problems: ['not_found'] },
      schema: {
        operationId: 'revokeKey',
        params: KeyParams,
        response: { 204: Type.Null({ description: 'The key is revoked.' }) },
      },
    },
    async (request, reply) => {
      await keys.revoke(principalOf(request), request.params.id.toLowerCase())
      return reply.code(204).send(null)
    },
  )
}
