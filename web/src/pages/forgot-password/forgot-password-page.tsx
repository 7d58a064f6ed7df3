import type { FormEvent } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/client.ts'
import { AuthCard } from '../../components/auth-card.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { MailCheck } from '../../components/icons.tsx'
import { Operator } from '../../components/operator.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { useAction } from '../../hooks/use-action.ts'
import { useSettings } from '../../settings.ts'

/** Without a mail server, mail is written to files, and nobody receives it. */
function WhereMailIs() {
  if (useSettings()?.hasMailServer !== false) return null
  return (
    <p className="mt-3 rounded-md bg-warn-soft px-3 py-2 text-left text-sm">
      This service has no mail server: the mail is a file in the folder <code className="font-mono">outbox</code> of its
      data folder, which its log names. Ask <Operator /> for it.
    </p>
  )
}

/** The same text whether or not the address has an account. */
function Requested() {
  return (
    <div role="status" className="text-center">
      <MailCheck size={24} className="mx-auto text-accent" aria-hidden />
      <p className="mt-3">
        If that address has an account, a reset link is on its way. It is valid for 10 minutes and works once.
      </p>
      <WhereMailIs />
    </div>
  )
}

export default function ForgotPasswordPage() {
  const { run, isPending, problem, result } = useAction(async (email: string) => {
    await call('POST /api/v1/auth/forgot-password', { body: { email } })
    return 'requested'
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run(textOf(event.currentTarget, 'email'))
  }

  return (
    <AuthCard
      title="Reset your password"
      lead="We e-mail you a link to choose a new one."
      footer={
        <Link href="/sign-in" className="link">
          Back to sign-in
        </Link>
      }
    >
      {result === 'requested' ? (
        <Requested />
      ) : (
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
          <button type="submit" className="btn btn-primary btn-large mt-2" disabled={isPending}>
            {isPending ? 'Sending…' : 'Send reset link'}
          </button>
        </form>
      )}
    </AuthCard>
  )
}
