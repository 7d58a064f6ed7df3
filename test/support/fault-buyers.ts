/** Purchases during a fault run: afterwards the service has what it answered, and what the marketplace has. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, request } from '#test/support/raw-http.ts'
import { cookieOf, GOOD_PASSWORD, ownPage } from './auth-client.ts'
import type { FaultRig } from './fault-rig.ts'
import { PLAN_MAP } from './microsoft-marketplace.ts'
import type { Dice } from './scan-documents.ts'
import { until } from './scan-process.ts'

/** Of one run. */
const BUYERS_MAX = 10
const ATTEMPTS_MAX = 4
/** Answers to operations are sent again after a minute, and due work is looked for every minute. */
const AGREE_MS_MAX = 180_000

interface Purchase {
  id: string
  email: string
  /** The last step that was answered with success. */
  step: 'none' | 'resolved' | 'activated'
}

interface Row {
  email: string
  status: string
  plan: string
}

export function createBuyers(rig: Pick<FaultRig, 'ports' | 'marketplace' | 'query'>, seed: number) {
  const purchases: Purchase[] = []
  const { marketplace, query } = rig

  /** Null if no attempt succeeds. */
  async function persist(dice: Dice, status: number, send: (port: number) => Promise<Answer | { status: number }>) {
    for (let left = ATTEMPTS_MAX; left > 0; left--) {
      const answer = await send(dice.pick(rig.ports)).catch(() => null)
      if (answer?.status === status) return answer
      await sleep(dice.whole(100, 1_000))
    }
    return null
  }

  async function buy(dice: Dice, email: string): Promise<void> {
    const post = (route: string, body: object, cookie = '') =>
      persist(dice, route === 'auth/signup' ? 201 : 200, (port) =>
        request(port, 'POST', `/api/v1/${route}`, { headers: { ...ownPage(port), cookie }, body, timeoutMs: 40_000 }),
      )
    const signedUp = await post('auth/signup', { email, password: GOOD_PASSWORD })
    if (signedUp === null) return
    const cookie = cookieOf(signedUp as Answer)
    const { id, token } = await marketplace.sell()
    const purchase: Purchase = { id, email, step: 'none' }
    purchases.push(purchase)
    if ((await post('marketplace/resolve', { token }, cookie)) === null) return
    purchase.step = 'resolved'
    if ((await post('marketplace/activate', { subscriptionId: id }, cookie)) === null) return
    purchase.step = 'activated'
    if (dice.next() < 0.3) return
    const operation = await marketplace.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
    await persist(dice, 200, (port) => marketplace.notify(port, operation))
  }

  /** The marketplace has something else. */
  async function difference({ id }: Purchase, row: Row): Promise<string | null> {
    const sold = await marketplace.purchase(id)
    const [status, planId] = [String(sold.saasSubscriptionStatus).trim(), String(sold.planId)]
    if (status !== row.status) return `is ${row.status}, at the marketplace ${status}`
    const plan = status === 'Subscribed' ? PLAN_MAP[`docvet/${planId}` as keyof typeof PLAN_MAP] : 'free'
    return row.plan === plan ? null : `has the plan ${row.plan}, at the marketplace ${planId}`
  }

  async function problemOf(purchase: Purchase, isCompared: boolean): Promise<string | null> {
    const { id, email, step } = purchase
    const [row] = await query<Row>(
      `select email, status, plan from subscriptions join accounts on accounts.id = account_id
       where external_id = $1`,
      [id],
    )
    if (row === undefined) return step === 'none' ? null : 'is lost'
    if (row.email !== email) return `belongs to ${row.email}`
    if (step === 'activated' && row.status !== 'Subscribed') return `was activated and is ${row.status}`
    return isCompared ? difference(purchase, row) : null
  }

  async function problems(isCompared: boolean): Promise<string[]> {
    const found = await Promise.all(purchases.map((purchase) => problemOf(purchase, isCompared)))
    return found.flatMap((problem, index) =>
      problem === null ? [] : [`The purchase of ${purchases[index]?.email} ${problem}.`],
    )
  }

  return {
    count: () => purchases.length,
    async run(dice: Dice, isOver: () => boolean): Promise<void> {
      for (let i = 0; !isOver() && purchases.length < BUYERS_MAX; i++) {
        await buy(dice, `buyer-${seed}-${i}-${Date.now()}@example.com`)
        await sleep(dice.whole(100, 2_000))
      }
    },
    /** `isCompared`: waits until the marketplace has the same. */
    async violations(isCompared: boolean): Promise<string[]> {
      await until(async () => (await problems(isCompared)).length === 0, isCompared ? AGREE_MS_MAX : 0, 1_000)
      return problems(isCompared)
    },
  }
}
