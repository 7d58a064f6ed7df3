/** Wires passkeys, and periodically deletes the challenges that have expired anyway. */
import type { Log } from '#base/log.ts'
import { CHALLENGE_MS } from './challenges.ts'
import { createPasskeys } from './passkeys.ts'
import { type SharedOptions, share } from './shared.ts'
import { createPasskeySignIn } from './sign-in.ts'

const SWEEP_EVERY_MS = 10 * 60 * 1_000
/** Clocks of replicas differ. */
const KEPT_MS = 2 * CHALLENGE_MS

type Options = SharedOptions &
  Pick<Parameters<typeof createPasskeySignIn>[0], 'parseEmail'> &
  Pick<Parameters<typeof createPasskeys>[0], 'note' | 'prove' | 'otherWays' | 'eraseResets'> & { log: Log }

export function setUpPasskeys(options: Options) {
  const { parseEmail, note, prove, otherWays, eraseResets, store, log } = options
  const shared = share(options)
  const timer = setInterval(() => {
    store.sweep(KEPT_MS).catch((error) => log.warn({ err: error }, 'Failed to delete expired rows; it will be retried'))
  }, SWEEP_EVERY_MS)
  timer.unref()
  return {
    signIn: createPasskeySignIn({ ...shared, parseEmail }),
    passkeys: createPasskeys({ ...shared, note, prove, otherWays, eraseResets }),
    sweeper: { close: () => clearInterval(timer) },
  }
}
