/** /sandbox: the page of the sandbox marketplace, which is part of the dashboard, and the requests of its buttons. */
import { Type } from 'typebox'
import type { SendPage } from '#http/dashboard.ts'
import type { Server } from '#http/server.ts'
import type { Sandbox } from './marketplace.ts'
import { ACTIONS } from './rules.ts'
import { ActionBody, Sale } from './shop.ts'

const ActionParams = Type.Object({
  id: Type.String({ format: 'uuid' }),
  action: Type.Enum([...ACTIONS]),
})

export function sandboxRoutes(
  server: Server,
  { shop, isForced }: Pick<Sandbox, 'shop' | 'isForced'>,
  sendPage: SendPage,
): void {
  const config = { credential: 'none', ownSite: true, ownHost: true, direct: !isForced } as const

  server.get('/sandbox', { config }, sendPage)
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
