/** What can be done with an endpoint and needs a decision, an input, or a secret that is shown once. */
import { call } from '../../api/client.ts'
import { callbacksQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { CallbackEndpoint } from '../../api/schema.ts'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { EndpointForm, type EndpointInput } from './endpoint-form.tsx'

const Secret = ({ value, onClose }: { value: string; onClose: () => void }) => (
  <ShownOnce
    noun="signing secret"
    value={value}
    remedy="Your server verifies callbacks with it. If you lose it, make a new one."
    onClose={onClose}
  />
)

export function CreateEndpoint({ onClose }: { onClose: () => void }) {
  const { run, isPending, problem, result } = useAction(async ({ url, description, events }: EndpointInput) => {
    const body = { url, events, ...(description !== '' && { description }) }
    const created = await call('POST /api/v1/webhooks', { body })
    // Not awaited: the secret must be shown even if the list cannot be read.
    refresh(callbacksQuery)
    return created
  })
  if (result) return <Secret value={result.secret} onClose={onClose} />
  return (
    <Dialog title="Add an endpoint" lead="A server of yours that accepts POST requests." onClose={onClose}>
      <EndpointForm {...{ problem, isPending }} button="Add endpoint" onSubmit={run} onCancel={onClose} />
    </Dialog>
  )
}

interface EndpointDialogProps {
  endpoint: CallbackEndpoint
  onClose: () => void
}

export function ChangeEndpoint({ endpoint, onClose }: EndpointDialogProps) {
  const { id } = endpoint
  const { run, isPending, problem } = useAction(async ({ url, ...rest }: EndpointInput) => {
    await call('PATCH /api/v1/webhooks/{id}', { path: { id }, body: { ...rest, ...(url !== '' && { url }) } })
    await refresh(callbacksQuery)
    onClose()
  })
  return (
    <Dialog title="Change this endpoint" onClose={onClose}>
      <EndpointForm {...{ endpoint, problem, isPending }} button="Save" onSubmit={run} onCancel={onClose} />
    </Dialog>
  )
}

export function RotateSecret({ endpoint: { id }, onClose }: EndpointDialogProps) {
  const { run, isPending, problem, result } = useAction(async () => {
    const rotated = await call('POST /api/v1/webhooks/{id}/rotate', { path: { id } })
    refresh(callbacksQuery)
    return rotated
  })
  if (result) return <Secret value={result.secret} onClose={onClose} />
  return (
    <Decision
      title="Make a new signing secret?"
      lead="For 24 hours, callbacks carry signatures of the old secret and of the new one. Give your server the new one in that time."
      failed="The secret was not changed."
      keep="Keep the secret"
      button={isPending ? 'Making it…' : 'Make a new secret'}
      look="btn-primary"
      {...{ isPending, problem, onClose }}
      onDecide={() => run(undefined)}
    />
  )
}

export function DeleteEndpoint({ endpoint, onClose, onDeleted }: EndpointDialogProps & { onDeleted: () => void }) {
  const { id, url } = endpoint
  const { run, isPending, problem } = useAction(async () => {
    await call('DELETE /api/v1/webhooks/{id}', { path: { id } })
    onDeleted()
    await refresh(callbacksQuery)
  })
  return (
    <Decision
      title="Delete this endpoint?"
      lead={`${url} is not called any more, and its deliveries are deleted. This cannot be undone.`}
      failed="The endpoint was not deleted."
      keep="Keep endpoint"
      button={isPending ? 'Deleting…' : 'Delete endpoint'}
      look="btn-danger"
      {...{ isPending, problem, onClose }}
      onDecide={() => run(undefined)}
    />
  )
}

interface DecisionProps {
  title: string
  lead: string
  failed: string
  keep: string
  button: string
  look: 'btn-primary' | 'btn-danger'
  isPending: boolean
  problem: Parameters<typeof ProblemBox>[0]['problem'] | null
  onDecide: () => void
  onClose: () => void
}

function Decision(props: DecisionProps) {
  const { title, lead, failed, keep, button, look, isPending, problem, onDecide, onClose } = props
  return (
    <Dialog isAlert title={title} lead={lead} onClose={onClose}>
      {problem && (
        <div className="mt-4">
          <ProblemBox problem={problem} what={failed} />
        </div>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <button type="button" className="btn btn-ghost" data-autofocus onClick={onClose}>
          {keep}
        </button>
        <button type="button" className={`btn ${look}`} disabled={isPending} onClick={onDecide}>
          {button}
        </button>
      </div>
    </Dialog>
  )
}
