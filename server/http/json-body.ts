/** Parses JSON bodies: UTF-8, a top-level object, no `__proto__`. The last of duplicate names wins. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'

export const JSON_BODY_BYTES_MAX = 65_536

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const CLOUD_EVENTS = ['application/cloudevents+json', 'application/cloudevents-batch+json']
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i

function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch (cause) {
    throw new AppError('invalid_request', 'The request body is not valid UTF-8.', { cause })
  }
}

export function acceptJson(server: FastifyInstance): void {
  const parse = server.getDefaultJsonParser('error', 'error')

  server.removeAllContentTypeParsers()
  server.addContentTypeParser<Buffer>(
    ['application/json', ...CLOUD_EVENTS],
    { parseAs: 'buffer' },
    (request, body, done) => {
      const { acceptsEvents = false } = request.routeOptions.config
      if (!acceptsEvents && /^application\/cloudevents/i.test(request.headers['content-type'] ?? '')) {
        done(
          new AppError(
            'unsupported_content_type',
            'This endpoint accepts JSON. Send `Content-Type: application/json`.',
          ),
        )
        return
      }
      const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]
      if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
        done(new AppError('unsupported_content_type', 'JSON must be encoded in UTF-8.'))
        return
      }
      // The schema decides whether the endpoint requires a body.
      if (body.length === 0) {
        done(null, undefined)
        return
      }
      try {
        parse(request, decode(body), (error, value) => {
          if (error) {
            const detail = 'The request body is not valid JSON, or contains a forbidden name such as `__proto__`.'
            return done(new AppError('invalid_request', detail, { cause: error }))
          }
          if (typeof value !== 'object' || value === null || (Array.isArray(value) && !acceptsEvents)) {
            const code = request.routeOptions.config.invalidBody ?? 'invalid_request'
            return done(new AppError(code, 'The request body must be a JSON object.'))
          }
          return done(null, value)
        })
      } catch (error) {
        done(error as Error)
      }
    },
  )

  server.addHook('preValidation', (request: FastifyRequest, _reply, done) => {
    if (request.body === undefined && request.routeOptions.config.bodyOptional) request.body = {}
    done()
  })
}
