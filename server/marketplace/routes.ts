/** /api/v1/marketplace */
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { Outcome } from './outcome.ts'
import { ActivateRequest, ResolveRequest, SubscriptionView, WebhookAnswer, WebhookCall } from './schema.ts'
import type { SubscriptionView as View } from './subscription.ts'

/** A call of the marketplace carries the whole subscription. */
export const WEBHOOK_BYTES_MAX = 262_144

/** What the room offers, whichever marketplace is behind it. */
export interface MarketplaceDesk {
  resolve(accountId: string, token: string): Promise<View>
  activate(accountId: string, subscriptionId: string): Promise<View>
  live(accountId: string): Promise<View>
  /** Verifies who calls before it looks at what is said. */
  receive(authorization: string | undefined, body: unknown): Promise<Outcome>
}

export function marketplaceRoutes(server: Server, desk: MarketplaceDesk): void {
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
        description: 'Exchanges the token of the landing page for the purchase. Nothing is billed. It can be repeated.',
        body: ResolveRequest,
        response: { 200: SubscriptionView },
      },
    },
    (request) => desk.resolve(principalOf(request).accountId, request.body.token),
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
          'Confirms the purchase with the marketplace, which starts billing, and applies the plan at once. It can be ' +
          'repeated, and confirms once.',
        body: ActivateRequest,
        response: { 200: SubscriptionView },
      },
    },
    (request) => desk.activate(principalOf(request).accountId, request.body.subscriptionId),
  )

  server.get(
    '/api/v1/marketplace/subscription',
    {
      config: { ...session, problems: ['no_live_subscription'] },
      schema: {
        tags,
        operationId: 'getSubscription',
        summary: 'The live subscription of the account',
        response: { 200: SubscriptionView },
      },
    },
    (request) => desk.live(principalOf(request).accountId),
  )

  server.post(
    '/api/v1/marketplace/webhook',
    {
      bodyLimit: WEBHOOK_BYTES_MAX,
      // Its own credential: a token in `Authorization` that the marketplace signed, checked before anything is believed.
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
        summary: 'For the marketplace: something happened to a subscription',
        description:
          'Called by the marketplace alone, with a token that it signed. The operation is confirmed with the ' +
          'marketplace before anything changes, and counts once however often it is told.',
        body: WebhookCall,
        response: { 200: WebhookAnswer },
      },
    },
    async (request) => ({ outcome: await desk.receive(request.headers.authorization, request.body) }),
  )
}
