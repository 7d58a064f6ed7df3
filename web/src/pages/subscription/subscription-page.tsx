/** The plan of the account, and its purchases in the marketplace. */
import { useQuery } from '@tanstack/react-query'
import { Redirect } from 'wouter'
import { toProblem } from '../../api/problem.ts'
import { purchasesQuery, subscriptionQuery, usageQuery } from '../../api/queries.ts'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useSettings } from '../../settings.ts'
import { PlanCard } from './plan-card.tsx'
import { PurchasesCard } from './purchases-card.tsx'

export default function SubscriptionPage() {
  const marketplace = useSettings()?.marketplace
  const usage = useQuery(usageQuery)
  const live = useQuery({ ...subscriptionQuery, staleTime: 0 })
  const purchases = useQuery(purchasesQuery)
  const queries = [usage, live, purchases]
  const failed = queries.find(({ isError }) => isError)
  // As in the menu: where nothing can be bought, this says what the plan allows.
  if (marketplace === 'off' && live.data === null && purchases.data?.items.length === 0)
    return <Redirect to="/plans" replace />
  return (
    <div className="max-w-[720px]">
      <PageHead
        title="Subscription"
        lead={
          marketplace === 'off'
            ? 'What you bought earlier.'
            : 'Plans are bought, changed and cancelled in the marketplace.'
        }
      />
      <div className="grid grid-cols-1 gap-4">
        {failed?.error && (
          <ProblemBox
            problem={toProblem(failed.error)}
            what="The subscription could not be loaded."
            retry={() => Promise.all(queries.map((query) => query.refetch()))}
          />
        )}
        {!failed && (usage.isPending || live.isPending || purchases.isPending) && (
          <Skeleton className="h-[220px] rounded-lg" />
        )}
        {usage.data && live.data !== undefined && <PlanCard usage={usage.data} subscription={live.data} />}
        {purchases.data && purchases.data.items.length > 0 && <PurchasesCard purchases={purchases.data.items} />}
      </div>
    </div>
  )
}
