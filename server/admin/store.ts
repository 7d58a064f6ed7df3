/** Reads for the operator, across accounts. */
import type { Database } from '#storage/database.ts'

interface AccountFilter {
  plan?: string | undefined
  /** Part of the e-mail address. */
  search?: string | undefined
  limit: number
}

interface ScanFilter {
  accountId?: string | undefined
  verdict?: string | undefined
  limit: number
  hasNames: boolean
}

export function createAdminStore({ db, clock }: Database) {
  const accounts = db
    .selectFrom('accounts')
    .select((eb) => [
      'id',
      'email',
      'plan',
      eb.case().when('disabled_at', 'is', null).then('active').else('disabled').end().as('status'),
      'created_at as createdAt',
    ])
    .where('erased_at', 'is', null)
  const subscriptions = db
    .selectFrom('subscriptions')
    .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
    .select(['subscriptions.id', 'provider', 'external_id as externalId', 'accounts.email', 'offer_id as offerId'])
    .select(['plan_id as planId', 'plan_key as plan', 'quantity', 'status'])
    .select(['term_start as termStartAt', 'term_end as termEndAt', 'subscriptions.created_at as createdAt'])
  const count = (rows: readonly unknown[]): number => rows.length

  return {
    /** By id or e-mail address. */
    findAccount: (selector: string) =>
      accounts
        .where((eb) => eb.or([eb('id', '=', selector), eb('email_key', '=', selector.trim().toLowerCase())]))
        .executeTakeFirst(),

    /** Newest first. */
    listAccounts: ({ plan, search, limit }: AccountFilter) =>
      accounts
        .$if(plan !== undefined, (query) => query.where('plan', '=', plan as string))
        .$if(search !== undefined, (query) => query.where('email_key', 'like', `%${(search as string).toLowerCase()}%`))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    async summary(accountId: string) {
      const account = await db
        .selectFrom('accounts')
        .select(['password_hash as hash', 'email_proven_at as emailProvenAt', 'disabled_at as disabledAt'])
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow()
      const keys = db.selectFrom('api_keys').select('id').where('account_id', '=', accountId)
      const month = await db
        .selectFrom('usage_counters')
        .select((eb) => eb.cast<number>(eb.fn.coalesce(eb.fn.sum('used'), eb.lit(0)), 'integer').as('used'))
        .where('key_id', 'in', keys.where('test', '=', 0))
        .where('period', '=', clock.period)
        .executeTakeFirstOrThrow()
      return {
        hasPassword: account.hash !== null,
        emailProvenAt: account.emailProvenAt,
        disabledAt: account.disabledAt,
        activeKeys: count(
          await keys
            .where('revoked_at', 'is', null)
            .where('rolled_into', 'is', null)
            .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', clock.nowMs)]))
            .execute(),
        ),
        sessions: count(await db.selectFrom('sessions').select('id').where('account_id', '=', accountId).execute()),
        scansThisMonth: month.used,
      }
    },

    listSubscriptions: (status: string | undefined) =>
      subscriptions
        .$if(status !== undefined, (query) => query.where('status', '=', status as string))
        .orderBy('subscriptions.created_at', 'desc')
        .orderBy('subscriptions.id', 'desc')
        .execute(),

    /** By our id or that of the marketplace. */
    findSubscription: (id: string) =>
      subscriptions
        .where((eb) => eb.or([eb('subscriptions.id', '=', id), eb('external_id', '=', id)]))
        .executeTakeFirst(),

    /** Newest first. File names are personal data of others, so they are left out unless asked for. */
    async listScans({ accountId, verdict, limit, hasNames }: ScanFilter) {
      const rows = await db
        .selectFrom('scans')
        .select(['id', 'account_id as accountId', 'verdict', 'threat', 'obstacle', 'problem', 'size', 'type', 'sha256'])
        .select(['file_name as fileName', 'finished_at as finishedAt'])
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId as string))
        .$if(verdict !== undefined, (query) => query.where('verdict', '=', verdict as 'clean'))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ fileName, ...row }) => (hasNames ? { ...row, fileName } : row))
    },

    findKey: (keyId: string) =>
      db.selectFrom('api_keys').select(['id', 'account_id as accountId']).where('id', '=', keyId).executeTakeFirst(),
  }
}
