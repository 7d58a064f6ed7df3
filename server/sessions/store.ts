/** Sessions in the database, valid on every replica until they end. */
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { Principal } from '#base/principal.ts'
import type { Database, Trx } from '#storage/database.ts'
import { prepare } from '#storage/prepared.ts'
import { hashToken, isToken, mintToken } from './token.ts'

const DAY_MS = 24 * 60 * 60 * 1000
export const IDLE_MS_MAX = 7 * DAY_MS
export const LIFE_MS_MAX = 30 * DAY_MS
/** Per account. Past this, the oldest end. */
const SESSIONS_MAX = 50
/** The last use of a session is stored at most this often. */
const TOUCH_EVERY_MS = 5 * 60 * 1000

interface LiveSession {
  sessionId: string
  accountId: string
  plan: string
  /** Since the last stored use. */
  unseenMs: number
}

export type SessionStore = ReturnType<typeof createSessionStore>

export function createSessionStore({ db, clock }: Database, log: Log) {
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

  async function touch(sessionId: string): Promise<void> {
    try {
      await db.updateTable('sessions').set({ seen_at: clock.nowMs }).where('id', '=', sessionId).execute()
    } catch (error) {
      log.warn({ err: error }, 'Failed to store the last use of a session')
    }
  }

  return {
    /** Always creates a new token and ends the session that the request carried. Returns the token. */
    async start(trx: Trx, accountId: string, presented: string | null): Promise<string> {
      const { secret, hash } = mintToken()
      if (presented !== null && isToken(presented)) {
        await trx.deleteFrom('sessions').where('hash', '=', hashToken(presented)).execute()
      }
      const session = { id: newId(), account_id: accountId, hash, created_at: clock.nowMs, seen_at: clock.nowMs }
      await trx.insertInto('sessions').values(session).execute()
      const kept = trx
        .selectFrom('sessions')
        .select('id')
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(SESSIONS_MAX)
      await trx.deleteFrom('sessions').where('account_id', '=', accountId).where('id', 'not in', kept).execute()
      return secret
    },

    async identify(token: string): Promise<Principal | null> {
      if (!isToken(token)) return null
      const [session] = await find(db, { hash: hashToken(token) })
      if (session === undefined) return null
      const { unseenMs, ...principal } = session
      if (unseenMs > TOUCH_EVERY_MS) await touch(principal.sessionId)
      return { kind: 'session', ...principal }
    },

    async end(sessionId: string): Promise<void> {
      await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
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
