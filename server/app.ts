/** The whole application on one page: what exists, and who is given what. */
import { accountRoutes } from '#accounts/routes.ts'
import { createSignup } from '#accounts/signup.ts'
import { createAccountStore } from '#accounts/store.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { docsRoutes } from '#http/docs.ts'
import { healthRoutes } from '#http/health.ts'
import { describeApi } from '#http/openapi.ts'
import type { RouteEntry } from '#http/route-list.ts'
import { createServer, type SERVER_LIMITS, type Server } from '#http/server.ts'
import { type Buckets, createThrottle, memoryBuckets, withFallback } from '#http/throttle.ts'
import { createKeys } from '#keys/keys.ts'
import { trackLastUsed } from '#keys/last-used.ts'
import { keyRoutes } from '#keys/routes.ts'
import { createKeyStore } from '#keys/store.ts'
import type { Database } from '#storage/database.ts'
import { FREE_PLAN, planOf } from '#usage/plan.ts'
import { createReplicaStore } from '#usage/replica-store.ts'
import { usageRoutes } from '#usage/routes.ts'
import { createUsageStore } from '#usage/store.ts'
import { startSweeper } from '#usage/sweeper.ts'
import { createUsage } from '#usage/usage.ts'
import type { Config } from './config.ts'

export interface Resources {
  config: Config
  log: Log
  database: Database
  /** Rate limits that the replicas share, if there are several. */
  sharedBuckets: Buckets | null
  limits?: typeof SERVER_LIMITS
}

export interface App {
  server: Server
  routes: readonly RouteEntry[]
  /** Stops accepting, finishes what runs, and writes down what was only remembered. */
  close(): Promise<void>
}

export async function buildApp({ config, log, database, sharedBuckets, limits }: Resources): Promise<App> {
  const replicaId = newId()
  const { plans } = config

  const keyStore = createKeyStore(database)
  const lastUsed = trackLastUsed(keyStore.touch, log)
  const keys = createKeys({ store: keyStore, lastUsed, keysPerMonth: (plan) => planOf(plans, plan).keysPerMonth })

  const accounts = createAccountStore(database)
  const signUp = createSignup({ store: accounts, plan: FREE_PLAN, prepareFirstKey: keys.prepareFirst })
  for (const plan of await accounts.plansInUse()) planOf(plans, plan)

  const usage = createUsage({
    store: createUsageStore(database, replicaId),
    scansPerMonth: (plan) => planOf(plans, plan).scansPerMonth,
    log,
  })
  const sweeper = await startSweeper({
    store: createReplicaStore(database, replicaId),
    settleOwed: usage.settleOwed,
    log,
  })

  const local = memoryBuckets()
  const { server, routes } = createServer({
    ...config,
    log,
    ...(limits && { limits }),
    findKey: keys.identify,
    throttle: createThrottle(sharedBuckets ? withFallback(sharedBuckets, local, log) : local),
  })

  await describeApi(server, config.publicUrl)
  accountRoutes(server, signUp)
  keyRoutes(server, keys)
  usageRoutes(server, usage)
  healthRoutes(server, { pingStorage: database.ping, engines: () => [] })
  docsRoutes(server, config.publicUrl)
  await server.ready()

  return {
    server,
    routes,
    async close() {
      await server.close()
      await sweeper.close()
      await lastUsed.close()
    },
  }
}
