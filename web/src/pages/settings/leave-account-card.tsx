/** Ends the membership in the account of another that the session works in. */
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { ActingAs } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { goTo } from '../../go-to.ts'
import { useAction } from '../../hooks/use-action.ts'

export function LeaveAccountCard({ account }: { account: ActingAs }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <Card title="Leave this account" lead={`You are ${account.role} of the account of ${account.email}.`}>
      <div className="px-5 pt-3 pb-5">
        <button type="button" className="btn btn-ghost" onClick={() => setAsking(true)}>
          Leave account…
        </button>
      </div>
      {isAsking && <LeaveDialog account={account} onClose={() => setAsking(false)} />}
    </Card>
  )
}

function LeaveDialog({ account: { accountId, email }, onClose }: { account: ActingAs; onClose: () => void }) {
  const { run, isPending, problem } = useAction(async () => {
    await call('DELETE /api/v1/auth/act/{accountId}', { path: { accountId } })
    goTo('/')
    await new Promise(() => {})
  })
  return (
    <Dialog
      isAlert
      title="Leave this account?"
      lead={`You can no longer work in the account of ${email}. The API keys that you have created in it are revoked at once, and programs that use them fail. Your own account stays.`}
      onClose={onClose}
    >
      {problem && (
        <div className="mt-4">
          <ProblemBox problem={problem} what="You have not left the account." />
        </div>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <button type="button" className="btn btn-ghost" data-autofocus onClick={onClose}>
          Stay
        </button>
        <button type="button" className="btn btn-danger" disabled={isPending} onClick={() => run(undefined)}>
          {isPending ? 'Leaving…' : 'Leave account'}
        </button>
      </div>
    </Dialog>
  )
}
