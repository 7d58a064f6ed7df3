/** Why a sign-in with a provider ended without a session. The page shows a sentence for each code, and nothing of the provider. */

export const REFUSALS = [
  'cancelled',
  'failed',
  'unavailable',
  'unknown_provider',
  'email_unverified',
  'not_allowed',
  'signup_closed',
  'invite_required',
  'account_disabled',
  'sign_in_removed',
  'identity_taken',
  'too_many_identities',
  'other_identity',
  'session_ended',
  'passkeys_only',
] as const

export type Refusal = (typeof REFUSALS)[number]

export class SignInRefused extends Error {
  readonly code: Refusal

  constructor(code: Refusal, cause?: unknown) {
    super(code, { cause })
    this.code = code
  }
}
