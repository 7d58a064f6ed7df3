/** Who is asking: the outcome of identification, handed to every rule that acts for someone. */

export type Principal =
  | { kind: 'key'; keyId: string; accountId: string; plan: string }
  | { kind: 'session'; sessionId: string; accountId: string; plan: string }
