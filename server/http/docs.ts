/** Serves the OpenAPI document, the API reference and the problem pages. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { type Html, toText } from './docs/html.ts'
import { renderProblem, renderProblemIndex } from './docs/problems.ts'
import { readReference } from './docs/reference.ts'
import { renderReference } from './docs/render.ts'
import type { OpenApi } from './openapi/document.ts'
import type { Server } from './server.ts'

/** Allows only files of this service: no inline code, no other hosts. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Entity {
  type: string
  body: string
  etag: string
}

const ASSETS = [
  {
    path: '/docs/docs.css',
    type: 'text/css; charset=utf-8',
    files: ['docs.css', 'frame.css', 'examples.css', 'reference.css'],
  },
  { path: '/docs/docs.js', type: 'text/javascript; charset=utf-8', files: ['docs.js'] },
  { path: '/docs/favicon.svg', type: 'image/svg+xml', files: ['favicon.svg'] },
]

function entity(type: string, body: string): Entity {
  return { type, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}

const page = (content: Html): Entity => entity('text/html; charset=utf-8', toText(content))

/** Lazy, because the OpenAPI document is complete only once the server is ready. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}

/** Cached but revalidated, so that an update never mixes old and new files. */
function send({ type, body, etag }: Entity, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY, etag })
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type(type).send(body)
}

export function docsRoutes(server: Server, publicUrl: string, openApi: () => OpenApi): void {
  const open = { config: { credential: 'none' } } as const

  const reference = once(() => readReference(openApi()))
  const referencePage = once(() => page(renderReference(reference(), publicUrl)))
  const problemIndex = once(() => page(renderProblemIndex(reference())))
  const problemPages = new Map<string, Entity>()

  function problemPage(code: string): Entity {
    const kept = problemPages.get(code)
    if (kept) return kept
    const content = renderProblem(code, reference(), publicUrl)
    if (!content) throw new AppError('not_found', 'No problem has this code. `/problems` lists all codes.')
    const made = page(content)
    problemPages.set(code, made)
    return made
  }

  server.get('/openapi.json', open, () => openApi())
  server.get('/', open, (_request, reply) => reply.redirect('/docs'))
  for (const path of ['/docs', '/docs/'])
    server.get(path, open, (request, reply) => send(referencePage(), request, reply))
  for (const path of ['/problems', '/problems/'])
    server.get(path, open, (request, reply) => send(problemIndex(), request, reply))
  server.get(
    '/problems/:code',
    { ...open, schema: { params: Type.Object({ code: Type.String() }) } },
    (request, reply) => send(problemPage(request.params.code), request, reply),
  )

  for (const { path, type, files } of ASSETS) {
    const texts = files.map((file) => readFileSync(new URL(`docs/${file}`, import.meta.url), 'utf8'))
    const asset = entity(type, texts.join('\n'))
    server.get(path, open, (request, reply) => send(asset, request, reply))
  }
}
