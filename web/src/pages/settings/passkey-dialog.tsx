/** Asks before a change of the passkeys, and shows new recovery codes once. */
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { identitiesQuery, passkeysQuery, sessionsQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { PasskeyView } from '../../api/schema.ts'
import { ConfirmOwner } from '../../components/confirm-owner.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { useAction } from '../../hooks/use-action.ts'
import { addPasskey } from '../../passkeys.ts'
import { browserName } from './browser-name.ts'

export type PasskeyTask = { kind: 'add' | 'only' | 'any' } | { kind: 'rename' | 'remove'; passkey: PasskeyView }

const NAME_LENGTH_MAX = 60

const TEXTS = {
  add: {
    title: 'Add a passkey?',
    lead: 'Your browser asks you to unlock this device, or another one. A mail tells you about it.',
    button: 'Add passkey',
  },
  only: {
    title: 'Let only passkeys sign in?',
    lead: 'Passwords, mailed links and providers stop working for this account, and all other sessions end. You get ten recovery codes for the case that you lose your passkeys. Earlier codes stop working.',
    button: 'Show recovery codes',
  },
  any: {
    title: 'Allow other ways again?',
    lead: 'Your password and your providers sign in again, and the recovery codes stop working.',
    button: 'Allow other ways',
  },
  rename: { title: 'Rename this passkey', lead: 'The name is only for this list.', button: 'Rename' },
  remove: {
    title: 'Remove this passkey?',
    lead: 'It no longer signs in to this account, and all other sessions end. Delete it on the device as well.',
    button: 'Remove passkey',
  },
} as const

async function perform(task: PasskeyTask, name: string, password: string): Promise<readonly string[]> {
  const proof = { ...(password !== '' && { password }) }
  if (task.kind === 'add') await addPasskey(name, password)
  else if (task.kind === 'rename')
    await call('PATCH /api/v1/auth/passkeys/items/{passkeyId}', {
      path: { passkeyId: task.passkey.id },
      body: { name },
    })
  else if (task.kind === 'remove')
    await call('DELETE /api/v1/auth/passkeys/items/{passkeyId}', { path: { passkeyId: task.passkey.id }, body: proof })
  else {
    const body = { only: task.kind === 'only', ...proof }
    return (await call('POST /api/v1/auth/passkeys/only', { body })).recoveryCodes
  }
  return []
}

export function PasskeyDialog({ task, onClose }: { task: PasskeyTask; onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>([])
  const { title, lead, button } = TEXTS[task.kind]
  const { run, isPending, problem } = useAction(async ({ name, password }: { name: string; password: string }) => {
    const shown = await perform(task, name, password)
    await refresh(passkeysQuery, identitiesQuery, sessionsQuery)
    if (shown.length === 0) onClose()
    else setCodes(shown)
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run({ name: textOf(event.currentTarget, 'name'), password: textOf(event.currentTarget, 'password') })
  }

  if (codes.length > 0) return <Codes codes={codes} onClose={onClose} />
  return (
    <Dialog title={title} lead={lead} onClose={onClose}>
      <form onSubmit={submit} className="mt-5 grid gap-4">
        {(task.kind === 'add' || task.kind === 'rename') && (
          <TextField
            label="Name"
            name="name"
            autoComplete="off"
            required
            maxLength={NAME_LENGTH_MAX}
            defaultValue={
              task.kind === 'rename' ? task.passkey.name : browserName(navigator.userAgent).slice(0, NAME_LENGTH_MAX)
            }
            hint="So that you recognise it in the list."
          />
        )}
        {task.kind === 'rename' ? problem && <FormProblem problem={problem} /> : <ConfirmOwner problem={problem} />}
        <div className="mt-2 flex flex-wrap justify-end gap-2">
          <button type="button" className="btn btn-ghost" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className={`btn ${task.kind === 'remove' ? 'btn-danger' : 'btn-primary'}`}
            disabled={isPending}
          >
            {isPending ? 'Please wait…' : button}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The only moment at which they can be seen. */
function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      isSticky
      title="Save your recovery codes now"
      lead="They are shown only once. Each signs in once if you lose all passkeys. Without them, nobody can let you in again."
      onClose={onClose}
    >
      <ol className="mt-5 grid gap-1 rounded-md border border-line-strong bg-sunken px-3 py-2 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ol>
      <div className="mt-6 flex flex-wrap items-center justify-end gap-2">
        <CopyButton value={codes.join('\n')} label="Copy recovery codes" className="btn-icon" />
        <button type="button" className="btn btn-primary" onClick={onClose}>
          I have saved them
        </button>
      </div>
    </Dialog>
  )
}
