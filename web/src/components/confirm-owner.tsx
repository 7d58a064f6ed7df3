/** Asks for the password, or for another sign-in at a provider, before something that only the owner may do. */
import { useQuery } from '@tanstack/react-query'
import type { ApiProblem } from '../api/problem.ts'
import { identitiesQuery, passkeysQuery } from '../api/queries.ts'
import { useAction } from '../hooks/use-action.ts'
import { useProvider } from '../hooks/use-provider.ts'
import { confirmWithPasskey, hasPasskeys } from '../passkeys.ts'
import { FormProblem } from './form-problem.tsx'
import { PasswordField } from './password-field.tsx'

function ConfirmByPasskey() {
  const { run, isPending, problem, result } = useAction(async () => {
    await confirmWithPasskey()
    return 'confirmed'
  })
  if (result === 'confirmed') return <p role="status">Confirmed. Choose what to do below again.</p>
  return (
    <>
      {problem && <FormProblem problem={problem} />}
      <button type="button" className="btn btn-ghost" disabled={isPending} onClick={() => run(undefined)}>
        Confirm with a passkey
      </button>
    </>
  )
}

/** The fields of a form whose request had this problem. */
export function ConfirmOwner({ problem, page = '/settings' }: { problem: ApiProblem | null; page?: string }) {
  const { data: ways } = useQuery(identitiesQuery)
  const hasPasskey = useQuery(passkeysQuery).data?.items.length !== 0
  const confirm = useProvider('confirm')
  if (ways?.hasPassword !== false) {
    return (
      <>
        {problem && <FormProblem problem={problem} fields={['password']} />}
        <PasswordField
          label="Your password"
          name="password"
          autoComplete="current-password"
          required
          error={problem?.fieldError('password')}
        />
      </>
    )
  }
  const shown = confirm.problem ?? (problem?.code === 'invalid_credentials' ? null : problem)
  const [providers] = [[...new Map(ways.items.map((each) => [each.provider, each])).values()]]
  return (
    <>
      {shown && <FormProblem problem={shown} />}
      {problem?.code === 'invalid_credentials' && (
        <div className="grid gap-3">
          <p role="alert" className="text-sm">
            First prove that it is you, so that nobody else can do this at your computer.
          </p>
          {hasPasskey && hasPasskeys() && <ConfirmByPasskey />}
          {providers.map(({ provider, name }) => (
            <button
              key={provider}
              type="button"
              className="btn btn-ghost"
              disabled={confirm.isPending}
              onClick={() => confirm.run({ provider, returnTo: `${page}?confirmed` })}
            >
              Sign in again with {name}
            </button>
          ))}
        </div>
      )}
    </>
  )
}
