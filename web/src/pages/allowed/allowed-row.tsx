import { call } from '../../api/client.ts'
import { allowedQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { AllowedDocument } from '../../api/schema.ts'
import { ProblemBox } from '../../components/problem-box.tsx'
import { time } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'

export function AllowedRow({ document }: { document: AllowedDocument }) {
  const { sha256, note, createdAt } = document
  const { run, isPending, problem } = useAction(async () => {
    await call('DELETE /api/v1/allowed/{sha256}', { path: { sha256 } })
    await refresh(allowedQuery)
  })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3 text-sm">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">{note ?? 'Without a note'}</p>
        <code className="font-mono text-xs break-all text-fg-2">{sha256}</code>
        <p className="text-xs text-fg-2">Allowed {time(createdAt)}</p>
      </div>
      <button type="button" className="btn btn-ghost h-8" disabled={isPending} onClick={() => run(undefined)}>
        {isPending ? 'Removing…' : 'Remove'}
        <span className="sr-only"> {note ?? sha256}</span>
      </button>
      {problem && <ProblemBox problem={problem} what="The document was not removed." />}
    </li>
  )
}
