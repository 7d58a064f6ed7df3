import { Link } from 'wouter'
import type { SubscriptionView, Usage } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { capitalized, count, date } from '../../format.ts'
import { useSettings } from '../../settings.ts'
import { STATUS_LOOKS } from './status.ts'

interface PlanCardProps {
  usage: Usage
  /** Null without a live subscription. */
  subscription: SubscriptionView | null
}

function sentence(subscription: SubscriptionView | null, canBuy: boolean): string {
  if (subscription === null && !canBuy) return 'Plans cannot be bought here.'
  if (subscription === null)
    return 'You have no subscription. Buy a larger plan in the marketplace and return here through its link.'
  if (subscription.status === 'PendingFulfillmentStart')
    return 'Your purchase is not active yet. Nothing is billed before you activate it.'
  if (subscription.status === 'Suspended')
    return 'The marketplace suspended the subscription, usually because a payment is missing. Settle it there; the plan is then restored automatically.'
  return 'Change or cancel it in the marketplace. Changes arrive here within seconds.'
}

export function PlanCard({ usage, subscription }: PlanCardProps) {
  const marketplace = useSettings()?.marketplace
  const look = subscription && STATUS_LOOKS[subscription.status]
  return (
    <Card
      title={`${capitalized(usage.plan)} plan`}
      lead={sentence(subscription, marketplace !== 'off')}
      actions={look && <span className={`pill ${look.tone}`}>{look.label}</span>}
    >
      <div className="px-5 pb-5">
        <Facts
          facts={[
            ['Scans this month', `${count(usage.scansUsed)} of ${count(usage.scansQuota)}`],
            ['Marketplace plan', subscription?.marketplacePlanId ?? null],
            ['Current term', termOf(subscription)],
            ['Renews automatically', subscription?.termEnd ? (subscription.autoRenew ? 'Yes' : 'No') : null],
            ['Buyer', subscription?.beneficiaryEmail ?? null],
          ]}
        />
        {subscription?.status === 'PendingFulfillmentStart' && (
          <Link href="/marketplace/landing" className="btn btn-primary mt-5">
            Activate subscription
          </Link>
        )}
        <p className="mt-4 flex flex-wrap gap-x-4 text-sm">
          <Link href="/plans" className="link inline-flex min-h-6 items-center">
            Plans and limits
          </Link>
          {marketplace === 'sandbox' && (
            <a href="/sandbox" className="link inline-flex min-h-6 items-center">
              Open the sandbox marketplace
            </a>
          )}
        </p>
      </div>
    </Card>
  )
}

function termOf(subscription: SubscriptionView | null): string | null {
  const { termStart, termEnd } = subscription ?? {}
  return termStart && termEnd ? `${date(termStart)} to ${date(termEnd)}` : null
}
