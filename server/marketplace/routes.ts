/** /api/v1/marketplace */
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import {
  ActivateRequest,
  ResolveRequest,
  SubscriptionList,
  SubscriptionView,
  WebhookAnswer,
  WebhookCall,
} from './schema.ts'
import type { MarketplaceService } from './setup.ts'

/** A webhook call carries the whole subscription. */
const WEBHOOK_BYTES_MAX = 262_144

export function marketplaceRoutes(server: Server, service: MarketplaceService): void {
  const session = { credential: 'session', role: 'owner' } as const

  server.post(
    '/api/v1/marketplace/resolve',
    {
      config: {
        ...session,
        rate: 'resolve',
        variables: { token: '$MARKETPLACE_TOKEN' },
        problems: ['cross_site', 'subscription_conflict', 'upstream_error', 'marketplace_unavailable'],
      },
      schema: { operationId: 'resolvePurchase', body: ResolveRequest, response: { 200: SubscriptionView } },
    },
    (request) => service.resolve(principalOf(request).accountId, request.body.token),
  )

  server.post(
    '/api/v1/marketplace/activate',
    {
      config: {
        ...session,
        variables: { subscriptionId: '$SUBSCRIPTION_ID' },
        problems: [
          'cross_site',
          'subscription_suspended',
          'no_live_subscription',
          'subscription_conflict',
          'upstream_error',
          'marketplace_unavailable',
        ],
      },
      schema: { operationId: 'activateSubscription', body: ActivateRequest, response: { 200: SubscriptionView } },
    },
    (request) => service.activate(principalOf(request).accountId, request.body.subscriptionId),
  )

  server.get(
    '/api/v1/marketplace/subscription',
    {
      config: { ...session, problems: ['no_live_subscription'] },
      schema: { operationId: 'getSubscription', response: { 200: SubscriptionView } },
    },
    (request) => service.live(principalOf(request).accountId),
  )

  server.get(
    '/api/v1/marketplace/subscriptions',
    {
      config: session,
      schema: { operationId: 'listSubscriptions', response: { 200: SubscriptionList } },
    },
    (request) => service.list(principalOf(request).accountId),
  )

  server.post(
    '/api/v1/marketplace/webhook',
    {
      bodyLimit: WEBHOOK_BYTES_MAX,
      // The credential is a token in `Authorization` signed by the marketplace, which the service verifies.
      config: {
        credential: 'none',
        rate: 'webhook',
        ownToken: true,
        bodyOptional: true,
        problems: ['unauthenticated', 'upstream_error', 'marketplace_unavailable'],
      },
      schema: { operationId: 'receiveMarketplaceEvent', body: WebhookCall, response: { 200: WebhookAnswer } },
    },
    async (request, reply) => {
      const { outcome, sendAnswer } = await service.receive(request.headers.authorization, request.body)
      // The marketplace accepts an answer only once it has our response.
      reply.raw.once('finish', sendAnswer)
      return { outcome }
    },
  )
}
