/** Everything stored about one account, for a data-subject request. Hashes of secrets are left out. */
import type { Database } from '#storage/database.ts'

interface ExportOptions {
  attemptKey: (emailKey: string) => string
  mailFilesOf: (emailKey: string) => Promise<object[]>
  /** Those with one of these texts in their data. */
  jobsWith: (texts: readonly string[]) => Promise<object[]>
}

export function createExportStore({ db }: Database, { attemptKey, mailFilesOf, jobsWith }: ExportOptions) {
  return async (accountId: string) => {
    const {
      email_key: emailKey,
      password_hash: hash,
      ...account
    } = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()
    const keys = await db.selectFrom('api_keys').selectAll().where('account_id', '=', accountId).execute()
    const keyIds = keys.map(({ id }) => id)
    const subscriptions = await db.selectFrom('subscriptions').selectAll().where('account_id', '=', accountId).execute()
    const endpoints = await db.selectFrom('webhook_endpoints').selectAll().where('account_id', '=', accountId).execute()
    const externalIds = subscriptions.map(({ external_id: id }) => id)
    const without = <T extends { hash: unknown }>(rows: readonly T[]) => rows.map(({ hash: _secret, ...row }) => row)
    const ofKeys = <T>(rows: (ids: string[]) => Promise<T[]>) => (keyIds.length === 0 ? [] : rows(keyIds))
    return {
      accounts: [{ ...account, has_password: hash !== null }],
      api_keys: without(keys),
      sessions: without(await db.selectFrom('sessions').selectAll().where('account_id', '=', accountId).execute()),
      identities: await db.selectFrom('identities').selectAll().where('account_id', '=', accountId).execute(),
      passkeys: (await db.selectFrom('passkeys').selectAll().where('account_id', '=', accountId).execute()).map(
        ({ public_key: _key, ...row }) => row,
      ),
      recovery_codes: without(
        await db.selectFrom('recovery_codes').selectAll().where('account_id', '=', accountId).execute(),
      ),
      members: await db
        .selectFrom('members')
        .selectAll()
        .where((eb) => eb.or([eb('account_id', '=', accountId), eb('member_account_id', '=', accountId)]))
        .execute(),
      member_invitations: without(
        await db
          .selectFrom('member_invitations')
          .selectAll()
          .where((eb) => eb.or([eb('account_id', '=', accountId), eb('email_key', '=', emailKey)]))
          .execute(),
      ),
      password_resets: without(
        await db.selectFrom('password_resets').selectAll().where('account_id', '=', accountId).execute(),
      ),
      invites: without(await db.selectFrom('invites').selectAll().where('account_id', '=', accountId).execute()),
      sign_in_attempts: await db
        .selectFrom('sign_in_attempts')
        .select(['count', 'last_at'])
        .where('email_hash', '=', attemptKey(emailKey))
        .execute(),
      scans: await db.selectFrom('scans').selectAll().where('account_id', '=', accountId).execute(),
      scan_receipts: await db
        .selectFrom('scan_receipts')
        .innerJoin('scans', 'scans.id', 'scan_receipts.scan_id')
        .selectAll('scan_receipts')
        .where('account_id', '=', accountId)
        .execute(),
      // The URLs they fetch are encrypted, and deleted with their end.
      scan_requests: await db
        .selectFrom('scan_requests')
        .innerJoin('scans', 'scans.id', 'scan_requests.scan_id')
        .select(['scan_requests.scan_id', 'scan_requests.kind'])
        .where('account_id', '=', accountId)
        .execute(),
      object_scans: await db
        .selectFrom('object_scans')
        .innerJoin('scans', 'scans.id', 'object_scans.scan_id')
        .select(['object_scans.scan_id', 'object_scans.source', 'object_scans.created_at'])
        .where('account_id', '=', accountId)
        .execute(),
      allowed_documents: await db
        .selectFrom('allowed_documents')
        .selectAll()
        .where('account_id', '=', accountId)
        .execute(),
      alerts: await db.selectFrom('alerts').selectAll().where('account_id', '=', accountId).execute(),
      webhook_endpoints: endpoints.map(({ url: _sealed, keys: _keys, old_keys: _old, ...row }) => row),
      webhook_deliveries: await db
        .selectFrom('webhook_deliveries')
        .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'webhook_deliveries.endpoint_id')
        .selectAll('webhook_deliveries')
        .where('account_id', '=', accountId)
        .execute(),
      usage_counters: await ofKeys((ids) =>
        db.selectFrom('usage_counters').selectAll().where('key_id', 'in', ids).execute(),
      ),
      usage_ledger: await ofKeys((ids) =>
        db.selectFrom('usage_ledger').selectAll().where('key_id', 'in', ids).execute(),
      ),
      usage_notices: await ofKeys((ids) =>
        db.selectFrom('usage_notices').selectAll().where('key_id', 'in', ids).execute(),
      ),
      idempotency_keys: await ofKeys(async (ids) =>
        without(await db.selectFrom('idempotency_keys').selectAll().where('key_id', 'in', ids).execute()),
      ),
      jobs: await jobsWith([accountId, emailKey, ...keyIds]),
      mail_files: await mailFilesOf(emailKey),
      audit_log: without(
        await db.selectFrom('audit_log').selectAll().where('account_id', '=', accountId).execute(),
      ).map(({ at, ...row }) => ({ ...row, created_at: at })),
      subscriptions,
      marketplace_events:
        externalIds.length === 0
          ? []
          : await db.selectFrom('marketplace_events').selectAll().where('external_id', 'in', externalIds).execute(),
    }
  }
}
