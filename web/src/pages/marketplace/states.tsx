/** The states of the landing page in which nothing can be confirmed. */
import { CircleAlert, CirclePause } from '../../components/icons.tsx'
import { Outcome, ToDashboard } from './outcome.tsx'

const TEXT = 'mt-1 text-fg-2'

export function Resolving() {
  return (
    <Outcome title="Finding your purchase…">
      <p className={TEXT}>This takes a few seconds. Keep this page open.</p>
    </Outcome>
  )
}

export function NoPurchase() {
  return (
    <Outcome icon={CircleAlert} title="No purchase to confirm">
      <p className={TEXT}>
        This account has no subscription. Open the purchase in the marketplace and return through its link.
      </p>
      <ToDashboard />
    </Outcome>
  )
}

export function Suspended() {
  return (
    <Outcome icon={CirclePause} title="This subscription is suspended">
      <p className={TEXT}>
        The marketplace suspended it, usually because a payment is missing. Settle the payment there; the plan is then
        restored automatically. Until then the free plan applies.
      </p>
      <ToDashboard />
    </Outcome>
  )
}

export function Ended() {
  return (
    <Outcome icon={CircleAlert} title="This subscription was cancelled">
      <p className={TEXT}>It cannot be activated again. Buy it again in the marketplace to continue.</p>
      <ToDashboard />
    </Outcome>
  )
}
