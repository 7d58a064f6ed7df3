/** Asks for the password, or for another sign-in at a provider, before something that only the owner may do. */
import { useQuery } from '@tanstack/react-query'
import type { ApiProblem } from '../../api/problem.ts'
import { identitiesQuery } from '../../api/queries.ts'
import { FormProblem } from '../../components/form-problem.tsx'
import { PasswordField } from '../../components/password-field.tsx'
import { useProvider } from '../../hooks/use-provider.ts'

/** The fields of a form whose request had this problem. */
export function ConfirmOwner({ problem }: { problem: ApiProblem | null }) {
  const { data: ways } = useQuery(identitiesQuery)
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
            First sign in again, so that nobody else can do this at your computer. You return to this page.
          </p>
          {providers.map(({ provider, name }) => (
            <button
              key={provider}
              type="button"
              className="btn btn-ghost"
              disabled={confirm.isPending}
              onClick={() => confirm.run({ provider, returnTo: '/settings?confirmed' })}
            >
              Sign in again with {name}
            </button>
          ))}
        </div>
      )}
    </>
  )
}
