import { Link } from 'wouter'
import { call } from '../../api/client.ts'
import { allowedQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { AllowedDocument } from '../../api/schema.ts'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Time } from '../../components/time.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { ForRole } from '../../role.tsx'

export function AllowedRow({ document }: { document: AllowedDocument }) {
  const { sha256, note, createdAt, fileName, threat, allowedBy, scanId } = document
  const { run, isPending, problem } = useAction(async () => {
    await call('DELETE /api/v1/allowed/{sha256}', { path: { sha256 } })
    await refresh(allowedQuery)
  })
  const name = fileName ?? note ?? sha256
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-5 py-3 text-sm">
      <div className="min-w-0 grow basis-64">
        <p className="font-medium wrap-anywhere">
          {scanId !== null ? (
            <Link href={`/history/${scanId}`} className="link">
              {name}
            </Link>
          ) : (
            name
          )}
        </p>
        {fileName !== null && note !== null && <p className="wrap-anywhere">“{note}”</p>}
        <p className="text-fg-2">
          Allowed{allowedBy !== null && <> by {allowedBy}</>}, <Time iso={createdAt} />
          {threat !== null && (
            <>
              {' '}
              although <code className="font-mono text-xs wrap-anywhere">{threat}</code> was found
            </>
          )}
        </p>
        <code className="font-mono text-xs break-all text-fg-2">{sha256}</code>
      </div>
      <ForRole needs="admin">
        <button type="button" className="btn btn-ghost h-8" disabled={isPending} onClick={() => run(undefined)}>
          {isPending ? 'Removing…' : 'Remove'}
          <span className="sr-only"> {name}</span>
        </button>
      </ForRole>
      {problem && <ProblemBox problem={problem} what="The document was not removed." />}
    </li>
  )
}
