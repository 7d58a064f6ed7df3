/** Dependencies of the commands, wired like the service. */

import { userInfo } from 'node:os'
import { parseEmail } from '#accounts/email.ts'
import { createInviteStore } from '#accounts/invite-store.ts'
import { createAccountStore } from '#accounts/store.ts'
import { OPERATOR_CALLBACK } from '#alerts/operator-callback.ts'
import { createAlertStore } from '#alerts/store.ts'
import { publicJwkOf } from '#base/dsse.ts'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createOutboundHttp } from '#base/outbound-http.ts'
import { createOutboundRules } from '#base/outbound-rules.ts'
import type { MemberRole } from '#base/principal.ts'
import { lazySeal } from '#base/seal.ts'
import { VERSION } from '#base/version.ts'
import { type Config, readSources } from '#config/config.ts'
import { postgresUrl } from '#config/url-parsers.ts'
import { createEndings } from '#endings.ts'
import { createErasure } from '#erasure.ts'
import { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import { createPosting } from '#jobs/jobs.ts'
import { openJobStore } from '#jobs/store.ts'
import { ROLE_SCOPES } from '#keys/key-limits.ts'
import { createKeys } from '#keys/keys.ts'
import { createKeyStore } from '#keys/store.ts'
import { filesProblem } from '#listeners/socket-file.ts'
import { findMailFiles, mailFolder } from '#mail/folder.ts'
import { createOutbox, MAIL } from '#mail/outbox.ts'
import { STATUSES } from '#marketplace/state.ts'
import { createSubscriptionStore } from '#marketplace/store.ts'
import { createInvitationStore } from '#members/invitation-store.ts'
import { createMemberStore } from '#members/store.ts'
import { createNotifications } from '#notifications.ts'
import { type BacklogOptions, createBacklog } from '#objects/backlog.ts'
import { createClients } from '#objects/clients.ts'
import { MARK_OBJECT, SCAN_OBJECT } from '#objects/jobs.ts'
import type { ObjectSource } from '#objects/sources.ts'
import { createObjectStore } from '#objects/store.ts'
import { keyProblem, replaceKey } from '#receipts/signing-key.ts'
import { createReceiptStore } from '#receipts/store.ts'
import { SCAN_URL } from '#scan/by-url/queue.ts'
import { createEvents } from '#scan/events/events.ts'
import { createEventStore } from '#scan/events/store.ts'
import { displayFileName } from '#scan/file-name.ts'
import { createFindings } from '#scan/findings.ts'
import { createQueuedScanStore } from '#scan/queued-scan-store.ts'
import { createScanQueue } from '#scan/queued-scans.ts'
import { reportOf } from '#scan/reports.ts'
import { attemptKey } from '#sessions/attempts.ts'
import { createResetStore } from '#sessions/reset-store.ts'
import { createSessionStore } from '#sessions/store.ts'
import { backUp, restore } from '#storage/backup.ts'
import { type Database, describeDatabase, openDatabase, SQLITE_FILE, type Trx } from '#storage/database.ts'
import { moveToPostgres } from '#storage/move.ts'
import { existingSecretKey, secretKeyOf } from '#storage/secret-key.ts'
import { createSecretKeyCheck } from '#storage/secret-key-check.ts'
import { FREE_PLAN } from '#usage/plan.ts'
import { createQueuedUsage } from '#usage/queued.ts'
import { CALLBACK } from '#webhooks/delivery.ts'
import { createAuditStore } from './audit-store.ts'
import { createExportStore } from './export-store.ts'
import { createAdminStore } from './store.ts'

const PROBE_MS = 10_000
const JOBS_EXPORTED_MAX = 10_000

/** The database as a file. */
export const FILES = {
  name: SQLITE_FILE,
  backUp,
  restore,
  moveToPostgres,
  parseUrl: postgresUrl,
  operator,
  describe: describeDatabase,
}
export type Files = typeof FILES

export type Context = ReturnType<typeof createContext>

/** A container may run as a user that has no name. */
function operator(): string {
  try {
    return `admin:${userInfo().username}`
  } catch {
    return `admin:${process.getuid?.() ?? 'unknown'}`
  }
}

export async function openContext(config: Config, log: Log) {
  const database: Database = await openDatabase({ ...config, log, operator: operator() })
  const jobs = await openJobStore({
    database,
    kinds: [MAIL, CALLBACK, OPERATOR_CALLBACK, SCAN_URL, SCAN_OBJECT, MARK_OBJECT],
    log,
  })
  return {
    ...createContext({ config, log, database, jobs }),
    async close(): Promise<void> {
      await jobs.close()
      await database.close()
    },
  }
}

interface ContextOptions {
  config: Config
  log: Log
  database: Database
  jobs: Awaited<ReturnType<typeof openJobStore>>
}

/** The service has its own database and jobs. */
export function createContext({ config, log, database, jobs }: ContextOptions) {
  const accounts = createAccountStore(database)
  const keyStore = createKeyStore(database)
  const outbox = createOutbox(createPosting(jobs))
  const resets = createResetStore(database)
  const members = createMemberStore(database)
  const invitations = createInvitationStore(database)
  const notifications = createNotifications({
    ...{ outbox, accounts, keys: keyStore, resets, invitations, members, publicUrl: config.publicUrl },
    ...{ alerts: createAlertStore(database), operatorMail: config.alertMail },
    undoOf: async () => null,
  })
  const subscriptionsOf = (provider: string) =>
    createSubscriptionStore(database, { provider, freePlan: FREE_PLAN, plans: config.plans, log })

  async function eraseSubscriptions(trx: Trx, accountId: string): Promise<void> {
    if (await subscriptionsOf(config.marketplace.kind).erase(trx, accountId)) return
    throw new AppError(
      'subscription_conflict',
      'The account has a marketplace subscription, which would be billed on. Cancel it in the marketplace or relink it first.',
    )
  }

  const seal = lazySeal(() => secretKeyOf(config))
  const queueScans = createScanQueue({ store: createQueuedScanStore(database), jobs: createPosting(jobs), seal })

  /** A process that lists for days gets new credentials as the service does. */
  const clients = createClients({
    sources: config.objectSources,
    reread: () => readSources(config),
    http: createOutboundHttp({ rules: createOutboundRules(config.outboundAllow), proxy: config.outboundProxy }),
    log,
  })
  function clientOf({ name }: ObjectSource) {
    const found = clients(name)
    if (found === undefined) throw new Error(`Unknown source ${name}`)
    return found.client
  }
  /** Rejects if its objects cannot be listed. */
  const probe = async (source: ObjectSource) => {
    const [prefix = ''] = source.prefixes
    await clientOf(source).list({ bucket: source.bucket, prefix }, null, AbortSignal.timeout(PROBE_MS))
  }

  /** Null if the key of the source is not active. */
  async function backlog(source: ObjectSource, options: Pick<BacklogOptions, 'since' | 'rate' | 'onProgress'>) {
    const key = await keyStore.findActiveById(source.keyId)
    if (key === undefined) return null
    return createBacklog({
      ...{
        ...options,
        source,
        sources: config.objectSources,
        clientOf: () => clientOf(source),
        store: createObjectStore(database),
      },
      owner: { keyId: source.keyId, accountId: key.accountId },
      queue: (trx, scans) => queueScans(trx, SCAN_OBJECT, scans),
      transaction: (work) => database.db.transaction().execute(work),
      waitingJobs: async () => (await jobs.depth()).find(({ kind }) => kind === SCAN_OBJECT.name)?.waiting ?? 0,
      fileNameOf: (name) => displayFileName(name.split('/').at(-1) ?? name),
    })
  }

  const queuedUsage = createQueuedUsage({ database, scansPerMonth: () => 0 })
  const endings = createEndings({ database, jobs: createPosting(jobs), usage: queuedUsage })
  const findings = createFindings(CATALOGUE, config.publicUrl)
  const receiptStore = createReceiptStore(database)
  const receipts = {
    store: receiptStore,
    problem: keyProblem(config),
    async rotate(trx: Trx): Promise<string> {
      const { kid, key } = replaceKey(config.dataDir)
      await receiptStore.register(kid, publicJwkOf(key), trx)
      return kid
    },
  }

  return {
    config,
    database,
    receipts,
    objects: { sources: config.objectSources, backlog, probe },
    secretKeys: createSecretKeyCheck(database, () => existingSecretKey(config)),
    parseEmail,
    accounts,
    keyStore,
    keys: createKeys({
      store: keyStore,
      lastUsed: { record: () => {}, pending: () => undefined, close: async () => {} },
      keysPerMonth: () => Number.POSITIVE_INFINITY,
      announce: notifications.keyCreated,
      remind: notifications.keyExpires,
      log,
      // The running service polls its outbox.
      announced: () => {},
    }),
    listenerFilesProblem: filesProblem,
    jobs,
    ...{ dropped: endings.dropped, repeated: endings.repeated },
    invites: createInviteStore(database),
    members,
    revokeKeysOf: (trx: Trx, accountId: string, personId: string, role: MemberRole | null) =>
      keyStore.revokeOf(trx, accountId, personId, role === null ? [] : ROLE_SCOPES[role]),
    sessions: createSessionStore(database, log),
    subscriptionsOf,
    statuses: STATUSES,
    erase: createErasure(database, { ...config, eraseSubscriptions, eraseJobs: jobs.erase, notifications, log }),
    store: createAdminStore(database),
    exportAccount: createExportStore(database, {
      attemptKey,
      mailFilesOf: (emailKey) => findMailFiles(mailFolder(config.dataDir), emailKey),
      jobsWith: (texts) => jobs.list({ texts }, JOBS_EXPORTED_MAX),
    }),
    auditLog: createAuditStore(database),
    events: createEvents({
      store: createEventStore(database),
      reportOf: (row) => reportOf(row, findings),
      version: VERSION,
    }),
    note: database.audit.note,
    /** Every change of a command goes through here, so that it is in the audit log. */
    change: <T>(work: (trx: Trx) => Promise<T>): Promise<T> => database.audit.change(work),
  }
}
