/** The whole application on one page: what exists, and who is given what. */
import { accountRoutes } from '#accounts/routes.ts'
import { createSignup } from '#accounts/signup.ts'
import { createAccountStore } from '#accounts/store.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { loadArticles } from '#chat/articles.ts'
import { createBreaker } from '#chat/breaker.ts'
import { createBudget as createChatBudget } from '#chat/budget.ts'
import { createChat } from '#chat/chat.ts'
import { chatRoutes } from '#chat/routes.ts'
import { createChatStore } from '#chat/store.ts'
import { createUpstream } from '#chat/upstream.ts'
import type { Engine } from '#engines/engine.ts'
import { createPanel } from '#engines/panel.ts'
import { createSample } from '#engines/sample.ts'
import { docsRoutes } from '#http/docs.ts'
import { healthRoutes } from '#http/health.ts'
import { describeApi } from '#http/openapi.ts'
import type { RouteEntry } from '#http/route-list.ts'
import { createServer, type SERVER_LIMITS, type Server } from '#http/server.ts'
import { type Buckets, createThrottle, memoryBuckets, withFallback } from '#http/throttle.ts'
import { DECLARED_TYPES } from '#inspect/kinds.ts'
import { sniff } from '#inspect/sniff.ts'
import { createKeys } from '#keys/keys.ts'
import { trackLastUsed } from '#keys/last-used.ts'
import { keyRoutes } from '#keys/routes.ts'
import { createKeyStore } from '#keys/store.ts'
import { createBudget, SCANS_IN_FLIGHT_MAX } from '#scan/budget.ts'
import { createClaims } from '#scan/claims.ts'
import { createTypeCheck } from '#scan/document-type.ts'
import { FILE_BYTES_MAX } from '#scan/intake.ts'
import { scanRoutes } from '#scan/routes.ts'
import { createScan } from '#scan/scan.ts'
import { createScanStore } from '#scan/store.ts'
import type { Database } from '#storage/database.ts'
import { FREE_PLAN, planOf } from '#usage/plan.ts'
import { createReplicaStore } from '#usage/replica-store.ts'
import { createReportStore } from '#usage/report-store.ts'
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
  /** Every one of them must look at a document before it is called clean. */
  engines: readonly Engine[]
  limits?: typeof SERVER_LIMITS
}

export interface App {
  server: Server
  routes: readonly RouteEntry[]
  /** Stops accepting, finishes what runs, and writes down what was only remembered. */
  close(): Promise<void>
}

export async function buildApp({ config, log, database, sharedBuckets, engines, limits }: Resources): Promise<App> {
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
    reports: createReportStore(database),
    scansPerMonth: (plan) => planOf(plans, plan).scansPerMonth,
    log,
  })
  const sweeper = await startSweeper({
    store: createReplicaStore(database, replicaId),
    settleOwed: usage.settleOwed,
    log,
  })

  const panel = createPanel(engines)
  const scanStore = createScanStore(database)
  const claims = createClaims(scanStore, log)
  const scan = createScan({
    reserve: usage.reserve,
    budget: createBudget({ bytesMax: config.scanBytesInFlight, scansMax: SCANS_IN_FLIGHT_MAX }),
    createSample,
    panel,
    types: createTypeCheck(new Set(Object.values(DECLARED_TYPES).flat()), sniff),
    store: scanStore,
    claims,
    deadlineMs: config.scanDeadlineMs,
    unscannable: config.unscannable,
    log,
  })

  const { chatUrl, chatModel } = config
  const chat = createChat({
    articles: loadArticles(),
    facts: () => ({ ...config, freePlan: FREE_PLAN, fileBytesMax: FILE_BYTES_MAX, engines: panel.health() }),
    upstream: chatUrl && chatModel ? createUpstream({ url: chatUrl, key: config.chatKey, model: chatModel }) : null,
    model: chatModel,
    enabled: config.chatEnabled,
    breaker: createBreaker(),
    spend: createChatBudget(createChatStore(database), config.chatPerDay),
    log,
  })

  const local = memoryBuckets()
  const { server, routes } = createServer({
    ...config,
    log,
    ...(limits && { limits }),
    findKey: keys.identify,
    scanRate: (plan) => ({ perSecond: planOf(plans, plan).scansPerSecond, burst: planOf(plans, plan).burst }),
    throttle: createThrottle(sharedBuckets ? withFallback(sharedBuckets, local, log) : local),
  })

  await describeApi(server, config.publicUrl)
  await scanRoutes(server, scan)
  accountRoutes(server, signUp)
  keyRoutes(server, keys)
  usageRoutes(server, usage)
  chatRoutes(server, chat)
  healthRoutes(server, { pingStorage: database.ping, engines: panel.health })
  docsRoutes(server, config.publicUrl)
  await server.ready()

  return {
    server,
    routes,
    async close() {
      await server.close()
      claims.close()
      chat.close()
      await sweeper.close()
      await lastUsed.close()
    },
  }
}
