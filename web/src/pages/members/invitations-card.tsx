/** Invitations that nobody has accepted yet. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { invitationsQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import { Card } from '../../components/card.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { capitalized, date } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'

export function InvitationsCard() {
  const invitations = useQuery(invitationsQuery)
  const { run, isPending, problem, result } = useAction(async (invitationId: string) => {
    await call('DELETE /api/v1/invitations/{invitationId}', { path: { invitationId } })
    await refresh(invitationsQuery)
    return 'The invitation is revoked.'
  })
  const items = invitations.data?.items ?? []
  const failure = problem ?? (invitations.isError ? toProblem(invitations.error) : null)
  return (
    <Card title="Open invitations">
      <div className="px-5 pt-2 pb-4 text-sm">
        {invitations.isPending && <Skeleton className="h-14" />}
        {failure && (
          <ProblemBox
            problem={failure}
            what={problem ? 'The invitation was not revoked.' : 'The invitations could not be loaded.'}
            {...(problem === null && { retry: () => invitations.refetch() })}
          />
        )}
        {invitations.data && items.length === 0 && <p className="text-fg-2">Nobody is invited at the moment.</p>}
        <ul className="divide-y divide-line">
          {items.map(({ id, email, role, expiresAt }) => (
            <li key={id} className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 py-2">
              <div className="min-w-0 grow basis-48">
                <p className="truncate font-medium" title={email}>
                  {email}
                </p>
                <p className="text-xs text-fg-2">Expires {date(expiresAt)}</p>
              </div>
              <span className="pill shrink-0 bg-sunken text-fg-2">{capitalized(role)}</span>
              <button type="button" className="btn btn-ghost h-8" disabled={isPending} onClick={() => run(id)}>
                Revoke<span className="sr-only"> the invitation of {email}</span>
              </button>
            </li>
          ))}
        </ul>
        <p role="status" className="text-fg-2">
          {result}
        </p>
      </div>
    </Card>
  )
}
