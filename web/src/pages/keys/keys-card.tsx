/** The keys of the account, active ones first. */
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { keysQuery } from '../../api/queries.ts'
import type { ApiKeySummary } from '../../api/schema.ts'
import { Empty } from '../../components/empty.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { KeysTable } from './keys-table.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'

const byStatus = (a: ApiKeySummary, b: ApiKeySummary): number => a.status.localeCompare(b.status)

export function KeysCard() {
  const keys = useQuery(keysQuery)
  const [revoking, setRevoking] = useState<ApiKeySummary | null>(null)
  return (
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
      {keys.data?.length === 0 && (
        <Empty icon={KeyRound} title="No keys yet">
          Create your first key to scan from code, CI or the command line.
        </Empty>
      )}
      {keys.data && keys.data.length > 0 && <KeysTable keys={keys.data.toSorted(byStatus)} onRevoke={setRevoking} />}
      {revoking && <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </section>
  )
}
