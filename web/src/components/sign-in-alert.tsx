import { useSearch } from 'wouter'
import { signInError } from '../sign-in-errors.ts'

/** Why the provider led back without what was asked for. */
export function SignInAlert() {
  const sentence = signInError(useSearch())
  if (sentence === null) return null
  return (
    <div role="alert" className="rounded-md border border-bad-line bg-bad-soft px-3 py-2 text-sm text-bad">
      {sentence}
    </div>
  )
}
