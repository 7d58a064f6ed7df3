/** The keys of the account, active ones first. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { keysQuery } from '../../api/queries.ts'
import type { ApiKeySummary } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { Empty } from '../../components/empty.tsx'
import { KeyRound } from '../../components/icons.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Time } from '../../components/time.tsx'
import { KeysTable } from './keys-table.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'
import { RollKeyDialog } from './roll-key-dialog.tsx'

const byStatus = (a: ApiKeySummary, b: ApiKeySummary): number => a.status.localeCompare(b.status)

export function KeysCard() {
  const keys = useQuery(keysQuery)
  const own = keys.data?.filter(({ dashboard, status }) => !dashboard || status === 'revoked')
  const dashboard = keys.data?.find((key) => key.dashboard && key.status === 'active')
  const [revoking, setRevoking] = useState<ApiKeySummary | null>(null)
  const [rolling, setRolling] = useState<ApiKeySummary | null>(null)
  return (
    <>
      <section className="card overflow-hidden" aria-label="Your keys">
        {keys.isPending && <Skeleton className="m-5 h-40" />}
        {keys.isError && (
          <div className="p-5">
            <ProblemBox
              problem={toProblem(keys.error)}
              what="The keys could not be loaded."
              retry={() => keys.refetch()}
            />
          </div>
        )}
        {own?.length === 0 && (
          <Empty icon={KeyRound} title="No keys yet">
            Create your first key to scan from code, CI or the command line.
          </Empty>
        )}
        {own && own.length > 0 && (
          <KeysTable keys={own.toSorted(byStatus)} onRevoke={setRevoking} onRoll={setRolling} />
        )}
        {revoking && <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
        {rolling && <RollKeyDialog apiKey={rolling} onClose={() => setRolling(null)} />}
      </section>
      {dashboard && <DashboardKey lastUsedAt={dashboard.lastUsedAt} />}
    </>
  )
}

/** Listed apart: nobody can use it, and it does not count toward the limit of keys. */
function DashboardKey({ lastUsedAt }: Pick<ApiKeySummary, 'lastUsedAt'>) {
  return (
    <Card title="Scans in this dashboard" className="mt-4">
      <p className="px-5 pt-1 pb-5 text-sm text-fg-2">
        Documents that you scan here are counted on a key of their own, named Dashboard. It has its own quota, nobody
        knows its secret, and it is none of your keys above.
        {lastUsedAt !== null && (
          <>
            {' '}
            Last used: <Time iso={lastUsedAt} as="ago" />.
          </>
        )}
      </p>
    </Card>
  )
}
