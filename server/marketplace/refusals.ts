/** The problems of the marketplace, in words that a buyer can act on. */
import { AppError } from '#base/errors.ts'

export const RETRY_SECONDS = 10
/** A marketplace that is not configured will not be available in a minute either. */
const OFF_RETRY_SECONDS = 3_600

const unavailable = (detail: string, retryAfterSeconds: number, cause?: unknown): AppError =>
  new AppError('marketplace_unavailable', detail, { retryAfterSeconds, cause })

export function marketplaceUnavailable(cause: unknown, retryAfterSeconds = RETRY_SECONDS): AppError {
  const detail = 'The marketplace is not responding. Try again shortly; nothing is billed twice.'
  return unavailable(detail, retryAfterSeconds, cause)
}

export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'marketplace_unavailable'

/** The marketplace responded, but does not show the result yet. */
export function marketplacePending(cause: unknown): AppError {
  const detail = 'The marketplace has not finished this operation yet. Try again shortly; nothing is billed twice.'
  return unavailable(detail, RETRY_SECONDS, cause)
}

/** Says nothing about the marketplace, which may not even have been asked. */
export function activationRunning(): AppError {
  const detail =
    'Another request is activating this subscription and has not finished. Try again shortly; nothing is billed twice.'
  return unavailable(detail, RETRY_SECONDS)
}

export const marketplaceOff = () =>
  unavailable('No marketplace is connected to this service. Contact its operator.', OFF_RETRY_SECONDS)

/** The buyer can only wait or ask; the cause goes to the log. */
export function invalidResponse(cause: unknown): AppError {
  const detail = 'The marketplace sent an invalid response. Try again later, or contact the operator of this service.'
  return new AppError('upstream_error', detail, { cause })
}

export function tooManyActivations(): AppError {
  const detail = 'A subscription of this account is already being activated. Wait until that completes.'
  return new AppError('rate_limited', detail, { retryAfterSeconds: RETRY_SECONDS })
}

export const unknownPurchase = (): AppError =>
  new AppError(
    'invalid_request',
    "We couldn't identify this purchase. Reopen the subscription in the Azure portal or in the Microsoft 365 admin " +
      'center and select "Configure account" or "Manage account" again. The link is valid for 24 hours.',
    { errors: [{ field: 'token', message: 'is unknown to the marketplace or has expired' }] },
  )

const conflict = (detail: string): AppError => new AppError('subscription_conflict', detail)

export const ofAnotherAccount = () =>
  conflict('This purchase belongs to another account. Sign in with the account that opened it first.')

export const alreadySubscribed = () =>
  conflict(
    'This account already has another subscription. Cancel that one in the marketplace first, or use another account.',
  )

export const unmappedPlan = (offerId: string, planId: string, isPending: boolean) =>
  conflict(
    `This service does not offer the plan "${planId}" of the offer "${offerId}".${isPending ? ' Nothing was billed.' : ''} ` +
      'Contact its operator, or choose another plan in the marketplace.',
  )

export const cancelled = () =>
  conflict('This subscription was cancelled and cannot be reactivated. Buy it again in the marketplace.')

export const suspended = (): AppError =>
  new AppError(
    'subscription_suspended',
    'The marketplace has suspended this subscription, usually because a payment is missing. Settle the payment there; ' +
      'the plan is then restored automatically.',
  )

export const noSuchSubscription = (): AppError =>
  new AppError(
    'no_live_subscription',
    'This account has no such subscription. Open the purchase in the marketplace and return through its link.',
  )

export const noLiveSubscription = (): AppError =>
  new AppError('no_live_subscription', 'This account has no live subscription. Buy one in the marketplace.')

/** The account is about to be deleted. */
export const stillBilled = (): AppError =>
  new AppError(
    'subscription_conflict',
    'Your account has a marketplace subscription, which would be billed on. Cancel it in the marketplace, then delete the account.',
  )
