import { type FormEvent, useEffect, useRef } from 'react'
import { Link, useSearch } from 'wouter'
import { call } from '../../api/client.ts'
import type { LoginRequest } from '../../api/schema.ts'
import { AuthCard } from '../../components/auth-card.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { Operator } from '../../components/operator.tsx'
import { PasskeyButton } from '../../components/passkey-button.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { ProviderButtons } from '../../components/provider-buttons.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { useAuth } from '../../hooks/use-auth.ts'
import { nextPath, withNext } from '../../session.ts'
import { useSettings } from '../../settings.ts'
import { SignInReason } from './sign-in-reason.tsx'

export default function SignInPage() {
  const settings = useSettings()
  const signup = settings?.signup
  const hasPasswords = settings?.passwords !== false
  const form = useRef<HTMLFormElement>(null)
  const next = nextPath(useSearch())
  const { run, isPending, problem } = useAuth((body: LoginRequest) => call('POST /api/v1/auth/login', { body }))
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLInputElement>('[name=password]')?.focus()
  }, [problem])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const { currentTarget } = event
    run({ email: textOf(currentTarget, 'email'), password: textOf(currentTarget, 'password') })
  }

  return (
    <AuthCard
      title="Sign in to Docvet"
      lead="Check documents for malware before they spread."
      footer={
        <>
          New here?{' '}
          {signup === 'closed' ? (
            <>
              Ask <Operator /> for an account.
            </>
          ) : (
            <Link href={withNext('/sign-up', next)} className="link">
              Create an account
            </Link>
          )}
        </>
      }
    >
      {hasPasswords || <SignInReason />}
      {hasPasswords && (
        <form ref={form} onSubmit={submit} className="grid gap-4">
          {problem ? <FormProblem problem={problem} /> : <SignInReason />}
          <TextField label="E-mail" name="email" type="email" autoComplete="username" required />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            aside={
              <Link href="/forgot-password" className="link inline-flex min-h-6 items-center text-sm">
                Forgot password?
              </Link>
            }
          />
          <button type="submit" className="btn btn-primary btn-large mt-2" disabled={isPending}>
            {isPending ? 'Signing in…' : 'Sign in'}
          </button>
        </form>
      )}
      <ProviderButtons next={next} />
      <PasskeyButton />
    </AuthCard>
  )
}
