/** POST /api/v1/scans */
import { addressBlock } from '#http/address.ts'
import { whileConnected } from '#http/connections.ts'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import SCAN_EXAMPLES from '#scan/examples.json' with { type: 'json' }
import { hangUp, type MeteredKey, NO_VERDICT } from '#scan/routes.ts'
import type { Scan } from '#scan/scan.ts'
import { ScanResponse } from '#scan/schema.ts'
import { ScanUrlRequest, UrlScanHeaders } from './schema.ts'
import { type Http, urlSource } from './source.ts'

interface UrlScanRouteOptions {
  scan: Scan
  http: Http
  meteredKey: MeteredKey
}

export function urlScanRoutes(server: Server, { scan, http, meteredKey }: UrlScanRouteOptions): void {
  server.post(
    '/api/v1/scans',
    {
      config: {
        credential: 'key or session',
        rate: 'scan',
        logFields: { ...NO_VERDICT },
        describedHeaders: UrlScanHeaders,
        variables: { url: '$DOCUMENT_URL' },
        examples: { 200: SCAN_EXAMPLES },
        problems: [
          'invalid_url',
          'empty_file',
          'quota_exhausted',
          'url_not_allowed',
          'request_in_progress',
          'key_limit_reached',
          'file_too_large',
          'encrypted_document',
          'document_too_complex',
          'damaged_document',
          'idempotency_key_reused',
          'fetch_failed',
          'engine_unavailable',
          'scan_timeout',
          'busy',
        ],
      },
      schema: { operationId: 'scanUrl', body: ScanUrlRequest, response: { 200: ScanResponse } },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { accountId, plan } = principal
      const logFields = { ...NO_VERDICT }
      request.logFields = logFields
      const keyId = await meteredKey(principal)
      const gone = whileConnected(reply)
      try {
        const result = await scan({
          source: urlSource(request.body, http, gone),
          principal: { keyId, accountId, plan, address: addressBlock(request.ip, request.socket.remoteAddress) },
          idempotencyKey: request.headers['idempotency-key'],
          requestId: request.id,
          ...{ gone, logFields },
        })
        reply.header('content-location', `/api/v1/scans/${result.scanId}`)
        return result
      } catch (error) {
        return hangUp(error, request, reply)
      }
    },
  )
}
