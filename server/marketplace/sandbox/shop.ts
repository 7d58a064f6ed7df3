/** The shop of the sandbox: sells plans, performs actions on them and notifies our webhook. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createConfiguredHttp } from '#base/outbound-http.ts'
import type { PlanMap } from '#marketplace/choice.ts'
import { type Action, type PlanAndQuantity, perform, RULES } from './rules.ts'
import type { SandboxOperation, SandboxPurchase, SandboxStore } from './store.ts'

const TOKEN_MS = 24 * 60 * 60 * 1000
const TOKEN_BYTES = 96
const DELIVERIES_MAX = 3
const DELIVERY_MS = 10_000
const PAUSE_MS = 300
/** Like the real marketplace, completes an operation that the webhook accepted without answering it. */
const ANSWER_MS = 10_000
const ANSWER_POLL_MS = 50
const RESPONSE_BYTES_MAX = 65_536
const LISTED = 50

interface ShopOptions {
  store: SandboxStore
  plans: PlanMap
  publicUrl: string
  /** The URL under which this process reaches its own webhook. */
  webhookUrl: string
  sign: () => Promise<string>
  log: Log
}

const name = Type.String({ pattern: '^[^/\\s]{1,100}$' })
const quantity = Type.Integer({ minimum: 1, maximum: 1_000_000 })

export const Sale = Type.Object(
  {
    offerId: Type.Optional(name),
    planId: name,
    email: Type.Optional(Type.String({ minLength: 3, maxLength: 200 })),
    quantity: Type.Optional(quantity),
    freeTrial: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

export const ActionBody = Type.Object(
  { planId: Type.Optional(name), quantity: Type.Optional(quantity) },
  { additionalProperties: false },
)

export type Shop = ReturnType<typeof createShop>

/** Calls the webhook until it responds. Returns the status of the last response; 0 if there was none. */
function createDelivery({ webhookUrl, sign, log }: ShopOptions) {
  const http = createConfiguredHttp(webhookUrl)

  return async (operation: SandboxOperation, purchase: SandboxPurchase): Promise<number> => {
    for (let attempts = 1; ; attempts++) {
      const outcome = await http.send({
        method: 'POST',
        url: webhookUrl,
        headers: { authorization: `Bearer ${await sign()}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...operation, activityId: operation.id, subscription: purchase }),
        responseBytesMax: RESPONSE_BYTES_MAX,
        deadline: AbortSignal.timeout(DELIVERY_MS),
      })
      const status = outcome.kind === 'answered' ? outcome.status : 0
      if (status === 0) log.warn({ reason: outcome.kind }, 'Sandbox failed to reach the webhook')
      if ((status > 0 && status < 500) || attempts === DELIVERIES_MAX) return status
      await sleep(PAUSE_MS * attempts)
    }
  }
}

/** Completes or abandons an operation, unless it has ended before. */
export async function settle(store: SandboxStore, purchaseId: string, id: string, accept: boolean) {
  const operation = await store.findOperation(purchaseId, id)
  if (operation?.status !== 'InProgress') return { isSettled: false, status: operation?.status ?? 'Failed' }
  const status = accept ? 'Succeeded' : 'Failed'
  const isSettled = await store.endOperation(operation, status, (known) =>
    accept ? perform(known, operation.action, operation) : null,
  )
  return { isSettled, status }
}

/** The service answers after its response to the webhook call. Null if it does not. */
async function answerTo(store: SandboxStore, { id, subscriptionId }: SandboxOperation): Promise<string | null> {
  for (let waitedMs = 0; waitedMs < ANSWER_MS; waitedMs += ANSWER_POLL_MS) {
    const status = (await store.findOperation(subscriptionId, id))?.status
    if (status !== undefined && status !== 'InProgress') return status
    await sleep(ANSWER_POLL_MS)
  }
  return null
}

export function createShop(options: ShopOptions) {
  const { store, plans, publicUrl } = options
  const deliver = createDelivery(options)
  const offers = Object.keys(plans).map((name) => {
    const [offerId = '', planId = ''] = name.split('/')
    return { offerId, planId }
  })

  return {
    async list() {
      return { plans: offers, purchases: await store.list(LISTED) }
    },

    /** Returns the token for the landing page. Nothing is active or billed yet. */
    async buy({ planId, freeTrial = false, ...sale }: Static<typeof Sale>) {
      const offer = offers.find((each) => each.planId === planId) ?? offers[0]
      const purchase: SandboxPurchase = {
        id: randomUUID(),
        offerId: sale.offerId ?? offer?.offerId ?? 'docvet',
        planId,
        quantity: sale.quantity ?? null,
        saasSubscriptionStatus: 'PendingFulfillmentStart',
        beneficiary: { emailId: sale.email ?? 'buyer@example.com' },
        term: { startDate: null, endDate: null, termUnit: 'P1M' },
        autoRenew: true,
        isFreeTrial: freeTrial,
        isTest: true,
      }
      const token = randomBytes(TOKEN_BYTES).toString('base64')
      await store.add(purchase, token, TOKEN_MS)
      const landingUrl = `${publicUrl}/marketplace/landing?token=${encodeURIComponent(token)}`
      return { subscriptionId: purchase.id, token, landingUrl }
    },

    /** Performs an action and notifies the webhook. */
    async act(id: string, action: Action, requested: Static<typeof ActionBody>) {
      const { word, from, waits } = RULES[action]
      const known = await store.find(id)
      if (known === null) throw new AppError('not_found', 'The sandbox has no such purchase.')
      const wanted: PlanAndQuantity = { planId: known.planId, quantity: known.quantity, ...requested }
      const after = waits ? perform(known, word, wanted) : await store.change(id, (now) => perform(now, word, wanted))
      if (after === null) {
        const detail = `${word} requires the status ${from.join(' or ')}. The status is ${known.saasSubscriptionStatus}.`
        throw new AppError('subscription_conflict', detail)
      }
      const operation: SandboxOperation = {
        id: randomUUID(),
        subscriptionId: id,
        offerId: known.offerId,
        ...wanted,
        action: word,
        status: waits ? 'InProgress' : 'Succeeded',
        timeStamp: new Date().toISOString(),
      }
      await store.addOperation(operation)
      const webhookStatus = await deliver(operation, known)
      const accepted = webhookStatus >= 200 && webhookStatus < 300
      const answered = accepted ? await answerTo(store, operation) : null
      const status = answered ?? (await settle(store, id, operation.id, accepted)).status
      return { operationId: operation.id, action: word, status, webhookStatus }
    },
  }
}
