/** Invites in the database. */
import { hash, randomBytes } from 'node:crypto'
import { newId } from '#base/ids.ts'
import type { Database, Trx } from '#storage/database.ts'

export const INVITE_DAYS = 14
const INVITE_MS = INVITE_DAYS * 24 * 60 * 60 * 1000
const CODE_BYTES = 16

const hashCode = (code: string): string => hash('sha256', code, 'hex')

export type InviteStore = ReturnType<typeof createInviteStore>

export function createInviteStore({ db, clock, audit }: Database) {
  return {
    /** The only place that knows the code: the database has its hash. */
    async create(trx: Trx) {
      const code = randomBytes(CODE_BYTES).toString('base64url')
      const { id, expiresAt } = await trx
        .insertInto('invites')
        .values((eb) => ({
          id: newId(),
          hash: hashCode(code),
          created_at: clock.nowMs,
          expires_at: eb(clock.nowMs, '+', INVITE_MS),
          used_at: null,
          account_id: null,
        }))
        .returning(['id', 'expires_at as expiresAt'])
        .executeTakeFirstOrThrow()
      audit.note(trx, { event: 'invite.created', accountId: null, subject: id })
      return { id, code, expiresAt }
    },

    /** Newest first. */
    list: () =>
      db
        .selectFrom('invites')
        .select((eb) => [
          'id',
          'created_at as createdAt',
          'expires_at as expiresAt',
          'used_at as usedAt',
          'account_id as accountId',
          eb('expires_at', '<=', clock.nowMs).as('expired'),
        ])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    async isValid(code: string): Promise<boolean> {
      const found = db.selectFrom('invites').select('id').where('hash', '=', hashCode(code))
      const valid = found.where('used_at', 'is', null).where('expires_at', '>', clock.nowMs)
      return (await valid.executeTakeFirst()) !== undefined
    },

    /** Of several concurrent calls, one succeeds. */
    async redeem(trx: Trx, code: string, accountId: string): Promise<boolean> {
      const used = await trx
        .updateTable('invites')
        .set({ used_at: clock.nowMs, account_id: accountId })
        .where('hash', '=', hashCode(code))
        .where('used_at', 'is', null)
        .where('expires_at', '>', clock.nowMs)
        .returning('id')
        .executeTakeFirst()
      if (used) audit.note(trx, { event: 'invite.used', accountId, subject: used.id })
      return used !== undefined
    },
  }
}
