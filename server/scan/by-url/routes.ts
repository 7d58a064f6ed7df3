/** POST /api/v1/scans */
import type { Server } from '#http/server.ts'
import { createAnswer, type ScanRouteOptions, scanConfig } from '#scan/routes.ts'
import { AcceptedScan, ScanResponse } from '#scan/schema.ts'
import type { UrlQueue } from './queue.ts'
import { ScanUrlRequest } from './schema.ts'
import { type Http, urlSource } from './source.ts'

export function urlScanRoutes(server: Server, options: ScanRouteOptions, http: Http, queue: UrlQueue): void {
  const answer = createAnswer(options)
  server.post(
    '/api/v1/scans',
    {
      config: {
        ...scanConfig(['invalid_url', 'url_not_allowed', 'fetch_failed']),
        variables: { url: '$DOCUMENT_URL' },
      },
      schema: { operationId: 'scanUrl', body: ScanUrlRequest, response: { 200: ScanResponse, 202: AcceptedScan } },
    },
    (request, reply) =>
      answer(request, reply, {
        sourceOf: (gone) => urlSource(request.body, http, gone),
        queue: (...asked) => queue(request.body, ...asked),
      }),
  )
}
