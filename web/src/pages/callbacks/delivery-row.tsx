import { call } from '../../api/client.ts'
import { deliveriesQuery } from '../../api/queries.ts'
import { refresh } from '../../api/query-client.ts'
import type { Delivery } from '../../api/schema.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { ChevronRight } from '../../components/icons.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Time } from '../../components/time.tsx'
import { useAction } from '../../hooks/use-action.ts'

const STATES = {
  waiting: ['Waiting', 'bg-sunken text-fg-2'],
  delivered: ['Delivered', 'bg-sunken text-fg-2'],
  failed: ['Failed', 'bg-bad-soft text-bad'],
} as const

/** As text that people read; the body itself has no line breaks. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

function outcomeOf({ status, durationMs, error, attempts }: Delivery): string {
  if (attempts === 0) return 'Not attempted yet'
  const times = attempts === 1 ? 'Attempted once' : `Attempted ${attempts} times`
  const answer = status === null ? 'no answer' : `status ${status}`
  const why = error === null || error === answer ? '' : `, ${error}`
  return `${times}: ${answer}${why}${durationMs === null ? '' : ` after ${durationMs} ms`}`
}

interface DeliveryRowProps {
  delivery: Delivery
  endpointId: string
}

export function DeliveryRow({ delivery, endpointId }: DeliveryRowProps) {
  const { id: deliveryId, event, state, createdAt, body } = delivery
  const [word, look] = STATES[state]
  const { run, isPending, problem } = useAction(async () => {
    await call('POST /api/v1/deliveries/{deliveryId}/retry', { path: { deliveryId } })
    await refresh(deliveriesQuery(endpointId))
  })
  return (
    <li>
      <details className="group">
        <summary className="flex list-none flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 text-sm -outline-offset-2 hover:bg-sunken">
          <ChevronRight
            size={16}
            className="shrink-0 text-fg-2 transition-transform group-open:rotate-90"
            aria-hidden
          />
          <span className={`pill ${look} group-hover:outline-line-strong`}>{word}</span>
          <span className="font-medium">{event}</span>
          <span className="text-fg-2">
            <Time iso={createdAt} />
          </span>
        </summary>
        <div className="grid grid-cols-1 gap-3 border-t border-line px-5 py-4">
          <div className="flex flex-wrap items-center justify-between gap-2 text-sm">
            <p className="min-w-0 wrap-anywhere text-fg-2">{outcomeOf(delivery)}</p>
            {state !== 'waiting' && (
              <button type="button" className="btn btn-ghost h-8" disabled={isPending} onClick={() => run(undefined)}>
                {isPending ? 'Sending…' : 'Send again'}
              </button>
            )}
          </div>
          {problem && <ProblemBox problem={problem} what="It was not sent again." />}
          <CodeBlock code={readable(body)} label={`Body of ${event}`} />
          <p className="text-xs text-fg-2">
            <code className="font-mono wrap-anywhere">webhook-id: {deliveryId}</code>
          </p>
        </div>
      </details>
    </li>
  )
}
