/** Proves that the caller is the owner of the account, and not somebody at a browser that was left open. */
import { AppError } from '#base/errors.ts'
import type { Session } from '#base/principal.ts'
import type { Auth } from './auth.ts'
import type { SessionStore } from './store.ts'

const MINUTE_MS = 60 * 1_000

interface Proof {
  password?: string | undefined
  /** Without a password: how old the sign-in may be. */
  minutes: number
  signal?: AbortSignal
}

export type Prove = ReturnType<typeof createProof>

export function createProof({ sessions, confirm }: { sessions: SessionStore; confirm: Auth['confirm'] }) {
  return async ({ accountId, sessionId }: Session, { password, minutes, signal }: Proof): Promise<void> => {
    if (password !== undefined) return await confirm(accountId, password, signal)
    if (await sessions.isFresh(accountId, sessionId, minutes * MINUTE_MS)) return
    throw new AppError(
      'invalid_credentials',
      `This session is older than ${minutes} minutes, or began without a password. Send your password in \`password\`, or sign in again.`,
    )
  }
}
