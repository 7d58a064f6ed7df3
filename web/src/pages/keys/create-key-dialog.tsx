/** Names a new key, then shows it once. */
import type { FormEvent } from 'react'
import { call } from '../../api/client.ts'
import { keysQuery, usageQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import { Dialog } from '../../components/dialog.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'
import { useAction } from '../../hooks/use-action.ts'

const NAME_LENGTH_MAX = 100

export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { run, isPending, problem, result } = useAction(async (name: string) => {
    const created = await call('POST /api/v1/keys', { body: { name } })
    // Not awaited: the key must be shown even if the list cannot be read.
    refresh(keysQuery, usageQuery)
    return created
  })
  if (result)
    return <ShownOnce noun="key" value={result.apiKey} remedy="If you lose it, create a new one." onClose={onClose} />

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    run(textOf(event.currentTarget, 'name'))
  }

  return (
    <Dialog
      title="Create an API key"
      lead="Name it after the place where it will run, for example “Invoice upload”."
      onClose={onClose}
    >
      <form onSubmit={submit} className="mt-5 grid gap-4">
        {problem && <FormProblem problem={problem} fields={['name']} />}
        <TextField
          label="Name"
          name="name"
          required
          maxLength={NAME_LENGTH_MAX}
          autoComplete="off"
          data-autofocus
          error={problem?.fieldError('name')}
        />
        <div className="mt-2 flex justify-end gap-2">
          <button type="button" className="btn btn-ghost" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="btn btn-primary" disabled={isPending}>
            {isPending ? 'Creating…' : 'Create key'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
