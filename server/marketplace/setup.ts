/** The marketplace service: the operations behind its routes, wired to the configured marketplace. */
import type { Log } from '#base/log.ts'
import type { Config } from '#config/config.ts'
import type { Database, Trx } from '#storage/database.ts'
import { createActivate } from './activate.ts'
import { type PlanMap, planKeyOf } from './choice.ts'
import { createReceiveEvent, NOTICE_MS } from './events.ts'
import type { Timing } from './microsoft/http.ts'
import { createMicrosoftMarketplace } from './microsoft/marketplace.ts'
import { createAnswers } from './operations.ts'
import type { Marketplace } from './ports.ts'
import { createReconcile, type ReconcileOptions } from './reconcile.ts'
import { createReconcileStore } from './reconcile-store.ts'
import type { Deps } from './refresh.ts'
import { marketplaceOff, noLiveSubscription, stillBilled } from './refusals.ts'
import { resolve } from './resolve.ts'
import { createSandbox } from './sandbox/marketplace.ts'
import { createSubscriptionStore, type SubscriptionStore } from './store.ts'
import { viewOf } from './subscription.ts'

/** An account rarely has more than one or two. */
const LISTED_MAX = 100

export type MarketplaceService = ReturnType<typeof createMarketplaceService>['service']

interface ServiceOptions extends Pick<ReconcileOptions, 'store' | 'lease' | 'replicaId' | 'log'> {
  marketplace: Marketplace
  plans: PlanMap
  /** For a webhook call; shorter in tests. */
  noticeMs?: number
}

export interface MarketplaceTiming extends Timing {
  noticeMs: number
}

interface SetupOptions {
  config: Config
  database: Database
  replicaId: string
  freePlan: string
  log: Log
  timing?: MarketplaceTiming | undefined
}

const createLive = (store: SubscriptionStore) => async (accountId: string) => {
  const subscription = await store.findLive(accountId)
  if (subscription === null) throw noLiveSubscription()
  return viewOf(subscription)
}

const createList = (store: SubscriptionStore) => async (accountId: string) => ({
  items: (await store.list(accountId, LISTED_MAX)).map((each) => ({ ...viewOf(each), quantity: each.quantity })),
})

export function createMarketplaceService(given: ServiceOptions) {
  const { marketplace, plans, noticeMs = NOTICE_MS, ...options } = given
  const deps: Deps = {
    ...options,
    provider: marketplace.provider,
    choosePlan(offerId, planId) {
      const planKey = planKeyOf(plans, offerId, planId)
      return planKey === null ? null : { planId, planKey }
    },
  }
  const receive = createReceiveEvent(deps)
  const answers = createAnswers(deps)
  const service = {
    resolve: (accountId: string, token: string) => resolve(deps, accountId, token),
    activate: createActivate(deps),
    live: createLive(options.store),
    list: createList(options.store),
    async receive(authorization: string | undefined, body: unknown) {
      // One deadline for everything, since fetching the signing keys may be slow too.
      const deadline = AbortSignal.timeout(noticeMs)
      const notice = await marketplace.verifyAndParse(authorization, body, deadline)
      const outcome = await receive(notice, deadline)
      return { outcome, sendAnswer: () => answers.sendFirst(notice.operationId) }
    },
  }
  return { service, reconcile: createReconcile({ ...options, ...deps, receive, answers }) }
}

/** Without a marketplace, existing subscriptions can still be read. */
function createDisabledService(store: SubscriptionStore): MarketplaceService {
  const off = async () => {
    throw marketplaceOff()
  }
  return { resolve: off, activate: off, receive: off, live: createLive(store), list: createList(store) }
}

export async function setUpMarketplace({ config, database, replicaId, freePlan, log, timing }: SetupOptions) {
  const { marketplace: choice, plans } = config
  const store = createSubscriptionStore(database, { provider: choice.kind, freePlan, plans, log })
  // Free plans from the sandbox end with it, before the plan table is checked: it may lack them by now.
  const count = choice.kind === 'sandbox' ? 0 : await store.endAllOf('sandbox')
  if (count > 0) log.warn({ count }, 'Sandbox subscriptions ended: the sandbox is no longer the marketplace')
  const lost = (await store.plansOfLive()).filter((plan) => !Object.hasOwn(plans, plan))
  if (lost.length > 0) log.warn({ plans: lost }, 'Live subscriptions ignored: their plans are not in the plan table')

  async function erase(trx: Trx, accountId: string): Promise<void> {
    if (!(await store.erase(trx, accountId))) throw stillBilled()
  }

  if (choice.kind === 'off') return { service: createDisabledService(store), sandbox: null, reconcile: null, erase }
  const lease = createReconcileStore(database, choice.kind)
  const wire = (marketplace: Marketplace) =>
    createMarketplaceService({ marketplace, plans: choice.plans, store, lease, replicaId, log, ...timing })
  if (choice.kind === 'microsoft')
    return { ...wire(createMicrosoftMarketplace(choice, log, timing)), sandbox: null, erase }
  const sandbox = createSandbox({ ...config, ...choice, database, log })
  return { ...wire(sandbox), sandbox, erase }
}
