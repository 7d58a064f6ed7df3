/** Sign-in with a recovery code, where all passkeys are lost. */
import type { FormEvent } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/client.ts'
import { AuthCard } from '../../components/auth-card.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { goTo } from '../../go-to.ts'
import { useAction } from '../../hooks/use-action.ts'
import { rememberSignIn } from '../../session.ts'

export default function RecoverPage() {
  const { run, isPending, problem } = useAction(async (body: { email: string; code: string }) => {
    await call('POST /api/v1/auth/passkeys/recover', { body })
    rememberSignIn()
    goTo('/settings')
    await new Promise(() => {})
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run({ email: textOf(event.currentTarget, 'email'), code: textOf(event.currentTarget, 'code') })
  }

  return (
    <AuthCard
      title="Use a recovery code"
      lead="For accounts that only passkeys sign in to."
      footer={
        <Link href="/sign-in" className="link">
          Back to sign-in
        </Link>
      }
    >
      <form onSubmit={submit} className="grid gap-4">
        {problem && <FormProblem problem={problem} fields={['email']} />}
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          required
          error={problem?.fieldError('email')}
        />
        <TextField
          label="Recovery code"
          name="code"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="characters"
          maxLength={40}
          required
          hint="One of the ten that you saved. Each works once."
        />
        <button type="submit" className="btn btn-primary btn-large mt-2" disabled={isPending}>
          {isPending ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </AuthCard>
  )
}
