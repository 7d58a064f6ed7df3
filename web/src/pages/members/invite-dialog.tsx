/** Invites a person by mail. */
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/client.ts'
import { invitationsQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { InviteRequest } from '../../api/schema.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { useAction } from '../../hooks/use-action.ts'
import { type MemberRole, RoleField } from './role-field.tsx'

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [role, setRole] = useState<MemberRole>('member')
  const { run, isPending, problem } = useAction(async (body: InviteRequest) => {
    await call('POST /api/v1/invitations', { body })
    await refresh(invitationsQuery)
    onClose()
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run({ email: textOf(event.currentTarget, 'email'), role })
  }

  return (
    <Dialog
      title="Invite a person"
      lead="A link is mailed to this address. It works once, for 7 days, and only for this person."
      onClose={onClose}
    >
      <form onSubmit={submit} className="mt-5 grid gap-4">
        {problem && <FormProblem problem={problem} fields={['email']} />}
        {problem?.code === 'email_unverified' && (
          <Link href="/forgot-password" className="link inline-flex min-h-6 items-center text-sm">
            Prove my address with a link
          </Link>
        )}
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="off"
          required
          data-autofocus
          error={problem?.fieldError('email')}
        />
        <RoleField value={role} onChange={setRole} />
        <div className="mt-2 flex justify-end gap-2">
          <button type="button" className="btn btn-ghost" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn btn-primary" disabled={isPending}>
            {isPending ? 'Sending…' : 'Send invitation'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
