/** The marketplace service on a real database, with a peer that speaks Microsoft's protocol. */
import { after, before, beforeEach } from 'node:test'
import { newId } from '#base/ids.ts'
import { createLog } from '#base/log.ts'
import type { PlanMap } from '#marketplace/choice.ts'
import { createMicrosoftMarketplace } from '#marketplace/microsoft/marketplace.ts'
import { createReconcileStore } from '#marketplace/reconcile-store.ts'
import { createMarketplaceService } from '#marketplace/setup.ts'
import { createSubscriptionStore, type SubscriptionStore } from '#marketplace/store.ts'
import type { Database } from '#storage/database.ts'
import {
  type MarketplacePeer,
  PLAN_MAP,
  QUICK_TIMING,
  startMarketplacePeer,
} from '#test/support/microsoft-marketplace.ts'
import { quietLog, seedAccount } from '#test/support/seed.ts'
import { useDatabase } from '#test/support/suite.ts'
import { BUILT_IN_PLANS } from '#usage/plan.ts'

interface Logged {
  level: string
  msg: string
}

interface OpenOptions {
  plans?: PlanMap
  store?: SubscriptionStore
}

interface MarketplaceSuite {
  database: Database
  peer: MarketplacePeer
  harness: MarketplaceHarness
}

/** Sets up a peer and a harness for a suite, emptied before each test. */
export function useMarketplace(openUrl: Parameters<typeof useDatabase>[0], use: (suite: MarketplaceSuite) => void) {
  let database: Database
  let suite: MarketplaceSuite
  useDatabase(openUrl, (opened) => {
    database = opened
  })
  before(async () => {
    const peer = await startMarketplacePeer()
    suite = { database, peer, harness: createMarketplaceHarness(database, peer) }
    use(suite)
  })
  after(() => suite.peer[Symbol.asyncDispose]())
  beforeEach(() => suite.harness.reset())
}

export type MarketplaceHarness = ReturnType<typeof createMarketplaceHarness>

function createMarketplaceHarness(database: Database, peer: MarketplacePeer) {
  const { db } = database
  const logged: Logged[] = []
  const log = createLog({ level: 'info', stream: { write: (line) => void logged.push(JSON.parse(line)) } })
  const newStore = () =>
    createSubscriptionStore(database, { provider: 'microsoft', freePlan: 'free', plans: BUILT_IN_PLANS, log })

  /** A service with its own in-memory state, like another replica. */
  function open({ plans = PLAN_MAP, store = newStore() }: OpenOptions = {}) {
    const url = `http://127.0.0.1:${peer.port}`
    const urls = { apiUrl: `${url}/api`, authorityUrl: `${url}/authority`, keysUrl: null, issuers: null }
    return createMarketplaceService({
      marketplace: createMicrosoftMarketplace({ ...peer, ...urls }, quietLog, QUICK_TIMING),
      plans,
      store,
      lease: createReconcileStore(database, 'microsoft'),
      replicaId: newId(),
      log,
    })
  }

  /** A pending purchase. */
  async function resolved(fields: object = {}, options: OpenOptions & { accountId?: string } = {}) {
    const accountId = options.accountId ?? (await seedAccount(database))
    const { id, token } = await peer.sell(fields)
    await open(options).service.resolve(accountId, token)
    return { accountId, id, token }
  }

  const rowOf = (id: string) =>
    db.selectFrom('subscriptions').selectAll().where('external_id', '=', id).executeTakeFirst()

  return {
    open,
    newStore,
    resolved,
    async subscribed(fields: object = {}, options: OpenOptions = {}) {
      const bought = await resolved(fields, options)
      await open(options).service.activate(bought.accountId, bought.id)
      return bought
    },
    /** Calls the webhook with a signed token. */
    async notify(operation: object, options: OpenOptions = {}): Promise<string> {
      const { outcome, sendAnswer } = await open(options).service.receive(`Bearer ${await peer.sign()}`, operation)
      await sendAnswer()
      return outcome
    },
    async plan(accountId: string): Promise<string> {
      const account = db.selectFrom('accounts').select('plan').where('id', '=', accountId)
      return (await account.executeTakeFirstOrThrow()).plan
    },
    rowOf,
    async statusOf(id: string): Promise<string | undefined> {
      return (await rowOf(id))?.status
    },
    /** The outcomes recorded for an operation. */
    async outcomesOf(operationId: string): Promise<string[]> {
      const events = db.selectFrom('marketplace_events').select('outcome').where('operation_id', '=', operationId)
      return (await events.execute()).map(({ outcome }) => outcome)
    },
    /** Moves the last change of every subscription into the past. */
    age: (ms: number) =>
      db
        .updateTable('subscriptions')
        .set((eb) => ({ settled_at: eb('settled_at', '-', ms) }))
        .execute(),
    /** Makes all scheduled rechecks and answers due. */
    async makeDue(): Promise<void> {
      await db.updateTable('subscriptions').set({ recheck_at: 0 }).where('recheck_at', 'is not', null).execute()
      await db.updateTable('marketplace_events').set({ answer_at: 0 }).where('answer_at', 'is not', null).execute()
    },
    /** The errors logged since the previous call. */
    errors(): string[] {
      const found = logged.filter(({ level }) => level === 'error').map(({ msg }) => msg)
      logged.length = 0
      return found
    },
    /** Deletes all subscriptions and makes the next reconciliation due. */
    async reset(): Promise<void> {
      await db.deleteFrom('marketplace_rounds').execute()
      await db.deleteFrom('subscriptions').execute()
      await db.deleteFrom('marketplace_events').execute()
      await peer.forget()
      logged.length = 0
    },
  }
}
