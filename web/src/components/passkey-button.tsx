/** Sign-in with a passkey, where this installation and this browser have them. */
import { Link } from 'wouter'
import { useAuth } from '../hooks/use-auth.ts'
import { hasPasskeys, signInWithPasskey } from '../passkeys.ts'
import { useSettings } from '../settings.ts'
import { Fingerprint } from './fingerprint.tsx'
import { FormProblem } from './form-problem.tsx'

export function PasskeyButton() {
  const isOffered = useSettings()?.passkeys === true
  const { run, isPending, problem } = useAuth(signInWithPasskey)
  if (!isOffered || !hasPasskeys()) return null
  return (
    <div className="mt-3 grid gap-3">
      {problem && <FormProblem problem={problem} />}
      <button type="button" className="btn btn-ghost btn-large" disabled={isPending} onClick={() => run(undefined)}>
        <Fingerprint size={18} aria-hidden />
        Sign in with a passkey
      </button>
      <p className="text-center text-sm text-fg-2">
        <Link href="/recover" className="link inline-flex min-h-6 items-center">
          Lost your passkeys?
        </Link>
      </p>
    </div>
  )
}
