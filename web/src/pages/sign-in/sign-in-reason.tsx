/** Why the sign-in page is shown, if the visitor did not ask for it. */
import { useSearch } from 'wouter'
import { SignInAlert } from '../../components/sign-in-alert.tsx'
import { nextPath } from '../../session.ts'
import { signInError } from '../../sign-in-errors.ts'

function reasonFor(search: string): string | null {
  const given = new URLSearchParams(search)
  if (given.has('reset')) return 'Your password is changed, and every session has ended. Sign in with the new password.'
  if (given.has('ended')) return 'Your session ended. Sign in to continue.'
  if (nextPath(search).startsWith('/marketplace/')) return 'Sign in, or create an account, to link your purchase to it.'
  return given.has('next') ? 'Sign in to continue.' : null
}

export function SignInReason() {
  const search = useSearch()
  if (signInError(search) !== null) return <SignInAlert />
  const reason = reasonFor(search)
  if (reason === null) return null
  return (
    <p role="status" className="rounded-md bg-accent-soft px-3 py-2 text-sm text-fg">
      {reason}
    </p>
  )
}
