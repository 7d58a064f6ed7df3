/** The actions on a purchase that the sandbox allows, as in the real marketplace. Pure. */
import type { SandboxPurchase } from './store.ts'

export const ACTIONS = ['suspend', 'reinstate', 'cancel', 'change-plan', 'change-quantity', 'renew'] as const
export type Action = (typeof ACTIONS)[number]

interface Rule {
  /** Microsoft's name for the action. */
  word: string
  from: readonly string[]
  /** Waits for the service to acknowledge it, instead of taking effect at once. */
  waits: boolean
}

const LIVE = ['PendingFulfillmentStart', 'Subscribed', 'Suspended']

export const RULES: Readonly<Record<Action, Rule>> = {
  suspend: { word: 'Suspend', from: ['Subscribed'], waits: false },
  reinstate: { word: 'Reinstate', from: ['Suspended'], waits: true },
  cancel: { word: 'Unsubscribe', from: LIVE, waits: false },
  'change-plan': { word: 'ChangePlan', from: ['Subscribed'], waits: true },
  'change-quantity': { word: 'ChangeQuantity', from: ['Subscribed'], waits: true },
  renew: { word: 'Renew', from: ['Subscribed'], waits: false },
}

const day = (at: Date): string => at.toISOString().slice(0, 10)

/** One month; the end is the last paid day, or the end of the next month if that is shorter. */
export function monthFrom(start: Date): { startDate: string; endDate: string; termUnit: 'P1M' } {
  const [year, month, dayOfMonth] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()]
  const last = new Date(Date.UTC(year, month + 2, 0))
  const end = dayOfMonth > last.getUTCDate() ? last : new Date(Date.UTC(year, month + 1, dayOfMonth - 1))
  return { startDate: day(start), endDate: day(end), termUnit: 'P1M' }
}

export function activate(purchase: SandboxPurchase, now: Date): SandboxPurchase | null {
  if (purchase.saasSubscriptionStatus !== 'PendingFulfillmentStart') return null
  return { ...purchase, saasSubscriptionStatus: 'Subscribed', term: monthFrom(now) }
}

export interface PlanAndQuantity {
  planId: string
  quantity: number | null
}

/** The purchase after the action; null if the action is not allowed. */
export function perform(
  purchase: SandboxPurchase,
  word: string,
  { planId, quantity }: PlanAndQuantity,
): SandboxPurchase | null {
  const rule = Object.values(RULES).find((each) => each.word === word)
  if (!rule?.from.includes(purchase.saasSubscriptionStatus)) return null
  if (word === 'ChangePlan') return { ...purchase, planId }
  if (word === 'ChangeQuantity') return { ...purchase, quantity }
  if (word === 'Renew') {
    const last = new Date(purchase.term.endDate ?? Date.now())
    last.setUTCDate(last.getUTCDate() + 1)
    return { ...purchase, term: monthFrom(last) }
  }
  const next = { Suspend: 'Suspended', Reinstate: 'Subscribed', Unsubscribe: 'Unsubscribed' }[word]
  return next === undefined ? null : { ...purchase, saasSubscriptionStatus: next }
}
