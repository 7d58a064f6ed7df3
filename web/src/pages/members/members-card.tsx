/** The owner and the members of the account. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { membersQuery, meQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { Member } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { capitalized, date } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { useMay } from '../../role.tsx'
import { RemoveDialog, RoleDialog } from './member-dialogs.tsx'
import { TransferDialog } from './transfer-dialog.tsx'

export function MembersCard() {
  const members = useQuery(membersQuery)
  const { data: me } = useQuery(meQuery)
  const [changing, setChanging] = useState<Member | null>(null)
  const [removing, setRemoving] = useState<Member | null>(null)
  const [rising, setRising] = useState<Member | null>(null)
  const isOwner = useMay()('owner')
  return (
    <Card title="People">
      <div className="px-5 pt-2 pb-4">
        {members.isPending && <Skeleton className="h-14" />}
        {members.isError && (
          <ProblemBox
            problem={toProblem(members.error)}
            what="The members could not be loaded."
            retry={() => members.refetch()}
          />
        )}
        <ul className="divide-y divide-line">
          {members.data?.items.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              isSelf={member.email === me?.email}
              onChange={() => setChanging(member)}
              onRemove={() => setRemoving(member)}
              {...(isOwner && { onTransfer: () => setRising(member) })}
            />
          ))}
        </ul>
      </div>
      {changing && <RoleDialog member={changing} onClose={() => setChanging(null)} />}
      {removing && <RemoveDialog member={removing} onClose={() => setRemoving(null)} />}
      {rising && <TransferDialog member={rising} onClose={() => setRising(null)} />}
    </Card>
  )
}

interface MemberRowProps {
  member: Member
  isSelf: boolean
  onChange: () => void
  onRemove: () => void
  /** Only for the owner. */
  onTransfer?: () => void
}

function MemberRow({ member, isSelf, onChange, onRemove, onTransfer }: MemberRowProps) {
  const { email, role, createdAt, offerExpiresAt } = member
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 py-2 text-sm">
      <div className="min-w-0 grow basis-48">
        <p className="truncate font-medium" title={email}>
          {email}
          {isSelf && <span className="font-normal text-fg-2"> (you)</span>}
        </p>
        <p className="text-xs text-fg-2">
          {role === 'owner' ? 'Account created' : 'Joined'} {date(createdAt)}
          {offerExpiresAt !== undefined && ` · ownership offered until ${date(offerExpiresAt)}`}
        </p>
      </div>
      <span className="pill shrink-0 bg-sunken text-fg-2">{capitalized(role)}</span>
      {role !== 'owner' && !isSelf && (
        <div className="flex flex-wrap gap-2">
          {onTransfer && offerExpiresAt === undefined && (
            <button type="button" className="btn btn-ghost h-8" onClick={onTransfer}>
              Offer ownership<span className="sr-only"> to {email}</span>
            </button>
          )}
          {onTransfer && offerExpiresAt !== undefined && <WithdrawButton member={member} />}
          <button type="button" className="btn btn-ghost h-8" onClick={onChange}>
            Change role<span className="sr-only"> of {email}</span>
          </button>
          <button type="button" className="btn btn-ghost h-8" onClick={onRemove}>
            Remove<span className="sr-only"> {email}</span>
          </button>
        </div>
      )}
    </li>
  )
}

function WithdrawButton({ member: { id, email } }: { member: Member }) {
  const { run, isPending, problem } = useAction(async () => {
    await call('DELETE /api/v1/members/{memberId}/transfer', { path: { memberId: id } })
    await refresh(membersQuery)
  })
  return (
    <>
      {problem && <ProblemBox problem={problem} what="The offer was not withdrawn." />}
      <button type="button" className="btn btn-ghost h-8" disabled={isPending} onClick={() => run(undefined)}>
        Withdraw offer<span className="sr-only"> to {email}</span>
      </button>
    </>
  )
}
