import { useState } from 'react'
import { useLocation } from 'wouter'
import { call } from '../../api/client.ts'
import { callbacksQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { CallbackEndpoint } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { date } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { ChangeEndpoint, DeleteEndpoint, RotateSecret } from './endpoint-dialogs.tsx'
import { EndpointState } from './endpoint-state.tsx'

const EVENT_WORDS = {
  'scan.completed': 'results',
  'scan.failed': 'failures',
  'scan.infected': 'infected documents',
} as const

/** What is known about an endpoint, and what can be done with it. */
export function EndpointCard({ endpoint }: { endpoint: CallbackEndpoint }) {
  const { id, url, description, events, publicKey, enabled, createdAt } = endpoint
  const [open, setOpen] = useState<'change' | 'rotate' | 'delete' | null>(null)
  const [, navigate] = useLocation()
  const close = () => setOpen(null)
  const { run, isPending, problem } = useAction(async (isOn: boolean) => {
    await call('PATCH /api/v1/webhooks/{id}', { path: { id }, body: { enabled: isOn } })
    await refresh(callbacksQuery)
  })
  return (
    <Card title={description ?? 'Endpoint'} actions={<EndpointState endpoint={endpoint} />}>
      <div className="px-5 pt-1 pb-5">
        <Facts
          facts={[
            ['URL', url],
            ['Told about', events.map((event) => EVENT_WORDS[event]).join(', ')],
            ['Public key', publicKey],
            ['Added', date(createdAt)],
          ]}
        />
        {problem && (
          <div className="mt-4">
            <ProblemBox problem={problem} what="The endpoint was not changed." />
          </div>
        )}
        <div className="mt-4 flex flex-wrap gap-2">
          <button type="button" className="btn btn-ghost" onClick={() => setOpen('change')}>
            Change
          </button>
          <button type="button" className="btn btn-ghost" disabled={isPending} onClick={() => run(!enabled)}>
            {enabled ? 'Switch off' : 'Switch on'}
          </button>
          <button type="button" className="btn btn-ghost" onClick={() => setOpen('rotate')}>
            New signing secret
          </button>
          <button type="button" className="btn btn-ghost" onClick={() => setOpen('delete')}>
            Delete
          </button>
        </div>
      </div>
      {open === 'change' && <ChangeEndpoint endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && <RotateSecret endpoint={endpoint} onClose={close} />}
      {open === 'delete' && (
        <DeleteEndpoint endpoint={endpoint} onClose={close} onDeleted={() => navigate('/callbacks')} />
      )}
    </Card>
  )
}
