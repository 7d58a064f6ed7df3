/** Names a new key and limits it, then shows it once. */
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { keysQuery, usageQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { useAction } from '../../hooks/use-action.ts'
import { LifetimeField, type Scope, ScopeFields } from './key-limits-fields.tsx'

const NAME_LENGTH_MAX = 100
const DAY_MS = 24 * 60 * 60 * 1_000

interface NewKey {
  name: string
  scopes: Scope[]
  expiresAt?: string
  allowedAddresses?: string[]
}

const wordsOf = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '')

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const [scopes, setScopes] = useState<Scope[]>(['scan'])
  const [days, setDays] = useState('')
  const { run, isPending, problem, result } = useAction(async (body: NewKey) => {
    const created = await call('POST /api/v1/keys', { body })
    // Not awaited: the key must be shown even if the list cannot be read.
    refresh(keysQuery, usageQuery)
    return created
  })
  if (result)
    return <ShownOnce noun="key" value={result.apiKey} remedy="If you lose it, create a new one." onClose={onClose} />

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const addresses = wordsOf(textOf(event.currentTarget, 'addresses'))
    run({
      name: textOf(event.currentTarget, 'name'),
      scopes,
      ...(days !== '' && { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
      ...(addresses.length > 0 && { allowedAddresses: addresses }),
    })
  }

  const addressError = problem?.errors.some(({ field }) => field.startsWith('allowedAddresses'))
    ? 'Each must be an IP address, or a network such as 192.0.2.0/24. Up to 20.'
    : undefined
  return (
    <Dialog
      title="Create an API key"
      lead="Name it after the place where it will run, for example “Invoice upload”."
      onClose={onClose}
    >
      <form onSubmit={submit} className="mt-5 grid gap-4">
        {problem && addressError === undefined && <FormProblem problem={problem} fields={['name']} />}
        <TextField
          label="Name"
          name="name"
          required
          maxLength={NAME_LENGTH_MAX}
          autoComplete="off"
          data-autofocus
          error={problem?.fieldError('name')}
        />
        <ScopeFields scopes={scopes} onChange={setScopes} />
        <LifetimeField value={days} onChange={setDays} />
        <TextField
          label="Allowed addresses"
          name="addresses"
          autoComplete="off"
          placeholder="192.0.2.0/24"
          hint="Optional. With them, the key is accepted from these networks only."
          error={addressError}
        />
        <div className="mt-2 flex justify-end gap-2">
          <button type="button" className="btn btn-ghost" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn btn-primary" disabled={isPending || scopes.length === 0}>
            {isPending ? 'Creating…' : 'Create key'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
