/** The whole application, wired on one page. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEmail } from '#accounts/email.ts'
import { createInviteStore } from '#accounts/invite-store.ts'
import { accountRoutes } from '#accounts/routes.ts'
import { createSignup } from '#accounts/signup.ts'
import { createSignupPolicy } from '#accounts/signup-policy.ts'
import { createAccountStore } from '#accounts/store.ts'
import { createContext } from '#admin/context.ts'
import { createIsOperator, createOperator } from '#admin/operator.ts'
import { operatorRoutes } from '#admin/routes.ts'
import { createAlerts } from '#alerts/alerts.ts'
import { createOperatorCallback, OPERATOR_CALLBACK } from '#alerts/operator-callback.ts'
import { alertRoutes } from '#alerts/routes.ts'
import { createAlertStore } from '#alerts/store.ts'
import { createAllowList } from '#allowed/allowed.ts'
import { allowedRoutes } from '#allowed/routes.ts'
import { createAllowedStore } from '#allowed/store.ts'
import { createBreaker } from '#base/breaker.ts'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { createOutboundHttp } from '#base/outbound-http.ts'
import { createOutboundRules } from '#base/outbound-rules.ts'
import { limitedAccount, type Principal } from '#base/principal.ts'
import { lazySeal } from '#base/seal.ts'
import { createSpanExporter } from '#base/span-exporter.ts'
import { traced } from '#base/trace.ts'
import { VERSION } from '#base/version.ts'
import { loadArticles } from '#chat/articles.ts'
import { createChat } from '#chat/chat.ts'
import { createDailyLimit } from '#chat/daily-limit.ts'
import { createFindingArticles } from '#chat/finding-articles.ts'
import { chatRoutes } from '#chat/routes.ts'
import { createChatStore } from '#chat/store.ts'
import { createUpstream } from '#chat/upstream.ts'
import { type Config, readSources } from '#config/config.ts'
import type { Engine } from '#engines/engine.ts'
import { createPanel, type Panel } from '#engines/panel.ts'
import { createSample } from '#engines/sample.ts'
import { shareEndings } from '#engines/shared-endings.ts'
import { addressBlock } from '#http/address.ts'
import { REFUSED_RATE, takeScan } from '#http/admission.ts'
import { dashboardRoutes } from '#http/dashboard.ts'
import { docsRoutes } from '#http/docs.ts'
import { healthRoutes, type ProcessState, sumOfWorkers } from '#http/health.ts'
import { describeApi } from '#http/openapi/document.ts'
import type { RouteEntry } from '#http/route-list.ts'
import { createServer, type SERVER_LIMITS, type Server } from '#http/server.ts'
import { createSessionCookie } from '#http/session-cookie.ts'
import {
  type Buckets,
  createGiveBack,
  createTakeLater,
  createThrottle,
  memoryBuckets,
  withFallback,
} from '#http/throttle.ts'
import { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import { sniff } from '#inspect/detect/sniff.ts'
import { createJobs } from '#jobs/jobs.ts'
import { openJobStore } from '#jobs/store.ts'
import { ROLE_SCOPES } from '#keys/key-limits.ts'
import { createKeys } from '#keys/keys.ts'
import { trackLastUsed } from '#keys/last-used.ts'
import { keyRoutes } from '#keys/routes.ts'
import { createKeyStore } from '#keys/store.ts'
import { type Listeners, setUpListeners } from '#listeners/setup.ts'
import { setUpMail } from '#mail/mailer.ts'
import { adoptOldMail } from '#mail/old-outbox-store.ts'
import { createOutbox, MAIL } from '#mail/outbox.ts'
import { marketplaceRoutes } from '#marketplace/routes.ts'
import { sandboxRoutes } from '#marketplace/sandbox/routes.ts'
import { type MarketplaceTiming, setUpMarketplace } from '#marketplace/setup.ts'
import { mcpRoutes } from '#mcp/routes.ts'
import type { ServiceTools } from '#mcp/tools.ts'
import { createInvitationStore } from '#members/invitation-store.ts'
import { createInvitations } from '#members/invitations.ts'
import { createJoin } from '#members/join.ts'
import { createMembers } from '#members/members.ts'
import { createOwnership } from '#members/ownership.ts'
import { createOwnershipStore } from '#members/ownership-store.ts'
import { actingRoutes, memberRoutes, ownershipRoutes } from '#members/routes.ts'
import { createMemberStore } from '#members/store.ts'
import { MARK_OBJECT, SCAN_OBJECT } from '#objects/jobs.ts'
import { createPushTokens } from '#objects/push-token.ts'
import { eventRoutes } from '#objects/routes.ts'
import { setUpObjects } from '#objects/setup.ts'
import { createObjectStore } from '#objects/store.ts'
import { identityRoutes, oidcRoutes } from '#oidc/routes.ts'
import { setUpOidc } from '#oidc/setup.ts'
import { createIdentityStore } from '#oidc/store.ts'
import { undoToken } from '#oidc/ways.ts'
import { passkeyRoutes, passkeySignInRoutes } from '#passkeys/routes.ts'
import { setUpPasskeys } from '#passkeys/setup.ts'
import { siteOf } from '#passkeys/shared.ts'
import { createPasskeyStore } from '#passkeys/store.ts'
import { createReceipts } from '#receipts/receipts.ts'
import { receiptRoutes } from '#receipts/routes.ts'
import { keyProblem, openSigningKey } from '#receipts/signing-key.ts'
import { createReceiptStore } from '#receipts/store.ts'
import { startRetention } from '#retention/retention.ts'
import { createRetentionStore } from '#retention/store.ts'
import { createUrlQueue, SCAN_URL } from '#scan/by-url/queue.ts'
import { urlScanRoutes } from '#scan/by-url/routes.ts'
import { urlSource } from '#scan/by-url/source.ts'
import { HEAD_BYTES, passesByHead } from '#scan/document-type.ts'
import { EFFECTS } from '#scan/effects.ts'
import { createEvents } from '#scan/events/events.ts'
import { eventListRoutes } from '#scan/events/routes.ts'
import { createEventStore } from '#scan/events/store.ts'
import { FetchFailed } from '#scan/fetch-failed.ts'
import { displayFileName } from '#scan/file-name.ts'
import { createFindings } from '#scan/findings.ts'
import { createIdempotency } from '#scan/idempotency.ts'
import { createInFlightBudget, SCANS_IN_FLIGHT_MAX } from '#scan/in-flight.ts'
import { isAcceptableHead } from '#scan/intake.ts'
import { createMultipartReader } from '#scan/multipart.ts'
import { createOpenScans } from '#scan/open-scans.ts'
import { PAGE_FORM_LIMITS, parseBoundary } from '#scan/part-header.ts'
import { createQueuedScans } from '#scan/queued-scans.ts'
import { createReportStore } from '#scan/report-store.ts'
import { createReports } from '#scan/reports.ts'
import { findingRoutes, reportRoutes, type ScanRouteOptions, scanRoutes, tooLargeRoute } from '#scan/routes.ts'
import { createScan, NO_VERDICT, type ScanOptions } from '#scan/scan.ts'
import { OtherLength, streamSource } from '#scan/source.ts'
import { createScanStore } from '#scan/store.ts'
import { createStreamScan } from '#scan/stream-scan.ts'
import { textRoutes } from '#scan/text/routes.ts'
import { UploadAborted } from '#scan/upload.ts'
import { createUploads, type Uploads } from '#scan/uploads.ts'
import { createResetStore } from '#sessions/reset-store.ts'
import { accountPageRoutes, COOKIE_SECONDS, passwordRoutes, sessionRoutes } from '#sessions/routes.ts'
import { setUpSessions } from '#sessions/setup.ts'
import { hashToken, isToken } from '#sessions/token.ts'
import { actingAs, type Database, type Trx } from '#storage/database.ts'
import { existingSecretKey, secretKeyOf } from '#storage/secret-key.ts'
import { createSecretKeyCheck, startSecretKeyChecks } from '#storage/secret-key-check.ts'
import { createEndingsStore } from '#storage/worker-endings.ts'
import { startWriteChecks } from '#storage/writes.ts'
import { FREE_PLAN, fallBackToFree, logUnknownPlans, planOf, shownPlans } from '#usage/plan.ts'
import { createQueuedUsage } from '#usage/queued.ts'
import { createReplicaStore, startSweeper } from '#usage/replicas.ts'
import { usageRoutes } from '#usage/routes.ts'
import { createUsageStore } from '#usage/store.ts'
import { createUsage } from '#usage/usage.ts'
import { createCall } from '#webhooks/call.ts'
import { CALLBACK } from '#webhooks/delivery.ts'
import { webhookRoutes } from '#webhooks/routes.ts'
import { setUpWebhooks } from '#webhooks/setup.ts'
import { createEndings } from './endings.ts'
import { createErasure } from './erasure.ts'
import { createServiceMetrics, type ServiceMetrics } from './metrics.ts'
import { createNotifications } from './notifications.ts'

/** Written by `npm run build`. */
const DASHBOARD_FOLDER = fileURLToPath(new URL('../web/dist', import.meta.url))

const JOB_KINDS = [MAIL, CALLBACK, OPERATOR_CALLBACK, SCAN_URL, SCAN_OBJECT, MARK_OBJECT]

export interface Resources {
  config: Config
  log: Log
  database: Database
  /** Rate limits shared by several replicas or processes. */
  sharedBuckets: Buckets | null
  /** The other processes on the same port. */
  siblings?: () => Promise<ProcessState>
  /** All of them must report a document as clean. */
  engines: readonly Engine[]
  limits?: typeof SERVER_LIMITS
  /** In tests. */
  checksSchemas?: boolean
  /** Shorter in tests. */
  marketplaceTiming?: MarketplaceTiming
  eventLagMs?: number
}

export interface App {
  server: Server
  schemas: { compileAll(): void }
  routes: readonly RouteEntry[]
  metrics: Pick<ServiceMetrics, 'render'>
  listeners: Pick<Listeners, 'start'>
  state(): Promise<ProcessState>
  /** Stops accepting requests, finishes running ones and writes buffered data. */
  close(): Promise<void>
}

export async function buildApp(resources: Resources): Promise<App> {
  const { config, log, database, limits } = resources
  const replicaId = newId()
  const metrics = createServiceMetrics(VERSION)
  const { otlpUrl: url } = config
  const spans = url === null ? null : createSpanExporter({ url, version: VERSION, instanceId: replicaId, log })
  const { buckets, fallbacks } = openBuckets(resources)
  const throttle = createThrottle(buckets)
  const cookie = createSessionCookie(config.secure)

  const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work)
  const accounts = createAccountStore(database)
  const keyStore = createKeyStore(database)
  const resets = createResetStore(database)
  const uploads = createUploads(join(config.dataDir, 'uploads'))
  const jobStore = await openJobStore({ database, kinds: JOB_KINDS, log })
  const jobs = createJobs({
    store: jobStore,
    // A job whose end is lost in a power failure is run again: its effects have transactions of their own.
    transaction: database.relaxedTransaction,
    onAttempted: metrics.jobAttempted,
    isBusy: uploads.isBusy,
    isBusyHere: uploads.isBusyHere,
    log,
  })
  const oldMail = adoptOldMail({ database, store: jobStore, kind: MAIL, log })
  const outbox = createOutbox(jobs)
  const seal = lazySeal(() => secretKeyOf(config))
  const identities = createIdentityStore(database)
  const passkeyStore = createPasskeyStore(database)
  const memberStore = createMemberStore(database)
  const invitations = createInvitationStore(database)
  const ownershipStore = createOwnershipStore(database)
  const alertStore = createAlertStore(database)
  const { signInProviders: providers, publicUrl } = config
  const hasPasswords = config.passwords === 'on'
  const notifications = createNotifications({
    ...{ outbox, accounts, keys: keyStore, resets, invitations, members: memberStore, publicUrl },
    ...{ alerts: alertStore, operatorMail: config.alertMail },
    async undoOf(id, at) {
      if (await passkeyStore.findById(id)) return { provider: 'a passkey', token: undoToken(seal, id, at) }
      const found = await identities.findById(id)
      if (found?.removedAt !== null) return null
      const provider = providers.find((each) => each.id === found.provider)?.name ?? found.provider
      return { provider, token: undoToken(seal, id, at) }
    },
  })
  const mailer = setUpMail({ config, jobs, compose: notifications.compose, log })

  const outboundRules = createOutboundRules(config.outboundAllow)
  const outbound = createOutboundHttp({ rules: outboundRules, proxy: config.outboundProxy })
  const scansPerMonth = (plan: string) => planOf(config.plans, plan).scansPerMonth
  const queuedUsage = createQueuedUsage({ database, scansPerMonth, notify: notifications.usageReached })
  const alerts = createAlerts({
    ...{ store: alertStore, accounts, jobs, infectedFound: notifications.infectedFound },
    operator: { mail: config.alertMail !== null, callback: config.alertUrl !== null },
  })
  if (config.alertMail !== null) await alertStore.setOperator()
  if (config.alertUrl !== null && config.alertSecret !== null)
    jobs.work(
      OPERATOR_CALLBACK,
      createOperatorCallback({ url: config.alertUrl, secret: config.alertSecret, call: createCall(outbound), log }),
    )
  const endings = createEndings({ database, jobs, usage: queuedUsage, alertOf: alerts.found })
  jobs.onFailed(endings.failed)
  const webhooks = setUpWebhooks({
    ...{ store: endings.webhooks, database, jobs, rules: outboundRules, http: outbound, seal, log },
    ...{ announceDisabled: notifications.webhookDisabled, wakeMail: mailer.wake },
  })

  const lastUsed = trackLastUsed(keyStore.touch, log)
  const keys = createKeys({
    store: keyStore,
    lastUsed,
    keysPerMonth: (plan) => planOf(config.plans, plan).keysPerMonth,
    announce: notifications.keyCreated,
    remind: notifications.keyExpires,
    announced: mailer.wake,
    log,
  })
  const { defaultPlan: plan } = config
  const signupPolicy = createSignupPolicy(config.signup, createInviteStore(database))
  const signUp = createSignup({ store: accounts, policy: signupPolicy, plan, prepareFirstKey: keys.prepareFirst })
  const { marketplaceTiming: timing } = resources
  const marketplace = await setUpMarketplace({ config, database, replicaId, freePlan: FREE_PLAN, log, timing })
  logUnknownPlans(config.plans, await accounts.plansInUse(), log)

  const usage = createUsage({
    store: createUsageStore(database, replicaId, notifications.usageReached),
    ...{ scansPerMonth, log },
  })
  const replicas = createReplicaStore(database, replicaId)
  const usageSweeper = await startSweeper(replicas, usage.settleOwed, log)
  const writeChecks = startWriteChecks(database, replicas.beat)
  const secretKeys = await startSecretKeyChecks(
    createSecretKeyCheck(database, () => existingSecretKey(config)),
    log,
  )
  const panel = createPanel(resources.engines, metrics.engineReported)
  const workerEndings = shareEndings({ engines: resources.engines, store: createEndingsStore(database), log })
  const findings = createFindings(CATALOGUE, config.publicUrl)
  const { scanRetentionDays: retentionDays } = config
  const reportStore = createReportStore(database)
  const reports = createReports({ store: reportStore, findings, retentionDays, log })
  const allowList = createAllowList({
    store: createAllowedStore(database),
    scope: config.allowList,
    findThreat: reports.newestThreat,
    nameOf: async (principal) =>
      (principal.kind === 'key'
        ? (await keyStore.describe(principal.keyId))?.name
        : (await accounts.find(principal.member?.id ?? principal.accountId))?.email) ?? null,
    log,
  })
  const receipts = createReceipts({
    ...{ store: createReceiptStore(database), signingKey: openSigningKey(config), problem: keyProblem(config) },
    ...{ keepsReports: retentionDays > 0, engines: () => panel.health(), log },
    service: { version: VERSION, publicUrl: config.publicUrl },
    settings: {
      ...{ sensitivity: config.sensitivity, unscannable: config.unscannable },
      limits: { documentBytes: DOCUMENT_BYTES_MAX, deadlineMs: config.scanDeadlineMs },
    },
  })
  const objectStore = createObjectStore(database)
  const wakeAlerts = () => {
    for (const kind of [CALLBACK, MAIL, OPERATOR_CALLBACK]) jobs.wakeIfPosted(kind)
  }
  const scanning = buildScan(resources, replicaId, {
    ...{ panel, findings, reviewThreat: allowList.review, reserve: usage.reserve, buckets, wakeAlerts },
    signReceipt: receipts.sign,
    ...{ endings, onEnded: () => jobs.wakeIfPosted(MARK_OBJECT), uploads },
  })
  const { scan, store: scanStore, openScans, idempotency, inFlight } = scanning
  const withKnownPlan = fallBackToFree(config.plans, log)
  const findKeyById = async (keyId: string) => withKnownPlan(await keys.identifyById(keyId))
  const onScanEnded: ScanRouteOptions['onEnded'] = ({ logFields, seconds, error, ...ids }) => {
    const code = error === null ? null : codeOf(error)
    metrics.scanEnded(logFields, code, seconds)
    if (code === 'internal_error') log.error({ ...ids, err: error }, 'Scan failed after its response')
    else log.info({ ...ids, ...logFields, code }, 'Scan ended after its response')
  }
  const queued = createQueuedScans({
    ...{ jobs, seal, scan, openScans, inFlight, findKey: findKeyById, onEnded: onScanEnded, log },
    ...{ store: endings.queued, ticketOf: queuedUsage.ticketOf },
  })
  const queueUrl = createUrlQueue({
    ...{ queued, http: outbound, rules: outboundRules, idempotency, reserve: usage.reserve, reports, transaction },
    ...{ bytesMax: config.fetchBytesMax, reserveQueued: queuedUsage.reserve, store: endings.queued },
  })
  const storeHttp = createOutboundHttp({ rules: outboundRules, keepsConnections: true, proxy: config.outboundProxy })
  const objects = setUpObjects({
    ...{
      sources: config.objectSources,
      reread: () => readSources(config),
      store: objectStore,
      database,
      queued,
      jobs,
      http: storeHttp,
      log,
    },
    ...{ findKey: findKeyById, bytesMax: config.fetchBytesMax, shard: replicaId, onMarked: metrics.objectMarked },
    workers: config.embeddedWorkers ?? availableParallelism(),
    ...{ streamSource, fileNameOf: (key) => displayFileName(key.split('/').at(-1) ?? key) },
    fetchFailed: (why, isTemporary) => new FetchFailed(why, isTemporary),
    aborted: (cause) => new UploadAborted(cause),
    isAborted: (error) => error instanceof UploadAborted,
    isOtherLength: (error) => error instanceof OtherLength,
  })
  const pushSender = createPushTokens(config.objectSources, storeHttp, log)
  const { auditRetentionDays: auditDays, ledgerRetentionMonths: ledgerMonths } = config
  const retention = startRetention({ store: createRetentionStore(database), auditDays, ledgerMonths, log })
  const chat = buildChat(resources, panel.health, buckets)
  const mail = { ...notifications, wake: mailer.wake }
  const { revokeAll: revokeKeys } = keyStore
  const eraseData = createErasure(database, {
    ...{ ...config, eraseSubscriptions: marketplace.erase, eraseJobs: jobs.erase, notifications, log },
  })
  /** Every way to sign in without a password. */
  const eraseWays = async (trx: Trx, accountId: string): Promise<void> => {
    await identities.erase(trx, accountId)
    await passkeyStore.erase(trx, accountId)
    await accounts.setPasskeysOnly(trx, accountId, false)
  }
  const isOperator = createIsOperator(config.operators ?? [])
  const signIn = setUpSessions({
    ...{ database, parseEmail, accounts, resets, revokeKeys, mail, signupPolicy, isOperator, plan, log },
    ...{ eraseData, eraseWays, withdrawOffers: ownershipStore.withdrawOffers, swept: [invitations] },
    refuseMembers: (trx, accountId) => members.refuseMembers(trx, accountId),
  })
  const changing = { transact: database.audit.change, accounts, sessions: signIn.sessions, store: memberStore }
  const inviting = createInvitations({ ...changing, parseEmail, invitations, hashToken, isToken, mail })
  const members = createMembers({
    ...changing,
    revokeKeys: (trx, accountId, personId, role) =>
      keyStore.revokeOf(trx, accountId, personId, role === null ? [] : ROLE_SCOPES[role]),
  })
  const ownership = createOwnership({
    ...{ ...changing, ownership: ownershipStore, prove: signIn.prove, eraseData, plan, mail },
  })
  const oidc = setUpOidc({
    ...{ transact: database.audit.change, parseEmail, accounts, identities, sessions: signIn.sessions, signupPolicy },
    ...{ plan, mail, providers, hasPasswords, publicUrl, isSecure: config.secure, http: outbound, seal },
    ...{ prove: signIn.prove, eraseWays, withdrawOffers: ownershipStore.withdrawOffers, passkeys: passkeyStore, log },
    joinAccount: createJoin({ ...changing, mail, log }),
  })
  const passkeys = setUpPasskeys({
    ...{ transact: database.audit.change, note: database.audit.note, parseEmail, accounts, store: passkeyStore },
    ...{ sessions: signIn.sessions, prove: signIn.prove, mail, seal, publicUrl, eraseResets: resets.erase, log },
    otherWays: oidc.ways.countOthers,
  })
  const reconciling = marketplace.reconcile?.start()

  const { server, schemas, routes, connections } = createServer({
    ...config,
    log,
    ...(limits && { limits }),
    checksSchemas: resources.checksSchemas ?? false,
    findKey: async (secret, address) =>
      withKnownPlan(await traced('database find key', {}, () => keys.identify(secret, address))),
    findSession: async (token) =>
      withKnownPlan(await traced('database find session', {}, () => signIn.sessions.identify(token))),
    findPushSender: async (token) => {
      const keyId = await pushSender(token)
      return keyId === null ? null : await findKeyById(keyId)
    },
    cookie,
    scanRate: (plan) => scanRate(config, plan),
    throttle,
    onCompleted: metrics.requestCompleted,
    scanPlaces: { ...inFlight, isAcceptable: isAcceptableHead },
    spans: spans ? { add: spans.add, share: config.tracePercent / 100 } : undefined,
  })
  const openApi = describeApi(server, config.publicUrl, cookie.name)
  const meteredKey = (principal: Principal) => (principal.kind === 'key' ? principal.keyId : keys.ofSession(principal))
  const scanForAssistant: ServiceTools['scanUrl'] = async (url, { principal, ...asked }, gone) => {
    const { taken, refused } = await takeScan(throttle, principal, scanRate(config, principal.plan))
    const denied = [taken, refused].find(({ allowed }) => !allowed)
    if (denied) throw new AppError('rate_limited', 'Too many scans.', denied)
    const { keyId, meterId, accountId, plan } = principal
    const { address, requestId } = asked
    const source = urlSource({ url }, outbound, gone)
    const by = { keyId, meterId, accountId, plan, address }
    return await scan({ source, principal: by, requestId, gone, logFields: { ...NO_VERDICT } })
  }
  const scanOptions: ScanRouteOptions = {
    ...{ scan, meteredKey, keepsReports: retentionDays > 0 },
    receiptType: receipts.isOn ? receipts.predicateType : null,
    onEnded: onScanEnded,
  }
  await scanRoutes(server, scanOptions)
  await textRoutes(server, scanOptions)
  urlScanRoutes(server, scanOptions, outbound, queueUrl)
  tooLargeRoute(server, scanStore, meteredKey)
  reportRoutes(server, reports)
  const { eventLagMs: lagMs } = resources
  const events = createEvents({ store: createEventStore(database), reportOf: reports.ofRow, version: VERSION, lagMs })
  eventListRoutes(server, events, publicUrl)
  receiptRoutes(server, receipts)
  findingRoutes(server, findings)
  allowedRoutes(server, allowList)
  if (config.mcp === 'on') {
    const tools = { scanUrl: scanForAssistant, reports, explain: (id: string) => CATALOGUE.get(id) }
    mcpRoutes(server, { version: VERSION, publicUrl, tools })
  }
  webhookRoutes(server, webhooks.endpoints)
  alertRoutes(server, alerts)
  eventRoutes(server, objects.takeEvents)
  accountRoutes(server, signUp)
  if (hasPasswords) passwordRoutes(server, signIn.auth, cookie)
  sessionRoutes(server, signIn.auth, cookie)
  oidcRoutes(server, { providers, hasPasswords, signIn: oidc.signIn, cookie, sessionSeconds: COOKIE_SECONDS })
  identityRoutes(server, oidc.ways)
  passkeySignInRoutes(server, { signIn: passkeys.signIn, cookie, sessionSeconds: COOKIE_SECONDS })
  passkeyRoutes(server, passkeys.passkeys)
  accountPageRoutes(server, signIn, cookie)
  memberRoutes(server, members, inviting)
  ownershipRoutes(server, ownership)
  actingRoutes(server, members, inviting)
  const operator = createOperator({
    ...{ config, log, accounts, isOperator, prove: signIn.prove },
    contextOf: (actor) => createContext({ config, log, database: actingAs(database, actor), jobs: jobStore }),
  })
  operatorRoutes(server, operator)
  keyRoutes(server, keys)
  usageRoutes(server, usage)
  marketplaceRoutes(server, marketplace.service)
  const { sendPage, fonts } = dashboardRoutes(server, {
    folder: DASHBOARD_FOLDER,
    settings: dashboardSettings(config),
    log,
  })
  if (marketplace.sandbox) sandboxRoutes(server, marketplace.sandbox, sendPage)
  chatRoutes(server, chat)
  const { siblings } = resources
  const health = healthRoutes(server, {
    ...{ storageProblem: database.problem, engines: panel.health },
    ...(siblings && { siblings }),
    listeners: () => listeners.states(),
    receiptsProblem: receipts.problem,
    secretKeyProblem: secretKeys.problem,
  })
  const listeners = setUpListeners({
    ...{ listeners: config.listeners, connections, addressBlock, log },
    scan: createStreamScan(scan, log),
    findKey: findKeyById,
    async takeRate(owner) {
      const { taken, refused } = await takeScan(throttle, owner, scanRate(config, owner.plan))
      const denied = [taken, refused].filter(({ allowed }) => !allowed)
      return denied.length === 0 ? null : Math.max(...denied.map((each) => each.retryAfterSeconds))
    },
    hasPlace: (principal) => inFlight.refusal(principal, null) === null,
    async checkQuota({ keyId, plan, meterId }) {
      await using _ticket = await usage.reserve(keyId, plan, meterId)
    },
    problem: health.problem,
    content: {
      parseBoundary,
      createFormReader: (boundary, handlers) => createMultipartReader(boundary, handlers, PAGE_FORM_LIMITS),
      displayFileName,
      documentBytesMax: DOCUMENT_BYTES_MAX,
      headBytes: HEAD_BYTES,
      passes: (head, families) => passesByHead(sniff, head, families),
    },
    originalBytesMax: config.scanBytesInFlight,
    readsAnyFile: config.engines.includes('clamd'),
    onScanned: metrics.documentScanned,
    noteStart: ({ protocol, url, keyId, unscannable, failure }, accountId) =>
      database.audit.change(async (trx) => {
        const details = { protocol, url, unscannable, failure }
        database.audit.note(trx, { event: 'listener.started', accountId, subject: keyId, details, actor: 'system' })
      }),
    engines: () => panel.health(),
    load: () => ({ queued: sumOf(panel.stats().map(({ queued }) => queued)), max: SCANS_IN_FLIGHT_MAX }),
  })
  metrics.watch({ panel, inFlight, jobs, database, limiterFallbacks: fallbacks, spans, listeners })
  docsRoutes(server, { publicUrl: config.publicUrl, openApi, catalogue: CATALOGUE, effects: EFFECTS, fonts })
  await server.ready()

  const running = [
    idempotency,
    reports,
    retention,
    signIn.sweeper,
    passkeys.sweeper,
    chat,
    reconciling,
    jobs,
    oldMail,
    usageSweeper,
    secretKeys,
    lastUsed,
    spans,
    workerEndings,
    webhooks,
    objects,
  ]
  return {
    server,
    schemas,
    routes,
    metrics,
    listeners,
    state: async () => ({ problem: await health.problem(), workers: sumOfWorkers(panel.stats()) }),
    async close() {
      await Promise.all([server.close(), listeners.close()])
      // Their clients have been answered, and may ask another process for the verdict.
      await openScans.close()
      metrics.close()
      // A late heartbeat would register this process again.
      await writeChecks.close()
      await Promise.all(running.map((each) => each?.close()))
      await mailer.close()
      // Last: jobs may be fetching a document.
      outbound.close()
      storeHttp.close()
    },
  }
}

const codeOf = (error: unknown): ErrorCode => (error instanceof AppError ? error.code : 'internal_error')

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0)

/** Settings that the dashboard shows to everybody, so that it offers only what works here. */
function dashboardSettings({ signup, smtpUrl, marketplace, plans, defaultPlan, contact, ...config }: Config) {
  return {
    signup,
    passwords: config.passwords === 'on',
    passkeys: siteOf(config.publicUrl) !== null,
    providers: config.signInProviders.map(({ id, name }) => ({ id, name })),
    hasMailServer: smtpUrl !== null,
    marketplace: marketplace.kind,
    plans: Object.entries(shownPlans(plans, defaultPlan)).map(([name, limits]) => ({ name, ...limits })),
    defaultPlan,
    contact,
    version: VERSION,
  }
}

function openBuckets({ sharedBuckets, log }: Resources) {
  const local = memoryBuckets()
  let count = 0
  const onFallback = () => {
    count++
  }
  const buckets = sharedBuckets ? withFallback(sharedBuckets, local, log, onFallback) : local
  return { buckets, fallbacks: () => count }
}

function scanRate({ plans }: Config, plan: string) {
  const { scansPerSecond: perSecond, burst } = planOf(plans, plan)
  return { perSecond, burst }
}

function buildScan(
  { config, database, log }: Resources,
  replicaId: string,
  {
    buckets,
    wakeAlerts,
    endings,
    onEnded,
    uploads,
    ...parts
  }: Pick<ScanOptions, 'findings' | 'reviewThreat' | 'reserve' | 'signReceipt'> & {
    panel: Panel
    buckets: Buckets
    wakeAlerts: () => void
    endings: ReturnType<typeof createEndings>
    onEnded: () => void
    uploads: Uploads
  },
) {
  const takeLater = createTakeLater(buckets)
  const store = createScanStore(database, replicaId, config.scanRetentionDays > 0)
  const idempotency = createIdempotency(store, log)
  const inFlight = createInFlightBudget({ bytesMax: config.scanBytesInFlight, largeBytesMax: config.fetchBytesMax })
  const openScans = createOpenScans({
    store: endings.openScans,
    answers: store,
    onEnded() {
      wakeAlerts()
      onEnded()
    },
    log,
  })
  const alerting: typeof store = {
    ...store,
    *record(verdicts) {
      yield* store.record(verdicts)
      yield* endings.alert(verdicts.map(({ scan }) => scan))
    },
  }
  const examine = createScan({
    ...parts,
    inFlight,
    createSample,
    sniff,
    store: alerting,
    openScans,
    idempotency,
    noteRefused: (accountId, plan, count) =>
      takeLater(limitedAccount({ accountId, plan }), { name: REFUSED_RATE, ...scanRate(config, plan) }, count),
    deadlineMs: config.scanDeadlineMs,
    unscannable: config.unscannable,
    during: uploads.during,
    log,
  })
  const scan: typeof examine = async (request) => {
    const result = await examine(request)
    if (result.status === 'infected') wakeAlerts()
    return result
  }
  return { scan, store, openScans, idempotency, inFlight }
}

function buildChat({ config, database, log }: Resources, engines: Panel['health'], buckets: Buckets) {
  const { chatUrl: url, chatModel: model, chatKey: key } = config
  return createChat({
    articles: loadArticles(),
    findingArticles: createFindingArticles(CATALOGUE),
    facts: () => ({
      ...config,
      plans: shownPlans(config.plans, config.defaultPlan),
      freePlan: config.defaultPlan,
      fileBytesMax: DOCUMENT_BYTES_MAX,
      engines: engines(),
    }),
    upstream: url && model ? createUpstream({ url, key, model }) : null,
    model,
    enabled: config.chatEnabled,
    breaker: createBreaker(),
    dailyLimit: createDailyLimit({
      counts: createChatStore(database),
      perDay: config.chatPerDay,
      throttle: createThrottle(buckets),
      giveBack: createGiveBack(buckets),
    }),
    log,
  })
}
