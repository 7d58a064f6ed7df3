/** Public shapes of the marketplace. */
import { Type } from 'typebox'
import { TOKEN_LENGTH_MAX } from './landing-token.ts'
import { OUTCOMES } from './outcome.ts'

const id = Type.String({ format: 'uuid', examples: ['5d0f1a52-9f1c-4f3b-8d56-0a6f3a1f7c11'] })

const timeOrNull = (description: string, example: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description, examples: [example] })

export const ResolveRequest = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: TOKEN_LENGTH_MAX,
      description: 'What stands behind `token=` in the address of the landing page. It works for 24 hours.',
      examples: ['$MARKETPLACE_TOKEN'],
    }),
  },
  { additionalProperties: false },
)

export const ActivateRequest = Type.Object(
  { subscriptionId: Type.String({ format: 'uuid', examples: ['$SUBSCRIPTION_ID'] }) },
  { additionalProperties: false },
)

export const SubscriptionView = Type.Object({
  subscriptionId: id,
  offerId: Type.String({ examples: ['docvet'] }),
  marketplacePlanId: Type.String({ examples: ['pro'] }),
  planKey: Type.String({
    description: 'Our plan for it. It applies while the status is `Subscribed`.',
    examples: ['pro'],
  }),
  status: Type.Union(
    [
      Type.Literal('PendingFulfillmentStart'),
      Type.Literal('Subscribed'),
      Type.Literal('Suspended'),
      Type.Literal('Unsubscribed'),
    ],
    { examples: ['Subscribed'] },
  ),
  freeTrial: Type.Boolean({ examples: [false] }),
  autoRenew: Type.Boolean({ examples: [true] }),
  termStart: timeOrNull('Null until it is activated.', '2026-11-15T00:00:00.000Z'),
  termEnd: timeOrNull('The last day that is paid for.', '2026-12-14T00:00:00.000Z'),
  beneficiaryEmail: Type.Union([Type.String(), Type.Null()], {
    description: 'Whom it is for, as the marketplace says.',
    examples: ['ada@example.com'],
  }),
})

/** What the marketplace sends. It may send more than this, and today's fields may be missing tomorrow: they are read tolerantly. */
export const WebhookCall = Type.Object(
  {
    id: Type.Optional(
      Type.Unknown({ description: 'The operation.', examples: ['74dfb4db-c193-4891-827d-eb05fbdc64b0'] }),
    ),
    subscriptionId: Type.Optional(Type.Unknown({ examples: ['5d0f1a52-9f1c-4f3b-8d56-0a6f3a1f7c11'] })),
    action: Type.Optional(Type.Unknown({ examples: ['Suspend'] })),
    planId: Type.Optional(Type.Unknown({ examples: ['pro'] })),
  },
  { additionalProperties: true },
)

export const WebhookAnswer = Type.Object({
  outcome: Type.Enum([...OUTCOMES], { description: 'What was done about it, in one word.', examples: ['applied'] }),
})
