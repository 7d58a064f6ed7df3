/** Wires the marketplace module to the configured marketplace. */
import type { Log } from '#base/log.ts'
import type { Config } from '#config/config.ts'
import type { Database } from '#storage/database.ts'
import { createMicrosoftMarketplace } from './microsoft/marketplace.ts'
import { createReconcileStore } from './reconcile-store.ts'
import { createSandbox } from './sandbox/marketplace.ts'
import { createSandboxStore } from './sandbox/store.ts'
import { createDisabledService, createMarketplaceService } from './service.ts'
import { createSubscriptionStore } from './store.ts'

interface MarketplaceOptions {
  config: Config
  database: Database
  replicaId: string
  freePlan: string
  log: Log
}

export async function setUpMarketplace({ config, database, replicaId, freePlan, log }: MarketplaceOptions) {
  const { marketplace: choice, plans } = config
  const store = createSubscriptionStore(database, { provider: choice.kind, freePlan, plans, log })
  // Free plans from the sandbox end with it, before the plan table is checked: it may lack them by now.
  const count = choice.kind === 'sandbox' ? 0 : await store.endAllOf('sandbox')
  if (count > 0) log.warn({ count }, 'Sandbox subscriptions ended: the sandbox is no longer the marketplace')
  const lost = (await store.plansOfLive()).filter((plan) => !Object.hasOwn(plans, plan))
  if (lost.length > 0) log.warn({ plans: lost }, 'Live subscriptions ignored: their plans are not in the plan table')

  if (choice.kind === 'off') return { service: createDisabledService(store), sandbox: null, reconcile: null }
  const sandbox =
    choice.kind === 'sandbox' ? createSandbox({ ...config, ...choice, store: createSandboxStore(database), log }) : null
  const marketplace = choice.kind === 'microsoft' ? createMicrosoftMarketplace(choice, log) : sandbox
  if (marketplace === null) throw new Error('No marketplace is configured')
  const lease = createReconcileStore(database)
  const wired = createMarketplaceService({ marketplace, plans: choice.plans, store, lease, replicaId, log })
  return { ...wired, sandbox }
}
