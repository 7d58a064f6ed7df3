/** How many keys there are, and when one was last used. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { toProblem } from '../../api/problem.ts'
import { keysQuery } from '../../api/queries.ts'
import type { ApiKeySummary } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { ago } from '../../format.ts'

function sentence(keys: readonly ApiKeySummary[]): string {
  const active = keys.filter(
    ({ status, dashboard, rolledInto }) => status === 'active' && !dashboard && rolledInto === undefined,
  )
  if (active.length === 0) return 'Create your first key to scan from code, CI or the command line.'
  const [last] = active.flatMap(({ lastUsedAt }) => lastUsedAt ?? []).toSorted((a, b) => b.localeCompare(a))
  const number = active.length === 1 ? 'One active key' : `${active.length} active keys`
  return `${number}, ${last === undefined ? 'not used yet' : `last used ${ago(last)}`}.`
}

export function KeysSummary() {
  const keys = useQuery(keysQuery)
  return (
    <Card title="API keys">
      <div className="px-5 pt-2 pb-5">
        {keys.isPending && <Skeleton className="h-[78px]" />}
        {keys.isError && (
          <ProblemBox
            problem={toProblem(keys.error)}
            what="The keys could not be loaded."
            retry={() => keys.refetch()}
          />
        )}
        {keys.data && (
          <>
            <p className="min-h-[22px] text-sm text-fg-2">{sentence(keys.data)}</p>
            <Link href="/keys" className="btn btn-ghost mt-4">
              Manage keys
            </Link>
          </>
        )}
      </div>
    </Card>
  )
}
