import { capitalized } from '../../format.ts'
import { STATUS_LOOKS } from '../subscription/status.ts'
import type { Action, Plan, Purchase, Step } from './sandbox-api.ts'

type Status = Purchase['saasSubscriptionStatus']

const ACTIONS: Readonly<Record<Status, readonly Action[]>> = {
  PendingFulfillmentStart: ['cancel'],
  Subscribed: ['suspend', 'renew', 'cancel'],
  Suspended: ['reinstate', 'cancel'],
  Unsubscribed: [],
}

interface PurchaseRowProps {
  purchase: Purchase
  plans: readonly Plan[]
  isBusy: boolean
  onStep: (step: Step) => void
}

export function PurchaseRow({ purchase, plans, isBusy, onStep }: PurchaseRowProps) {
  const { id, offerId, planId, saasSubscriptionStatus: status, term } = purchase
  const { label, tone } = STATUS_LOOKS[status]
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0">
        <p className="flex items-center gap-2 font-medium">
          {capitalized(planId)}
          <span className={`pill ${tone}`}>{label}</span>
        </p>
        <p className="mt-0.5 text-xs text-fg-2">
          <code className="font-mono break-all">{id}</code>
          {term.endDate && ` · paid until ${term.endDate}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {status === 'Subscribed' && (
          <PlanPicker
            current={planId}
            plans={plans.filter((plan) => plan.offerId === offerId)}
            isBusy={isBusy}
            onPick={(picked) => onStep({ id, action: 'change-plan', planId: picked })}
          />
        )}
        {ACTIONS[status].map((action) => (
          <button
            key={action}
            type="button"
            className="btn btn-ghost h-8"
            disabled={isBusy}
            onClick={() => onStep({ id, action })}
          >
            {capitalized(action)}
            <span className="sr-only"> {id}</span>
          </button>
        ))}
      </div>
    </li>
  )
}

interface PlanPickerProps {
  current: string
  plans: readonly Plan[]
  isBusy: boolean
  onPick: (planId: string) => void
}

function PlanPicker({ current, plans, isBusy, onPick }: PlanPickerProps) {
  return (
    <select
      aria-label="Change the plan"
      className="h-8 rounded-md border border-field bg-surface px-2 text-sm"
      value={current}
      disabled={isBusy}
      onChange={(event) => onPick(event.target.value)}
    >
      {plans.map(({ planId }) => (
        <option key={planId} value={planId}>
          {planId === current ? `Plan: ${planId}` : `Change to ${planId}`}
        </option>
      ))}
    </select>
  )
}
