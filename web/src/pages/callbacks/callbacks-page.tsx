/** Servers of the account that are called when a scan has ended. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { toProblem } from '../../api/problem.ts'
import { callbacksQuery } from '../../api/queries.ts'
import type { CallbackEndpoint } from '../../api/schema.ts'
import { Empty } from '../../components/empty.tsx'
import { Plus, Webhook } from '../../components/icons.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Time } from '../../components/time.tsx'
import { AlertsCard } from './alerts-card.tsx'
import { CreateEndpoint } from './endpoint-dialogs.tsx'
import { EndpointState } from './endpoint-state.tsx'

export default function CallbacksPage() {
  const endpoints = useQuery(callbacksQuery)
  const items = endpoints.data?.items
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <PageHead
        title="Callbacks"
        lead="Your own servers, which are called when a scan that nobody waited for has ended."
      >
        <button type="button" className="btn btn-primary" onClick={() => setCreating(true)}>
          <Plus size={15} aria-hidden />
          Add endpoint
        </button>
      </PageHead>
      <section className="card overflow-hidden" aria-label="Your endpoints">
        {endpoints.isPending && <Skeleton className="m-5 h-40" />}
        {endpoints.isError && (
          <div className="p-5">
            <ProblemBox
              problem={toProblem(endpoints.error)}
              what="The endpoints could not be loaded."
              retry={() => endpoints.refetch()}
            />
          </div>
        )}
        {items?.length === 0 && (
          <Empty icon={Webhook} title="No endpoints yet">
            Add the URL of your server. It receives a signed request when a scan with the header{' '}
            <code className="font-mono text-xs">Prefer: respond-async</code> has ended, repeated until it answers.
          </Empty>
        )}
        {items && items.length > 0 && (
          <ul className="divide-y divide-line">
            {items.map((endpoint) => (
              <EndpointRow key={endpoint.id} endpoint={endpoint} />
            ))}
          </ul>
        )}
      </section>
      <div className="mt-4">
        <AlertsCard />
      </div>
      <p className="mt-4 text-sm text-fg-2">
        <a className="link" href="/docs">
          The API reference
        </a>{' '}
        has the same actions for programs. Libraries of Standard Webhooks verify the signatures.
      </p>
      {isCreating && <CreateEndpoint onClose={() => setCreating(false)} />}
    </>
  )
}

function EndpointRow({ endpoint }: { endpoint: CallbackEndpoint }) {
  const { id, url, description, createdAt } = endpoint
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3 text-sm">
      <div className="min-w-0 grow basis-64">
        <p className="font-medium wrap-anywhere">
          <Link href={`/callbacks/${id}`} className="link">
            {description ?? url}
          </Link>
        </p>
        {description !== null && <p className="font-mono text-xs wrap-anywhere text-fg-2">{url}</p>}
        <p className="text-fg-2">
          Added <Time iso={createdAt} as="date" />
        </p>
      </div>
      <EndpointState endpoint={endpoint} />
    </li>
  )
}
