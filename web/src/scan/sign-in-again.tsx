/** Asks for the password when the session ended during scans. Leaving the page would lose the chosen files. */
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { call } from '../api/client.ts'
import { meQuery } from '../api/queries.ts'
import { FormProblem } from '../components/form-problem.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { textOf } from '../form-values.ts'
import { useAction } from '../hooks/use-action.ts'
import { rememberSignIn } from '../session.ts'
import { resumeQueue } from './scan-queue.ts'

export function SignInAgain() {
  const { data: me } = useQuery({ ...meQuery, enabled: false })
  const email = me?.email ?? ''
  const { run, isPending, problem } = useAction(async (password: string) => {
    await call('POST /api/v1/auth/login', { body: { email, password } })
    rememberSignIn()
    resumeQueue()
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run(textOf(event.currentTarget, 'password'))
  }

  return (
    <section className="rounded-lg border border-warn-line bg-warn-soft px-4 py-3" aria-label="Sign in again">
      <h2 className="font-semibold text-warn">Your session ended</h2>
      <p className="text-sm text-fg-2">
        Your files are still here. Sign in as <b className="font-medium text-fg">{email}</b> to go on with them.
      </p>
      <form onSubmit={submit} className="mt-3 grid max-w-md gap-3 rounded-md bg-surface p-3">
        {problem && <FormProblem problem={problem} fields={['password']} />}
        <PasswordField label="Password" name="password" autoComplete="current-password" />
        <div>
          <button type="submit" className="btn btn-primary" disabled={isPending}>
            {isPending ? 'Signing in…' : 'Sign in and continue'}
          </button>
        </div>
      </form>
    </section>
  )
}
