/** The authenticated caller of a request. */

/** What a key may do: scan, read reports, or change keys, callbacks and the allow list. */
export const SCOPES = ['scan', 'read', 'manage'] as const
export type Scope = (typeof SCOPES)[number]

/** Limits of a key; each is absent where there is none. */
export interface KeyLimits {
  scopes?: readonly Scope[]
  /** Milliseconds since 1970. */
  expiresAt?: number
  /** Addresses and networks from which it is accepted. */
  allowedAddresses?: readonly string[]
}

export type Principal =
  | {
      kind: 'key'
      keyId: string
      /** The key on which its scans are counted; its own by default. */
      meterId?: string
      accountId: string
      plan: string
      limits?: KeyLimits
    }
  | { kind: 'session'; sessionId: string; accountId: string; plan: string }

export type Session = Extract<Principal, { kind: 'session' }>

/** The plan of keys for tests, whatever that of their account is. No name of a plan has a space. */
export const TEST_PLAN = 'test key'

/** Whose rates apply. Test keys of an account share theirs, apart from those of its other keys. */
export const limitedAccount = ({ accountId, plan }: Pick<Principal, 'accountId' | 'plan'>): string =>
  plan === TEST_PLAN ? `${accountId} test` : accountId
