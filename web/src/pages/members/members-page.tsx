import { useState } from 'react'
import { Plus } from '../../components/icons.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { InvitationsCard } from './invitations-card.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MembersCard } from './members-card.tsx'

export default function MembersPage() {
  const [isInviting, setInviting] = useState(false)
  return (
    <div className="max-w-[820px]">
      <PageHead title="Members" lead="People who work in this account, each with a sign-in of their own.">
        <button type="button" className="btn btn-primary" onClick={() => setInviting(true)}>
          <Plus size={15} aria-hidden />
          Invite
        </button>
      </PageHead>
      <div className="grid grid-cols-1 gap-4">
        <MembersCard />
        <InvitationsCard />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </div>
  )
}
