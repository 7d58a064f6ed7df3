/** Accounts whose ownership is offered to the person. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { accountsQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { AccountChoice } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { ConfirmOwner } from '../../components/confirm-owner.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { textOf } from '../../form-values.ts'
import { date } from '../../format.ts'
import { goTo } from '../../go-to.ts'
import { useAction } from '../../hooks/use-action.ts'

const EFFECTS = [
  'You are responsible for its plan, its members and everything in it.',
  'It takes the place of your own account, which must be empty and is deleted.',
  'The former owner stays in it as an admin. You can remove every member.',
]

export function OwnershipCards() {
  const { data: accounts } = useQuery(accountsQuery)
  return accounts?.items.map((account) =>
    account.offerExpiresAt === undefined ? null : (
      <OwnershipCard key={account.accountId} account={account} until={account.offerExpiresAt} />
    ),
  )
}

function OwnershipCard({ account, until }: { account: AccountChoice; until: string }) {
  const { accountId, email } = account
  const [isAccepting, setAccepting] = useState(false)
  const { run, isPending, problem } = useAction(async () => {
    await call('DELETE /api/v1/auth/act/{accountId}/transfer', { path: { accountId } })
    await refresh(accountsQuery)
  })
  return (
    <Card
      title="Ownership of an account"
      lead={`${email} offers you the ownership of the account until ${date(until)}.`}
    >
      <div className="grid gap-3 px-5 pt-3 pb-5">
        {problem && <ProblemBox problem={problem} what="The offer was not declined." />}
        <div className="flex flex-wrap gap-2">
          <button type="button" className="btn btn-ghost" onClick={() => setAccepting(true)}>
            Accept…<span className="sr-only"> the account of {email}</span>
          </button>
          <button type="button" className="btn btn-ghost" disabled={isPending} onClick={() => run(undefined)}>
            Decline<span className="sr-only"> the account of {email}</span>
          </button>
        </div>
      </div>
      {isAccepting && <AcceptDialog account={account} onClose={() => setAccepting(false)} />}
    </Card>
  )
}

function AcceptDialog({ account: { accountId, email }, onClose }: { account: AccountChoice; onClose: () => void }) {
  const { run, isPending, problem } = useAction(async (password: string) => {
    const body = { ...(password !== '' && { password }) }
    await call('POST /api/v1/auth/act/{accountId}/transfer', { path: { accountId }, body })
    goTo('/')
    await new Promise(() => {})
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run(textOf(event.currentTarget, 'password'))
  }

  return (
    <Dialog isAlert title="Become the owner?" lead={`You take over the account of ${email}.`} onClose={onClose}>
      <ul className="mt-3 list-disc pl-5 text-sm text-fg-2">
        {EFFECTS.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <form onSubmit={submit} className="mt-5 grid gap-4">
        <ConfirmOwner problem={problem} />
        <div className="mt-2 flex flex-wrap justify-end gap-2">
          <button type="button" className="btn btn-ghost" data-autofocus onClick={onClose}>
            Not now
          </button>
          <button type="submit" className="btn btn-primary" disabled={isPending}>
            {isPending ? 'Accepting…' : 'Become owner'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
