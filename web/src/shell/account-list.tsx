/** The accounts that the person can work in, in the account menu. Nothing for a person without others. */
import { useQuery } from '@tanstack/react-query'
import { enterAccount } from '../acting.ts'
import { accountsQuery } from '../api/queries.ts'
import { Check } from '../components/icons.tsx'
import { useAction } from '../hooks/use-action.ts'

export function AccountList() {
  const { data: accounts } = useQuery(accountsQuery)
  const { run, isPending, problem } = useAction(enterAccount)
  const items = accounts?.items ?? []
  if (items.length < 2) return null
  return (
    <div className="mb-1 border-b border-line pb-1">
      <p id="account-list" className="px-2 py-1.5 text-xs font-medium text-fg-2">
        Work in
      </p>
      <ul aria-labelledby="account-list" className="max-h-60 overflow-y-auto">
        {items.map(({ accountId, email, role, current }) => (
          <li key={accountId}>
            <button
              type="button"
              className="flex min-h-10 w-full items-center gap-2 rounded-sm px-2 py-1 text-left hover:bg-sunken"
              aria-current={current ? 'true' : undefined}
              disabled={isPending || current}
              onClick={() => run(accountId)}
            >
              <Check size={14} className={`shrink-0 ${current ? '' : 'invisible'}`} aria-hidden />
              <span className="min-w-0">
                <span className="block max-w-60 truncate">{email}</span>
                <span className="block text-xs text-fg-2">{role === 'owner' ? 'Your account' : role}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {problem && (
        <p role="alert" className="max-w-60 px-2 py-1.5 text-bad">
          {problem.detail}
        </p>
      )}
    </div>
  )
}
