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
        variables: { token: '$MARKETPLACE_TOKEN' },
        problems: ['cross_site', 'subscription_conflict', 'upstream_error', 'marketplace_unavailable'],
      },
      schema: {
        tags,
        operationId: 'resolvePurchase',
        summary: 'Link a purchase to the account',
        description:
          'Exchanges the token of the landing page for the purchased subscription and links it to the signed-in account. Nothing is billed. Idempotent.',
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
      schema: {
        tags,
        operationId: 'activateSubscription',
        summary: 'Activate a purchase',
        description:
          'Confirms the purchase with the marketplace, which starts billing, and applies the plan. Idempotent: the ' +
          'purchase is confirmed once.',
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
        summary: 'Get the live subscription',
        description: 'Returns the pending, active or suspended subscription of the account, or 404 without one.',
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
        summary: 'Receive a marketplace event',
        description:
          'Called only by the marketplace, with a token signed by it in `Authorization`. The event is confirmed with ' +
          'the marketplace before it takes effect, and repeated events take effect once.',
        body: WebhookCall,
        response: { 200: WebhookAnswer },
      },
    },
    async (request) => ({ outcome: await service.receive(request.headers.authorization, request.body) }),
  )
}
