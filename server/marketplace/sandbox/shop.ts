/** The shop of the sandbox: sells plans, performs actions on them and notifies our webhook. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createOutboundHttp } from '#base/outbound-http.ts'
import type { PlanMap } from '#marketplace/choice.ts'
import { type Action, type PlanAndQuantity, perform, RULES } from './rules.ts'
import type { SandboxOperation, SandboxPurchase, SandboxStore } from './store.ts'

const TOKEN_MS = 24 * 60 * 60 * 1000
const TOKEN_BYTES = 96
const DELIVERIES_MAX = 3
const DELIVERY_MS = 10_000
const PAUSE_MS = 300
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

interface Sale {
  offerId?: string
  planId: string
  email?: string
  quantity?: number
  freeTrial?: boolean
}

export type Shop = ReturnType<typeof createShop>

type Deliver = (operation: SandboxOperation, purchase: SandboxPurchase) => Promise<number>

/** Calls the webhook until it responds. Returns the status of the last response; 0 if there was none. */
function createDelivery({ webhookUrl, sign, log }: ShopOptions): Deliver {
  const http = createOutboundHttp()

  async function deliverOnce(operation: SandboxOperation, purchase: SandboxPurchase): Promise<number> {
    const outcome = await http.send({
      method: 'POST',
      url: webhookUrl,
      headers: { authorization: `Bearer ${await sign()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...operation, activityId: operation.id, subscription: purchase }),
      responseBytesMax: RESPONSE_BYTES_MAX,
      deadline: AbortSignal.timeout(DELIVERY_MS),
    })
    if (outcome.kind === 'answered') return outcome.status
    log.warn({ reason: outcome.kind }, 'Sandbox failed to reach the webhook')
    return 0
  }

  return async (operation, purchase) => {
    for (let attempts = 1; ; attempts++) {
      const status = await deliverOnce(operation, purchase)
      if ((status > 0 && status < 500) || attempts === DELIVERIES_MAX) return status
      await sleep(PAUSE_MS * attempts)
    }
  }
}

/** Like the real marketplace, completes an operation that the webhook accepted without acknowledging it. */
async function finish(store: SandboxStore, operation: SandboxOperation, webhookStatus: number): Promise<string> {
  const now = await store.findOperation(operation.subscriptionId, operation.id)
  if (now?.status !== 'InProgress') return now?.status ?? 'Failed'
  const accepted = webhookStatus >= 200 && webhookStatus < 300
  if (accepted) await store.change(operation.subscriptionId, (known) => perform(known, operation.action, operation))
  const status = accepted ? 'Succeeded' : 'Failed'
  await store.putOperation({ ...now, status })
  return status
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
    async buy({ offerId, planId, email = 'buyer@example.com', quantity, freeTrial = false }: Sale) {
      const offer = offerId ?? offers.find((each) => each.planId === planId)?.offerId ?? offers[0]?.offerId ?? 'docvet'
      const purchase: SandboxPurchase = {
        id: randomUUID(),
        offerId: offer,
        planId,
        quantity: quantity ?? null,
        saasSubscriptionStatus: 'PendingFulfillmentStart',
        beneficiary: { emailId: email },
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
    async act(id: string, action: Action, requested: Partial<PlanAndQuantity>) {
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
      await store.putOperation(operation)
      const webhookStatus = await deliver(operation, known)
      const status = await finish(store, operation, webhookStatus)
      return { operationId: operation.id, action: word, status, webhookStatus }
    },
  }
}
