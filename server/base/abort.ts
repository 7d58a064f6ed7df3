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
  // Work that is done already counts.
  if (signal.aborted) return Promise.race([work, Promise.reject(signal.reason)])
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const abort = () => reject(signal.reason)
  const stop = () => signal.removeEventListener('abort', abort)
  signal.addEventListener('abort', abort, { once: true })
  // Cheaper than a race and `finally`, at two of these for every scan.
  work.then(
    (value) => {
      stop()
      resolve(value)
    },
    (error) => {
      stop()
      reject(error)
    },
  )
  return promise
}
