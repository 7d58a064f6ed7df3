import { useQuery } from '@tanstack/react-query'
import type { ApiProblem } from '../../api/problem.ts'
import { meQuery } from '../../api/queries.ts'
import type { SubscriptionView } from '../../api/schema.ts'
import { Facts } from '../../components/facts.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { capitalized } from '../../format.ts'
import { Outcome } from './outcome.tsx'

interface ConfirmProps {
  subscription: SubscriptionView
  isPending: boolean
  problem: ApiProblem | null
  activate: () => void
}

/** The purchase, its account, and the button that starts billing. */
export function Confirm({ subscription, isPending, problem, activate }: ConfirmProps) {
  const { data: me } = useQuery(meQuery)
  const { planKey, marketplacePlanId, offerId, freeTrial, beneficiaryEmail } = subscription
  const start = freeTrial
    ? 'The free trial starts when you activate. Nothing is charged before that.'
    : 'Billing starts when you activate. Nothing is charged before that.'
  return (
    <Outcome title="Confirm your subscription">
      <p className="mt-1 text-fg-2">{start}</p>
      <Facts
        facts={[
          ['Plan', capitalized(planKey)],
          ['Bought as', `${offerId} / ${marketplacePlanId}`],
          ['Docvet account', me?.email ?? '…'],
          ['Bought for', beneficiaryEmail],
        ]}
      />
      {problem && (
        <div className="mt-5">
          <ProblemBox problem={problem} what="The subscription is not active yet." />
        </div>
      )}
      <button type="button" className="btn btn-primary btn-large mt-6" disabled={isPending} onClick={activate}>
        {isPending && 'Activating…'}
        {!isPending && (problem ? 'Try again' : 'Activate subscription')}
      </button>
    </Outcome>
  )
}
