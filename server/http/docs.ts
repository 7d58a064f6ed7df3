/** Serves the OpenAPI document, the API reference, and the pages about problems and findings. */
import { readFileSync } from 'node:fs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import { renderCollection } from './docs/collection.ts'
import { renderFinding, renderFindingIndex } from './docs/findings.ts'
import { type Html, toText } from './docs/html.ts'
import { renderProblem, renderProblemIndex } from './docs/problems.ts'
import { type Reference, readReference } from './docs/reference.ts'
import { renderReference } from './docs/render.ts'
import { createSamples } from './docs/sample-files.ts'
import { renderSamples } from './docs/samples.ts'
import { etagOf, isKnown } from './etag.ts'
import { PAGE_POLICY } from './headers.ts'
import type { OpenApi } from './openapi/document.ts'
import type { Server } from './server.ts'

interface Entity {
  type: string
  body: string | Buffer
  etag: string
}

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')

/** The dashboard's colours, so that all pages look alike. */
const TOKENS = '../../web/src/styles/tokens.css'
const STYLES = ['docs.css', 'frame.css', 'examples.css', 'reference.css'].map((file) => `docs/${file}`)

/** The dashboard's fonts. Without its build, pages use those of the system. */
function fontFaces(fonts: readonly string[]): string[] {
  const face = (family: string, pattern: RegExp) => {
    const url = fonts.find((each) => pattern.test(each))
    return url === undefined
      ? []
      : `@font-face { font-family: "${family}"; font-weight: 100 900; font-display: swap; src: url("${url}"); }`
  }
  return [face('Geist', /\/geist-latin-/), face('Geist Mono', /\/geist-mono-latin-/)].flat()
}

const assetsWith = (fonts: readonly string[]) => [
  {
    path: '/docs/docs.css',
    type: 'text/css; charset=utf-8',
    body: [...[TOKENS, ...STYLES].map(read), ...fontFaces(fonts)].join('\n'),
  },
  { path: '/docs/docs.js', type: 'text/javascript; charset=utf-8', body: read('docs/docs.js') },
  { path: '/docs/favicon.svg', type: 'image/svg+xml', body: read('docs/favicon.svg') },
]

function entity(type: string, body: string | Buffer): Entity {
  return { type, body, etag: etagOf(body) }
}

/** Cached but revalidated, so that an update never mixes old and new files. */
function send({ type, body, etag }: Entity, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY, etag })
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type(type).send(body)
}

interface DocsOptions {
  publicUrl: string
  openApi: () => OpenApi
  /** Of the findings. */
  catalogue: typeof CATALOGUE
  /** Effects of documents with a finding, in plain words. */
  effects?: ReadonlyMap<string, string>
  /** URLs of the dashboard's fonts. */
  fonts?: readonly string[]
}

export function docsRoutes(server: Server, { publicUrl, openApi, catalogue, effects, fonts = [] }: DocsOptions): void {
  const open = { config: { credential: 'none' } } as const
  const pages = new Map<string, Entity>()
  let reference: Reference | undefined

  /** Lazy, because the OpenAPI document is complete only once the server is ready. */
  function pageAt(path: string, render: (from: Reference, publicUrl: string) => Html): Entity {
    reference ??= readReference(openApi())
    const page = pages.get(path) ?? entity('text/html; charset=utf-8', toText(render(reference, publicUrl)))
    pages.set(path, page)
    return page
  }

  server.get('/openapi.json', open, () => openApi())
  server.get('/docs/collection.json', open, (request, reply) => {
    reference ??= readReference(openApi())
    reply.header('content-disposition', 'attachment; filename="docvet.postman_collection.json"')
    return send(entity('application/json; charset=utf-8', renderCollection(reference, publicUrl)), request, reply)
  })
  for (const [path, render] of [
    ['/docs', renderReference],
    ['/problems', renderProblemIndex],
    ['/findings', (from: Reference) => renderFindingIndex(catalogue, from)],
  ] as const)
    server.get(path, open, (request, reply) => send(pageAt(path, render), request, reply))
  server.get(
    '/problems/:code',
    { ...open, schema: { params: Type.Object({ code: Type.String() }) } },
    (request, reply) => {
      const { code } = request.params
      const page = pageAt(`/problems/${code}`, (from, url) => renderProblem(code, from, url))
      return send(page, request, reply)
    },
  )

  server.get('/findings/:id', { ...open, schema: { params: Type.Object({ id: Type.String() }) } }, (request, reply) => {
    const { id } = request.params
    return send(
      pageAt(`/findings/${id}`, (from) => renderFinding(id, catalogue, from, effects?.get(id))),
      request,
      reply,
    )
  })

  const samples = createSamples()
  server.get('/samples', open, (request, reply) =>
    send(
      pageAt('/samples', (from, url) => renderSamples(samples, from, url)),
      request,
      reply,
    ),
  )
  for (const { name, type, bytes } of samples) {
    const sample = entity(type, bytes)
    server.get(`/samples/${name}`, open, (request, reply) => {
      reply.header('content-disposition', `attachment; filename="${name}"`)
      return send(sample, request, reply)
    })
  }

  for (const { path, type, body } of assetsWith(fonts)) {
    const asset = entity(type, body)
    server.get(path, open, (request, reply) => send(asset, request, reply))
  }
}
