/** The page that the marketplace opens after a purchase: identify it, confirm it, activate it. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { meQuery, subscriptionQuery, usageQuery } from '../../api/queries.ts'
import { queryClient, refresh } from '../../api/query-client.ts'
import type { SubscriptionView } from '../../api/schema.ts'
import { useAction } from '../../hooks/use-action.ts'
import { Active } from './active.tsx'
import { Confirm } from './confirm.tsx'
import { LandingFrame } from './landing-frame.tsx'
import { Ended, NoPurchase, Resolving, Suspended } from './states.tsx'
import { Unresolved } from './unresolved.tsx'

const readToken = (): string | null => new URLSearchParams(location.search).get('token')

const STEPS = { PendingFulfillmentStart: 2, Subscribed: 3, Suspended: null, Unsubscribed: null } as const

/** The purchase of the token; without one, as after a reload, the subscription of the account. */
function usePurchase(token: string | null) {
  return useQuery<SubscriptionView | null>({
    queryKey: ['purchase', token],
    queryFn: () =>
      token === null
        ? queryClient.fetchQuery({ ...subscriptionQuery, staleTime: 0 })
        : call('POST /api/v1/marketplace/resolve', { body: { token } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The purchase is linked to the account now, so the token need not stay in the browser's history. */
function useHideToken(isLinked: boolean) {
  useEffect(() => {
    if (isLinked) history.replaceState(history.state, '', location.pathname)
  }, [isLinked])
}

export default function LandingPage() {
  const [token] = useState(readToken)
  const purchase = usePurchase(token)
  useHideToken(token !== null && purchase.isSuccess)
  const activate = useAction(async (subscriptionId: string) => {
    const active = await call('POST /api/v1/marketplace/activate', { body: { subscriptionId } })
    refresh(meQuery, usageQuery, subscriptionQuery)
    return active
  })
  const subscription = activate.result ?? purchase.data

  if (purchase.isPending) {
    return (
      <LandingFrame step={1}>
        <Resolving />
      </LandingFrame>
    )
  }
  if (purchase.isError) {
    return (
      <LandingFrame step={null}>
        <Unresolved problem={toProblem(purchase.error)} retry={() => purchase.refetch()} />
      </LandingFrame>
    )
  }
  if (!subscription) {
    return (
      <LandingFrame step={null}>
        <NoPurchase />
      </LandingFrame>
    )
  }
  return (
    <LandingFrame step={STEPS[subscription.status]}>
      {subscription.status === 'PendingFulfillmentStart' && (
        <Confirm
          subscription={subscription}
          isPending={activate.isPending}
          problem={activate.problem}
          activate={() => activate.run(subscription.subscriptionId)}
        />
      )}
      {subscription.status === 'Subscribed' && (
        <Active subscription={subscription} isNew={activate.result !== undefined} />
      )}
      {subscription.status === 'Suspended' && <Suspended />}
      {subscription.status === 'Unsubscribed' && <Ended />}
    </LandingFrame>
  )
}
