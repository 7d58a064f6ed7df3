/** Deletes everything personal of an account, in one transaction, and its mail in files. Ids stay for the ledger of charges. */
import { createAccountStore } from '#accounts/store.ts'
import { createAlertStore } from '#alerts/store.ts'
import { createAllowedStore } from '#allowed/store.ts'
import type { Log } from '#base/log.ts'
import type { JobStore } from '#jobs/job.ts'
import { createKeyStore } from '#keys/store.ts'
import { deleteMailFiles, mailFolder } from '#mail/folder.ts'
import { createInvitationStore } from '#members/invitation-store.ts'
import { createMemberStore } from '#members/store.ts'
import { createObjectStore } from '#objects/store.ts'
import { createIdentityStore } from '#oidc/store.ts'
import { createPasskeyStore } from '#passkeys/store.ts'
import { createReportStore } from '#scan/report-store.ts'
import { createAttemptStore } from '#sessions/attempt-store.ts'
import { createResetStore } from '#sessions/reset-store.ts'
import { createSessionStore } from '#sessions/store.ts'
import type { Database, Trx } from '#storage/database.ts'
import { CALLBACK } from '#webhooks/delivery.ts'
import { createWebhookStore } from '#webhooks/store.ts'
import type { createNotifications } from './notifications.ts'

interface ErasureOptions {
  /** Throws if one of them is paid. */
  eraseSubscriptions(trx: Trx, accountId: string): Promise<void>
  eraseJobs: JobStore['erase']
  dataDir: string
  notifications: Pick<ReturnType<typeof createNotifications>, 'erase'>
  log: Log
}

export function createErasure(database: Database, options: ErasureOptions) {
  const { eraseSubscriptions, eraseJobs, dataDir, notifications, log } = options
  const accounts = createAccountStore(database)
  const keys = createKeyStore(database)
  const objects = createObjectStore(database)
  const reports = createReportStore(database)
  const allowed = createAllowedStore(database)
  const webhooks = createWebhookStore(database, async () => {})
  const alerts = createAlertStore(database)
  const sessions = createSessionStore(database, log)
  const resets = createResetStore(database)
  const attempts = createAttemptStore(database)
  const identities = createIdentityStore(database)
  const passkeys = createPasskeyStore(database)
  const members = createMemberStore(database)
  const invitations = createInvitationStore(database)

  return async (trx: Trx, accountId: string): Promise<void> => {
    const { email, emailKey } = await accounts.erase(trx, accountId)
    await eraseSubscriptions(trx, accountId)
    const keyIds = await keys.erase(trx, accountId)
    await objects.erase(trx, accountId)
    await reports.erase(trx, accountId, keyIds)
    await allowed.erase(trx, accountId)
    await eraseJobs(trx, CALLBACK, await webhooks.erase(trx, accountId))
    await alerts.erase(trx, accountId)
    await notifications.erase(trx, { accountId, emailKey }, keyIds)
    await sessions.endAll(trx, accountId)
    await resets.erase(trx, accountId)
    await identities.erase(trx, accountId)
    await passkeys.erase(trx, accountId)
    await attempts.clear(emailKey, trx)
    // What the person did in the accounts of others stays there, without the person.
    for (const otherId of await members.erase(trx, accountId)) await keys.revokeOf(trx, otherId, accountId)
    await allowed.forget(trx, email)
    await invitations.erase(trx, accountId, emailKey)
    // Last, because files do not come back after a rollback.
    await deleteMailFiles(mailFolder(dataDir), emailKey)
  }
}
