import { Card } from '../../components/card.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { capitalized } from '../../format.ts'
import { goTo } from '../../go-to.ts'
import { useAction } from '../../hooks/use-action.ts'
import { buy, type Plan } from './sandbox-api.ts'

/** The plans on offer. Buying one leads to the landing page, as in the real marketplace. */
export function PlanList({ plans }: { plans: readonly Plan[] }) {
  const { run, isPending, problem } = useAction(async (plan: Plan) => goTo(await buy(plan)))
  return (
    <Card title="Buy a plan" lead="Opens the landing page, where you confirm the purchase.">
      <ul className="mt-3 grid gap-3 px-5 pb-5 sm:grid-cols-2 lg:grid-cols-4">
        {plans.map((plan) => (
          <li key={`${plan.offerId}/${plan.planId}`} className="rounded-md border border-line p-4">
            <p className="text-lg font-semibold">{capitalized(plan.planId)}</p>
            <p className="text-sm text-fg-2">Offer {plan.offerId}</p>
            <button
              type="button"
              className="btn btn-primary mt-4 w-full"
              disabled={isPending}
              onClick={() => run(plan)}
            >
              Buy<span className="sr-only"> {plan.planId}</span>
            </button>
          </li>
        ))}
      </ul>
      {problem && (
        <div className="px-5 pb-5">
          <ProblemBox problem={problem} what="Nothing was bought." />
        </div>
      )}
    </Card>
  )
}
