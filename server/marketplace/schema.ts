/** Schemas of the marketplace. */
import { Type } from 'typebox'
import { STATUSES } from './state.ts'

/** The result of processing an event. */
const OUTCOMES = [
  'applied',
  /** The event has no effect in the current state. */
  'unchanged',
  /** A newer event or state takes precedence. */
  'superseded',
  /** We refused a change to an unmapped plan. */
  'refused',
  /** The change to an unmapped plan happened; the operator has to map it. */
  'unmapped',
  /** The marketplace abandoned the operation. */
  'void',
  'repeated',
  /** The marketplace does not know the operation. */
  'unconfirmed',
  'unknown_action',
  'unknown_subscription',
] as const

export type Outcome = (typeof OUTCOMES)[number]

const id = Type.String({ format: 'uuid', examples: ['5d0f1a52-9f1c-4f3b-8d56-0a6f3a1f7c11'] })

const timeOrNull = (description: string, example: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description, examples: [example] })

export const ResolveRequest = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: 'The value of `token` in the URL of the landing page. Valid for 24 hours.',
      examples: ['a1B2c3D4e5F6'],
    }),
  },
  { title: 'ResolveRequest', description: 'The token of the purchase.', additionalProperties: false },
)

export const ActivateRequest = Type.Object(
  { subscriptionId: id },
  { title: 'ActivateRequest', description: 'The subscription to activate.', additionalProperties: false },
)

const viewFields = {
  subscriptionId: id,
  offerId: Type.String({ examples: ['docvet'] }),
  marketplacePlanId: Type.String({ examples: ['pro'] }),
  planKey: Type.String({
    description: 'The plan of this service. It applies while the status is `Subscribed`.',
    examples: ['pro'],
  }),
  status: Type.Enum([...STATUSES], { type: 'string', examples: ['Subscribed'] }),
  freeTrial: Type.Boolean({ examples: [false] }),
  autoRenew: Type.Boolean({ examples: [true] }),
  termStart: timeOrNull('Null until the subscription is activated.', '2026-11-15T00:00:00.000Z'),
  termEnd: timeOrNull('The last paid day.', '2026-12-14T00:00:00.000Z'),
  beneficiaryEmail: Type.Union([Type.String(), Type.Null()], {
    description: 'The beneficiary, as reported by the marketplace.',
    examples: ['ada@example.com'],
  }),
}

export const SubscriptionView = Type.Object(viewFields, {
  title: 'SubscriptionView',
  description: 'A marketplace subscription.',
})

export const SubscriptionList = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          ...viewFields,
          quantity: Type.Union([Type.Integer(), Type.Null()], {
            description:
              'The number of seats bought; null for a plan without seats. It does not change the limits of the plan.',
            examples: [5],
          }),
        },
        { title: 'SubscriptionItem' },
      ),
    ),
  },
  { title: 'SubscriptionList', description: 'The purchases of the account, newest first, at most 100.' },
)

/** Validated loosely, because the marketplace may add or omit fields. */
export const WebhookCall = Type.Object(
  {
    id: Type.Optional(
      Type.Unknown({ description: 'The operation id.', examples: ['74dfb4db-c193-4891-827d-eb05fbdc64b0'] }),
    ),
    subscriptionId: Type.Optional(Type.Unknown({ examples: ['5d0f1a52-9f1c-4f3b-8d56-0a6f3a1f7c11'] })),
    action: Type.Optional(Type.Unknown({ examples: ['Suspend'] })),
    planId: Type.Optional(Type.Unknown({ examples: ['pro'] })),
  },
  { title: 'WebhookCall', description: 'An event of the marketplace.', additionalProperties: true },
)

export const WebhookAnswer = Type.Object(
  {
    outcome: Type.Enum([...OUTCOMES], {
      type: 'string',
      description: 'The result of processing the event.',
      examples: ['applied'],
    }),
  },
  { title: 'WebhookResult', description: 'The event was processed.' },
)
