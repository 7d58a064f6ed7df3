/** The actions on a purchase that the sandbox allows, as in the real marketplace. Pure. */
import type { SandboxPurchase } from './store.ts'

export const ACTIONS = ['suspend', 'reinstate', 'cancel', 'change-plan', 'change-quantity', 'renew'] as const
export type Action = (typeof ACTIONS)[number]

export type PlanAndQuantity = Pick<SandboxPurchase, 'planId' | 'quantity'>

interface Rule {
  /** Microsoft's name for the action. */
  word: string
  from: readonly string[]
  /** Waits for the service to acknowledge it, instead of taking effect at once. */
  waits: boolean
  effect: (purchase: SandboxPurchase, wanted: PlanAndQuantity) => Partial<SandboxPurchase>
}

const LIVE = ['PendingFulfillmentStart', 'Subscribed', 'Suspended']
const PAID = ['Subscribed']

const become = (saasSubscriptionStatus: string) => () => ({ saasSubscriptionStatus })

function renew({ term }: SandboxPurchase) {
  const next = new Date(term.endDate ?? Date.now())
  next.setUTCDate(next.getUTCDate() + 1)
  return { term: monthFrom(next) }
}

export const RULES: Readonly<Record<Action, Rule>> = {
  suspend: { word: 'Suspend', from: PAID, waits: false, effect: become('Suspended') },
  reinstate: { word: 'Reinstate', from: ['Suspended'], waits: true, effect: become('Subscribed') },
  cancel: { word: 'Unsubscribe', from: LIVE, waits: false, effect: become('Unsubscribed') },
  'change-plan': { word: 'ChangePlan', from: PAID, waits: true, effect: (_, { planId }) => ({ planId }) },
  'change-quantity': { word: 'ChangeQuantity', from: PAID, waits: true, effect: (_, { quantity }) => ({ quantity }) },
  renew: { word: 'Renew', from: PAID, waits: false, effect: renew },
}

const day = (at: Date): string => at.toISOString().slice(0, 10)

/** One month; the end is the last paid day, or the end of the next month if that is shorter. */
export function monthFrom(start: Date): SandboxPurchase['term'] {
  const [year, month, dayOfMonth] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()]
  const last = new Date(Date.UTC(year, month + 2, 0))
  const end = dayOfMonth > last.getUTCDate() ? last : new Date(Date.UTC(year, month + 1, dayOfMonth - 1))
  return { startDate: day(start), endDate: day(end), termUnit: 'P1M' }
}

/** The purchase after the action; null if the action is not allowed. */
export function perform(purchase: SandboxPurchase, word: string, wanted: PlanAndQuantity): SandboxPurchase | null {
  const rule = Object.values(RULES).find((each) => each.word === word)
  if (!rule?.from.includes(purchase.saasSubscriptionStatus)) return null
  return { ...purchase, ...rule.effect(purchase, wanted) }
}
