import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { deliveriesQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { CallbackEndpoint } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { Empty } from '../../components/empty.tsx'
import { Inbox } from '../../components/icons.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { DeliveryRow } from './delivery-row.tsx'

/** The callbacks of an endpoint, newest first, and a way to send one now. */
export function DeliveriesCard({ endpoint: { id, enabled } }: { endpoint: CallbackEndpoint }) {
  const deliveries = useQuery(deliveriesQuery(id))
  const items = deliveries.data?.items
  const test = useAction(async () => {
    await call('POST /api/v1/webhooks/{id}/test', { path: { id } })
    await refresh(deliveriesQuery(id))
  })
  return (
    <Card
      title="Deliveries"
      lead="The last 100 of the last 7 days. A callback that fails is repeated for more than a day."
      className="overflow-hidden"
      actions={
        <button
          type="button"
          className="btn btn-ghost"
          disabled={!enabled || test.isPending}
          onClick={() => test.run(undefined)}
        >
          {test.isPending ? 'Sending…' : 'Send test'}
        </button>
      }
    >
      <div className="mt-4 border-t border-line">
        {test.problem && (
          <div className="p-5">
            <ProblemBox problem={test.problem} what="No test was sent." />
          </div>
        )}
        {deliveries.isPending && <Skeleton className="m-5 h-40" />}
        {deliveries.isError && (
          <div className="p-5">
            <ProblemBox
              problem={toProblem(deliveries.error)}
              what="The deliveries could not be loaded."
              retry={() => deliveries.refetch()}
            />
          </div>
        )}
        {items?.length === 0 && (
          <Empty icon={Inbox} title="No deliveries yet">
            Send a test to see whether your server answers.
          </Empty>
        )}
        {items && items.length > 0 && (
          <ul className="divide-y divide-line">
            {items.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} endpointId={id} />
            ))}
          </ul>
        )}
      </div>
      <p role="status" className="sr-only">
        {items && `Number of deliveries listed: ${items.length}`}
      </p>
    </Card>
  )
}
