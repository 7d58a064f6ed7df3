/** Sessions in the database, valid on every replica until they end. */
import type { Transaction } from 'kysely'
import type { Database } from '#storage/database.ts'
import { prepare } from '#storage/prepared.ts'
import type { Tables } from '#storage/tables.ts'

const DAY_MS = 24 * 60 * 60 * 1000
export const IDLE_MS_MAX = 7 * DAY_MS
export const LIFE_MS_MAX = 30 * DAY_MS
/** Per account. Past this, the oldest end. */
const SESSIONS_MAX = 50

export type Trx = Transaction<Tables>

export interface LiveSession {
  sessionId: string
  accountId: string
  plan: string
  /** Since the last stored use. */
  unseenMs: number
}

export type SessionStore = ReturnType<typeof createSessionStore>

export function createSessionStore({ db, clock }: Database) {
  const find = prepare<{ hash: string }, LiveSession>((place) =>
    db
      .selectFrom('sessions')
      .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
      .select((eb) => [
        'sessions.id as sessionId',
        'accounts.id as accountId',
        'accounts.plan',
        eb(clock.nowMs, '-', eb.ref('sessions.seen_at')).as('unseenMs'),
      ])
      .where('sessions.hash', '=', place('hash'))
      .where('sessions.seen_at', '>', (eb) => eb(clock.nowMs, '-', IDLE_MS_MAX))
      .where('sessions.created_at', '>', (eb) => eb(clock.nowMs, '-', LIFE_MS_MAX)),
  )

  return {
    async find(hash: string): Promise<LiveSession | null> {
      return (await find(db, { hash }))[0] ?? null
    },

    async insert(session: { id: string; accountId: string; hash: string }, trx: Trx): Promise<void> {
      await trx
        .insertInto('sessions')
        .values({
          id: session.id,
          account_id: session.accountId,
          hash: session.hash,
          created_at: clock.nowMs,
          seen_at: clock.nowMs,
        })
        .execute()
      const kept = trx
        .selectFrom('sessions')
        .select('id')
        .where('account_id', '=', session.accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(SESSIONS_MAX)
      await trx.deleteFrom('sessions').where('account_id', '=', session.accountId).where('id', 'not in', kept).execute()
    },

    async touch(sessionId: string): Promise<void> {
      await db.updateTable('sessions').set({ seen_at: clock.nowMs }).where('id', '=', sessionId).execute()
    },

    async end(sessionId: string): Promise<void> {
      await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
    },

    async endByHash(trx: Trx, hash: string): Promise<void> {
      await trx.deleteFrom('sessions').where('hash', '=', hash).execute()
    },

    async endAll(trx: Trx, accountId: string): Promise<void> {
      await trx.deleteFrom('sessions').where('account_id', '=', accountId).execute()
    },

    async sweep(): Promise<void> {
      await db
        .deleteFrom('sessions')
        .where((eb) =>
          eb.or([
            eb('seen_at', '<=', eb(clock.nowMs, '-', IDLE_MS_MAX)),
            eb('created_at', '<=', eb(clock.nowMs, '-', LIFE_MS_MAX)),
          ]),
        )
        .execute()
    },
  }
}
