import type { SubscriptionView } from '../../api/schema.ts'

/** The states of a subscription in words. Green means a verdict, so that an active one is blue. */
export const STATUS_LOOKS: Readonly<Record<SubscriptionView['status'], { label: string; tone: string }>> = {
  PendingFulfillmentStart: { label: 'Not activated', tone: 'bg-warn-soft text-warn' },
  Subscribed: { label: 'Active', tone: 'bg-accent-soft text-accent' },
  Suspended: { label: 'Suspended', tone: 'bg-bad-soft text-bad' },
  Unsubscribed: { label: 'Cancelled', tone: 'bg-sunken text-fg-2' },
}
