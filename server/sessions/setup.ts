/** Wires the sessions module. */
import type { Database } from '#storage/database.ts'
import { createAttemptStore } from './attempt-store.ts'
import { type AuthOptions, createAuth } from './auth.ts'
import { createHasher } from './password-hasher.ts'
import { createSessions } from './sessions.ts'
import { createSessionStore } from './store.ts'
import { startSessionSweeper } from './sweeper.ts'

interface SessionsOptions extends Pick<AuthOptions, 'parseEmail' | 'accounts' | 'resets' | 'mail' | 'plan' | 'log'> {
  database: Database
}

export function setUpSessions({ database, ...options }: SessionsOptions) {
  const { resets, log } = options
  const store = createSessionStore(database)
  const attempts = createAttemptStore(database)
  const sessions = createSessions({ store, log })
  const transact: AuthOptions['transact'] = (work) => database.db.transaction().execute(work)
  return {
    auth: createAuth({ ...options, transact, hasher: createHasher({ log }), attempts, sessions }),
    sessions,
    sweeper: startSessionSweeper([store.sweep, resets.sweep, attempts.sweep], log),
  }
}
