/** Receipts of scans, the public keys that verify them, and the schema of their predicate. */
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { Receipts } from './receipts.ts'
import { KeySet, predicateSchema, ReceiptEnvelope, ReceiptParams, ReceiptQuery } from './schema.ts'

const JWK_SET = 'application/jwk-set+json'
const PUBLIC = 'public, max-age=300'

export function receiptRoutes(server: Server, receipts: Receipts): void {
  server.get(
    '/api/v1/scans/:scanId/receipt',
    {
      config: { credential: 'key or session', scopes: ['read'], role: 'viewer', problems: ['not_found'] },
      schema: {
        operationId: 'getReceipt',
        params: ReceiptParams,
        querystring: ReceiptQuery,
        response: { 200: ReceiptEnvelope },
      },
    },
    (request) => receipts.find(principalOf(request).accountId, request.params.scanId, request.query.name === '1'),
  )

  server.get(
    '/.well-known/jwks.json',
    {
      config: { credential: 'none', mediaType: JWK_SET },
      schema: { operationId: 'getReceiptKeys', response: { 200: KeySet } },
    },
    async (_request, reply) => {
      reply.type(JWK_SET).header('cache-control', PUBLIC)
      return await receipts.keys()
    },
  )

  server.get('/receipt/v1', { config: { credential: 'none' } }, (_request, reply) =>
    reply
      .type('application/schema+json')
      .header('cache-control', PUBLIC)
      .send(JSON.stringify(predicateSchema(receipts.predicateType))),
  )
}
