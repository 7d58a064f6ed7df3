/** Asks before a key is revoked, and says what will happen. */
import { call } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { keysQuery, usageQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { ApiKeySummary } from '../../api/schema.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { ago } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'

interface RevokeKeyDialogProps {
  apiKey: ApiKeySummary
  onClose: () => void
}

export function RevokeKeyDialog({ apiKey, onClose }: RevokeKeyDialogProps) {
  const { id, name, lastUsedAt } = apiKey
  const { run, isPending, problem } = useAction(async () => {
    await call('DELETE /api/v1/keys/{id}', { path: { id } }).catch((error) => {
      // Revoked elsewhere in the meantime.
      if (!(error instanceof ApiProblem) || error.code !== 'not_found') throw error
    })
    await refresh(keysQuery, usageQuery)
    onClose()
  })
  const use = lastUsedAt === null ? 'It was never used.' : `It was last used ${ago(lastUsedAt)}.`
  return (
    <Dialog
      isAlert
      title={`Revoke “${name}”?`}
      lead={`Requests with this key fail at once, with the status 401. This cannot be undone. ${use}`}
      onClose={onClose}
    >
      {problem && (
        <div className="mt-4">
          <ProblemBox problem={problem} what="The key was not revoked." />
        </div>
      )}
      <div className="mt-6 flex justify-end gap-2">
        <button type="button" className="btn btn-ghost" data-autofocus onClick={onClose}>
          Keep key
        </button>
        <button type="button" className="btn btn-danger" disabled={isPending} onClick={() => run(undefined)}>
          {isPending ? 'Revoking…' : 'Revoke key'}
        </button>
      </div>
    </Dialog>
  )
}
