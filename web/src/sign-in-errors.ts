/** Why a sign-in with a provider ended without a session, by the code in the URL. Other codes are not shown. */
const SENTENCES: Readonly<Record<string, string>> = {
  cancelled: 'You did not finish signing in at the provider. Try again, or choose another way.',
  failed:
    'The sign-in could not be finished: it took longer than 10 minutes, was opened twice, or did not pass a check. Start again here.',
  unavailable: 'The provider cannot be reached at the moment. Try again shortly, or sign in another way.',
  unknown_provider: 'This service has no such provider. Choose one of those below.',
  email_unverified:
    'The provider did not confirm your e-mail address, so it cannot be linked to an account. Ask the operator of this service: with Microsoft, the application needs the optional claims email and xms_edov.',
  not_allowed: 'This service accepts only people of certain organisations, and yours is not one of them.',
  signup_closed: 'There is no account with your address, and this service does not accept new ones by itself.',
  invite_required: 'A new account needs an invite code. Open the link in your invitation.',
  account_disabled: 'This account is disabled. Ask the operator of this service.',
  sign_in_removed:
    'This way to sign in was removed from its account. Sign in another way, and add it again in the settings.',
  identity_taken: 'That person already signs in to another account. Remove it there first.',
  too_many_identities: 'Your account has the largest number of ways to sign in. Remove one first.',
  other_identity: 'You signed in at the provider as somebody else. Use the person of this account.',
  passkeys_only: 'Only passkeys sign in to this account. Use one below, or a recovery code.',
  session_ended: 'Your session ended in the meantime. Sign in again.',
}

/** Null without an error. */
export function signInError(search: string): string | null {
  const code = new URLSearchParams(search).get('error') ?? ''
  return Object.hasOwn(SENTENCES, code) ? (SENTENCES[code] ?? null) : null
}
