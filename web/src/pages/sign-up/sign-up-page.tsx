import type { FormEvent } from 'react'
import { Link, useSearch } from 'wouter'
import { call } from '../../api/client.ts'
import type { SignupPasswordRequest } from '../../api/schema.ts'
import { AuthCard } from '../../components/auth-card.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { NewPasswordField } from '../../components/password-field.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { useAuth } from '../../hooks/use-auth.ts'
import { nextPath, withNext } from '../../session.ts'

export default function SignUpPage() {
  const next = nextPath(useSearch())
  const { run, isPending, problem } = useAuth((body: SignupPasswordRequest) =>
    call('POST /api/v1/auth/signup', { body }),
  )

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    run({ email: textOf(form, 'email'), password: textOf(form, 'password') })
  }

  return (
    <AuthCard
      title="Create your account"
      lead="The free plan needs no payment details."
      footer={
        <>
          Already have an account?{' '}
          <Link href={withNext('/sign-in', next)} className="link">
            Sign in
          </Link>
        </>
      }
    >
      <form onSubmit={submit} className="grid gap-4">
        {problem && <FormProblem problem={problem} fields={['email', 'password']} />}
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
        <button type="submit" className="btn btn-primary btn-large mt-2" disabled={isPending}>
          {isPending ? 'Creating your account…' : 'Create account'}
        </button>
      </form>
    </AuthCard>
  )
}
