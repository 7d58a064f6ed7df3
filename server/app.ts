/** The whole application on one page: what exists, and who is given what. */
import { join } from 'node:path'
import { parseEmail } from '#accounts/email.ts'
import { accountRoutes } from '#accounts/routes.ts'
import { createSignup } from '#accounts/signup.ts'
import { createAccountStore } from '#accounts/store.ts'
import { createBreaker } from '#base/breaker.ts'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { loadArticles } from '#chat/articles.ts'
import { createChat } from '#chat/chat.ts'
import { createDailyLimit } from '#chat/daily-limit.ts'
import { chatRoutes } from '#chat/routes.ts'
import { createChatStore } from '#chat/store.ts'
import { createUpstream } from '#chat/upstream.ts'
import type { Config } from '#config/config.ts'
import type { Engine } from '#engines/engine.ts'
import { createPanel } from '#engines/panel.ts'
import { createSample } from '#engines/sample.ts'
import { docsRoutes } from '#http/docs.ts'
import { healthRoutes } from '#http/health.ts'
import { describeApi } from '#http/openapi/document.ts'
import type { RouteEntry } from '#http/route-list.ts'
import { createServer, type SERVER_LIMITS, type Server } from '#http/server.ts'
import { createSessionCookie } from '#http/session-cookie.ts'
import { type Buckets, createGiveBack, createThrottle, memoryBuckets, withFallback } from '#http/throttle.ts'
import { sniff } from '#inspect/detect/sniff.ts'
import { createKeys } from '#keys/keys.ts'
import { trackLastUsed } from '#keys/last-used.ts'
import { keyRoutes } from '#keys/routes.ts'
import { createKeyStore } from '#keys/store.ts'
import { createFolderTransport } from '#mail/folder.ts'
import { createMailer } from '#mail/mailer.ts'
import { createOutboxStore } from '#mail/outbox-store.ts'
import { createSmtpTransport } from '#mail/smtp.ts'
import { createMicrosoftMarketplace } from '#marketplace/microsoft/marketplace.ts'
import { createReconcileStore } from '#marketplace/reconcile-store.ts'
import { marketplaceRoutes } from '#marketplace/routes.ts'
import { createSandbox } from '#marketplace/sandbox/marketplace.ts'
import { sandboxRoutes } from '#marketplace/sandbox/routes.ts'
import { createSandboxStore } from '#marketplace/sandbox/store.ts'
import { createDisabledService, createMarketplaceService } from '#marketplace/service.ts'
import { createSubscriptionStore } from '#marketplace/store.ts'
import { createIdempotency } from '#scan/idempotency.ts'
import { createInFlightBudget } from '#scan/in-flight.ts'
import { scanRoutes } from '#scan/routes.ts'
import { createScan } from '#scan/scan.ts'
import { createScanStore } from '#scan/store.ts'
import { createAttemptStore } from '#sessions/attempt-store.ts'
import { FORGOTTEN_MS } from '#sessions/attempts.ts'
import { createAuth } from '#sessions/auth.ts'
import { createHasher } from '#sessions/password-hasher.ts'
import { createResetStore } from '#sessions/reset-store.ts'
import { authRoutes } from '#sessions/routes.ts'
import { createSessions } from '#sessions/sessions.ts'
import { createSessionStore } from '#sessions/store.ts'
import { startSessionSweeper } from '#sessions/sweeper.ts'
import type { Database } from '#storage/database.ts'
import { FREE_PLAN, planOf } from '#usage/plan.ts'
import { createReplicaStore } from '#usage/replica-store.ts'
import { usageRoutes } from '#usage/routes.ts'
import { createUsageStore } from '#usage/store.ts'
import { startSweeper } from '#usage/sweeper.ts'
import { createUsage } from '#usage/usage.ts'
import { createNotifications } from './notifications.ts'

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

  const accounts = createAccountStore(database)
  const keyStore = createKeyStore(database)
  const resets = createResetStore(database)
  const outbox = createOutboxStore(database)
  const notifications = createNotifications({ outbox, accounts, keys: keyStore, resets, publicUrl: config.publicUrl })
  const transport = config.smtpUrl
    ? createSmtpTransport(config.smtpUrl)
    : createFolderTransport({ folder: join(config.dataDir, 'outbox'), showLinks: config.isLocal, log })
  const mailer = createMailer({ outbox, compose: notifications.compose, transport, from: config.mailFrom, log })

  const lastUsed = trackLastUsed(keyStore.touch, log)
  const keys = createKeys({
    store: keyStore,
    lastUsed,
    keysPerMonth: (plan) => planOf(plans, plan).keysPerMonth,
    announce: notifications.keyCreated,
    announced: mailer.wake,
  })

  const signUp = createSignup({ store: accounts, plan: FREE_PLAN, prepareFirstKey: keys.prepareFirst })

  const { marketplace: choice } = config
  const subscriptions = createSubscriptionStore(database, { provider: choice.kind, freePlan: FREE_PLAN, plans, log })
  // Free plans from the sandbox end with it, before the plan table is checked: it may lack them by now.
  const count = choice.kind === 'sandbox' ? 0 : await subscriptions.endAllOf('sandbox')
  if (count > 0) log.warn({ count }, 'Sandbox subscriptions ended: the sandbox is no longer the marketplace')
  for (const plan of await accounts.plansInUse()) planOf(plans, plan)

  const usage = createUsage({
    store: createUsageStore(database, replicaId, notifications.usageReached),
    scansPerMonth: (plan) => planOf(plans, plan).scansPerMonth,
    log,
  })
  const sweeper = await startSweeper({
    store: createReplicaStore(database, replicaId),
    settleOwed: usage.settleOwed,
    log,
  })

  const panel = createPanel(engines)
  const scanStore = createScanStore(database, replicaId)
  const idempotency = createIdempotency(scanStore, log)
  const scan = createScan({
    reserve: usage.reserve,
    inFlight: createInFlightBudget({ bytesMax: config.scanBytesInFlight }),
    createSample,
    panel,
    sniff,
    store: scanStore,
    idempotency,
    deadlineMs: config.scanDeadlineMs,
    unscannable: config.unscannable,
    log,
  })

  const local = memoryBuckets()
  const buckets = sharedBuckets ? withFallback(sharedBuckets, local, log) : local
  const throttle = createThrottle(buckets)

  const { chatUrl, chatModel } = config
  const chat = createChat({
    articles: loadArticles(),
    facts: () => ({ ...config, freePlan: FREE_PLAN, fileBytesMax: DOCUMENT_BYTES_MAX, engines: panel.health() }),
    upstream: chatUrl && chatModel ? createUpstream({ url: chatUrl, key: config.chatKey, model: chatModel }) : null,
    model: chatModel,
    enabled: config.chatEnabled,
    breaker: createBreaker(),
    dailyLimit: createDailyLimit({
      counts: createChatStore(database),
      perDay: config.chatPerDay,
      throttle,
      giveBack: createGiveBack(buckets),
    }),
    log,
  })

  const sessionStore = createSessionStore(database)
  const attempts = createAttemptStore(database)
  const sessions = createSessions({ store: sessionStore, log })
  const auth = createAuth({
    transact: (work) => database.db.transaction().execute(work),
    parseEmail,
    accounts,
    hasher: createHasher({ log }),
    attempts,
    sessions,
    resets,
    mail: { ...notifications, wake: mailer.wake },
    plan: FREE_PLAN,
    log,
  })
  const sessionSweeper = startSessionSweeper(
    [sessionStore.sweep, resets.sweep, () => attempts.sweep(FORGOTTEN_MS)],
    log,
  )

  const lost = (await subscriptions.plansOfLive()).filter((plan) => !Object.hasOwn(plans, plan))
  if (lost.length > 0) log.warn({ plans: lost }, 'Live subscriptions ignored: their plans are not in the plan table')
  const sandbox =
    choice.kind === 'sandbox' ? createSandbox({ ...config, ...choice, store: createSandboxStore(database), log }) : null
  const marketplace = choice.kind === 'microsoft' ? createMicrosoftMarketplace(choice, log) : sandbox
  const lease = createReconcileStore(database)
  const selling =
    marketplace && choice.kind !== 'off'
      ? createMarketplaceService({ marketplace, plans: choice.plans, store: subscriptions, lease, replicaId, log })
      : null
  const reconciling = selling?.reconcile.start()

  const cookie = createSessionCookie(config.secure)
  const { server, routes } = createServer({
    ...config,
    log,
    ...(limits && { limits }),
    findKey: keys.identify,
    findSession: sessions.identify,
    cookie,
    scanRate: (plan) => ({ perSecond: planOf(plans, plan).scansPerSecond, burst: planOf(plans, plan).burst }),
    throttle,
  })

  const openApi = describeApi(server, config.publicUrl, cookie.name)
  await scanRoutes(server, scan, (principal) =>
    principal.kind === 'key' ? principal.keyId : keys.ofSession(principal),
  )
  accountRoutes(server, signUp)
  authRoutes(server, auth, cookie)
  keyRoutes(server, keys)
  usageRoutes(server, usage)
  marketplaceRoutes(server, selling?.service ?? createDisabledService(subscriptions))
  if (sandbox) sandboxRoutes(server, sandbox)
  chatRoutes(server, chat)
  healthRoutes(server, { pingStorage: database.ping, engines: panel.health })
  docsRoutes(server, config.publicUrl, openApi)
  await server.ready()

  return {
    server,
    routes,
    async close() {
      await server.close()
      idempotency.close()
      sessionSweeper.close()
      chat.close()
      await reconciling?.close()
      await Promise.all([mailer.close(), sweeper.close(), lastUsed.close()])
    },
  }
}
