/** Where the account is signed in, and the way to end it. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { sessionsQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { SessionView } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { MonitorSmartphone } from '../../components/icons.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { ago, date } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { browserName } from './browser-name.ts'

export function SessionsCard() {
  const sessions = useQuery(sessionsQuery)
  const end = useAction(async (id: string | null) => {
    if (id === null) await call('DELETE /api/v1/auth/sessions')
    else await call('DELETE /api/v1/auth/sessions/{id}', { path: { id } })
    await refresh(sessionsQuery)
    return id === null ? 'All other sessions ended.' : 'The session ended.'
  })
  const items = sessions.data?.items ?? []
  const problem = end.problem ?? (sessions.isError ? toProblem(sessions.error) : null)
  return (
    <Card
      title="Sessions"
      lead="A session ends after 7 days without use, and after 30 days at the latest."
      actions={
        items.length > 1 && (
          <button type="button" className="btn btn-ghost h-8" disabled={end.isPending} onClick={() => end.run(null)}>
            Sign out others
          </button>
        )
      }
    >
      <div className="px-5 pt-3 pb-4">
        {sessions.isPending && <Skeleton className="h-12" />}
        {problem && (
          <ProblemBox
            problem={problem}
            what={end.problem ? 'The session was not ended.' : 'The sessions could not be loaded.'}
            {...(end.problem === null && { retry: () => sessions.refetch() })}
          />
        )}
        <ul className="divide-y divide-line">
          {items.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isPending={end.isPending}
              onEnd={() => end.run(session.id)}
            />
          ))}
        </ul>
        <p role="status" className="text-sm text-fg-2">
          {end.result}
        </p>
      </div>
    </Card>
  )
}

interface SessionRowProps {
  session: SessionView
  isPending: boolean
  onEnd: () => void
}

function SessionRow({ session, isPending, onEnd }: SessionRowProps) {
  const { userAgent, createdAt, lastSeenAt, current } = session
  const name = browserName(userAgent)
  return (
    <li className="flex min-h-14 items-center gap-3 py-2 text-sm">
      <MonitorSmartphone size={18} className="shrink-0 text-fg-3" aria-hidden />
      <div className="min-w-0 grow">
        <p className="font-medium">{name}</p>
        <p className="text-xs text-fg-2">
          Signed in {date(createdAt)}, last seen {ago(lastSeenAt)}
        </p>
      </div>
      {current ? (
        <span className="pill shrink-0 bg-accent-soft text-accent">This browser</span>
      ) : (
        <button type="button" className="btn btn-ghost h-8 shrink-0" disabled={isPending} onClick={onEnd}>
          Sign out<span className="sr-only"> {name}</span>
        </button>
      )}
    </li>
  )
}
