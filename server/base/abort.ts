/** A signal that follows another. `AbortSignal.any` does the same, with weak references that cost more than a small scan. */
export function following(signal: AbortSignal): AbortController {
  const controller = new AbortController()
  const follow = () => controller.abort(signal.reason)
  if (signal.aborted) follow()
  else signal.addEventListener('abort', follow, { once: true })
  return controller
}
