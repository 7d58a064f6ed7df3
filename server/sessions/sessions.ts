/** Starts, identifies and ends sessions. */
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { Principal } from '#base/principal.ts'
import type { SessionStore, Trx } from './store.ts'
import { hashToken, isToken, mintToken } from './token.ts'

/** The last use of a session is stored at most this often. */
const TOUCH_EVERY_MS = 5 * 60 * 1000

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ store, log }: { store: SessionStore; log: Log }) {
  return {
    /** Always creates a new token and ends the session that the request carried. */
    async start(trx: Trx, accountId: string, presented: string | null): Promise<string> {
      const { secret, hash } = mintToken()
      if (presented !== null && isToken(presented)) await store.endByHash(trx, hashToken(presented))
      await store.insert({ id: newId(), accountId, hash }, trx)
      return secret
    },

    async identify(token: string): Promise<Principal | null> {
      if (!isToken(token)) return null
      const session = await store.find(hashToken(token))
      if (session === null) return null
      const { sessionId, accountId, plan, unseenMs } = session
      if (unseenMs > TOUCH_EVERY_MS) {
        await store
          .touch(sessionId)
          .catch((error) => log.warn({ err: error }, 'Failed to store the last use of a session'))
      }
      return { kind: 'session', sessionId, accountId, plan }
    },

    end: store.end,
    endAll: store.endAll,
  }
}
