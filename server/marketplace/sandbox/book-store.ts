/** The books of the sandbox: what it sold, and what happened to it. */
import type { Database } from '#storage/database.ts'

/** As Microsoft would show it. */
export interface SandboxPurchase {
  id: string
  offerId: string
  planId: string
  quantity: number | null
  saasSubscriptionStatus: string
  beneficiary: { emailId: string }
  term: { startDate: string | null; endDate: string | null; termUnit: 'P1M' }
  autoRenew: boolean
  isFreeTrial: boolean
  isTest: true
}

export interface SandboxOperation {
  id: string
  subscriptionId: string
  offerId: string
  planId: string
  quantity: number | null
  action: string
  status: string
  timeStamp: string
}

export type BookStore = ReturnType<typeof createBookStore>

export function createBookStore({ db, clock }: Database) {
  const parse = <T>(row: { body: string } | undefined): T | null => (row ? (JSON.parse(row.body) as T) : null)

  return {
    async sell(purchase: SandboxPurchase, tokenHash: string, tokenMs: number): Promise<void> {
      await db
        .insertInto('sandbox_purchases')
        .values((eb) => ({
          id: purchase.id,
          token_hash: tokenHash,
          token_until: eb(clock.nowMs, '+', tokenMs),
          body: JSON.stringify(purchase),
          created_at: clock.nowMs,
        }))
        .execute()
    },

    async findByToken(tokenHash: string): Promise<SandboxPurchase | null> {
      const row = await db
        .selectFrom('sandbox_purchases')
        .select('body')
        .where('token_hash', '=', tokenHash)
        .where('token_until', '>', clock.nowMs)
        .executeTakeFirst()
      return parse(row)
    },

    async find(id: string): Promise<SandboxPurchase | null> {
      return parse(await db.selectFrom('sandbox_purchases').select('body').where('id', '=', id).executeTakeFirst())
    },

    /** The newest first. */
    async list(count: number): Promise<SandboxPurchase[]> {
      const rows = await db
        .selectFrom('sandbox_purchases')
        .select('body')
        .orderBy('created_at', 'desc')
        .limit(count)
        .execute()
      return rows.map((row) => JSON.parse(row.body) as SandboxPurchase)
    },

    /** Null: there is none, or `decide` found nothing to change. */
    change(id: string, decide: (known: SandboxPurchase) => SandboxPurchase | null): Promise<SandboxPurchase | null> {
      return db.transaction().execute(async (trx) => {
        // Takes the row before it is read, so that two do not change the same old state.
        await trx.updateTable('sandbox_purchases').set({ id }).where('id', '=', id).execute()
        const row = await trx.selectFrom('sandbox_purchases').select('body').where('id', '=', id).executeTakeFirst()
        const known = parse<SandboxPurchase>(row)
        const next = known && decide(known)
        if (next)
          await trx
            .updateTable('sandbox_purchases')
            .set({ body: JSON.stringify(next) })
            .where('id', '=', id)
            .execute()
        return next
      })
    },

    async putOperation(operation: SandboxOperation): Promise<void> {
      const body = JSON.stringify(operation)
      await db
        .insertInto('sandbox_operations')
        .values({ id: operation.id, purchase_id: operation.subscriptionId, body })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ body }))
        .execute()
    },

    async findOperation(purchaseId: string, id: string): Promise<SandboxOperation | null> {
      const row = await db
        .selectFrom('sandbox_operations')
        .select('body')
        .where('id', '=', id)
        .where('purchase_id', '=', purchaseId)
        .executeTakeFirst()
      return parse(row)
    },

    async listOperations(purchaseId: string): Promise<SandboxOperation[]> {
      const rows = await db
        .selectFrom('sandbox_operations')
        .select('body')
        .where('purchase_id', '=', purchaseId)
        .execute()
      return rows.map((row) => JSON.parse(row.body) as SandboxOperation)
    },
  }
}
