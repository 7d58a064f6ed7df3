/** /api/v1/webhooks and /api/v1/deliveries */
import { Type } from 'typebox'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { Endpoints } from './endpoints.ts'
import {
  ChangeEndpointRequest,
  CreateEndpointRequest,
  Delivery,
  DeliveryList,
  DeliveryParams,
  Endpoint,
  EndpointList,
  EndpointParams,
  EndpointWithSecret,
} from './schema.ts'

export function webhookRoutes(server: Server, endpoints: Endpoints): void {
  const config = { credential: 'key or session', scopes: ['manage'], role: 'admin' } as const
  const one = { ...config, problems: ['not_found'] as 'not_found'[] }
  /** Each of these calls somebody else's server. */
  const calling = { ...one, rate: 'callback' as const }
  const path = '/api/v1/webhooks/:id'

  server.get(
    '/api/v1/webhooks',
    { config, schema: { operationId: 'listWebhooks', response: { 200: EndpointList } } },
    (request) => endpoints.list(principalOf(request).accountId),
  )

  server.post(
    '/api/v1/webhooks',
    {
      config: { ...config, variables: { url: '$WEBHOOK_URL' }, problems: ['invalid_url', 'webhook_limit_reached'] },
      schema: { operationId: 'createWebhook', body: CreateEndpointRequest, response: { 201: EndpointWithSecret } },
    },
    async (request, reply) => {
      reply.code(201)
      return await endpoints.create(principalOf(request).accountId, request.body)
    },
  )

  server.get(
    path,
    { config: one, schema: { operationId: 'getWebhook', params: EndpointParams, response: { 200: Endpoint } } },
    (request) => endpoints.find(principalOf(request).accountId, request.params.id),
  )

  server.patch(
    path,
    {
      config: { ...config, variables: { url: '$WEBHOOK_URL' }, problems: ['not_found', 'invalid_url'] },
      schema: {
        operationId: 'changeWebhook',
        params: EndpointParams,
        body: ChangeEndpointRequest,
        response: { 200: Endpoint },
      },
    },
    (request) => endpoints.change(principalOf(request).accountId, request.params.id, request.body),
  )

  server.delete(
    path,
    {
      config: one,
      schema: {
        operationId: 'deleteWebhook',
        params: EndpointParams,
        response: { 204: Type.Null({ description: 'The endpoint and its deliveries are deleted.' }) },
      },
    },
    async (request, reply) => {
      await endpoints.delete(principalOf(request).accountId, request.params.id)
      return reply.code(204).send(null)
    },
  )

  server.post(
    `${path}/rotate`,
    {
      config: one,
      schema: { operationId: 'rotateWebhook', params: EndpointParams, response: { 200: EndpointWithSecret } },
    },
    (request) => endpoints.rotate(principalOf(request).accountId, request.params.id),
  )

  server.post(
    `${path}/test`,
    { config: calling, schema: { operationId: 'testWebhook', params: EndpointParams, response: { 202: Delivery } } },
    async (request, reply) => {
      reply.code(202)
      return await endpoints.test(principalOf(request).accountId, request.params.id)
    },
  )

  server.get(
    `${path}/deliveries`,
    { config: one, schema: { operationId: 'listDeliveries', params: EndpointParams, response: { 200: DeliveryList } } },
    (request) => endpoints.deliveries(principalOf(request).accountId, request.params.id),
  )

  server.post(
    '/api/v1/deliveries/:deliveryId/retry',
    { config: calling, schema: { operationId: 'retryDelivery', params: DeliveryParams, response: { 202: Delivery } } },
    async (request, reply) => {
      reply.code(202)
      return await endpoints.retry(principalOf(request).accountId, request.params.deliveryId)
    },
  )
}
