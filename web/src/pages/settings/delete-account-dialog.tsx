/** Says what happens to the data, and asks for the password or another sign-in. */
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { call } from '../../api/client.ts'
import { meQuery } from '../../api/queries.ts'
import { ConfirmOwner } from '../../components/confirm-owner.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { textOf } from '../../form-values.ts'
import { goTo } from '../../go-to.ts'
import { useAction } from '../../hooks/use-action.ts'
import { forgetSignIn } from '../../session.ts'
import { keepTheme } from '../../theme.ts'

const EFFECTS = [
  'All API keys stop working at once.',
  'Your e-mail address, password, passkeys, sessions, keys, allow list and scan reports are erased.',
  'The number of scans stays in the accounts of this service, without any link to you.',
]

export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { data: me } = useQuery(meQuery)
  const { run, isPending, problem } = useAction(async (password: string) => {
    await call('DELETE /api/v1/auth/me', { body: { ...(password !== '' && { password }) } })
    forgetSignIn()
    keepTheme()
    goTo('/?deleted')
    await new Promise(() => {})
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run(textOf(event.currentTarget, 'password'))
  }

  return (
    <Dialog
      isAlert
      title="Delete your account?"
      lead={`This deletes ${me?.email ?? 'your account'} for good.`}
      onClose={onClose}
    >
      <ul className="mt-3 list-disc pl-5 text-sm text-fg-2">
        {EFFECTS.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <form onSubmit={submit} className="mt-5 grid gap-4">
        <ConfirmOwner problem={problem} />
        <div className="mt-2 flex flex-wrap justify-end gap-2">
          <button type="button" className="btn btn-ghost" data-autofocus onClick={onClose}>
            Keep account
          </button>
          <button type="submit" className="btn btn-danger" disabled={isPending}>
            {isPending ? 'Deleting…' : 'Delete account'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
