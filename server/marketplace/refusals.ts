/** Why something cannot be had, in words that a buyer can act on. */
import { AppError } from '#base/errors.ts'

export const AWAY_RETRY_SECONDS = 10
/** A marketplace that is not set up will not be in a minute either. */
const OFF_RETRY_SECONDS = 3_600

export function marketplaceAway(cause?: unknown, retryAfterSeconds = AWAY_RETRY_SECONDS): AppError {
  const detail = 'The marketplace does not answer at the moment. Try again shortly: nothing is billed twice.'
  return new AppError('marketplace_unavailable', detail, { retryAfterSeconds, cause })
}

/** It did answer, but what was asked for is not to be seen yet. */
export function marketplaceSlow(cause: unknown): AppError {
  const detail = 'The marketplace has not finished this yet. Try again shortly: nothing is billed twice.'
  return new AppError('marketplace_unavailable', detail, { retryAfterSeconds: AWAY_RETRY_SECONDS, cause })
}

export function marketplaceOff(): AppError {
  const detail = 'No marketplace is connected to this service. Ask its operator.'
  return new AppError('marketplace_unavailable', detail, { retryAfterSeconds: OFF_RETRY_SECONDS })
}

/** Not of the buyer's making: he can only wait or ask. The cause is for the log. */
export function marketplaceNonsense(cause: unknown): AppError {
  const detail = 'The marketplace gave an answer that this service cannot use. Try again later, or tell the operator.'
  return new AppError('upstream_error', detail, { cause })
}

export const tooManyActivations = (): AppError =>
  new AppError('rate_limited', 'This account is being activated already. Wait for that to end.', {
    retryAfterSeconds: AWAY_RETRY_SECONDS,
  })

export const unknownPurchase = (): AppError =>
  new AppError(
    'invalid_request',
    "We couldn't identify this purchase. Reopen the subscription in the Azure portal or in the Microsoft 365 admin " +
      'center and select "Configure account" or "Manage account" again: the link works for 24 hours.',
    { errors: [{ field: 'token', message: 'is not known to the marketplace, or has expired' }] },
  )

export const ofAnotherAccount = (): AppError =>
  new AppError(
    'subscription_conflict',
    'This purchase belongs to another account. Sign in with the account that opened it first.',
  )

export const alreadySubscribed = (): AppError =>
  new AppError(
    'subscription_conflict',
    'This account has another subscription already. Cancel that one in the marketplace first, or use another account.',
  )

/** `isWaiting` as long as it was not activated. */
export const unmappedPlan = (offerId: string, planId: string, isWaiting: boolean): AppError =>
  new AppError(
    'subscription_conflict',
    `This service does not know the plan "${planId}" of the offer "${offerId}".${isWaiting ? ' Nothing was billed.' : ''} ` +
      'Tell its operator, or choose another plan in the marketplace.',
  )

export const cancelled = (): AppError =>
  new AppError(
    'subscription_conflict',
    'This subscription was cancelled, which is final. Buy it again in the marketplace.',
  )

export const suspended = (): AppError =>
  new AppError(
    'subscription_suspended',
    'The marketplace has suspended this subscription, as a rule because a payment is missing. Settle it there; then ' +
      'the plan comes back by itself.',
  )

export const noSuchSubscription = (): AppError =>
  new AppError(
    'no_live_subscription',
    'This account has no such subscription. Open the purchase in the marketplace and come back through its link.',
  )

export const noLiveSubscription = (): AppError =>
  new AppError('no_live_subscription', 'This account has no live subscription. Buy one in the marketplace.')
