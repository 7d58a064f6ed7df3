/** The purchases and operations of the sandbox marketplace. */
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'

/** In the format of Microsoft's API. */
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

export interface SandboxOperation extends Pick<SandboxPurchase, 'id' | 'offerId' | 'planId' | 'quantity'> {
  subscriptionId: string
  action: string
  status: string
  timeStamp: string
}

type Decide = (known: SandboxPurchase) => SandboxPurchase | null

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

export type SandboxStore = ReturnType<typeof createSandboxStore>

export function createSandboxStore({ db, clock }: Database) {
  const purchases = (trx: Kysely<Tables> = db) => trx.selectFrom('sandbox_purchases').select('body')
  const find = async (id: string, trx?: Kysely<Tables>): Promise<SandboxPurchase | null> =>
    parse(await purchases(trx).where('id', '=', id).executeTakeFirst())
  const operationsOf = (purchaseId: string) =>
    db.selectFrom('sandbox_operations').select('body').where('purchase_id', '=', purchaseId)
  const parse = <T>(row: { body: string } | undefined): T | null => (row ? (JSON.parse(row.body) as T) : null)

  /** Locks the row before reading it, so that concurrent changes do not start from the same state. */
  async function changeIn(trx: Kysely<Tables>, id: string, decide: Decide): Promise<SandboxPurchase | null> {
    await trx.updateTable('sandbox_purchases').set({ id }).where('id', '=', id).execute()
    const known = await find(id, trx)
    const next = known && decide(known)
    if (next === null) return null
    const body = JSON.stringify(next)
    await trx.updateTable('sandbox_purchases').set({ body }).where('id', '=', id).execute()
    return next
  }

  return {
    async add(purchase: SandboxPurchase, token: string, tokenMs: number): Promise<void> {
      await db
        .insertInto('sandbox_purchases')
        .values((eb) => ({
          id: purchase.id,
          token_hash: hashOf(token),
          token_until: eb(clock.nowMs, '+', tokenMs),
          body: JSON.stringify(purchase),
          created_at: clock.nowMs,
        }))
        .execute()
    },

    async findByToken(token: string): Promise<SandboxPurchase | null> {
      const valid = purchases().where('token_hash', '=', hashOf(token)).where('token_until', '>', clock.nowMs)
      return parse(await valid.executeTakeFirst())
    },

    find: (id: string) => find(id),

    /** Newest first. */
    async list(count: number): Promise<SandboxPurchase[]> {
      const rows = await purchases().orderBy('created_at', 'desc').limit(count).execute()
      return rows.map((row) => JSON.parse(row.body) as SandboxPurchase)
    },

    /** Null if the purchase does not exist or `decide` changes nothing. */
    change: (id: string, decide: Decide) => db.transaction().execute((trx) => changeIn(trx, id, decide)),

    /** Ends an operation, with its effect on the purchase. False if it has ended before. */
    endOperation(operation: SandboxOperation, status: string, decide: Decide): Promise<boolean> {
      const { id, subscriptionId } = operation
      return db.transaction().execute(async (trx) => {
        const ended = await trx
          .updateTable('sandbox_operations')
          .set({ body: JSON.stringify({ ...operation, status }) })
          .where('id', '=', id)
          .where('body', '=', JSON.stringify(operation))
          .returning('id')
          .executeTakeFirst()
        if (ended) await changeIn(trx, subscriptionId, decide)
        return ended !== undefined
      })
    },

    async addOperation(operation: SandboxOperation): Promise<void> {
      const { id, subscriptionId } = operation
      const row = { id, purchase_id: subscriptionId, body: JSON.stringify(operation) }
      await db.insertInto('sandbox_operations').values(row).execute()
    },

    async findOperation(purchaseId: string, id: string): Promise<SandboxOperation | null> {
      return parse(await operationsOf(purchaseId).where('id', '=', id).executeTakeFirst())
    },

    async listOperations(purchaseId: string): Promise<SandboxOperation[]> {
      return (await operationsOf(purchaseId).execute()).map((row) => JSON.parse(row.body) as SandboxOperation)
    },
  }
}
