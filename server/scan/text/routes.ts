/** POST /api/v1/text */
import { AppError } from '#base/errors.ts'
import type { DocumentText } from '#engines/engine.ts'
import { whileConnected } from '#http/connections.ts'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import {
  askedBy,
  formOf,
  hangUp,
  refuseReplays,
  registerUploads,
  type ScanRouteOptions,
  scanConfig,
} from '#scan/routes.ts'
import { NO_VERDICT } from '#scan/scan.ts'
import { ScanForm } from '#scan/schema.ts'
import { requireWhole, wantsJson } from './answer.ts'
import { VisibleText } from './schema.ts'

export async function textRoutes(server: Server, { scan, meteredKey }: ScanRouteOptions): Promise<void> {
  const {
    describedHeaders: _,
    examples: __,
    ...config
  } = scanConfig(['missing_file', 'too_many_files', 'malformed_multipart', 'infected_document'])
  await registerUploads(server, (scope) => {
    scope.post(
      '/api/v1/text',
      {
        attachValidation: true,
        config: { ...config, streamed: ScanForm, plainText: true },
        schema: { operationId: 'readText', response: { 200: VisibleText } },
      },
      async (request, reply) => {
        const logFields = { ...NO_VERDICT }
        request.logFields = logFields
        const keyId = await meteredKey(principalOf(request))
        const isJson = wantsJson(request.raw.headers.accept)
        let found: DocumentText | null = null
        const onText = (text: DocumentText, status: 'clean' | 'infected') => {
          if (status === 'clean') found = requireWhole(text, isJson)
        }
        try {
          refuseReplays(request)
          const asked = { ...askedBy(request, keyId), source: formOf(request), gone: whileConnected(reply), logFields }
          const { scanId, status, threat } = await scan({ ...asked, onText })
          reply.header('content-location', `/api/v1/scans/${scanId}`)
          if (status === 'infected') throw new AppError('infected_document', `The document is infected: ${threat}.`)
          const text = found as DocumentText | null
          if (text === null) throw new AppError('engine_unavailable', 'The text of the document was not read.')
          const { pages, omitted, unread } = text
          if (isJson) return { scanId, pages, omitted, unread }
          // The schema is that of JSON.
          reply.serializer(String).header('content-type', 'text/plain; charset=utf-8')
          return reply.send(pages.map((page) => page.text).join('\n') as never)
        } catch (error) {
          return hangUp(error, request, reply)
        }
      },
    )
  })
}
