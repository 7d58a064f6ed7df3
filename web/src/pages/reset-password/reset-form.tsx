/** Chooses a new password and asks whether the API keys may stay. */
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import type { ResetPasswordRequest } from '../../api/schema.ts'
import { AuthCard } from '../../components/auth-card.tsx'
import { CheckField } from '../../components/check-field.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { NewPasswordField } from '../../components/password-field.tsx'
import { textOf } from '../../form-values.ts'
import { replaceWith } from '../../go-to.ts'
import { useAction } from '../../hooks/use-action.ts'
import { forgetSignIn } from '../../session.ts'

interface ResetFormProps {
  token: string
  /** Nobody has proven yet that the address is theirs, so the keys may belong to someone else. */
  revokesByDefault: boolean
  onInvalid: () => void
}

export function ResetForm({ token, revokesByDefault, onInvalid }: ResetFormProps) {
  const [revokeKeys, setRevokeKeys] = useState(revokesByDefault)
  const { run, isPending, problem } = useAction(async (body: ResetPasswordRequest) => {
    try {
      await call('POST /api/v1/auth/reset-password', { body })
    } catch (error) {
      if (error instanceof ApiProblem && error.code === 'invalid_token') onInvalid()
      throw error
    }
    forgetSignIn()
    // Replaces this page, whose link does not work any more.
    replaceWith('/sign-in?reset=1')
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run({ token, password: textOf(event.currentTarget, 'password'), revokeKeys })
  }

  return (
    <AuthCard title="Choose a new password" lead="All sessions of your account end when you save it.">
      <form onSubmit={submit} className="grid gap-4">
        {problem && <FormProblem problem={problem} fields={['password']} />}
        <NewPasswordField label="New password" name="password" error={problem?.fieldError('password')} />
        <CheckField
          label="Revoke all API keys"
          checked={revokeKeys}
          onChange={setRevokeKeys}
          hint={
            revokesByDefault
              ? 'Recommended: keys created before you confirmed this address may belong to someone else.'
              : 'Choose this if someone else may know a key. Programs that use a key then fail until you give them a new one.'
          }
        />
        <button type="submit" className="btn btn-primary btn-large mt-2" disabled={isPending}>
          {isPending ? 'Saving…' : 'Save password'}
        </button>
      </form>
    </AuthCard>
  )
}
