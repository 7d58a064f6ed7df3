/** The sandbox's shop: sells plans, and lets happen to them what happens to subscriptions, telling our webhook of it. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createOutboundHttp } from '#base/outbound-http.ts'
import type { PlanMap } from '#marketplace/plan-map.ts'
import type { BookStore, SandboxOperation, SandboxPurchase } from './book-store.ts'
import { hashOf } from './provider.ts'
import { type Action, perform, RULES, type Wish } from './rules.ts'

const TOKEN_MS = 24 * 60 * 60 * 1000
const TOKEN_BYTES = 96
const DELIVERIES_MAX = 3
const DELIVERY_MS = 10_000
const PAUSE_MS = 300
const RESPONSE_BYTES_MAX = 65_536
const LISTED = 50

export interface ShopOptions {
  books: BookStore
  plans: PlanMap
  publicUrl: string
  /** Where our own webhook is reached from this very process. */
  webhookUrl: string
  sign: () => Promise<string>
  log: Log
}

export interface Sale {
  offerId?: string
  planId: string
  email?: string
  quantity?: number
  freeTrial?: boolean
}

export type Shop = ReturnType<typeof createShop>

const noSuchPurchase = (): AppError => new AppError('not_found', 'The sandbox has sold no such subscription.')

export function createShop({ books, plans, publicUrl, webhookUrl, sign, log }: ShopOptions) {
  const http = createOutboundHttp()
  const shelf = Object.keys(plans).map((name) => {
    const [offerId = '', planId = ''] = name.split('/')
    return { offerId, planId }
  })

  async function deliverOnce(operation: SandboxOperation, purchase: SandboxPurchase): Promise<number> {
    const headers = { authorization: `Bearer ${await sign()}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ ...operation, activityId: operation.id, subscription: purchase })
    const request = {
      method: 'POST',
      url: webhookUrl,
      headers,
      body,
      deadline: AbortSignal.timeout(DELIVERY_MS),
    } as const
    const outcome = await http.send({ ...request, responseBytesMax: RESPONSE_BYTES_MAX })
    if (outcome.kind !== 'answered') throw new Error(`No response: ${outcome.kind}`)
    return outcome.status
  }

  /** The status of the last answer; 0 when there was none. */
  async function deliver(operation: SandboxOperation, purchase: SandboxPurchase): Promise<number> {
    for (let attempts = 1; ; attempts++) {
      const status = await deliverOnce(operation, purchase).catch((error) => {
        log.warn({ err: error }, 'The sandbox could not reach the webhook')
        return 0
      })
      if ((status > 0 && status < 500) || attempts === DELIVERIES_MAX) return status
      await sleep(PAUSE_MS * attempts)
    }
  }

  /**
   * What our webhook took without answering the operation is done all the same, as the real one does after a while.
   * What it refused, or could not take, is given up.
   */
  async function finish(operation: SandboxOperation, status: number): Promise<string> {
    const now = await books.findOperation(operation.subscriptionId, operation.id)
    if (now?.status !== 'InProgress') return now?.status ?? 'Failed'
    const accepted = status >= 200 && status < 300
    if (accepted) await books.change(operation.subscriptionId, (known) => perform(known, operation.action, operation))
    await books.putOperation({ ...now, status: accepted ? 'Succeeded' : 'Failed' })
    return accepted ? 'Succeeded' : 'Failed'
  }

  return {
    async stock() {
      return { plans: shelf, purchases: await books.list(LISTED) }
    },

    /** What the buyer takes to the landing page. Nothing is active or billed yet. */
    async buy({ offerId, planId, email = 'buyer@example.com', quantity, freeTrial = false }: Sale) {
      const offer = offerId ?? shelf.find((each) => each.planId === planId)?.offerId ?? shelf[0]?.offerId ?? 'docvet'
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
      await books.sell(purchase, hashOf(token), TOKEN_MS)
      const landingUrl = `${publicUrl}/marketplace/landing?token=${encodeURIComponent(token)}`
      return { subscriptionId: purchase.id, token, landingUrl }
    },

    /** Lets something happen, and tells the webhook. */
    async act(id: string, action: Action, wish: Partial<Wish>) {
      const { word, from, waits } = RULES[action]
      const known = await books.find(id)
      if (known === null) throw noSuchPurchase()
      const wanted: Wish = { planId: wish.planId ?? known.planId, quantity: wish.quantity ?? known.quantity }
      const after = waits ? perform(known, word, wanted) : await books.change(id, (now) => perform(now, word, wanted))
      if (after === null) {
        const detail = `${word} is possible only when it is ${from.join(' or ')}; it is ${known.saasSubscriptionStatus}.`
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
      await books.putOperation(operation)
      const webhookStatus = await deliver(operation, known)
      return { operationId: operation.id, action: word, status: await finish(operation, webhookStatus), webhookStatus }
    },
  }
}
