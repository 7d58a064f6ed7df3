/** POST /api/v1/scans */
import type { Server } from '#http/server.ts'
import SCAN_EXAMPLES from '#scan/examples.json' with { type: 'json' }
import { createAnswer, NO_VERDICT, type ScanRouteOptions } from '#scan/routes.ts'
import { AcceptedScan, ScanHeaders, ScanResponse } from '#scan/schema.ts'
import { ScanUrlRequest } from './schema.ts'
import { type Http, urlSource } from './source.ts'

export function urlScanRoutes(server: Server, options: ScanRouteOptions, http: Http): void {
  const answer = createAnswer(options)
  server.post(
    '/api/v1/scans',
    {
      config: {
        credential: 'key or session',
        rate: 'scan',
        logFields: { ...NO_VERDICT },
        describedHeaders: ScanHeaders,
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
          'scan_lost',
          'busy',
        ],
      },
      schema: { operationId: 'scanUrl', body: ScanUrlRequest, response: { 200: ScanResponse, 202: AcceptedScan } },
    },
    (request, reply) => answer(request, reply, (gone) => urlSource(request.body, http, gone)),
  )
}
