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

/** What a person may do in an account, each including the ones before it. An account has one owner: the person whose address it has. */
export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]
/** Of a person in the account of another. */
export const MEMBER_ROLES = ['viewer', 'member', 'admin'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed)

export type Principal =
  | {
      kind: 'key'
      keyId: string
      /** The key on which its scans are counted; its own by default. */
      meterId?: string
      accountId: string
      plan: string
      limits?: KeyLimits
      /** The member who created it; absent for the owner. */
      createdBy?: string
    }
  | {
      kind: 'session'
      sessionId: string
      /** The person's own, or the one that the person works in; routes declare which. */
      accountId: string
      plan: string
      /** On routes about the person: the account of another in which the person works. */
      acting?: { accountId: string; role: MemberRole }
      /** On all other routes: the person who works in the account of another. */
      member?: { id: string; role: MemberRole }
    }

export type Session = Extract<Principal, { kind: 'session' }>

/** The plan of keys for tests, whatever that of their account is. No name of a plan has a space. */
export const TEST_PLAN = 'test key'

/** Whose rates apply. Test keys of an account share theirs, apart from those of its other keys. */
export const limitedAccount = ({ accountId, plan }: Pick<Principal, 'accountId' | 'plan'>): string =>
  plan === TEST_PLAN ? `${accountId} test` : accountId
