/** /sandbox: the page of the sandbox marketplace and the requests of its buttons. */
import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import type { Server } from '#http/server.ts'
import type { Sandbox } from './marketplace.ts'
import { ACTIONS } from './rules.ts'
import { ActionBody, Sale } from './shop.ts'

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'"

const ActionParams = Type.Object({
  id: Type.String({ format: 'uuid' }),
  action: Type.Enum([...ACTIONS]),
})

const FILES = [
  { path: '/sandbox', file: 'page.html', type: 'text/html; charset=utf-8' },
  { path: '/sandbox/sandbox.js', file: 'sandbox.js', type: 'text/javascript; charset=utf-8' },
]

export function sandboxRoutes(server: Server, { shop, isForced }: Pick<Sandbox, 'shop' | 'isForced'>): void {
  const config = { credential: 'none', ownSite: true, ownHost: true, direct: !isForced } as const

  for (const { path, file, type } of FILES) {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    server.get(path, { config }, (_request, reply) =>
      reply.type(type).header('content-security-policy', PAGE_POLICY).send(text),
    )
  }

  server.get('/sandbox/purchases', { config }, () => shop.list())

  server.post('/sandbox/purchases', { config, schema: { body: Sale } }, async (request, reply) => {
    reply.code(201)
    return await shop.buy(request.body)
  })

  server.post(
    '/sandbox/purchases/:id/:action',
    { config: { ...config, bodyOptional: true }, schema: { params: ActionParams, body: ActionBody } },
    (request) => shop.act(request.params.id, request.params.action, request.body),
  )
}
