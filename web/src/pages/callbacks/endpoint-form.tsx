import { type FormEvent, useState } from 'react'
import type { ApiProblem } from '../../api/problem.ts'
import type { CallbackEndpoint, ScanEvent } from '../../api/schema.ts'
import { CheckField } from '../../components/check-field.tsx'
import { FormProblem } from '../../components/form-problem.tsx'
import { TextField } from '../../components/text-field.tsx'
import { textOf } from '../../form-values.ts'

const DESCRIPTION_LENGTH_MAX = 200
const URL_LENGTH_MAX = 4_096

const EVENTS: readonly [ScanEvent, string, string][] = [
  ['scan.completed', 'A scan has a result', 'Clean, infected, or refused with the reason.'],
  ['scan.failed', 'A scan has failed', 'Nothing is known about the document; send it again.'],
  ['scan.infected', 'A document is infected', 'An alert for every one, also of scans that were answered at once.'],
]

export interface EndpointInput {
  /** Empty: as before. */
  url: string
  description: string
  events: readonly ScanEvent[]
}

interface EndpointFormProps {
  /** Given if it is changed. */
  endpoint?: CallbackEndpoint
  problem: ApiProblem | null
  isPending: boolean
  button: string
  onSubmit: (input: EndpointInput) => void
  onCancel: () => void
}

export function EndpointForm({ endpoint, problem, isPending, button, onSubmit, onCancel }: EndpointFormProps) {
  const [events, setEvents] = useState<readonly ScanEvent[]>(endpoint?.events ?? ['scan.completed', 'scan.failed'])
  const toggle = (name: ScanEvent, isChosen: boolean) =>
    setEvents((chosen) => (isChosen ? [...chosen, name] : chosen.filter((each) => each !== name)))

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    onSubmit({ url: textOf(form, 'url').trim(), description: textOf(form, 'description'), events })
  }

  return (
    <form onSubmit={submit} className="mt-5 grid gap-4">
      {problem && <FormProblem problem={problem} fields={['url', 'description']} />}
      <TextField
        label={endpoint ? 'New URL' : 'URL'}
        name="url"
        type="url"
        required={!endpoint}
        maxLength={URL_LENGTH_MAX}
        placeholder={endpoint?.url ?? 'https://'}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        hint={
          endpoint
            ? 'Leave it empty to keep the URL. Its query is never shown.'
            : 'An https address on the public internet. Redirects are not followed.'
        }
        error={problem?.fieldError('url')}
      />
      <TextField
        label="Description"
        name="description"
        maxLength={DESCRIPTION_LENGTH_MAX}
        defaultValue={endpoint?.description ?? ''}
        autoComplete="off"
        hint="For your own use."
        error={problem?.fieldError('description')}
      />
      <fieldset className="grid gap-3">
        <legend className="mb-2 text-sm font-medium">Call it when</legend>
        {EVENTS.map(([name, label, hint]) => (
          <CheckField
            key={name}
            label={label}
            hint={hint}
            checked={events.includes(name)}
            onChange={(isChosen) => toggle(name, isChosen)}
          />
        ))}
        {events.length === 0 && (
          <p role="alert" className="text-sm text-bad">
            Choose at least one.
          </p>
        )}
      </fieldset>
      <div className="mt-2 flex justify-end gap-2">
        <button type="button" className="btn btn-ghost" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="btn btn-primary" disabled={isPending || events.length === 0}>
          {isPending ? 'Saving…' : button}
        </button>
      </div>
    </form>
  )
}
