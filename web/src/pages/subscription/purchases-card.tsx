import type { SubscriptionList } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { capitalized, date } from '../../format.ts'
import { STATUS_LOOKS } from './status.ts'

type Purchase = SubscriptionList['items'][number]

function detailOf({ quantity, freeTrial, termStart, termEnd }: Purchase): string {
  const parts = [
    quantity === null ? null : `${quantity} ${quantity === 1 ? 'seat' : 'seats'}`,
    freeTrial ? 'free trial' : null,
    termStart && termEnd ? `${date(termStart)} to ${date(termEnd)}` : 'no term yet',
  ]
  return parts.filter((part) => part !== null).join(', ')
}

export function PurchasesCard({ purchases }: { purchases: readonly Purchase[] }) {
  return (
    <Card title="Purchases">
      <ul className="mt-3 divide-y divide-line border-t border-line text-sm">
        {purchases.map((purchase) => {
          const { label, tone } = STATUS_LOOKS[purchase.status]
          return (
            <li key={purchase.subscriptionId} className="flex items-center justify-between gap-4 px-5 py-3">
              <div className="min-w-0">
                <p className="font-medium">{capitalized(purchase.planKey)}</p>
                <p className="text-xs text-fg-2">{capitalized(detailOf(purchase))}</p>
              </div>
              <span className={`pill shrink-0 ${tone}`}>{label}</span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
