/** /api/v1/marketplace */
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import { ActivateRequest, ResolveRequest, SubscriptionView, WebhookAnswer, WebhookCall } from './schema.ts'
import type { MarketplaceService } from './service.ts'

/** A webhook call carries the whole subscription. */
const WEBHOOK_BYTES_MAX = 262_144

export function marketplaceRoutes(server: Server, service: MarketplaceService): void {
  const tags = ['Marketplace']
  const session = { credential: 'session' } as const

  server.post(
    '/api/v1/marketplace/resolve',
    {
      config: {
        ...session,
        rate: 'resolve',
        problems: ['cross_site', 'subscription_conflict', 'upstream_error', 'marketplace_unavailable'],
      },
      schema: {
        tags,
        operationId: 'resolvePurchase',
        summary: 'Link a purchase to the account',
        description: 'Exchanges the landing page token for the purchase. Nothing is billed. Safe to repeat.',
        body: ResolveRequest,
        response: { 200: SubscriptionView },
      },
    },
    (request) => service.resolve(principalOf(request).accountId, request.body.token),
  )

  server.post(
    '/api/v1/marketplace/activate',
    {
      config: {
        ...session,
        problems: [
          'cross_site',
          'subscription_suspended',
          'no_live_subscription',
          'subscription_conflict',
          'upstream_error',
          'marketplace_unavailable',
        ],
      },
      schema: {
        tags,
        operationId: 'activateSubscription',
        summary: 'Activate a purchase',
        description:
          'Confirms the purchase with the marketplace, which starts billing, and applies the plan at once. Safe to ' +
          'repeat: the purchase is confirmed once.',
        body: ActivateRequest,
        response: { 200: SubscriptionView },
      },
    },
    (request) => service.activate(principalOf(request).accountId, request.body.subscriptionId),
  )

  server.get(
    '/api/v1/marketplace/subscription',
    {
      config: { ...session, problems: ['no_live_subscription'] },
      schema: {
        tags,
        operationId: 'getSubscription',
        summary: 'Get the live subscription of the account',
        response: { 200: SubscriptionView },
      },
    },
    (request) => service.live(principalOf(request).accountId),
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
      schema: {
        tags,
        operationId: 'receiveMarketplaceEvent',
        summary: 'Receive an event from the marketplace',
        description:
          'Called only by the marketplace, with a token that it signed. The operation is confirmed with the marketplace ' +
          'before anything changes, and applied once however often the call is repeated.',
        body: WebhookCall,
        response: { 200: WebhookAnswer },
      },
    },
    async (request) => ({ outcome: await service.receive(request.headers.authorization, request.body) }),
  )
}
