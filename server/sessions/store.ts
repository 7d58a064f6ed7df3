/** Sessions in the database, valid on every replica until they end. */
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { MemberRole, Principal } from '#base/principal.ts'
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

const USER_AGENT_LENGTH_MAX = 300

/** The browser of a request. */
export interface Browser {
  /** The token of the session that the request carries. */
  presented: string | null
  userAgent: string | null
}

/** How its owner signed in, if not with a password: a passkey counts as a provider. */
interface SignedInWith {
  /** The kind of provider. */
  provider: string
  /** It has just asked its owner to sign in there again. */
  isConfirmed: boolean
}

interface LiveSession {
  sessionId: string
  accountId: string
  plan: string
  actingId: string | null
  role: string | null
  /** Since the last stored use. */
  unseenMs: number
}

export type SessionStore = ReturnType<typeof createSessionStore>

export function createSessionStore({ db, clock, audit }: Database, log: Log) {
  const find = prepare<{ hash: string }, LiveSession>((place) =>
    db
      .selectFrom('sessions')
      .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
      .leftJoin('members', (join) =>
        join
          .onRef('members.account_id', '=', 'sessions.acting_account_id')
          .onRef('members.member_account_id', '=', 'sessions.account_id')
          .on('members.removed_at', 'is', null),
      )
      .leftJoin('accounts as acting', (join) =>
        join.onRef('acting.id', '=', 'members.account_id').on('acting.disabled_at', 'is', null),
      )
      .select((eb) => [
        'sessions.id as sessionId',
        'accounts.id as accountId',
        eb.fn.coalesce('acting.plan', 'accounts.plan').as('plan'),
        'acting.id as actingId',
        'members.role',
        eb(clock.nowMs, '-', eb.ref('sessions.seen_at')).as('unseenMs'),
      ])
      .where('sessions.hash', '=', place('hash'))
      .where('accounts.disabled_at', 'is', null)
      // One that works in an account without being a member any more is none: it must not continue in another account.
      .where((eb) => eb.or([eb('sessions.acting_account_id', 'is', null), eb('acting.id', 'is not', null)]))
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

  const live = (on: Database['db'], accountId: string) =>
    on
      .selectFrom('sessions')
      .where('account_id', '=', accountId)
      .where('seen_at', '>', (eb) => eb(clock.nowMs, '-', IDLE_MS_MAX))
      .where('created_at', '>', (eb) => eb(clock.nowMs, '-', LIFE_MS_MAX))

  return {
    /** The most recently used first. */
    list: (accountId: string) =>
      live(db, accountId)
        .select(['id', 'created_at as createdAt', 'seen_at as seenAt', 'user_agent as userAgent'])
        .orderBy('seen_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    async isLive(trx: Trx, accountId: string, sessionId: string): Promise<boolean> {
      return (await live(trx, accountId).select('id').where('id', '=', sessionId).executeTakeFirst()) !== undefined
    },

    /** The kind of provider that its owner signed in with; null for a password. */
    async providerOf(sessionId: string): Promise<string | null> {
      const session = db.selectFrom('sessions').select('provider').where('id', '=', sessionId)
      return (await session.executeTakeFirst())?.provider ?? null
    },

    /** Whether its owner has entered a password so recently. A provider may sign in without asking for one. */
    async isFresh(accountId: string, sessionId: string, ms: number): Promise<boolean> {
      const fresh = live(db, accountId)
        .select('id')
        .where('id', '=', sessionId)
        .where((eb) => {
          const since = eb(clock.nowMs, '-', ms)
          const isNew = eb.and([eb('provider', 'is', null), eb('created_at', '>', since)])
          return eb.or([isNew, eb('confirmed_at', '>', since)])
        })
      return (await fresh.executeTakeFirst()) !== undefined
    },

    /** False when the account has no such session. */
    endOf: (accountId: string, sessionId: string, on?: Trx): Promise<boolean> =>
      audit.change(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('sessions')
          .where('account_id', '=', accountId)
          .where('id', '=', sessionId)
          .executeTakeFirst()
        if (numDeletedRows > 0n) audit.note(trx, { event: 'session.ended', accountId, subject: sessionId })
        return numDeletedRows > 0n
      }, on),

    endOthers: (accountId: string, sessionId: string, on?: Trx): Promise<void> =>
      audit.change(async (trx) => {
        const others = trx.deleteFrom('sessions').where('account_id', '=', accountId).where('id', '!=', sessionId)
        const ended = await others.returning('id').execute()
        for (const { id } of ended) audit.note(trx, { event: 'session.ended', accountId, subject: id })
      }, on),

    /** Always creates a new token and ends the session that the request carried. Returns the token. */
    async start(trx: Trx, accountId: string, browser: Browser | null, by?: SignedInWith): Promise<string> {
      const { secret, hash } = mintToken()
      const presented = browser?.presented ?? null
      if (presented !== null && isToken(presented)) {
        await trx.deleteFrom('sessions').where('hash', '=', hashToken(presented)).execute()
      }
      const session = {
        ...{ id: newId(), account_id: accountId, hash, created_at: clock.nowMs, seen_at: clock.nowMs },
        user_agent: browser?.userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
        ...{ provider: by?.provider ?? null, confirmed_at: by?.isConfirmed ? clock.nowMs : null },
        acting_account_id: null,
      }
      await trx.insertInto('sessions').values(session).execute()
      audit.note(trx, { event: 'session.started', accountId, subject: session.id })
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
      const { unseenMs, actingId, role, ...principal } = session
      if (unseenMs > TOUCH_EVERY_MS) await touch(principal.sessionId)
      const acting = actingId !== null && { acting: { accountId: actingId, role: role as MemberRole } }
      return { kind: 'session', ...principal, ...acting }
    },

    /** The account that its owner works in from now on; null for the own one. */
    async enter(trx: Trx, personId: string, sessionId: string, accountId: string | null): Promise<void> {
      const own = trx.updateTable('sessions').where('id', '=', sessionId).where('account_id', '=', personId)
      await own.set({ acting_account_id: accountId }).execute()
    },

    /** Its owner has this account from now on, and works in it. */
    async move(trx: Trx, sessionId: string, accountId: string): Promise<void> {
      const moved = { account_id: accountId, acting_account_id: null }
      await trx.updateTable('sessions').set(moved).where('id', '=', sessionId).execute()
    },

    /** Of a person who is no longer a member of the account. */
    async endIn(trx: Trx, personId: string, accountId: string): Promise<void> {
      const all = trx.deleteFrom('sessions').where('account_id', '=', personId)
      const ended = await all.where('acting_account_id', '=', accountId).returning('id').execute()
      for (const { id } of ended) audit.note(trx, { event: 'session.ended', accountId: personId, subject: id })
    },

    async endAll(trx: Trx, accountId: string): Promise<void> {
      const ended = await trx.deleteFrom('sessions').where('account_id', '=', accountId).returning('id').execute()
      for (const { id } of ended) audit.note(trx, { event: 'session.ended', accountId, subject: id })
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
