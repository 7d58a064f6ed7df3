/** A sign-in on its way to a provider and back, sealed in a cookie: it needs no memory, and every replica can read it. */
import { NotOpened, type Seal } from '#base/seal.ts'
import type { Secrets } from './client.ts'

/** Each tab of a browser has its own; with more, the oldest ends. */
export const TRANSACTIONS_MAX = 4
export const TRANSACTION_MS = 10 * 60 * 1_000
const NAME = 'docvet_oidc_'
const SUFFIX_LENGTH = 8

export interface Transaction extends Secrets {
  /** To sign in, to add a way to sign in, or to prove that the owner of the session is there. */
  purpose: 'sign-in' | 'link' | 'confirm'
  returnTo: string
  /** Milliseconds since 1970. */
  at: number
  inviteCode?: string
  /** Of the session that asked for it. */
  session?: { accountId: string; sessionId: string }
}

export function createTransactions(seal: Seal, isSecure: boolean) {
  const prefix = isSecure ? `__Host-${NAME}` : NAME
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const nameOf = (state: string): string => prefix + state.slice(0, SUFFIX_LENGTH)
  const cleared = (name: string): string => `${name}=; Max-Age=0; ${attributes}`

  function cookiesIn(header = ''): [name: string, value: string][] {
    const pairs = header.split(';').map((pair): [string, string] => {
      const [name = '', ...value] = pair.split('=')
      return [name.trim(), value.join('=').trim()]
    })
    return pairs.filter(([name]) => name.startsWith(prefix))
  }

  /** Null if it was made by somebody else, for another provider, or too long ago. */
  function open(value: string, provider: string): Transaction | null {
    try {
      const transaction = JSON.parse(seal.open(value, `sign-in with ${provider}`)) as Transaction
      return Date.now() - transaction.at <= TRANSACTION_MS ? transaction : null
    } catch (error) {
      if (error instanceof NotOpened) return null
      throw error
    }
  }

  return {
    /** The cookies that the response sets. */
    begin(header: string | undefined, provider: string, transaction: Transaction): string[] {
      const sealed = seal.close(JSON.stringify(transaction), `sign-in with ${provider}`)
      const older = cookiesIn(header).map(([name]) => name)
      // Browsers send those that they got first first.
      const excess = older.slice(0, Math.max(0, older.length + 1 - TRANSACTIONS_MAX))
      const cookie = `${nameOf(transaction.state)}=${sealed}; Max-Age=${TRANSACTION_MS / 1_000}; ${attributes}`
      return [...excess.map(cleared), cookie]
    },

    /** That of a callback with this state. The response ends it, so that the callback works once. */
    take(header: string | undefined, provider: string, state: string | null) {
      if (state === null || state === '') return { transaction: null, cookies: [] }
      const name = nameOf(state)
      const values = cookiesIn(header).filter(([each]) => each === name)
      const transaction = values.map(([, value]) => open(value, provider)).find((each) => each?.state === state) ?? null
      return { transaction, cookies: values.length > 0 ? [cleared(name)] : [] }
    },
  }
}
