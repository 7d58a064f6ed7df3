/** Everything that was bought, newest first, and what the marketplace can do with it. */

import { refresh } from '../../api/query-client.ts'
import { Card } from '../../components/card.tsx'
import { Empty } from '../../components/empty.tsx'
import { ShoppingBag } from '../../components/icons.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { PurchaseRow } from './purchase-row.tsx'
import { type Performed, type Plan, type Purchase, perform, type Step, shopQuery } from './sandbox-api.ts'

function resultOf({ action, status, webhookStatus }: Performed): string {
  const answer = webhookStatus === 0 ? 'The webhook did not respond.' : `The webhook responded with ${webhookStatus}.`
  return `${action}: ${status}. ${answer}`
}

interface PurchaseListProps {
  purchases: readonly Purchase[]
  plans: readonly Plan[]
}

export function PurchaseList({ purchases, plans }: PurchaseListProps) {
  const step = useAction(async ({ id, action, planId }: Step) => {
    try {
      return await perform(id, action, planId)
    } finally {
      await refresh(shopQuery)
    }
  })
  return (
    <Card title="Purchases" lead="Each action notifies the webhook of this service.">
      <p role="status" className="min-h-5 px-5 pt-1 text-sm text-fg-2">
        {step.result && resultOf(step.result)}
      </p>
      {step.problem && (
        <div className="px-5 pb-2">
          <ProblemBox problem={step.problem} what="The action failed." />
        </div>
      )}
      {purchases.length === 0 ? (
        <Empty icon={ShoppingBag} title="No purchases yet">
          Buy a plan above; it is free.
        </Empty>
      ) : (
        <ul className="divide-y divide-line">
          {purchases.map((purchase) => (
            <PurchaseRow
              key={purchase.id}
              purchase={purchase}
              plans={plans}
              isBusy={step.isPending}
              onStep={(next) => step.run(next)}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}
