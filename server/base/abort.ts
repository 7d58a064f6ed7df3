/** A controller that follows another signal, cheaper than `AbortSignal.any` with its weak references. */
export function following(signal: AbortSignal): AbortController {
  const controller = new AbortController()
  const follow = () => controller.abort(signal.reason)
  if (signal.aborted) follow()
  else signal.addEventListener('abort', follow, { once: true })
  return controller
}

/** Rejects with the signal's reason as soon as it aborts, even if the work goes on. */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', abort))
}
