/** Changes the role of a member, or ends the membership. Both ask what happens to the person's keys. */
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { keysQuery, membersQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { Member } from '../../api/schema.ts'
import { CheckField } from '../../components/check-field.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { type MemberRole, RoleField } from './role-field.tsx'

interface MemberDialogProps {
  member: Member
  onClose: () => void
}

export function RoleDialog({ member: { id, email, role: current }, onClose }: MemberDialogProps) {
  const [role, setRole] = useState(current as MemberRole)
  const [keepKeys, setKeepKeys] = useState(false)
  const { run, isPending, problem } = useAction(async () => {
    await call('PATCH /api/v1/members/{memberId}', { path: { memberId: id }, body: { role, keepKeys } })
    await refresh(membersQuery, keysQuery)
    onClose()
  })
  return (
    <Dialog title="Change the role" lead={`The new role of ${email} applies at once.`} onClose={onClose}>
      <div className="mt-5 grid gap-4">
        {problem && <ProblemBox problem={problem} what="The role was not changed." />}
        <RoleField value={role} onChange={setRole} />
        <CheckField
          label="Keep keys that may do more than the role"
          checked={keepKeys}
          onChange={setKeepKeys}
          hint="Otherwise these keys of the person are revoked, and programs that use them fail."
        />
      </div>
      <div className="mt-6 flex justify-end gap-2">
        <button type="button" className="btn btn-ghost" data-autofocus onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="btn btn-primary"
          disabled={isPending || role === current}
          onClick={() => run(undefined)}
        >
          {isPending ? 'Changing…' : 'Change role'}
        </button>
      </div>
    </Dialog>
  )
}

export function RemoveDialog({ member: { id, email }, onClose }: MemberDialogProps) {
  const [keepKeys, setKeepKeys] = useState(false)
  const { run, isPending, problem } = useAction(async () => {
    await call('DELETE /api/v1/members/{memberId}', { path: { memberId: id }, body: { keepKeys } })
    await refresh(membersQuery, keysQuery)
    onClose()
  })
  return (
    <Dialog
      isAlert
      title="Remove this person?"
      lead={`${email} is signed out of this account at once. Reports stay. Check the callback endpoints if the person was an admin.`}
      onClose={onClose}
    >
      <div className="mt-5 grid gap-4">
        {problem && <ProblemBox problem={problem} what="The person was not removed." />}
        <CheckField
          label="Keep the person’s API keys"
          checked={keepKeys}
          onChange={setKeepKeys}
          hint="The person may still know them. Otherwise they are revoked, and programs that use them fail."
        />
      </div>
      <div className="mt-6 flex justify-end gap-2">
        <button type="button" className="btn btn-ghost" data-autofocus onClick={onClose}>
          Keep person
        </button>
        <button type="button" className="btn btn-danger" disabled={isPending} onClick={() => run(undefined)}>
          {isPending ? 'Removing…' : 'Remove'}
        </button>
      </div>
    </Dialog>
  )
}
