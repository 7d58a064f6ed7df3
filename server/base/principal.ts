/** The authenticated caller of a request. */

export type Principal =
  | { kind: 'key'; keyId: string; accountId: string; plan: string }
  | { kind: 'session'; sessionId: string; accountId: string; plan: string }
