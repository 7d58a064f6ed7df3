/** The link in the mail about a new way to sign in: removes it. */
import { useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/client.ts'
import { AuthCard } from '../../components/auth-card.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { takeSecret } from '../../link-secret.ts'
import { forgetSignIn } from '../../session.ts'

export default function UndoSignInPage() {
  const [token] = useState(() => takeSecret('token'))
  const { run, isPending, problem, result } = useAction(async () => {
    await call('POST /api/v1/auth/undo-identity', { body: { token } })
    forgetSignIn()
    return 'removed'
  })
  return (
    <AuthCard
      title="Remove a way to sign in"
      lead="Somebody added a way to sign in to your account."
      footer={
        <Link href="/sign-in" className="link">
          Go to sign-in
        </Link>
      }
    >
      {result === 'removed' ? (
        <p role="status">It is removed, and every session of your account has ended. Change your password now.</p>
      ) : (
        <div className="grid gap-4">
          {problem && <FormProblem problem={problem} />}
          <p>If that was not you, remove it. All sessions of your account end as well.</p>
          <button
            type="button"
            className="btn btn-danger btn-large"
            disabled={isPending || token === ''}
            onClick={() => run(undefined)}
          >
            {isPending ? 'Removing…' : 'Remove it'}
          </button>
          {token === '' && <p className="text-sm text-bad">The link is incomplete. Open it from the mail again.</p>}
        </div>
      )}
    </AuthCard>
  )
}
