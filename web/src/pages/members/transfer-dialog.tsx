/** Offers the ownership of the account to a member, after the owner has proven to be there. */
import type { FormEvent } from 'react'
import { call } from '../../api/client.ts'
import { membersQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { Member } from '../../api/schema.ts'
import { ConfirmOwner } from '../../components/confirm-owner.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { textOf } from '../../form-values.ts'
import { useAction } from '../../hooks/use-action.ts'

const EFFECTS = [
  'Plan, subscription, API keys, reports, callbacks and members stay in the account.',
  'You become an admin of it, and get a new, empty account of your own.',
  'Only the new owner can undo this. You can withdraw the offer until it is accepted.',
]

export function TransferDialog({ member: { id, email }, onClose }: { member: Member; onClose: () => void }) {
  const { run, isPending, problem } = useAction(async (password: string) => {
    const body = { ...(password !== '' && { password }) }
    await call('POST /api/v1/members/{memberId}/transfer', { path: { memberId: id }, body })
    await refresh(membersQuery)
    onClose()
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run(textOf(event.currentTarget, 'password'))
  }

  return (
    <Dialog
      isAlert
      title="Offer the account?"
      lead={`${email} becomes the owner of this account by accepting within 7 days.`}
      onClose={onClose}
    >
      <ul className="mt-3 list-disc pl-5 text-sm text-fg-2">
        {EFFECTS.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <form onSubmit={submit} className="mt-5 grid gap-4">
        <ConfirmOwner problem={problem} page="/members" />
        <div className="mt-2 flex flex-wrap justify-end gap-2">
          <button type="button" className="btn btn-ghost" data-autofocus onClick={onClose}>
            Stay owner
          </button>
          <button type="submit" className="btn btn-danger" disabled={isPending}>
            {isPending ? 'Offering…' : 'Offer ownership'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
