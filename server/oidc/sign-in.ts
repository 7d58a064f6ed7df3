/** Signing in with a provider: to its page, and back. */
import type { Log } from '#base/log.ts'
import type { Session } from '#base/principal.ts'
import type { Seal } from '#base/seal.ts'
import type { Prove } from '#sessions/proof.ts'
import type { Browser, SessionStore } from '#sessions/store.ts'
import { createOidcClient, type Http, newSecrets, type OidcClient } from './client.ts'
import type { createLinking } from './linking.ts'
import { personOf } from './person.ts'
import type { Provider } from './providers.ts'
import { SignInRefused } from './refusal.ts'
import { safeReturn } from './return-to.ts'
import { createTransactions, type Transaction } from './transactions.ts'
import { FRESH_MINUTES } from './ways.ts'

const SECOND_MS = 1_000
const CLOCK_TOLERANCE_MS = 60 * SECOND_MS
/** Tells the pages that there is a session, which scripts cannot see. */
const SIGNED_IN = '#signed-in'
const FIRST_PROOF = '/keys?proven'

interface SignInOptions {
  providers: readonly Provider[]
  publicUrl: string
  isSecure: boolean
  http: Http
  seal: Seal
  linking: ReturnType<typeof createLinking>
  identifySession: SessionStore['identify']
  prove: Prove
  log: Log
}

interface Asked {
  returnTo: string | undefined
  cookies: string | undefined
}

interface Outcome {
  location: string
  /** Of the sign-in on its way. */
  cookies: string[]
  /** Of the new session. */
  token: string | null
}

export type OidcSignIn = ReturnType<typeof createOidcSignIn>

/** A code without any text of the provider: that could be a token. */
function reasonOf({ cause }: SignInRefused): unknown {
  if (typeof cause !== 'object' || cause === null) return undefined
  const { code, kind, why, status, error } = cause as Record<string, unknown>
  const named = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : undefined
  return { code, kind, why, status, error: named }
}

export function createOidcSignIn(options: SignInOptions) {
  const { publicUrl, linking, log } = options
  const transactions = createTransactions(options.seal, options.isSecure)
  const callbackOf = (id: string): string => `${publicUrl}/api/v1/auth/oidc/${id}/callback`
  const clients = new Map<string, OidcClient>()
  for (const provider of options.providers) {
    const redirectUri = callbackOf(provider.id)
    clients.set(provider.id, createOidcClient(provider, options.http, redirectUri))
    log.info({ provider: provider.id, redirectUri }, 'Sign-in provider is configured; register this redirect URI there')
  }

  function clientOf(id: string): OidcClient {
    const client = clients.get(id)
    if (client === undefined) throw new SignInRefused('unknown_provider')
    return client
  }

  async function begin(
    id: string,
    { returnTo, cookies }: Asked,
    of: Pick<Transaction, 'purpose' | 'inviteCode' | 'session'>,
  ) {
    const client = clientOf(id)
    const transaction = { ...newSecrets(), ...of, returnTo: safeReturn(returnTo, publicUrl), at: Date.now() }
    const location = await client.begin(transaction, of.purpose === 'confirm')
    return { location, cookies: transactions.begin(cookies, id, transaction) }
  }

  /** The browser must still have the session that asked. */
  async function sessionOf({ session }: Transaction, browser: Browser) {
    const found = browser.presented === null ? null : await options.identifySession(browser.presented)
    if (found?.kind !== 'session' || found.sessionId !== session?.sessionId) throw new SignInRefused('session_ended')
    return found
  }

  async function finish(id: string, search: string, transaction: Transaction, browser: Browser) {
    const { purpose, returnTo, inviteCode, at } = transaction
    const { provider, ...client } = clientOf(id)
    const who = { ...personOf(provider, await client.finish(search, transaction)), provider }
    if (purpose === 'sign-in') {
      const { token, isFirstProof } = await linking.signIn(who, inviteCode, browser)
      return { location: (isFirstProof ? FIRST_PROOF : returnTo) + SIGNED_IN, token }
    }
    const session = await sessionOf(transaction, browser)
    if (purpose === 'link') {
      await linking.link(who, session)
      return { location: returnTo, token: null }
    }
    if (who.authTime !== null && who.authTime * SECOND_MS < at - CLOCK_TOLERANCE_MS) throw new SignInRefused('failed')
    return { location: returnTo, token: await linking.confirm(who, session, browser) }
  }

  /** The page that shows why there is no session. */
  function refused(error: unknown, provider: string, transaction: Transaction | null): string {
    if (!(error instanceof SignInRefused)) throw error
    // Of a URL: a name that is none could be a secret in the wrong place.
    const known = clients.has(provider) ? provider : undefined
    log.warn({ provider: known, code: error.code, reason: reasonOf(error) }, 'Sign-in with a provider was refused')
    const query = new URLSearchParams({ error: error.code })
    if (transaction !== null && transaction.purpose !== 'sign-in') return `/settings?${query}`
    if (transaction !== null && transaction.returnTo !== '/') query.set('next', transaction.returnTo)
    return `/sign-in?${query}`
  }

  return {
    /** Throws `SignInRefused`. */
    start: (id: string, asked: Asked & { inviteCode?: string | undefined }) => {
      const { inviteCode } = asked
      return begin(id, asked, { purpose: 'sign-in', ...(inviteCode !== undefined && { inviteCode }) })
    },

    /** The same by a link: its errors are those of the page. */
    async startByLink(id: string, asked: Asked): Promise<Omit<Outcome, 'token'>> {
      try {
        return await begin(id, asked, { purpose: 'sign-in' })
      } catch (error) {
        return { location: refused(error, id, null), cookies: [] }
      }
    },

    /** For the owner of a session. Throws `SignInRefused`. */
    async startOwn(
      id: string,
      purpose: 'link' | 'confirm',
      session: Session,
      asked: Asked & { password?: string | undefined; signal?: AbortSignal },
    ) {
      const { password, signal } = asked
      if (purpose === 'link')
        await options.prove(session, { password, minutes: FRESH_MINUTES, ...(signal && { signal }) })
      const { accountId, sessionId } = session
      return await begin(id, asked, { purpose, session: { accountId, sessionId } })
    },

    async callback(id: string, search: string, cookies: string | undefined, browser: Browser): Promise<Outcome> {
      const taken = transactions.take(cookies, id, new URLSearchParams(search).get('state'))
      try {
        if (taken.transaction === null) throw new SignInRefused('failed')
        return { ...(await finish(id, search, taken.transaction, browser)), cookies: taken.cookies }
      } catch (error) {
        return { location: refused(error, id, taken.transaction), cookies: taken.cookies, token: null }
      }
    },
  }
}
