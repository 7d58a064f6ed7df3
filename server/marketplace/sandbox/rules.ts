/** What the sandbox lets happen to a purchase, as the real marketplace would. Pure. */
import type { SandboxPurchase } from './book-store.ts'

export const ACTIONS = ['suspend', 'reinstate', 'cancel', 'change-plan', 'change-quantity', 'renew'] as const
export type Action = (typeof ACTIONS)[number]

interface Rule {
  /** In Microsoft's words. */
  word: string
  from: readonly string[]
  /** Whether it happens at once and is only told, or waits for the answer of the service. */
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

/** A month from that day; its end is the last day that is paid for. The next month may not have that many days. */
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

export interface Wish {
  planId: string
  quantity: number | null
}

/** The purchase after the action, if it may be done. */
export function perform(purchase: SandboxPurchase, word: string, { planId, quantity }: Wish): SandboxPurchase | null {
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
