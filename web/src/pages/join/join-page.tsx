/** The link of an invitation: accepts it, after signing in with the address that was invited. */
import { useState } from 'react'
import { Link } from 'wouter'
import { enterAccount } from '../../acting.ts'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { signOut } from '../../api/sign-out.ts'
import { AuthCard } from '../../components/auth-card.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { mayBeSignedIn, withNext } from '../../session.ts'
import { forgetToken, takeToken } from './invitation-token.ts'

const ACTION = 'btn btn-primary btn-large'

export default function JoinPage() {
  const [token] = useState(takeToken)
  return (
    <AuthCard title="Join an account" lead="You are invited to work in the Docvet account of somebody else.">
      {token === '' && <p role="alert">The link is incomplete. Open it from the mail again.</p>}
      {token !== '' && (mayBeSignedIn() ? <Accept token={token} /> : <SignInFirst />)}
    </AuthCard>
  )
}

function SignInFirst() {
  return (
    <div className="grid gap-4">
      <p>Sign in with the address to which the invitation was sent, or create an account with it.</p>
      <Link href={withNext('/sign-in', '/join')} className={ACTION}>
        Sign in
      </Link>
      <Link href={withNext('/sign-up', '/join')} className="btn btn-ghost btn-large">
        Create an account
      </Link>
    </div>
  )
}

function Accept({ token }: { token: string }) {
  const { run, isPending, problem } = useAction(async () => {
    const { accountId } = await call('POST /api/v1/auth/accept-invitation', { body: { token } }).catch((error) => {
      if (error instanceof ApiProblem && error.code === 'invalid_invitation') forgetToken()
      throw error
    })
    forgetToken()
    await enterAccount(accountId)
  })
  return (
    <div className="grid gap-4">
      {problem && <FormProblem problem={problem} />}
      {problem && <WayOn problem={problem} />}
      <button type="button" className={ACTION} disabled={isPending} onClick={() => run(undefined)}>
        {isPending ? 'Joining…' : 'Accept the invitation'}
      </button>
      <p className="text-sm text-fg-2">Your own account stays as it is. You can switch between them at any time.</p>
    </div>
  )
}

/** What to do about a refusal. */
function WayOn({ problem: { code } }: { problem: ApiProblem }) {
  const { run, isPending } = useAction(() => signOut())
  if (code === 'email_unverified') {
    return (
      <Link href="/forgot-password" className="btn btn-ghost btn-large">
        Prove my address with a link
      </Link>
    )
  }
  if (code !== 'invitation_mismatch') return null
  return (
    <button type="button" className="btn btn-ghost btn-large" disabled={isPending} onClick={() => run(undefined)}>
      Sign out
    </button>
  )
}
