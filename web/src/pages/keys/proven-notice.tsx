/** After the owner of an address has proven it: keys of the account may be those of somebody who signed up with it before. */
import { useQuery } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { call } from '../../api/client.ts'
import { keysQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import { FormProblem } from '../../components/form-problem.tsx'
import { useAction } from '../../hooks/use-action.ts'

export function ProvenNotice() {
  const isProven = new URLSearchParams(useSearch()).has('proven')
  const { data: keys = [] } = useQuery(keysQuery)
  const active = keys.filter(({ status, dashboard }) => status === 'active' && !dashboard)
  const { run, isPending, problem, result } = useAction(async () => {
    for (const { id } of active) await call('DELETE /api/v1/keys/{id}', { path: { id } })
    await refresh(keysQuery)
    return 'All of them are revoked.'
  })
  if (!isProven) return null
  return (
    <div role="status" className="mb-4 rounded-md bg-warn-soft px-4 py-3 text-sm">
      <p>
        This account existed before you proved that its address is yours. Its password and sessions have ended.{' '}
        {active.length > 0 &&
          'The keys below were created before: revoke those that you do not know. Look at the callbacks too.'}
      </p>
      {problem && <FormProblem problem={problem} />}
      {active.length > 0 && (
        <button type="button" className="btn btn-danger mt-3" disabled={isPending} onClick={() => run(undefined)}>
          Revoke all keys
        </button>
      )}
      {result && <p className="mt-2">{result}</p>}
    </div>
  )
}
