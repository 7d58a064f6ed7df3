import { Link } from 'wouter'
import type { SubscriptionView } from '../../api/schema.ts'
import { Facts } from '../../components/facts.tsx'
import { CircleCheck } from '../../components/icons.tsx'
import { capitalized, date } from '../../format.ts'
import { Outcome, ToDashboard } from './outcome.tsx'

interface ActiveProps {
  subscription: SubscriptionView
  /** Activated just now, on this page. */
  isNew: boolean
}

export function Active({ subscription, isNew }: ActiveProps) {
  const { planKey, termStart, termEnd, autoRenew } = subscription
  const term = termStart && termEnd ? `${date(termStart)} to ${date(termEnd)}` : null
  return (
    <Outcome icon={CircleCheck} tone="done" title={isNew ? 'You are all set' : 'This subscription is already active'}>
      <p className="mt-1 text-fg-2">The plan applies to your account now.</p>
      <Facts
        facts={[
          ['Plan', capitalized(planKey)],
          ['Current term', term],
          ['Renews automatically', autoRenew ? 'Yes' : 'No'],
        ]}
      />
      <Link href="/keys" className="btn btn-primary btn-large mt-6">
        Create an API key
      </Link>
      <ToDashboard className="mt-2" />
    </Outcome>
  )
}
