import { type FormEvent, useRef } from 'react'
import { Link, useSearch } from 'wouter'
import { call } from '../../api/client.ts'
import type { ApiProblem } from '../../api/problem.ts'
import type { SignupPasswordRequest } from '../../api/schema.ts'
import { AuthCard } from '../../components/auth-card.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { Operator } from '../../components/operator.tsx'
import { NewPasswordField } from '../../components/password-field.tsx'
import { ProviderButtons } from '../../components/provider-buttons.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { useAuth } from '../../hooks/use-auth.ts'
import { takeSecret } from '../../link-secret.ts'
import { nextPath, withNext } from '../../session.ts'
import { useSettings } from '../../settings.ts'

/** From the link in an invitation. */
const codeInLink = () => takeSecret('invite')

/** Where accounts are created by the operator only. */
function Closed() {
  return (
    <AuthCard
      title="Sign-up is closed"
      footer={
        <Link href="/sign-in" className="link">
          Back to sign-in
        </Link>
      }
    >
      <p>
        This service does not accept new accounts by itself. Ask <Operator /> to create one for you.
      </p>
    </AuthCard>
  )
}

function Credentials({ problem }: { problem: ApiProblem | null }) {
  return (
    <>
      <TextField
        label="E-mail"
        name="email"
        type="email"
        autoComplete="username"
        required
        error={
          problem?.code === 'email_taken'
            ? 'An account with this address already exists.'
            : problem?.fieldError('email')
        }
      />
      {problem?.code === 'email_taken' && (
        <p className="-mt-2 text-sm text-fg-2">
          Sign in, or{' '}
          <Link href="/forgot-password" className="link">
            reset its password
          </Link>
          .
        </p>
      )}
      <NewPasswordField label="Password" name="password" error={problem?.fieldError('password')} />
    </>
  )
}

export default function SignUpPage() {
  const next = nextPath(useSearch())
  const { run, isPending, problem } = useAuth((body: SignupPasswordRequest) =>
    call('POST /api/v1/auth/signup', { body }),
  )
  const settings = useSettings()
  const signup = settings?.signup
  const hasPasswords = settings?.passwords !== false
  const form = useRef<HTMLFormElement>(null)
  const needsInvite = signup === 'invite' || codeInLink() !== ''

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const inviteCode = needsInvite ? textOf(form, 'inviteCode').trim() : ''
    run({
      email: textOf(form, 'email'),
      password: textOf(form, 'password'),
      ...(inviteCode !== '' && { inviteCode }),
    })
  }

  if (signup === 'closed') return <Closed />
  return (
    <AuthCard
      title="Create your account"
      lead={
        needsInvite ? 'You need an invite code, which is part of your invitation.' : 'No payment details are needed.'
      }
      footer={
        <>
          Already have an account?{' '}
          <Link href={withNext('/sign-in', next)} className="link">
            Sign in
          </Link>
        </>
      }
    >
      <form ref={form} onSubmit={submit} className="grid gap-4">
        {problem && <FormProblem problem={problem} fields={['email', 'password', 'inviteCode']} />}
        {hasPasswords && <Credentials problem={problem} />}
        {needsInvite && (
          <TextField
            label="Invite code"
            name="inviteCode"
            autoComplete="off"
            required
            defaultValue={codeInLink()}
            error={problem?.code === 'invite_required' ? problem.detail : undefined}
          />
        )}
        {hasPasswords && (
          <button type="submit" className="btn btn-primary btn-large mt-2" disabled={isPending}>
            {isPending ? 'Creating your account…' : 'Create account'}
          </button>
        )}
      </form>
      <ProviderButtons next={next} inviteCode={() => (form.current ? textOf(form.current, 'inviteCode') : '')} />
    </AuthCard>
  )
}
