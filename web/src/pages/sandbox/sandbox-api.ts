/** The requests of the sandbox marketplace, which is no part of the API. */
import { queryOptions } from '@tanstack/react-query'
import { send } from '../../api/client.ts'

export interface Plan {
  offerId: string
  planId: string
}

export interface Purchase extends Plan {
  id: string
  saasSubscriptionStatus: 'PendingFulfillmentStart' | 'Subscribed' | 'Suspended' | 'Unsubscribed'
  beneficiary: { emailId: string }
  term: { startDate: string | null; endDate: string | null }
}

export type Action = 'suspend' | 'reinstate' | 'cancel' | 'change-plan' | 'renew'

export interface Step {
  id: string
  action: Action
  planId?: string | undefined
}

export interface Performed {
  action: string
  status: string
  webhookStatus: number
}

interface Shop {
  plans: readonly Plan[]
  purchases: readonly Purchase[]
}

export const shopQuery = queryOptions({
  queryKey: ['sandbox'],
  queryFn: async () => (await send('GET', '/sandbox/purchases')) as Shop,
})

/** Returns the path to which the marketplace sends the buyer, also where this page is open under another name. */
export async function buy(plan: Plan): Promise<string> {
  const sold = (await send('POST', '/sandbox/purchases', plan)) as { landingUrl: string }
  const { pathname, search } = new URL(sold.landingUrl)
  return pathname + search
}

export async function perform(id: string, action: Action, planId?: string): Promise<Performed> {
  const body = planId === undefined ? {} : { planId }
  return (await send('POST', `/sandbox/purchases/${id}/${action}`, body)) as Performed
}
