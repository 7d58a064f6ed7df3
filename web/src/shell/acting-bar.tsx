/** Above the page while the session works in the account of another, because everything on it is that account's. */
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { enterAccount, reloadAfterSwitch } from '../acting.ts'
import { accountsQuery, meQuery } from '../api/queries.ts'
import { useAction } from '../hooks/use-action.ts'

export function ActingBar() {
  const { data: me } = useQuery(meQuery)
  useEffect(reloadAfterSwitch, [])
  return me?.actingAs === undefined ? null : <Bar email={me.actingAs.email} role={me.actingAs.role} />
}

function Bar({ email, role }: { email: string; role: string }) {
  const { data: accounts } = useQuery(accountsQuery)
  const own = accounts?.items[0]?.accountId
  const { run, isPending, problem } = useAction(enterAccount)
  return (
    <aside
      aria-label="Account"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line bg-accent-soft px-4 py-2 text-sm sm:px-8"
    >
      <p className="min-w-0 break-words">
        You work in the account of <strong className="font-semibold">{email}</strong> as {role}.
        {problem && (
          <span role="alert" className="text-bad">
            {' '}
            {problem.detail}
          </span>
        )}
      </p>
      <button
        type="button"
        className="btn btn-ghost h-8"
        disabled={isPending || own === undefined}
        onClick={() => own !== undefined && run(own)}
      >
        Return to my account
      </button>
    </aside>
  )
}
